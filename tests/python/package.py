# SPDX-License-Identifier: Apache-2.0
"""Tests of the Python package. Those that need NumPy are skipped where it is not installed."""

import importlib.util
import os
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
if "TESSERA_INSTALLED" not in os.environ:
    sys.path.insert(0, str(ROOT / "python"))

import tessera as ts  # noqa: E402

np = None
if importlib.util.find_spec("numpy"):
    import numpy as np
with_numpy = unittest.skipIf(np is None, "no NumPy here")

TEXT = """
func.func @main(%x: tensor<2x3xf32>, %y: tensor<3x4xf32>) -> tensor<2x4xf32> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %1 = stablehlo.tanh %0 : tensor<2x4xf32>
  return %1 : tensor<2x4xf32>
}
"""


SAME = "func.func @main(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {\n  return %x : tensor<2x4xf32>\n}"


def here():
    """The line that calls this."""
    return sys._getframe(1).f_lineno


class Types(unittest.TestCase):
    def test_types(self):
        ctx = ts.Context()
        t = ctx.tensor((2, None), "bf16")
        self.assertEqual(str(t), "tensor<2x?xbf16>")
        self.assertEqual((t.shape, t.rank, t.kind), ((2, None), 2, "tensor"))
        self.assertEqual((t.element.width, t.element.kind), (16, "float"))
        self.assertEqual(t, ctx.type("tensor<2x?xbf16>"))
        self.assertNotEqual(t, ts.Context().type("tensor<2x?xbf16>"))
        f = ctx.function_type([t], ["i32", "ui8"])
        self.assertEqual([str(x) for x in f.outputs], ["i32", "ui8"])
        self.assertEqual((f.inputs, f.outputs[1].sign), ((t,), "unsigned"))
        self.assertEqual([str(x) for x in ctx.type("tuple<i1, f32>").members], ["i1", "f32"])
        encoded = ctx.tensor((2,), "f32", ctx.parse_attr('"dense"'))
        self.assertEqual(str(encoded.encoding), '"dense"')
        for bad in ("tensor<2xq32>", "", (("a",), "f32"), 3, object()):
            with self.assertRaises((ts.InputError, TypeError, ValueError, ImportError)):
                ctx.type(bad)

    @with_numpy
    def test_dtypes(self):
        ctx = ts.Context()
        for name in ("float32", "float64", "float16", "int8", "uint64", "bool", "complex64"):
            t = ctx.type(np.dtype(name))
            self.assertEqual(t.dtype, np.dtype(name))
            self.assertEqual(ctx.type(np.zeros((2, 3), name)).shape, (2, 3))
        with self.assertRaises(ts.InputError):
            ctx.type(np.dtype("U3"))


class Attributes(unittest.TestCase):
    def test_values(self):
        ctx = ts.Context()
        for value in (True, 3, -7, "text", [1, 2], {"a": 1, "b": [True]}, 2.5, None, []):
            self.assertEqual(ctx.attr(value).value, value)
        for text, value in {
            "array<i64: 1, -2>": [1, -2],
            "array<f32: 0.5>": [0.5],
            "array<i1: true, false>": [True, False],
            "@a::@b": "a::b",
            "255 : ui8": 255,
            "18446744073709551615 : ui64": 2**64 - 1,
            "123456789012345678901 : i128": 123456789012345678901,
            "#stablehlo<comparison_direction GE>": "GE",
        }.items():
            self.assertEqual(ctx.parse_attr(text).value, value, text)
        self.assertEqual(ctx.attr(ctx.type("f32")).value, ctx.type("f32"))
        self.assertEqual(ctx.array([1, 2], "i32"), ctx.parse_attr("array<i32: 1, 2>"))
        self.assertEqual(str(ctx.integer(2**64 - 1, "ui64")), "18446744073709551615 : ui64")
        dot = ctx.parse_attr("#stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>")
        self.assertEqual((dot.kind, dot.name), ("struct", "stablehlo.dot"))

    def test_refused(self):
        ctx = ts.Context()
        for bad in (object(), {1: 2}, 2**70, [object()]):
            with self.assertRaises((ts.InputError, TypeError)):
                ctx.attr(bad)
        with self.assertRaisesRegex(ts.InputError, "no case"):
            ctx.enum("stablehlo.comparison_direction", "XX")
        with self.assertRaises(ts.InputError):
            ctx.attr(ts.Context().attr(1))

    @with_numpy
    def test_elements(self):
        ctx = ts.Context()
        value = ctx.parse_attr("dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>").value
        self.assertEqual(value.tolist(), [[1, 2], [3, 4]])
        self.assertEqual(ctx.parse_attr("dense<7.0> : tensor<3xf64>").value.tolist(), [7.0] * 3)


