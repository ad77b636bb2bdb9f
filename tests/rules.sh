#!/bin/sh
# rules.sh - every rule of src/pass/simplify/rules.def has a test: a function of its name in tests/pass/simplify.
cd "$(dirname "$0")/.." || exit 3
passed=0 failed=0
for rule in $(sed -n 's/^RULE[A-Z_]*(.*, *\([a-z_0-9]*\))$/\1/p' src/pass/simplify/rules.def | sort -u); do
    if grep -q "^func.func @$rule(" tests/pass/simplify/*.mlir; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL no test of rule $rule"
    fi
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
