#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# units.sh list PART | run PART.NAME - what device.sh does in units: their names, and one of them. The last line of a run is
# 'N passed, N failed'; the first lines of the dumped programs are among what it prints. From the environment: BUILD,
# DEVICE, PROGRAMS (random ones of each part), MODELS.
. tests/common.sh
HERE=tests/gpu
BATCH=${BATCH:-50} # random programs of a unit; of the generators in Python, which start a process for each run, half as many

modules() { # the folders of the corpus below tests/corpus/$1 that have results
    for d in tests/corpus/$1*/; do
        [ ! -f "$d/out0.npy" ] || [ ! -f "$d/module.mlir" ] || basename "$d"
    done
}

batches() { # 1, 2, ... for so many programs
    seq $((($1 + BATCH - 1) / BATCH))
}

units() { # units PART
    case $1 in
    suite) echo all ;;
    faults) echo all ;;
    arrays) [ ! -f "$BUILD/libtessera.so" ] || echo all ;;
    corpus | corpus-tf32 | ttir) modules ;;
    manual) modules shard_map/ ;;
    random | tf32) batches "$PROGRAMS" ;;
    strict) batches $((PROGRAMS / 10)) ;;
    programs) for g in ttir_programs moves prologues slices einsums convs chains ttir narrow_programs zeros; do
        batches $((PROGRAMS / 5)) | sed "s/^/$g./"
    done ;;
    sanitizer) ! command -v "$(sanitizer)" >/dev/null || modules ;;
    models) [ -z "${MODELS:-}" ] || find "${MODELS:-}" -name '*.mlir' ! -path '*/Inputs/*' | sort | tr / : ;;
    esac
}

sanitizer() {
    command -v compute-sanitizer || echo /usr/local/cuda/bin/compute-sanitizer
}

first_line() { # of the dump, and the groups that ran on the host, with their types
    grep -E '^(program of | *[0-9]+ other )' "$tmp/error"
}

on_device() { # on_device WHAT FLAG...: runs; results as they should be
    what=$1
    shift
    if "$BUILD/bin/tessera" run "$@" --device="$DEVICE" --dump-program >"$tmp/out" 2>"$tmp/error"; then good; else
        bad "$what: $(grep -m 1 -e 'error: ' "$tmp/error")"
        grep -v PASS "$tmp/out" | head -n 5
    fi
    first_line
}

same_again() { # same_again WHAT FLAG...: three runs have the same bits
    what=$1
    shift
    for n in 1 2 3; do
        "$BUILD/bin/tessera" run "$@" --device="$DEVICE" --output="$tmp/$n.npz" >"$tmp/out" 2>"$tmp/error" || break
        cmp -s "$tmp/1.npz" "$tmp/$n.npz" || break
    done
    if [ "$n" -eq 3 ] && cmp -s "$tmp/1.npz" "$tmp/3.npz"; then good; else bad "$what: other bits in run $n, or: $(grep -m 1 'error: ' "$tmp/error")"; fi
}

bound() { # of f32 products whose factors are rounded to 2^-11: one after the other; those of loops count sixteen times
    awk '/dot|convolution|matmul|linear|conv2d/ { n++ } /while/ { loops = 1 } END { printf "%.6f", (n ? n : 1) * (loops ? 16 : 1) / 1024 }' "$1"
}

corpus() { # corpus FILE FOLDER FLAG...
    file=$1 dir=$2
    shift 2
    given=$(numbered --input "$dir/in")
    # names in the corpus have no spaces: word splitting is intended
    on_device "$dir" "$file" "$@" $given $(numbered --expect "$dir/out")
    same_again "$dir" "$file" $given
}

as_ttir() {
    "$BUILD/bin/tessera" opt "$1/module.mlir" --stablehlo-to-ttir-pipeline -o "$tmp/module.mlir" 2>"$tmp/error" || bad "$1: no TTIR" 4
}

full_precision() {
    sed -E -f "$HERE/highest.sed" "$1" >"$tmp/module.mlir"
}

# refused WHAT TEXT COMMAND...: the command fails, as a failure of the environment or of the input, and says the text.
refused() {
    what=$1 text=$2
    shift 2
    "$@" >"$tmp/out" 2>"$tmp/error"
    code=$?
    if { [ $code -eq 3 ] || [ $code -eq 1 ] || [ $code -eq 2 ]; } && grep -q -e "$text" "$tmp/error"; then good; else
        bad "$what: exit $code, not '$text'" 4
    fi
}

