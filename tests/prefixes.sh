#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# prefixes.sh - names of functions and data that are visible to several files begin with tsr_, with the name of the
# column or table whose hooks they are, or with a prefix reserved for one folder: tests/prefixes.list. Reads the symbols
# of the objects in BUILD. With --self-test, proves that it can fail.
cd "$(dirname "$0")/.." || exit 3
build=${BUILD:-build}

# Lines 'folder name' on stdin, the list as argument.
check() {
    awk '
        NR == FNR { if ($1 != "" && $1 !~ /^#/) { n = split($2, f, ","); for (i = 1; i <= n; i++) home[$1, f[i]] = 1; known[$1] = 1 } next }
        { total++; p = $2; sub(/_.*/, "", p); seen[p] = 1 }
        p == "tsr" || home[p, $1] || home[p, "*"] { next }
        { bad = 1; print "src/" $1 ": " $2 (known[p] ? ": the prefix " p "_ is kept by another folder" : ": no prefix of tests/prefixes.list, nor tsr_") }
        END { for (p in known) if (!(p in seen)) { bad = 1; print "tests/prefixes.list: nothing begins with " p " any more" }
              if (!total) { bad = 1; print "no symbols were read" }
              if (!bad) print total " names begin as they should"
              exit bad }' "$1" -
}

if [ "${1:-}" = --self-test ]; then
    list=$(mktemp) || exit 3
    trap 'rm -f "$list"' EXIT
    printf '# a list\nverify * hooks\nbc text bytecode\n' >"$list"
    printf 'ir tsr_op\ndialect verify_dot\ntext bc_read\n' | check "$list" >/dev/null || { echo "prefixes.sh: refuses what is right"; exit 1; }
    for wrong in 'ir helper' 'ir bc_read' 'ir verification'; do
        printf 'ir tsr_op\ndialect verify_dot\ntext bc_read\n%s\n' "$wrong" | check "$list" >/dev/null && { echo "prefixes.sh: accepts $wrong"; exit 1; }
    done
    printf 'ir tsr_op\ntext bc_read\n' | check "$list" >/dev/null && { echo "prefixes.sh: accepts a list with a prefix that is gone"; exit 1; }
    : | check "$list" >/dev/null && { echo "prefixes.sh: accepts that nothing was read"; exit 1; }
    exit 0
fi

command -v nm >/dev/null || { echo "prefixes: skipped: no nm"; exit 0; }
# Other global symbols are a sanitizer's or the profiler's.
xargs nm -A --defined-only <"$build/objects" 2>/dev/null |
    awk '$2 ~ /^[TDBRC]$/ && $3 !~ /^(_|\.)/ { f = $1; sub(/:.*/, "", f); sub(/.*\/obj\/src\//, "", f); sub(/\/.*/, "", f); print f, $3 }' |
    check tests/prefixes.list
