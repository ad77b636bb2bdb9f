#!/bin/sh
# threads.sh - compiled programs give the same bits on any number of threads: those of the corpus, on 1, 2, 3 and 7.
. "$(dirname "$0")/../common.sh"
here=$(dirname "$0")/../corpus

for f in "$here"/*/module.mlir "$here"/large/gpt_train_4.mlir; do
    given=$(numbered --input "${f%/*}/in")
    [ -n "$given" ] || given=--input=random
    for n in 1 2 3 7; do
        # names in the corpus have no spaces: the list is meant to be split
        "$BUILD/bin/tessera" run "$f" --engine=compiled --threads=$n $given --output "$tmp/$n.npz" >"$tmp/out" 2>"$tmp/error" ||
            break
        cmp -s "$tmp/1.npz" "$tmp/$n.npz" || break
    done
    if [ $n -eq 7 ] && cmp -s "$tmp/1.npz" "$tmp/7.npz"; then
        good
    else
        bad "$f on $n threads" 4
    fi
    rm -f "$tmp"/*.npz
done
counts && [ $passed -gt 0 ]
