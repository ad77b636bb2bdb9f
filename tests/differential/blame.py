#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""One op of a program is made wrong; tessera run --against and ttrt run name it.

    blame.py [--bin build/bin] [--count N] [--seed S] [--save DIR] [--kind ttir|ttnn|stablehlo|ttrt]

Random programs of TTIR (against themselves, and lowered to TTNN against TTIR) and of StableHLO; with ttrt, binaries with goldens of the TTIR. In each, some ops get a mistake, one at a time: another
name, or another operand of the same type. Where results differ, the op that is blamed must be at the location of the mistake; if the other program
has no value for the wrong op, it must be named as one before the blamed op. Otherwise, by construction: no result differs, or the wrong value itself is
within the tolerance and the difference is said to have grown. ttrt knows values alone: the op that it names is right if those at the wrong op's location
have no golden, and programs are without narrow floats, which need only correlate. Programs that fail are saved.
"""
import collections
import os
import random
import re
import sys
import tempfile

import programs
import trial
import ttir_programs
import ttnn

# Ops of one signature: a name becomes another one of its list.
ALIKE = [
    "abs neg sin cos tanh exp sigmoid floor ceil sign relu".split(),
    "cosine sine exponential negate logistic".split(),
    "add subtract multiply maximum minimum".split(),
    "sum mean max min".split(),
    "eq ne lt le gt ge".split(),
    "and or xor".split(),
]
# What a program of StableHLO is made of: ops that meet nobody, call nothing, and that have a text of one line.
HLO = ("abs cosine exponential floor logistic negate sine tanh add maximum minimum multiply subtract select compare clamp transpose reshape "
       "broadcast_in_dim concatenate pad slice reverse dot_general reduce while gather").split()
MISTAKES = 3  # in each program
KINDS = ["ttir", "ttnn", "stablehlo", "ttrt"]


def ttir(rng, number):
    del number
    p = ttnn.of_devices(rng)
    for _ in range(rng.randint(3, 9)):
        rng.choice(ttir_programs.OPS)(p)
    return p.text()


def stablehlo(rng, number):
    del number
    p = programs.Program(rng)
    for _ in range(rng.randint(3, 9)):
        programs.OPS[rng.choice(HLO)](p)
    body = "".join(f"  {line}\n" for line in p.lines).replace("SHARD", "").replace("DICT", "")
    out = p.values[-4:]
    types = ", ".join(v.type for v in out)
    args = ", ".join(f"{a.name}: {a.type}" for a in p.args)
    return f"func.func @main({args}) -> ({types}) {{\n{body}  return {', '.join(v.name for v in out)} : {types}\n}}\n"


class Text:
    """A printed program, with locations: its ops of one line in the body of main."""

    LINE = re.compile(r'^( *)(%\w+) = "(\w+)\.(\w+)"\(([^()]*)\)(.*) : \((.*)\) -> (tensor<[^()]*>) loc\((#\w+)\)$')

    def __init__(self, text):
        self.lines = [line for line in text.split("\n") if '"ttnn.deallocate"' not in line]  # a value may be read later than it was
        self.places = dict(re.findall(r'^(#loc\w*) = loc\("[^"]*":(\d+:\d+)\)$', text, re.M))
        start = next(i for i, line in enumerate(self.lines) if re.search(r"@main\b|sym_name = \"main\"", line) and "private" not in line)
        depth = None
        self.ops, self.args = [], re.findall(r"(%\w+): (tensor<[^()]*?>)(?= loc|,|\))", self.lines[start])
        for i in range(start + 1, len(self.lines)):
            found = self.LINE.match(self.lines[i])
            depth = len(found[1]) if found and depth is None else depth
            if re.match(r" *(func\.)?return ", self.lines[i]) or '"func.return"' in self.lines[i]:
                break
            if found and len(found[1]) == depth:
                self.ops.append((i, found))

    def mistake(self, rng):
        """A text with a mistake, the name of the op, and its place; None if there is none to make."""
        i, op = rng.choice(self.ops)
        dialect, name, operands = op[3], op[4], op[5].split(", ") if op[5] else []
        ways = [[n for n in some if n != name] for some in ALIKE if name in some]
        line = self.lines[i]
        if ways and rng.random() < 0.6:
            new = rng.choice(rng.choice(ways))
            line = line.replace(f'"{dialect}.{name}"', f'"{dialect}.{new}"')
        else:
            new = name
            types = re.split(r", (?=tensor<)", op[7])
            if not operands or len(types) != len(operands):
                return None
            k = rng.randrange(len(operands))
            others = [o[2] for at, o in self.ops if at < i and o[8] == types[k]] + [a for a, t in self.args if t == types[k]]
            others = [o for o in others if o != operands[k]]
            if not others:
                return None
            operands[k] = rng.choice(others)
            line = line.replace(f"({op[5]})", f"({', '.join(operands)})", 1)
        return "\n".join(self.lines[:i] + [line] + self.lines[i + 1:]), f"{dialect}.{new}", self.places.get(op[9])


def judge(run, name, place):
    """What became of a mistake: a word that is counted; FAIL: another op is blamed."""
    if run.returncode == 0:
        return "no result differs"
    if "error:" in run.stderr:
        return "is refused"
    said = re.search(r"^(.*?):(\d+:\d+): remark: (?:loc\(.*?\): )?'([\w.]+)' op (.*)$", run.stderr, re.M)
    if not said:
        return "FAIL: nothing is blamed"
    if "the difference has grown" in said[4]:
        return "within the tolerance at the op, has grown"
    if said[2] == place:
        return "blamed"
    if f"'{name}'" in said[4].split("; or ")[-1] and "; or " in said[4]:
        return "blamed, as one before the next that both have"
    return f"FAIL: {said[3]} at {said[2]} is blamed for {name} at {place}"


def judge_binary(run, place, goldens):
    if run.returncode == 0:
        return "no result differs"
    said = re.search(r"off; '([\w.]+)' op at loc\(\"[^\"]*\":(\d+:\d+)\) is the first that is wrong", run.stdout)
    if run.returncode != 42:
        return "is refused"
    if said and said[2] == place:
        return "blamed"
    if place not in goldens:
        return "has no golden"
    return f"FAIL: {said[1] + ' at ' + said[2] if said else 'an output'} is blamed for the op at {place}"


def run_binary(options, wrong, source, seed):
    """ttrt run of a binary of the wrong program with goldens of the right one, and the places that have goldens."""
    tool, binary = (os.path.join(options.bin, n) for n in ("ttmlir-translate", "ttrt"))
    made = trial.run(tool, "--ttnn-to-flatbuffer", wrong, f"--goldens-from={source}", f"--seed={seed}", "-o", wrong + ".ttnn")
    if made.returncode:
        return made, []
    read = trial.run(binary, "read", "--section=debug_info", wrong + ".ttnn").stdout
    said = trial.run(binary, "run", wrong + ".ttnn", f"--result-file={wrong}.json")
    return said, re.findall(r'"key": "loc\(\\".*?\\":(\d+:\d+)\)"', read)


def main():
    p = trial.parser(__doc__, 60)
    p.add_argument("--kind", choices=KINDS)
    options = p.parse_args()
    tool = os.path.join(options.bin, "tessera")
    ttir_programs.FLOATS, ttir_programs.INTS = ["f32", "bf16"], ["i32", "i32"]
    failed = 0
    for kind in [options.kind] if options.kind else KINDS:
        counts = collections.Counter()
        with tempfile.TemporaryDirectory() as tmp:
            given, source, wrong = (os.path.join(tmp, f) for f in ("given.mlir", "in.mlir", "wrong.mlir"))
            for i in range(options.count):
                rng = random.Random(options.seed * trial.SEEDS + i)
                with open(given, "w") as f:
                    f.write((stablehlo if kind == "stablehlo" else ttir)(rng, i))
                form = ["--mlir-print-debuginfo"] + ["--mlir-print-op-generic"] * (kind == "stablehlo")
                trial.run(tool, "opt", given, *form, "-o", source)
                how = ["--ttir-to-ttnn-backend-pipeline=disable-workarounds=true"] if kind in ("ttnn", "ttrt") else []
                made = trial.run(tool, "opt", source, *how, *form)
                if made.returncode:
                    counts["program is not lowered"] += 1
                    continue
                if kind == "ttrt" and "bf16" in made.stdout.split("func.func", 1)[1]:
                    continue
                text = Text(made.stdout)
                for _ in range(MISTAKES if text.ops else 0):
                    found = text.mistake(rng)
                    if not found:
                        continue
                    with open(wrong, "w") as f:
                        f.write(found[0])
                    flags = ["--input=random", f"--seed={i}", "--division-by-zero=ignore", "--strict-rounding", f"--against={source}"]
                    if kind == "ttrt":
                        said, goldens = run_binary(options, wrong, source, i)
                        word = judge_binary(said, found[2], goldens)
                    else:
                        word = judge(trial.run(tool, "run", wrong, *flags), found[1], found[2])
                    if word.startswith("FAIL"):
                        failed += 1
                        os.makedirs(options.save, exist_ok=True)
                        for path, name in ((source, "right"), (wrong, "wrong")):
                            with open(path) as f, open(os.path.join(options.save, f"blame_{kind}_{options.seed}_{i}_{failed}_{name}.mlir"), "w") as to:
                                to.write(f.read())
                        print(f"{word}: {options.save}/blame_{kind}_{options.seed}_{i}_{failed}_wrong.mlir {' '.join(flags[:-1])}")
                    counts[word.split(":")[0]] += 1
        right = sum(n for word, n in counts.items() if word.startswith("blamed"))
        print(f"# {kind}: the wrong op is named in {right} of {right + counts['FAIL']} programs; " +
              ", ".join(f"{word}: {n}" for word, n in sorted(counts.items())))
        if right < options.count // 4:
            failed += 1
            print(f"FAIL {kind}: too few mistakes show")
        passed = right if kind == (options.kind or "ttir") else passed + right
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
