# SPDX-License-Identifier: Apache-2.0
"""No flag is ignored: each one, alone and beside each other one, on each form of input, changes what a command does or is refused.

A command runs with and without the flag. Exit code, output, messages and files must differ, or the pair stands in SAME with
the reason why nothing can be seen. The last line is 'N passed, N failed'.
"""
import argparse, concurrent.futures, os, re, subprocess, sys, tempfile

here = os.path.dirname(os.path.abspath(__file__))
PLAN = tempfile.NamedTemporaryFile(suffix=".json")  # of the program below
SOURCE = os.path.join(here, "tools", "Inputs", "flags.mlir")
LIMITS = [("--max-steps=1", "run"), ("--max-seconds=1e-9", ""), ("--max-bytes=100", ""), ("--max-ops=1", ""), ("--max-stack=1", "run")]

# For each command what it is called with, and its flags, each with others that it needs to show.
COMMANDS = {
    "run": ("--input=random", [
        ("--function=other", ""), ("--seed=7", ""), ("--division-by-zero=error", ""), ("--output=out", ""),
        ("--expect=4x300xf32=0", ""), ("--rtol=1e9", "--expect=4x300xf32=0"), ("--atol=1e9", "--expect=4x300xf32=0"),
        ("--spmd", "--max-devices=1"), ("--mesh=x=4", ""), ("--arg=0:_,x", "--spmd --check"), ("--result=0:_,x", "--spmd --check"),
        ("--mesh-shape=1,2", ""), ("--check", "--spmd"), ("--engine=reference", "--dump-program"), ("--dump-program", ""), ("--print", "--timing"), ("--full", ""), ("--timing", ""),
        ("--threads=3", ""), ("--repeat=3", "--timing"), ("--memory", ""), ("--json", "--memory"), ("--strict-rounding", "--dump-program"),
        ("--check=ops", ""), ("--against=SOURCE", ""), ("--gemm=own", ""), ("--profile=trace.json", ""), ("--machine=none.json", "--profile=trace.json"),
    ]),
    "compile": ("-o=out", [
        ("--function=other", ""), ("--strict-rounding", ""), ("--spmd", ""), ("--mesh=x=4", ""), ("--arg=0:_,x", ""), ("--result=0:_,x", "--mesh=x=4"),
        ("--mesh-shape=1,2", ""), ("--timing", ""),
    ]),
    "shard": ("", [
        ("--mesh=x=4", ""), ("--arg=1:_,x", ""), ("--result=1:x", ""), ("--function=other", ""), ("--why=%arg0", ""), ("--json", ""),
        ("-o=out", ""), ("--picture", ""), ("--auto", ""), ("--memory=1M", "--auto"), ("--device=a100", "--auto"), ("--explain", "--auto"),
        ("--plan=plan", "--auto"), ("--candidate=1", "--auto"), ("--pins=all", "--auto --plan=plan"), ("--expressible", "--auto --plan=plan"), ("--apply-plan=PLAN", ""),
    ]),
    "check-plan": ("--plan=PLAN", [
        ("--tolerance=1", ""), ("--device=a100", ""), ("--memory=1K", ""), ("--pins=none", ""), ("--json", ""),
    ]),
    "simulate": ("", [
        ("--mesh=x=4", ""), ("--devices=4", ""), ("--axes=a,b", "--devices=4"), ("--function=other", ""), ("--device=a100", ""), ("--json", ""), ("--trace=out", ""),
    ]),
    "explain": ("", [
        ("--mesh=x=4", ""), ("--arg=1:_,x", ""), ("--result=0:_,x", ""), ("--function=other", ""), ("--device=a100", "--arg=0:_,x"), ("--most=1", ""),
        ("--no-verify", "--mesh=x=4 --arg=0:_,x"), ("--apply=1", ""), ("--json", ""),
    ]),
    "explore": ("", [
        ("--mesh=x=4", ""), ("--arg=1:_,x", ""), ("--result=1:x", ""), ("--function=other", ""), ("--after=cse", ""), ("--expand", ""),
        ("--dot", ""), ("--svg", ""), ("--json", ""), ("-o=out", ""), ("--versus", ""),
    ]),
    "grad": ("", [
        ("--function=other", ""), ("--wrt=0", ""), ("--mode=forward", ""), ("--remat=cheap", ""), ("--with-results", ""), ("-o=out", ""),
    ]),
    "opt": ("--cse", [
        ("-o=out", ""), ("--split-input-file", ""), ("--verify-diagnostics", ""), ("--output-split-marker=// +++", ""),
        ("--verify-all", ""), ("--verify-roundtrip", ""), ("--mlir-print-op-on-diagnostic", ""),
        ("--mlir-very-unsafe-disable-verifier-on-parsing", ""), ("--pass-pipeline=builtin.module(cse)", ""),
        ("--dump-pass-pipeline", ""), ("--dump-clusters", ""), ("--mlir-pass-pipeline-crash-reproducer=r.mlir", ""),
        ("--run-reproducer", ""), ("--no-implicit-module", ""), ("--mlir-print-op-generic", ""), ("--mlir-print-debuginfo", ""),
        ("--mlir-print-local-scope", "--mlir-print-debuginfo"), ("--mlir-elide-elementsattrs-if-larger=2", ""),
        ("--mlir-print-unique-ssa-ids", ""), ("--mlir-use-nameloc-as-prefix", ""), ("--mlir-print-ir-before=cse", ""),
        ("--mlir-print-ir-after=cse", ""), ("--mlir-print-ir-before-all", ""), ("--mlir-print-ir-after-all", ""),
        ("--mlir-print-ir-after-change", ""), ("--mlir-print-ir-module-scope", ""), ("--mlir-print-ir-tree-dir=tree", ""),
        ("--print-ir-before=cse", ""), ("--print-ir-after=cse", ""), ("--print-ir-before-all", ""), ("--print-ir-after-all", ""),
        ("--mlir-timing", ""), ("--timing", ""), ("--mlir-timing-display=list", ""), ("--mlir-pass-statistics", ""),
        ("--mlir-pass-statistics-display=list", ""), ("--list-passes", ""), ("--list-ops", ""), ("--show-dialects", ""),
        ("--emit-bytecode", ""), ("--emit-bytecode-version=3", ""), ("--sdy-basic-propagate", ""),
    ]),
    "translate": ("--serialize --target=current --allow-other-dialects", [
        ("-o=out", ""), ("--split-input-file", ""), ("--verify-diagnostics", ""), ("--interpret", ""), ("--deserialize", ""),
        ("--args=[]", ""), ("--probe-output-dir=d", ""), ("--interpreter-print-dense", ""), ("--strip-debuginfo", ""),
        ("--mlir-print-debuginfo", ""), ("--print-stablehlo-version", ""),
    ]),
}


