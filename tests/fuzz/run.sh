#!/bin/sh
# run.sh - builds the fuzz targets with clang's libFuzzer and runs each for FUZZ_SECONDS on the corpus and the seeds: texts,
# then bytecode.
# What it finds is saved in build/fuzz/found; new interesting inputs collect in build/fuzz/inputs.
cd "$(dirname "$0")/../.." || exit 3
MAKE=${MAKE:-make}
CLANG=${CLANG:-clang}
dir=build/fuzz
mkdir -p "$dir/inputs" "$dir/found"
printf 'int LLVMFuzzerTestOneInput(const char *d, unsigned long n) { return d == 0 && n; }\n' >"$dir/probe.c"
if ! "$CLANG" -fsanitize=fuzzer,address "$dir/probe.c" -o "$dir/probe" >"$dir/probe.log" 2>&1; then
    echo "fuzz: left out: $CLANG with -fsanitize=fuzzer is not here (build tests/fuzz/fuzz_parse.c with AFL++'s compiler instead)"
    exit 0
fi
$MAKE --no-print-directory CC="$CLANG" BUILD="$dir" SAN=fuzzer-no-link,address,undefined "$dir/libtessera.a" >/dev/null || exit 1
"$CLANG" -std=c11 -O1 -g -Iinclude -DTSR_LIBFUZZER=1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all \
    tests/fuzz/fuzz_parse.c "$dir/libtessera.a" -lm -lpthread -ldl -o "$dir/fuzz_parse" || exit 1
i=0
for f in tests/corpus/*/*.mlir tests/seeds/*.mlir tests/ir/*.mlir tests/ttir/*.mlir; do
    [ -f "$f" ] && [ "$(wc -c <"$f")" -lt 65536 ] && cp "$f" "$dir/inputs/start_$((i += 1)).mlir"
done
"$dir/fuzz_parse" -max_total_time="${FUZZ_SECONDS:-60}" -timeout=10 -rss_limit_mb=4096 -max_len=65536 -print_final_stats=1 \
    -dict=tests/fuzz/mlir.dict -artifact_prefix="$dir/found/" "$dir/inputs" || exit 1
"$CLANG" -std=c11 -O1 -g -Iinclude -DTSR_LIBFUZZER=1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all \
    tests/fuzz/fuzz_bytecode.c tests/mutate_bytes.c "$dir/libtessera.a" -lm -lpthread -ldl -o "$dir/fuzz_bytecode" || exit 1
mkdir -p "$dir/bytecode"
for f in tests/corpus/*/*.mlirbc tests/bytecode/Inputs/*.bc; do
    [ -f "$f" ] && cp "$f" "$dir/bytecode/start_$((i += 1)).mlirbc"
done
"$dir/fuzz_bytecode" -max_total_time="${FUZZ_SECONDS:-60}" -timeout=10 -rss_limit_mb=4096 -max_len=65536 -print_final_stats=1 \
    -artifact_prefix="$dir/found/" "$dir/bytecode"
