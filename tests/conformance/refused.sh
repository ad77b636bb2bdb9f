#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# refused.sh BIN FILE... - for each file whose RUN line asks for -verify-diagnostics: with its expected-error lines taken
# out, the same RUN line fails. Prints 'ok FILE' or 'FAIL FILE: why', as roundtrip.sh does.
bin=$1
shift
tmp=$(mktemp -d) || exit 3
trap 'rm -rf "$tmp"' EXIT
for f in "$@"; do
    grep -q 'expected-error' "$f" || continue
    line=$(sed -n 's/^\/\/ RUN: *//p' "$f" | grep -m1 -e '-verify-diagnostics') || continue
    grep -v 'expected-error' "$f" >"$tmp/in.mlir"
    command=$(printf '%s\n' "$line" | sed "s|%s|$tmp/in.mlir|; s/|.*//")
    PATH=$bin:$PATH timeout 60 sh -c "$command" >/dev/null 2>"$tmp/err"
    code=$?
    if [ $code -eq 1 ]; then
        echo "ok $f"
    else
        echo "FAIL $f: exit code $code where 1 was wanted"
    fi
done
