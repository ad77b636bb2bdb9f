#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# check.sh - runs every part of `make check`; see parts.sh.
# From the environment: BUILD, CC, MUTATIONS, MUTATION_SEED.
BUILD=${BUILD:-build}
T=$BUILD/bin-test

# A sanitizer's report must not look like a plain failure (see `not` in runner.c). gcc 13 does not align vectors on the
# stacks that detect_stack_use_after_return makes.
export ASAN_OPTIONS="${ASAN_OPTIONS:-abort_on_error=1:exitcode=99:max_allocation_size_mb=4096:detect_stack_use_after_return=0}"
export LSAN_OPTIONS="${LSAN_OPTIONS:-exitcode=99}"
export UBSAN_OPTIONS="${UBSAN_OPTIONS:-abort_on_error=1:print_stacktrace=1:exitcode=99}"
export BUILD

. tests/parts.sh

# Create a Python environment with NumPy, which may have to be downloaded, while the first parts run.
sh tests/python.sh >/dev/null 2>&1 &
making=$!

# once NAME COMMAND...: a part that is skipped in builds with sanitizers or coverage counters, where it would show
# nothing new.
once() {
    if grep -q -e -fsanitize -e --coverage "$BUILD/flags" 2>/dev/null; then
        skip "$1" 'shows nothing more in this build'
    else
        part "$@"
    fi
}
once_alone() {
    wait_for 1
    once "$@"
    wait_for 1
}

# short NAME COMMAND...: replaces such a part in a build with sanitizers.
short() {
    if grep -q -e -fsanitize "$BUILD/flags" 2>/dev/null; then part "$@"; fi
}

# A build with MINIMAL=1 has no tt-mlir: parts about it are skipped, and of the text tests those with these words.
without=
if grep -q -e -DTSR_MINIMAL "$BUILD/flags" 2>/dev/null; then
    lacks=tests/minimal.list lacks_why='MINIMAL=1 leaves out tt-mlir'
    for word in ttir ttnn ttcore emitc emitpy ttmlir ttrt tt-mlir; do without="$without --without $word"; done
fi

once layers sh tests/layers.sh
once 'layers self-test' sh tests/layers.sh --self-test
once 'ops by name' sh tests/opcodes.sh
once 'ops by name, self-test' sh tests/opcodes.sh --self-test
once 'prefixes of names' sh tests/prefixes.sh
once 'prefixes of names, self-test' sh tests/prefixes.sh --self-test
once 'enums of one width' sh tests/enums.sh
once 'enums, self-test' sh tests/enums.sh --self-test
once 'size of the engine' sh tests/house.sh --engine
once 'size of the GPU backend' sh tests/house.sh --gpu
once 'licence of each source' sh tests/house.sh --licence
once 'skipped parts' sh tests/skipped.sh
once 'header as C' ${CC:-cc} -std=c11 -pedantic -Wall -Wextra -Werror -fsyntax-only -Iinclude -x c include/tessera/build.h -x c include/tessera/golden.h -x c include/tessera/code.h
cxx=
for c in ${CXX:-} c++ g++ clang++; do
    if command -v "$c" >/dev/null 2>&1; then cxx=$c; break; fi
done
if [ -n "$cxx" ]; then
    once 'header as C++' "$cxx" -std=c++11 -pedantic -Wall -Wextra -Werror -fsyntax-only -Iinclude -x c++ include/tessera/build.h -x c++ include/tessera/golden.h -x c++ include/tessera/code.h
else
    skip 'header as C++' 'no C++ compiler here'
fi
[ ! -x "$T/unit" ] || part unit "$T/unit"
part devices "$T/device"
part 'devices, programs' "$T/device_run"
part 'GPUs, loops' "$T/gpu_loops"
part 'devices, ops' "$T/gpu_ops"
part 'devices, texts' sh tests/gpu/goldens.sh
part 'CUDA, calls' sh tests/cuda.sh calls
part 'CUDA, products' sh tests/cuda.sh suite
once 'CUDA, headers' sh tests/cuda.sh headers
once 'CUDA, texts' sh tests/cuda.sh texts
once 'programs on a device, scripts' sh tests/gpu/scripts.sh
once 'seeded bugs' sh tests/differential/bugs.sh
for t in "$T"/capi_*; do
    [ ! -x "$t" ] || part "${t##*/}" "$t"
