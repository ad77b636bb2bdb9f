# SPDX-License-Identifier: Apache-2.0
"""The packages builder and golden: graphs that run through a binary, values that are compared and bypassed, meshes, goldens of ops.

    tt_builder.py
"""

import csv
import importlib.util
import inspect
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.error
import urllib.request
from collections import OrderedDict
from pathlib import Path
from unittest import mock

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "python"), str(ROOT / "python" / "tt")]
HERE = all(importlib.util.find_spec(name) for name in ("numpy", "ttmlir"))

if HERE:
    import numpy as np
    import _ttmlir_runtime as rt
    import golden
    from builder.base.builder_apis import *  # noqa: F403
    from builder.base.builder_enums import MeshShardDirection, MeshShardType
    from profiler import trace

    F32, BF16 = "f32", "bf16"


def chain(builder):
    @builder.func([(32, 32), (32, 32)], [F32, F32])
    def main(in0, in1, builder):
        global SIGMOID
        SIGMOID = builder.sigmoid(in0, loc="first")
        return builder.exp(builder.add(SIGMOID, in1, loc="second"), loc="third")


def compiled(fn, **options):
    return compile_ttir_to_flatbuffer(fn, **options)[1:]


class Profiles(unittest.TestCase):
    """with trace(folder, port): what ran when."""

    def rows(self, folder, name, **how):
        with open(os.path.join(folder, name), newline="") as file:
            return list(csv.DictReader(file, **how))

    def test_files(self):
        found, io, inner = compiled(chain)
        with tempfile.TemporaryDirectory() as folder:
            place = os.path.join(folder, "new", "folder")
            with trace(place, 0):
                began = time.monotonic()
                for _ in range(3):
                    execute_fb(found, io, inner)
                took = 1e9 * (time.monotonic() - began)
            execute_fb(found, io, inner)  # not in it
            ops = self.rows(place, "ops_perf_results.csv")
            times = self.rows(place, "tracy_ops_times.csv")
            data = self.rows(place, "tracy_ops_data.csv", delimiter=";")
            with open(os.path.join(place, "trace.json")) as file:
                events = json.load(file)["traceEvents"]
        self.assertGreaterEqual(len(ops), 3)
        self.assertEqual([len(times), len(data)], [len(ops)] * 2)
        self.assertEqual([int(row["GLOBAL CALL COUNT"]) for row in ops], list(range(1, len(ops) + 1)))
        self.assertIn("first", {row["LOC"] for row in ops} | {row["src_file"] for row in times})
        starts = [int(row["HOST START TS"]) for row in ops]
        self.assertEqual(starts, sorted(starts))
        spent = sum(int(row["HOST DURATION [ns]"]) for row in ops)
        self.assertTrue(0 < spent < took, (spent, took))
        self.assertEqual(spent, sum(int(row["exec_time_ns"]) for row in times))
        runs = [event for event in events if event.get("cat") == "program"]
        self.assertEqual([event["args"]["run"] for event in runs], [0, 1, 2])
        # What a program did is inside of it.
        for event in events:
            if event["ph"] == "X" and event.get("cat") != "program":
                inside = [r for r in runs if r["ts"] - 1 <= event["ts"] and event["ts"] + event["dur"] <= r["ts"] + r["dur"] + 1]
                self.assertEqual(len(inside), 1, event)

    def test_page(self):
        found, io, inner = compiled(chain)

        def ask(path="", **headers):
            try:
                with urllib.request.urlopen(urllib.request.Request(made.url + path, headers=headers), timeout=20) as answer:
                    return answer.status, answer.read().decode()
            except urllib.error.HTTPError as e:
                return e.code, e.read().decode()

        with tempfile.TemporaryDirectory() as folder:
            with trace(folder, 0) as made:
                self.assertTrue(made.url.startswith("http://127.0.0.1:"))
                self.assertIn("No program has run yet", ask()[1])
                execute_fb(found, io, inner)
                status, page = ask()
                self.assertEqual(status, 200)
                self.assertIn("ttnn.exp", page)
                self.assertIn("sigmoid", json.dumps(json.loads(ask("trace.json")[1])))
                self.assertEqual(ask("other")[0], 404)
                self.assertEqual(ask(Host="evil.example")[0], 403)
                port = int(made.url.rsplit(":", 1)[1].strip("/"))
                with self.assertRaisesRegex(RuntimeError, f"port {port} of 127.0.0.1 cannot be had"):
                    with trace(folder, port):
                        pass
            with self.assertRaises(OSError):
                urllib.request.urlopen(made.url, timeout=5)

    def test_ends(self):
        """An exception of the block goes on, and the files are there; what is no port is refused."""
        with tempfile.TemporaryDirectory() as folder:
            with self.assertRaisesRegex(KeyError, "mine"):
                with trace(folder, 0):
                    raise KeyError("mine")
            self.assertEqual(self.rows(folder, "ops_perf_results.csv"), [])
            for port in (-1, 65536, "8086", None):
                with self.assertRaisesRegex(ValueError, "is no port"):
                    with trace(folder, port):
                        pass
            path = os.path.join(folder, "file")
            open(path, "w").close()
            with self.assertRaises(OSError):
                with trace(path, 0):
                    pass

    def test_mesh(self):
        """Events of each device of a mesh."""

        def graph(builder):
            @builder.func([(64, 128)], [F32])
            def f(in0, builder):
                part = builder.mesh_shard(in0, shard_direction=MeshShardDirection.FullToShard.value, shard_type=MeshShardType.Devices.value, shard_shape=[1, 2], shard_dims=[-1, 1])
                whole = builder.all_gather(builder.neg(part), all_gather_dim=1, cluster_axis=1)
                return builder.mesh_shard(whole, shard_direction=MeshShardDirection.ShardToFull.value, shard_type=MeshShardType.Replicate.value, shard_shape=[1], shard_dims=[-1])

        with tempfile.TemporaryDirectory() as folder:
            with trace(folder, 0):
                compile_and_execute_ttir(graph, mesh_dict=OrderedDict([("x", 1), ("y", 2)]))
            self.assertEqual({row["DEVICE ID"] for row in self.rows(folder, "ops_perf_results.csv")}, {"0", "1"})


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

        report = compile_and_execute_ttir(bypassed).report
        self.assertTrue(report["program_0"]['loc("first")'][0]["pass"])

    def test_device_module(self):
        def nested(builder):
            @builder.device_module
            def inside(builder):
                chain(builder)

        self.assertIn("output_0", compile_and_execute_ttir(nested).report["program_0"])

    def test_calls(self):
        """The result of a call is compared, too."""

        def nested(builder):
            @builder.func([(32, 32)], [F32])
            def main(in0, builder):
                def inner(x, builder):
                    return builder.exp(x)

                return builder.call(inner, [builder.sigmoid(in0)])

        found = compile_and_execute_ttir(nested)
        self.assertTrue(found.report["program_0"]["output_0"][0]["pass"])
        self.assertGreater(found.outputs["program_0_output_0"][0].min(), 1)

    def test_truths(self):
        """Devices have numbers for what is true or false."""
        from ttmlir.dialects import stablehlo

        def any_of(builder):
            @builder.func([(4, 8)], ["i1"])
            def main(in0, builder):
                start = builder.constant(np.zeros((), bool))
                return builder.reduce([in0], [start], [1], lambda a, b: stablehlo.OrOp(a, b).result)

        self.assertTrue(compile_and_execute_shlo(any_of).report["program_0"]["output_0"][0]["pass"])

    def test_dialects(self):
        def add(builder):
            @builder.func([(32, 64), (32, 64)], [BF16, BF16])
            def main(in0, in1, builder):
                return builder.add(in0, in1)

        for run in (compile_and_execute_ttir, compile_and_execute_shlo, compile_and_execute_ttnn):
            self.assertTrue(run(add).report["program_0"]["output_0"][0]["pass"], run.__name__)
        with self.assertRaisesRegex(TTBuilderCompileException, "kernels of D2M are not part of Tessera"):
            compile_and_execute_ttir(add, target="ttnn-mode")

    def test_ttmetal(self):
        """Binaries of TTMetal have one function for the host and no kernels; they run, with the checks of those of TTNN."""

        def graph(builder):
            @builder.func([(64, 32), (64, 32)], [F32, F32])
            def f(in0, in1, builder):
                x = builder.add(in0, in1)
                y = builder.multiply(x, in0)
                return builder.sigmoid(y)

        self.assertTrue(compile_and_execute_ttir(graph, target="ttmetal").report["program_0"]["output_0"][0]["pass"])
        binary, io, inner = compile_ttir_to_flatbuffer(graph, target="ttmetal")[1:]
        held = rt.binary.load_binary_from_capsule(binary)
        self.assertEqual(held.file_identifier, "TTM0")
        commands = [command["type_type"] for command in json.loads(held.get_program_ops_as_json(0))]
        self.assertEqual(commands, ["CpuCommand", "FinishCommand", "ReturnCommand"])
        rt.runtime.set_compatible_device_runtime(held)
        self.assertEqual(rt.runtime.get_current_device_runtime(), rt.runtime.DeviceRuntime.TTMetal)
        rt.runtime.set_current_device_runtime(rt.runtime.DeviceRuntime.TTNN)
        report, outputs = execute_fb(binary, io, inner, enable_intermediate_verification=True)
        self.assertEqual(len(report["program_0"]), 4, report)  # three values and the output
        self.assertTrue(all(found[0]["pass"] for found in report["program_0"].values()))
        io[0]["output_0"] = io[0]["input_0"]
        with self.assertRaisesRegex(TTBuilderGoldenException, "output 0"):
            execute_fb(binary, io, inner)
        seen = []
        rt.runtime.DebugHooks.get(post_op=lambda binary, program, op: seen.append(rt.runtime.get_op_debug_str(op)))
        try:
            execute_fb(binary, io, inner, disable_golden=True)
        finally:
            rt.runtime.unregister_hooks()
        self.assertEqual([name in text for name, text in zip(("ttir.add", "ttir.multiply", "ttir.sigmoid"), seen)], [True] * 3, seen)
        with tempfile.TemporaryDirectory() as folder:
            compile_and_execute_ttir(graph, target="ttmetal", save_artifacts=True, output_root=folder)
            with open(os.path.join(folder, "builder-artifacts", "TTIRBuilder", "test", "ttmetal_compiled.mlir")) as file:
                self.assertIn("call @cpu_hoisted_f(", file.read())
        with self.assertRaisesRegex(TTBuilderCompileException, "use-tile-matmul"):
            compile_ttir_to_flatbuffer(graph, target="ttmetal", pipeline_options=["use-tile-matmul=true"])
        with self.assertRaisesRegex(TTBuilderCompileException, "which has a layout"):
            compile_ttnn_to_flatbuffer(graph, target="ttmetal")

    def test_ttmetal_mesh(self):
        """Tensors are parted and joined by commands; what devices tell each other is in the function."""

        def graph(builder):
            @builder.func([(64, 128)], [F32])
            def f(in0, builder):
                part = builder.mesh_shard(in0, shard_direction=MeshShardDirection.FullToShard.value, shard_type=MeshShardType.Devices.value, shard_shape=[1, 2], shard_dims=[-1, 1])
                whole = builder.all_gather(builder.neg(part), all_gather_dim=1, cluster_axis=1)
                return builder.mesh_shard(whole, shard_direction=MeshShardDirection.ShardToFull.value, shard_type=MeshShardType.Replicate.value, shard_shape=[1], shard_dims=[-1])

        mesh = OrderedDict([("x", 1), ("y", 2)])
        found = compile_and_execute_ttir(graph, target="ttmetal", mesh_dict=mesh)
        self.assertTrue(found.report["program_0"]["output_0"][0]["pass"], found.report)
        held = rt.binary.load_binary_from_capsule(compile_ttir_to_flatbuffer(graph, target="ttmetal", mesh_dict=mesh)[1])
        commands = [command["type_type"] for command in json.loads(held.get_program_ops_as_json(0))]
        self.assertEqual(commands, ["MeshShardCommand", "CpuCommand", "MeshShardCommand", "FinishCommand", "ReturnCommand"])

    def test_ttmetal_types(self):
        """Numbers of the graph stay as they are: nothing is made narrower for a device."""
        for kind in ("i64", "f64", "i32", "ui8", "bf16", "i1"):

            def graph(builder):
                @builder.func([(4, 8), (4, 8)], [kind, kind])
                def f(in0, in1, builder):
                    return builder.maximum(in0, in1) if kind != "i1" else builder.logical_and(in0, in1)

            found = compile_and_execute_ttir(graph, target="ttmetal")
            self.assertTrue(found.report["program_0"]["output_0"][0]["pass"], kind)

    def test_emitted(self):
        """Emitted Python runs on ttnn over NumPy, and gives what the evaluator gives; what it does not have is named. C++ is text."""

        def graph(builder):
            @builder.func([(64, 32), (64, 32)], [F32, F32])
            def first(in0, in1, builder):
                product = builder.matmul(builder.relu(in0), builder.transpose(in1, 0, 1))
                return builder.softmax(builder.add(product, builder.exp(product)), -1)

            @builder.func([(32, 64), (32, 64)], [BF16, BF16])
            def second(in0, in1, builder):
                return builder.concat([builder.multiply(in0, in1), builder.subtract(in0, in1)], 1)

        with tempfile.TemporaryDirectory() as folder:
            report = compile_and_execute_ttir(graph, target="emitpy", output_root=folder).report
            self.assertTrue(report["first"]["output_0"]["pass"] and report["second"]["output_0"]["pass"])
            _, text, io, _ = compile_ttir_to_flatbuffer(graph, target="emitpy", artifact_dir=folder)
            self.assertIn("ttnn.matmul(", text)
            wrong = text.replace("ttnn.multiply(", "ttnn.divide(")
            self.assertNotEqual(text, wrong)
            with self.assertRaises(TTBuilderGoldenException):
                execute_py(wrong, io)
            with self.assertRaisesRegex(TTBuilderRuntimeException, "ttnn.no_such_op is not part of Tessera"):
                execute_py(text.replace("ttnn.multiply(", "ttnn.no_such_op("), io)
            path = os.path.join(folder, "ttir-builder-artifacts", "emitc", "test_ttnn.mlir.cpp")
            _, text, io, _ = compile_ttir_to_flatbuffer(graph, target="emitc", artifact_dir=folder)
            with open(path) as file:
                self.assertEqual(text, file.read())
            self.assertIn("int32_t main() {", text)
            if not any(shutil.which(c) for c in ("g++", "clang++", "c++")):
                return
            report = execute_cpp(path, io)
            self.assertTrue(report["first"]["output_0"]["pass"] and report["second"]["output_0"]["pass"])
            with self.assertRaises(TTBuilderGoldenException):
                execute_cpp(text.replace("ttnn::multiply(", "ttnn::divide("), io)
            with self.assertRaisesRegex(TTBuilderRuntimeException, "does not compile"):
                execute_cpp(text.replace("ttnn::multiply(", "ttnn::no_such_op("), io)

    def test_emitted_file(self):
        """An emitted file runs by itself, as python x.py; a utils next to it goes before ours, and without ttnn there is none."""

        def graph(builder):
            @builder.func([(64, 32), (64, 32)], [F32, BF16])
            def first(in0, in1, builder):
                return builder.softmax(builder.add(in0, in1), -1)

        env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "python"), str(ROOT / "python" / "tt")])}

        def run(code):
            place = os.path.join(folder, "x.py")
            Path(place).write_text(code)
            return subprocess.run([sys.executable, place], env=env, capture_output=True, text=True)

        with tempfile.TemporaryDirectory() as folder:
            _, text, _, _ = compile_ttir_to_flatbuffer(graph, target="emitpy", artifact_dir=folder)
            self.assertIn("import utils", text)
            told = run(text + "\nprint(first(create_inputs_for_first())[0].shape)\n")
            self.assertEqual((told.returncode, told.stdout.strip()[-8:]), (0, "(64, 32)"), told.stderr)
            self.assertIn("No module named 'utils'", run("import utils").stderr)
            Path(folder, "utils.py").write_text("class DeviceGetter:\n    def get_device(*given, **named):\n        raise SystemExit('mine')\n")
            self.assertEqual(run(text).stderr.strip(), "mine")

    def test_emitted_parts(self):
        """Activations and weights apart, constants in a second file and on the host, caches that a function changes, and parts on a mesh."""
        from builder.base.builder_emitted import run_cpp, run_py
        from golden import GoldenMapTensor
        from tessera import Module
        from tessera._library import lib, owned, to_str

        def emitted(text, pipeline, language):
            module = Module.parse(text)
            module.run_passes(pipeline)
            return owned(lib.tsr_module_code(module._handle, to_str(language))).decode()

        kinds = [f"{{ttcore.argument_type = #ttcore.argument_type<{k}>}}" for k in ("parameter", "input", "parameter")]
        kinds[0] = kinds[0].replace("{", '{ttir.name = "\\22]\\0Araise SystemExit(1) #", ', 1)  # a name is no code
        text = f"""func.func @forward(%w: tensor<32x32xf32> {kinds[0]}, %x: tensor<32x32xf32> {kinds[1]}, %b: tensor<32x32xf32> {kinds[2]}) -> tensor<32x32xf32> {{
            %0 = "ttir.exp"(%w) : (tensor<32x32xf32>) -> tensor<32x32xf32>
            %1 = "ttir.matmul"(%x, %0) : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
            %2 = "ttir.subtract"(%1, %b) : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
            return %2 : tensor<32x32xf32>
        }}"""
        rng = np.random.default_rng(3)
        w, x, b = (rng.random((32, 32), np.float32) for _ in range(3))
        code = emitted(text, "ttir-to-emitpy-pipeline", "python")
        self.assertIn('# File: "consteval"', code)
        self.assertIn("ttir_cpu.exp", code)
        goldens = {0: {f"input_{i}": GoldenMapTensor({0: a}) for i, a in enumerate((w, x, b))}}
        with self.assertRaisesRegex(TTBuilderRuntimeException, "say argument_types"):
            run_py(code, goldens)
        found = run_py(code, goldens, {"forward": ["parameter", "input", "parameter"]})
        np.testing.assert_allclose(found["forward"][0][0], x @ np.exp(w) - b, rtol=1e-4)
        has_compiler = any(shutil.which(c) for c in ("g++", "clang++", "c++"))
        cache = """func.func @forward(%c: tensor<1x1x64x32xf32>, %x: tensor<1x1x32x32xf32>) -> tensor<1x1x64x32xf32> {
            "ttir.fill_cache"(%c, %x) <{batch_offset = 0 : i32}> : (tensor<1x1x64x32xf32>, tensor<1x1x32x32xf32>) -> ()
            return %c : tensor<1x1x64x32xf32>
        }"""
        old, new = rng.random((1, 1, 64, 32), np.float32), rng.random((1, 1, 32, 32), np.float32)
        goldens = {0: {"input_0": GoldenMapTensor({0: old}), "input_1": GoldenMapTensor({0: new})}}
        want = old.copy()
        want[:, :, :32] = new
        np.testing.assert_array_equal(run_py(emitted(cache, "ttir-to-emitpy-pipeline", "python"), goldens)["forward"][0][0], want)
        if has_compiler:
            np.testing.assert_array_equal(run_cpp(emitted(cache, "ttir-to-emitc-pipeline", "cpp"), goldens)["forward"][0][0], want)
            with self.assertRaisesRegex(TTBuilderRuntimeException, "cpu_hoisted.*functions of the host are not part"):
                run_cpp(emitted(text, "ttir-to-emitc-pipeline", "cpp"))

        def gather(builder):
            @builder.func([(64, 128)], [F32])
            def main(in0, builder):
                part = builder.mesh_shard(in0, MeshShardDirection.FullToShard.value, MeshShardType.Devices.value, (1, 2), (-1, 1))
                whole = builder.all_gather(builder.exp(part), all_gather_dim=1, cluster_axis=1)
                return builder.mesh_shard(whole, MeshShardDirection.ShardToFull.value, MeshShardType.Replicate.value, (1,), (-1,))

        mesh = OrderedDict([("x", 1), ("y", 2)])
        with tempfile.TemporaryDirectory() as folder:
            for target in ("emitpy", "emitc") if has_compiler else ("emitpy",):
                report = compile_and_execute_ttir(gather, mesh_dict=mesh, target=target, output_root=folder).report
                self.assertTrue(next(iter(report.values()))["output_0"]["pass"], target)

    def test_mesh(self):
        def gather(builder):
            @builder.func([(64, 128)], [F32])
            def main(in0, builder):
                part = builder.mesh_shard(in0, MeshShardDirection.FullToShard.value, MeshShardType.Devices.value, (1, 2), (-1, 1))
                whole = builder.all_gather(builder.exp(part), all_gather_dim=1, cluster_axis=1)
                return builder.mesh_shard(whole, MeshShardDirection.ShardToFull.value, MeshShardType.Replicate.value, (1,), (-1,))

        mesh = OrderedDict([("x", 1), ("y", 2)])
        found = compile_and_execute_ttir(gather, mesh_dict=mesh)
        report, outputs = found.report, found.outputs
        self.assertTrue(report["program_0"]["output_0"][0]["pass"])
        self.assertEqual(outputs["program_0_output_0"][0].shape, (64, 128))

    def opened(self, shape):
        options = rt.runtime.MeshDeviceOptions()
        options.mesh_shape = shape
        device = rt.runtime.open_mesh_device(options)
        self.addCleanup(rt.runtime.close_mesh_device, device)
        return device

    def test_program_of_one_on_a_mesh(self):
        """Each device runs it: on its own inputs, if it has any; outputs and values are compared on each."""
        for target in ("ttnn", "ttmetal"):
            found, io, inner = compiled(chain, target=target)
            for shape in ((1, 1), (1, 2), (2, 1), (2, 4)):
                n = shape[0] * shape[1]
                for watched in (False, True):
                    if watched and target == "ttmetal":
                        continue
                    report, outputs = execute_fb(found, io, inner, device=self.opened(shape), enable_intermediate_verification=watched)
                    self.assertEqual(len(outputs["program_0_output_0"]), n)
                    for of, devices in report["program_0"].items():
                        self.assertEqual((of, sorted(devices)), (of, list(range(n))))
                        self.assertTrue(all(d["pass"] for d in devices.values()), of)
        found, io, inner = compiled(chain)
        mine = golden.GoldenMapTensor({0: io[0]["input_0"].shard_map[0], 1: -io[0]["input_0"].shard_map[0]}, (1, 2))
        for watched in (False, True):
            with self.assertRaisesRegex(TTBuilderGoldenException, "first" if watched else "device 1"):  # the golden of device 1 is that of all
                execute_fb(found, {0: {**io[0], "input_0": mine}}, inner, device=self.opened((1, 2)), enable_intermediate_verification=watched)

    def test_program_of_a_mesh_on_another(self):
        def halves(builder):
            @builder.func([(64, 128)], [F32])
            def main(in0, builder):
                part = builder.mesh_shard(in0, MeshShardDirection.FullToShard.value, MeshShardType.Devices.value, (1, 2), (-1, 1))
                return builder.mesh_shard(part, MeshShardDirection.ShardToFull.value, MeshShardType.Devices.value, (1, 2), (-1, 1))

        found, io, inner = compiled(halves, mesh_dict=OrderedDict([("x", 1), ("y", 2)]))
        execute_fb(found, io, inner, device=self.opened((1, 2)))
        for shape in ((1, 1), (1, 3), (2, 4)):
            n = shape[0] * shape[1]
            with self.assertRaisesRegex(TTBuilderRuntimeException, f"the program is for 2 devices, and the device is a mesh \\({shape[0]}, {shape[1]}\\) of {n}"):
                execute_fb(found, io, inner, device=self.opened(shape))
            with self.assertRaisesRegex(RuntimeError, f"the program is for 2 devices, and the mesh \\[{shape[0]}, {shape[1]}\\] has {n}"):
                rt.runtime.submit(self.opened(shape), rt.binary.load_binary_from_capsule(found), 0, [])

    def test_debugging_on_a_mesh(self):
        """Each device writes its own snapshot, and waits at a breakpoint, one after the other; q ends the run of all."""

        def graph(builder):
            @builder.func([(32, 32)], [F32])
            def main(in0, builder):
                return builder.breakpoint(builder.memory_snapshot(builder.sigmoid(in0), "each.json"))

        class Terminal(io.StringIO):
            isatty = lambda self: True  # noqa: E731

        for answers, stops in (("\n" * 8, 8), ("q\n" * 8, 1)):
            with mock.patch.object(sys, "stdin", Terminal(answers)), mock.patch.object(sys, "stderr", Terminal()) as said:
                if stops == 8:
                    report = compile_and_execute_ttir(graph, device=self.opened((2, 4))).report
                    self.assertEqual([d["pass"] for d in report["program_0"]["output_0"].values()], [True] * 8)
                else:
                    with self.assertRaisesRegex(Exception, "is where the run was ended"):
                        compile_and_execute_ttir(graph, device=self.opened((2, 4)))
            self.assertEqual(said.getvalue().count(": breakpoint"), stops)
        for device in range(8):
            found = json.loads(Path(f"each.{device}.json" if device else "each.json").read_text())
            self.assertEqual((found["device"], found["operand"]["bytes"]), (device, 4096))

    def test_debugging(self):
        """Ops of debugging with and without a result; snapshots of memory are JSON in the current folder, and nowhere else."""

        def graph(path):
            def fn(builder):
                @builder.func([(32, 32)], [F32])
                def main(in0, builder):
                    first = builder.memory_snapshot(builder.sigmoid(in0), path)
                    builder.breakpoint(first)
                    second = builder.breakpoint(first)
                    builder.print(second, "here")
                    return builder.exp(builder.annotate(second, "note"))

            return fn

        with mock.patch.object(sys, "stdout", io.StringIO()) as said:
            self.assertTrue(compile_and_execute_ttir(graph("snapshot.json")).report["program_0"]["output_0"][0]["pass"])
        self.assertIn("here\ntensor<32x32xf32>", said.getvalue())
        found = json.loads(Path("snapshot.json").read_text())
        self.assertEqual((found["function"], found["operand"]["bytes"]), ("main", 4096))
        outside = Path(tempfile.gettempdir()) / f"tessera_{os.getpid()}.json"
        with mock.patch.object(sys, "stdout", io.StringIO()):
            compile_and_execute_ttir(graph(str(outside)))
        self.assertFalse(outside.exists())

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


