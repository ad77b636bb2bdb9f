#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# saved.sh - programs of the corpus, compiled into a file and run from it by another process, give the same bits as the module does.
# Arguments: more flags of the compiler, such as --spmd. With --print, the size of each file, and how long it takes to load.
. "$(dirname "$0")/../common.sh"
here=$(dirname "$0")/../corpus
print=
if [ "$1" = --print ]; then
    print=1
    shift
fi

# milliseconds NAME FILE: the row of a table of --timing.
milliseconds() { awk -v name="$1" '{ t = $1; $1 = ""; sub(/^ /, "") } $0 == name { print t }' "$2"; }

for f in "$here"/*/module.mlir "$here"/*/module.mlirbc "$here"/shard_map/*/module.mlir; do
    dir=${f%/*}/
    [ -f "${dir}out0.npy" ] && [ -f "$f" ] || continue
    rm -rf "$tmp/a" "$tmp/b" "$tmp/p.tsrx"
    inputs=$(numbered --input "${dir}in")
    if "$BUILD/bin/tessera" compile "$f" -o "$tmp/p.tsrx" "$@" 2>"$tmp/error" &&
        "$BUILD/bin/tessera" run "$f" "$@" $inputs --output="$tmp/a" --timing 2>"$tmp/from_module" &&
        "$BUILD/bin/tessera" run "$tmp/p.tsrx" $inputs --output="$tmp/b" --timing 2>"$tmp/from_file" &&
        diff -r "$tmp/a" "$tmp/b" >"$tmp/error" 2>&1; then
        good
        [ -z "$print" ] || for t in from_module from_file; do
            for what in parse verify partition compile; do milliseconds "$what" "$tmp/$t"; done |
                awk -v f="${dir#"$here"/}" -v t=$t -v n="$(wc -c <"$tmp/p.tsrx")" '{ s += $1 } END { printf "%s %d bytes, %s %.3f ms\n", f, n, t, s }'
        done
    else
        bad "tessera compile $f $*, and run" 4
        cat "$tmp/from_file" 2>/dev/null | head -n 4
    fi
done
counts && [ $passed -gt 0 ]
