#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# loads.sh PYTHON LIBRARY - fails, and says why, where a build with sanitizers or for coverage cannot be loaded into this Python, which was
# built without: the caller skips its test then. Of other builds every library loads, or the caller's test says what is wrong with it.
grep -q -e -fsanitize -e --coverage "$(dirname "$2")/flags" 2>/dev/null || exit 0
said=$("$1" -c 'import ctypes, sys; ctypes.CDLL(sys.argv[1])' "$2" 2>&1) && exit
echo "skipped: Python cannot load this build: $(printf '%s\n' "$said" | tail -n 1 | cut -c1-160)"
exit 1
