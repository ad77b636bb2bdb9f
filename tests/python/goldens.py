# SPDX-License-Identifier: Apache-2.0
"""Tests of goldens in Python: values, inputs, checks, bypass, files, devices, split."""

import importlib.util
import json
import os
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
if "TESSERA_INSTALLED" not in os.environ:
    sys.path.insert(0, str(ROOT / "python"))

import tessera as ts  # noqa: E402

np = None
if importlib.util.find_spec("numpy"):
    import numpy as np

TEXT = """
func.func private @inner(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.tanh %x : tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
func.func @main(%x: tensor<2x3xf32>, %y: tensor<3x4xf32>) -> tensor<2x4xf32> {
  %0 = call @inner(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = stablehlo.dot_general %0, %y, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %2 = stablehlo.exponential %1 : tensor<2x4xf32>
  return %2 : tensor<2x4xf32>
}
func.func @other(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = stablehlo.negate %x : tensor<3xf32>
  return %0 : tensor<3xf32>
}
"""
INDEXED = """
func.func @main(%table: tensor<5x4xf32>, %at: tensor<3xi32>) -> tensor<3x4xf32> {
  %0 = "ttir.embedding"(%at, %table) : (tensor<3xi32>, tensor<5x4xf32>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}
"""
LOCAL = """
module attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  func.func @main(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
    %0 = stablehlo.abs %x : tensor<2x2xf32>
    %id = stablehlo.partition_id : tensor<ui32>
    %f = stablehlo.convert %id : (tensor<ui32>) -> tensor<f32>
    %b = stablehlo.broadcast_in_dim %f, dims = [] : (tensor<f32>) -> tensor<2x2xf32>
    %1 = stablehlo.add %0, %b : tensor<2x2xf32>
    %2 = "stablehlo.all_reduce"(%1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
    ^bb0(%a: tensor<f32>, %c: tensor<f32>):
      %s = stablehlo.add %a, %c : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<2x2xf32>) -> tensor<2x2xf32>
    return %2 : tensor<2x2xf32>
  }
}
"""


def values(module, function="main"):
    return [v for op in module[function].body.ops for v in op.results]


REGIONS = """
sdy.mesh @mesh = <["x"=2]>
func.func @main(%p: tensor<i1>, %x: tensor<4xf32>, %n: tensor<i32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = "stablehlo.if"(%p) ({
    %a = stablehlo.negate %x : tensor<4xf32>
    stablehlo.return %a : tensor<4xf32>
  }, {
    %b = stablehlo.sine %x : tensor<4xf32>
    stablehlo.return %b : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  %c10 = stablehlo.constant dense<10> : tensor<i32>
  %c1 = stablehlo.constant dense<1> : tensor<i32>
  %1:2 = stablehlo.while(%i = %n, %y = %x) : tensor<i32>, tensor<4xf32> cond {
    %c = stablehlo.compare LT, %i, %c10 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %k = stablehlo.add %i, %c1 : tensor<i32>
    %z = stablehlo.tanh %y : tensor<4xf32>
    stablehlo.return %k, %z : tensor<i32>, tensor<4xf32>
  }
  %2 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%l: tensor<2xf32>) {
    %q = stablehlo.exponential %l : tensor<2xf32>
    sdy.return %q : tensor<2xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %1#1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}"""


