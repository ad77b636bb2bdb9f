#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# compat.sh - what earlier versions wrote (tests/compat/Inputs/VERSION, by tests/compat/make.sh) is read, with the same
# values; saved programs that this version compiles differently, and files of versions that it does not know, are
# refused, and the message names the file, and the version or what to do. 0.1.0-early is the format of 17 November 2026, before a release.
cd "$(dirname "$0")/.." || exit 3
. tests/common.sh
bin=$BUILD/bin
first=4x4xf32=$(seq -s , 0.0625 0.0625 1)
second=4x4xf32=$(seq -s , -0.5 0.0625 0.4375)

expect() { # expect WHAT COMMAND...
    what=$1
    shift
    if "$@" >"$tmp/out" 2>"$tmp/error"; then good; else bad "$what" 5; fi
}
same() { # same WHAT FILE: what was printed is the file
    if diff -B "$2" "$tmp/out" >"$tmp/error"; then good; else bad "$1 is read as something else" 5; fi
}
results() { # results WHAT PROGRAM [flag]: a loop of two steps has the results of that version
    what=$1 program=$2
    shift 2
    expect "$what runs" "$bin/tessera" run "$program" --input="$first" --input="$second" --loop=2 --feed=out0:in0 \
        --expect="$at/results/out0.npy" --expect="$at/results/out1.npy" "$@"
}
refused() { # refused WHAT NAMED COMMAND...
    what=$1 named=$2
    shift 2
    if "$@" >"$tmp/out" 2>"$tmp/error"; then bad "$what: accepted"; return; fi
    if grep -q "$named" "$tmp/error"; then good; else bad "$what: refused, but not because of '$named'" 5; fi
}

for at in tests/compat/Inputs/[0-9]*; do
    v=${at##*/}
    for f in "$at"/*.mlir; do
        expect "$f" "$bin/tessera" opt "$f"
        same "$f" "$f"
        [ -f "${f}bc" ] || continue
        expect "${f}bc" "$bin/tessera" opt "${f}bc"
        same "${f}bc" "$f"
    done
    for f in "$at"/program.mlir "$at"/program.mlirbc "$at"/program.portable; do
        [ ! -f "$f" ] || results "$v: ${f##*/}" "$f"
    done
    for f in "$at"/*.tsrx; do
        if "$bin/tessera" run "$f" --input=random >"$tmp/out" 2>"$tmp/error"; then
            good
            [ "${f##*/}" != program.tsrx ] || results "$v: program.tsrx" "$f"
        elif grep -q "compile it again" "$tmp/error"; then
            good # the message tells the version, or what is compiled differently
        else
            bad "$f: neither read nor refused by name" 5
        fi
    done
    if [ -f "$at/plan.json" ]; then
        expect "$v: plan.json" "$bin/tessera" shard "$at/program.mlir" --apply-plan="$at/plan.json" -o "$tmp/planned.mlir"
        expect "$v: what the plan promises" "$bin/tessera" check-plan "$at/program.mlir" --plan="$at/plan.json"
        grep -q 'sdy.mesh @mesh = <\["x"=2\]>' "$tmp/planned.mlir" && good || bad "$v: the plan gives no mesh"
    fi
    if [ -d "$at/state" ]; then
        rm -rf "$tmp/state" && cp -r "$at/state" "$tmp/state"
        results "$v: the state after the last step" "$at/program.mlir" --checkpoint="$tmp/state" --resume
        rm -rf "$tmp/state/step-000000000002"
        results "$v: the state after the first step" "$at/program.mlir" --checkpoint="$tmp/state" --resume
        rm -rf "$tmp/state/step-000000000002"
        sed 's/^tessera state 1/tessera state 2/' "$at/state/step-000000000001/state" >"$tmp/state/step-000000000001/state"
        refused "$v: a state of version 2" 'is of version 2 of the format' "$bin/tessera" run "$at/program.mlir" --input="$first" \
            --input="$second" --loop=2 --feed=out0:in0 --checkpoint="$tmp/state" --resume
    fi
    for f in "$at"/device.ttnn "$at"/device.ttm; do
        [ ! -f "$f" ] || expect "$f" "$bin/ttrt" run "$f" --artifact-dir="$tmp/artifacts" --result-file="$tmp/results.json" --save-artifacts
    done
done

# Formats of versions to come: byte 8 of a saved program, the field of a plan
# and the head of bytecode.
at=tests/compat/Inputs/0.1.0
cp $at/program.tsrx "$tmp/next.tsrx" && printf '\143' | dd of="$tmp/next.tsrx" bs=1 seek=8 conv=notrunc 2>/dev/null
refused 'a saved program of version 99' 'version 99 of the format' "$bin/tessera" run "$tmp/next.tsrx" --input=random
sed 's/"version": 1,/"version": 99,/' $at/plan.json >"$tmp/plan.json"
refused 'a plan of version 99' 'version 99' "$bin/tessera" shard $at/program.mlir --apply-plan="$tmp/plan.json"
cp $at/program.mlirbc "$tmp/next.mlirbc" && printf '\307' | dd of="$tmp/next.mlirbc" bs=1 seek=4 conv=notrunc 2>/dev/null
refused 'bytecode of version 99' 'version 99' "$bin/tessera" opt "$tmp/next.mlirbc"
counts
