#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# compilers.sh - `make compilers`: builds everything without warnings with each of some compilers, and the public header
# as C++ too. Each compiler has its own folder in build/compilers, which is removed if its build succeeds without
# warnings. A compiler that is not installed here is installed in a root of a Debian that has it (roots.sh), and runs
# there; one that cannot be had is a failure.
#   COMPILERS='gcc-11 clang-16'   which
#   KINDS='plain debug san check' which builds, default: plain and debug; check: plain, and all tests are run
#   RELEASES='bookworm trixie'    which releases have the others; RELEASES=none: only those installed here
cd "$(dirname "$0")/.." || exit 3
. tests/roots.sh
: "${MAKE:=make}" "${KINDS:=plain debug}" "${RELEASES:=bookworm trixie}"
: "${COMPILERS:=gcc-11 gcc-12 gcc-13 gcc-14 clang-14 clang-16 clang-19 musl-gcc}"

# The C++ compiler that belongs to a C compiler: gcc-12 -> g++-12, clang-13 -> clang++-13.
cxx_of() {
    case $1 in
    gcc*) echo "g++${1#gcc}" ;;
    clang*) echo "clang++${1#clang}" ;;
    *) echo none ;;
    esac
}

options_of() {
    case $1 in
    plain | check) ;;
    debug) echo DEBUG=1 ;;
    san) echo SAN=address,undefined ;;
    *) echo "compilers: no kind '$1': plain, debug, san or check" >&2; exit 2 ;;
    esac
}

# build_here COMPILER: false if a build fails.
build_here() {
    good=true
    for kind in $KINDS; do
        options=$(options_of "$kind") || exit 2
        folder=build/compilers/$1-$kind
        if "$MAKE" -j2 CC="$1" BUILD="$folder" WERROR=1 $options all tests >"$folder.log" 2>&1 &&
            { [ "$kind" != check ] || "$MAKE" CC="$1" BUILD="$folder" WERROR=1 KINDS= check >"$folder.log" 2>&1; }; then
            echo "ok    $1 $kind$([ "$kind" != check ] || tail -n 1 "$folder.log" | cut -c1-1000 | sed 's/^/: /')"
            rm -rf "$folder" "$folder.log"
        else
            echo "FAIL  $1 $kind"
            grep -E 'error|warning|^FAIL|failed:' "$folder.log" | head -20
            good=false
        fi
    done
    cxx=$(cxx_of "$1")
    if command -v "$cxx" >/dev/null 2>&1; then
        if "$cxx" -std=c++11 -pedantic -Wall -Wextra -Werror -fsyntax-only -Iinclude -x c++ include/tessera/build.h -x c++ include/tessera/golden.h -x c++ include/tessera/code.h; then
            echo "ok    $cxx, the header"
        else
            echo "FAIL  $cxx, the header"
            good=false
        fi
    fi
    $good
}

# build_there COMPILER: the same in the first root whose release has it.
build_there() {
    package=$1 why='no release is allowed'
    [ "$1" != musl-gcc ] || package=musl-tools
    for release in $RELEASES; do
        [ "$release" != none ] || continue
        root=$release-compilers
        why=$(make_root "$release") || break
        why="no root of $RELEASES has a package $package"
        copy_root "$release" "$root" || { why="no copy of the root of $release"; break; }
        mkdir -p "$roots/$root/tessera"
        in_root "$root" "{ command -v $1 || { apt-get update && apt-get install -y --no-install-recommends $package; }; }" >"$roots/$root.log" 2>&1 || continue
        copy_tree "$root" || { why="no copy of the tree in the root of $release"; break; }
        in_root "$root" "COMPILERS=$1 KINDS='$KINDS' RELEASES=none sh tests/compilers.sh" | sed "s/\$/ ($release)/" >"$roots/$root.log"
        rm -rf "$roots/$root/tessera"
        cat "$roots/$root.log"
        grep -q '^ok' "$roots/$root.log" && ! grep -q '^FAIL' "$roots/$root.log"
        return
    done
    echo "FAIL  $1: not installed here, and $why"
    false
}

bad=0
mkdir -p build/compilers
for cc in $COMPILERS; do
    if command -v "$cc" >/dev/null 2>&1; then build_here "$cc"; else build_there "$cc"; fi || bad=1
done
exit $bad
