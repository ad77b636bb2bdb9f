#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# others.sh [--write FILE] [--none] NAME=PATH... - which ops run by the evaluator's kernels in compiled programs: each .mlir file below a path is run
# with random inputs, and the first line of its program counts them. One line of a table for each NAME: programs, programs that are not
# compiled (refused, or run by the evaluator), groups by the evaluator's kernels, and ops. --write: puts the table between the marks
# <!-- others --> and <!-- /others --> of FILE. NAME is one word. Without paths: the corpus. --none: fails where there is any such op.
# LIMIT=20 is the time in seconds that a program may take.
cd "$(dirname "$0")/../.." || exit 3
BUILD=${BUILD:-build}
out=
none=
[ "${1:-}" = --write ] && out=$2 && shift 2
[ "${1:-}" = --none ] && none=1 && shift
[ $# -gt 0 ] || set -- corpus=tests/corpus
tmp=$(mktemp -d) || exit 3
trap 'rm -rf "$tmp"' EXIT
{
    echo '| programs | run | compiled | groups by the evaluator'"'"'s kernels | ops |'
    echo '| --- | ---: | ---: | ---: | --- |'
} >"$tmp/table"
program() { # program FILE FLAG...: its first line; a loop may never end on random inputs
    timeout "${LIMIT:-20}" "$BUILD/bin/tessera" run "$@" --dump-program </dev/null 2>&1 >/dev/null | awk '/^program of / { print; exit }'
}
for set in "$@"; do
    find "${set#*=}" -name '*.mlir' ! -path '*/Inputs/*' | sort >"$tmp/files"
    while read -r file; do
        line=$(program "$file" --input=random)
        [ -n "$line" ] || line=$(program "$file") # it takes no inputs
        echo "${line:-none}"
    done <"$tmp/files" >"$tmp/lines"
    awk -v name="${set%%=*}" '
        /^none/ { programs++; next }
        { programs++; compiled++
          if (!match($0, /kernels: /)) next
          n = split(substr($0, RSTART + RLENGTH), list, ", ")
          for (i = 1; i <= n; i++) { split(list[i], w, " "); count[w[2]] += w[1]; total += w[1] } }
        END {
          while (1) {
              best = ""
              for (op in count) if (best == "" || count[op] > count[best] || (count[op] == count[best] && op < best)) best = op
              if (best == "") break
              ops = ops (ops == "" ? "" : ", ") count[best] " " best
              delete count[best] }
          printf "| %s | %d | %d | %d | %s |\n", name, programs, compiled, total, ops == "" ? "none" : ops }' "$tmp/lines" >>"$tmp/table"
done
if [ -z "$out" ]; then
    cat "$tmp/table"
else
    awk -v table="$tmp/table" '
        !inside { print }
        /^<!-- others -->$/ { inside = 1; while ((getline line < table) > 0) print line }
        /^<!-- \/others -->$/ { inside = 0; print }' "$out" >"$tmp/new" && cat "$tmp/new" >"$out"
fi
[ -z "$none" ] || ! grep -qv -e '| none |$' -e '^| programs' -e '^| ---' "$tmp/table"
