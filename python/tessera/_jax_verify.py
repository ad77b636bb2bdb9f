# SPDX-License-Identifier: Apache-2.0
"""What XLA makes of a plan: the bytes of its collectives by source line, beside those that the plan counts with."""

import re

from ._jax_report import _columns, by_line, line_of
from ._jax_source import size


class Comparison:
    """rows: (source line, bytes that a device receives by the plan, by XLA), the largest first; ops: by line, the op of XLA's that receives the most there; planned
    and compiled: sums; more: how many constraints plan.jit has besides the pins, on operands and results. Lines of an edited source are those that it had before."""

    def __init__(self, plan, jitted, more):
        from ._jax_explain import explain

        mine = by_line(plan.relowered().plan().data["collectives"])
        found = explain(jitted, *plan._program.call.values)
        xla, ops = {}, {}
        for c in found.collectives:
            line = _line(c, getattr(jitted, "edits", None))
            xla[line] = xla.get(line, 0) + (c.get("bytes") or 0)
            ops.setdefault(line, {}).setdefault(_op(c), []).append(c.get("bytes") or 0)
        self.more = more
        self.planned, self.compiled = sum(mine.values()), sum(xla.values())
        self.rows = sorted(((line, mine.get(line, 0), xla.get(line, 0)) for line in {*mine, *xla}), key=lambda r: -max(r[1:]))
        self.ops = {line: max(found, key=lambda op: sum(found[op])) for line, found in ops.items()}

    def excess(self):
        """(source line, bytes that XLA receives there above the plan's, its op): the line where that is most."""
        line, mine, theirs = max(self.rows, key=lambda r: r[2] - r[1], default=("", 0, 0))
        return line, theirs - mine, self.ops.get(line, "")

    def __str__(self):
        rows = [("source line", "plan", "XLA", "most by"), *((line, size(a), size(b), self.ops.get(line, "")) for line, a, b in self.rows)]
        rows.append(("all", size(self.planned), size(self.compiled), ""))
        more = f"plan.jit has {self.more} more constraints than the plan has pins: how operands and results move\n" if self.more > 0 else ""
        return _columns(rows) + "\n" + more


def _line(c, edits):
    """The source line of a collective."""
    source = str(c.get("source") or "")
    found = re.fullmatch(r"(.*\.\w+):(\d+)(:\d+)?", source)
    if edits and found:
        source = f"{found.group(1)}:{edits.line_before(found.group(1), int(found.group(2)))}"
    line = line_of(source)
    return "arguments and results" if line == "?" and c.get("cause") == "the function's result" else line


def _op(c):
    """A collective in words: "all_reduce of dot_general, backward"; XLA joins the names of those that it combines."""
    name = str(c.get("op_name") or "")
    of = re.split(r"[:)]", name.split("/(")[-1])[0] if "/(" in name else name
    of = of.split("/")[-1]
    return c.get("kind", "?") + (f" of {of}" if of else "") + (", backward" if "transpose(" in name else "")
