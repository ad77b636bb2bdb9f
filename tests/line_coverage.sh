#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# line_coverage.sh - lines and branches of src/ and tools/ that were run in a build with gcc's --coverage (make
# coverage-report): by folder, in total, and the files with the lowest branch coverage. With --doc, also written to
# docs/HACKING.md. From the environment: BUILD, GCOV.
cd "$(dirname "$0")/.." || exit 3
BUILD=${BUILD:-build/coverage}
GCOV=${GCOV:-gcov}
. tests/common.sh
if ! command -v "$GCOV" >/dev/null 2>&1; then
    echo "coverage-report: left out: $GCOV is not here"
    exit 0
fi

# File, lines, lines executed, branches, branches taken. Headers and tables are part of many objects, and are left out.
find "$BUILD/obj/src" "$BUILD/obj/tools" -name '*.gcno' | sort | xargs "$GCOV" -b -n 2>/dev/null | awk '
    function part(text) { split(text, w, /[:%]/); return w[2] / 100 * $NF }
    /^Calls executed|^No calls/ { keep = 0 } # what follows may be the sum of all
    /^File / { file = substr($2, 2, length($2) - 2); keep = file ~ /^(src|tools)\/.*\.c$/ }
    !keep { next }
    /^Lines executed/ { lines[file] = $NF; ran[file] = part($0) }
    /^Taken at least once/ { branches[file] = $NF; taken[file] = part($0) }
    END { for (f in lines) printf "%s %d %.0f %d %.0f\n", f, lines[f], ran[f], branches[f], taken[f] }' | sort >"$tmp/files"
[ -s "$tmp/files" ] || { echo "coverage-report: nothing was measured in $BUILD"; exit 1; }

report() {
    awk '
        function row(name, n) { printf "%-14s %6d %8d %6.1f %% %8d %6.1f %%\n", name, n["files"], n["lines"], 100 * n["ran"] / n["lines"], n["branches"], n["branches"] ? 100 * n["taken"] / n["branches"] : 100 }
        {
            split($1, w, "/")
            d = w[1] == "src" ? w[1] "/" w[2] : w[1]
            if (!(d in files)) order[++n] = d
            files[d]++; lines[d] += $2; ran[d] += $3; branches[d] += $4; taken[d] += $5
        }
        END {
            printf "%-14s %6s %8s %8s %8s %8s\n", "folder", "files", "lines", "run", "branches", "taken"
            for (i = 1; i <= n; i++) {
                d = order[i]
                v["files"] = files[d]; v["lines"] = lines[d]; v["ran"] = ran[d]; v["branches"] = branches[d]; v["taken"] = taken[d]
                for (k in v) all[k] += v[k]
                row(d, v)
            }
            row("all", all)
        }' "$tmp/files"
    echo
    echo 'least covered, by lines:'
    awk '$2 >= 20 { printf "%6.1f %% of %5d lines, %6.1f %% of %5d branches  %s\n", 100 * $3 / $2, $2, $4 ? 100 * $5 / $4 : 100, $4, $1 }' "$tmp/files" |
        sort -n | head -n 12
}

report >"$tmp/report"
cat "$tmp/report"
[ "$1" = --doc ] || exit 0
awk -v report="$tmp/report" '
    /^<!-- coverage: end/ { inside = 0 }
    !inside { print }
    /^<!-- coverage: begin/ {
        inside = 1
        while ((getline line < report) > 0) print (line == "" ? "" : "    " line)
    }' docs/HACKING.md >"$tmp/doc" && cp "$tmp/doc" docs/HACKING.md
