#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# link.sh ARCH BUILD FOLDER GLIBC - links what a build has compiled for glibc 2.28 and later, stripped, into FOLDER: the
# library, the plug-ins and the command. GLIBC is what glibc.sh made. Objects of this machine are linked by its compiler,
# others by zig's linker.
set -e
arch=$1 build=$2 folder=$3 glibc=$4
mkdir -p "$folder"
soname=libtessera.so.$(sed -n 's/^.define TSR_VERSION_MAJOR *//p' include/tessera/tessera.h)
libraries="$glibc/libm.so.6 $glibc/libpthread.so.0 $glibc/libdl.so.2 $glibc/libc.so.6 $glibc/libc_nonshared.a"
common='-z relro -z now -z nodelete --build-id=none --as-needed -s'
if [ "$arch" = "$(uname -m)" ]; then
    cc=${CC:-cc}
    file() { $cc -print-file-name="$1"; }
    runtime="$(file libgcc.a)"
    before="$(file crti.o)" after="$(file crtn.o)"
    link() { ld $common "$@"; }
    case $arch in x86_64) loader=/lib64/ld-linux-x86-64.so.2 ;; *) loader=/lib/ld-linux-$arch.so.1 ;; esac
else
    zig=$(sh packaging/zig.sh)
    runtime=$glibc/libcompiler_rt.a before='' after=''
    link() { $zig ld.lld $common "$@"; }
    loader=/lib/ld-linux-$arch.so.1
fi
link -shared -soname "$soname" --version-script=src/api/libtessera.map -o "$folder/libtessera.so" $before \
    --whole-archive "$build/libtessera-internal.a" --no-whole-archive $libraries $runtime $after
link -shared --exclude-libs libtessera-internal.a -o "$folder/pjrt_plugin_tessera.so" $before \
    --whole-archive "$build/libpjrt.a" --no-whole-archive "$build/libtessera-internal.a" $libraries $runtime $after
link -shared --version-script=src/cuda/plug_in.map -o "$folder/tessera_cuda.so" $before \
    --whole-archive "$build/libcuda-plug-in.a" --no-whole-archive $libraries $runtime $after
link -pie -dynamic-linker "$loader" -o "$folder/tessera" "$glibc/Scrt1.o" $before \
    --whole-archive "$build/libtools-command.a" --no-whole-archive "$build/libtessera-internal.a" $libraries $runtime $after
