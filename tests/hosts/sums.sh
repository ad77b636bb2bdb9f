#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# sums.sh: sums over 2 to 70 and over 1,025 devices have the bits of one order, written out as a program of its own (blocks of 32
# devices, then sums of blocks): all_reduce of few and of many bytes, reduce_scatter, and a body that computes in another type;
# by the reference, by the engine, and on several ranks over TCP. `sums.sh mpi`: on several ranks over MPI.
case ${1:-} in
mpi) . "$(dirname "$0")/../mpi/mpi.sh" ;;
*) . "$(dirname "$0")/../common.sh" ;;
esac
tessera=$BUILD/bin/tessera

# program N LARGE: N devices; LARGE elements of each in the large sum.
program() {
    awk -v n="$1" -v large="$2" '
    function type(rows, cols, t) { return "tensor<" rows "x" cols "x" t ">" }
    function sum(name, op, operand, from, to, attributes, t,    k) {
        printf "    %s = \"stablehlo.%s\"(%s) <{%schannel_handle = #stablehlo.channel_handle<handle = %d, type = 1>, replica_groups = dense<[[0", name, op, operand, attributes, ++channel
        for (k = 1; k < n; k++) printf ", %d", k
        printf "]]> : tensor<1x%dxi64>, use_global_device_ids}> ({\n    ^bb0(%%p: tensor<%s>, %%q: tensor<%s>):\n      %%s = stablehlo.add %%p, %%q : tensor<%s>\n      stablehlo.return %%s : tensor<%s>\n    }) : (%s) -> %s\n", n, t, t, t, t, from, to
    }
    # The sum of the rows of an operand, which is what each device brings, in the order of the definition.
    function ordered(result, operand, cols, t,    k, m, some, all, row) {
        for (k = 0; k < n; k++) {
            printf "    %s_%d = stablehlo.slice %s [%d:%d, 0:%d] : (%s) -> %s\n", result, k, operand, k, k + 1, cols, type(n, cols, t), type(1, cols, t)
            row[k] = result "_" k
        }
        for (all = n; all > 1; all = some)
            for (some = k = 0; k < all; k++)
                if (k % 32 == 0) row[some++] = row[k]
                else {
                    printf "    %s_%d_%d = stablehlo.add %s, %s : %s\n", result, all, k, row[some - 1], row[k], type(1, cols, t)
                    row[some - 1] = result "_" all "_" k
                }
        printf "    %s = stablehlo.reshape %s : (%s) -> %s\n", result, row[0], type(1, cols, t), type(1, cols, t)
    }
    BEGIN {
        few = 50; many = 2 * n
        args = "%in: " type(n, few, "f32") ", %large: " type(n, large, "f32") ", %parts: " type(n, many, "f32") ", %half: " type(n, few, "bf16")
        outs = type(1, few, "f32") ", " type(1, large, "f32") ", " type(1, many, "f32") ", " type(1, few, "f32")
        rows = "<@mesh, [{\"x\"}, {}]>"; all = "<@mesh, [{}, {}]>"
        print "module {\n  sdy.mesh @mesh = <[\"x\"=" n "]>\n  func.func @main(" args ") -> (" outs ") {"
        print "    %out:4 = sdy.manual_computation(%in, %large, %parts, %half) in_shardings=[" rows ", " rows ", " rows ", " rows "] out_shardings=[" all ", " all ", <@mesh, [{}, {\"x\"}]>, " all "] manual_axes={\"x\"} (%a: " type(1, few, "f32") ", %b: " type(1, large, "f32") ", %c: " type(1, many, "f32") ", %d: " type(1, few, "bf16") ") {"
        sum("%0", "all_reduce", "%a", type(1, few, "f32"), type(1, few, "f32"), "", "f32")
        sum("%1", "all_reduce", "%b", type(1, large, "f32"), type(1, large, "f32"), "", "f32")
        sum("%2", "reduce_scatter", "%c", type(1, many, "f32"), type(1, 2, "f32"), "scatter_dimension = 1 : i64, ", "f32")
        sum("%3", "all_reduce", "%d", type(1, few, "bf16"), type(1, few, "f32"), "", "f32")
        print "    sdy.return %0, %1, %2, %3 : " type(1, few, "f32") ", " type(1, large, "f32") ", " type(1, 2, "f32") ", " type(1, few, "f32") "\n    } : (" type(n, few, "f32") ", " type(n, large, "f32") ", " type(n, many, "f32") ", " type(n, few, "bf16") ") -> (" outs ")\n    return %out#0, %out#1, %out#2, %out#3 : " outs "\n  }"
        print "  func.func @ordered(" args ") -> (" outs ") {\n    %wide = stablehlo.convert %half : (" type(n, few, "bf16") ") -> " type(n, few, "f32")
        ordered("%r0", "%in", few, "f32"); ordered("%r1", "%large", large, "f32"); ordered("%r2", "%parts", many, "f32"); ordered("%r3", "%wide", few, "f32")
        print "    return %r0, %r1, %r2, %r3 : " outs "\n  }\n}"
    }'
}

# try WHAT COMMAND...: the command gives the bytes of the order.
try() {
    what=$1
    shift
    rm -rf "$tmp/got"
    mkdir "$tmp/got"
    "$@" "$tmp/program.mlir" --spmd --input=random --output="$tmp/got" >"$tmp/out" 2>"$tmp/error" && diff -r "$tmp/ordered" "$tmp/got" >"$tmp/error" 2>&1 && good || bad "$what" 8
}

# sums N LARGE HOW...
sums() {
    n=$1
    program "$1" "$2" >"$tmp/program.mlir"
    shift 2
    rm -rf "$tmp/ordered"
    "$tessera" run "$tmp/program.mlir" --function=ordered --engine=reference --input=random --output="$tmp/ordered" >"$tmp/out" 2>"$tmp/error" || bad "the order of $n" 8
    for r; do
        case $r in
        reference) try "$n devices, reference" "$tessera" run --engine=reference ;;
        engine) try "$n devices, engine" "$tessera" run ;;
        tcp*) try "$n devices, $r" timeout 100 "$tessera" run --transport=tcp --hosts=${r#tcp} --timeout=60s --threads=1 ;;
        *) try "$n devices on 3 ranks, $r" ranks $r 3 "$tessera" run --transport=mpi --timeout=60s --threads=1 ;;
        esac
    done
}

if [ "${1:-}" = mpi ]; then
    for n in 32 33 70; do sums $n 34000 $kinds; done
else
    for n in $(seq 2 70); do
        case $n in
        3 | 32 | 33 | 65 | 70) sums $n 34000 reference engine tcp2 tcp3 ;;
        *) sums $n 8 engine ;;
        esac
    done
    sums 1025 2 reference engine tcp3
fi
counts
