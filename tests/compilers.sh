#!/bin/sh
# compilers.sh - `make compilers`: builds everything without warnings with every GCC and clang found on this machine,
# and the public header as C++ too. Each compiler has its own folder in build/compilers, which is removed if its build
# succeeds without warnings.
#   COMPILERS='gcc-11 clang-13'   only these
#   KINDS='plain debug san'       which builds; default: plain and debug
: "${MAKE:=make}" "${KINDS:=plain debug}"
if [ -z "$COMPILERS" ]; then
    COMPILERS='gcc clang'
    for n in 11 12 13 14 15 16 17 18 19 20 21 22; do COMPILERS="$COMPILERS gcc-$n clang-$n"; done
fi

# The C++ compiler that belongs to a C compiler: gcc-12 -> g++-12, clang-13 -> clang++-13.
cxx_of() {
    case $1 in
    gcc*) echo "g++${1#gcc}" ;;
    *) echo "clang++${1#clang}" ;;
    esac
}

options_of() {
    case $1 in
    plain) ;;
    debug) echo DEBUG=1 ;;
    san) echo SAN=address,undefined ;;
    *) echo "compilers: no kind '$1': plain, debug or san" >&2; exit 2 ;;
    esac
}

bad=0
seen=
log=build/compilers/log
mkdir -p build/compilers
for cc in $COMPILERS; do
    command -v "$cc" >/dev/null 2>&1 || continue
    # gcc and gcc-12 may be the same compiler.
    version=$("$cc" --version | sed -n '1s/^[^ ]* //p')
    case $seen in *"|$version|"*) continue ;; esac
    seen="$seen|$version|"
    for kind in $KINDS; do
        options=$(options_of "$kind") || exit 2
        folder=build/compilers/$cc-$kind
        if "$MAKE" -j2 CC="$cc" BUILD="$folder" WERROR=1 $options all tests >"$log" 2>&1; then
            echo "ok    $cc $kind"
            rm -rf "$folder"
        else
            echo "FAIL  $cc $kind"
            grep -E 'error|warning' "$log" | head -20
            bad=1
        fi
    done
    cxx=$(cxx_of "$cc")
    if command -v "$cxx" >/dev/null 2>&1; then
        if "$cxx" -std=c++11 -pedantic -Wall -Wextra -Werror -fsyntax-only -Iinclude -x c++ include/tessera/build.h -x c++ include/tessera/golden.h -x c++ include/tessera/code.h; then
            echo "ok    $cxx, the header"
        else
            echo "FAIL  $cxx, the header"
            bad=1
        fi
    fi
done
[ -n "$seen" ] || { echo 'compilers: none found' >&2; exit 1; }
exit $bad
