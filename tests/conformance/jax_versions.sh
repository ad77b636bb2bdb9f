#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# jax_versions.sh PYTHON... - features of JAX (tests/pjrt/jax_features.py) on each of these Pythons' JAX, the oldest that is supported first
# and the newest last, and their table in docs/CONFORMANCE.md.
cd "$(dirname "$0")/../.." || exit 3
build=${BUILD:-build}
[ $# -gt 0 ] || { echo 'usage: make conformance JAX_PYTHONS="<python of the oldest JAX> <of the newest>"' >&2; exit 2; }
export JAX_PLATFORMS=tessera,cpu TESSERA_DEVICES=8 PYTHONPATH="$PWD/python" TESSERA_PLUGIN="$PWD/$build/pjrt_plugin_tessera.so"
mkdir -p "$build/jax"
n=0
for python in "$@"; do
    n=$((n + 1))
    "$python" -W ignore tests/pjrt/jax_features.py >"$build/jax/features$n" 2>"$build/jax/features$n.log"
    [ $? -le 1 ] || { tail -n 5 "$build/jax/features$n.log"; exit 1; }
done
i=0
files=
while [ "$i" -lt "$n" ]; do
    i=$((i + 1))
    files="$files $build/jax/features$i"
done
# shellcheck disable=SC2086
awk '
    FNR == 1 { n++ }
    /^jax / { title = title " | " $0; rule = rule " | ---"; next }
    /^[0-9]+ works, / { counts[n] = $0; next }
    /^[a-z0-9_]+: (works|refused|fails)/ { # other lines are of JAX
        name = $0; sub(/:.*/, "", name)
        how = substr($0, length(name) + 3); sub(/:.*/, "", how)
        if (!(name in seen)) { seen[name] = 1; order[++k] = name }
        at[name, n] = how
        if (how == "fails") reasons = reasons "\n- " name ": " substr($0, length(name) + 3)
    }
    END {
        print "| feature" title " |\n| ---" rule " |"
        for (i = 1; i <= k; i++) {
            row = order[i]; gsub(/_/, " ", row)
            for (j = 1; j <= n; j++) row = row " | " ((order[i], j) in at ? at[order[i], j] : "not in this version")
            print "| " row " |"
        }
        row = "all"
        for (j = 1; j <= n; j++) row = row " | " counts[j]
        print "| " row " |"
        if (reasons) print reasons
    }' $files >"$build/jax/versions"
cat "$build/jax/versions"
{
    awk "/^## JAX by version|^## tt-mlir's builder tests\$/ { exit } { print }" docs/CONFORMANCE.md
    printf '## JAX by version\n\nMade by `make conformance JAX_PYTHONS=...`: features on eight devices, each compared with JAX on cpu or with NumPy. Refused:\nUNIMPLEMENTED where it is called.\n\n'
    cat "$build/jax/versions"
    awk "/^## tt-mlir's builder tests\$/ { found = 1; print \"\" } found" docs/CONFORMANCE.md
} >"$build/jax/document" && cp "$build/jax/document" docs/CONFORMANCE.md
! grep -q ' [1-9][0-9]* fails' "$build/jax/versions"
