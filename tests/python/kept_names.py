# SPDX-License-Identifier: Apache-2.0
"""Stacks of names and places survive: each op of the corpus gets a name of its own, and after every pass of tests/passes.list, partitioning,
differentiation and compilation each op has the name of one of them. Constants that are folded or merged belong to no op of the user's."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "python"))

import tessera as ts  # noqa: E402

# What is made for the device, and of constants.
ANEW = ("constant", "get_device", "full", "zeros", "ones")
STEPS = {
    "partition": lambda m: m.shard().partition(),
    "forward derivatives": lambda m: m.grad(forward=True),
    "compile": lambda m: m.compile().module,
    "find shardings": lambda m: m.auto_shard(mesh="p=2,q=2", seconds=1) and m,
    "to TTNN": lambda m: m.run_passes("stablehlo-to-ttir-pipeline").run_passes("ttir-to-ttnn-backend-pipeline"),
}


def pipelines():
    for line in (ROOT / "tests" / "passes.list").read_text().splitlines():
        if line and not line.startswith("#"):
            words = [w.lstrip("-").partition("=") for w in line.split()[1:]]
            yield ",".join(name + (f"{{{options}}}" if options else "") for name, _, options in words)


def steps():
    for pipeline in pipelines():
        yield pipeline, lambda m, p=pipeline: m.run_passes(p)
    yield from STEPS.items()


def main():
    passed = failed = 0
    modules = sorted((ROOT / "tests" / "corpus").glob("*/module.mlir"))
    for what, step in steps():
        for path in modules:
            m = ts.Module.parse(path.read_text())
            if what == "find shardings" and (len(list(m.walk())) > 150 or "manual_computation" in str(m)):
                continue
            for i, op in enumerate(m.walk()):
                op.location = f"named{i}"
            m = step(m)
            lost = sorted({op.name for op in m.walk() if "named" not in str(op.location) and op.name.split(".")[-1] not in ANEW})
            passed += not lost
            failed += bool(lost)
            if lost:
                print(f"failed: {what} of {path.parent.name} forgets where it has {', '.join(lost)} from")
    print(f"{passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
