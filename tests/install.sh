#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# install.sh - the files that `make install` installs work from there, and `make uninstall` leaves nothing behind.
cd "$(dirname "$0")/.." || exit 3
. tests/common.sh
at=$tmp/at
san=$(printf '%s\n' "$MAKEFLAGS" | sed -n 's/.*SAN=\([^ ]*\).*/-fsanitize=\1/p')

made() { # made TARGET...: of this build, under the prefix
    make -s BUILD="$BUILD" PREFIX="$at" "$@" >"$tmp/error" 2>&1 && good || bad "make $*" 20
}
there() {
    for p in "$@"; do
        [ -e "$at/$p" ] && good || bad "install: no $p"
    done
}

made install
there bin/tessera lib/libtessera.a lib/libtessera.so lib/pkgconfig/tessera.pc include/tessera/tessera.h
# shellcheck disable=SC2046
there $(echo include/tessera/*.h)
number=$(find "$at/include/tessera" -name '*.h' | wc -l)
number=$(echo 'one two three four five six seven' | cut -d ' ' -f "$number")
grep -q "installs \`libtessera\` (static and shared), $number headers" README.md && good || bad "install: README says another number of headers than $number"
there include/tessera/tessera.hpp lib/cmake/tessera/tesseraConfig.cmake lib/cmake/tessera/tesseraConfigVersion.cmake
there share/man/man1/tessera.1 share/man/man1/tessera-run.1 share/bash-completion/completions/tessera
there lib/tessera/tessera_cuda.so
# The plug-in for CUDA is found where it is installed, with a GPU or without one.
"$at/bin/tessera" devices >"$tmp/out" 2>"$tmp/error" && good || bad 'tessera devices' 5
there libexec/tessera/sdy_opt libexec/tessera/stablehlo-opt
[ ! -e "$at/bin/sdy_opt" ] && good || bad "install: a peer's name is in bin"
echo 'module {}' | "$at/libexec/tessera/sdy_opt" 2>"$tmp/error" | grep -q module && good || bad 'libexec/tessera/sdy_opt' 5
printf '#include <tessera/build.h>\nint main(void) { return tsr_version() != TSR_VERSION; }\n' >"$tmp/use.c"
# shellcheck disable=SC2086
${CC:-cc} $san "$tmp/use.c" -o "$tmp/use" -I"$at/include" -L"$at/lib" -ltessera -Wl,-rpath,"$at/lib" 2>"$tmp/error" &&
    "$tmp/use" && good || bad 'a program against what is installed' 20
# The archive has no global names but the API's: a program may have functions with the same names as our hooks.
if [ -z "$san" ] && command -v objcopy >/dev/null 2>&1; then
    nm -g --defined-only "$at/lib/libtessera.a" 2>/dev/null | awk 'NF == 3 && $3 !~ /^tsr_/ { print $3 }' >"$tmp/error"
    [ ! -s "$tmp/error" ] && good || bad 'global names in libtessera.a' 5
    nm -g --defined-only "$at/lib/libtessera.a" | awk 'NF == 3 { print $3 }' | sort -u >"$tmp/static"
    nm -D --defined-only "$at/lib/libtessera.so" | awk '$2 == "T" { sub(/@.*/, "", $3); print $3 }' | sort -u >"$tmp/shared"
    diff "$tmp/static" "$tmp/shared" >"$tmp/error" && good || bad 'libtessera.a and libtessera.so have different names' 10
    printf '#include <tessera/tessera.h>\nint pass_inline, eval_dot, rule_twice, verify_dot;\nint main(void) { return tsr_version() != TSR_VERSION; }\n' >"$tmp/use.c"
    ${CC:-cc} "$tmp/use.c" -o "$tmp/use" -I"$at/include" "$at/lib/libtessera.a" -lm -lpthread -ldl 2>"$tmp/error" &&
        "$tmp/use" && good || bad 'a program with names of ours' 20
