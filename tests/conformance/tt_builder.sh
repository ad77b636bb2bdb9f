#!/bin/sh
# tt_builder.sh CHECKOUT - tt-mlir's Python tests on python/tt (tt_builder.py), and their tables at the end of docs/CONFORMANCE.md. TT_PYTHON: a Python that has
# torch, pytest and einops. SECONDS_EACH: how long each of the two runs of the builder's tests may take; they go on where an earlier call ended.
cd "$(dirname "$0")/../.." || exit 3
build=${BUILD:-build}
python=${TT_PYTHON:-python3}
seconds=${SECONDS_EACH:-21600}
if ! "$python" -c 'import torch, pytest, einops' 2>/dev/null; then
    echo "$python has no torch, pytest or einops" >&2
    exit 3
fi
mkdir -p "$build/tt"
run() {
    TT_PYTHON=$python "$python" tests/conformance/tt_builder.py "$@" --bin "$build/bin" --seconds "$seconds" || exit 1
}
run "$1" --builder theirs --results "$build/tt/theirs"
run "$1" --builder ours --results "$build/tt/ours"
rm -f "$build/tt/others"
for suite in chisel op_by_op scripts; do
    run "$1" --suite "$suite" --results "$build/tt/others"
done
"$python" tests/conformance/tt_builder.py "$1" --report "$build/tt/theirs" "$build/tt/ours" "$build/tt/others" >"$build/tt/table" || exit 1
{
    awk "/^## tt-mlir's builder tests/ { exit } { print }" docs/CONFORMANCE.md
    cat "$build/tt/table"
} >"$build/tt/document" && cp "$build/tt/document" docs/CONFORMANCE.md