@unittest.skipIf(np is None, "no NumPy here")
class Values(unittest.TestCase):
    def setUp(self):
        self.module = ts.Module.parse(TEXT)

    def test_values(self):
        goldens = self.module.goldens()
        self.assertEqual(list(goldens.functions), ["main", "other"])
        main = goldens["main"]
        self.assertEqual([op.name for op in main.ops], ["stablehlo.tanh", "stablehlo.dot_general", "stablehlo.exponential"])
        self.assertEqual([op.function for op in main.ops], ["inner", "main", "main"])
        self.assertEqual([(op.file, op.line) for op in main.ops][:1], [("<text>", 3)])
        x, y = (goldens.get(a) for a in self.module["main"].body.args)
        for array, again in zip((x, y), self.module.random_inputs("main")):
            np.testing.assert_array_equal(array, again)
        np.testing.assert_allclose(main.ops[0].result(), np.tanh(x), rtol=1e-5)
        dot, exp = values(self.module)[1:]
        np.testing.assert_allclose(goldens[dot], np.tanh(x) @ y, rtol=1e-5)
        np.testing.assert_allclose(goldens[exp], np.exp(np.tanh(x) @ y), rtol=1e-5)
        np.testing.assert_allclose(goldens[values(self.module, "inner")[0]], np.tanh(x), rtol=1e-5)
        np.testing.assert_array_equal(goldens[values(self.module, "other")[0]], -goldens[self.module["other"].body.args[0]])

    def test_inputs(self):
        x, y = np.ones((2, 3), np.float32), np.full((3, 4), 0.5, np.float32)
        for inputs in ({"main": [x, y]}, {"main": [np.ones, y]}, {"main": [lambda shape: np.ones(shape), lambda shape: np.full(shape, 0.5)]}):
            goldens = self.module.goldens(inputs)
            np.testing.assert_allclose(goldens[values(self.module)[1]], np.tanh(x) @ y, rtol=1e-6)
        half = self.module.goldens({"main": [None, y]}, seed=3)
        np.testing.assert_array_equal(half[self.module["main"].body.args[0]], self.module.random_inputs("main", 3)[0])
        for bad in ({"main": [x]}, {"none": [x]}, [x, y], {"main": [y, x]}, {"main": [x.astype(np.float64), y]}, {"main": ["a", y]}):
            with self.assertRaises((ts.InputError, ValueError)):
                self.module.goldens(bad)

    def test_legal_indices(self):
        module = ts.Module.parse(INDEXED)
        for seed in range(5):
            goldens = module.goldens(seed=seed)
            table, at = (goldens.get(a) for a in module["main"].body.args)
            self.assertTrue(((at >= 0) & (at < 5)).all())
            np.testing.assert_array_equal(goldens[values(module)[0]], table[at])

    def test_custom(self):
        goldens = self.module.goldens()
        call, dot, exp = values(self.module)
        given = np.arange(8, dtype=np.float32).reshape(2, 4) / 8
        goldens.set(dot, given)
        np.testing.assert_array_equal(goldens[dot], given)
        np.testing.assert_allclose(goldens[exp], np.exp(given), rtol=1e-6)
        report = goldens["main"].check()
        self.assertFalse(report)
        self.assertEqual(report.first["op"], "stablehlo.dot_general")
        self.assertEqual(report.first["location"], "<text>:8:8")
        by_op = {op["op"]: op for op in report.ops}
        self.assertFalse(by_op["stablehlo.dot_general"]["isolated"]["passed"])
        self.assertTrue(by_op["stablehlo.exponential"]["isolated"]["passed"])
        self.assertFalse(by_op["stablehlo.exponential"]["accumulated"]["passed"])
        self.assertIn("FAIL", str(report))
        self.assertIn("the first that is off: stablehlo.dot_general", str(report))
        goldens.bypass(dot)  # the golden goes on in its place
        report = goldens["main"].check()
        self.assertTrue(report)
        by_op = {op["op"]: op for op in report.ops}
        self.assertTrue(by_op["stablehlo.dot_general"]["bypassed"])
        self.assertFalse(by_op["stablehlo.dot_general"]["accumulated"]["passed"])
        self.assertTrue(by_op["result"]["accumulated"]["passed"])
        goldens.bypass(dot, on=False)
        self.assertFalse(goldens["main"].check())
        goldens.bypass(exp)  # the result of the function itself
        self.assertTrue({op["op"]: op for op in goldens["main"].check().ops}["result"]["accumulated"]["passed"])
        with self.assertRaises(ts.InputError):
            goldens.set(dot, np.zeros((4, 2), np.float32))
        with self.assertRaises(ts.InputError):
            goldens["main"].bypass(self.module["main"].body.args[0])
        with self.assertRaises(ts.InputError):
            goldens["main"].get(ts.Module.parse(TEXT)["main"].body.args[0])
        with self.assertRaises(ts.InputError):
            goldens["main"].get(dot, device=1)

    def test_check(self):
        for engine in ("compiled", "reference"):
            report = self.module.goldens().check(engine=engine)
            self.assertTrue(report)
            self.assertIsNone(report.first)
            self.assertEqual(len(report.ops), 6)
            self.assertIn("@other", str(report))
        graph = self.module.goldens().check(graph_only=True)
        self.assertEqual([op["op"] for op in graph.ops], ["result", "result"])
        whole = self.module.goldens().check(isolated=False)
        self.assertTrue(all(op["isolated"] is None for op in whole.ops))
        tight = ts.Module.parse(TEXT).goldens()["main"].check(rtol=0.0, atol=0.0)
        self.assertIsInstance(tight.passed, bool)
        with self.assertRaises(ts.InputError):
            self.module.goldens().check(engine="none")
        with tempfile.TemporaryDirectory() as folder:
            report.save(os.path.join(folder, "report.json"))
            with open(os.path.join(folder, "report.json"), encoding="utf-8") as file:
                self.assertEqual(json.load(file), report.data)
            with self.assertRaises(OSError):
                report.save(os.path.join(folder, "none", "report.json"))
        html = report._repr_html_()
        self.assertEqual(html.count("<tr"), 7)
        self.assertIn("stablehlo.tanh", html)

    def test_pcc(self):
        goldens = self.module.goldens()
        dot = values(self.module)[1]
        near = goldens[dot] + np.linspace(0, 1e-3, 8, dtype=np.float32).reshape(2, 4)
        goldens.set(dot, near)
        goldens.bypass(dot)
        self.assertFalse({op["op"]: op for op in goldens["main"].check().ops}["stablehlo.dot_general"]["isolated"]["passed"])
        self.assertTrue({op["op"]: op for op in goldens["main"].check(pcc=0.99).ops}["stablehlo.dot_general"]["isolated"]["passed"])

    def test_files(self):
        text = "func.func @main(%x: tensor<64xf32>) -> tensor<64xf32> {\n"
        for i in range(20):
            text += f"  %{i} = stablehlo.add %{i - 1 if i else 'x'}, %x : tensor<64xf32>\n"
        module = ts.Module.parse(text + "  return %19 : tensor<64xf32>\n}\n")
        with tempfile.TemporaryDirectory() as folder:
            free = module.goldens()
            small = module.goldens(max_bytes=600, folder=folder)
            for value in reversed(values(module)):
                np.testing.assert_array_equal(small[value], free[value])
            self.assertEqual(os.listdir(folder), [])  # the file has no name
            self.assertTrue(small.check())
            with self.assertRaisesRegex(ts.EnvironmentFailure, "no file for values"):
                module.goldens(max_bytes=600, folder=os.path.join(folder, "none")).get(values(module)[0])

    def test_split(self):
        goldens = self.module.goldens()
        pairs = goldens["main"].split()
        self.assertEqual(len(pairs), 3)
        for (module, own), op in zip(pairs, goldens["main"].ops):
            module.verify()
            self.assertIn(op.name, str(module))
            np.testing.assert_array_equal(own.ops[0].result(), op.result())
            self.assertTrue(own.check())
        x, y = (pairs[1][1].get(a) for a in pairs[1][0]["main"].body.args)
        np.testing.assert_allclose(pairs[1][1].ops[0].result(), x @ y, rtol=1e-5)
        del goldens
        np.testing.assert_allclose(pairs[0][1].ops[0].result(), x, rtol=1e-6)

    def test_regions(self):
        """Values of branches, of the first turn of a loop, and of each device of a manual computation."""
        module = ts.Module.parse(REGIONS)
        x = np.array([0.1, 0.2, 0.3, 0.4], np.float32)
        goldens = module.goldens([np.bool_(True), x, np.int32(3)])["main"]
        ops = {op.name: op for op in module.walk()}
        same = np.testing.assert_allclose
        same(goldens.get(ops["stablehlo.negate"].result), -x)
        same(goldens.get(ops["stablehlo.tanh"].result), np.tanh(x), rtol=1e-6)
        self.assertEqual(goldens.get(ops["stablehlo.while"].regions[1].blocks[0].args[0]), 3)
        for device, part in enumerate((x[:2], x[2:])):
            same(goldens.get(ops["stablehlo.exponential"].result, device=device), np.exp(part), rtol=1e-6)
        for wrong in (
            lambda: goldens.get(ops["stablehlo.sine"].result),  # the other branch
            lambda: goldens.get(ops["stablehlo.exponential"].result, device=2),
            lambda: goldens.bypass(ops["stablehlo.tanh"].result),
            lambda: goldens.set(ops["stablehlo.while"].regions[1].blocks[0].args[1], x),
        ):
            with self.assertRaises(ts.InputError):
                wrong()
        report = goldens.check()
        self.assertTrue(report.passed, str(report))
        names = [op["op"] for op in report.ops]
        self.assertEqual([n for n in names if n in ("stablehlo.negate", "stablehlo.tanh", "stablehlo.sine")], ["stablehlo.negate", "stablehlo.tanh"])
        self.assertEqual([op["device"] for op in report.ops if op["op"] == "stablehlo.exponential"], [0, 1])
        self.assertIn("stablehlo.exponential @1", str(report))
        # A golden that is given goes on from there, in each turn.
        goldens.set(ops["stablehlo.tanh"].result, x + 1)
        same(goldens.get(ops["stablehlo.while"].results[1]), x + 1)
        report = goldens.check()
        self.assertEqual((report.passed, report.first["op"]), (False, "stablehlo.while"))
        with self.assertRaises(ts.InputError):
            goldens.set(ops["stablehlo.tanh"].result, x[:2])

    def test_progress(self):
        told = []
        goldens = self.module.goldens(functions=["main"], progress=lambda done, all: told.append((done, all)))
        goldens["main"].check(progress=lambda done, all: told.append((done, all)))
        self.assertEqual(told, [(1, 3), (2, 3), (3, 3)] * 2)

        def refuse(done, all):
            raise KeyError("enough")

        with self.assertRaises(KeyError):
            self.module.goldens(functions=["main"], progress=refuse).check()
        with self.assertRaises(ts.InputError):
            self.module.goldens(functions=["main"], progress=lambda done, all: False).check()
        self.module.goldens(progress=True).check(progress=True)

    def test_devices(self):
        module = ts.Module.parse(LOCAL)
        goldens = module.goldens([np.ones((2, 2), np.float32)])["main"]
        self.assertEqual(goldens.num_devices, 2)
        added, summed = values(module)[4:6]
        for device in range(2):
            np.testing.assert_array_equal(goldens.get(added, device), np.full((2, 2), 1.0 + device))
            np.testing.assert_array_equal(goldens.get(summed, device), np.full((2, 2), 3.0))
        for engine in ("compiled", "reference"):
            report = goldens.check(engine=engine)
            self.assertTrue(report, str(report))
            self.assertEqual({op["device"] for op in report.ops}, {0, 1})
        goldens.set(added, np.zeros((2, 2), np.float32), device=1)
        np.testing.assert_array_equal(goldens.get(summed, 0), np.full((2, 2), 1.0))
        report = goldens.check()
        self.assertEqual((report.first["op"], report.first["device"]), ("stablehlo.add", 1))
        goldens.bypass(added)
        self.assertTrue(goldens.check())
        # Each device its own input.
        argument = module["main"].body.args[0]
        own = module.goldens()["main"]
        for device in range(2):
            own.set(argument, np.full((2, 2), 10.0 * device, np.float32), device)
        np.testing.assert_array_equal(own.get(summed), np.full((2, 2), 11.0))
        self.assertTrue(own.check())

    def test_partition(self):
        module = ts.Module.parse(TEXT).shard(mesh="x=2", inputs={1: "_,x"}, function="main")
        goldens = module.goldens(functions=["main"])
        report = goldens.check(partition=True, isolated=False)
        self.assertTrue(report, str(report))
        self.assertEqual(len(report.ops), 4)
        local = module.clone().partition()
        own = local.goldens(functions=["main"])["main"]
        self.assertEqual(own.num_devices, 2)
        self.assertTrue(own.check())
        np.testing.assert_allclose(own.ops[0].result(0, 1), goldens["main"].ops[0].result(), rtol=1e-6)

    def test_unfit(self):
        with self.assertRaises(ts.InputError):
            ts.Module().goldens()
        with self.assertRaises(ts.InputError):
            self.module.goldens(functions=["none"])
        dynamic = ts.Module.parse("func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {\n  %0 = stablehlo.abs %x : tensor<?xf32>\n  return %0 : tensor<?xf32>\n}")
        with self.assertRaises(ts.InputError):
            dynamic.goldens().get(values(dynamic)[0])
        given = dynamic.goldens([np.array([-1, 2], np.float32)])
        np.testing.assert_array_equal(given[values(dynamic)[0]], [1, 2])
        self.assertTrue(given.check())

    def test_limits(self):
        context = ts.Context()
        module = ts.Module.parse(TEXT, context=context)
        goldens = module.goldens(functions=["main"])
        context.cancel()
        with self.assertRaises(ts.EnvironmentFailure):
            goldens["main"].check()
        context.cancel(False)
        self.assertTrue(goldens["main"].check())
        context.limit(steps=1)
        with self.assertRaises(ts.EnvironmentFailure):
            module.goldens(functions=["main"])["main"].get(values(module)[1])
        context.limit()