def words(text):
    return text.split(" ") if text and "// +++" not in text else [text] if text else []


def run(tool, command, text):
    """What a command does: exit code, output, messages, files. Times are no difference."""
    with tempfile.TemporaryDirectory() as tmp:
        argv = [tool, command] + [t.replace("SOURCE", SOURCE).replace("PLAN", PLAN.name) for t in text]
        argv = [w for a in argv for w in (a.split("=", 1) if a.startswith("-o=") else [a])]
        p = subprocess.run(argv, cwd=tmp, stdin=subprocess.DEVNULL, capture_output=True, timeout=120)
        files = {}
        for folder, _, names in os.walk(tmp):
            for n in names:
                path = os.path.join(folder, n)
                files[os.path.relpath(path, tmp)] = open(path, "rb").read()
        err = p.stderr
        if any("timing" in a for a in text):
            err = re.sub(rb"[ 0-9.()%]+", b"#", err)
        return p.returncode, p.stdout, err, files


# Flags that show only on a file of their own: mistakes, chunks, a function without a module.
OWN = {
    "--split-input-file": "split.mlir", "--verify-diagnostics": "unfit.mlir", "--verify-all": "bad_ops.mlir",
    "--mlir-print-op-on-diagnostic": "unfit.mlir", "--mlir-very-unsafe-disable-verifier-on-parsing": "unfit.mlir",
    "--no-implicit-module": "mm.mlir",
}
# Flags that show nothing beside another one, or at all, and why: command, flag, the other one, reason.
SAME = [
    ("opt|translate", "|".join(OWN), ".*", "the module is good, and one chunk: OWN has files on which they show"),
    ("opt", "--verify-roundtrip|--mlir-pass-pipeline-crash-reproducer.*", ".*", "nothing goes wrong: tests/tools/mlir_opt_flags.test"),
    ("opt", ".*", "--list-.*|--show-dialects", "lists, and exits"),
    ("opt", "--(mlir-)?print-ir-(before|after)(-all)?(=cse)?", "--(mlir-)?print-ir-(before|after)(-all)?(=cse)?", "the same passes twice"),
    ("opt", "--mlir-print-ir-after-change", ".*", "the one pass changes the module"),
    ("opt", "--(mlir-)?timing", "--(mlir-)?timing", "two names"),
    ("opt", "--mlir-pass-statistics-display.*", ".*", "the table has one row"),
    ("opt", "--mlir-print-unique-ssa-ids", "--mlir-print-op-generic", "the generic form has them, as MLIR's does"),
    ("opt", "--output-split-marker.*", "--split-input-file", "there is one chunk"),
    ("opt", "--mlir-pass-statistics", "--mlir-pass-statistics-display.*", "it implies the table"),
    ("explain", "--no-verify", "--function=other", "there is nothing to advise"),
    ("explain", "--device.*", "--apply.*", "the best advice is the same"),
    ("run", "--division-by-zero.*", "--function=other", "that function divides nothing"),
    ("run", "--[ra]tol.*", "--function=other", "shapes differ, which no tolerance mends"),
    ("run", "--[ra]tol.*", "--[ra]tol.*", "one is so large that all passes"),
    ("run", "--result.*", ".*", "results are whole, however they were sharded; `tessera shard` shows it"),
    ("run", "--arg.*", "--result.*|--check", "the same"),
    ("run", "--seed.*", "--check|--timing|--result.*|--repeat.*|--json|--against.*", "results are not printed"),
    ("run", "--max-steps.*", "--function=other", "its two ops run as one loop, which is a step"),
    ("run", "--threads.*", ".*", "results have the same bits for any number: tests/exec/threads.sh"),
    ("run", "--gemm.*", ".*", "it is the default: tests/exec/gemm.test has the others"),
    ("run", "--repeat.*", ".*", "times are no difference; of more runs the last one's results are given"),
    ("run", "--strict-rounding", ".*", "the program has no narrow floats: tests/exec/strict.mlir"),
    ("compile", "--spmd", "--(mesh|arg|result).*", "they imply it"),
    ("explore", "--expand", ".*", "what is left of the module is one function without regions: tests/explorer/explore.test"),
    ("explore", "--after.*", "--function=other", "that function has nothing twice"),
    ("shard", "--arg.*", "--auto|--memory.*|--device.*", "the search finds the same"),
    ("check-plan", "--pins=none", ".*", "the plan has no pins: tests/tools/plan.test"),
    ("shard", "--(arg|result).*", "--why.*", "the sharding of %arg0 does not come from there"),
]


