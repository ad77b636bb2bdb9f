#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# steps.sh - runs of several steps on one rank: undivided and on a mesh, checked against the evaluator, with states that are gone on with.
. "$(dirname "$0")/../common.sh"
tessera=$BUILD/bin/tessera
step=$(dirname "$0")/step.mlir
feed='--feed=out0:in0,out1:in1 --input=random'

ok() { # ok WHAT COMMAND...
    what=$1
    shift
    if "$@" >"$tmp/out" 2>"$tmp/error"; then good; else bad "$what" 5; fi
}

same() { # same WHAT DIR DIR
    if diff -r "$2" "$3" >"$tmp/error" 2>&1; then good; else bad "$1" 3; fi
}

refused() { # refused CODE TEXT FLAGS...
    code=$1 text=$2
    shift 2
    "$tessera" run "$step" "$@" >"$tmp/out" 2>"$tmp/error"
    got=$?
    if [ $got -eq "$code" ] && grep -q -e "$text" "$tmp/error"; then good; else bad "run $* (exit code $got, not $code, or not: $text)" 5; fi
}

for how in '' --spmd; do
    run="$tessera run $step $how $feed"
    d=$tmp/one$how
    mkdir "$d"
    ok "5 steps $how" $run --loop=5 --output="$d/whole"
    ok "5 steps $how, checked" $run --loop=5 --check
    # By hand: what one step gives is the next one's input.
    ok "first step $how" $run --loop=1 --output="$d/hand"
    for i in 2 3 4 5; do
        ok "step $i $how by hand" "$tessera" run "$step" $how --input="$d/hand/out0.npy" --input="$d/hand/out1.npy" --input=random --output="$d/hand"
    done
    same "5 steps $how and one by one" "$d/whole" "$d/hand"
    ok "3 steps $how, states" $run --loop=3 --checkpoint="$d/state" --checkpoint-every=1
    if [ "$(ls "$d/state")" = 'step-000000000002
step-000000000003' ]; then good; else bad "states $how: $(ls -a "$d/state")"; fi
    ok "resumed $how" $run --loop=5 --checkpoint="$d/state" --resume --output="$d/resumed"
    same "resumed $how" "$d/whole" "$d/resumed"
    # What a killed run left unfinished is no state.
    mkdir "$d/state/.step-000000000009"
    echo x >"$d/state/.step-000000000009/in0.npy"
    rm -r "$d/state/step-000000000005"
    ok "resumed $how beside an unfinished state" $run --loop=5 --checkpoint="$d/state" --resume --output="$d/resumed"
    same "resumed $how beside an unfinished state" "$d/whole" "$d/resumed"
    # All steps were done, and their results not written: the same command writes them, and computes nothing.
    ok "5 steps $how, finished" $run --loop=5 --checkpoint="$d/state" --resume --output="$d/finished" --print --dump-program
    same "5 steps $how, finished" "$d/whole" "$d/finished"
    if ! grep -q program "$tmp/error"; then good; else bad "5 steps $how, finished: something was compiled" 5; fi
    # The state of a longer run has no results after its third step: they are computed from an older state, or from the inputs.
    for old in 2 ''; do
        ok "states $how of 4 steps" $run --loop=4 --checkpoint="$d/long$old" --checkpoint-every=1
        rm -r "$d/long$old/step-000000000004"
        ok "states $how of 3 steps" $run --loop=3 --output="$d/three"
        mv "$d/long$old/step-000000000003" "$d/kept"
        [ -n "$old" ] && $run --loop=2 --checkpoint="$d/long$old" >/dev/null 2>&1
        mv "$d/kept" "$d/long$old/step-000000000003"
        ok "3 steps $how of 4" $run --loop=3 --checkpoint="$d/long$old" --resume --output="$d/shorter"
        same "3 steps $how of 4" "$d/three" "$d/shorter"
    done
    refused 1 'wants fewer' $how $feed --loop=4 --checkpoint="$d/state" --resume
    refused 1 'state of another program' $how --feed=out0:in0 --input=random --loop=9 --checkpoint="$d/state" --resume
    : >"$d/state/step-000000000005/state"
    refused 1 'state of another program' $how $feed --loop=9 --checkpoint="$d/state" --resume
    ok "resumed $how where there is no state" $run --loop=5 --checkpoint="$d/none" --resume --output="$d/resumed"
    same "resumed $how where there is no state" "$d/whole" "$d/resumed"
    : >"$d/file"
    refused 3 "cannot make directory" $how $feed --loop=2 --checkpoint="$d/file"
done
ok 'parts of results' "$tessera" run "$step" --spmd $feed --loop=5 --output="$tmp/parts" --output-shards
if [ "$(ls "$tmp/parts" | tr '\n' ' ')" = 'out0.d0.npy out1.d0.npy out1.d1.npy out1.d2.npy out1.d3.npy out2.d0.npy ' ]; then
    good
else
    bad "parts of results: $(ls "$tmp/parts" | tr '\n' ' ')"
fi

refused 2 'needs --feed' --loop=2
refused 2 'needs --loop' --feed=out0:in0
refused 2 'needs --loop' --checkpoint=x
refused 2 'needs --checkpoint' $feed --loop=2 --resume
refused 2 'needs --checkpoint' $feed --loop=2 --checkpoint-every=2
refused 2 'without --repeat' $feed --loop=2 --repeat=2
refused 2 'without --resume' $feed --loop=2 --checkpoint=x --resume --check
refused 2 'needs --transport=tcp or --transport=mpi' --timeout=5s
refused 2 'needs --transport=tcp or --transport=mpi' --collectives=own
refused 2 'a time is wanted' --timeout=x
refused 2 'threads, tcp or mpi is wanted' --transport=udp
refused 2 'needs a directory' --output-shards --spmd
refused 2 'needs --spmd' --output-shards --output=x --input=random
refused 1 'pairs are wanted' --loop=2 --input=random --feed=out0
refused 1 'pairs are wanted' --loop=2 --input=random --feed=out0:in0,
refused 1 '3 results and 3 arguments' --loop=2 --input=random --feed=out0:in7
refused 1 'fed twice' --loop=2 --input=random --feed=out0:in0,out1:in0
refused 1 'the result is tensor<f32>, and the argument tensor<8x4xf32>' --loop=2 --input=random --feed=out2:in0
# One process starts the plug-in's library for itself alone, or says why it cannot.
TESSERA_MPI=$tmp/none.so refused 3 'none.so' --spmd --transport=mpi --input=random
TESSERA_MPI=$tmp/none.so refused 3 'none.so' --spmd --input=random --transport mpi
if TESSERA_MPI=$tmp/none.so "$tessera" run --transport=mpi --spmd --input=random "$step" >/dev/null 2>"$tmp/error" || ! grep -q 'none.so' "$tmp/error"; then bad 'the transport before all others' 3; else good; fi
counts
