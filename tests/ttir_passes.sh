#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# ttir_passes.sh - TTIR's passes do not change what a program computes: functions of tests/pass/ttir run before and
# after the passes that their file names after 'VALUES:', on random inputs. A function after '// no values' is left out:
# it tests something else, or cannot run alone. Arguments: files; none: all of them.
cd "$(dirname "$0")/.." || exit 3
. tests/common.sh

[ $# -gt 0 ] || set -- tests/pass/ttir/*.mlir
for file in "$@"; do
    flags=$(sed -n 's/^\/\/ VALUES: //p' "$file")
    [ -n "$flags" ] || continue
    if ! eval "'$BUILD/bin/tessera' opt '$file' $flags -o '$tmp/after.mlir'" 2>"$tmp/error"; then
        bad "$file: opt $flags" 3
        continue
    fi
    for f in $(awk '/^\/\/ no values/ { skip = 1 }
                    /^func\.func @/ {
                        if (!skip) { sub(/^func\.func @/, ""); sub(/\(.*/, ""); print }
                        skip = 0
                    }' "$file"); do
        rm -rf "$tmp/before"
        mkdir "$tmp/before"
        # A function without arguments takes no inputs.
        input=--input=random
        grep -q "^func.func @$f()" "$file" && input=
        if "$BUILD/bin/tessera" run "$file" --function="$f" $input --output="$tmp/before" >"$tmp/error" 2>&1 &&
           "$BUILD/bin/tessera" run "$tmp/after.mlir" --function="$f" $input $(numbered --expect "$tmp/before/out") \
               >"$tmp/error" 2>&1; then
            good
        else
            bad "$file: @$f" 3
        fi
    done
done
counts && [ $passed -gt 0 ]
