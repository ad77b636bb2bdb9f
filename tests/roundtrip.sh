#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# roundtrip.sh - every module of the text tests that is accepted is unchanged after printing and reading it again, as
# text and as bytecode.
cd "$(dirname "$0")/.." || exit 3
. tests/common.sh
for f in tests/text/*.mlir tests/dialect/ttir/*.mlir tests/lower/vhlo/*.mlir tests/dialect/tessera/*.mlir tests/shard/*.mlir tests/eval/*.mlir tests/pass/*.mlir \
    tests/lower/*.mlir tests/text/bytecode/*.mlir tests/pass/grad/*.mlir tests/corpus/*/*.mlir; do
    # Resources of dialects that nobody knows, and external ones, are not written as bytecode.
    [ "$f" != tests/text/resources.mlir ] || continue
    "$BUILD/bin/tessera" opt "$f" --split-input-file --allow-unregistered-dialect -o /dev/null 2>"$tmp/error" || continue
    if "$BUILD/bin/tessera" opt "$f" --split-input-file --allow-unregistered-dialect --verify-roundtrip -o /dev/null 2>"$tmp/error"; then
        good
    else
        bad "$f" 6
    fi
done
counts && [ $passed -gt 100 ]
