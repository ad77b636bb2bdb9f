# SPDX-License-Identifier: Apache-2.0
"""The peers' names as commands: each runs the program `tessera` that is installed beside it, under its own name."""

import os
import shutil
import sys


def main():
    name = os.path.basename(sys.argv[0])
    beside = os.path.join(os.path.dirname(os.path.abspath(sys.argv[0])), "tessera")
    program = beside if os.access(beside, os.X_OK) else shutil.which("tessera")
    if not program:
        sys.exit(f"{name}: the command tessera is not installed beside it, nor in PATH")
    os.execv(program, [name, *sys.argv[1:]])
