# SPDX-License-Identifier: Apache-2.0
"""What explain tells: graphs, splits, ops without rows, time and memory."""

import time

from . import _torch_private as private


class Explanation:
    """str() is for people; data: a dictionary of the same."""

    def __init__(self, records, breaks, seconds, first, later):
        self.modules = [step.executable for _, plan in records for step in plan.steps if hasattr(step, "executable")]
        graphs = []
        for r, plan in records:
            eager = [{"op": name, "reason": reason, "lines": sorted({f"{p[0]}:{p[1]}" for p in places if p})} for (name, reason), places in sorted(r.eager.items())]
            graphs.append({"kind": r.kind, "nodes": r.nodes, "in_programs": r.inside, "segments": r.segments, "eager": eager, "ops": dict(sorted(r.ops.items())),
                           "build_seconds": r.build_seconds, "compile_seconds": r.compile_seconds, "memory": dict(r.memory), "copied_inputs": copied(plan)})
        self.data = {"graphs": graphs, "graph_breaks": breaks, "first_call_seconds": first, "call_seconds": later, "seconds": seconds}

    def __str__(self):
        d, lines = self.data, []
        lines.append(f"{len(d['graphs'])} graphs; the first call took {d['first_call_seconds']:.2f} s, a later one {1e3 * d['call_seconds']:.3f} ms")
        for k, g in enumerate(d["graphs"]):
            share = 100 * g["in_programs"] / g["nodes"] if g["nodes"] else 100
            peak = g["memory"].get("peak", 0)
            lines.append(f"graph {k}, {g['kind']}: {g['in_programs']} of {g['nodes']} ops in programs ({share:.0f} %), {g['segments']} steps; built in"
                         f" {1e3 * g['build_seconds']:.1f} ms, compiled in {1e3 * g['compile_seconds']:.1f} ms; {peak / 1e6:.2f} MB at the peak")
            for e in g["eager"]:
                where = f", at {', '.join(e['lines'][:3])}" if e["lines"] else ""
                lines.append(f"  in eager: {e['op']} ({e['reason']}){where}")
            if g["copied_inputs"]:
                lines.append(f"  inputs that each call copies, since they have gaps: {g['copied_inputs']}")
        for reason, n in d["graph_breaks"].items():
            lines.append(f"graph break, {n} times: {reason}")
        return "\n".join(lines)

    def __repr__(self):
        return f"<Explanation: {len(self.data['graphs'])} graphs>"


def copied(plan):
    from ._torch_call import _dense

    return sum(not _dense(step.segment.reader, n) for step in plan.steps if hasattr(step, "segment") for n in step.segment.inputs)


def tensors(x):
    if hasattr(x, "requires_grad"):
        return [x]
    if isinstance(x, dict):
        x = x.values()
    return [t for v in x for t in tensors(v)] if isinstance(x, (list, tuple, type({}.values()))) else []


def explained(torch, model, args, kwargs, logs, backward):
    log = []
    logs.append(log)
    try:
        private.forget()
        compiled = torch.compile(model, backend="tessera")

        def call():
            out = [t for t in tensors(compiled(*args, **kwargs)) if t.requires_grad]
            if out and backward:  # gradients of what can be reached from here
                wanted = [p for p in getattr(model, "parameters", lambda: [])() if p.requires_grad] or [t for t in tensors([args, kwargs]) if t.requires_grad]
                if wanted:
                    torch.autograd.grad([t.sum() for t in out], wanted, allow_unused=True)

        start = time.perf_counter()
        call()
        first = time.perf_counter() - start
        start = time.perf_counter()
        call()
        later = time.perf_counter() - start
        return Explanation(log, private.graph_breaks(), first + later, first, later)
    finally:
        logs.remove(log)
        private.forget()
