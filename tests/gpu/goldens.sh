#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# goldens.sh [--update] - the steps of programs on a device, and the texts of their kernels, are those that were looked at
# (goldens/*.txt). --update writes them anew. From the environment: BUILD.
cd "$(dirname "$0")/../.." || exit 3
passed=0 failed=0
for f in tests/gpu/goldens/*.mlir; do
    golden=${f%.mlir}.txt made=$(mktemp) || exit 3
    "${BUILD:-build}/bin-test/gpu_ops" print "$f" >"$made" || failed=$((failed + 1))
    if [ "${1:-}" = --update ]; then
        cp "$made" "$golden"
    elif diff -u "$golden" "$made"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
    fi
    rm -f "$made"
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
