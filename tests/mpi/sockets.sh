# SPDX-License-Identifier: Apache-2.0
# sockets.sh - ranks without MPI, by a transport of tests (sockets.c); scripts read it with `.`. CC compiles the plug-in.
. "$(dirname "$0")/../common.sh"
here=$(cd "$(dirname "$0")/../.." && pwd)
BUILD=$(cd "$BUILD" && pwd)
tessera=$BUILD/bin/tessera
plugin=$BUILD/mpi/sockets.so
mkdir -p "${plugin%/*}"
${CC:-cc} -std=c11 -O2 -g -Wall -Wextra -Werror $(sanitizers) -I"$here/src" -D_DEFAULT_SOURCE -fPIC -fvisibility=hidden -shared -o "$plugin.$$" "$here/tests/mpi/sockets.c" &&
    mv "$plugin.$$" "$plugin" || exit 1

# sockets N FLAGS...: `tessera run FLAGS` on N ranks, all in the background but the first, whose exit code it is. What others print goes to stderr.
sockets() {
    n=$1
    shift
    folder=$(mktemp -d)
    others=
    k=$((n - 1))
    while [ $k -gt 0 ]; do
        TESSERA_MPI=$plugin TESSERA_TEST_RANK=$k:$n:$folder "$tessera" run --transport=mpi "$@" >&2 &
        others="$others $!"
        k=$((k - 1))
    done
    TESSERA_MPI=$plugin TESSERA_TEST_RANK=0:$n:$folder "$tessera" run --transport=mpi "$@"
    code=$?
    for pid in $others; do
        wait $pid
        other=$?
        [ $code -ne 0 ] || code=$other
    done
    rm -rf "$folder"
    return $code
}
