#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# wheels.sh FOLDER - `make wheels`: the wheels of this machine and of aarch64, those of tt-mlir's packages, and the source
# package. From the environment: BUILD, a complete build by CC; MAKE; ARCHES, 'x86_64 aarch64' by default.
#
# Both are linked for glibc 2.28 and later (glibc.sh, link.sh): the wheel of this machine from the objects of BUILD, others
# from objects that zig's compiler makes in BUILD/ARCH. Kernels of all classes of x86 machines are inside, as in any build.
cd "$(dirname "$0")/.." || exit 3
set -e
folder=$1 native=$(uname -m)
mkdir -p "$folder" "$BUILD/parts"
rm -f "$folder"/tessera*.whl "$folder"/tessera*.tar.gz
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 0)}
python=${PYTHON:-python3}
wheel="$python packaging/tessera_wheel.py"
rm -rf "$BUILD/parts/share"
$wheel shared "$BUILD/parts/share" --command "$BUILD/bin/tessera"
$wheel stubs "$BUILD/parts/builder.pyi" --library "$BUILD/libtessera.so"
for arch in ${ARCHES:-$native aarch64}; do
    [ "$arch" != "$native" ] || [ -z "$done" ] || continue
    [ "$arch" != "$native" ] || done=1
    parts=$BUILD/parts/$arch glibc=$BUILD/glibc-2.28/$arch build=$BUILD
    sh packaging/glibc.sh "$arch" "$glibc"
    if [ "$arch" != "$native" ]; then
        build=$BUILD/$arch
        mkdir -p "$build"
        # zig takes -Og for no optimization at all, which checks of the C library refuse.
        printf '#!/bin/sh\nfor a; do shift; [ "$a" != -Og ] || a=-O1; set -- "$@" "$a"; done\nexec %s cc -target %s-linux-gnu.2.28 -fno-sanitize=undefined "$@"\n' \
            "$(sh packaging/zig.sh)" "$arch" >"$build/cc.new"
        cmp -s "$build/cc.new" "$build/cc" || cp "$build/cc.new" "$build/cc"
        chmod +x "$build/cc"
        ${MAKE:-make} --no-print-directory CC="$(cd "$build" && pwd)/cc" BUILD="$build" parts
    fi
    sh packaging/link.sh "$arch" "$build" "$parts" "$glibc"
    $wheel wheel "$folder" --platform "manylinux_2_28_$arch" --library "$parts/libtessera.so" --plugin "$parts/pjrt_plugin_tessera.so" \
        --cuda "$parts/tessera_cuda.so" --command "$parts/tessera" --shared "$BUILD/parts/share" --stubs "$BUILD/parts/builder.pyi"
done
$wheel tt "$folder"
$wheel sdist "$folder"
