#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# scripts.sh - device.sh without a device, over some of the corpus: units are done in slices, what is done is kept, failures
# and ops on the host are counted. A tool that drops --device stands for one that has it.
. tests/common.sh
case $BUILD in /*) REAL=$BUILD ;; *) REAL=$PWD/$BUILD ;; esac
export REAL
mkdir -p "$tmp/build/bin" "$tmp/state" "$tmp/out" "$tmp/tree/tests/corpus"
cp -R tests/common.sh tests/gpu "$tmp/tree/tests/"
for p in lstm_scan torch_mlir_mlp torch_xla_mlp torch_xla_special; do cp -R tests/corpus/$p "$tmp/tree/tests/corpus/"; done

tool() { # tool LINE...: what the tool does with a run's arguments, before it drops --device
    {
        echo '#!/bin/sh'
        printf '%s\n' "$@"
        echo 'for a; do shift; case $a in --device=*) ;; *) set -- "$@" "$a" ;; esac; done'
        echo 'exec "$REAL/bin/tessera" "$@"'
    } >"$tmp/build/bin/tessera"
    chmod +x "$tmp/build/bin/tessera"
}

slice() { # slice FLAG...
    BUILD="$tmp/build" OUT="$tmp/out" sh "$tmp/tree/tests/gpu/device.sh" --device=mock --state="$tmp/state" --jobs=2 "$@" >"$tmp/said" 2>"$tmp/error"
    code=$?
}

is() { # is WHAT CODE PATTERN...: of the last slice
    what=$1
    [ "$code" -eq "$2" ] || { bad "$what: exit $code, not $2" 4; cat "$tmp/said"; return; }
    shift 2
    for pattern; do
        grep -q -e "$pattern" "$tmp/said" || { bad "$what: no '$pattern'"; cat "$tmp/said"; return; }
    done
    good
}

printf 'int none;\n' >"$tmp/build/tessera_mock.so"
tool
slice --only=corpus --seconds=0
is 'no time' 75 '^corpus  *0 of  *4 ' ', 4 units left$'
slice --only=corpus --seconds=100
! grep -q '^FAIL' "$tmp/said" && good || bad 'a failure of no unit'
is 'all the time' 0 '^corpus  *4 of  *4 ' '^on the host: nothing' '^8 passed, 0 failed$'
[ -s "$tmp/out/gpu-state.tar.gz" ] && [ -s "$tmp/out/device.log" ] && good || bad 'what is written to OUT'
slice --only=corpus --seconds=0
is 'what is done is kept' 0 '^8 passed, 0 failed$'
# Another build, which is wrong about one program, has an op on the host, and hangs.
tool 'case "$*" in *torch_mlir_mlp/in0*--expect*) echo wrong; exit 1 ;; esac' \
    'case "$*" in *lstm_scan/in0*--expect*) echo "program of @main: 3 steps, 1 by the evaluator'"'"'s kernels: 1 stablehlo.dot_general" >&2; exit 0 ;; esac' \
    'case "$*" in *torch_xla_mlp/in0*) exec sleep 100 ;; esac'
LIMIT=2
export LIMIT
slice --only=corpus --seconds=100
is 'another build, with failures' 1 '^FAIL corpus.torch_mlir_mlp' '^FAIL corpus.lstm_scan: on the host: 1 stablehlo.dot_general' \
    '^FAIL corpus.torch_xla_mlp: it takes more than 2 s' '^  corpus.torch_mlir_mlp$' ' 3 failed$'
slice --only=corpus,nosuch
[ $code -eq 2 ] && good || bad 'a part that there is not'
printf '#!/bin/sh\nexit 1\n' >"$tmp/build/bin/tessera"
slice --only=faults,corpus-tf32 --seconds=100
is 'a tool that runs nothing' 1 '^faults ' ' 0 passed, [0-9]* failed$\|^0 passed, [0-9]* failed$'

# Products in full precision: every one of the corpus, in all forms.
for f in tests/corpus/*/module.mlir; do
    sed -E -f tests/gpu/highest.sed "$f" >"$tmp/high.mlir"
    "$REAL/bin/tessera" opt "$tmp/high.mlir" -o "$tmp/printed.mlir" 2>"$tmp/error" || bad "$f" 4
    "$REAL/bin/tessera" opt --mlir-print-op-generic "$f" 2>/dev/null | sed -E -f tests/gpu/highest.sed >"$tmp/generic.mlir"
    "$REAL/bin/tessera" opt "$tmp/generic.mlir" -o "$tmp/generic_printed.mlir" 2>"$tmp/error" || bad "$f, generic" 4
    n=$(grep -c -E 'stablehlo\.(dot|dot_general|convolution)\b' "$tmp/printed.mlir")
    if [ "$(grep -c HIGHEST "$tmp/printed.mlir")" -eq "$n" ] && [ "$(grep -c HIGHEST "$tmp/generic_printed.mlir")" -eq "$n" ]; then good; else
        bad "$f: not all $n products are in full precision"
    fi
