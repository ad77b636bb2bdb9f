#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run.sh - builds the fuzz targets with clang's libFuzzer and runs each, or those of TARGETS='passes run', for FUZZ_SECONDS on its
# corpus (tests/fuzz/corpus) and, where it takes modules, on the seeds.
# What it finds is saved in build/fuzz/found; new interesting inputs collect in build/fuzz/inputs.
cd "$(dirname "$0")/../.." || exit 3
MAKE=${MAKE:-make}
CLANG=${CLANG:-clang}
TARGETS=${TARGETS:-$(ls tests/fuzz/fuzz_*.c | sed 's|.*/fuzz_||; s|\.c$||')}
dir=build/fuzz
mkdir -p "$dir/found" "$dir/tools"
printf 'int LLVMFuzzerTestOneInput(const char *d, unsigned long n) { return d == 0 && n; }\n' >"$dir/probe.c"
if ! "$CLANG" -fsanitize=fuzzer,address "$dir/probe.c" -o "$dir/probe" >"$dir/probe.log" 2>&1; then
    echo "fuzz: left out: $CLANG with -fsanitize=fuzzer is not here (build tests/fuzz/fuzz_parse.c and fuzz.c with AFL++'s compiler instead)"
    exit 0
fi
$MAKE --no-print-directory CC="$CLANG" BUILD="$dir" SAN=fuzzer-no-link,address,undefined "$dir/libtessera-internal.a" "$dir/libtools.a" "$dir/libpjrt.a" >/dev/null || exit 1

# Texts that a target begins with besides its corpus.
seeds() {
    case $1 in
    parse) ls tests/corpus/*/*.mlir tests/seeds/*.mlir tests/text/*.mlir tests/dialect/ttir/*.mlir ;;
    emit) ls tests/target/emit/*.mlir tests/lower/emit/*.mlir ;;
    bytecode) ls tests/corpus/*/*.mlirbc tests/text/bytecode/Inputs/*.bc ;;
    passes) ls tests/corpus/*/*.mlir tests/seeds/*.mlir tests/pass/*.mlir tests/pass/ttnn/*.mlir tests/lower/*.mlir tests/lower/ttnn/*.mlir tests/shard/*.mlir tests/dialect/ttir/*.mlir tests/dialect/tessera/*.mlir ;;
    run) ls tests/corpus/*/*.mlir tests/eval/*.mlir tests/shard/*.mlir tests/dialect/tessera/*.mlir ;;
    container) ls tests/text/bytecode/Inputs/*.bc tests/text/bytecode/Inputs/*.jax ;;
    esac 2>/dev/null
}

options() {
    case $1 in
    parse | passes | run | plugin | emit) echo "-max_len=16384 -dict=$PWD/tests/fuzz/mlir.dict" ;;
    literal) echo "-max_len=1024 -dict=$PWD/tests/fuzz/mlir.dict" ;;
    flags) echo "-max_len=1024 -close_fd_mask=3" ;;
    container) echo "-max_len=16384 -close_fd_mask=3" ;;
    *) echo "-max_len=65536" ;;
    esac
}

bad=0
for t in $TARGETS; do
    "$CLANG" -std=c11 -O1 -g -Iinclude -Isrc -D_POSIX_C_SOURCE=200809L -D_DEFAULT_SOURCE -DTSR_LIBFUZZER=1 \
        -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all "tests/fuzz/fuzz_$t.c" tests/fuzz/fuzz.c tests/mutate_text.c \
        tests/mutate_bytes.c "$dir/libtools.a" "$dir/libpjrt.a" "$dir/libtessera-internal.a" -lm -lpthread -ldl -o "$dir/fuzz_$t" || exit 1
    mkdir -p "$dir/inputs/$t"
    i=0
    for f in $(seeds "$t"); do
        [ "$(wc -c <"$f")" -lt 16384 ] && cp "$f" "$dir/inputs/$t/start_$((i += 1))"
    done
    echo "== $t"
    # shellcheck disable=SC2046 # words are wanted
    "$dir/fuzz_$t" -max_total_time="${FUZZ_SECONDS:-60}" -timeout=20 -rss_limit_mb=4096 -print_final_stats=1 $(options "$t") \
        -artifact_prefix="$PWD/$dir/found/$t-" "$PWD/$dir/inputs/$t" "$PWD/tests/fuzz/corpus/$t" || bad=1
done
exit $bad
