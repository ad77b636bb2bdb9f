"""The packages builder and golden: graphs that run through a binary, values that are compared and bypassed, meshes, goldens of ops.

    tt_builder.py
"""

import importlib.util
import os
import sys
import tempfile
import unittest
from collections import OrderedDict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "python"), str(ROOT / "python" / "tt")]
HERE = all(importlib.util.find_spec(name) for name in ("numpy", "ttmlir"))

if HERE:
    import numpy as np
    import golden
    from builder.base.builder_apis import *  # noqa: F403
    from builder.base.builder_enums import MeshShardDirection, MeshShardType

    F32, BF16 = "f32", "bf16"


def chain(builder):
    @builder.func([(32, 32), (32, 32)], [F32, F32])
    def main(in0, in1, builder):
        global SIGMOID
        SIGMOID = builder.sigmoid(in0, loc="first")
        return builder.exp(builder.add(SIGMOID, in1, loc="second"), loc="third")


def compiled(fn, **options):
    return compile_ttir_to_flatbuffer(fn, **options)[1:]


class Runs(unittest.TestCase):
    def test_values(self):
        found, io, inner = compiled(chain)
        report, outputs = execute_fb(found, io, inner, enable_intermediate_verification=True)
        self.assertEqual(set(report["program_0"]), {'loc("first")', 'loc("second")', 'loc("third")', "output_0"})
        x, y = (io[0][f"input_{i}"].shard_map[0] for i in range(2))
        np.testing.assert_allclose(outputs["program_0_output_0"][0], np.exp(1 / (1 + np.exp(-x)) + y), rtol=1e-2)

    def test_what_is_off_is_found(self):
        found, io, inner = compiled(chain)
        inner['loc("second")'].shard_map[0] = -inner['loc("second")'].shard_map[0]
        execute_fb(found, io, inner)  # outputs alone
        with self.assertRaisesRegex(TTBuilderGoldenException, "second"):
            execute_fb(found, io, inner, enable_intermediate_verification=True)
        io[0]["output_0"].shard_map[0] = -io[0]["output_0"].shard_map[0]
        with self.assertRaisesRegex(TTBuilderGoldenException, "output 0"):
            execute_fb(found, io, inner)
        execute_fb(found, io, inner, disable_golden=True)

    def test_bypass(self):
        """The golden takes the place of the value after this was compared."""
        found, io, inner = compiled(chain)
        given = inner['loc("first")'].shard_map[0] = np.full((32, 32), 2, np.float32)
        report, outputs = execute_fb(found, io, {'loc("first")': inner['loc("first")']}, bypass_ops=['loc("first")'], disable_golden=True)
        self.assertFalse(report["program_0"]['loc("first")'][0]["pass"])
        np.testing.assert_allclose(outputs["program_0_output_0"][0], np.exp(given + io[0]["input_1"].shard_map[0]), rtol=1e-2)

        def bypassed(builder):
            chain(builder)
            builder.bypass(SIGMOID)

        report, _ = compile_and_execute_ttir(bypassed)
        self.assertTrue(report["program_0"]['loc("first")'][0]["pass"])

    def test_device_module(self):
        def nested(builder):
            @builder.device_module
            def inside(builder):
                chain(builder)

        self.assertIn("output_0", compile_and_execute_ttir(nested)[0]["program_0"])

    def test_dialects(self):
        def add(builder):
            @builder.func([(32, 64), (32, 64)], [BF16, BF16])
            def main(in0, in1, builder):
                return builder.add(in0, in1)

        for run in (compile_and_execute_ttir, compile_and_execute_shlo, compile_and_execute_ttnn):
            self.assertTrue(run(add)[0]["program_0"]["output_0"][0]["pass"], run.__name__)
        for target in ("ttmetal", "emitc", "emitpy"):
            with self.assertRaisesRegex(TTBuilderCompileException, "not part of Tessera"):
                compile_and_execute_ttir(add, target=target)

    def test_mesh(self):
        def gather(builder):
            @builder.func([(64, 128)], [F32])
            def main(in0, builder):
                part = builder.mesh_shard(in0, MeshShardDirection.FullToShard.value, MeshShardType.Devices.value, (1, 2), (-1, 1))
                whole = builder.all_gather(builder.exp(part), all_gather_dim=1, cluster_axis=1)
                return builder.mesh_shard(whole, MeshShardDirection.ShardToFull.value, MeshShardType.Replicate.value, (1,), (-1,))

        mesh = OrderedDict([("x", 1), ("y", 2)])
        report, outputs = compile_and_execute_ttir(gather, mesh_dict=mesh)
        self.assertTrue(report["program_0"]["output_0"][0]["pass"])
        self.assertEqual(outputs["program_0_output_0"][0].shape, (64, 128))

    def test_load_and_split(self):
        text = (ROOT / "tests" / "python" / "seed" / "Inputs" / "test.mlir").read_text()
        ones = np.ones((32, 32), np.float32)
        module, builder = load_mlir_file(text, golden_inputs={"modelb": [ones, 3 * ones]})
        io, _ = builder.golden_map
        np.testing.assert_array_equal(io[1]["output_0"].shard_map[0], 3 * ones)
        parts = split_mlir_file(module, builder)
        self.assertEqual(len(parts), 3)
        np.testing.assert_array_equal(parts[1][1].golden_map[0][0]["output_0"].shard_map[0], io[0]["output_0"].shard_map[0])
        for part, own in parts:
            execute_fb(*compile_ttir_module_to_flatbuffer(part, own))
        with self.assertRaisesRegex(ValueError, "no function nothing"):
            load_mlir_file(text, golden_inputs={"nothing": []})

    def test_wrong_calls(self):
        def wrong(builder):
            @builder.func([(2, 3), (4, 5)], [F32, F32])
            def main(in0, in1, builder):
                return builder.add(in0, in1)

        with self.assertRaisesRegex(ts.InputError, "first"):
            build_module(lambda b: b.func([(2, 3), (4, 5)])(lambda x, y, builder: builder.add(x, y, loc="first")), "ttir")
        with self.assertRaises(ts.InputError):
            build_module(wrong, "ttir")
        with self.assertRaises(ValueError):
            build_module(wrong, "nothing")
        with self.assertRaisesRegex(NotImplementedError, "D2M"):
            build_module(wrong, "d2m")
        with self.assertRaisesRegex(AttributeError, "ttir.nothing"):
            build_module(lambda b: b.nothing, "ttir")


