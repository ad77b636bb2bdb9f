#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# threads.sh - compiled programs give the same bits on any number of threads: those of the corpus, on 1, 2, 3 and 7. Those with
# shardings run on their meshes, too.
. "$(dirname "$0")/../common.sh"
here=$(dirname "$0")/../corpus

# same_bits FILE [FLAG]
same_bits()
{
    given=$(numbered --input "${1%/*}/in")
    [ -n "$given" ] || given=--input=random
    for n in 1 2 3 7; do
        # names in the corpus have no spaces: the list is meant to be split
        "$BUILD/bin/tessera" run "$@" --engine=compiled --threads=$n $given --output "$tmp/$n.npz" >"$tmp/out" 2>"$tmp/error" ||
            break
        cmp -s "$tmp/1.npz" "$tmp/$n.npz" || break
    done
    if [ $n -eq 7 ] && cmp -s "$tmp/1.npz" "$tmp/7.npz"; then
        good
    else
        bad "$* on $n threads" 4
    fi
    rm -f "$tmp"/*.npz
}

for f in "$here"/*/module.mlir "$here"/large/gpt_train_4.mlir; do
    same_bits "$f"
done
for f in "$here"/*/module.mlir "$here"/shard_map/*/module.mlir; do
    [ -z "$(grep -l 'sdy.mesh' "$f")" ] || same_bits "$f" --spmd
done
counts && [ $passed -gt 0 ]
