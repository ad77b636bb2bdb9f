#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# threads.sh - the tests that use threads, for ThreadSanitizer: calls that are cancelled, hit limits or run out of
# memory in other threads, programs on meshes, collectives. From the environment: BUILD.
BUILD=${BUILD:-build}
T=$BUILD/bin-test
export TSAN_OPTIONS="${TSAN_OPTIONS:-halt_on_error=1:exitcode=99}"
export BUILD
. tests/parts.sh

part unit "$T/unit"
part devices "$T/device"
part 'devices, programs' "$T/device_run"
part capi_budget "$T/capi_budget"
part capi_spmd "$T/capi_spmd"
part capi_program "$T/capi_program"
part capi_donate "$T/capi_donate"
part plugin "$T/pjrt" "$BUILD/pjrt_plugin_tessera.so"
part 'memory, on a mesh' "$T/capi_memory" 'run on a mesh'
part 'text tests' "$T/runner" --bin "$BUILD/bin" tests/eval/collectives.mlir tests/eval/collectives_invalid.mlir \
    tests/eval/bad_rendezvous.test tests/eval/division_by_zero.mlir tests/tools/limits.test tests/exec/mesh.mlir tests/exec/limits.test
mkdir -p "$BUILD/differential"
part partitioned "$T/spmd" --cells 1 --count 60 --seed 1 --save "$BUILD/differential"
part 'partitioned, compiled' "$T/spmd" --compiled-mesh --cells 1 --count 60 --seed 2 --save "$BUILD/differential"
part 'ranks, groups of them' sh tests/mpi/native.sh
part 'ranks, small collectives' sh tests/mpi/meetings.sh
part 'ranks, large collectives' env RANKS=2 sh tests/mpi/large.sh

closing
