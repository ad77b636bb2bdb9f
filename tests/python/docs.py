# SPDX-License-Identifier: Apache-2.0
"""Runs the blocks of docs/PYTHON.md, one after the other, and compares what each prints with the text block after it."""

import contextlib
import io
import re
import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
if "TESSERA_INSTALLED" not in os.environ:
    sys.path.insert(0, str(ROOT / "python"))


def main():
    try:
        import numpy  # noqa: F401
    except ImportError:
        print("skipped: no NumPy here")
        return 0
    text = (ROOT / "docs" / "PYTHON.md").read_text()
    blocks = re.findall(r"^```(\w+)\n(.*?)^```$", text, flags=re.S | re.M)
    names, passed, failed = {}, 0, 0
    for i, (kind, body) in enumerate(blocks):
        if kind != "python":
            continue
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(compile(body, f"block {i} of PYTHON.md", "exec"), names)
        want = blocks[i + 1][1] if i + 1 < len(blocks) and blocks[i + 1][0] == "text" else ""
        if out.getvalue().rstrip("\n") == want.rstrip("\n"):
            passed += 1
        else:
            failed += 1
            print(f"block {i} prints:\n{out.getvalue()}\ninstead of:\n{want}")
    print(f"{passed} passed, {failed} failed")
    return failed != 0 or passed < 5


if __name__ == "__main__":
    sys.exit(main())
