# SPDX-License-Identifier: Apache-2.0
"""Programs on a device with memory of its own, on the mock: arrays in and out, tensors that are there, what is refused; and DLPack without a copy, on the
plug-in for CUDA with libraries that stand for NVIDIA's (tests/cuda)."""

import gc
import importlib.util
import os
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
BUILD = Path(os.environ.get("BUILD", ROOT / "build")).resolve()
sys.path.insert(0, str(ROOT / "python"))
os.environ["TESSERA_PLUGINS"] = str(BUILD)
os.environ["TESSERA_CUDA_PATH"] = f"{BUILD}/bin-test/fakes:-"
os.environ["TESSERA_CACHE"] = "none"

import tessera as ts  # noqa: E402

np = None
if importlib.util.find_spec("numpy"):
    import numpy as np

TEXT = """
func.func @main(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %0 = stablehlo.add %a, %b : tensor<2x3xf32>
  %1 = stablehlo.multiply %0, %b : tensor<2x3xf32>
  return %0, %1 : tensor<2x3xf32>, tensor<2x3xf32>
}
"""


class Gpu:
    """An array of somebody else in the memory of a GPU."""

    def __init__(self, tensor):
        self.tensor, self.finished = tensor, False

    def block_until_ready(self):
        self.finished = True

    def __dlpack__(self, **how):
        return self.tensor.__dlpack__(**how)

    def __dlpack_device__(self):
        return self.tensor.__dlpack_device__()


@unittest.skipIf(np is None, "no NumPy here")
class Devices(unittest.TestCase):
    def setUp(self):
        self.module = ts.Module.parse(TEXT)
        self.a = np.arange(6, dtype=np.float32).reshape(2, 3)
        self.b = self.a + 0.5

    def same(self, found):
        np.testing.assert_array_equal(found[0], self.a + self.b)
        np.testing.assert_array_equal(found[1], (self.a + self.b) * self.b)

    def test_run(self):
        program = self.module.compile(device="mock")
        self.same(program(self.a, self.b))
        there = program.enqueue(self.a, self.b)
        self.assertEqual([t.device for t in there], ["mock device 0"] * 2)
        self.same([t.numpy() for t in there])
        again = program(there[0], there[0].to("mock"))
        np.testing.assert_array_equal(again[0], 2 * (self.a + self.b))
        self.assertIsNone(there[0].to().device)
        self.assertIn("5.000000e-01, 2.500000e+00", str(there[0]))

    def test_refused(self):
        with self.assertRaisesRegex(ts.EnvironmentFailure, "there is no plug-in"):
            self.module.compile(device="nobodys")
        with self.assertRaisesRegex(ts.InputError, "no name of a device"):
            self.module.compile(device="mock:")
        program = self.module.compile(device="mock:1")
        elsewhere = program.enqueue(self.a, self.b)[0].to("mock:2")
        with self.assertRaisesRegex(ts.InputError, "in the memory of mock device 2"):
            program(elsewhere, self.b)
        with self.assertRaisesRegex(ts.InputError, "in the memory of mock device 2"):
            self.module.run(elsewhere, self.b)
        with self.assertRaisesRegex(ts.InputError, "runs on this processor"):
            self.module.compile().enqueue(self.a, self.b)
        with self.assertRaisesRegex(ts.InputError, "is bound"):
            program.bind(self.a)
        with self.assertRaisesRegex(BufferError, "no name for devices of kind mock"):
            elsewhere.__dlpack__()

    def test_list(self):
        found = ts.devices("mock")
        self.assertEqual(found["devices"][1]["hardware"], "mock device 1")
        self.assertEqual(found["libraries"], [])
        with self.assertRaisesRegex(ts.EnvironmentFailure, "no plug-in"):
            ts.devices("nobodys")

    def test_dlpack(self):
        there = ts.Tensor.load(self.file(self.a)).to("cuda")
        self.assertEqual(there.__dlpack_device__(), (2, 0))
        with self.assertRaises(BufferError):
            there.__dlpack__(copy=True)
        with self.assertRaises(BufferError):
            there.__dlpack__(dl_device=(1, 0))
        for how in ({}, {"max_version": (1, 1)}):
            there.__dlpack__(**how)  # nobody takes it

    def test_no_copy(self):
        from tessera import tensors

        there = ts.Tensor.load(self.file(self.a)).to("cuda")
        given = Gpu(there)
        taken = tensors.to_tensor(there.context, given)
        self.assertTrue(given.finished)
        data = tensors.lib.tsr_tensor_data
        self.assertEqual(data(taken._handle), data(there._handle))
        del there, given
        gc.collect()
        np.testing.assert_array_equal(taken.numpy(), self.a)

    def file(self, array):
        import tempfile

        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = f"{folder.name}/a.npy"
        np.save(path, array)
        return path


if __name__ == "__main__":
    unittest.main()