@unittest.skipIf(np is None, "no NumPy here")
class Building(unittest.TestCase):
    def test_builder(self):
        b = ts.Builder(dialect="ttir")
        with b.function("main", [((2, 2), "f32"), ((2, 2), "f32")]) as (x, y):
            b.set_goldens({x: np.zeros, y: np.ones((2, 2), np.float32)})
            z = b.add(x, y, output_type=((2, 2), "f32"))
            np.testing.assert_array_equal(b.golden(z), np.ones((2, 2)))  # before the function has an end
            b.set_operand_goldens({z: np.full((2, 2), 3.0, np.float32)})
            w = b.neg(z, output_type=((2, 2), "f32"))
            np.testing.assert_array_equal(b.golden(w), np.full((2, 2), -3.0))
            b.ret(w)
        self.assertEqual(b.goldens().check().first["op"], "ttir.add")
        self.assertIn("goldens.py", b.goldens().check().first["location"])
        b.bypass(z)
        self.assertTrue(b.goldens().check())
        b.bypass(z, on=False)
        self.assertFalse(b.goldens().check())

    def test_mesh(self):
        module = ts.Module.parse(
            """
module attributes {ttcore.meshes = #ttcore.meshes<[<"mesh" = 1x2>]>} {
  func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
    %0 = "ttir.mesh_shard"(%x) <{shard_dims = array<i64: -1, 1>, shard_direction = #ttcore.shard_direction<full_to_shard>, shard_shape = array<i64: 1, 2>, shard_type = #ttcore.shard_type<devices>}> : (tensor<4x4xf32>) -> tensor<4x2xf32>
    %1 = "ttir.exp"(%0) : (tensor<4x2xf32>) -> tensor<4x2xf32>
    %2 = "ttir.mesh_shard"(%1) <{shard_dims = array<i64: -1, 1>, shard_direction = #ttcore.shard_direction<shard_to_full>, shard_shape = array<i64: 1, 2>, shard_type = #ttcore.shard_type<devices>}> : (tensor<4x2xf32>) -> tensor<4x4xf32>
    return %2 : tensor<4x4xf32>
  }
}"""
        )
        goldens = module.goldens()["main"]
        self.assertEqual(goldens.num_devices, 2)
        x = goldens.get(module["main"].body.args[0])
        for device in range(2):
            np.testing.assert_allclose(goldens.ops[1].result(0, device), np.exp(x[:, 2 * device : 2 * device + 2]), rtol=1e-6)
        for engine in ("compiled", "reference"):
            report = goldens.check(engine=engine)
            self.assertTrue(report, str(report))


if __name__ == "__main__":
    result = unittest.main(exit=False, verbosity=0).result
    bad = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - bad - len(result.skipped)} passed, {bad} failed")
    sys.exit(bad != 0)
