# SPDX-License-Identifier: Apache-2.0
"""Names of arguments, results and values with every kind of character, through text, bytecode, artifacts, saved programs, reports, JSON and patterns.

    names.py [--count N] [--seed S]
"""

import argparse
import json
import random
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "python"))

import tessera as ts  # noqa: E402

ODD = [
    b"params['w']", b"state.opt[0].mu['a b']", b'q"uote', b"back\\slash", b"line\nbreak", b"tab\t", b"\x00nul", b"\x7f", b"\xff\xfe broken", "größe".encode(),
    "权重/层".encode(), "\u202eleft".encode(), "\U0001f600".encode(), b"", b"%arg1", b"#0", b"a" * 5000, b"a/b/../c", b"*", b"**", b"?", b"x:y", b"x:(1)2", b"</script>", b"'", b"[]",
    b"same", b"same", b"\xc3", b"\xed\xa0\x80", b"jit(f)/jvp(block)/dot_general", b"\x1b[31mred", b"{\"a\": 1}", b"loc(\"x\")", b"!&<>", b"0", b" ", b"w.0", b"w[0]",
]  # fmt: skip


def quoted(name):
    return '"' + "".join(f"\\{b:02X}" for b in name) + '"'


def shown(name):
    """As Python gets it: text of UTF-8, with what is none replaced."""
    return name.decode(errors="replace")


def normal(name):
    for c in "[]'\".":
        name = name.replace(c, "/")
    return "/".join(p for p in name.split("/") if p)


def program(args, results, value, stack):
    """Arguments by location or attribute, results by attribute, a value inside a call's name."""
    n = len(args)
    heads = []
    for i, (name, how) in enumerate(args):
        text = f"%a{i}: tensor<4x8xf32>"
        if how == "attribute" and name:
            text += f" {{jax.arg_info = {quoted(name)}}}"
        heads.append(text + (f" loc({quoted(name)})" if how == "location" and name else ""))
    outs = ", ".join("tensor<4x8xf32>" + (f" {{jax.result_info = {quoted(r)}}}" if r else "") for r in results)
    where = f"loc(callsite({quoted(value)} at {quoted(stack)}))" if value and stack else f"loc({quoted(value)})" if value else ""
    lines = [f"  %s0 = stablehlo.add %a0, %a{n - 1} : tensor<4x8xf32> {where}"]
    returned = ", ".join(["%s0"] * len(results))
    types = ", ".join(["tensor<4x8xf32>"] * len(results))
    return f"func.func @main({', '.join(heads)}) -> ({outs}) {{\n" + "\n".join(lines) + f"\n  return {returned} : {types}\n}}\n"


