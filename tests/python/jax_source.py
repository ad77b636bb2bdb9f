# SPDX-License-Identifier: Apache-2.0
"""What tessera.jax makes without JAX: specs from shardings, sizes, edits of source files. And that the package imports no JAX."""

import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "python"))

from tessera import InputError  # noqa: E402
from tessera._jax_uses import _parts_of  # noqa: E402
from tessera._jax_source import Edits, Place, Way, bytes_of, mesh_of, parts_of, searched_names, seconds, size, spec_text  # noqa: E402

SOURCE = '''"""A model."""
from __future__ import annotations
import jax.numpy as jnp


def block(x, w):
    h = x @ w.a
    y: object = h + 1; z = x * 2
    h += y @ w.b
    a, b = h @ w.c
    total = sum(v @ w.d for v in (x,
                                  y))
    é = 1; return (h * z)[:, :1] + h @ w.e
'''


def place(text, spec=("dp",), shape=(8, 4), source=SOURCE, **more):
    """Where a text first is in the source."""
    at = source.index(text)
    line = source.count("\n", 0, at)
    col = len(source[source.rindex("\n", 0, at) + 1 : at].encode())
    end = source.count("\n", 0, at + len(text))
    end_col = len(source[source.rindex("\n", 0, at + len(text)) + 1 : at + len(text)].encode())
    return Place("model.py", line + 1, col, end + 1, end_col, "block", spec, shape, **more)


def edited(*places, source=SOURCE):
    edits = Edits(places, lambda file: source)
    found = edits.edited()
    return found["model.py"][1].split("\n") if found else None, edits


class Texts(unittest.TestCase):
    def test_specs(self):
        self.assertEqual(parts_of([["dp"], [], ["tp", "pp"], []]), ("dp", None, ("tp", "pp")))
        self.assertEqual(parts_of([["dp"], []], [False, True]), ("dp", "?"))
        self.assertEqual(parts_of([]), ())
        self.assertEqual(spec_text(("dp", None, ("a", "b"))), "P('dp', None, ('a', 'b'))")
        self.assertEqual(spec_text(("?", "dp")), "P(P.UNCONSTRAINED, 'dp')")
        with self.assertRaisesRegex(InputError, "tp:\\(1\\)2.*no PartitionSpec"):
            parts_of([["tp:(1)2"]])

    def test_numbers(self):
        self.assertEqual([bytes_of(v) for v in (80, 8e9, "80G", "1.5 KB", "2TB", "7")], [80, 8 * 10**9, 80 * 10**9, 1500, 2 * 10**12, 7])
        for wrong in ("", "G", "-1", "80X", None, True, -1, []):
            with self.assertRaises(InputError):
                bytes_of(wrong)
        self.assertEqual([size(n) for n in (0, 999, 1000, 80e9, 2e12)], ["0 B", "999 B", "1 KB", "80 GB", "2 TB"])
        self.assertEqual([seconds(t) for t in (0.5, 2e-6)], ["500 ms", "2 us"])

    def test_meshes(self):
        self.assertEqual(mesh_of("dp=2, tp=4"), {"dp": 2, "tp": 4})
        self.assertEqual(mesh_of("data-p=2,a.b=4"), {"data-p": 2, "a.b": 4})
        for wrong in ("", "dp", "dp=", "dp=0", "dp=2,dp=2", "2", "dp=2 tp=4", "d p=2", "_=2", "a+b=2", "=2"):
            with self.assertRaises(InputError):
                mesh_of(wrong)


    def test_axis_names(self):
        self.assertEqual(searched_names(("dp", "data-p", "a b", "a.b", "a+b", "é")), {"dp": "dp", "data-p": "data-p", "a b": "a.b.", "a.b": "a.b", "a+b": "a.b..", "é": "é"})
        for wrong in ("", "_", "?"):
            with self.assertRaisesRegex(InputError, "any longer name"):
                searched_names((wrong, "tp"))
        self.assertEqual(_parts_of("a+b+tp,_,(1)", {"a+b": 2, "tp": 4}), [("a+b", "tp"), (), (None, None, None)])
        self.assertEqual(_parts_of("", {"dp": 2}), [])