class Modules(unittest.TestCase):
    def test_walk(self):
        m = ts.Module.parse(TEXT)
        self.assertEqual([op.name for op in m.walk()][2:], ["stablehlo.dot_general", "stablehlo.tanh", "func.return"])
        f = m["main"]
        x, y = f.body.args
        dot, tanh, last = f.body.ops
        self.assertEqual((dot.operands, tanh.operands[0].op, last.operands), ([x, y], dot, [tanh.result]))
        self.assertEqual(x.uses, [(dot, 0)])
        self.assertEqual((dot.parent, tanh.next, x.index, x.block), (f, last, 0, f.body))
        self.assertEqual(list(m.functions), ["main"])
        self.assertEqual(f.attributes["sym_name"].value, "main")
        with self.assertRaises(KeyError):
            m["other"]
        with self.assertRaises(KeyError):
            f.attributes["nothing"]

    def test_forms(self):
        m = ts.Module.parse(TEXT)
        self.assertIn("int model_main(const void *const *in", m.code())
        with self.assertRaisesRegex(ts.TesseraError, "there is no language"):
            m.code("cobol")
        for data in (m.bytecode(), m.serialize(), m.serialize("minimum"), m.print(generic=True)):
            self.assertEqual(str(ts.Module.parse(data)), str(m))
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "a.mlir"
            path.write_text(TEXT)
            self.assertEqual(str(ts.Module.load(path)), str(m))
            with self.assertRaises(ts.TesseraError):
                ts.Module.load(Path(folder) / "nothing.mlir")
        self.assertIn("loc(", m.print(debug_info=True))
        self.assertIn("<pre>module", m._repr_html_())
        with self.assertRaises(TypeError):
            m.print(genericc=True)

    def test_change(self):
        m = ts.Module.parse(TEXT)
        dot, tanh, last = m["main"].body.ops
        b = ts.Builder(m).before(last)
        twice = b.add(tanh.result, tanh.result)
        last.set_operand(0, twice)
        copy = twice.op.copy()
        self.assertEqual(copy.next, last)
        copy.erase()
        tanh.attributes["note"] = [1, "two"]
        self.assertEqual(tanh.attributes["note"].value, [1, "two"])
        self.assertIn("note", tanh.attributes)
        del tanh.attributes["note"]
        self.assertEqual(len(tanh.attributes), 0)
        logistic = ts.Builder(m).after(tanh).logistic(dot.result)
        tanh.replace_with(logistic)
        m.verify()
        self.assertEqual([op.name for op in m["main"].body.ops][1:3], ["stablehlo.logistic", "stablehlo.add"])
        with self.assertRaisesRegex(ts.InputError, "results that are used"):
            dot.erase()
        twice.type = "tensor<2x4xf64>"
        with self.assertRaises(ts.InputError):
            m.verify()

    def test_passes(self):
        m = ts.Module.parse(TEXT)
        m.run_passes("canonicalize,cse").grad("main", wrt=[0])
        self.assertEqual(list(m.functions), ["main", "main_grad"])
        m.simplify().clone().verify()
        with self.assertRaisesRegex(ts.InputError, "nonsense"):
            m.run_passes("nonsense")

    def test_errors(self):
        with self.assertRaises(ts.InputError) as caught:
            ts.Module.parse("func.func @f() {\n  return %x : i32\n}", "file.mlir")
        self.assertIn("file.mlir:2:10: error:", str(caught.exception))
        self.assertEqual(caught.exception.diagnostics[0].line, 2)
        a, b = ts.Module.parse(TEXT), ts.Module.parse(TEXT)
        with self.assertRaisesRegex(ts.InputError, "another module"):
            ts.Builder(a).before(a["main"].body.ops[0]).tanh(b["main"].body.args[0])

    def test_lifetime(self):
        op = ts.Module.parse(TEXT, context=ts.Context())["main"].body.ops[0]
        self.assertEqual(op.name, "stablehlo.dot_general")  # a handle keeps its module and context


    def test_collected(self):
        import gc

        for _ in range(20):  # cycles are finalized in any order: a context goes after its modules all the same
            module = ts.Module.parse(TEXT, context=ts.Context())
            module.cycle = [module, module.op, module.context]
            module.context.cycle = module.cycle
            del module
        gc.collect()
        ctx = ts.Context()
        ctx.location(("a", 1))
        import weakref

        gone = weakref.ref(ctx)
        del ctx
        self.assertIsNone(gone())  # without a collector


