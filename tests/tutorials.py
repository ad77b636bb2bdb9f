# SPDX-License-Identifier: Apache-2.0
"""Runs the Python programs of docs/TUTORIAL.md, each section's in one process, and compares what they print with the text block after each.

    tutorials.py SECTION [--write]     jax or torch, with the Python that has it; --write puts what is printed into the document
"""

import contextlib
import io
import os
import re
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DOCUMENT = ROOT / "docs/TUTORIAL.md"


def main():
    section = sys.argv[1]
    try:
        __import__("torchax" if section == "torch" else section)
    except ImportError as missing:
        print(f"skipped: {missing}")
        return 0
    text = DOCUMENT.read_text()
    names, passed, failed = {"__name__": "tutorial"}, 0, 0
    os.chdir(tempfile.mkdtemp())
    sys.path.insert(0, "")
    for block in re.finditer(rf"^```python {section}(?: (\S+))?\n(.*?)^```\n(?:\n```text\n(.*?)```\n)?", text, flags=re.S | re.M):
        file, body, want = block.groups()
        if file:
            Path(file).write_text(body)
            continue
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(compile(body, "TUTORIAL.md", "exec"), names)
        if "--write" in sys.argv and want is not None:
            new = block.group(0)[: block.start(3) - block.start(0)] + out.getvalue().rstrip() + "\n```\n"
            DOCUMENT.write_text(DOCUMENT.read_text().replace(block.group(0), new))
        elif out.getvalue().rstrip() == (want or "").rstrip():
            passed += 1
        else:
            failed += 1
            print(f"{body}\nprints:\n{out.getvalue()}\ninstead of:\n{want}")
    if section == "jax":  # examples/step.mlir is what the tutorial exports, but for versions of JAX
        now, kept = (re.sub(r" loc\(.*|#loc.*\n", "", p.read_text()).splitlines() for p in (Path("step.mlir"), ROOT / "examples/step.mlir"))
        same = now == kept
        for a, b in zip(now, kept):
            if a != b:
                print(f"examples/step.mlir has\n{b}\nand JAX writes now\n{a}")
        passed, failed = passed + same, failed + (not same)
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
