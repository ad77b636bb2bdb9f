#!/bin/sh
# check.sh - every text of the seeds parses, prints as stored in NAME.out, and NAME.out prints as itself.
# Texts with locations are printed with them. With --update, writes the NAME.out files (look at the difference before you keep them).
BUILD=${BUILD:-build}
here=$(dirname "$0")
passed=0 failed=0
tmp=$(mktemp) || exit 3
trap 'rm -f "$tmp"' EXIT
fail() {
    echo "FAIL $1"
    failed=$((failed + 1))
}
for f in "$here"/*.mlir; do
    out=${f%.mlir}.out
    opt="$BUILD/bin/tessera opt --allow-unregistered-dialect"
    ! grep -q 'loc(' "$f" || opt="$opt --mlir-print-debuginfo"
    if ! $opt "$f" >"$tmp" 2>&1; then
        fail "$f: refused"
        head -n 4 "$tmp"
        continue
    fi
    if [ "$1" = --update ]; then
        cp "$tmp" "$out"
    fi
    if [ ! -f "$out" ]; then
        fail "$f: no ${out##*/}"
    elif ! cmp -s "$tmp" "$out"; then
        fail "$f: does not print as ${out##*/}"
        diff "$out" "$tmp" | head -n 10
    elif ! $opt - <"$out" >"$tmp" 2>&1 || ! cmp -s "$tmp" "$out"; then
        fail "$out: does not print as itself"
        diff "$out" "$tmp" | head -n 10
    else
        passed=$((passed + 1))
    fi
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
