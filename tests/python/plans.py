# SPDX-License-Identifier: Apache-2.0
"""Plans in Python: found, saved, loaded, applied, checked, compared, pickled; what JAX can say of a training step; and files that are no plans."""

import copy
import json
import pickle
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "python"))

import tessera as ts  # noqa: E402

TRAIN = ROOT / "tests" / "tools" / "Inputs" / "train.mlir"
MESH = "dp=2,tp=4"


def tags(text):
    """The numbers of the tags in a location or a stack of names, as they are written."""
    out, rest = [], text
    while "tsr" in rest:
        rest = rest[rest.index("tsr") + 3 :]
        digits = rest[: len(rest) - len(rest.lstrip("0123456789"))]
        out += [int(digits)] if digits else []
    return out


class Plans(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.module = ts.Module.load(TRAIN)
        cls.plan = cls.module.find_plan(mesh=MESH)

    def test_data(self):
        text = str(self.module)
        data = self.plan.data
        self.assertEqual((data["format"], data["version"], data["device"], data["pins"]), ("tessera-plan", 1, "h100", "few"))
        self.assertEqual(data["mesh"], [{"name": "dp", "size": 2}, {"name": "tp", "size": 4}])
        names, results = self.module.names()
        found = self.plan.candidate
        self.assertEqual([a["name"] for a in found["arguments"]], names)
        self.assertEqual([a["index"] for a in found["arguments"]], list(range(len(names))))
        self.assertEqual(len(found["results"]), len(results))
        for result, argument in zip(found["results"], found["arguments"]):  # the next step's state lies as this one's
            self.assertEqual(result["sharding"], argument["sharding"])
        self.assertTrue(found["minimised"] and found["fits"] and not found["estimated"])
        self.assertLess(len(found["pins"]), found["pins_before"])
        for pin in found["pins"]:  # each is worth something: more than what may be lost for fewer pins
            worse = pin["without"]
            self.assertTrue(worse["step_seconds"] > found["step_seconds"] or worse["peak_bytes"] > found["peak_bytes"], pin)
        self.assertEqual(str(self.module), text)

    def test_saved(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "plan.json"
            self.plan.save(path)
            self.assertEqual(json.loads(path.read_text()), self.plan.data)
            self.assertEqual(ts.Plan.load(path), self.plan)
            path.write_text(path.read_text().replace('"version": 1', '"version": 3'))
            with self.assertRaisesRegex(ts.InputError, r"plan.json:1:1: plans of version 3 cannot be read"):
                ts.Plan.load(path)
        self.assertEqual(pickle.loads(pickle.dumps(self.plan)), self.plan)
        self.assertEqual(copy.deepcopy(self.plan), self.plan)
        self.assertNotEqual(self.plan, "plan")
        self.assertIn("pins>", repr(self.plan))

    def test_data_is_a_copy(self):
        self.plan.data["chosen"] = 99
        self.assertEqual(self.plan.data["chosen"], 0)

    def test_applied(self):
        module = self.module.clone().apply_plan(self.plan)
        own = module.simulate(device="h100").data
        self.assertEqual(own["step_seconds"], self.plan.candidate["step_seconds"])
        self.assertEqual(own["peak_bytes"], self.plan.candidate["peak_bytes"])
        pinned = [op for op in module.walk() if op.name != "func.func" and "sdy.sharding" in op.attributes]
        self.assertEqual(len(pinned), len([p for p in self.plan.candidate["pins"] if p["operand"] is None]))
        self.assertEqual(str(self.module.clone().apply_plan(self.plan, arguments_alone=True)).count("sharding_per_value"), 0)
        elsewhere = ts.Module.parse(self.module.bytecode(), context=ts.Context()).apply_plan(self.plan)
        self.assertEqual(str(elsewhere), str(module))

    def test_numbers(self):
        """A pin names the op at its place in program order, calls inlined."""
        module = self.module.clone()
        module.run_passes("inline{default-pipeline= callers-first=true}")
        ops = [op for op in module["main"].walk() if op.name != "func.func"]
        for pin in self.module.find_plan(mesh=MESH, pins="all").candidate["pins"]:
            op = ops[pin["number"] - 1]
            value = op.operands[pin["operand"]] if pin["operand"] is not None else op.results[0]
            self.assertEqual((op.name, str(value.type), str(op.location)), (pin["op"], pin["type"], pin["location"]))

    def test_checked(self):
        check = self.module.check_plan(self.plan)
        self.assertTrue(check)
        self.assertIn("as promised", str(check))
        self.assertEqual(check.data["step_seconds"]["promised"], self.plan.candidate["step_seconds"])
        slow = self.module.check_plan(self.plan, device="n300")
        self.assertFalse(slow)
        self.assertGreater(slow.data["step_seconds"]["now"], slow.data["step_seconds"]["promised"])
        self.assertTrue(self.module.check_plan(self.plan, device="n300", tolerance=1000))
        full = self.module.check_plan(self.plan, memory=1000)
        self.assertFalse(full.data["fits"])
        self.assertIn("it does not fit: a device has 1.00 KB", str(full))
        self.assertNotIn("as promised", str(full))
        other = ts.Module.parse(TRAIN.read_text().replace("stablehlo.tanh", "stablehlo.logistic"))
        with self.assertRaisesRegex(ts.InputError, "its ops are others"):
            other.check_plan(self.plan)
        with self.assertRaisesRegex(ts.InputError, "another version of the program"):
            other.apply_plan(self.plan)
        other.apply_plan(self.plan, arguments_alone=True)

    def test_select(self):
        self.assertGreater(len(self.plan), 2)
        for i in range(len(self.plan)):
            other = self.plan.select(i)
            self.assertEqual((other.chosen, self.plan.chosen), (i, 0))
            self.assertEqual(other.candidate, self.plan.data["candidates"][i])
        for wrong in (-1, len(self.plan)):
            with self.assertRaisesRegex(ts.InputError, "there is no candidate"):
                self.plan.select(wrong)
        with self.assertRaisesRegex(ts.InputError, "there is no candidate"):
            self.module.find_plan(mesh=MESH, candidate=100)

    def test_compare(self):
        other = self.module.find_plan(mesh=MESH, pins="none")
        found = self.plan.compare(other)
        self.assertEqual(found.data["pins"], {"before": len(self.plan.candidate["pins"]), "after": 0})
        self.assertIn("argument", {d["kind"] for d in found.data["differences"]})
        self.assertIn("->", str(found))
        self.assertEqual(self.plan.compare(self.plan).data["differences"], [])
        with self.assertRaisesRegex(ts.InputError, "a Plan is expected"):
            self.plan.compare("other")

    def test_wrong(self):
        for wrong in ("", "{}", "[]", "null", str(self.plan)[:-3], str(self.plan).replace("dp", "dq", 1)):
            with self.assertRaises(ts.InputError):
                ts.Plan(wrong)
        for options in ({"pins": "some"}, {"candidate": -1}, {"excluded": [""]}, {"device": "none"}, {"mesh": "x"}):
            with self.assertRaises(ts.InputError):
                self.module.find_plan(**{"mesh": MESH, **options})
        for call in (self.module.apply_plan, self.module.check_plan):
            with self.assertRaisesRegex(ts.InputError, "a Plan is expected, not a dict"):
                call(self.plan.data)

    def test_expressible(self):
        """Pins are on values that one equation makes and another one reads: never on what a scan is made of."""
        loops = {}
        inlined = self.module.clone()
        inlined.run_passes("inline{default-pipeline= callers-first=true}")
        for op in inlined.walk():
            if op.name == "stablehlo.while":
                loops.setdefault(max(tags(str(op.location))), op)

        def plumbing(pin):
            numbers = tags(pin["name"] if pin["operand"] is None else "")
            return pin["op"] == "stablehlo.while" or (pin["operand"] is None and (not numbers or numbers[-1] in loops))

        free = self.module.find_plan(mesh=MESH, pins="all")
        said = self.module.find_plan(mesh=MESH, pins="all", expressible=True)
        pins = [p for c in free.data["candidates"] for p in c["pins"]]
        self.assertTrue(any(plumbing(p) for p in pins), "nothing is ruled out")
        pins = [p for c in said.data["candidates"] for p in c["pins"]]
        self.assertTrue(pins)
        self.assertEqual([p for p in pins if plumbing(p)], [])
        self.assertFalse([p for p in pins if any(":" in a for d in p["sharding"] for a in d)])
        few = self.module.find_plan(mesh=MESH, expressible=True)
        self.assertTrue(few.data["expressible"] and self.module.check_plan(few))
        best = self.plan.candidate["step_seconds"]
        self.assertLess(few.candidate["step_seconds"], 1.05 * best)

    def test_excluded(self):
        pins = self.plan.candidate["pins"]
        without = self.module.find_plan(mesh=MESH, excluded=[p["location"] for p in pins])
        self.assertFalse({p["location"] for p in pins} & {p["location"] for p in without.candidate["pins"]})
        self.assertTrue(self.module.check_plan(without))

    def test_arguments_alone(self):
        """Better than the arguments of the best candidate without its pins."""
        alone = self.module.find_plan(mesh=MESH, pins="none")
        self.assertEqual(sum(len(c["pins"]) for c in alone.data["candidates"]), 0)
        self.assertTrue(self.module.check_plan(alone))
        dropped = self.module.check_plan(self.plan, arguments_alone=True).data["step_seconds"]["now"]
        self.assertLess(alone.candidate["step_seconds"], dropped)


if __name__ == "__main__":
    result = unittest.main(exit=False, verbosity=0).result
    bad = len(result.errors) + len(result.failures)
    print(f"{result.testsRun - bad - len(result.skipped)} passed, {bad} failed")
    sys.exit(bad > 0)
