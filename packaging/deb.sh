#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# deb.sh FOLDER - `make deb`: tessera, libtessera0, libtessera-dev and python3-tessera for Debian, from what `make install`
# and packaging/tessera_wheel.py put into folders. The same sources give the same bytes, in whatever folder they lie.
# From the environment: BUILD, a complete build; MAKE.
cd "$(dirname "$0")/.." || exit 3
set -e
umask 022
for needed in dpkg-deb objdump strip gzip; do
    command -v $needed >/dev/null || { echo "deb: there is no $needed here" >&2; exit 1; }
done
folder=$1
arch=$(dpkg --print-architecture)
triplet=$(dpkg-architecture -qDEB_HOST_MULTIARCH 2>/dev/null || ${CC:-cc} -dumpmachine | sed 's/-pc-/-/; s/unknown-//')
version=$(sed -n '1s/.*(\(.*\)).*/\1/p' packaging/changelog)
header=$(sed -n 's/^.define TSR_VERSION_[MP][A-Z]*  *//p' include/tessera/tessera.h | tr '\n' . | sed 's/\.$//')
[ "$version" = "$header" ] || { echo "deb: packaging/changelog is for $version, the sources are $header" >&2; exit 1; }
major=${version%%.*}
SOURCE_DATE_EPOCH=$(date -d "$(sed -n 's/^ -- .*>  //p' packaging/changelog | head -n 1)" +%s)
export SOURCE_DATE_EPOCH
at=$BUILD/deb
rm -rf "$at"
mkdir -p "$at" "$folder"
rm -f "$folder"/*.deb
${MAKE:-make} --no-print-directory install DESTDIR="$at/all" PREFIX=/usr LIBDIR="lib/$triplet" >/dev/null
python3 packaging/tessera_wheel.py stubs "$at/builder.pyi" --library "$BUILD/libtessera.so"
find "$at/all" -type f \( -name '*.so*' -o -path '*/bin/*' \) -exec strip --remove-section=.comment --remove-section=.note {} +
strip --strip-debug --enable-deterministic-archives "$at/all/usr/lib/$triplet/libtessera.a"

# needs FILE...: the glibc that they need, as a dependency
needs() {
    echo "libc6 (>= $(objdump -T "$@" | grep -o 'GLIBC_[0-9.]*' | sed 's/GLIBC_//' | sort -uV | tail -n 1))"
}

# moved PACKAGE PATH...: from what is installed to a package
moved() {
    to=$at/$1
    shift
    for p in "$@"; do
        mkdir -p "$to/$(dirname "$p")"
        mv "$at/all/$p" "$to/$p"
    done
}

# package NAME SECTION DEPENDS ARCH SUMMARY: reads the description from stdin; what is in its folder is packed
package() {
    name=$1 root=$at/$1
    doc=$root/usr/share/doc/$name
    mkdir -p "$root/DEBIAN" "$doc" "$root/usr/share/lintian/overrides"
    {
        printf 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: tessera\n\n'
        printf 'Files: *\nCopyright: 2026 The Tessera authors\nLicense: Apache-2.0\n On Debian systems, the text of the licence is in\n /usr/share/common-licenses/Apache-2.0.\n'
    } >"$doc/copyright"
    gzip -9nc packaging/changelog >"$doc/changelog.gz"
    printf '# The maintainer has no address.\n%s: bogus-mail-host Maintainer tessera@example.invalid\n' "$name" >"$root/usr/share/lintian/overrides/$name"
    [ ! -f "packaging/overrides/$name" ] || sed "s|@ARCH@|$triplet|g" "packaging/overrides/$name" >>"$root/usr/share/lintian/overrides/$name"
    find "$root" -type d -exec chmod 755 {} +
    size=$(find "$root" -path "$root/DEBIAN" -prune -o \( -type f -o -type l \) -printf '%s\n' | awk '{ n += int(($1 + 1023) / 1024) } END { print n }')
    {
        printf 'Package: %s\nSource: tessera\nVersion: %s\nArchitecture: %s\nMaintainer: The Tessera authors <tessera@example.invalid>\n' "$name" "$version" "$4"
        printf 'Installed-Size: %s\n' "$size"
        [ -z "$3" ] || printf 'Depends: %s\n' "$3"
        [ -z "$6" ] || printf '%s\n' "$6"
        printf 'Section: %s\nPriority: optional\nDescription: %s\n' "$2" "$5"
        sed 's/^/ /'
    } >"$root/DEBIAN/control"
    (cd "$root" && find . -path ./DEBIAN -prune -o -type f -print | LC_ALL=C sort | sed 's|^\./||' | xargs md5sum >DEBIAN/md5sums)
    dpkg-deb --root-owner-group --threads-max=1 -Zxz -b "$root" "$folder/${name}_${version}_$4.deb" >/dev/null
    echo "$folder/${name}_${version}_$4.deb"
}

lib=usr/lib/$triplet

moved "libtessera$major" "$lib/libtessera.so.$version" "$lib/libtessera.so.$major" "$lib/tessera"
mkdir -p "$at/libtessera$major/DEBIAN"
chmod 644 "$at/libtessera$major/$lib/libtessera.so.$version" "$at/libtessera$major/$lib/tessera/tessera_cuda.so"
printf 'libtessera %s libtessera%s (>= %s)\n' "$major" "$major" "$version" >"$at/libtessera$major/DEBIAN/shlibs"
printf 'activate-noawait ldconfig\n' >"$at/libtessera$major/DEBIAN/triggers"
{
    printf 'libtessera.so.%s libtessera%s #MINVER#\n' "$major" "$major"
    printf ' TESSERA_%s@TESSERA_%s 0.1.0\n' "$major" "$major"
    sed -n 's/^function [^(]*[ *]\(tsr_[a-z_0-9]*\)(.*/\1/p' tests/api/abi.list | LC_ALL=C sort | sed "s/.*/ &@TESSERA_$major 0.1.0/"
} >"$at/libtessera$major/DEBIAN/symbols"
package "libtessera$major" libs "$(needs "$at/libtessera$major/$lib/libtessera.so.$version")" "$arch" 'compiler and runtime for tensor programs - library' 'Multi-Arch: same' <<'END'
Tessera reads programs exported from JAX or PyTorch, works out how every
tensor is sharded over a mesh of devices, partitions them and runs them.
.
This package contains the shared library and its plug-in for devices with
CUDA, which opens the driver when it is asked for one.
END