class Building(unittest.TestCase):
    def test_function(self):
        b = ts.Builder(ts.Module("name"))
        with b.function("main", [((2, 3), "f32")], arg_attrs=[{"jax.arg_info": "x"}]) as (x,):
            y = b.add(x, x, loc="twice", unit_attrs=["marked"], attrs={"n": 3})
            b.ret(b.transpose(y, permutation=[1, 0]), y)
        text = str(b.module)
        self.assertIn('@main(%arg0: tensor<2x3xf32> {jax.arg_info = "x"}) -> (tensor<3x2xf32>, tensor<2x3xf32>)', text)
        self.assertIn("stablehlo.add %arg0, %arg0 {marked, n = 3 : i64} : tensor<2x3xf32>", text)
        self.assertIn('loc("twice")', b.module.print(debug_info=True))
        self.assertIn(Path(__file__).name, b.module.print(debug_info=True))
        self.assertEqual(str(ts.Module.parse(text)), text)

    def test_decorator(self):
        b = ts.Builder(dialect="ttir")

        @b.func(((32, 32), "f32"), ((32, 32), "f32"))
        def layer(x, y):
            return b.sigmoid(b.matmul(x, y))

        @b.func(((32, 32), "f32"), name="main")
        def entry(x):
            return b.call(layer, x, x)

        self.assertEqual(list(b.module.functions), ["layer", "main"])
        self.assertIn("call @layer(%arg0, %arg0)", str(entry))

    def test_regions(self):
        b = ts.Builder()
        with b.function("main", [((4,), "i32"), ((), "i32")]) as (x, zero):
            total = b.reduce([x], [zero], dimensions=[0], body=lambda a, c: b.add(a, c))
            count, _ = b.while_([zero, total], cond=lambda i, t: b.compare(i, t, "LT"), body=lambda i, t: (b.add(i, i), t))
            either = b.if_(b.compare(count, total, "EQ"), true_branch=lambda: count, false_branch=lambda: total, output_type=((), "i32"))
            b.ret(either, b.sort([x], dimension=0, comparator=lambda a, c: b.compare(a, c, "LT")))
        b.module.verify()
        self.assertIn("stablehlo.while", str(b.module))

    def test_failure_leaves_nothing(self):
        b = ts.Builder()
        with self.assertRaises(ZeroDivisionError):
            with b.function("main", [((4,), "i32")]) as (x,):
                b.add(x, x)
                raise ZeroDivisionError
        self.assertEqual(len(b.module.body.ops), 0)
        with self.assertRaises(ts.InputError):
            with b.function("main", [((4,), "i32")], outputs=["f32"]) as (x,):
                b.ret(x)
        self.assertEqual(len(b.module.body.ops), 0)

    def test_refused(self):
        b = ts.Builder()
        with b.function("main", [((2, 3), "f32"), ((3,), "i32")]) as (x, i):
            line = here() + 2
            with self.assertRaisesRegex(ts.InputError, rf"package.py:{line}:1: error: .*permutation"):
                b.transpose(x, permutation=[0, 0])
            for bad, kind in {
                "b.add(x)": TypeError,
                "b.add(x, x, x, x)": TypeError,
                "b.add(x, 3)": TypeError,
                "b.add(x, lhs=x)": TypeError,
                "b.add(x, nothing=x)": TypeError,
                "b.add(x, i)": ts.InputError,
                "b.transpose(x, permutation='a')": TypeError,
                "b.transpose(x, permutation=[0.5, 1])": (TypeError, ts.InputError),
                "b.compare(x, x, 'XX')": ts.InputError,
                "b.compare(x, x, 3)": (TypeError, ts.InputError),
                "b.nothing(x)": AttributeError,
                "b.ttir.nothing(x)": AttributeError,
                "b.op('stablehlo.nothing', [x])": ts.InputError,
                "b.op('stablehlo.add', [x, None])": ts.InputError,
                "b.op('stablehlo.add', [x, x], results=['nothing'])": ts.InputError,
                "b.reduce([x], [x], dimensions=[0], body=3)": TypeError,
                "b.reduce([x], [x], dimensions=[0])": ts.InputError,
                "b.call('nothing', x)": KeyError,
                "b.at_end(None)": ts.InputError,
                "b.constant(object(), type='f32')": (TypeError, ValueError, ImportError),
            }.items():
                with self.assertRaises(kind, msg=bad):
                    eval(bad)
            b.ret(x)
        self.assertEqual([op.name for op in b.module["main"].body.ops], ["func.return"])

    def test_help(self):
        import inspect

        b = ts.Builder()
        self.assertIn("permutation", str(inspect.signature(b.transpose)))
        self.assertIn("one of EQ, NE", b.compare.__doc__)
        self.assertIn("add", dir(b))
        self.assertIn("matmul", dir(b.ttir))
        self.assertIn("ttir", dir(b))
        self.assertTrue({"stablehlo", "ttir", "ttnn", "tessera", "sdy"} <= set(b.module.context.dialects()))
        self.assertEqual(b.while_.__name__, "while_")