done
once "the C API's document" sh tests/api/docs.sh
once "the C API's promise" sh tests/api/abi.sh
once "the C API's promise, self-test" sh tests/api/abi.sh --self-test
part 'files of earlier versions' sh tests/compat.sh
part plugin "$T/pjrt" "$BUILD/pjrt_plugin_tessera.so"
part 'plugin, memory' "$T/pjrt_memory"
part 'tools, memory' "$T/tool_memory"
part "PJRT's header" sh tests/pjrt/abi.sh
part 'JAX on Tessera' sh tests/pjrt/jax.sh
part 'JAX on several processes' sh tests/hosts/jax.sh
part 'plans for JAX' sh tests/python/jax.sh
part 'torch.compile' sh tests/python/torch.sh
once_alone 'Python package' sh tests/pjrt/package.sh
wait $making
numpy=$(sh tests/python.sh)
has_numpy=$?
part 'Python, calls' sh tests/python/run.sh tests/python/package.py
part 'Python, element types' sh tests/python/run.sh tests/python/elements.py
part 'Python, goldens' sh tests/python/run.sh tests/python/goldens.py
part 'Python, plans' sh tests/python/run.sh tests/python/plans.py
part "Python, table of torch's ops" sh tests/python/run.sh tests/python/torch_table.py
part 'Python, edits for JAX' sh tests/python/run.sh tests/python/jax_source.py
part 'Python, devices' sh tests/python/run.sh tests/python/device.py
part 'Python, bindings' sh tests/python/run.sh tests/python/bindings.py
part 'Python, modules again' sh tests/python/run.sh tests/python/rebuild.py
part 'Python, ops by methods' sh tests/python/run.sh tests/python/rebuild.py --methods
part 'Python, every op' sh tests/python/run.sh tests/python/ops.py
part 'Python, packages of tt-mlir' sh tests/python/run.sh tests/python/tt.py
once 'Python, documents' sh tests/python/run.sh tests/python/docs.py
part 'Python, nonsense' sh tests/python/run.sh tests/python/fuzz.py --count 1000
once "Python, the builder's document" sh tests/python/run.sh tests/python/test_seed.py
once "Python, tt-mlir's builder" sh tests/python/run.sh tests/python/tt_builder.py
part 'Python, any call' sh tests/python/run.sh tests/python/fuzz_surface.py --count 1000
part 'Python, odd names' sh tests/python/run.sh tests/python/names.py
part 'Python, explain' sh tests/python/run.sh tests/python/explain.py
part 'Python, names after passes' sh tests/python/run.sh tests/python/kept_names.py
part 'Python, any edit' sh tests/python/run.sh tests/python/fuzz_edits.py --count 1000
once 'numbers with a comma' sh tests/locale.sh
alone 'install and uninstall' sh tests/install.sh
once 'packages' sh tests/packaging.sh
part derivatives "$T/grad" --cover --rounds 3 tests/pass/grad/*.cases
part 'derivatives, on a mesh' "$T/grad" --mesh --seed 7 tests/pass/grad/*.cases
part "JAX's gradients" sh tests/pass/grad/jax.sh
part 'derivatives at points' sh tests/pass/grad/points.sh
part "TTIR's passes" sh tests/ttir_passes.sh
part 'text tests' "$T/runner" --bin "$BUILD/bin" $without tests
part 'colours at a terminal' sh tests/terminal.sh
part 'forms of programs' sh tests/forms.sh
part 'empty lists' sh tests/empty.sh
part 'mistakes of users' sh tests/mistakes.sh
part 'outputs, on a full disk' sh tests/outputs.sh
part 'pages of explore' sh tests/explorer/run.sh
alone 'server of explore' "$T/serve" "$BUILD/bin/tessera" tests/tools/Inputs/mlp.mlir --mesh=x=2,y=4 --arg=0:x
once_alone 'pages in a browser' sh tests/explorer/browser.sh
part 'help of all flags' sh tests/help.sh
part seeds sh tests/seeds/check.sh
part 'seeds, pass by pass' sh tests/seeds/steps.sh
part corpus sh tests/corpus.sh
part 'tests, as bytecode' sh tests/roundtrip.sh
part 'tests, as flatbuffers' sh tests/flatbuffer.sh
part 'corpus, plans' sh tests/plans.sh
part 'corpus, shardings found' sh tests/auto.sh
part 'random, shardings found' sh tests/differential/auto_random.sh 60
part 'corpus, run' sh tests/eval.sh
part 'corpus, on meshes' sh tests/eval.sh --spmd
part 'corpus, reference' sh tests/eval.sh --engine=reference
part 'corpus, reference, on meshes' sh tests/eval.sh --engine=reference --spmd
part 'several steps' sh tests/mpi/steps.sh
once_alone 'ranks, corpus' sh tests/mpi/corpus.sh 2
once_alone 'ranks, four' sh tests/mpi/corpus.sh 4 4
once_alone 'ranks, random' sh tests/mpi/random.sh 8
once 'ranks, large collectives' sh tests/mpi/large.sh
short 'ranks, large collectives' env RANKS=2 sh tests/mpi/large.sh
part 'ranks, memory' sh tests/mpi/memory.sh
part 'ranks, groups of them' sh tests/mpi/native.sh
part 'ranks, small collectives' sh tests/mpi/meetings.sh
once_alone 'ranks, overlap' sh tests/mpi/overlap.sh
alone 'ranks, without MPI' sh tests/mpi/ranks.sh
alone 'ranks, TCP' sh tests/hosts/tcp.sh
part 'sums over devices' sh tests/hosts/sums.sh
once 'sums over devices, MPI' sh tests/hosts/sums.sh mpi
once_alone 'ranks, many' sh tests/hosts/many.sh
once 'ranks, failures' sh tests/mpi/failures.sh
part 'compiled, on threads' sh tests/exec/threads.sh
part 'compiled, all of it' sh tests/exec/others.sh --none
part 'compiled, saved' sh tests/exec/saved.sh
part 'compiled, saved, on meshes' sh tests/exec/saved.sh --spmd
part 'compiled, memory' sh tests/exec/memory.sh
once 'compiled, as C' sh tests/emit_c.sh --slice
part 'corpus, random inputs' sh tests/random_inputs.sh
part "GSPMD's programs" sh tests/gspmd.sh
part 'corpus, distributed' sh tests/distribute.sh
part 'corpus, tt pipeline' sh tests/tt_pipeline.sh
part 'corpus, as TTIR' sh tests/ttir_corpus.sh
part 'corpus, as TTNN' sh tests/ttnn_corpus.sh
part 'TTNN, ops that run' sh tests/ttnn_ops.sh
part 'TTNN, mistakes are found' sh tests/ttnn_mutations.sh
part 'TTNN, each pass alone' sh tests/ttnn_passes.sh
part 'passes keep values' sh tests/passes_keep_values.sh
part 'programs of unknown shapes' sh tests/dynamic.sh
once 'rules have tests' sh tests/rules.sh
# Python's tests need a python3; those that compare with NumPy one that has it.
if command -v python3 >/dev/null 2>&1; then
    with_python() { part "$@"; }
else
    with_python() { skip "$1" 'no python3 here'; }
fi
with_python 'no flag is ignored' python3 tests/flags.py --bin "$BUILD/bin" --pairs --every 12
with_python 'profiles' python3 tests/exec/trace.py --bin "$BUILD/bin"
with_python 'random programs of TTIR, compiled' python3 tests/differential/ttir_programs.py --bin "$BUILD/bin" --count 100 --save "$BUILD/differential"
with_python 'movements inside of loops' python3 tests/differential/moves.py --bin "$BUILD/bin" --count 50 --save "$BUILD/differential"
with_python 'values computed again' python3 tests/differential/again.py --bin "$BUILD/bin" --count 200 --save "$BUILD/differential"
with_python 'maps before products' python3 tests/differential/prologues.py --bin "$BUILD/bin" --count 40 --save "$BUILD/differential"
with_python 'narrow floats' python3 tests/differential/narrow_programs.py --bin "$BUILD/bin" --count 60 --save "$BUILD/differential"
with_python 'narrow floats, rows of norms' python3 tests/differential/narrow_rows.py --bin "$BUILD/bin" --rows 220 --columns 24 --quiet
with_python 'signs of zeros' python3 tests/differential/zeros.py --bin "$BUILD/bin" --count 60 --save "$BUILD/differential"
with_python 'slices where they lie' python3 tests/differential/slices.py --bin "$BUILD/bin" --count 40 --save "$BUILD/differential"
with_python 'products of dimensions in any order' python3 tests/differential/einsums.py --bin "$BUILD/bin" --count 60 --save "$BUILD/differential"
with_python 'convolutions of any layout' python3 tests/differential/convs.py --bin "$BUILD/bin" --count 40 --save "$BUILD/differential"
with_python 'chains of products' python3 tests/differential/chains.py --bin "$BUILD/bin" --count 60 --save "$BUILD/differential"
with_python 'random programs of TTIR, as TTNN' python3 tests/differential/ttnn.py --bin "$BUILD/bin" --count 50 --save "$BUILD/differential"
with_python 'the op with a mistake is named' python3 tests/differential/blame.py --bin "$BUILD/bin" --count 25 --save "$BUILD/differential"
with_python 'ops as TTIR' python3 tests/differential/ttir.py --bin "$BUILD/bin" --count 200 --must --save "$BUILD/differential"
if [ $has_numpy -eq 0 ]; then
    part 'TTIR against NumPy' "$numpy" tests/eval/ttir/values.py --bin "$BUILD/bin"
else
    skip 'TTIR against NumPy' "$numpy"
fi
with_python 'functions of ttnn in C++' python3 tests/target/emit/functions.py
if [ $has_numpy -eq 0 ]; then
    part 'emitted Python runs' sh tests/python/run.sh tests/differential/emitted.py --count 25 --languages python --save "$BUILD/differential"
    if command -v g++ >/dev/null 2>&1 || command -v clang++ >/dev/null 2>&1; then
        once 'emitted C++ runs' sh tests/python/run.sh tests/differential/emitted.py --count 3 --languages cpp --save "$BUILD/differential"
    else
        skip 'emitted C++ runs' 'no compiler of C++ here'
    fi
else
    skip 'emitted Python and C++ run' "$numpy"
fi
with_python 'GSPMD, imported' python3 tests/differential/gspmd_random.py --bin "$BUILD/bin" --count 300
with_python 'quantized numbers' python3 tests/differential/quant.py --bin "$BUILD/bin" --count 90 --save "$BUILD/differential"
with_python 'random programs before and after passes' python3 tests/differential/values.py --bin "$BUILD/bin" --count 6 --save "$BUILD/differential"
with_python 'partitioned by passes' python3 tests/differential/partition.py --bin "$BUILD/bin" --count 60 --save "$BUILD/partition"
with_python 'TTIR, batch in parts' python3 tests/differential/data_parallel.py --bin "$BUILD/bin" --count 300 --keep "$BUILD"
once growth "$T/growth" --quick
part documents sh tests/docs.sh
mkdir -p "$BUILD/differential"
with_python 'random programs, counted' sh tests/differential/many.sh
part 'random programs, compiled' "$T/spmd" --compiled --cells 1 --count 400 --seed 1 --save "$BUILD/differential"
part 'random programs, compiled, on meshes' "$T/spmd" --compiled-mesh --cells 1 --count 400 --seed 2 --save "$BUILD/differential"
part partitioned "$T/spmd" --cells 1 --count 400 --seed 1 --save "$BUILD/differential"
part 'fuzz corpus' sh tests/fuzz/replay.sh
part mutations "$T/mutate" --count "${MUTATIONS:-500}" --seed "${MUTATION_SEED:-1}" --save "$BUILD/mutants" \
    tests/corpus tests/seeds tests/text tests/dialect/ttir tests/dialect/ttnn tests/target/emit tests/fuzz/corpus/emit
bytecode=$(find tests/corpus tests/text/bytecode -name '*.mlirbc' -o -name '*.bc' | sort)
part 'mutations, bytecode' "$T/mutate" --count "${MUTATIONS:-500}" --seed "${MUTATION_SEED:-1}" --save "$BUILD/mutants" $bytecode

closing
