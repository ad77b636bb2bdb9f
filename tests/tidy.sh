#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tidy.sh - `make tidy`: clang-tidy with the checks of .clang-tidy over the sources, or over the given files. ANALYZE=1
# adds clang's static analyzer, which takes minutes. Exits with 77 if there is no clang-tidy.
cd "$(dirname "$0")/.." || exit 3
tool=
for t in ${CLANG_TIDY:-} clang-tidy-14 clang-tidy; do
    if command -v "$t" >/dev/null 2>&1; then tool=$t; break; fi
done
[ -n "$tool" ] || { echo 'tidy: skipped: no clang-tidy here'; exit 77; }
if [ $# -gt 0 ]; then
    files=$*
else
    files=$(find src tools -name '*.c' -not -path 'src/mpi/*' | sort)
fi
# Files that need MPI's header are checked if Open MPI reports its location.
mpi=$(mpicc --showme:compile 2>/dev/null) && [ $# -eq 0 ] && files="$files $(find src/mpi -name '*.c' | sort)"
checks=
# Pointers that are NULL only on paths that our invariants exclude are left to the sanitizers.
[ -z "$ANALYZE" ] || checks="--checks=clang-analyzer-*,-clang-analyzer-core.NullDereference,-clang-analyzer-core.NonNullParamChecker,\
-clang-analyzer-core.UndefinedBinaryOperatorResult,-clang-analyzer-security.*,-clang-analyzer-optin.*"
log=$(mktemp) || exit 3
trap 'rm -f "$log"' EXIT
echo "$files" | xargs -n 16 -P 2 sh -c '
    tool=$1 checks=$2 mpi=$3
    shift 3
    "$tool" --quiet $checks "$@" -- -std=c11 -Wshadow -Iinclude -Isrc -D_POSIX_C_SOURCE=200809L -D_DEFAULT_SOURCE -DTSR_BUILD=1 $mpi 2>/dev/null
' tidy "$tool" "$checks" "$mpi" >"$log"
if grep -q -E '(error|warning):' "$log"; then
    cat "$log"
    exit 1
fi
echo "tidy: $(echo "$files" | wc -w) files"