faults() {
    run="$BUILD/bin/tessera run"
    mlp=tests/corpus/torch_mlir_mlp/module.mlir
    given="--input=random --device=$DEVICE"
    refused 'no such device' 'error: ' $run $mlp --input=random --device="${DEVICE%%:*}:77"
    refused 'no such kind' 'error: ' $run $mlp --input=random --device=nosuch
    if [ "${DEVICE%%:*}" = cuda ]; then
        refused 'no visible GPU' 'error: ' env CUDA_VISIBLE_DEVICES= $run $mlp $given
        driver=$(ldconfig -p | sed -n 's/.*libcuda\.so\.1 .*=> //p' | head -n 1)
        [ -n "$driver" ] || driver=$(find /usr /lib /lib64 /opt -name libcuda.so.1 2>/dev/null | head -n 1)
        mkdir "$tmp/driver" && ln -s "$driver" "$tmp/driver/libcuda.so.1"
        refused 'no NVRTC' 'libnvrtc' env TESSERA_CACHE=none TESSERA_CUDA_PATH="$tmp/driver:-" $run $mlp $given
    fi
    cat >"$tmp/large.mlir" <<'END'
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [] : (tensor<f32>) -> tensor<400000x1000000xf32>
  %1 = stablehlo.sine %0 : tensor<400000x1000000xf32>
  %2 = stablehlo.transpose %1, dims = [1, 0] : (tensor<400000x1000000xf32>) -> tensor<1000000x400000xf32>
  %3 = stablehlo.optimization_barrier %2 : tensor<1000000x400000xf32>
  %4 = stablehlo.slice %3 [0:1, 0:1] : (tensor<1000000x400000xf32>) -> tensor<1x1xf32>
  %5 = stablehlo.reshape %4 : (tensor<1x1xf32>) -> tensor<f32>
  return %5 : tensor<f32>
}
END
    refused 'too little memory' 'left' $run "$tmp/large.mlir" $given
    $run $mlp $given --output="$tmp/one.npz" >/dev/null 2>"$tmp/error" &
    first=$!
    $run $mlp $given --output="$tmp/two.npz" >/dev/null 2>"$tmp/error"
    second=$?
    if wait $first && [ $second -eq 0 ] && cmp -s "$tmp/one.npz" "$tmp/two.npz"; then good; else bad 'two processes on one device' 4; fi
    $run $mlp $given --output="$tmp/one.npz" >/dev/null 2>&1 &
    first=$!
    sleep 0.3
    kill -INT $first 2>/dev/null
    wait $first
    if $run $mlp $given >/dev/null 2>"$tmp/error"; then good; else bad 'after a run that was interrupted' 4; fi
}

spmd() { # spmd SEED FLAG...: the generator in C; programs that are wrong are shown
    seed=$1
    shift
    "$BUILD/bin-test/spmd" --device "$DEVICE" "$@" --cells 0 --failures 1000000 --count $BATCH --seed "$seed" --save "$tmp" >"$tmp/out"
    code=$?
    ! ls "$tmp"/*.mlir >/dev/null 2>&1 || cat "$tmp"/*.mlir
    cat "$tmp/out"
    exit $code
}

model() { # model FILE: large, narrow and deep: results correlate with the CPU engine's
    sed -E -f tests/small_vocabulary.sed "$1" >"$tmp/model.mlir"
    if ! "$BUILD/bin/tessera" run "$tmp/model.mlir" --input=random --output="$tmp/cpu.npz" >"$tmp/out" 2>"$tmp/error"; then
        bad "$1 on the CPU" 4
        return
    fi
    "$BUILD/bin/tessera" run "$tmp/model.mlir" --input=random --device="$DEVICE" --dump-program --expect="$tmp/cpu.npz" >"$tmp/out" 2>"$tmp/error"
    first_line
    awk '{ for (i = 2; i <= NF; i++) if ($i == "PASS" || $i == "FAIL") { n++; off += !($(i - 1) >= 0.99) } } END { exit !(n && !off) }' "$tmp/out" && good || {
        bad "$1: $(grep -m 1 -e 'error: ' "$tmp/error")"
        head -n 5 "$tmp/out"
    }
}

run_unit() { # run_unit PART NAME
    dir=tests/corpus/$2
    case $1 in
    suite)
        "$BUILD/bin-test/device" "$BUILD/tessera_${DEVICE%%:*}.so" # its last line is ours
        exit
        ;;
    faults) faults ;;
    arrays) python3 "$HERE/arrays.py" --device "$DEVICE"; exit ;;
    corpus) full_precision "$dir/module.mlir" && corpus "$tmp/module.mlir" "$dir" ;;
    corpus-tf32) b=$(bound "$dir/module.mlir") && corpus "$dir/module.mlir" "$dir" --rtol="$b" --atol="$b" ;;
    ttir) as_ttir "$dir" && b=$(bound "$tmp/module.mlir") && corpus "$tmp/module.mlir" "$dir" --rtol="$b" --atol="$b" ;;
    manual) full_precision "tests/corpus/shard_map/$2/module.mlir" && corpus "$tmp/module.mlir" "tests/corpus/shard_map/$2" ;;
    random) spmd "$2" ;;
    tf32) spmd "9$2" --tf32 ;;
    strict) python3 "$HERE/strict.py" --bin "$BUILD/bin" --device "$DEVICE" --count $BATCH --seed "$2"; exit ;;
    programs) python3 "$HERE/programs.py" "${2%.*}" --bin "$BUILD/bin" --device "$DEVICE" --count $(((BATCH + 1) / 2)) --seed "${2#*.}" --save "$tmp"; exit ;;
    sanitizer)
        full_precision "$dir/module.mlir"
        if "$(sanitizer)" --error-exitcode 77 "$BUILD/bin/tessera" run "$tmp/module.mlir" --device="$DEVICE" $(numbered --input "$dir/in") >"$tmp/error" 2>&1; then
            good
        else
            bad "$dir under compute-sanitizer" 40
        fi
        ;;
    models) model "$(echo "$2" | tr : /)" ;;
    esac
    counts
}

case $1 in
list) units "$2" ;;
run) run_unit "${2%%.*}" "${2#*.}" ;;
*) echo "units.sh: list or run" >&2 && exit 2 ;;
esac