class Arguments(unittest.TestCase):
    """Names, orders and defaults of arguments, where they are not those of the op."""

    def text(self, make, shapes, kind="ttir", mesh=None):
        def graph(builder):
            @builder.func(shapes, [F32] * len(shapes))
            def main(*given):
                return make(given[-1], *given[:-1])

        return str(build_module(graph, kind, **({"mesh_dict": mesh} if mesh else {}))[0])

    def test_orders_and_names(self):
        for make, wanted in (
            (lambda b, x: b.sum(x, [1], False), "dim_arg = [1 : i32], keep_dim = false"),
            (lambda b, x: b.sum(in0=x), "keep_dim = true"),
            (lambda b, x: b.transpose(x), "dim0 = 0 : si32, dim1 = 1 : si32"),
            (lambda b, x: b.softmax(x, numeric_stable=True), "dimension = 1 : si32, numericStable = true"),
            (lambda b, x: b.clamp_scalar(x, min_arg=0.0, max_arg=1.0), "max = 1.000000e+00 : f32, min = 0.000000e+00 : f32"),
            (lambda b, x: b.slice(x, [0, 0], [2, 4]), "step = [1 : i32, 1 : i32]"),
            (lambda b, x: b.typecast(x, BF16), "-> tensor<4x8xbf16>"),
            (lambda b, x: b.full([2, 3], BF16, 1.5), "tensor<2x3xbf16>"),
            (lambda b, x: b.zeros([3], "si32"), "tensor<3xsi32>"),
            (lambda b, x: b.constant(np.ones((2, 2), np.float32)), "dense<1.000000e+00> : tensor<2x2xf32>"),
            (lambda b, x: b.quantize(x, 0.1, 0, "int32"), "!quant.uniform<i32:f32, 1.000000e-01>"),
        ):
            self.assertIn(wanted, self.text(make, [(4, 8)]))
        two = [(4, 8), (4, 8)]
        self.assertIn("dim = 1 : si32", self.text(lambda b, x, y: b.concat([x, y], 1), two))
        self.assertIn("transpose_b = true", self.text(lambda b, x, y: b.matmul(x, y, transpose_b=True), two))
        self.assertIn("stablehlo.maximum", self.text(lambda b, x, y: b.max(in0=x, in1=y), two, "stablehlo"))
        self.assertIn("contracting_dims = [1] x [1]", self.text(lambda b, x, y: b.dot_general(x, y, [], [1], [], [1]), two, "stablehlo"))
        for wrong in (lambda b, x: b.sum(x, in0=x), lambda b, x: b.sum(x, nothing=1), lambda b, x: b.sum(*range(9))):
            with self.assertRaises(TypeError):
                self.text(wrong, [(4, 8)])

    def test_operands_have_names_of_mlir(self):
        def make(b, x):
            self.assertEqual((x.type.shape, str(x.type.element_type), x.owner.owner.name.value), ([4, 8], "f32", "main"))
            y = b.exp(x)
            self.assertEqual((y.owner.name, y.type), ("ttir.exp", x.type))
            return b.topk_indices(b.topk(y, 2))

        self.text(make, [(4, 8)])

    def test_bodies(self):
        """Functions of regions may make their ops by the classes of ttmlir.dialects, or by the builder."""
        from ttmlir.dialects import stablehlo

        def make(b, x):
            zero = b.constant(np.zeros((), np.float32))
            one = b.reduce([x], [zero], [1], lambda a, c: stablehlo.MaxOp(a, c).result)
            two = b.reduce([x], [zero], [1], lambda a, c: b.add(a, c))
            return b.add(one, b.sort(two, 0, descending=True))

        text = self.text(make, [(4, 8)], "stablehlo")
        self.assertIn("applies stablehlo.maximum", text)
        self.assertIn("applies stablehlo.add", text)
        self.assertIn("GT, ", text)

    def test_signatures(self):
        """Those of tt-mlir's functions, by position, too."""
        first = "fn system_desc_path test_base output_root target mesh_name mesh_dict save_artifacts argument_types_string custom_pipeline".split()
        for run in (compile_and_execute_ttir, compile_and_execute_ttnn, compile_and_execute_shlo):
            self.assertEqual(list(inspect.signature(run).parameters)[: len(first)], first)
            self.assertEqual(list(inspect.signature(run).parameters)[-1], "dump_memory")
        with tempfile.TemporaryDirectory() as folder:
            found = compile_and_execute_ttir(chain, "none", "here", folder, skip_exec=True, save_artifacts=True)
            self.assertIn("ttnn.sigmoid", Path(found).read_text())
            self.assertEqual(found.report, {})
        with self.assertRaises(TypeError):
            compile_and_execute_ttir(chain, nothing=1)


