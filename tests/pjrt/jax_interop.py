# SPDX-License-Identifier: Apache-2.0
"""jax_interop.py - what JAX shares with others on Tessera's devices: memory, foreign functions, compiled programs. Run by jax.sh."""

import ctypes
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P

PASSED, FAILED = [], []


def check(name, good):
    (PASSED if good else FAILED).append(name)
    if not good:
        print(f"FAIL {name}")


def raises(kind, text, f, *args, **kwargs):
    try:
        jax.block_until_ready(f(*args, **kwargs))
    except kind as e:
        return text in str(e)
    return False


def memory():
    """The same bytes on both sides, both ways."""
    x = jax.jit(lambda: jnp.arange(64, dtype=jnp.float32) + 0)()
    check("NumPy looks on", np.asarray(x).ctypes.data == x.unsafe_buffer_pointer())
    check("DLPack's device", x.__dlpack_device__() == (1, 0))
    shared = np.from_dlpack(x)
    check("to DLPack", shared.ctypes.data == x.unsafe_buffer_pointer() and shared[63] == 63)
    x.delete()
    check("it stays", shared[63] == 63 and x.is_deleted())
    y = jax.dlpack.from_dlpack(np.arange(64, dtype=np.float32), device=jax.devices()[0])
    check("from DLPack", y.devices() == {jax.devices()[0]} and float(y[5]) == 5)
    raw = np.zeros(64 + 16, np.float32)
    own = raw[(-raw.ctypes.data // 4) % 16 :][:64]  # aligned to 64 bytes
    z = jax.device_put(jax.dlpack.from_dlpack(own), jax.devices()[0])
    check("from DLPack without a copy", z.unsafe_buffer_pointer() == own.ctypes.data)
    half = jnp.ones(4, jnp.bfloat16) + 1
    back = jax.dlpack.from_dlpack(half)
    check("a type that NumPy lacks", back.dtype == jnp.bfloat16 and float(back[0]) == 2)
    stats = jax.devices()[1].memory_stats()
    kept = jax.device_put(np.ones(1000, np.float32), jax.devices()[1])
    more = jax.devices()[1].memory_stats()
    check("memory stats", more["bytes_in_use"] - stats["bytes_in_use"] == kept.nbytes and more["bytes_limit"] > 1 << 20)
    check("reservable", more["bytes_reservable_limit"] > 1 << 20 and more["peak_bytes_in_use"] >= 4000)


def foreign():
    """A handler that is built with XLA's own header."""
    header = Path(jax.ffi.include_dir()) / "xla" / "ffi" / "api" / "c_api.h"
    cc = os.environ.get("CC", "cc").split()
    source = Path(__file__).with_name("handler.c.in")
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "handler.so"
        command = [*cc, "-shared", "-fPIC", "-x", "c", str(source), "-I", jax.ffi.include_dir(), "-o", str(library)]
        try:
            subprocess.run(command, check=True, capture_output=True)
        except (OSError, subprocess.CalledProcessError) as e:
            print(f"foreign functions skipped: {cc[0]} with {header}: {getattr(e, 'stderr', e)}")
            return
        handlers = ctypes.CDLL(str(library))
    capsule = jax.ffi.pycapsule(handlers.scale)
    shape = jax.ShapeDtypeStruct((4,), np.float32)
    call = jax.jit(lambda x: jax.ffi.ffi_call("test_scale", shape)(x, by=np.float32(3), add=np.array([1, 2, 3, 4], np.int64)))
    x = np.arange(4, dtype=np.float32)
    check("no such target", raises(Exception, "calls '@test_scale', which is not known here", call, x))
    jax.ffi.register_ffi_target("test_scale", capsule, platform="tessera")
    check("foreign function", np.array_equal(call(x), 3 * x + [1, 2, 3, 4]))
    wrong = jax.jit(lambda x: jax.ffi.ffi_call("test_scale", shape)(x, by=np.float32(3)))
    check("it complains", raises(Exception, "FFI target 'test_scale' says: scale wants by and add", wrong, x))
    untyped = (jax.ffi.register_ffi_target, "test_untyped", capsule)
    check("untyped", raises(NotImplementedError, "untyped", *untyped, platform="tessera", api_version=0))
    stages = (jax.ffi.register_ffi_target, "test_stages", {"instantiate": capsule, "execute": capsule})
    check("stages", raises(NotImplementedError, "instantiate", *stages, platform="tessera"))


def compiled():
    """Programs as bytes and as text; devices that are not there."""
    from jax.experimental import serialize_executable, topologies

    f = jax.jit(lambda a, b: jnp.einsum("bij,bjk->bik", a, b))
    a, b = np.ones((5, 2, 3), np.float32), np.ones((5, 3, 4), np.float32)
    program = f.lower(a, b).compile()
    check("flops of a batch", program.cost_analysis()["flops"] == 2 * 5 * 2 * 4 * 3)
    facts = program.memory_analysis()
    check("bytes", facts.argument_size_in_bytes == 360 and facts.output_size_in_bytes == 160)
    parts = serialize_executable.serialize(program)
    again = serialize_executable.deserialize_and_load(*parts, execution_devices=jax.devices()[:1])
    check("serialized", np.array_equal(again(a, b), np.full((5, 2, 4), 3)) and again.as_text() == program.as_text())
    many = topologies.get_topology_desc(platform="tessera", topology_name="16x32")
    mesh = topologies.make_mesh(many, (16, 32), ("x", "y"))
    at = NamedSharding(mesh, P("x", "y"))
    big = jax.ShapeDtypeStruct((1024, 1024), np.float32, sharding=at)
    text = jax.jit(lambda a: a @ a.T, out_shardings=at).lower(big).compile().as_text()
    check("512 devices", len(many.devices) == 512 and "f32[64,32]" in text and "all-gather" in text)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TESSERA_DUMP"] = folder
        try:
            jax.jit(lambda x: x * 7 + 5).lower(a).compile()
        finally:
            del os.environ["TESSERA_DUMP"]
        names = sorted(p.name.split(".", 1)[1] for p in Path(folder).iterdir())
    check("dump", names == ["jit__lambda.module.mlir", "jit__lambda.plan.mlir"])


memory()
foreign()
compiled()
print(f"{len(PASSED)} passed, {len(FAILED)} failed")
sys.exit(bool(FAILED))
