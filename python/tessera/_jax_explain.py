# SPDX-License-Identifier: Apache-2.0
"""XLA's collectives of a jitted function, line by line: what each is for, what it costs, and which sharding to change.

Nothing runs on Tessera. XLA compiles the function, and its program is read as HLO text. Advice comes from the program before partitioning: Tessera's
own partitioner tries other shardings of what the user wrote. With verify, XLA compiles the program again with each piece of advice.
"""

import re

from .errors import EnvironmentFailure
from .module import Module


def explain(jitted, *args, device="h100", verify=False, most=10, **kwargs):
    """Explains jitted(*args): an Explanation. args may be jax.ShapeDtypeStruct. device: whose times; verify: compile with XLA again, for each of the
    `most` best pieces of advice."""
    if not hasattr(jitted, "lower"):
        raise TypeError("explain takes a jitted function: jax.jit(f)")
    lowered = jitted.lower(*args, **kwargs)
    lowered = getattr(lowered, "lowered", lowered)  # Equinox and Flax have their own around it
    written = Module.parse(lowered.as_text(debug_info=True), "program")
    compiled = Module.parse(_text_of(lowered.compile()), "compiled")
    found = Explanation(compiled.explain(device=device, most=most, verify=False), written.explain(device=device, most=most), device)
    if verify:
        found._verify(written)
    return found


def _text_of(compiled):
    text = compiled.as_text()
    if not text:
        raise EnvironmentFailure("this JAX backend does not show what it compiles")
    return text


def _line(row):
    """"model.py:12" of a row; None where nobody knows."""
    return f"{row['source']}:{row['line']}" if row.get("source") else None


class Explanation:
    """collectives: XLA's, the dearest first, as dictionaries: kind, source, op_name, bytes, turns, seconds, devices, cause, why, advice (numbers in
    .advice of what removes or shrinks it). advice: what to change, the largest saving first; with verify, each has "xla": bytes and collectives of
    XLA's program with it, and which of its collectives went or shrank ("gone"); the report then leaves out what saves XLA nothing. memory: values alive at the peak of XLA's program, by line. report(): all of it as
    text. before: the same of the program that Tessera's partitioner makes."""

    def __init__(self, compiled, before, device):
        self.device, self.before, self._compiled = device, before.data, compiled
        data = compiled.data
        self.advice = before.data["advice"]
        self.collectives = []
        for row in data["collectives"]:
            about = [i for i, a in enumerate(self.advice) if any(_same(row, before.data["collectives"][k]) for k in a["removes"])]
            self.collectives.append({**_row(row), "advice": about})
        self.memory = data["memory"]
        self.bytes, self.number = data["received_bytes"], data["number"]
        self.seconds = data["collective_seconds"]

    def _verify(self, written):
        for i, a in enumerate(self.advice):
            text = written.explain(device=self.device, apply=i + 1)
            again = Module.parse(_compile(text), "compiled").explain(device=self.device, verify=False).data
            old, new = (_sizes(rows) for rows in (self._compiled.data["collectives"], again["collectives"]))
            gone = [f"{kind} of {type}" for (kind, type, _), n in old.items() if new.get((kind, type, _), 0) < n]
            a["xla"] = {
                "received_bytes": again["received_bytes"],
                "saved_bytes": self.bytes - again["received_bytes"],
                "collectives": again["number"],
                "saved_seconds": self.seconds - again["collective_seconds"],
                "gone": gone if again["collective_seconds"] < self.seconds else [],
            }

    def report(self):
        """The report as text."""
        one = self.number == 1
        out = [f"XLA's program: {self.number} collective{'' if one else 's'} receive{'s' if one else ''} {_size(self.bytes)} a device, {_time(self.seconds)} on {self.device} if nothing hides them", ""]
        if self.advice:
            out.append("what to change (by Tessera's partitioner and simulator)")
        for i, a in enumerate(self.advice):
            if a.get("xla", {}).get("saved_seconds", 1) <= 0:
                continue
            out.append(f"{i + 1:3}  {a['text']}")
            out.append(f"     received {_size(self.before['received_bytes'])} -> {_size(a['received_bytes'])}, step {_time(self.before['step_seconds'])} -> {_time(a['step_seconds'])}")
            if "xla" in a:
                x = a["xla"]
                out.append(f"     XLA with it: received {_size(self.bytes)} -> {_size(x['received_bytes'])}, without {', '.join(x['gone'])}")
        if self.collectives:
            out += ["", "XLA's collectives, dearest first"]
        for i, c in enumerate(self.collectives):
            times = f", {c['turns']} times" if c["turns"] > 1 else ""
            out.append(f"{i + 1:3}  {c['source'] or c['cause']}: {c['kind']} among {c['devices']} devices{times}: {_size(c['bytes'])}, {_time(c['seconds'])}")
            out.append(f"     {c['why']}")
            if c["advice"]:
                out.append("     see " + ", ".join(str(k + 1) for k in c["advice"]))
        if self.memory:
            out += ["", "memory at the peak, by line"]
        for m in self.memory:
            out.append(f"     {_size(m['bytes'])}  {m['location'] or m['what']}")
        return "\n".join(out) + "\n"

    __str__ = report


def _row(row):
    found = {key: row[key] for key in ("kind", "op_name", "turns", "seconds", "devices", "number", "cause", "why", "type", "as_reduce_scatter", "counts_as")}
    return {**found, "source": row["location"], "bytes": row["received_bytes"]}


def _same(row, other):
    """Whether XLA's collective is that one of our partitioner: of its line, or of its kind and size, since XLA gives some the line of a fused op."""
    if row["kind"] != other["kind"]:
        return False
    a, b = row["received_bytes"], other["received_bytes"]
    return (_line(row) is not None and _line(row) == _line(other)) or abs(a - b) < 0.01 * max(a, b)


def _sizes(rows):
    """Bytes by kind, type and number of devices."""
    found = {}
    for r in rows:
        key = r["kind"], r["type"], r["devices"]
        found[key] = found.get(key, 0) + r["received_bytes"]
    return found


def _size(n):
    if n is None or n < 0:
        return "?"
    for unit in ("B", "KB", "MB", "GB"):
        if n < 1000:
            return f"{n:.3g} {unit}"
        n /= 1000
    return f"{n:.3g} TB"


def _time(s):
    return f"{s:.3g} s" if s >= 1 else f"{s * 1e3:.3g} ms" if s >= 1e-3 else f"{s * 1e6:.3g} us"


def _compile(text):
    """What XLA makes of a program as text: the one place here that uses what JAX has no public name for."""
    try:
        import numpy as np
        import jax
        import jaxlib
        from jax._src import compiler
        from jax._src.interpreters import mlir
        from jax._src.lib.mlir import ir

        found = {k: int(n) for k, n in re.findall(r"mhlo\.num_(\w+) = (\d+) : i32", text[:4096])}
        n, replicas = found.get("partitions", 1), found.get("replicas", 1)
        devices = jax.devices()[: n * replicas]
        options = compiler.get_compile_options(num_replicas=replicas, num_partitions=n, device_assignment=np.arange(n * replicas).reshape(replicas, n))
        options.executable_build_options.use_spmd_partitioning = n > 1
        options.executable_build_options.use_shardy_partitioner = True
        with mlir.make_ir_context():
            made = devices[0].client.compile_and_load(ir.Module.parse(text), jaxlib._jax.DeviceList(tuple(devices)), options)
    except (ImportError, AttributeError, TypeError) as error:
        raise EnvironmentFailure(f"explain(verify=True) compiles a program as text, which this jax does otherwise ({error})") from None
    return made.hlo_modules()[0].to_string()