@with_numpy
class Running(unittest.TestCase):
    def test_run(self):
        m = ts.Module.parse(TEXT)
        x, y = np.arange(6, dtype=np.float32).reshape(2, 3), np.ones((3, 4), np.float32) / 8
        want = np.tanh(x @ y)
        for got in (m.run(x, y), m.run(x, y, engine="reference"), m.compile()(x, y), m.compile()(x.tolist(), y)):
            np.testing.assert_allclose(got[0], want, rtol=1e-6)
        self.assertTrue(ts.compare(m.run(x, y)[0], want))
        self.assertFalse(ts.compare(want + 1, want))
        strided = np.ones((4, 3), np.float32).T / 8
        np.testing.assert_allclose(m.run(x, strided)[0], want, rtol=1e-6)
        a, b = m.random_inputs(seed=3)
        self.assertEqual((a.shape, b.shape), ((2, 3), (3, 4)))
        np.testing.assert_array_equal(a, m.random_inputs(seed=3)[0])
        self.assertGreater(m.compile().memory["peak"], 0)

    def test_refused(self):
        m = ts.Module.parse(TEXT)
        x = np.zeros((2, 3), np.float32)
        for call in (
            lambda: m.run(x),
            lambda: m.run(x, x),
            lambda: m.run(x.astype(np.float64), np.zeros((3, 4), np.float32)),
            lambda: m.run(x, "text"),
            lambda: m.run(x, None),
            lambda: m.run(x, x, function="nothing"),
            lambda: m.run(x, x, engine="nothing"),
            lambda: m.compile("nothing"),
            lambda: m.compile()(x),
        ):
            with self.assertRaises((ts.InputError, TypeError, ValueError)):
                call()

    def test_types(self):
        for element, dtype in {"f64": "float64", "i8": "int8", "ui16": "uint16", "complex<f32>": "complex64", "f16": "float16", "i64": "int64"}.items():
            b = ts.Builder()
            with b.function("main", [((3,), element)]) as (x,):
                b.ret(b.add(x, x))
            got = b.module.run(np.array([1, 2, 3], dtype))[0]
            self.assertEqual((got.dtype, got.tolist()), (np.dtype(dtype), [2, 4, 6]))

    def test_constants(self):
        b = ts.Builder()
        with b.function("main", []) as ():
            b.ret(b.constant(np.arange(4)), b.constant([1.5, 2.5], type="f32"), b.constant(True, type="i1"), b.constant(np.zeros((0, 2), np.int32)))
        got = b.module.run()
        self.assertEqual([g.tolist() for g in got], [[0, 1, 2, 3], [1.5, 2.5], True, []])

    def test_threads(self):
        program = ts.Module.parse(TEXT).compile()
        x, y = np.ones((2, 3), np.float32), np.ones((3, 4), np.float32)
        results = []
        threads = [threading.Thread(target=lambda: results.append(program(x, y)[0])) for _ in range(8)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(len(results), 8)
        for r in results:
            np.testing.assert_array_equal(r, results[0])

    def test_results_stay(self):
        import gc

        got = ts.Module.parse(TEXT, context=ts.Context()).run(np.ones((2, 3), np.float32), np.ones((3, 4), np.float32))[0]
        gc.collect()
        np.testing.assert_allclose(got, np.tanh(np.full((2, 4), 3.0)), rtol=1e-6)

    def test_permutations(self):
        """Each sharding of two matrices on two devices, one after the other; what they need is counted without changing them."""
        m = ts.Module.parse(
            "func.func @main(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>) -> tensor<4x2xf32> { %0 = stablehlo.dot %a, %b : "
            "(tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32> return %0 : tensor<4x2xf32> }"
        )
        found = list(m.permutations(2))
        self.assertEqual([len(found), len(set(map(str, found))), "sdy" in str(m)], [72, 72, False])
        before = str(found[0])
        needs = [x.collectives() for x in found]
        self.assertEqual(before, str(found[0]))
        self.assertIn((0, 0), needs)
        self.assertTrue(any(n and sent for n, sent in needs))
        with self.assertRaisesRegex(ts.InputError, "devices"):
            m.permutations(0)

    def test_search_tells(self):
        seen = []
        found = ts.Module.parse(TEXT).auto_shard(devices=4, progress=seen.append)
        self.assertGreater(len(seen), 3)
        self.assertEqual(set(seen[0]), {"meshes", "all_meshes", "candidates", "mesh", "best_seconds"})
        self.assertEqual([p["candidates"] for p in seen], sorted(p["candidates"] for p in seen))
        self.assertGreater(seen[-1]["best_seconds"], 0)
        fewer = ts.Module.parse(TEXT).auto_shard(devices=4, progress=lambda p: False)
        self.assertLess(len(fewer["candidates"]), len(found["candidates"]))

        def fail(p):
            raise KeyError(p["mesh"])

        with self.assertRaises(KeyError):
            ts.Module.parse(TEXT).auto_shard(devices=4, progress=fail)
        ts.Module.parse(TEXT).auto_shard(devices=4, progress=True)  # no terminal: nothing is written

    def test_sharded(self):
        m = ts.Module.parse(TEXT)
        given = {"mesh": "x=2", "inputs": {1: "_,x"}}
        plan = m.plan(**given)
        self.assertIn("x", str(plan))
        self.assertIsInstance(plan.data, dict)
        self.assertIn('sharded by "x"', m.why("#0", **given))
        sharded = m.clone().shard(**given)
        self.assertIn("sdy.mesh", str(sharded))
        x, y = m.random_inputs()
        whole, parts = m.run(x, y), sharded.partition().run(x, y, spmd=True)
        np.testing.assert_allclose(parts[0], whole[0], rtol=1e-6)
        with self.assertRaises(ts.InputError):
            m.plan(mesh="x=")
        with self.assertRaises(ts.InputError):
            m.plan(mesh="x=2", inputs={7: "x"})

    def test_corpus(self):
        """Real programs, as text and as an artifact, on both engines and on their meshes: the results that JAX and PyTorch had."""
        ran = 0
        for folder in sorted((ROOT / "tests" / "corpus").iterdir()):
            inputs, outputs = ([np.load(p) for p in self.numbered(folder, stem)] for stem in ("in", "out"))
            text = folder / "module.mlir"
            if not outputs or not text.is_file() or text.stat().st_size > 60000:
                continue
            with self.subTest(folder.name):
                module = ts.Module.load(text)
                types = module["main"].attributes["function_type"].type.outputs
                if not importlib.util.find_spec("ml_dtypes") and any(str(t.element) == "bf16" for t in types):
                    continue  # arrays hold the bits of what NumPy has no type for
                runs = [module.run(*inputs), module.run(*inputs, engine="reference"), module.compile()(*inputs)]
                for data in (module.bytecode(), module.serialize(allow_others=True)):
                    runs.append(ts.Module.parse(data).run(*inputs))
                if "sdy.mesh" in str(module):
                    runs.append(module.clone().partition().run(*inputs, spmd=True))
                off = 2**-6 if "bf16" in str(module) else 1e-3
                for got in runs:
                    for a, b in zip(got, outputs):
                        self.assertTrue(ts.compare(a, b, rtol=off, atol=off), folder.name)
                ran += 1
        self.assertGreater(ran, 5)

    @staticmethod
    def numbered(folder, stem):
        paths = []
        while (folder / f"{stem}{len(paths)}.npy").is_file():
            paths.append(folder / f"{stem}{len(paths)}.npy")
        return paths

    def test_dialects_run(self):
        for dialect in ("ttir", "tessera"):
            b = ts.Builder(dialect=dialect)
            with b.function("main", [((2, 4), "f32"), ((4, 8), "f32")]) as (x, y):
                b.ret(b.matmul(x, y, output_type=((2, 8), "f32")))
            x, y = b.module.random_inputs(seed=2)
            for engine in ("compiled", "reference"):
                np.testing.assert_allclose(b.module.run(x, y, engine=engine)[0], x @ y, rtol=1e-5, atol=1e-5)

    def test_dlpack(self):
        class Other:  # an array of a library that has nothing but DLPack
            def __init__(self, array):
                self.array = array

            def __dlpack__(self, **options):
                return self.array.__dlpack__(**options)

            def __dlpack_device__(self):
                return self.array.__dlpack_device__()

        m = ts.Module.parse(TEXT)
        x, y = np.ones((2, 3), np.float32), np.ones((3, 4), np.float32)
        np.testing.assert_array_equal(m.run(Other(x), Other(y))[0], m.run(x, y)[0])

    def test_bf16(self):
        b = ts.Builder()
        with b.function("main", [((2,), "bf16")]) as (x,):
            b.ret(b.add(x, x))
        dtype = b.module["main"].body.args[0].dtype
        bits = np.array([0x3F80, 0x4040], np.uint16)  # 1 and 3
        got = b.module.run(bits.view(dtype))[0]
        self.assertEqual(got.dtype, dtype)
        self.assertEqual(got.view(np.uint16).tolist(), [0x4000, 0x40C0])

    @unittest.skipUnless(importlib.util.find_spec("torch"), "no torch here")
    def test_torch(self):
        import torch

        b = ts.Builder()
        with b.function("main", [torch.zeros(2, 3), torch.zeros(2, 3, dtype=torch.bfloat16)]) as (x, y):
            b.ret(b.add(x, b.convert(y, output_type=((2, 3), torch.float32))))
        x, y = torch.randn(3, 2).T, torch.randn(2, 3).bfloat16()
        found = b.module.run(x, y)[0]
        self.assertIsInstance(found, torch.Tensor)
        torch.testing.assert_close(found, x + y.float())
        torch.testing.assert_close(b.module.compile()(x, y)[0], x + y.float())
        narrow = ts.Builder()
        with narrow.function("main", [y]) as (v,):
            narrow.ret(narrow.add(v, v))
        self.assertEqual(narrow.module.run(y)[0].dtype, torch.bfloat16)
        program, out = b.module.compile(), torch.empty(2, 3)
        self.assertIs(program.bind(x.contiguous(), y, results=[out])()[0], out)
        torch.testing.assert_close(out, x + y.float())
        torch.testing.assert_close(program.bind(torch.nn.Parameter(x))(y)[0], x + y.float())
        big = torch.randn(1 << 16)
        made = ts.Module.parse("func.func @main(%a: tensor<65536xf32>) -> tensor<65536xf32> {\n  %0 = stablehlo.add %a, %a : tensor<65536xf32>\n"
                               "  return %0 : tensor<65536xf32>\n}\n").compile()(big)[0]
        torch.testing.assert_close(made.add_(1), big + big + 1)
        small = ts.Module.parse("func.func @main(%x: tensor<2xf32>) -> tensor<2xi4> {\n  %0 = stablehlo.convert %x : (tensor<2xf32>) -> tensor<2xi4>\n  return %0 : tensor<2xi4>\n}")
        for call in (small.run, small.compile(), small.compile().bind()):
            with self.assertRaisesRegex(ts.InputError, "torch has no elements of i4"):
                call(torch.zeros(2))
        goldens = b.goldens()
        goldens.set(b.module["main"].body.args[0], torch.ones)
        np.testing.assert_array_equal(goldens[b.module["main"].body.args[0]], np.ones((2, 3)))
        goldens.set(b.module["main"].body.args[0], x)
        self.assertTrue(goldens.check())

    def test_limits(self):
        ctx = ts.Context()
        m = ts.Module.parse(TEXT, context=ctx)
        ctx.limit(bytes=16)
        with self.assertRaises(ts.TesseraError):
            m.run(*(np.zeros(s, np.float32) for s in ((2, 3), (3, 4))), engine="reference")
        ctx.limit()


DEBUGGED = """
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "ttir.add"(%x, %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  "debug.print"(%0) <{message = "twice"}> : (tensor<2xf32>) -> ()
  "debug.breakpoint"(%0) : (tensor<2xf32>) -> ()
  "debug.memory_snapshot"(%0) <{file_path = "memory.json"}> : (tensor<2xf32>) -> ()
  "debug.dump"(%0) <{file_path = "twice.npy"}> : (tensor<2xf32>) -> ()
  return %0 : tensor<2xf32>
}
"""


class Debugging(unittest.TestCase):
    @with_numpy
    def test_callbacks(self):
        module, x = ts.Module.parse(DEBUGGED), np.array([1, 2], np.float32)
        for engine in ("compiled", "reference"):
            printed, stops = [], []
            with tempfile.TemporaryDirectory() as folder:
                found = module.run(x, engine=engine, on_print=printed.append, on_breakpoint=stops.append, folder=folder)
                np.testing.assert_array_equal(found[0], 2 * x)
                np.testing.assert_array_equal(np.load(Path(folder) / "twice.npy"), 2 * x)
                self.assertIn('"bytes"', (Path(folder) / "memory.json").read_text())
            self.assertIn("twice", "".join(printed))
            self.assertEqual((stops[0].file, stops[0].line, len(stops)), ("<text>", 5, 1))
            np.testing.assert_array_equal(stops[0].value, 2 * x)
            self.assertIn("2.000000e+00", stops[0].text)

    @with_numpy
    def test_the_run_really_stops(self):
        module, x = ts.Module.parse(DEBUGGED), np.array([1, 2], np.float32)
        with self.assertRaisesRegex(ts.InputError, "5:3.*is where the run was ended"):
            module.run(x, on_print=lambda text: None, on_breakpoint=lambda stop: False)

        def leave(stop):
            raise KeyError("enough")

        with self.assertRaises(KeyError):
            module.run(x, on_print=lambda text: None, on_breakpoint=leave)
        # The library may be used while a run waits.
        inner = []
        other = ts.Module.parse(TEXT)
        module.run(x, on_print=lambda text: None, on_breakpoint=lambda stop: inner.append(other.run(*other.random_inputs())))
        self.assertEqual(inner[0][0].shape, (2, 4))

    @with_numpy
    def test_prompt(self):
        """At a terminal: q ends the run, Enter goes on."""
        try:
            import pty
        except ImportError:
            self.skipTest("no terminals here")
        code = (
            "import sys, numpy as np, tessera as ts\n"
            "module = ts.Module.parse(sys.argv[1])\n"
            "try:\n    print('went on', module.run(np.ones(2, np.float32), on_print=len)[0])\n"
            "except ts.InputError:\n    print('was ended')\n"
        )
        for typed, says in ((b"\n", b"went on [2. 2.]"), (b"q\n", b"was ended")):
            try:
                main, side = pty.openpty()
            except OSError as e:
                self.skipTest(f"no pseudo-terminal here: {e}")
            os.write(main, typed)  # it waits there
            process = subprocess.Popen([sys.executable, "-c", code, DEBUGGED], stdin=side, stdout=subprocess.PIPE, stderr=side, cwd=ROOT / "python")
            os.close(side)
            told = process.communicate()[0]
            os.close(main)
            self.assertIn(says, told)

    @with_numpy
    def test_profile(self):
        profile = ts.Module.parse(TEXT).profile(times=3)
        self.assertEqual(set(profile.data), {"seconds", "compile_seconds", "groups", "memory"})
        self.assertGreater(profile.data["memory"]["peak"], 0)
        self.assertTrue(all(group["seconds"] >= 0 for group in profile.data["groups"]))
        self.assertIn("dot", str(profile))
        self.assertIn("<table>", profile._repr_html_())
        with self.assertRaises(ts.InputError):
            ts.Module.parse(TEXT).profile(np.zeros(3, np.float32))

    @with_numpy
    def test_saved_programs(self):
        module = ts.Module.parse(TEXT)
        inputs = module.random_inputs()
        program = module.compile()
        data = program.save()
        again = ts.Executable.load(data)
        np.testing.assert_array_equal(again(*inputs)[0], program(*inputs)[0])
        self.assertIn("stablehlo.dot_general", str(again.module))
        for wrong in (b"", data[:50], b"x" + data[1:], "text"):
            with self.assertRaises(ts.InputError):
                ts.Executable.load(wrong)

    @with_numpy
    def test_bound(self):
        """Inputs that are bound are read at each call; results are new arrays, or those that are bound."""
        program = ts.Module.parse(TEXT).compile()
        x, y = np.ones((2, 3), np.float32), np.full((3, 4), 0.1, np.float32)
        wanted = lambda: np.tanh(x @ y)  # noqa: E731
        out = np.zeros((2, 4), np.float32)
        for bound, rest in ((program.bind(x, y), ()), (program.bind(x), (y,)), (program.bind(None, y), (x,)), (program.bind(), (x, y))):
            first = bound(*rest)[0]
            np.testing.assert_allclose(first, wanted(), rtol=1e-6)
            x += 0.5
            second = bound(*rest)[0]
            np.testing.assert_allclose(second, wanted(), rtol=1e-6)
            self.assertFalse(np.shares_memory(first, second))
            self.assertTrue(second.flags.writeable and second.flags.owndata)
        whole = program.bind(x, y, results=[out])
        self.assertIs(whole()[0], out)
        np.testing.assert_allclose(out, wanted(), rtol=1e-6)
        y[:] = 0
        whole()
        self.assertFalse(out.any())
        self.assertIs(whole.results[0], out)
        for wrong in ([], [out, out], [np.zeros((2, 4))], [out.T], [np.zeros((4, 2), np.float32)], [[0.0]], [np.broadcast_to(np.float32(0), (2, 4))]):
            with self.assertRaises(ts.InputError):
                program.bind(x, y, results=wrong)
        for call in (lambda: program.bind(x, y, x), lambda: program.bind(x)(), lambda: program.bind(x)(y, y), lambda: program.bind(y), lambda: program.bind(x)(x)):
            with self.assertRaises(ts.InputError):
                call()
        with self.assertRaisesRegex(ts.InputError, "overlap"):
            ts.Module.parse(SAME).compile().bind(out, results=[out])()
        with self.assertRaisesRegex(ts.InputError, "known sizes"):
            ts.Module.parse(SAME.replace("2x4", "?x4")).compile().bind(out)

    @with_numpy
    def test_calls_take_any_array(self):
        """Arrays that are not as the program wants them are brought into that form; the caller's own are not changed."""
        program = ts.Module.parse(TEXT).compile()
        x, y = ts.Module.parse(TEXT).random_inputs()
        wanted = program(x, y)[0]
        moved = np.frombuffer(b"x" + x.tobytes(), np.uint8)[1:].view(np.float32).reshape(x.shape)
        for other in (np.asfortranarray(x), np.repeat(x, 2, 1)[:, ::2], x.tolist(), moved, x.view(np.ma.MaskedArray)):
            np.testing.assert_array_equal(program(other, y)[0], wanted)
            np.testing.assert_array_equal(program.bind(other, y)()[0], wanted)
        for wrong in (x.astype(np.float64), x[:1], x.reshape(3, 2), x[None], "x", None):
            with self.assertRaises((ts.InputError, TypeError, ValueError)):
                program(wrong, y)
        same = ts.Module.parse(SAME).compile()
        given = np.ones((2, 4), np.float32)
        self.assertFalse(np.shares_memory(same(given)[0], given))  # a result is never the caller's array

    @with_numpy
    def test_large_results(self):
        """Results of a megabyte and more: arrays of their own that can be written, in memory that calls use again, without new pages."""
        import resource

        n = 1 << 18
        program = ts.Module.parse(f"func.func @main(%a: tensor<{n}xf32>) -> (tensor<{n}xf32>, tensor<2x{n // 2}xi1>) {{\n"
                                  f"  %0 = stablehlo.add %a, %a : tensor<{n}xf32>\n  %1 = stablehlo.compare GT, %0, %a : (tensor<{n}xf32>, tensor<{n}xf32>) -> tensor<{n}xi1>\n"
                                  f"  %2 = stablehlo.reshape %1 : (tensor<{n}xi1>) -> tensor<2x{n // 2}xi1>\n  return %0, %2 : tensor<{n}xf32>, tensor<2x{n // 2}xi1>\n}}\n").compile()
        a = np.arange(n, dtype=np.float32) - 5
        first, positive = program(a)
        np.testing.assert_array_equal(first, a + a)
        np.testing.assert_array_equal(positive, (a > 0).reshape(2, -1))
        self.assertTrue(first.flags.writeable and first.flags.c_contiguous and positive.dtype == bool)
        first[:] = 7
        second = program.bind(a)()[0]
        np.testing.assert_array_equal(second, a + a)
        self.assertTrue((first == 7).all())
        part = second[10:20]  # the memory stays with its last array
        del second
        for _ in range(5):
            program(a)
        np.testing.assert_array_equal(part, 2 * a[10:20])
        faults = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
        for _ in range(20):
            program(a)
        self.assertLess(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - faults, 640)  # with new pages it were 6,400, and the interpreter has some of its own

    @with_numpy
    def test_bound_by_threads(self):
        program = ts.Module.parse(SAME).compile()
        bound, wrong = program.bind(), []

        def work(number):
            for i in range(200):
                given = np.full((2, 4), 1000 * number + i, np.float32)
                if not np.array_equal(bound(given)[0], given) or not np.array_equal(program(given)[0], given):
                    wrong.append(number)

        threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertFalse(wrong)

    @with_numpy
    def test_folder(self):
        """A folder of torch_xla: inputs are those of PyTorch's module; weights are read, once."""
        folder = ROOT / "tests" / "corpus" / "torch_xla_held"
        users, args = ([np.load(folder / f"{stem}{i}.npy") for i in range(n)] for stem, n in (("user", 3), ("in", 5)))
        wanted = np.load(folder / "out0.npy")
        module = ts.Module.load(folder / "saved")
        program = module.compile()
        local = module.clone().shard(mesh="x=2", inputs={3: "x,_"}).partition()
        runs = [module.run(*users), module.run(*users, engine="reference"), module.clone().run(*users), local.run(*users, spmd=True)]
        runs += [program(*users), program(*users), ts.Module.load(folder / "saved", function="forward").run(*users)]
        runs += [module.run(*args), program(*args), ts.Executable.load(program.save())(*args)]
        for found in runs:
            np.testing.assert_allclose(found[0], wanted, rtol=1e-4, atol=1e-5)
        golden = module.goldens(users)
        self.assertTrue(golden.check().passed)
        np.testing.assert_allclose(golden.get(module["main"].body.ops[-1].operands[0]), wanted, rtol=1e-4, atol=1e-5)
        self.assertEqual(len(module.saved._loaded), 3)
        self.assertTrue(module.profile(*users).data["memory"]["arguments"])
        for call in (lambda: module.run(*users[:2]), lambda: program(*users[:2]), lambda: ts.Module.load(folder), lambda: ts.Module.load(folder / "saved", function="other")):
            with self.assertRaises(ts.InputError):
                call()
        with self.assertRaisesRegex(ts.InputError, "folder"):
            ts.Module.load(folder / "module.mlir", function="main")

    @with_numpy
    def test_dlpack_of_tensors(self):
        from tessera.tensors import to_tensor

        tensor = to_tensor(ts.default_context(), np.arange(6, dtype=np.float32).reshape(2, 3))
        np.testing.assert_array_equal(np.from_dlpack(tensor), np.arange(6).reshape(2, 3))

    @with_numpy
    def test_results_that_are_inputs(self):
        module = ts.Module.parse("func.func @main(%x: tensor<1000xf32>) -> tensor<1000xf32> {\n  return %x : tensor<1000xf32>\n}")
        found = [module.run(np.full(1000, i, np.float32))[0] for i in range(20)]
        for i, array in enumerate(found):
            np.testing.assert_array_equal(array, np.full(1000, i))

    def test_html(self):
        module = ts.Module.parse(TEXT)
        self.assertIn("<pre>module {", module._repr_html_())
        self.assertIn("<pre>", module.plan(mesh="x=2", inputs={1: "_,x"})._repr_html_())


class Package(unittest.TestCase):
    def test_stubs(self):
        import ast
        import io

        from tessera import stubs

        out = io.StringIO()
        stubs.stubs(out)
        classes = {node.name: node for node in ast.parse(out.getvalue()).body if isinstance(node, ast.ClassDef)}
        methods = {node.name: node for node in classes["Stablehlo"].body}
        self.assertEqual([a.arg for a in methods["transpose"].args.args], ["self", "operand", "permutation"])
        self.assertEqual(len(methods), len(ts.default_context().rows("stablehlo")))

    def test_stubs_are_complete(self):
        """Each public class and function has its stub, with the same parameters; the package's stub has all its names."""
        import ast
        import importlib
        import inspect
        import io

        from tessera import stubs

        out = io.StringIO()
        stubs.stubs(out)
        folder = ROOT / "python" / "tessera"
        texts = {path.stem: path.read_text() for path in folder.glob("*.pyi") if path.stem not in ("builder", "__init__")}
        texts["builder"] = out.getvalue()
        checked = 0
        for name, text in texts.items():
            module = importlib.import_module(f"tessera.{name}")
            tree = ast.parse(text)
            found = {n.name: n for n in tree.body if isinstance(n, (ast.ClassDef, ast.FunctionDef))}
            for public, thing in vars(module).items():
                if public.startswith("_") or getattr(thing, "__module__", None) != module.__name__:
                    continue
                self.assertIn(public, found, name)
                if not inspect.isclass(thing):
                    self.check_parameters(thing, found[public])
                    continue
                methods = {n.name: n for n in found[public].body if isinstance(n, ast.FunctionDef)}
                for local, method in vars(thing).items():
                    if local.startswith("_") and (local != "__init__" or thing.__name__ == "Tensor") or not (callable(method) or isinstance(method, (property, classmethod))):
                        continue
                    self.assertIn(local, methods, f"{name}.{public}")
                    if callable(method):
                        self.check_parameters(method, methods[local])
                    checked += 1
        self.assertGreater(checked, 100)
        exported = {a.asname for n in ast.parse((folder / "__init__.pyi").read_text()).body if isinstance(n, ast.ImportFrom) for a in n.names}
        self.assertEqual(exported | {"plugin_path"}, set(ts.__all__))

    def check_parameters(self, function, stub):
        import inspect

        mine = [p for p in inspect.signature(function).parameters]
        theirs = [a.arg for a in [*stub.args.args, *([stub.args.vararg] if stub.args.vararg else []), *stub.args.kwonlyargs, *([stub.args.kwarg] if stub.args.kwarg else [])]]
        self.assertEqual([p for p in mine if p[0] != "_"], [p for p in theirs if p[0] != "_"], stub.name)

    def test_import_is_lazy(self):
        code = "import sys, tessera; assert 'numpy' not in sys.modules and 'tessera.context' not in sys.modules; tessera.Module(); assert 'numpy' not in sys.modules"
        subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT / "python")

    def test_names(self):
        self.assertTrue({"Module", "Builder", "plugin_path"} <= set(dir(ts)))
        with self.assertRaises(AttributeError):
            ts.nothing  # noqa: B018


if __name__ == "__main__":
    result = unittest.main(exit=False, verbosity=0).result
    if result.skipped:
        print(f"package: {len(result.skipped)} skipped: {', '.join(sorted({why for _, why in result.skipped}))}")
    bad = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - bad - len(result.skipped)} passed, {bad} failed")
    sys.exit(bad != 0)
