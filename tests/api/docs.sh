#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# docs.sh - compiles and runs the programs of docs/API.md, and compares what each prints with the text after it.
cd "$(dirname "$0")/../.." || exit 3
. tests/common.sh
awk -v tmp="$tmp" '
    /^```c program$/ { n++; file = tmp "/" n ".c"; next }
    /^```text$/ { file = tmp "/" n ".text"; next }
    /^```/ { file = ""; next }
    file != "" { print > file }
' docs/API.md
for source in "$tmp"/*.c; do
    name=$(basename "$source" .c)
    if ${CC:-cc} -std=c11 -Wall -Wextra -Werror -Iinclude "$source" "$BUILD/libtessera.a" -lm -lpthread -ldl ${LDFLAGS:-} -o "$tmp/$name" >"$tmp/error" 2>&1 &&
        "$tmp/$name" >"$tmp/error" 2>&1 && cmp -s "$tmp/error" "$tmp/$name.text"; then
        good
    else
        bad "program $name of docs/API.md" 20
    fi
done
[ "$passed" -gt 1 ] || bad 'docs/API.md has programs'
counts
