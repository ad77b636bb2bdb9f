#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# installed.sh - `make installed`: what `make wheels` and `make deb` made, installed, used and removed in fresh roots of
# Debian 12 and 13 without a compiler, and then, with compilers, the samples of packaging/samples by CMake, by pkg-config,
# with the archive and in C++. Needs root, debootstrap and a mirror (roots.sh); it fails where it cannot run.
#   RELEASES='trixie'   only these
#   QUICK=1             without the source package, which is compiled there
#   WHEELS=dir          wheels of jax and what it needs, for both Pythons; else pip fetches them
cd "$(dirname "$0")/.." || exit 3
. tests/roots.sh
if why=$(why_no_roots); then
    echo "installed: cannot run: $why" >&2
    exit 1
fi
packages=${BUILD:-build}/release
ls "$packages"/*.deb "$packages"/tessera_compiler-*manylinux*"$(uname -m)".whl >/dev/null || { echo 'installed: make wheels deb first' >&2; exit 1; }
bad=0

# try ROOT WHAT COMMAND: in the root; an output that is not wanted is told
try() {
    if in_root "$1" "$3" >"$roots/$1.try.log" 2>&1; then
        printf 'ok    %s, %s\n' "$1" "$2"
    else
        printf 'FAIL  %s, %s\n' "$1" "$2"
        tail -n 20 "$roots/$1.try.log"
        bad=1
    fi
}

# Files of a root, without those that package managers and Python keep for themselves.
files='find / -xdev \( -path /proc -o -path /sys -o -path /tessera -o -path /var/lib/dpkg -o -path /var/log -o -path /var/cache -o -path /tmp -o -path /etc/ld.so.cache \) -prune -o -print | sort'

for release in ${RELEASES:-bookworm trixie}; do
    base=plain-$release root=installed-$release
    make_root "$release" "$base" python3,python3-venv,ca-certificates || { bad=1; continue; }
    rm -rf "${roots:?}/$root"
    copy_root "$base" "$root"
    mkdir -p "$roots/$root/tessera/wheels"
    cp "$packages"/* "$roots/$root/tessera/"
    cp -r packaging/samples tests/installed examples docs/TUTORIAL.md "$roots/$root/tessera/"
    [ -z "$WHEELS" ] || cp "$WHEELS"/*.whl "$roots/$root/tessera/wheels/"
    from=${WHEELS:+--no-index --find-links wheels}

    try "$root" 'no compiler is here' '! command -v cc && ! command -v gcc && ! command -v clang && ! command -v make'
    try "$root" 'the wheel installs' "$files >/tmp/before && python3 -m venv /v && /v/bin/pip install --quiet --no-index tessera_compiler-*manylinux*$(uname -m).whl && find /v | sort >/tmp/with"
    try "$root" 'its commands, pages and completions are there' '. ./installed/wheel.sh'
    try "$root" "the tutorial's first steps" '. ./installed/first_steps.sh'
    try "$root" 'JAX on its plugin' "/v/bin/pip install --quiet --no-compile $from 'jax<0.11' && /v/bin/python installed/jax_first.py"
    try "$root" 'the wheel goes, and leaves nothing' '/v/bin/pip uninstall --quiet --yes tessera-compiler && test -z "$(find /v -iname "*tessera*" -o -name sdy_opt)" && rm -rf /v /tmp/with && '"$files"' >/tmp/after && diff /tmp/before /tmp/after'
    try "$root" 'Debian packages install' "$files >/tmp/before && dpkg -i libtessera0_*.deb tessera_*.deb libtessera-dev_*.deb python3-tessera_*.deb"
    try "$root" 'command, library, Python and pages' '. ./installed/deb.sh'
    try "$root" 'they go, and leave nothing' "dpkg -P python3-tessera libtessera-dev tessera libtessera0 && $files >/tmp/after && diff /tmp/before /tmp/after"
    try "$root" 'compilers come' 'apt-get -q update && DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends gcc g++ libc6-dev make cmake pkg-config'
    try "$root" 'the packages install again' 'dpkg -i libtessera0_*.deb tessera_*.deb libtessera-dev_*.deb'
    try "$root" 'samples: pkg-config, static, C++, CMake' '. ./installed/samples.sh'
    [ -n "$QUICK" ] || try "$root" 'the source package, with a compiler alone' 'python3 -m venv /s && /s/bin/pip install --quiet --no-index tessera_compiler-*.tar.gz && /s/bin/tessera --version && /s/bin/python -c "import tessera; tessera.Module"'
    [ -n "$KEEP" ] || rm -rf "${roots:?}/$root"
done
exit $bad
