#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# ops.sh - the parts of documents that tables say, between '<!-- BEGIN what -->' and '<!-- END -->'. Without arguments it
# writes the files; --print IR.md or --print KERNELS.md prints one instead.
#
#   IR.md, from `tessera opt --list-ops=full`: dialects, constraints, traits, or 'ops NAME' (a dialect's attributes and
#   types, then its ops)
#   KERNELS.md, from tests/unit/test_math.c: bounds, the largest errors of functions
#
# From the environment: BUILD, where the tool is.
cd "$(dirname "$0")/.." || exit 3
BUILD=${BUILD:-build}
new=$(mktemp) || exit 3
list=$(mktemp) || exit 3
trap 'rm -f "$new" "$list"' EXIT
"$BUILD/bin/tessera" opt --list-ops=full >"$list" || exit 1
export LC_ALL=C
print=
if [ "${1:-}" = --print ]; then print=${2:?--print FILE}; fi

awk '
    function add(list, item) { return list == "" ? item : list "<br>" item }
    function code(s) { gsub(/\|/, "\\|", s); return "`" s "`" }
    function rest(n,   s, i) { s = $0; for (i = 0; i < n; i++) sub(/^[^ ]+ ?/, "", s); return s }
    function mark(arity) { return arity == "one" ? "" : arity == "optional" ? "?" : "..." }

    # ---- The list ----
    FNR == NR && $1 == "op" {
        op = $2
        d = op
        sub(/\..*/, "", d)
        name[d, ++nop[d]] = op
    }
    FNR == NR && ($1 == "operand" || $1 == "result" || $1 == "region") {
        cell[op, $1] = add(cell[op, $1], code($2 mark($3) ": " $4))
        used[d, $1]
    }
    FNR == NR && $1 == "successor" { cell[op, $1] = add(cell[op, $1], code($2 mark($3))); used[d, $1] }
    FNR == NR && $1 == "attr" {
        text = $2 ($3 == "optional" ? "?" : "") ": " $4
        if ($3 == "default") text = text " = " rest(4)
        if ($3 == "filled") text = text " := " rest(4)
        cell[op, "attr"] = add(cell[op, "attr"], code(text))
        used[d, "attr"]
    }
    FNR == NR && $1 == "trait" { cell[op, "trait"] = cell[op, "trait"] (cell[op, "trait"] == "" ? "" : " ") $2; used[d, "trait"] }
    FNR == NR && $1 == "parents" { cell[op, "trait"] = add(cell[op, "trait"], "inside " code(rest(1))); used[d, "trait"] }
    FNR == NR && $1 == "implicit" { cell[op, "trait"] = add(cell[op, "trait"], "ends with " code($2)); used[d, "trait"] }
    FNR == NR && $1 == "format" { cell[op, "form"] = code(rest(1)) }
    FNR == NR && $1 == "assembly" { cell[op, "form"] = $2 == "own" ? "its own" : "generic only" }
    FNR == NR && $1 == "constraint" {
        constraint[++nconstraint] = $2
        summary[nconstraint] = ($3 == "attr" ? "attribute" : $3) " | " rest(3)
    }
    FNR == NR && $1 == "meaning" { trait[++ntrait] = $2; meaning[ntrait] = rest(2) }
    FNR == NR && $1 == "define" {
        own = $3
        sub(/\..*/, "", own)
        ndef[own]++
        text = code(($2 == "type" ? "!" : "#") $3)
        if ($2 == "enum") {
            words = rest(3)
            gsub(/ /, "`, `", words)
            enums[own] = enums[own] "- " text ": `" words "`\n"
        } else if ($2 == "type")
            types[own] = types[own] (types[own] == "" ? "" : ", ") text
        else
            attrs[own] = attrs[own] (attrs[own] == "" ? "" : ", ") text
    }
    FNR == NR && $1 == "dialect" { dialect[++ndialect] = $2; how[$2] = $3 }
    FNR == NR { next }

    # ---- The tables ----
    function sorted(a, b, n,   i, j, t) { # a, and b along with it
        for (i = 2; i <= n; i++)
            for (j = i; j > 1 && a[j] < a[j - 1]; j--) {
                t = a[j]; a[j] = a[j - 1]; a[j - 1] = t
                t = b[j]; b[j] = b[j - 1]; b[j - 1] = t
            }
    }
    function dialects(   i, d) {
        print "| dialect | ops with a row | attributes and types | an op without a row |"
        print "| --- | ---: | ---: | --- |"
        for (i = 1; i <= ndialect; i++) kinds[i] = how[dialect[i]]
        sorted(dialect, kinds, ndialect)
        for (i = 1; i <= ndialect; i++) {
            d = dialect[i]
            print "| " code(d) " | " nop[d] + 0 " | " ndef[d] + 0 " | " (how[d] == "open" ? "passes through" : "is refused") " |"
        }
    }
    function pairs(head, rule, a, b, n,   i) {
        print head
        print rule
        sorted(a, b, n)
        for (i = 1; i <= n; i++) print "| " code(a[i]) " | " b[i] " |"
    }
    function ops(d,   i, c, line) {
        done[d]
        if (types[d] != "") print "Types: " types[d] ".\n"
        if (attrs[d] != "") print "Attributes: " attrs[d] ".\n"
        if (enums[d] != "") print "Attributes that are one of a few words:\n\n" enums[d]
        if (!nop[d]) return
        line = "| op |"
        rule = "| --- |"
        for (c = 1; c <= ncolumn; c++)
            if ((d, column[c]) in used || column[c] == "form") { line = line " " title[c] " |"; rule = rule " --- |" }
        print line
        print rule
        for (i = 1; i <= nop[d]; i++) {
            line = "| " code(name[d, i]) " |"
            for (c = 1; c <= ncolumn; c++)
                if ((d, column[c]) in used || column[c] == "form") line = line " " cell[name[d, i], column[c]] " |"
            print line
        }
    }
    FNR == 1 {
        ncolumn = split("operand attr result region successor trait form", column, " ")
        split("operands,attributes,results,regions,successors,traits,assembly", title, ",")
    }
    /^<!-- BEGIN .* -->$/ {
        print
        print ""
        if ($3 == "dialects") dialects()
        else if ($3 == "constraints") pairs("| constraint | of | summary |", "| --- | --- | --- |", constraint, summary, nconstraint)
        else if ($3 == "traits") pairs("| trait | meaning |", "| --- | --- |", trait, meaning, ntrait)
        else if ($3 == "ops") ops($4)
        if ($3 != "ops" || nop[$4]) print ""
        inside = 1
        next
    }
    /^<!-- END -->$/ { inside = 0 }
    !inside { print }
    END {
        for (i = 1; i <= ndialect; i++)
            if (nop[dialect[i]] && !(dialect[i] in done)) {
                print "docs/IR.md has no place for the ops of " dialect[i] >"/dev/stderr"
                bad = 1
            }
        exit bad
    }' "$list" docs/IR.md >"$new" || exit 1

