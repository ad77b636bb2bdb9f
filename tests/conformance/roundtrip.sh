#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# roundtrip.sh TESSERA FILE... - each file is accepted, and printing again what was printed changes nothing.
# Prints 'ok FILE' or 'FAIL FILE: why'.
tool=$1
shift
tmp=$(mktemp -d) || exit 3
trap 'rm -rf "$tmp"' EXIT
for f in "$@"; do
    split=
    grep -q '^// -----' "$f" && split=--split-input-file
    if ! "$tool" opt --allow-unregistered-dialect $split "$f" >"$tmp/1" 2>"$tmp/error"; then
        echo "FAIL $f: $(head -n 1 "$tmp/error" | sed "s|$f|FILE|" | cut -c1-160)"
    elif ! "$tool" opt --allow-unregistered-dialect $split "$tmp/1" >"$tmp/2" 2>"$tmp/error"; then
        echo "FAIL $f: printed, then: $(head -n 1 "$tmp/error" | sed "s|$tmp/1|FILE|" | cut -c1-160)"
    elif ! cmp -s "$tmp/1" "$tmp/2"; then
        echo "FAIL $f: printing again changes it"
    else
        echo "ok $f"
    fi
done
