#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# glibc.sh ARCH FOLDER - what it takes to link programs for glibc 2.28 and later: zig's descriptions of that glibc
# (libraries without code), its start files and the rest of the compiler's runtime. zig comes from PATH, or from Python's
# package ziglang.
#
# zig itself would also link its own memcpy, exp and the like in front of those of glibc: other speed, and other bits. So
# only these files are zig's, and the linking is ours (packaging/link.sh).
set -e
arch=$1 folder=$2
[ ! -f "$folder/libc.so.6" ] || exit 0
zig=$(sh packaging/zig.sh) || exit 1
rm -rf "$folder" "$folder.cache"
mkdir -p "$folder" "$folder.cache"
cache=$(cd "$folder.cache" && pwd)
echo 'int main(void) { return 0; }' >"$folder/empty.c"
ZIG_GLOBAL_CACHE_DIR=$cache ZIG_LOCAL_CACHE_DIR=$cache $zig cc -target "$arch-linux-gnu.2.28" -fPIE -pie "$folder/empty.c" -o "$folder/empty" -lm -lpthread -ldl
for f in libm.so.6 libpthread.so.0 libdl.so.2 libc_nonshared.a libcompiler_rt.a Scrt1.o libc.so.6; do
    found=$(find "$cache" -name $f | head -n 1)
    [ -n "$found" ] || { echo "glibc.sh: zig made no $f" >&2; exit 1; }
    cp "$found" "$folder/$f.part" && mv "$folder/$f.part" "$folder/$f"
done
rm -rf "$folder/empty" "$folder/empty.c" "$cache"
