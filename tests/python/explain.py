# SPDX-License-Identifier: Apache-2.0
"""Module.explain: collectives, advice and memory as data, and what XLA dumped."""

import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "python"))

import tessera as ts  # noqa: E402

INPUTS = ROOT / "tests" / "tools" / "Inputs"


class Explain(unittest.TestCase):
    def test_advice(self):
        module = ts.Module.load(INPUTS / "explain.mlir")
        found = module.explain()
        first = found.data["advice"][0]
        self.assertEqual((first["what"], first["line"], first["sharding"], first["instead_of"]), ("constraint", 12, 'P("dp", "tp")', 'P("dp")'))
        self.assertEqual([found.data["collectives"][i]["kind"] for i in first["removes"]], ["all_gather"])
        self.assertIn(first["text"], str(found))
        self.assertGreater(found.data["step_seconds"], first["step_seconds"])
        better = ts.Module.parse(module.explain(apply=1)).explain(verify=False).data
        self.assertEqual([c["kind"] for c in better["collectives"]], ["all_reduce"])
        self.assertEqual(better["received_bytes"], first["received_bytes"])
        self.assertEqual(better["advice"], [])

    def test_options(self):
        module = ts.Module.load(INPUTS / "mlp.mlir")
        found = module.explain(mesh="x=2", inputs={1: "_,x"}, device="a100", most=1)
        self.assertEqual((found.data["devices"], found.data["device"]), (2, "a100"))
        self.assertLessEqual(len(found.data["memory"]), 1)
        with self.assertRaises(ts.InputError):
            module.explain(apply=5)
        with self.assertRaises(ts.InputError):
            module.explain(device="b")

    def test_dump(self):
        found = ts.Module.load(INPUTS / "sliced.hlo").explain().data
        (row,) = found["collectives"]
        self.assertTrue(found["partitioned"] and row["as_reduce_scatter"])
        self.assertEqual((row["turns"], row["source"], row["line"], row["received_bytes"]), (7, "model.py", 5, 7 * 384))
        self.assertEqual(found["without_counterpart"], {"mulhi": 1, "constant": 1})
        with self.assertRaises(ts.TesseraError):
            ts.Module.parse("HloModule m\n\nENTRY main {\n  x = f33[] parameter(0)\n}\n")

    def test_widened(self):
        """What XLA moves in f32 and the program has in bf16 counts as bf16, unless the program itself has converted it."""
        found = ts.Module.load(INPUTS / "widened.hlo").explain().data
        rows = {row["line"]: (row["kind"], row["counts_as"], row["received_bytes"]) for row in found["collectives"]}
        self.assertEqual(rows, {3: ("all_gather", "bf16", 192), 4: ("all_reduce", "bf16", 384), 6: ("all_gather", None, 384)})
        self.assertEqual(found["received_bytes"], 960)

    def test_promoted(self):
        """A sum in f32 whose end is the conversion to bf16 of the same op counts as bf16; a conversion that the program has does not count so."""
        found = ts.Module.load(INPUTS / "promoted.hlo").explain().data
        rows = {row["line"]: (row["kind"], row["counts_as"], row["received_bytes"]) for row in found["collectives"]}
        self.assertEqual(rows, {3: ("all_reduce", "bf16", 384), 4: ("all_reduce", None, 768)})


if __name__ == "__main__":
    unittest.main()
