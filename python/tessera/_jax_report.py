# SPDX-License-Identifier: Apache-2.0
"""Plans of JAX programs as text: arguments and results by their paths, and what the plan promises."""

import math
import os
import re

from ._jax_source import seconds, size, spec_text


def _text_of(spec):
    from jax.sharding import PartitionSpec as P

    return spec_text(tuple("?" if p is P.UNCONSTRAINED else tuple(p) if isinstance(p, (tuple, list)) else p for p in spec))


def _local(spec, aval, mesh):
    """Bytes of a device's part of an array."""
    n, spec = 1, spec or ()
    for i, d in enumerate(aval.shape):
        axes = spec[i] if i < len(spec) else None
        parts = math.prod(mesh[a] for a in ((axes,) if isinstance(axes, str) else axes or ()))
        n *= -(-d // parts)
    return n * getattr(aval.dtype, "itemsize", 0)


def _columns(rows):
    widths = [max(len(r[i]) for r in rows) for i in range(len(rows[0]))] if rows else []
    return "\n".join("  ".join(c.rjust(w) if i == len(r) - 1 else c.ljust(w) for i, (c, w) in enumerate(zip(r, widths))).rstrip() for r in rows)


def table(plan):
    """Paths, types, PartitionSpecs and bytes a device of all arguments and results."""
    program, out = plan._program, []
    for what, paths, avals, specs in (("arguments", program.call.paths, program.ins, plan._ins), ("results", program.out_paths, program.outs, plan._outs)):
        rows, total = [], 0
        for path, aval, spec in zip(paths, avals, specs):
            mine = _local(spec, aval, plan.mesh)
            total += mine
            rows.append((path, f"{aval.dtype}[{','.join(map(str, aval.shape))}]", _text_of(spec) if spec is not None else "left open", size(mine)))
        rows.append((f"{len(avals)} {what}", "", "", f"{size(total)}{' at most' if None in specs else ''}"))
        out.append(_columns(rows))
    return "\n\n".join(out) + "\n"


def by_line(collectives):
    """Bytes that a device receives by source line, from rows of Module.plan: {"model.py:41": bytes}."""
    found = {}
    for c in collectives:
        line = "arguments and results" if c.get("cause") == "function boundary" else line_of(c.get("location") or c.get("source") or "")
        found[line] = found.get(line, 0) + (c.get("received_total") or c.get("received") or 0)
    return found


def line_of(text):
    """"model.py:41" of a location in any form; "?" where nobody knows."""
    found = re.search(r'([^/\s"]+\.\w+)"?:(\d+)', text)
    return f"{found.group(1)}:{found.group(2)}" if found else "?"


def _pins(plan):
    lines, edits = [], plan.edits()
    for pin in plan.pins:
        frame = plan._program.equations.frame(pin["equation"])
        where = f"{os.path.basename(frame[0])}:{frame[2]} ({frame[1]})" if frame else "?"
        what = f"operand {~pin['place']} of {pin['primitive']}" if pin["place"] < 0 else pin["primitive"]
        lines.append((f"  {where}", f"{what}{list(pin['shape'])}{', backward' if pin['backward'] else ''}", _text_of(pin["spec"]), pin["cost"]))
    before = plan.best.get("pins_before")
    head = f"pins: {len(plan.pins)}" + (f" of {before} that the search set" if before is not None else "")
    text = head + "\n" + (_columns(lines) + "\n" if lines else "")
    if edits.advice:
        text += "not in plan.diff(), as no edit of a line says it; plan.jit has it:\n" + "".join(f"  {a}\n" for a in edits.advice)
    return text


def _ratio(now, best):
    return f"{now['step_seconds'] / best['step_seconds']:.3f}" if best["step_seconds"] else "nothing to compute"


def report(plan):
    """What the plan promises, what it costs, and what it could not say."""
    best, now = plan.best, plan.simulated()
    limit = plan.data.get("memory_limit_bytes")
    axes = ", ".join(f"{k}={v}" for k, v in plan.mesh.items())
    text = f"plan of {plan._program.call.name} on mesh {axes}, {math.prod(plan.mesh.values())} x {plan.data['device']}: {best['name']}\n"
    text += f"step: {seconds(best['step_seconds'])} promised, {seconds(now['step_seconds'])} for the program that JAX lowers with it"
    text += f" ({_ratio(now, best)})\n"
    text += f"memory: {size(best['peak_bytes'])} a device{f' of {size(limit)}' if limit else ''}; received: {size(best['received_bytes'])} in {best['collectives']} collectives\n"
    text += _pins(plan)
    lines = sorted(by_line(plan.relowered().plan().data["collectives"]).items(), key=lambda r: -r[1])[:5]
    if lines:
        text += "collectives that move the most, by source line\n" + _columns([(f"  {line}", size(n)) for line, n in lines]) + "\n"
    if plan.notes:
        text += "not expressed as it stands in the program\n" + "".join(f"  {n}\n" for n in plan.notes)
    return text