class Test:
    def __init__(self):
        self.passed, self.failed = 0, 0

    def check(self, ok, what):
        self.passed += bool(ok)
        self.failed += not ok
        if not ok:
            print(f"failed: {what}")

    def forms(self, module):
        """The module in every form that is saved and read again."""
        yield "itself", module
        yield "text", ts.Module.parse(module.print(debug_info=True))
        yield "generic text", ts.Module.parse(module.print(debug_info=True, generic=True))
        yield "bytecode", ts.Module.parse(module.bytecode())
        yield "artifact", ts.Module.parse(module.serialize())
        yield "program", ts.Executable.load(module.compile().save()).module
        yield "copy", module.clone()

    def run(self, rng):
        pick = lambda: rng.choice(ODD) if rng.random() < 0.8 else bytes(rng.randrange(256) for _ in range(rng.randrange(1, 40)))  # noqa: E731
        args = [(pick(), rng.choice(["location", "attribute"])) for _ in range(rng.randrange(1, 5))]
        results, value, stack = [pick() for _ in range(rng.randrange(1, 3))], pick(), pick()
        text = program(args, results, value, stack)
        module = ts.Module.parse(text)
        want = [shown(a) if a else f"%arg{i}" for i, (a, _) in enumerate(args)]
        want_results = [shown(r) if r else f"#{i}" for i, r in enumerate(results)]
        together = value if value == stack or value.startswith(stack + b"/") else stack + b"/" + value
        want_value = "%0" if not value else shown(together if stack else value)
        for form, m in self.forms(module):
            self.check(m.names() == (want, want_results), f"{form}: {m.names()} are not {(want, want_results)}")
            found = m["main"].body.ops[0].result.name
            self.check(found == want_value, f"{form}: {found!r} is not {want_value!r}")
        self.reports(module, want, want_results)
        self.patterns(module, want)

    def reports(self, module, args, results):
        spelt = lambda names, found: all(a == b or "\ufffd" in a for a, b in zip(names, found))  # noqa: E731
        plan = module.plan(mesh="x=2", inputs={0: "x"})
        self.check(spelt(args, [a["name"] for a in plan.data["arguments"]]), f"the plan's arguments: {plan.data['arguments']}")
        self.check(spelt(results, [r["name"] for r in plan.data["results"]]), f"the plan's results: {plan.data['results']}")
        self.check(len(plan.text.splitlines()) == 9 + len(args) + len(results), f"lines of the plan:\n{plan.text}")
        self.check(module.simulate(mesh="x=2", inputs={0: "x"}).data["devices"] == 2, "the simulation")
        found = module.clone().auto_shard(mesh="x=2")
        self.check(spelt(args, found["argument_names"]), f"the search's arguments: {found['argument_names']}")
        plan = ts.Plan(str(module.find_plan(mesh="x=2", pins="all")))
        self.check(spelt(args, [a["name"] or args[i] for i, a in enumerate(plan.candidate["arguments"])]), f"the plan file's arguments: {plan.candidate['arguments']}")
        self.check(module.check_plan(plan), "the plan, read again, for the program itself")
        profile = module.profile()
        self.check(len(json.dumps(profile.data)) > 0, "the profile")
        page = module.page(mesh="x=2", inputs={0: "x"})
        self.check(page.count("</script>") == page.count("<script"), "scripts of the page")

    def patterns(self, module, names):
        """A pattern cuts exactly the arguments that it fits."""
        for i, name in enumerate(names):
            if not normal(name) or "\ufffd" in name or any(c in name for c in "*?"):
                continue
            fits = [normal(n) == normal(name) or name == f"%arg{k}" for k, n in enumerate(names)]
            cut = [a["sharding"] != "replicated" for a in module.plan(mesh="x=2", inputs={name: "x?,_"}).data["arguments"]]
            self.check(all(c for c, f in zip(cut, fits) if f), f"{name!r} of {names}: {cut}")
        cut = module.plan(mesh="x=2", inputs={"**": "x,_"}).data["arguments"]
        self.check(all(a["sharding"] != "replicated" for a in cut), f"** of {names}")
        try:
            module.plan(mesh="x=2", inputs={"no such/na*me": "x,_"})
            self.check(False, "a pattern that fits nothing")
        except ts.TesseraError as e:
            self.check("no argument is called 'no such/na*me'" in str(e), e)


def glob():
    """The matching of patterns against a slow and simple one."""
    import itertools

    def part(p, s):
        if not p:
            return not s
        if p[0] == "*":
            return any(part(p[1:], s[i:]) for i in range(len(s) + 1))
        return bool(s) and p[0] in ("?", s[0]) and part(p[1:], s[1:])

    def fits(p, s):
        if not p:
            return not s
        if p[0] == "**":
            return any(fits(p[1:], s[i:]) for i in range(len(s) + 1))
        return bool(s) and part(p[0], s[0]) and fits(p[1:], s[1:])

    t = Test()
    paths = ["/".join(p) for n in (1, 2, 3) for p in itertools.product(["a", "ab", "b"], repeat=n)]
    args = ", ".join(f'%a{i}: tensor<2xf32> loc("{p}")' for i, p in enumerate(paths))
    m = ts.Module.parse(f"func.func @main({args}) {{ return }}")
    for n in (1, 2, 3, 4):
        for pattern in itertools.product(["a", "a*", "*b", "?", "*", "**"], repeat=n):
            want = [fits(list(pattern), p.split("/")) for p in paths]
            if not any(want) or n > 3 and "**" not in pattern:
                continue
            found = [a["sharding"] != "replicated" for a in m.plan(mesh="x=2", inputs={"/".join(pattern): "x"}).data["arguments"]]
            t.check(found == want, f"{pattern}: {[p for p, f, w in zip(paths, found, want) if f != w]}")
    return t


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    t = glob()
    for seed in range(options.seed, options.seed + options.count):
        before = t.failed
        t.run(random.Random(seed))
        if t.failed > before:
            print(f"  seed {seed}")
    print(f"{t.passed} passed, {t.failed} failed")
    return t.failed > 0


if __name__ == "__main__":
    sys.exit(main())
