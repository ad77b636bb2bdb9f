#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# outputs.sh - every file that Tessera writes is complete, or as it was before. Each output of each command is written where no file may grow, which is what
# a full disk looks like: the command fails and says why, the old file is there, and nothing beside it. A flag that names a file must be in one of the lists
# below, and nothing but base/output.c opens files to write them.
. "$(dirname "$0")/common.sh"
here=$(cd "$(dirname "$0")" && pwd)
PATH=$(cd "$BUILD/bin" && pwd):$PATH
I=$here/tools/Inputs

# ---- Sources ----

# FILE: why it opens a file itself
openers='src/base/output.c:the helper
src/cuda/cache.c:entries of a cache, under another name until they are whole
src/check/store.c:a scratch file without a name
src/tcp/tcp.c:lines for tests, appended
tools/ranks.c:memory that ranks share
python/tt/builder/base/builder_emitted.py:a source in a temporary folder
python/tt/ttnn/_places.py:into memory'
writes='fopen *\([^;]*,[^;"]*"[wa]|fdopen *\([^;]*,[^;"]*"[wa]|freopen *\(|[^a-z_]creat *\(|mkstemp|mkostemp|tmpfile *\(|[^A-Z]O_CREAT|[^A-Z]O_WRONLY'
python_writes='open\([^)]*["'\''](w|a|x)b?["'\'']|write_text\(|write_bytes\(|np\.savez?\(|\.tofile\(|json\.dump\('

strays() { # strays DIR: sources there that open files to write them
    (cd "$1" && grep -rlE --include='*.c' --include='*.h' "$writes" src tools 2>/dev/null | while read -r file; do
        printf '%s\n' "$openers" | grep -q "^$file:" || echo "$file"
    done
        grep -rlE --include='*.py' --exclude-dir=build "$python_writes" python/tessera python/tt 2>/dev/null | while read -r file; do
            printf '%s\n' "$openers" | grep -q "^$file:" || echo "$file"
        done)
}
found=$(strays "$here/..")
if [ -z "$found" ]; then good; else bad "files are written without base/output.h: $found"; fi
# The search finds what it is for.
mkdir -p "$tmp/fake/src" "$tmp/fake/tools" "$tmp/fake/python/tessera"
for line in 'FILE *f = fopen(path, "wb");' 'int fd = open(path, O_WRONLY | O_TRUNC);' 'f = fopen(path, fresh ? "w" : "a");' 'fd = mkstemp(name);'; do
    echo "$line" >"$tmp/fake/src/x.c"
    if [ "$(strays "$tmp/fake")" = src/x.c ]; then good; else bad "not found: $line"; fi
done
rm "$tmp/fake/src/x.c"
echo 'with open(path, "w") as file:' >"$tmp/fake/python/tessera/x.py"
if [ "$(strays "$tmp/fake")" = python/tessera/x.py ]; then good; else bad 'not found: open in Python'; fi

# ---- Flags ----

inputs='explore --trace
explore --device
explore --goldens
run --device
run --plan-for
run --against
run --machine
shard --device
explain --device
shard --apply-plan
check-plan --plan
check-plan --device
simulate --device
translate --golden
translate --goldens-from
translate --stage
ttrt --artifact-dir
ttrt --input'

# CODE | COMMAND: run in an empty folder, where it writes files; CODE is that of a full disk, * if the command goes on.
outputs() {
    cat <<END
3 | tessera calibrate --seconds=0.01 -o x.json
3 | tessera calibrate --seconds=0.01 --device -o x.json
3 | tessera opt $I/mlp.mlir -o x
3 | tessera opt $I/mlp.mlir --emit-bytecode -o x
3 | tessera opt $I/named.mlir --cse --tessera-autodiff=function=none --mlir-pass-pipeline-crash-reproducer=x
3 | tessera opt $I/named.mlir --cse --mlir-print-ir-after-all --mlir-print-ir-tree-dir=tree -o /dev/null
* | tessera opt $I/mlp.mlir --sdy-save-module=dump-directory=. -o /dev/null
1 | tessera opt $tmp/one.mlir --ttcore-unwrap-device-module --ttnn-collect-perf-metrics=ttnn-perf-metrics-output-file=x -o /dev/null
3 | tessera compile $I/mlp.mlir -o x.tsrx
3 | tessera compile $I/mlp.mlir --emit=c -o x.c
3 | tessera compile $tmp/big.mlir --emit=c -o /dev/null --weights=x.bin
3 | tessera explore $I/mlp.mlir -o x.html
3 | tessera explore $I/mlp.mlir --svg -o x.svg
3 | tessera grad $tmp/f.mlir -o x
3 | tessera run $I/mlp.mlir --input=random --output=out
3 | tessera run $I/mlp.mlir --input=random --output=out.npz
3 | tessera run $I/mlp.mlir --input=random --spmd --mesh=x=2 --arg=0:x --output=out --output-shards
3 | tessera run $tmp/f.mlir --input=random --loop=2 --feed=out0:in0 --checkpoint=state
3 | tessera run $I/mlp.mlir --input=random --profile=x.json
3 | tessera run $I/mlp.mlir --input=random --device=mock --dump-kernels=kernels
3 | tessera run $tmp/debug.mlir --input=random --files=.
3 | tessera shard $I/mlp.mlir --mesh=x=2 --arg=0:x -o x
3 | tessera shard $I/mlp.mlir --auto --mesh=x=2 --plan=x.json
3 | tessera simulate $I/mlp.mlir --mesh=x=2 --trace=x.json
3 | tessera translate --serialize --target=current $I/add.mlir -o x
3 | tessera translate --ttnn-to-flatbuffer $tmp/nn.mlir -o x
3 | tessera translate --interpret --probe-output-dir=. $tmp/probed.mlir
3 | ttrt run $tmp/two.ttnn --result-file=x.json
3 | ttrt run $tmp/two.ttnn --result-file=/dev/null --log-file=x.log
3 | ttrt run $tmp/two.ttnn --result-file=/dev/null --save-artifacts --memory
3 | ttrt run $tmp/golden.ttnn --result-file=/dev/null --enable-golden --save-golden-tensors
3 | ttrt perf $tmp/two.ttnn --result-file=/dev/null
3 | ttrt read $tmp/two.ttnn --read-file=x.json
3 | ttrt query --system-desc=x.ttsys
END
}

for command in calibrate check-plan compare-plans compile explain explore grad opt run shard simulate translate ttrt; do
    for flag in $(tessera help $command | sed -nE 's/^ +(-[-a-zA-Z0-9]+)=?<[^>]*(file|dir|json|npy|mlir|folder|path)[^>]*>.*/\1/p'); do
        if printf '%s\n' "$inputs" | grep -qxe "$command $flag" || outputs | grep -qe "$command .*$flag[ =]"; then good; else bad "$command $flag is in no list"; fi
    done
done

# ---- Full disks ----

cat >"$tmp/f.mlir" <<'END'
func.func @main(%x: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %0 = stablehlo.tanh %x : tensor<64xf32>
  %1 = stablehlo.negate %0 : tensor<64xf32>
  return %0, %1 : tensor<64xf32>, tensor<64xf32>
}
END
cat >"$tmp/debug.mlir" <<'END'
func.func @main(%x: tensor<64xf32>) -> tensor<64xf32> {
  "debug.dump"(%x) <{file_path = "d"}> : (tensor<64xf32>) -> ()
  "debug.memory_snapshot"(%x) <{file_path = "m"}> : (tensor<64xf32>) -> ()
  return %x : tensor<64xf32>
}
END
{
    echo 'func.func @main(%x: tensor<2048xf32>) -> tensor<2048xf32> {'
    printf '  %%c = stablehlo.constant dense<['
    awk 'BEGIN { for (i = 0; i < 2048; i++) printf "%s%d.5", i ? ", " : "", i }'
    echo ']> : tensor<2048xf32>'
    echo '  %0 = stablehlo.add %x, %c : tensor<2048xf32>'
    echo '  return %0 : tensor<2048xf32>'
    echo '}'
} >"$tmp/big.mlir"
ttmlir-opt "$here/target/flatbuffer/Inputs/two.mlir" --ttir-to-ttnn-backend-pipeline -o "$tmp/nn.mlir" && ttmlir-translate --ttnn-to-flatbuffer "$tmp/nn.mlir" -o "$tmp/two.ttnn" || bad 'no binary'
ttmlir-opt "$here/target/flatbuffer/goldens.mlir" --ttir-to-ttnn-backend-pipeline -o "$tmp/one.mlir" --mlir-print-debuginfo && (cd "$tmp" && ttmlir-translate --ttnn-to-flatbuffer one.mlir --goldens-from="$here/target/flatbuffer/goldens.mlir" -o golden.ttnn) || bad 'no goldens'
stablehlo-opt "$here/eval/Inputs/composite.mlir" --interpreter-instrument-with-probe -o "$tmp/probed.mlir" || bad 'no probes'

files() { # files and folders that are not complete, below the current folder
    find . -type f | sort
    find . -name '.?*' -type d
}

full() { # full COMMAND: runs it where no file can grow; what it says is in the file said, its code in code
    ( (
        ulimit -f 0
        eval "$1" </dev/null 2>&1
        echo "code $?"
    ) | cat >"$tmp/said")
    code=$(sed -n 's/^code //p' "$tmp/said")
}

fails() { # fails WHAT
    case $want:$code in
    '*':* | "$code:$code") ;;
    *) bad "$1: $command: exit code $code, not $want: $(head -n 2 "$tmp/said")" && return ;;
    esac
    if grep -qi 'cannot \(write\|open\|make\).*File too large' "$tmp/said"; then good; else bad "$1: $command: no reason: $(head -n 3 "$tmp/said")"; fi
}

