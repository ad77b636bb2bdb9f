#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# points.sh - values and derivatives of CHLO's functions at chosen points: 0, where pieces of expansions meet, near the ends of
# domains, large numbers. points.list has them, from JAX (tests/differential/grad_points.py). All functions stand in one program,
# of each of these forms: as ops, as composites that are named after them, expanded, and beside an op that must be lowered.
. "$(dirname "$0")/../../common.sh"
here=$(dirname "$0")
tool=$BUILD/bin/tessera
list=$here/points.list

# An op that is recognised has points.
for op in $(sed -n 's/.*EXPANDED(CHLO_\([A-Z0-9_]*\),.*/\1/p' "$here/../../../src/dialect/chlo/chlo.def" | tr 'A-Z' 'a-z'); do
    if grep -q "^$op " "$list"; then good; else bad "$op has no points"; fi
done

# program TYPE FORM: a function of an argument for each line of the list, its results the functions of them.
program() {
    awk -v type="$1" -v form="$2" '
    BEGIN { n = 0 }
    $3 == type {
        t = "tensor<" split($4, points, ",") "x" type ">"
        two = $2 != "-"
        types = two ? t ", " t : t
        args = args (n ? ", " : "") "%x" n ": " t
        results = results (n ? ", " : "") "%y" n
        outs = outs (n ? ", " : "") t
        if (two)
            body = body "  %n" n " = stablehlo.constant dense<" $2 ".0> : " t "\n"
        in_main = two ? "%n" n ", %x" n : "%x" n
        if (form == "composite") {
            body = body "  %y" n " = stablehlo.composite \"chlo." $1 "\" " in_main " {decomposition = @impl" n \
                ", version = 1 : i32} : (" types ") -> " t "\n"
            impls = impls "func.func private @impl" n "(" (two ? "%n: " t ", " : "") "%x: " t ") -> " t " {\n" \
                "  %y = chlo." $1 " " (two ? "%n, %x" : "%x") " : " types " -> " t "\n  return %y : " t "\n}\n"
        } else
            body = body "  %y" n " = chlo." $1 " " in_main " : " types " -> " t "\n"
        n++
    }
    END {
        if (form == "beside") {
            body = body "  %low = chlo.bessel_i1e %x : tensor<1x" type "> -> tensor<1x" type ">\n"
            args = args ", %x: tensor<1x" type ">"
            results = results ", %low"
            outs = outs ", tensor<1x" type ">"
        }
        print "func.func @main(" args ") -> (" outs ") {\n" body "  return " results " : " outs "\n}\n" impls
    }' "$list"
}

# column TYPE N FLAG [BESIDE]: FLAG=<sizes and values> for each function, of column N, or ones; and for the op that is lowered.
column() {
    awk -v type="$1" -v c="$2" -v flag="$3" -v beside="$4" '
    $3 == type {
        k = split($4, points, ",")
        v = $c
        if (c == "ones")
            for (v = "1"; --k; )
                v = v ",1"
        print flag "=" split(v, points, ",") "x" type "=" v
    }
    END {
        if (beside != "")
            print flag "=1x" type "=" beside
    }' "$list"
}

run() { # run WHAT FLAGS...
    what=$1; shift
    if "$tool" run "$@" >"$tmp/out" 2>"$tmp/error" && ! grep -q FAIL "$tmp/out" && grep -q PASS "$tmp/out"; then
        good
    else
        bad "$what" 4
        grep -v 'PASS$' "$tmp/out" | head -n 12
    fi
}

for type in f32 f64; do
    tolerance='--rtol=2e-5 --atol=1e-20'
    [ $type = f32 ] || tolerance='--rtol=1e-10 --atol=1e-100'
    for form in op composite expanded beside; do
        program $type $form >"$tmp/main.mlir"
        case $form in composite | expanded)
            mv "$tmp/main.mlir" "$tmp/ops.mlir"
            "$tool" opt "$tmp/ops.mlir" --chlo-legalize-to-stablehlo -o "$tmp/main.mlir" 2>"$tmp/error" || bad "lowering of $form" 4
            ;;
        esac
        low='' value='' slope=''
        [ $form != beside ] || { low=0 value=0 slope=0.5; }
        for mode in reverse forward; do
            "$tool" grad "$tmp/main.mlir" --mode=$mode -o "$tmp/grad.mlir" 2>"$tmp/error" || { bad "$mode mode of $form" 4; continue; }
            name=main_grad values=
            [ $mode = reverse ] || { name=main_jvp; values=$(column $type 5 --expect $value); }
            # numbers have no spaces: the lists are meant to be split
            run "$mode mode of $type, $form" "$tmp/grad.mlir" --function=$name $(column $type 4 --input $low) \
                $(column $type ones --input ${low:+1}) $values $(column $type 6 --expect $slope) $tolerance
        done
    done
done
counts
