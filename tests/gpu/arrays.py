#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Arrays of PyTorch, JAX and CuPy in the memory of a GPU are inputs of programs, and results are such arrays: without a copy.

    arrays.py [--device cuda]

A package that is not here, or has no GPU, is a failure. The last line is 'N passed, N failed'."""
import argparse
import gc
import importlib
import os
import sys

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "python"))
os.environ.setdefault("TESSERA_LIBRARY", os.path.join(os.path.abspath(os.environ.get("BUILD", os.path.join(ROOT, "build"))), "libtessera.so"))

SHAPE = (300, 513)
TEXT = """
func.func @main(%a: tensor<300x513xf32>, %b: tensor<300x513xf32>) -> (tensor<300x513xf32>, tensor<513x300xf32>) {
  %0 = stablehlo.add %a, %b : tensor<300x513xf32>
  %1 = stablehlo.multiply %0, %b : tensor<300x513xf32>
  %2 = stablehlo.transpose %1, dims = [1, 0] : (tensor<300x513xf32>) -> tensor<513x300xf32>
  return %0, %2 : tensor<300x513xf32>, tensor<513x300xf32>
}
"""


def on_gpu(package, array):
    """The array there, and what makes an array of that package of a DLPack exporter."""
    if package == "torch":
        import torch

        return torch.from_numpy(array).cuda(), torch.from_dlpack, lambda x: x.data_ptr()
    if package == "jax":
        import jax

        return jax.device_put(array, jax.devices("gpu")[0]).block_until_ready(), jax.dlpack.from_dlpack, lambda x: x.unsafe_buffer_pointer()
    import cupy

    return cupy.asarray(array), cupy.from_dlpack, lambda x: x.data.ptr


def as_numpy(package, x):
    import numpy as np

    return x.cpu().numpy() if package == "torch" else x.get() if package == "cupy" else np.asarray(x)


def check(package, device, program, numbers):
    """Yields what is checked and whether it is so."""
    import numpy as np
    from tessera import tensors

    a, b = numbers
    there = [on_gpu(package, x)[0] for x in numbers]
    _, take, address = on_gpu(package, a[:1])
    tensor = tensors.to_tensor(program.context, there[0])
    yield "an input is not copied", tensors.lib.tsr_tensor_data(tensor._handle) == address(there[0])
    del tensor
    for _ in range(2):  # again, with memory that was given back
        out = program.enqueue(*there)
        taken = [take(t) for t in out]
        yield "a result is not copied", tensors.lib.tsr_tensor_data(out[0]._handle) == address(taken[0])
        del out
        gc.collect()
        yield "numbers of the sum", np.array_equal(as_numpy(package, taken[0]), a + b)
        yield "numbers of the product", np.array_equal(as_numpy(package, taken[1]), ((a + b) * b).T)
        again = program.enqueue(taken[0], there[1])
        yield "a result as an input", np.array_equal(again[0].numpy(), a + b + b)
        del taken, again
        gc.collect()
    yield "inputs are as they were", np.array_equal(as_numpy(package, there[0]), a)


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    p.add_argument("--device", default="cuda")
    o = p.parse_args()
    import numpy as np
    import tessera

    rng = np.random.default_rng(1)
    numbers = [rng.standard_normal(SHAPE, np.float32) for _ in range(2)]
    program, passed, failed = tessera.Module.parse(TEXT).compile(device=o.device), 0, 0
    for package in ("torch", "jax", "cupy"):
        try:
            importlib.import_module(package)
            for what, right in check(package, o.device, program, numbers):
                passed, failed = passed + bool(right), failed + (not right)
                if not right:
                    print(f"FAIL {package}: {what}")
        except Exception as e:  # noqa: BLE001: whatever a package raises
            failed += 1
            print(f"FAIL {package}: {type(e).__name__}: {e}"[:600])
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