class Parts(unittest.TestCase):
    """Arguments and results of which each device has its part."""

    MESH = OrderedDict([("x", 1), ("y", 2)])

    def test_presharded(self):
        whole = np.arange(64 * 64, dtype=np.float32).reshape(64, 64) / 4096

        def add(builder):
            @builder.func([(64, 64), (64, 64)], [F32, F32], presharded_args={0: (-1, 1), 1: (-1, 1)}, presharded_results={0: (-1, 1)})
            def main(in0, in1, builder):
                builder.set_goldens({in0: whole, in1: lambda shape: np.ones(shape, np.float32)})
                return builder.add(in0, in1)

        text = str(build_module(add, "ttir", mesh_dict=self.MESH)[0])
        self.assertEqual(text.count("tensor<64x32xf32> {ttcore.shard_status = #ttcore.shard_status<presharded>}"), 3)
        found = compile_and_execute_ttir(add, mesh_dict=self.MESH)
        parts = found.outputs["program_0_output_0"]
        np.testing.assert_allclose(np.concatenate(parts, 1), whole + 1, rtol=1e-2)
        with self.assertRaisesRegex(ValueError, "equal parts"):
            build_module(lambda b: b.func([(3, 3)], [F32], presharded_args={0: (-1, 1)})(lambda x, builder: x), "ttir", mesh_dict=self.MESH)

    def test_both_names(self):
        """The older name of the same: the type stays whole, and attributes say what a device has."""

        def older(builder):
            @builder.func([(64, 64)], [F32])
            def main(in0, builder):
                builder.preshard_arg(in0, (-1, 1))
                return builder.exp(in0)

        self.assertIn("local_shape = tensor<64x32xf32>", str(build_module(older, "ttir", mesh_dict=self.MESH)[0]))

    def test_goldens_by_device(self):
        def gather(builder):
            @builder.func([(4, 8)], [F32], presharded_args={0: (-1, 1)})
            def main(in0, builder):
                builder.set_goldens({in0: {0: np.zeros((4, 4)), 1: np.ones((4, 4))}})
                return builder.all_gather(in0, all_gather_dim=1, cluster_axis=1)

        _, builder = build_module(gather, "ttir", mesh_dict=self.MESH)
        np.testing.assert_array_equal(builder.golden_map[0][0]["output_0"].shard_at(1), np.repeat([[0, 1]], 4, 1).repeat(4, 0))


