#!/bin/sh
# tt_builder.sh CHECKOUT - tt-mlir's builder tests on python/tt (tt_builder.py), and their table at the end of docs/CONFORMANCE.md. TT_PYTHON: a Python that has
# torch, pytest and einops. EVERY: each N-th case alone.
cd "$(dirname "$0")/../.." || exit 3
build=${BUILD:-build}
python=${TT_PYTHON:-python3}
if ! "$python" -c 'import torch, pytest, einops' 2>/dev/null; then
    echo "$python has no torch, pytest or einops" >&2
    exit 3
fi
mkdir -p "$build/tt"
TT_PYTHON=$python "$python" tests/conformance/tt_builder.py "$1" --bin "$build/bin" --every "${EVERY:-1}" >"$build/tt/table" || exit 1
cat "$build/tt/table"
{
    awk "/^## tt-mlir's builder tests/ { exit } { print }" docs/CONFORMANCE.md
    cat "$build/tt/table"
} >"$build/tt/document" && cp "$build/tt/document" docs/CONFORMANCE.md
