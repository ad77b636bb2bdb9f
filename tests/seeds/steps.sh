#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# steps.sh - the cases of seed 002, pass by pass: each pass alone makes of the text before it the text that stands behind it.
# A file of steps/ is a case: sections that begin with "//// NAME [flags]", the first without a pass; a section without
# text is as the one before it. With --update, writes the texts (look at the difference before you keep them).
. "$(dirname "$0")/../common.sh"
here=$(dirname "$0")
for f in "$here"/steps/*.steps; do
    rm -f "$tmp"/*
    awk -v dir="$tmp" '/^\/\/\/\/ / { n++; print > (dir "/heads"); file = sprintf("%s/%02d", dir, n); printf "" > file; next }
                       { print > file }' "$f"
    n=0
    : >"$tmp/new"
    while read -r _ name flags; do
        n=$((n + 1))
        want=$(printf '%s/%02d' "$tmp" $n)
        printf '//// %s%s\n' "$name" "${flags:+ $flags}" >>"$tmp/new"
        if [ $n -eq 1 ]; then
            "$BUILD"/bin/ttmlir-opt "$want" >"$tmp/got" 2>"$tmp/error" || echo "FAIL $f: refused"
            cp "$tmp/got" "$tmp/before"
            cat "$tmp/got" >>"$tmp/new"
            continue
        fi
        [ -s "$want" ] || cp "$tmp/before" "$want"
        # shellcheck disable=SC2086
        if ! "$BUILD"/bin/ttmlir-opt $flags "$tmp/before" >"$tmp/got" 2>"$tmp/error"; then
            bad "$f: $name fails" 4
            [ "$1" = --update ] && break
        elif ! cmp -s "$tmp/got" "$want"; then
            if [ "$1" != --update ]; then
                bad "$f: $name"
                diff "$want" "$tmp/got" | head -n 10
            fi
        else
            good
        fi
        if [ "$1" = --update ]; then
            cmp -s "$tmp/got" "$tmp/before" || cat "$tmp/got" >>"$tmp/new"
            cp "$tmp/got" "$want"
        fi
        cp "$want" "$tmp/before"
    done <"$tmp/heads"
    [ "$1" != --update ] || cp "$tmp/new" "$f"
done
counts
