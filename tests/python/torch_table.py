# SPDX-License-Identifier: Apache-2.0
"""The table of ATen ops without torch: recorded graphs of torch's own samples, with eager's results; what the core opset lacks; and graphs as data."""

import json
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "python"))

try:
    import numpy as np
except ImportError:
    print("skipped: no NumPy here")
    sys.exit()

import tessera as ts  # noqa: E402
from tessera import _torch_program as program  # noqa: E402
from tessera import _torch_table as table  # noqa: E402

DTYPES = {"f32": "float32", "f64": "float64", "i64": "int64", "i32": "int32", "i1": "bool", "ui8": "uint8", "complex<f32>": "complex64"}
# Core ops whose results have a shape that depends on data, or that give a number to Python: they run in eager.
WITHOUT = {"nonzero", "_local_scalar_dense", "resize_", "sym_is_contiguous", "sym_numel", "sym_size", "sym_storage_offset", "sym_stride"}
# Core ops that torch decomposes, into ops with rows.
DECOMPOSED = {"col2im", "elu", "grid_sampler_2d", "reflection_pad1d", "reflection_pad2d", "reflection_pad3d", "replication_pad2d", "replication_pad3d",
              "upsample_bilinear2d", "upsample_nearest2d"}

text = (ROOT / "tests" / "python" / "Inputs" / "torch_ops.json").read_text()
RECORDED = json.loads(text)


def array(numbers, shape, element):
    found = np.array(numbers, np.float32 if element == "complex<f32>" else DTYPES[element])
    return (found.view(np.complex64) if element == "complex<f32>" else found).reshape(shape)


def shapes_of(graph):
    found = [(s, d) for s, d, _ in graph["inputs"]]
    for op in graph["ops"]:
        found += [r if r is None else tuple(r) for r in op[3]]
    return [found[v] for v, _ in graph["outputs"]]


def run(graph, inputs):
    compiled = program.build(graph).compile()
    return compiled(*[array(x, s, d) for x, (s, d, _) in zip(inputs, graph["inputs"])])


class Table(unittest.TestCase):
    def test_core_ops(self):
        table.load()
        missing = {n for n in RECORDED["core"] if not any(k == f"aten.{n}" or k.startswith(f"aten.{n}.") for k in table.ROWS)}
        self.assertEqual(missing - WITHOUT - DECOMPOSED, set())
        self.assertEqual(DECOMPOSED - missing, set())

    def test_recorded(self):
        """Results are those of eager, op by op."""
        self.assertGreater(len(RECORDED["cases"]), 300)
        for case in RECORDED["cases"]:
            graph = program.from_json(json.dumps(case["graph"]))
            with self.subTest(case["name"]):
                for mine, theirs, (s, d) in zip(run(graph, case["inputs"]), case["outputs"], shapes_of(graph)):
                    theirs = array(theirs, s, d)
                    self.assertEqual((mine.shape, mine.dtype), (theirs.shape, theirs.dtype))
                    np.testing.assert_allclose(mine, theirs, rtol=2e-4, atol=2e-5)

    def test_a_wrong_result_is_found(self):
        case = next(c for c in RECORDED["cases"] if c["graph"]["ops"][0][0] == "aten.maximum.default" and len(c["outputs"][0]) > 3)
        graph = program.from_json(json.dumps(case["graph"]))
        graph["ops"][0][0] = "aten.minimum.default"
        (mine,), (theirs,) = run(graph, case["inputs"]), case["outputs"]
        self.assertFalse(np.allclose(mine.reshape(-1), theirs))

    def test_data(self):
        case = RECORDED["cases"][0]["graph"]
        graph = program.from_json(json.dumps(case))
        self.assertEqual(json.loads(program.to_json(graph)), case)
        self.assertEqual(str(program.build(graph)), str(program.build(program.from_json(program.to_json(graph)))))

    def test_errors_name_the_op(self):
        graph = {"inputs": [[[2], "f32", None]], "ops": [["aten.nonesuch.default", [program.Ref(0)], {}, [[[2], "f32"]], ["model.py", 7]]], "outputs": [[1, None]], "given": []}
        with self.assertRaises(program.OpError) as caught:
            program.build(graph)
        self.assertEqual((caught.exception.number, caught.exception.name), (0, "aten.nonesuch.default"))

    def test_places(self):
        graph = {"inputs": [[[2], "f32", None]], "ops": [["aten.neg.default", [program.Ref(0)], {}, [[[2], "f32"]], ["model.py", 7]]], "outputs": [[1, None]], "given": []}
        self.assertIn('"aten.neg.default"("model.py":7:1)', program.build(graph).print(debug_info=True, local_scope=True))

    def test_layouts(self):
        """An input and a result whose dimensions lie in another order, and a result in the memory of an input."""
        graph = {"inputs": [[[2, 3], "f32", [1, 0]]], "ops": [["aten.mul.Scalar", [program.Ref(0), 2], {}, [[[2, 3], "f32"]], None]],
                 "outputs": [[1, None], [1, [1, 0]]], "given": [[0, 1]]}
        module = program.build(graph, ["weight"])
        self.assertEqual(module["main"].body.args[0].name, "weight")
        x = np.arange(6, dtype=np.float32).reshape(2, 3)
        plain, turned = module.compile()(np.ascontiguousarray(x.T))
        self.assertTrue((plain == 2 * x).all() and (turned == 2 * x.T).all())

    def test_random(self):
        """Numbers follow the seed, and have the distribution."""
        n = 20000
        ops = [[f"aten.{name}.default", [[n]], {}, [[[n], "f32"]], None] for name in ("rand", "randn", "rand")]
        graph = {"inputs": [], "ops": ops, "outputs": [[0, None], [1, None], [2, None]], "given": [], "random": True}
        compiled = program.build(graph).compile()
        u, g, v = compiled(np.array(7, np.uint64))
        again, other = compiled(np.array(7, np.uint64))[0], compiled(np.array(8, np.uint64))[0]
        self.assertTrue((u == again).all() and (u != other).any() and (u != v).any())
        self.assertTrue(0 <= u.min() and u.max() < 1 and abs(u.mean() - 0.5) < 0.02 and abs(u.std() - 12**-0.5) < 0.01)
        self.assertTrue(np.isfinite(g).all() and abs(g.mean()) < 0.03 and abs(g.std() - 1) < 0.03)


if __name__ == "__main__":
    assert ts
    unittest.main()