moved libtessera-dev usr/include "$lib/libtessera.a" "$lib/libtessera.so" "$lib/pkgconfig" "$lib/cmake"
mkdir -p "$at/libtessera-dev/usr/share/doc/libtessera-dev/examples"
cp packaging/samples/* "$at/libtessera-dev/usr/share/doc/libtessera-dev/examples/"
chmod 644 "$at/libtessera-dev/usr/share/doc/libtessera-dev/examples"/*
package libtessera-dev libdevel "libtessera$major (= $version)" "$arch" 'compiler and runtime for tensor programs - development files' 'Multi-Arch: same' <<'END'
Tessera reads programs exported from JAX or PyTorch, works out how every
tensor is sharded over a mesh of devices, partitions them and runs them.
.
This package contains headers for C and C++, the static library, and
files for pkg-config and CMake.
END

python=usr/lib/python3/dist-packages
mkdir -p "$at/python3-tessera/$python/tessera" "$at/python3-tessera/DEBIAN"
python3 packaging/tessera_wheel.py wheel "$at" --platform linux --library "$BUILD/libtessera.so" --plugin "$BUILD/pjrt_plugin_tessera.so" \
    --cuda "$BUILD/tessera_cuda.so" --command "$BUILD/bin/tessera" --shared "$at/all/usr/share" --stubs "$at/builder.pyi" >/dev/null
python3 -m zipfile -e "$at"/tessera_compiler-*.whl "$at/python"
rm -rf "$at"/python/*.data "$at"/tessera_compiler-*.whl "$at"/python/*.dist-info/licenses "$at"/python/*.dist-info/RECORD "$at"/python/tessera/*.so
sed -i '/^\[console_scripts\]/,/^$/d' "$at"/python/*.dist-info/entry_points.txt
echo dpkg >"$(echo "$at"/python/*.dist-info)/INSTALLER"
cp -r "$at"/python/* "$at/python3-tessera/$python/"
find "$at/python3-tessera/$python" -type f -exec chmod 644 {} +
mv "$at/all/$lib/pjrt_plugin_tessera.so" "$at/python3-tessera/$python/tessera/"
chmod 644 "$at/python3-tessera/$python/tessera/pjrt_plugin_tessera.so"
ln -s "../../../$triplet/libtessera.so.$major" "$at/python3-tessera/$python/tessera/libtessera.so"
ln -s "../../../$triplet/tessera/tessera_cuda.so" "$at/python3-tessera/$python/tessera/tessera_cuda.so"
cat >"$at/python3-tessera/DEBIAN/postinst" <<'END'
#!/bin/sh
set -e
if command -v py3compile >/dev/null 2>&1; then
    py3compile -p python3-tessera
fi
END
cat >"$at/python3-tessera/DEBIAN/prerm" <<'END'
#!/bin/sh
set -e
if command -v py3clean >/dev/null 2>&1; then
    py3clean -p python3-tessera
else
    dpkg -L python3-tessera | sed -n 's,^\(.*/\)[^/]*\.py$,\1__pycache__,p' | sort -u | while read -r folder; do rm -rf "$folder"; done
fi
END
chmod 755 "$at/python3-tessera/DEBIAN/postinst" "$at/python3-tessera/DEBIAN/prerm"
package python3-tessera python "libtessera$major (= $version), python3 (>= 3.10), $(needs "$at/python3-tessera/$python/tessera/pjrt_plugin_tessera.so")" "$arch" \
    'compiler and runtime for tensor programs - Python and JAX' 'Recommends: python3-numpy' <<'END'
Tessera reads programs exported from JAX or PyTorch, works out how every
tensor is sharded over a mesh of devices, partitions them and runs them.
.
This package contains the Python package and the plugin that lets JAX run
on Tessera.
END

find "$at/all/usr/share/man" -type f -exec gzip -9n {} +
moved tessera usr/bin usr/libexec usr/share
mkdir -p "$at/tessera/usr/lib/tessera"
ln -s "../$triplet/tessera/tessera_cuda.so" "$at/tessera/usr/lib/tessera/tessera_cuda.so"
package tessera devel "libtessera$major (= $version), $(needs "$at/tessera/usr/bin/tessera")" "$arch" 'compiler and runtime for tensor programs on device meshes' '' <<'END'
Tessera reads programs exported from JAX or PyTorch, works out how every
tensor is sharded over a mesh of devices, partitions them into one program
for all devices, runs it, and checks that it still computes the same results.
.
This package contains the command tessera, and in /usr/libexec/tessera the
same program under the names of the tools whose flags it takes.
END
left=$(find "$at/all" -type f -o -type l)
[ -z "$left" ] || { echo "deb: in no package: $left" >&2; exit 1; }
