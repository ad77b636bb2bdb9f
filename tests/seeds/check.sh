#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# check.sh - every text of the seeds parses, prints as stored in NAME.out, and NAME.out prints as itself.
# Texts with locations are printed with them. With --update, writes the NAME.out files (look at the difference before you keep them).
. "$(dirname "$0")/../common.sh"
here=$(dirname "$0")
for f in "$here"/*.mlir; do
    out=${f%.mlir}.out
    opt="$BUILD/bin/tessera opt --allow-unregistered-dialect"
    ! grep -q 'loc(' "$f" || opt="$opt --mlir-print-debuginfo"
    if ! $opt "$f" >"$tmp/out" 2>&1; then
        bad "$f: refused"
        head -n 4 "$tmp/out"
        continue
    fi
    if [ "$1" = --update ]; then
        cp "$tmp/out" "$out"
    fi
    if [ ! -f "$out" ]; then
        bad "$f: no ${out##*/}"
    elif ! cmp -s "$tmp/out" "$out"; then
        bad "$f: does not print as ${out##*/}"
        diff "$out" "$tmp/out" | head -n 10
    elif ! $opt - <"$out" >"$tmp/out" 2>&1 || ! cmp -s "$tmp/out" "$out"; then
        bad "$out: does not print as itself"
        diff "$out" "$tmp/out" | head -n 10
    else
        good
    fi
done
counts