def is_same_on_purpose(command, flag, beside):
    return any(re.fullmatch(c, command) and re.fullmatch(f, flag) and re.fullmatch(b, beside) for c, f, b, _ in SAME)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--bin", default="build/bin")
    p.add_argument("--pairs", action="store_true", help="each flag beside each other one, too")
    p.add_argument("--every", type=int, default=1, help="only each Nth pair")
    p.add_argument("--only", default="", help="one command")
    p.add_argument("--inputs", default=os.path.join(here, "tools", "Inputs"))
    a = p.parse_args()
    tool = os.path.abspath(os.path.join(a.bin, "tessera"))
    source = os.path.abspath(os.path.join(a.inputs, "flags.mlir"))
    tmp = tempfile.TemporaryDirectory()
    forms = {"text": source, "bytecode": os.path.join(tmp.name, "flags.mlirbc"), "artifact": os.path.join(tmp.name, "flags.vhlo")}
    portable = ["translate", "--serialize", "--target=current", "--allow-other-dialects", source, "-o", forms["artifact"]]
    subprocess.run([tool, "opt", source, "--emit-bytecode", "-o", forms["bytecode"]], check=True)
    subprocess.run([tool] + portable, check=True)
    subprocess.run([tool, "shard", source, "--auto", "--plan=" + PLAN.name], check=True, capture_output=True)
    jobs = []
    for command, (base, flags) in COMMANDS.items():
        if a.only and a.only != command:
            continue
        limits = [(l, "") for l, of in LIMITS if not of or of == command]
        for form in forms:
            for flag, needs in flags + limits:
                jobs.append((command, form, words(base) + words(needs), "", flag))
        jobs += [(command, f, words(base), "its own", flag) for flag, f in OWN.items() if any(flag == x for x, _ in flags)]
        pairs = [(x, y) for x in flags for y in flags + limits if x[0] != y[0]] if a.pairs else []
        for (other, needs), (flag, more) in pairs[:: a.every]:
            before = words(base) + words(needs) + [w for w in words(more) if w not in words(needs)] + words(other)
            jobs.append((command, "text", before, other, flag))
    done = {}

    def once(command, text):
        key = (command, tuple(text))
        if key not in done:
            done[key] = run(tool, command, text)
        return done[key]

    def one(job):
        command, form, before, other, flag = job
        before = [w for w in before if w.split("=")[0] != flag.split("=")[0] or flag.startswith("--max")]
        path = forms.get(form) or os.path.abspath(os.path.join(a.inputs, form))
        first = once(command, [path] + before)
        second = once(command, [path] + before + words(flag))
        name = flag.split("=")[0].lstrip("-")
        if first[0] and not first[1] and other != "its own":
            return job, None  # it fails without the flag, too
        if second[0] == 2 and name not in second[2].decode(errors="replace"):
            return job, "is refused by a message that does not name it: " + second[2].decode(errors="replace")[:200]
        if first == second and (other == "its own" or not is_same_on_purpose(command, flag, other)):
            return job, "changes nothing"
        return job, None

    passed = failed = 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for (command, form, before, other, flag), problem in pool.map(one, jobs):
            passed, failed = passed + (not problem), failed + bool(problem)
            if problem:
                print(f"FAIL {command} ({form}) {' '.join(before)} {flag}: {problem}")
    tmp.cleanup()
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