class Edited(unittest.TestCase):
    def test_assigned_name(self):
        lines, edits = edited(place("x @ w.a", cost="+83 % without it"))
        at = lines.index("    h = x @ w.a")
        self.assertEqual(lines[at + 1], "    h = with_sharding_constraint(h, P('dp'))  # +83 % without it")
        self.assertEqual(lines[2:4], ["from jax.lax import with_sharding_constraint", "from jax.sharding import PartitionSpec as P"])
        self.assertEqual(edits.advice, [])
        self.assertTrue(edits.diff().startswith("--- a/model.py\n+++ b/model.py\n@@ "))

    def test_expressions(self):
        lines, _ = edited(place("h + 1"), place("y @ w.b"), place("h @ w.e", ("tp", "dp")), place("h * z"))
        self.assertIn("    y: object = with_sharding_constraint(h + 1, P('dp')); z = x * 2", lines)
        self.assertIn("    h += with_sharding_constraint(y @ w.b, P('dp'))", lines)
        self.assertIn("    é = 1; return (with_sharding_constraint(h * z, P('dp')))[:, :1] + with_sharding_constraint(h @ w.e, P('tp', 'dp'))", lines)

    def test_augmented_and_nested(self):
        lines, _ = edited(place("h += y @ w.b"), place("y @ w.b"))
        at = lines.index("    h += with_sharding_constraint(y @ w.b, P('dp'))")
        self.assertEqual(lines[at + 1], "    h = with_sharding_constraint(h, P('dp'))")
        lines, _ = edited(place("(h * z)[:, :1] + h @ w.e"[1:6]), place("(h * z)[:, :1]"), place("(h * z)[:, :1] + h @ w.e", ("tp",)))
        self.assertIn("    é = 1; return with_sharding_constraint(with_sharding_constraint((with_sharding_constraint(h * z, P('dp')))[:, :1], P('dp')) + h @ w.e, P('tp'))", lines)

    def test_rows(self):
        lines, _ = edited(place("h @ w.c", shape=(2, 4)))
        self.assertIn("    a, b = with_sharding_constraint(h @ w.c, P('dp'))", lines)

    def test_several_lines(self):
        source = "import a\nx = a.b(\n    1,\n    2,\n) + 3\n"
        lines, _ = edited(place("a.b(\n    1,\n    2,\n)", source=source), source=source)
        self.assertEqual(lines[3:], ["x = with_sharding_constraint(a.b(", "    1,", "    2,", "), P('dp')) + 3", ""])

    def test_what_cannot_be_written(self):
        for wrong, why in (
            ([place("h @ w.c")], "taken apart"),
            ([place("x @ w.a", why="in the backward pass")], "in the backward pass"),
            ([place("y @ w.b\n"[:7], operand=0), place("(h * z)[:, :1]", operand=0)][1:], "a call alone"),
            ([place("w.a\n    y")], "not found"),
        ):
            lines, edits = edited(*wrong)
            self.assertIsNone(lines)
            self.assertIn(why, edits.advice[0])
            self.assertTrue(edits.advice[0].startswith("model.py:"), edits.advice[0])
        for text, why in ((None, "not a file"), ("x = (", "no Python")):
            edits = Edits([place("x @ w.a")], lambda file: text)
            self.assertIn(why, edits.advice[0])

    def test_several_shardings(self):
        lines, edits = edited(place("x @ w.a"), place("x @ w.a", ("tp",)))
        self.assertIn("    h = with_sharding_constraint(h, P('dp'))", lines)
        self.assertEqual(len(edits.advice), 1)
        self.assertIn("P('tp') of [8, 4]: the expression is computed several times, with 2 shardings", edits.advice[0])
        key = place("x @ w.a").key
        self.assertEqual(edits.made, {key: 2})
        lines = Edits([place("x @ w.a"), place("x @ w.a", ("tp",))], lambda file: SOURCE, {key: Way(spec=1)}).edited()["model.py"][1].split("\n")
        self.assertIn("    h = with_sharding_constraint(h, P('tp'))", lines)

    def test_several_shapes(self):
        lines, edits = edited(place("x @ w.a", shapes={(8, 4), (4, 4)}), place("x @ w.a", ("tp",), (2,)))
        self.assertIn("    h = sharded(h, {(8, 4): P('dp'), (2,): P('tp')})", lines)
        self.assertEqual(lines[2], "from jax import custom_vjp")
        self.assertEqual(sum(line.startswith("def sharded(x, specs, gradient=True):") for line in lines), 1)
        self.assertEqual(edits.advice, [])
        space = {"custom_vjp": None, "with_sharding_constraint": lambda x, spec: spec}
        exec(edits.head("model.py").split("\n\n\n")[1], space)
        self.assertIn("sharded", space)

    def test_ways(self):
        key = place("x @ w.a").key
        for way, line in ((Way(gradient=False), "    h = sharded(h, {(8, 4): P('dp')}, gradient=False)"), (None, None)):
            edits = Edits([place("x @ w.a")], lambda file: SOURCE, {key: way})
            if line:
                self.assertIn(line, edits.edited()["model.py"][1].split("\n"))
            else:
                self.assertEqual(edits.points, {})
                self.assertIn("left out", edits.advice[0])
        self.assertEqual(Edits([place("x @ w.a", told=False)], lambda file: SOURCE, {key: None}).advice, [])

    def test_operands(self):
        lines, edits = edited(place("y @ w.b", operand=1), place("h * z", ("tp",), operand=0))
        self.assertIn("    h += y @ with_sharding_constraint(w.b, P('dp'))", lines)
        self.assertTrue(any("return (with_sharding_constraint(h, P('tp')) * z)" in line for line in lines), lines)
        self.assertEqual(edits.advice, [])

    def test_steps(self):
        """An operand that goes through a sharding before: one constraint in the other."""
        text, _ = edited(place("x @ w.a", ("tp",), operand=0, via=(("dp",), ())))
        self.assertIn("    h = with_sharding_constraint(with_sharding_constraint(with_sharding_constraint(x, P('dp')), P()), P('tp')) @ w.a", text)
        text, _ = edited(place("x @ w.a", ("tp",), operand=0, shapes={(2,)}, via=(("dp",),)))
        self.assertIn("    h = sharded(sharded(x, {(8, 4): P('dp')}), {(8, 4): P('tp')}) @ w.a", text)

    def test_lines(self):
        """Lines of the edited text are those that they were; lines that were added, of what they come after."""
        text, edits = edited(place("x @ w.a"), place("y @ w.b"))
        old = SOURCE.split("\n")
        for n, line in enumerate(text, 1):
            before = old[edits.line_before("model.py", n) - 1]
            self.assertTrue(before == line or "with_sharding_constraint" in line or line.startswith("from jax"), (n, line, before))
        n = next(n for n, line in enumerate(text, 1) if "h = with_sharding" in line)
        self.assertEqual(old[edits.line_before("model.py", n) - 1], "    h = x @ w.a")
        self.assertEqual([edits.line_before("other.py", 5), edits.line_before("model.py", 500)], [5, 500])

    def test_same_constraint_once(self):
        lines, _ = edited(place("x @ w.a"), place("x @ w.a"))
        self.assertEqual(sum("with_sharding_constraint(h" in line for line in lines), 1)

    def test_names_in_use(self):
        source = "from jax.sharding import PartitionSpec as P\nfrom jax.lax import with_sharding_constraint\nx = a @ b\n"
        lines, _ = edited(place("a @ b", source=source), source=source)
        self.assertEqual(lines, [*source.split("\n")[:3], "x = with_sharding_constraint(x, P('dp'))", ""])
        source = "P = 3\nx = a @ b\n"
        lines, _ = edited(place("a @ b", source=source), source=source)
        self.assertEqual(lines[1:], ["from jax.sharding import PartitionSpec", "P = 3", "x = a @ b", "x = with_sharding_constraint(x, PartitionSpec('dp'))", ""])


class Imports(unittest.TestCase):
    def test_no_jax(self):
        import tessera.jax

        self.assertNotIn("jax", sys.modules)
        self.assertEqual(sorted(tessera.jax.__all__), ["Explanation", "Plan", "auto_shard", "explain", "load", "module"])
        with_none = sys.modules.get("jax")
        sys.modules["jax"] = None  # as where it is not installed
        try:
            with self.assertRaisesRegex(tessera.EnvironmentFailure, "needs jax"):
                tessera.jax.auto_shard(lambda x: x, 1.0)
        finally:
            del sys.modules["jax"]
            self.assertIsNone(with_none)


if __name__ == "__main__":
    unittest.main()
