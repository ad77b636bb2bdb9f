#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# api.sh - the part of docs/API.md that the headers say, between '<!-- BEGIN functions -->' and '<!-- END -->': the
# contract of every public function. Without arguments it writes the file; --print prints it instead.
cd "$(dirname "$0")/.." || exit 3
export LC_ALL=C
new=$(mktemp) || exit 3
trap 'rm -f "$new"' EXIT
{
    sed '/^<!-- BEGIN functions -->$/q' docs/API.md
    awk -f docs/api.awk src/*/*.c include/tessera/tessera.h include/tessera/build.h include/tessera/golden.h include/tessera/code.h
    echo
    sed -n '/^<!-- END -->$/,$p' docs/API.md
} >"$new"
if [ "${1:-}" = --print ]; then cat "$new"; else cat "$new" >docs/API.md; fi