done

# The judge of bits: a tool that is one unit in the last place off is found, NaNs with other payloads are not.
if command -v python3 >/dev/null; then
    tool
    if python3 tests/gpu/strict.py --bin "$tmp/build/bin" --count 3 --elements 300 >"$tmp/said" 2>"$tmp/error"; then good; else bad 'the same bits' 4; fi
    tool 'for a; do case $a in --device=*) dev=1 ;; --output=*) out=${a#*=} ;; esac; done' \
        'if [ -n "$dev" ]; then for a; do shift; case $a in --device=*) ;; *) set -- "$@" "$a" ;; esac; done; "$REAL/bin/tessera" "$@" || exit; printf "\\001" | dd of="$out/out0.npy" bs=1 seek=200 conv=notrunc 2>/dev/null; printf "\\002" | dd of="$out/out0.npy" bs=1 seek=208 conv=notrunc 2>/dev/null; exit 0; fi'
    if python3 tests/gpu/strict.py --bin "$tmp/build/bin" --count 3 --elements 300 >"$tmp/said" 2>"$tmp/error"; then bad 'bits that differ'; else good; fi
    tool
    if python3 tests/gpu/programs.py moves --bin "$tmp/build/bin" --device mock --count 2 --save "$tmp" >"$tmp/said" 2>"$tmp/error"; then good; else bad 'programs of a generator' 4; fi
    # Tables go between their marks, and nothing else changes.
    mkdir "$tmp/tree/bench" "$tmp/tree/docs"
    cp bench/gpu*.py "$tmp/tree/bench/"
    printf '# A\n<!-- gpu kernels -->\nold\n<!-- /gpu kernels -->\n<!-- gpu gpt -->\nkept\n<!-- /gpu gpt -->\nend\n' >"$tmp/tree/docs/GPU.md"
    printf '{"copy": {"value": {"device": "a card", "driver": "1.2", "rate": 4e12}, "date": "1 May 2026", "device": "x", "small": false},
             "kernels": {"value": {"gelu": {"what": "gelu", "bytes": 2e9, "ours": 0.0005, "torch": 0.0006, "xla": 0.001}}, "date": "1 May 2026", "device": "x", "small": false}}' >"$tmp/bench.json"
    if python3 "$tmp/tree/bench/gpu.py" --write --state "$tmp/bench.json" 2>"$tmp/error" && grep -q '^| gelu | 0.5000 | 4000 | 100 % | 0.6000 | 1.0000 | 0.83 |$' "$tmp/tree/docs/GPU.md" &&
        grep -q '^a card, driver 1.2, 1 May 2026; copies run at 4.00 TB/s.$' "$tmp/tree/docs/GPU.md" && ! grep -q old "$tmp/tree/docs/GPU.md" && grep -q '^kept$' "$tmp/tree/docs/GPU.md"; then
        good
    else
        bad 'tables in the document' 4
        cat "$tmp/tree/docs/GPU.md"
    fi
    tool 'case "$*" in *--device*--expect*) echo FAIL; exit 1 ;; esac'
    if python3 tests/gpu/programs.py moves --bin "$tmp/build/bin" --device mock --count 2 --save "$tmp" >"$tmp/said" 2>"$tmp/error"; then bad 'programs that are wrong'; else good; fi
fi
counts