class Permutations(unittest.TestCase):
    TEXT = (ROOT / "tests" / "python" / "seed" / "Inputs" / "permutation.mlir").read_text()

    def test_all(self):
        """Each argument of two dimensions has 4 + 2 shardings over two axes, and two devices are 1x2 or 2x1."""
        found = generate_all_module_permutations(self.TEXT, num_devices=2)
        self.assertEqual(len(found), 2 * 6 * 6)
        self.assertEqual(len(set(map(str, found))), len(found))
        self.assertIn('sdy.mesh @mesh = <["x"=1, "y"=2]>', str(found[0]))
        self.assertEqual(len(generate_all_module_permutations(self.TEXT, 4)), 3 * 36)

    def test_best(self):
        """A matrix product needs no collective where rows, or columns, are divided alone."""
        found = generate_all_module_permutations(self.TEXT, 2)
        before = list(map(str, found))
        best = get_optimal_module_least_num_collectives(found)
        self.assertEqual(before, list(map(str, found)))
        self.assertTrue(0 < len(best) < len(found))
        self.assertFalse([m for m in best if "all_reduce" in str(m) or "all_gather" in str(m)])
        self.assertEqual(get_optimal_module_least_num_collectives([]), [])

    def test_refused(self):
        for text, devices, why in ((self.TEXT, 0, "number of devices"), (str(generate_all_module_permutations(self.TEXT, 2)[0]), 2, "already")):
            with self.assertRaisesRegex(ValueError, why):
                generate_all_module_permutations(text, devices)
        many = ", ".join(f"%arg{i}: tensor<2x2x2x2xf32>" for i in range(8))
        with self.assertRaisesRegex(ValueError, "auto_shard"):
            generate_all_module_permutations(f"func.func @main({many}) {{ return }}", 2)


class Goldens(unittest.TestCase):
    def test_shards(self):
        """Functions work on what each device has."""
        two = golden.GoldenMapTensor({0: np.array([1.0, -2.0]), 1: np.array([3.0, 4.0])}, (1, 2))
        np.testing.assert_array_equal((two * 2 + two).shard_at(1), [9.0, 12.0])
        np.testing.assert_array_equal((1 - two).shard_at(0), [0.0, 3.0])
        np.testing.assert_array_equal(two.apply_shardwise(abs).shard_at(0), [1.0, 2.0])
        np.testing.assert_array_equal(two.sum().shard_at(1), 7.0)
        self.assertEqual((two[0].shard_at(1), two.ndim), (3.0, 1))
        with self.assertRaises(AttributeError):
            two.nothing

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
