#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# replay.sh - each fuzz target on its kept corpus, tests/fuzz/corpus/TARGET: inputs of each kind, and every one that once failed.
cd "$(dirname "$0")/../.." || exit 3
. tests/common.sh
export FUZZ_STRICT=1
for t in "$BUILD"/bin-test/fuzz_*; do
    name=${t##*/fuzz_}
    set -- tests/fuzz/corpus/"$name"/*
    if [ ! -f "$1" ]; then
        bad "$name: no corpus"
    elif "$t" "$@" >/dev/null 2>"$tmp/error"; then
        passed=$((passed + $#))
    else
        bad "$name: $(grep -a '^tests/fuzz/corpus' "$tmp/error" | tail -n 1)" 0
        tail -n 40 "$tmp/error"
    fi
done
counts && [ $passed -gt 0 ]
