#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# plans.sh - `tessera shard` on the corpus: the plan of each case must be corpus/CASE/plan.txt, and its totals are
# recomputed here from the local shapes and the kinds of collectives in its JSON. Its peak of memory is, within
# 1 %, that of simulate, explore and the program that `tessera run` compiles. --write rewrites the plans.
. "$(dirname "$0")/common.sh"
here=$(dirname "$0")

# Prints the errors in a JSON plan; nothing if its totals add up.
recompute() {
    awk '
    function field(name,   at, rest) { # of the line: a string or a number
        at = index($0, "\"" name "\": ")
        if (!at) return ""
        rest = substr($0, at + length(name) + 4)
        if (substr(rest, 1, 1) == "\"") { rest = substr(rest, 2); sub(/".*/, "", rest) }
        else sub(/[,}].*/, "", rest)
        return rest
    }
    function bytes(shape,   part, n, i, size, elem) { # 2x3xf32
        n = split(shape, part, "x")
        elem = part[n]
        size = elem == "i1" ? 1 : substr(elem, match(elem, /[0-9]/)) / 8
        for (i = 1; i < n; i++) size *= part[i]
        return size
    }
    /"arguments": / { section = "argument_bytes" }
    /"results": / { section = "result_bytes" }
    /"collectives": / { section = "received_bytes" }
    /"local": / {
        if (bytes(field("local")) != field("bytes")) print "bytes of " field("name")
        sum[section] += bytes(field("local"))
    }
    /"kind": / {
        kind = field("kind"); n = field("devices"); after = field("bytes")
        if (kind == "all_gather") moved = after - int(after / n)
        else if (kind == "all_reduce") moved = 2 * (after - int(after / n))
        else if (kind == "reduce_scatter") moved = after * (n - 1)
        else if (kind == "all_to_all") moved = after - int(after / n)
        else if (kind == "collective_permute" || kind == "collective_broadcast") moved = after
        else if (kind == "all_slice") moved = 0
        else { print "unknown collective " kind; next }
        if (moved != field("received")) print "received by " kind ": " field("received") ", not " moved
        turns = field("turns") == "null" ? 1 : field("turns")
        if (field("other_branch") == "true") next
        if (moved * turns != field("received_total")) print "received by " kind " in all turns: " field("received_total")
        sum[section] += moved * turns
    }
    match($0, /^  "[a-z]*_bytes": /) {
        name = substr($0, 4, RLENGTH - 6); value = substr($0, RLENGTH + 1); sub(/,$/, "", value)
        if (name == "peak_bytes") { if (value + 0 < sum["argument_bytes"] + 0) print "peak below the arguments"; next }
        if (value + 0 != sum[name] + 0) print name ": " value ", not " sum[name]
        totals++
    }
    END { if (totals != 3) print "totals are missing" }' "$1"
}

# number NAME FILE: the first one in a JSON file.
number() { sed -n "s/.*\"$1\": *\([0-9]*\).*/\1/p" "$2" | head -n 1; }

# near WHAT PEAK OTHER: two peaks differ by at most 1 %.
near() { [ $(($3 * 101)) -ge $(($2 * 100)) ] && [ $(($3 * 100)) -le $(($2 * 101)) ] || echo "the peak of $1: $3, not $2"; }

# agree SHARD MODULE: the peaks of the other commands are that of shard's JSON.
agree() {
    peak=$(number peak_bytes "$1")
    for what in simulate explore; do
        "$BUILD/bin/tessera" $what "$2" --json >"$tmp/other" 2>/dev/null
        near $what "$peak" "$(number peak_bytes "$tmp/other")"
    done
    "$BUILD/bin/tessera" run "$2" --spmd --memory --json --input=random >"$tmp/other" 2>/dev/null
    near run "$peak" $(($(number peak "$tmp/other") - $(number donated "$tmp/other")))
}

for d in "$here"/corpus/*/; do
    [ -f "$d/module.mlir" ] || continue
    if ! "$BUILD/bin/tessera" shard "$d/module.mlir" >"$tmp/plan" 2>"$tmp/error"; then
        bad "tessera shard $d/module.mlir: $(head -n 1 "$tmp/error")"
        continue
    fi
    [ "$1" != --write ] || cp "$tmp/plan" "$d/plan.txt"
    if diff -u "$d/plan.txt" "$tmp/plan" >"$tmp/diff"; then good; else bad "$d/plan.txt"; head -n 20 "$tmp/diff"; fi
    "$BUILD/bin/tessera" shard --json "$d/module.mlir" >"$tmp/json" 2>/dev/null
    { recompute "$tmp/json" && agree "$tmp/json" "$d/module.mlir"; } >"$tmp/wrong"
    if [ -s "$tmp/wrong" ]; then bad "totals of $d"; cat "$tmp/wrong"; else good; fi
done

# The check can fail.
sed 's/"argument_bytes": \([0-9]\)/"argument_bytes": 1\1/' "$tmp/json" >"$tmp/json2"
if [ -n "$(recompute "$tmp/json2")" ]; then good; else bad 'a wrong total was not noticed'; fi
sed 's/"peak_bytes": \([0-9]\)/"peak_bytes": 1\1/' "$tmp/json" >"$tmp/json2"
if [ "$(agree "$tmp/json2" "$d/module.mlir" | wc -l)" -eq 3 ]; then good; else bad 'a wrong peak was not noticed'; fi

counts
