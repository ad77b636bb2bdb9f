#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# device.sh [--device=cuda] [--seconds=360] [--jobs=N] [--only=PART,...] [--programs=2000] [--state=DIR] [--list] - programs on a device.
#
# A unit is a program of the corpus, a batch of random programs, a run of the conformance suite. Units run JOBS at a time until
# SECONDS are over; then those that run come to their ends, which takes at most LIMIT=100 s more. What a unit found is
# kept below the state's folder by the commit's tree and the build: the next call goes on with the units that are left. A table is
# printed last: of each part, units and checks, and the groups that ran on the host by kind (kinds.awk). An op that is of
# none of its kinds is a failure, and so is what is skipped or refused.
# Exit: 0 all units are done and right, 1 something failed, 75 there are units left. Where OUT is set, the state and
# a log are written there.
#
#   suite       the conformance suite of devices           corpus    its programs, products in full precision
#   corpus-tf32 the same as they are, by a wider bound     ttir      the corpus as TTIR
#   random      random programs, full precision            tf32      random programs as they are, by a wider bound
#   programs    programs of the generators in Python       strict    maps have the CPU's bits with --strict-rounding
#   faults      what cannot run says why                   sanitizer compute-sanitizer over the corpus
#   arrays      arrays of torch, jax and cupy, not copied (where there is the library for Python)
#   manual      computations that are manual on meshes     models    programs below MODELS=dir, on random inputs
cd "$(dirname "$0")/../.." || exit 3
BUILD=${BUILD:-build}
HERE=tests/gpu
DEVICE=${RUN_DEVICE:-cuda} SECONDS_LEFT=360 JOBS=$(nproc 2>/dev/null || echo 2) ONLY= PROGRAMS=2000 STATE=$BUILD/gpu-state LIST=
ALL=suite,faults,arrays,corpus,corpus-tf32,random,tf32,strict,programs,ttir,sanitizer,manual,models
LIMIT=${LIMIT:-100}

usage() {
    echo "device.sh: $1: see the top of the file" >&2
    exit 2
}

while [ $# -gt 0 ]; do
    case $1 in
    --device=*) DEVICE=${1#*=} ;;
    --seconds=*) SECONDS_LEFT=${1#*=} ;;
    --jobs=*) JOBS=${1#*=} ;;
    --only=*) ONLY=${1#*=} ;;
    --programs=*) PROGRAMS=${1#*=} ;;
    --state=*) STATE=${1#*=} ;;
    --list) LIST=yes ;;
    unit) break ;;
    *) usage "$1" ;;
    esac
    shift
done
ONLY=${ONLY:-$ALL}
for part in $(echo "$ONLY" | tr , ' '); do
    case ",$ALL," in *",$part,"*) ;; *) usage "no part is named '$part'" ;; esac
done

host_ops() { # the ops that ran on the host, as "3 stablehlo.sort", from the first lines of dumps
    sed -n 's/^program of .* kernels: //p' | tr , '\n' | awk 'NF == 2 { n[$2] += $1 } END { for (op in n) print n[op], op }'
}

strange_ops() { # those of them that should not
    awk -f "$HERE/kinds.awk" | awk '$3 == "other" { printf "%s%d %s", n++ ? ", " : "", $1, $2 }'
}

# ---- One unit: `device.sh unit NAME`, with the rest in the environment ----

if [ "${1:-}" = unit ]; then
    name=$2 at=$RUN_STATE/$2
    [ ! -e "$at.done" ] || exit 0
    [ "$(date +%s)" -lt "$RUN_UNTIL" ] || exit 0
    start=$(date +%s)
    timeout -k 5 "$LIMIT" sh "$HERE/units.sh" run "$name" >"$at.log" 2>&1
    code=$?
    [ $code -ne 124 ] || echo "it takes more than $LIMIT s" >>"$at.log"
    # The last line counts, unless the unit did not come to its end.
    counts=$(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p' "$at.log" | tail -n 1)
    passed=${counts% *} failed=${counts#* }
    if [ -z "$counts" ] || { [ $code -ne 0 ] && [ "$failed" -eq 0 ]; }; then passed=${passed:-0} failed=1; fi
    [ $((passed + failed)) -gt 0 ] || failed=1
    strange=$(host_ops <"$at.log" | strange_ops)
    if [ -n "$strange" ]; then
        echo "on the host: $strange" >>"$at.log"
        failed=$((failed + 1))
    fi
    {
        echo "$passed $failed $(($(date +%s) - start))"
        host_ops <"$at.log"
    } >"$at.part" && mv "$at.part" "$at.done"
    [ "$failed" -eq 0 ] || echo "FAIL $name: $(grep -m 1 -e FAIL -e 'error: ' -e 'on the host' -e fails -e differs -e 'it takes' "$at.log" | cut -c 1-200)"
    exit 0
fi

# ---- All of them ----

PLUGIN=$BUILD/tessera_${DEVICE%%:*}.so
[ -x "$BUILD/bin/tessera" ] && [ -f "$PLUGIN" ] || { echo "device.sh: $BUILD has no tessera or no ${PLUGIN##*/}" >&2; exit 3; }
commit=$(cat commit 2>/dev/null || git rev-parse --short=12 'HEAD^{tree}' 2>/dev/null || echo tree)
key=$commit-$(cat "$BUILD/bin/tessera" "$PLUGIN" | cksum | cut -d ' ' -f 1)-${DEVICE%%:*}
RUN_STATE=$STATE/$key
mkdir -p "$RUN_STATE" || exit 3
RUN_UNTIL=$(($(date +%s) + SECONDS_LEFT))
RUN_DEVICE=$DEVICE
[ -n "${MODELS:-}" ] || [ ! -d models ] || MODELS=models # a bundle's
case $BUILD in /*) TESSERA_PLUGINS=$BUILD ;; *) TESSERA_PLUGINS=$PWD/$BUILD ;; esac
export TESSERA_PLUGINS MODELS BUILD DEVICE RUN_DEVICE RUN_STATE RUN_UNTIL LIMIT PROGRAMS
for part in $(echo "$ONLY" | tr , ' '); do sh "$HERE/units.sh" list "$part" | sed "s/^/$part./"; done >"$RUN_STATE/units"
if [ -n "$LIST" ]; then
    cat "$RUN_STATE/units"
    exit 0
fi
# The suite and faults take the device's memory, and look at what is left of it: they run alone.
grep -E '^(suite|faults)' "$RUN_STATE/units" | xargs -r -n 1 sh "$HERE/device.sh" unit
grep -v -E '^(suite|faults)' "$RUN_STATE/units" | xargs -r -P "$JOBS" -n 1 sh "$HERE/device.sh" unit
sh "$HERE/table.sh" "$RUN_STATE" "$DEVICE"
code=$?
if [ -n "${OUT:-}" ]; then
    tar -czf "$OUT/gpu-state.tar.gz" -C "$STATE" "$key"
    while read -r unit; do
        [ ! -e "$RUN_STATE/$unit.log" ] || { echo "==== $unit"; head -c 20000 "$RUN_STATE/$unit.log"; }
    done <"$RUN_STATE/units" | head -c 15000000 >"$OUT/device.log"
fi
exit $code
