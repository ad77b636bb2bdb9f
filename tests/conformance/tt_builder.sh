#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tt_builder.sh CHECKOUT [emitted] - tt-mlir's Python tests on python/tt (tt_builder.py), and their tables at the end of docs/CONFORMANCE.md; emitted: those of emitted code
# alone. TT_PYTHON: a Python that has torch, pytest and einops. SECONDS_EACH: how long each run may take; they go on where an earlier call ended.
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
from_title() { # from_title TITLE FILE: what FILE has from this line on takes the place of what the document has
    awk -v title="$1" '$0 == title { exit } { print }' docs/CONFORMANCE.md >"$build/tt/document" &&
        cat "$2" >>"$build/tt/document" && cp "$build/tt/document" docs/CONFORMANCE.md
}
run "$1" --builder ours --target emitpy --results "$build/tt/emitpy"
run "$1" --builder ours --target emitc --sample 150 --results "$build/tt/emitc"
"$python" tests/conformance/tt_builder.py "$1" --report-emitted "$build/tt/emitpy" "$build/tt/emitc" >"$build/tt/emitted" || exit 1
if [ "${2:-}" = emitted ]; then
    from_title "## tt-mlir's builder tests of emitted code" "$build/tt/emitted"
    exit
fi
run "$1" --builder theirs --results "$build/tt/theirs"
run "$1" --builder ours --results "$build/tt/ours"
rm -f "$build/tt/others"
for suite in chisel op_by_op scripts; do
    run "$1" --suite "$suite" --results "$build/tt/others"
done
"$python" tests/conformance/tt_builder.py "$1" --report "$build/tt/theirs" "$build/tt/ours" "$build/tt/others" >"$build/tt/table" || exit 1
{
    cat "$build/tt/table"
    echo
    cat "$build/tt/emitted"
} >"$build/tt/all"
from_title "## tt-mlir's builder tests" "$build/tt/all"
