"""What XLA makes of a plan: the bytes of its collectives by source line, beside those that the plan counts with."""

from ._jax_report import _columns, by_line, line_of
from ._jax_source import size


class Comparison:
    """rows: (source line, bytes that a device receives by the plan, by XLA), the largest first; planned and compiled: their sums; more: how many constraints plan.jit
    has besides the pins, on operands and results."""

    def __init__(self, plan, jitted, more):
        from ._jax_explain import explain

        mine = by_line(plan.relowered().plan().data["collectives"])
        found = explain(jitted, *plan._program.call.values)
        xla = {}
        for c in found.collectives:
            line = line_of(str(c.get("source") or ""))
            line = "arguments and results" if line == "?" and c.get("cause") == "the function's result" else line
            xla[line] = xla.get(line, 0) + (c.get("bytes") or 0)
        self.more = more
        self.planned, self.compiled = sum(mine.values()), sum(xla.values())
        self.rows = sorted(((line, mine.get(line, 0), xla.get(line, 0)) for line in {*mine, *xla}), key=lambda r: -max(r[1:]))

    def __str__(self):
        rows = [("source line", "plan", "XLA"), *((line, size(a), size(b)) for line, a, b in self.rows), ("all", size(self.planned), size(self.compiled))]
        more = f"plan.jit has {self.more} more constraints than the plan has pins: how operands and results move\n" if self.more > 0 else ""
        return _columns(rows) + "\n" + more
