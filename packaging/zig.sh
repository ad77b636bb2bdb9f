#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# zig.sh - prints the command that runs zig: ZIG, zig in PATH, or Python's package ziglang, which is fetched into
# build/zig if no Python has it.
if [ -n "$ZIG" ]; then echo "$ZIG"; exit; fi
if command -v zig >/dev/null 2>&1; then echo zig; exit; fi
for python in ${PYTHON:-python3} build/zig/bin/python; do
    if "$python" -c 'import ziglang' 2>/dev/null; then echo "$python -m ziglang"; exit; fi
done
if python3 -m venv build/zig >/dev/null 2>&1 && build/zig/bin/pip install -q ziglang >/dev/null 2>&1; then
    echo 'build/zig/bin/python -m ziglang'
    exit
fi
echo "zig.sh: no zig here, and pip could not fetch ziglang" >&2
exit 1
