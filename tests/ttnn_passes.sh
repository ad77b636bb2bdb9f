#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# ttnn_passes.sh [FILE...] - each pass of TTNN alone, on modules that no other pass has processed: TTIR, TTNN, and TTNN
# whose tensors have lost their layouts. It must do its work or say why not, and the module must verify afterwards.
# FILE: modules other than those of the tests about TTNN.
. "$(dirname "$0")/common.sh"
cd "$(dirname "$0")/.." || exit 3
case $BUILD in /*) ;; *) BUILD=$PWD/$BUILD ;; esac
opt=$BUILD/bin/tessera
passes=$("$opt" opt --list-passes | cut -d ' ' -f 1 | grep -E '^(ttnn|ttcore|cpu-hoist|const-eval|convert-tt(ir-to-ttnn|nn-to-ttir))')
[ "$(echo "$passes" | wc -l)" -ge 25 ] || bad "only these passes: $passes"
[ $# -gt 0 ] || set -- tests/lower/ttnn/Inputs/*.mlir tests/pass/ttnn/*.mlir tests/dialect/ttnn/[lo]*.mlir tests/lower/ttnn/layers.mlir

judge() { # judge NAME FILE; passes that write files do that in $tmp
    case $2 in /*) module=$2 ;; *) module=$PWD/$2 ;; esac
    for pass in $passes; do
        (cd "$tmp" && "$opt" opt --split-input-file "--$pass" "$module" -o after.mlir 2>error)
        case $? in
        0) good ;;
        1) if grep -q 'error: ' "$tmp/error"; then good; else bad "$1: --$pass: refused without a message"; fi ;;
        *) bad "$1: --$pass" 4 ;;
        esac
    done
}

for file in "$@"; do
    name=${file#tests/}
    judge "$name" "$file"
    sed -E 's/, #ttnn_layout[0-9_a-z]*>/>/g' "$file" >"$tmp/bare.mlir"
    cmp -s "$file" "$tmp/bare.mlir" || judge "$name without layouts" "$tmp/bare.mlir"
    if "$opt" opt --split-input-file --ttir-to-ttnn-backend-pipeline "$file" -o "$tmp/ttnn.mlir" 2>/dev/null; then
        judge "$name, lowered" "$tmp/ttnn.mlir"
        sed -E 's/, #ttnn_layout[0-9_a-z]*>/>/g' "$tmp/ttnn.mlir" >"$tmp/bare.mlir"
        judge "$name, lowered, without layouts" "$tmp/bare.mlir"
    fi
done
counts && [ $passed -gt 0 ]