class Goldens(unittest.TestCase):
    def test_functions(self):
        x, y = np.linspace(-1, 1, 6, dtype=np.float32).reshape(2, 3), np.ones((2, 3), np.float32)
        np.testing.assert_array_equal(golden.get_golden_function(ttir.AddOp)(x, y), x + y)
        np.testing.assert_allclose(golden.get_golden_function("stablehlo.tanh")(x), np.tanh(x), rtol=1e-6)
        found = golden.get_golden_function("ttir.softmax")(x, dimension=1)
        np.testing.assert_allclose(found, np.exp(x) / np.exp(x).sum(1, keepdims=True), rtol=1e-5)

    def test_parts(self):
        whole = golden.GoldenMapTensor({0: np.arange(32).reshape(4, 8)})
        parts = golden.apply_sharding(whole, (2, 4), (0, 1))
        np.testing.assert_array_equal(parts.shard_map[5], whole.shard_map[0][2:, 2:4])
        np.testing.assert_array_equal(golden.apply_unsharding(parts, (2, 4), (0, 1)).shard_map[0], whole.shard_map[0])
        replicated = golden.apply_sharding(whole, (2, 4), (-1, 1))
        np.testing.assert_array_equal(golden.apply_unsharding(replicated, (2, 4), (-1, 1)).shard_map[0], whole.shard_map[0])

    def test_metrics(self):
        a = np.array([1.0, 2.0, np.inf])
        self.assertEqual(golden.get_atol_rtol_pcc(a, a), (0.0, 0.0, 1.0))
        off, relative, pcc = golden.get_atol_rtol_pcc(np.array([1.0, 2.0, 4.0]), np.array([1.0, 2.5, 4.0]))
        self.assertEqual((off, relative), (0.5, 0.25))
        self.assertLess(pcc, 1)
        self.assertEqual(golden.get_pcc(np.ones(3), -np.ones(3)), 0.0)


if __name__ == "__main__":
    if not HERE:
        print("skipped: no NumPy, or no bindings of tt-mlir here")
        sys.exit(0)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        result = unittest.main(exit=False, verbosity=0).result
        os.chdir(ROOT)
    bad = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - bad} passed, {bad} failed")
    sys.exit(bad != 0)
