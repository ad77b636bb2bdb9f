# SPDX-License-Identifier: Apache-2.0
# mpi.sh - what tests of ranks share; they read it with `.`. Sets kinds: the kinds of MPI that are tried: the first that is here, or those of KINDS
# that are. Each has a compiler and a launcher.
. "$(dirname "$0")/../common.sh"
here=$(cd "$(dirname "$0")/../.." && pwd)
BUILD=$(cd "$BUILD" && pwd)
# Libraries of MPI keep memory, in modules that are gone when leaks are counted, have threads, and put hooks into allocators, which sanitizers do as well. Tests without MPI count
# leaks.
export ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0"
[ -z "$(sanitizers)" ] || export UCX_MEM_EVENTS=n
export TSAN_OPTIONS="${TSAN_OPTIONS:-}:suppressions=$here/tests/mpi/races.supp:ignore_noninstrumented_modules=1"

# Where the plug-in of a kind is built, and how it is compiled and started.
compiler_of() { command -v "mpicc.$1" || { [ "$1" = openmpi ] && mpicc --showme:version 2>/dev/null | grep -q 'Open MPI' && command -v mpicc; }; }
launcher_of() { command -v "mpirun.$1" || { [ "$1" = openmpi ] && mpirun --version 2>/dev/null | grep -q 'Open MPI' && command -v mpirun; }; }

kinds=
why=
for kind in ${KINDS:-openmpi mpich}; do
    [ -n "${KINDS:-}" ] || [ -z "$kinds" ] || continue
    cc=$(compiler_of $kind) && launcher=$(launcher_of $kind) || { why="$why $kind is not installed;"; continue; }
    plugin=$BUILD/mpi/$kind/tessera_mpi.so
    mkdir -p "${plugin%/*}"
    if [ ! -f "$plugin" ] || [ "$here/src/mpi/tessera_mpi.c" -nt "$plugin" ] || [ "$here/src/base/transport.h" -nt "$plugin" ]; then
        OMPI_CC=${CC:-cc} MPICH_CC=${CC:-cc} "$cc" $(sanitizers) -std=c11 -O2 -g -Wall -Wextra -Werror -I"$here/src" -D_DEFAULT_SOURCE -fPIC -fvisibility=hidden -shared \
            -o "$plugin.$$" "$here/src/mpi/tessera_mpi.c" 2>"$tmp/cc" || { why="$why $kind compiles nothing: $(head -n 1 "$tmp/cc");"; continue; }
        mv "$plugin.$$" "$plugin"
    fi
    kinds="$kinds $kind"
done

# ranks KIND N COMMAND...: never in need of a terminal; more ranks than cores are allowed, for they sleep when they wait.
ranks() {
    kind=$1 n=$2
    shift 2
    case $kind in
    openmpi) TESSERA_MPI=$BUILD/mpi/openmpi/tessera_mpi.so OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
        OMPI_MCA_btl_vader_single_copy_mechanism=none "$(launcher_of openmpi)" --oversubscribe --bind-to none --mca btl self,vader -n "$n" "$@" </dev/null ;;
    mpich) TESSERA_MPI=$BUILD/mpi/mpich/tessera_mpi.so "$(launcher_of mpich)" -n "$n" "$@" </dev/null ;;
    esac
}

# Kinds that cannot start two ranks here (no shared memory, no loopback) are left out.
for kind in $kinds; do
    ranks $kind 2 true >"$tmp/try" 2>&1 || { why="$why $kind starts nothing: $(head -n 1 "$tmp/try");"; kinds=$(echo " $kinds " | sed "s/ $kind / /"); }
done
if [ -z "$(echo $kinds)" ]; then
    echo "skipped:$why"
    exit 0
fi