outputs >"$tmp/list"
while IFS= read -r line; do
    want=${line%% | *} command=${line#* | }
    rm -rf "$tmp/dir" && mkdir "$tmp/dir"
    cd "$tmp/dir" || exit 3
    eval "$command" >"$tmp/out" 2>"$tmp/error" </dev/null
    files >"$tmp/before"
    if [ -s "$tmp/before" ]; then good; else bad "$command: nothing is written" 3; fi
    # What was there stays.
    while IFS= read -r file; do echo old >"$file"; done <"$tmp/before"
    full "$command"
    fails 'old files'
    files >"$tmp/after"
    if cmp -s "$tmp/before" "$tmp/after"; then good; else bad "$command: other files: $(diff "$tmp/before" "$tmp/after" | head -n 5)"; fi
    if [ -z "$(find . -type f -exec grep -Lx old {} +)" ]; then good; else bad "$command: changed: $(find . -type f -exec grep -Lx old {} +)"; fi
    # What was not there is not there.
    cd "$tmp" && rm -rf "$tmp/dir" && mkdir "$tmp/dir" && cd "$tmp/dir" || exit 3
    full "$command"
    fails 'no files'
    if [ -z "$(files)" ]; then good; else bad "$command: parts of files: $(files)"; fi
    cd "$here/.." || exit 3
done <"$tmp/list"

# ---- What a path may be ----

cd "$tmp" || exit 3
want_text() { # want_text WHAT FILE
    if cmp -s "$tmp/right" "$2"; then good; else bad "$1: $2 has something else"; fi
}
opt="tessera opt $I/mlp.mlir"
$opt >"$tmp/right"
mkdir -p paths/other && cd paths || exit 3
echo old >plain && chmod 640 plain && $opt -o plain
want_text 'an old file' plain
if [ "$(ls -l plain | cut -c1-10)" = -rw-r----- ]; then good; else bad "permissions: $(ls -l plain)"; fi
echo old >other/target && ln -s other/target link && ln -s link again && $opt -o again
want_text 'a link to a link' other/target
if [ -L link ] && [ -L again ]; then good; else bad 'links became files'; fi
ln -s other/new dangling && $opt -o dangling
want_text 'a link to nothing' other/new
ln -s loop loop && if $opt -o loop 2>"$tmp/error"; then bad 'a link to itself'; else good; fi
$opt -o /dev/stdout >"$tmp/got"
want_text /dev/stdout "$tmp/got"
$opt -o /dev/stdout | cat >"$tmp/got"
want_text '/dev/stdout, a pipe' "$tmp/got"
$opt -o /dev/fd/3 3>"$tmp/got"
want_text /dev/fd/3 "$tmp/got"
mkfifo pipe && { cat pipe >"$tmp/got" & } && $opt -o pipe && wait $!
want_text 'a pipe' "$tmp/got"
if [ -p pipe ]; then good; else bad 'a pipe became a file'; fi
if $opt -o /dev/null && [ -c /dev/null ]; then good; else bad /dev/null; fi
long=$(awk 'BEGIN { for (i = 0; i < 255; i++) printf "n" }')
$opt -o "$long"
want_text 'the longest name' "$long"
if $opt -o other 2>"$tmp/error"; then bad 'a folder was written'; elif grep -q 'Is a directory' "$tmp/error"; then good; else bad 'a folder' 2; fi
if [ -z "$(find . -name '.?*')" ]; then good; else bad "left behind: $(find . -name '.?*')"; fi
counts
