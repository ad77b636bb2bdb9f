#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# failures.sh - ranks that die, wait, disagree or fail: the job ends on all ranks, with a message that says who and where.
. "$(dirname "$0")/mpi.sh"
tessera=$BUILD/bin/tessera
step=$here/tests/mpi/step.mlir
feed='--feed=out0:in0,out1:in1 --input=random'

# job KIND RANKS FLAGS...: into out and error; the exit code is the launcher's. Whoever is left after it is a failure: the limit only ends what would never end.
job() {
    k=$1 r=$2
    shift 2
    ranks "$k" "$r" "$tessera" run "$@" >"$tmp/out" 2>"$tmp/error"
}

says() { # says WHAT TEXT...: all of them are in the error
    what=$1
    shift
    for text; do
        if ! grep -q -e "$text" "$tmp/error"; then
            bad "$what: does not say: $text" 12
            return
        fi
    done
    good
}

"$tessera" run "$step" --spmd $feed --loop=6 --output="$tmp/whole" >/dev/null 2>"$tmp/error" || bad 'the loop on threads' 5

for kind in $kinds; do
    # Each rank killed at each of its collectives in turn, until the run has no more.
    for rank in 0 1; do
        at=1
        while :; do
            rm -rf "$tmp/result"
            rm -f "$tmp/killed"
            if TESSERA_TEST_KILLED=$tmp/killed TESSERA_TEST_KILL=$rank:$at job $kind 2 "$step" --spmd --transport=mpi --input=random --output="$tmp/result"; then
                break
            fi
            now=$(date +%s)
            took=$((now - $(stat -c %Y "$tmp/killed" 2>/dev/null || echo 0)))
            left=$(ps -eo args | grep -c -F -e "--output=$tmp/result" || :)
            [ "$left" -le 1 ] || bad "$kind: rank $rank killed at $at: $((left - 1)) processes are left" # grep is one
            says "$kind: rank $rank killed at $at" "rank $rank was ended by signal 9; the last collective that it came to is 'stablehlo\.[a-z_]*' at .*step.mlir:" "rank $((1 - rank)) \(waits:\|does not wait\|has come to no collective\)"
            [ ! -e "$tmp/result" ] || bad "$kind: rank $rank killed at $at: wrote results"
            [ $took -le 5 ] || bad "$kind: rank $rank killed at $at: took $took s"
            at=$((at + 1))
            [ $at -lt 50 ] || { bad "$kind: killed for ever"; break; }
        done
        [ $at -gt 3 ] || bad "$kind: rank $rank comes to $((at - 1)) collectives"
    done

    # A loop that is killed goes on with its last state, on another number of ranks, and gives the bits of one that was not.
    rm -rf "$tmp/state" "$tmp/result"
    if TESSERA_TEST_KILL=1:30 job $kind 2 "$step" --spmd --transport=mpi $feed --loop=6 --checkpoint="$tmp/state" --checkpoint-every=1 --output="$tmp/result"; then
        bad "$kind: a loop was not killed"
    else
        says "$kind: a loop that is killed" 'rank 1 was ended by signal 9'
    fi
    [ -e "$tmp/result" ] && bad "$kind: a killed loop wrote results"
    [ -n "$(ls "$tmp/state")" ] && good || bad "$kind: no state was written"
    if job $kind 4 "$step" --spmd --transport=mpi $feed --loop=6 --checkpoint="$tmp/state" --resume --output="$tmp/result" && diff -r "$tmp/whole" "$tmp/result" >"$tmp/error" 2>&1; then
        good
    else
        bad "$kind: a loop that was killed and resumed" 8
    fi

    # Errors: once when all ranks say the same, with the rank otherwise; the exit code is the tool's.
    job $kind 2 "$step" --spmd --transport=mpi --input=3xf32=1,2,3
    code=$?
    [ $code -eq 1 ] && [ "$(grep -c 'the function takes 3 inputs' "$tmp/error")" -eq 1 ] && ! grep -q 'rank' "$tmp/error" && good || bad "$kind: an error of all ranks ($code)" 5
    job $kind 8 "$step" --spmd --transport=mpi --input=random
    says "$kind: more ranks than devices" 'the program is for 4 devices, and there are 8 ranks'
    job $kind 2 "$step" --transport=mpi --input=random --nonsense
    says "$kind: a flag that is none" 'nonsense'
    sed 's/0\.9>/0.8>/' "$step" >"$tmp/other.mlir"
    cp "$step" "$tmp/same.mlir"
    for f in same other; do
        cat >"$tmp/one.sh" <<END
case \${OMPI_COMM_WORLD_RANK:-\$PMI_RANK} in
0) exec "$tessera" run "$tmp/same.mlir" --spmd --transport=mpi --input=random ;;
*) exec "$tessera" run "$tmp/$f.mlir" --spmd --transport=mpi --input=random ;;
esac
END
        ranks $kind 2 sh "$tmp/one.sh" >"$tmp/out" 2>"$tmp/error"
        code=$?
        if [ $f = same ]; then
            [ $code -eq 0 ] && good || bad "$kind: two files that are the same" 5
        else
            says "$kind: different programs" 'rank 0 and rank 1 have different programs'
        fi
    done
    cat >"$tmp/one.sh" <<END
case \${OMPI_COMM_WORLD_RANK:-\$PMI_RANK} in
0) exec "$tessera" run "$step" --spmd --transport=mpi --input=random --seed=1 ;;
*) exec "$tessera" run "$step" --spmd --transport=mpi --input=random --seed=2 ;;
esac
END
    ranks $kind 2 sh "$tmp/one.sh" >"$tmp/out" 2>"$tmp/error"
    says "$kind: different inputs" 'rank 0 and rank 1 have different values of argument'
    cat >"$tmp/one.sh" <<END
case \${OMPI_COMM_WORLD_RANK:-\$PMI_RANK} in
0) exec "$tessera" run "$step" --spmd --transport=mpi --input=random ;;
*) exec "$tessera" run "$tmp/absent.mlir" --spmd --transport=mpi --input=random ;;
esac
END
    ranks $kind 2 sh "$tmp/one.sh" >"$tmp/out" 2>"$tmp/error"
    says "$kind: a file that one rank does not have" 'rank 1: .*absent.mlir'
    # A rank that is stuck: it waits for itself for ever, at a debugger's hand.
    TESSERA_TEST_HANG=1:2 job $kind 2 "$step" --spmd --transport=mpi --input=random --timeout=3s
    says "$kind: a rank that is stuck" 'rank 0: nothing has come for 3 s (--timeout)' "process (0, 0) waits in 'stablehlo\.[a-z_]*' at .*step.mlir:.* for (0, [23])"
done
counts && [ $passed -gt 0 ]
