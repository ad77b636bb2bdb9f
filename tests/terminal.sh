#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# terminal.sh - messages have colours at a terminal, and none with NO_COLOR; what takes long tells how far it is. util-linux's script makes the terminal.
cd "$(dirname "$0")/.." || exit 3
. tests/common.sh

if ! command -v script >/dev/null 2>&1; then
    echo 'skipped: there is no script here to make a terminal with'
    exit 0
fi
if ! script -qec true /dev/null >"$tmp/error" 2>&1 </dev/null; then
    echo "skipped: no pseudo-terminal here: $(head -n 1 "$tmp/error" | tr -d '\r')"
    exit 0
fi

says() { # says [NAME=VALUE...]: the messages about a bad file, at a terminal
    env TERM=xterm "$@" script -qec "$BUILD/bin/tessera opt tests/tools/Inputs/bad.mlir" /dev/null </dev/null >"$tmp/error" 2>&1
    grep -q 'error:' "$tmp/error"
}
coloured() {
    grep -q "$(printf '\033')" "$tmp/error"
}
if says && coloured; then good; else bad 'no colours at a terminal' 20; fi
if says NO_COLOR=1 && ! coloured; then good; else bad 'colours in spite of NO_COLOR' 20; fi
if says TERM=dumb && ! coloured; then good; else bad 'colours at a dumb terminal' 20; fi

# A search that takes more than a second tells how far it is, in one line that it clears at the end or when it is stopped.
large=tests/corpus/large/gpt_train_24.mlir
search() { # search [ARGUMENT...]: at a terminal
    env TERM=xterm TESSERA_THREADS=1 script -qec "$BUILD/bin/tessera shard $large --auto --devices=64 $*" /dev/null </dev/null >"$tmp/error" 2>&1
}
clear=$(printf '\r\033')'\[K'
begin=$(date +%s)
search
if grep -q 'searching shardings: mesh .* candidates' "$tmp/error"; then
    if grep -q "${clear}mesh" "$tmp/error"; then good; else bad 'progress is not cleared' 20; fi
elif [ $(($(date +%s) - begin)) -ge 4 ]; then # a fast machine needs less than a second
    bad 'no progress of a search' 20
fi
for seconds in 1.6 2.5 4; do # whether a line was shown by then depends on the machine
    search --max-seconds=$seconds
    if grep -q searching "$tmp/error" && grep -q 'stopped after' "$tmp/error"; then
        if grep -q "${clear}.*stopped after" "$tmp/error"; then good; else bad 'progress is not cleared when a search is stopped' 20; fi
        break
    fi
done
if TERM=xterm TESSERA_THREADS=1 "$BUILD/bin/tessera" shard $large --auto --devices=64 >"$tmp/out" 2>"$tmp/error" && ! [ -s "$tmp/error" ]; then good; else bad 'progress where stderr is no terminal' 20; fi
# A plan begins with a look, in colours and in the width of the terminal; piped, it does not.
scopes=tests/explorer/Inputs/scopes.mlir
looks() { # looks COMMAND [NAME=VALUE...]
    command=$1
    shift
    env TERM=xterm "$@" script -qec "stty cols 72; $BUILD/bin/tessera $command $scopes 2>/dev/null" /dev/null </dev/null >"$tmp/error" 2>&1
    head -n 3 "$tmp/error" | grep -q 'step.* on 4 x h100 (assumed)'
}
for command in shard simulate; do
    if looks $command && coloured; then good; else bad "no look of $command at a terminal" 20; fi
    if looks $command NO_COLOR=1 && ! coloured; then good; else bad "colours of $command in spite of NO_COLOR" 20; fi
    sed '/^- Memory/q' "$tmp/error" | tr -d '\r' | sed 's/[^ -~][^ -~]*/./g' >"$tmp/look" # a character of a bar is several bytes
    if awk 'length > 72 { exit 1 }' "$tmp/look"; then good; else bad "the look of $command is wider than the terminal" 20; fi
    if "$BUILD/bin/tessera" $command $scopes 2>/dev/null | grep -q '^costliest'; then bad "a look of $command in a pipe"; else good; fi
done

# What takes long says so, and clears its line.
case $BUILD in /*) program=$BUILD/bin/tessera ;; *) program=$PWD/$BUILD/bin/tessera ;; esac
works() { # works COMMAND ARGUMENT...: ttrt writes reports where it is
    begin=$(date +%s)
    env TERM=xterm script -qec "cd $tmp; $program $*" /dev/null </dev/null >"$tmp/error" 2>&1
    if grep -q "$1: at work, [1-9]" "$tmp/error"; then
        if grep -q "$(printf '\r\033')\[K" "$tmp/error"; then good; else bad "$1: the line of work is not cleared" 20; fi
    elif [ $(($(date +%s) - begin)) -ge 4 ]; then
        bad "$1: no line of work" 20
    fi
}
sed 's/TURNS/5000000/' >"$tmp/loop.mlir" <<'END'
func.func @main() -> tensor<i64> {
  %zero = stablehlo.constant dense<0> : tensor<i64>
  %one = stablehlo.constant dense<1> : tensor<i64>
  %n = stablehlo.constant dense<TURNS> : tensor<i64>
  %r = stablehlo.while(%i = %zero) : tensor<i64>
    cond {
      %c = stablehlo.compare LT, %i, %n : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %s = stablehlo.add %i, %one : tensor<i64>
      stablehlo.return %s : tensor<i64>
    }
  return %r : tensor<i64>
}
END
works explain "$PWD/$large" --most=1
works translate --interpret "$tmp/loop.mlir"
works opt "$PWD/$large" --pass-pipeline="'builtin.module($(awk 'BEGIN { for (i = 0; i < 800; i++) printf "cse,canonicalize,"; print "cse" }'))'" -o /dev/null
works ttrt run "$PWD"/tests/fuzz/corpus/flatbuffer/two.ttnn --loops=200000
counts
