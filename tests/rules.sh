#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# rules.sh - every rule has a test: those of src/pass/simplify/rules.def a function of the same name in
# tests/pass/simplify or dynamism, those of src/pass/ttir/rules.def one in tests/pass/ttir.
cd "$(dirname "$0")/.." || exit 3
. tests/common.sh

tested() { # tested TABLE FILES...
    table=$1; shift
    for rule in $(sed -n 's/^RULE[A-Z_]*(.*, *\([a-z_0-9]*\))$/\1/p' "$table" | sort -u); do
        if grep -q "func.func .*@$rule(" "$@"; then
            good
        else
            bad "no test of rule $rule"
        fi
    done
}

tested src/pass/simplify/rules.def tests/pass/simplify/*.mlir tests/pass/dynamism/*.mlir
tested src/pass/ttir/rules.def tests/pass/ttir/*.mlir
counts && [ $passed -gt 0 ]
