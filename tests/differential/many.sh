#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# many.sh - many.py counts programs that are right, and those that do not run or are wrong.
. "$(dirname "$0")/../common.sh"
many() { # many BUILD PROGRAMS GENERATORS
    python3 tests/differential/many.py --build "$1" --programs "$2" --only "$3" --rows 0 --seed 1 --jobs 2 --save "$tmp" >"$tmp/out" 2>"$tmp/error"
}
ends() { # ends TEXT: the last line but one
    if tail -n 2 "$tmp/out" | head -n 1 | grep -q "^$1"; then good; else bad "not '$1'"; cat "$tmp/out"; fi
}

if many "$BUILD" 90 'compiled,zeros,quant'; then good; else bad 'right programs' 4; fi
ends '9[0-9] programs, 0 refused, 0 wrong'

# A tool that finds every result wrong, one that runs nothing, and none.
mkdir -p "$tmp/wrong/bin" "$tmp/none/bin"
printf '#!/bin/sh\ncase "$*" in *--expect*) echo different; exit 1 ;; esac\nexec %s/bin/tessera "$@"\n' "$(cd "$BUILD" && pwd)" >"$tmp/wrong/bin/tessera"
printf '#!/bin/sh\necho no >&2\nexit 1\n' >"$tmp/none/bin/tessera"
chmod +x "$tmp"/*/bin/tessera
if many "$tmp/wrong" 20 ttir; then bad 'wrong programs'; else good; fi
ends '20 programs, 0 refused, 40 wrong' # in two ways each
if many "$tmp/none" 20 quant; then bad 'programs that do not run'; else good; fi
ends '20 programs, 20 refused, 0 wrong'
if many "$tmp/nowhere" 20 compiled; then bad 'no tools'; else good; fi
ends '20 programs, 0 refused, 20 wrong'
counts
