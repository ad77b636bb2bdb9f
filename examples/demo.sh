#!/bin/sh
# demo.sh - a first look: a real model goes in, simplified text comes out, and where the time went.
BUILD=${BUILD:-build}
model=tests/corpus/gpt_forward_dp_tp/module.mlir
large=tests/corpus/large/gpt_train_24.mlir
tmp=$(mktemp -d) || exit 3
trap 'rm -rf "$tmp"' EXIT

show() {
    echo
    echo "\$ $*"
}

show "stablehlo-opt $model   # reads it and prints it back, to the byte"
"$BUILD/bin/stablehlo-opt" "$model" >"$tmp/same" || exit 1
if cmp -s "$model" "$tmp/same"; then echo 'identical'; else echo "$(diff "$model" "$tmp/same" | grep -c '^[<>]') lines differ"; fi

show "tessera opt $model --canonicalize --cse | head"
"$BUILD/bin/tessera" opt "$model" --canonicalize --cse >"$tmp/out" || exit 1
head -n 12 "$tmp/out" | cut -c1-150
echo "... $(grep -c ' = ' "$model") ops before, $(grep -c ' = ' "$tmp/out") after"

show "tessera opt $large --canonicalize --cse --timing   # a training step of 24 layers"
"$BUILD/bin/tessera" opt "$large" --canonicalize --cse --timing -o "$tmp/large" || exit 1
echo "$(wc -l <"$large") lines in, $(wc -l <"$tmp/large") lines out"

show "tessera opt broken.mlir   # a mistake has a place"
sed 's/stablehlo\.add/stablehlo.ad/' "$model" >"$tmp/broken.mlir"
(cd "$tmp" && "$OLDPWD/$BUILD/bin/tessera" opt broken.mlir) 2>&1 | head -n 4 | cut -c1-150