fi
# The samples, by what each way of building finds: a moved tree too, and another folder for libraries.
runs() { # runs WHAT PROGRAM
    if "$2" >"$tmp/out" 2>"$tmp/error" && [ "$(cat "$tmp/out")" = '2 4 6' ]; then good; else bad "$1" 10; fi
}
if [ -z "$san" ]; then
    ${CC:-cc} packaging/samples/first.c -o "$tmp/static" -I"$at/include" "$at/lib/libtessera.a" -lm -lpthread -ldl 2>"$tmp/error"
    runs 'the sample, static' "$tmp/static"
    cxx=
    for c in ${CXX:-} c++ g++ clang++; do
        if command -v "$c" >/dev/null 2>&1; then cxx=$c; break; fi
    done
    if [ -n "$cxx" ]; then
        "$cxx" -std=c++11 -pedantic -Wall -Wextra -Werror -Itests/api tests/api/wrapper.cpp -o "$tmp/wrapper" -I"$at/include" -L"$at/lib" -ltessera -Wl,-rpath,"$at/lib" 2>"$tmp/error" &&
            "$tmp/wrapper" >"$tmp/error" && good || bad 'the wrapper of C++' 10
    fi
    if command -v pkg-config >/dev/null 2>&1; then
        # shellcheck disable=SC2046
        PKG_CONFIG_PATH="$at/lib/pkgconfig" ${CC:-cc} packaging/samples/first.c -o "$tmp/found" $(PKG_CONFIG_PATH="$at/lib/pkgconfig" pkg-config --cflags --libs tessera) \
            -Wl,-rpath,"$at/lib" 2>"$tmp/error"
        runs 'the sample, by pkg-config' "$tmp/found"
    fi
    if command -v cmake >/dev/null 2>&1 && [ -n "$cxx" ]; then
        mv "$at" "$tmp/moved"
        cmake -S packaging/samples -B "$tmp/cmake" -DCMAKE_PREFIX_PATH="$tmp/moved" >"$tmp/error" 2>&1 && cmake --build "$tmp/cmake" >"$tmp/error" 2>&1 && good || bad 'cmake' 20
        for p in shared static wrapped; do runs "the sample, by CMake: $p" "$tmp/cmake/$p"; done
        printf 'cmake_minimum_required(VERSION 3.16)\nproject(p C)\nfind_package(tessera 9.1 REQUIRED)\n' >"$tmp/CMakeLists.txt"
        if cmake -S "$tmp" -B "$tmp/other" -DCMAKE_PREFIX_PATH="$tmp/moved" >"$tmp/error" 2>&1; then bad 'CMake takes 9.1 for this version'; else good; fi
        mv "$tmp/moved" "$at"
    fi
fi
made install DESTDIR="$tmp/root" LIBDIR=lib/some-arch PREFIX=/usr
[ -e "$tmp/root/usr/lib/some-arch/libtessera.so.0" ] && [ ! -e "$tmp/root/usr/lib/libtessera.so" ] && good || bad 'install: LIBDIR and DESTDIR'
grep -q '^prefix=/usr$' "$tmp/root/usr/lib/some-arch/pkgconfig/tessera.pc" && grep -q '^libdir=${prefix}/lib/some-arch$' "$tmp/root/usr/lib/some-arch/pkgconfig/tessera.pc" &&
    good || bad 'install: tessera.pc' 5
made uninstall DESTDIR="$tmp/root" LIBDIR=lib/some-arch PREFIX=/usr
[ -z "$(find "$tmp/root" -type f -o -type l)" ] && good || bad 'uninstall with LIBDIR and DESTDIR leaves files'
made install LINKS=1
there bin/sdy_opt bin/ttmlir-opt
rm -f "$at/bin/sdy_opt" && echo other >"$at/bin/sdy_opt"
made uninstall
left=$(find "$at" -type f -o -type l)
[ "$left" = "$at/bin/sdy_opt" ] && good || bad "uninstall leaves $left"
counts