# put FILE: what was made for it.
put() {
    if [ "$print" = "$1" ]; then cat "$new"; elif [ -z "$print" ]; then cmp -s "$new" "docs/$1" || cat "$new" >"docs/$1"; fi
}
put IR.md

# Functions with the same bounds share a row, in the order of the test.
awk '
    FNR == NR {
        while (match($0, /\{TSR_TILE_[a-z0-9_]+, [a-z0-9_]+, \{[0-9.]+, [0-9.]+\}\}/)) {
            row = substr($0, RSTART + 10, RLENGTH - 12)
            $0 = substr($0, RSTART + RLENGTH)
            split(row, field, /, [a-z0-9_]+, \{|, /)
            key = field[2] " | " field[3]
            if (!(key in names)) order[++n] = key
            names[key] = names[key] (names[key] == "" ? "" : ", ") field[1]
        }
        next
    }
    /^<!-- BEGIN bounds -->$/ {
        print
        print "\n| function | f32 | f64 |\n| --- | ---: | ---: |"
        for (i = 1; i <= n; i++) print "| " names[order[i]] " | " order[i] " |"
        print ""
        inside = found = 1
    }
    /^<!-- END -->$/ { inside = 0 }
    !inside { print }
    END { exit !(n && found) }' tests/unit/test_math.c docs/KERNELS.md >"$new" || { echo "docs/ops.sh: no bounds" >&2; exit 1; }
put KERNELS.md
