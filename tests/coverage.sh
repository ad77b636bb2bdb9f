#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# coverage.sh - how many ops of each dialect have each column of the op tables. With --gaps COLUMN, the ops that lack
# it. The preprocessor reads the tables, as for every layer; the columns are those that have a default in
# dialect/ops.def. A column whose value is `none` counts as filled.
cd "$(dirname "$0")/.." || exit 3
table=src/dialect/ops.def
gaps=
[ "$1" = --gaps ] && gaps=$2
columns=$(sed -n 's/^#ifndef \([A-Z_0-9]*\)$/\1/p' "$table" | grep -v -x -e OP -e END | tr '\n' ' ')
{
    echo '#define OP(id, name, ...) @OP name'
    for c in $columns; do echo "#define $c(...) @$c"; done
    echo '#define END @END'
    echo '#include "dialect/ops.def"'
} | ${CC:-cc} -E -P -x c -Isrc - | tr '@' '\n' | awk -v gaps="$gaps" -v list="$columns" '
    BEGIN {
        n = split(list, columns, " ")
        for (i = 1; i <= n; i++) at[columns[i]] = i
    }
    $1 == "OP" {
        name = substr($2, 2, length($2) - 2)
        dialect = name
        sub(/\..*/, "", dialect)
        if (!(dialect in ops)) order[++ndialect] = dialect
        ops[dialect]++
        for (i = 1; i <= n; i++) row[i] = 0
    }
    $1 in at { row[at[$1]] = 1 }
    $1 == "END" {
        for (i = 1; i <= n; i++) {
            filled[dialect, i] += row[i]
            if (columns[i] == gaps && !row[i]) print name
        }
    }
    END {
        if (gaps != "") exit
        printf "%-12s %5s", "dialect", "ops"
        for (i = 1; i <= n; i++) printf " %*s", length(columns[i]) < 5 ? 5 : length(columns[i]), columns[i]
        printf "\n"
        for (d = 1; d <= ndialect; d++) {
            printf "%-12s %5d", order[d], ops[order[d]]
            for (i = 1; i <= n; i++) printf " %*d", length(columns[i]) < 5 ? 5 : length(columns[i]), filled[order[d], i]
            printf "\n"
        }
    }'
