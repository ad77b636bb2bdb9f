#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# packaging.sh - what packages are made of, without zig, pip or Debian's tools: a wheel works from where it is unpacked, and
# the same contents give the same bytes; the source package has all that a build needs; versions agree.
cd "$(dirname "$0")/.." || exit 3
. tests/common.sh
command -v python3 >/dev/null 2>&1 || { echo 'skipped: no python3 here'; exit 0; }
wheel() { # wheel FOLDER LIBRARY PLUGIN CUDA COMMAND
    SOURCE_DATE_EPOCH=1700000000 python3 packaging/tessera_wheel.py wheel "$1" --platform linux_test --library "$2" --plugin "$3" --cuda "$4" --command "$5" \
        --shared "$tmp/share" --stubs "$tmp/builder.pyi" 2>"$tmp/error"
}

python3 packaging/tessera_wheel.py shared "$tmp/share" --command "$BUILD/bin/tessera" 2>"$tmp/error" && good || bad 'man pages and completions' 5
python3 packaging/tessera_wheel.py stubs "$tmp/builder.pyi" --library "$BUILD/libtessera.so" 2>"$tmp/error" && good || bad "the builder's signatures" 5
made=$(wheel "$tmp/a" "$BUILD/libtessera.so" "$BUILD/pjrt_plugin_tessera.so" "$BUILD/tessera_cuda.so" "$BUILD/bin/tessera") && good || bad 'a wheel' 5
python3 -m zipfile -e "$made" "$tmp/unpacked" 2>"$tmp/error" && good || bad 'the wheel unpacks' 5
(unset TESSERA_LIBRARY TESSERA_PLUGIN && cd "$tmp" && PYTHONPATH="$tmp/unpacked" python3 -c "
import base64, csv, hashlib, pathlib, tessera, tessera._command
assert tessera.__file__.startswith('$tmp/unpacked'), tessera.__file__
assert tessera.plugin_path().startswith('$tmp/unpacked')
assert tessera.devices('cuda')['libraries'], 'its plug-in for CUDA is found'
m = tessera.Module.parse('func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }')
assert 'func.func' in str(m)
root = pathlib.Path('$tmp/unpacked')
record, = root.glob('*.dist-info/RECORD')
rows = {name: digest for name, digest, _ in csv.reader(record.open())}
files = {p.relative_to(root).as_posix() for p in root.rglob('*') if p.is_file() and '__pycache__' not in p.parts}
assert files == set(rows), files ^ set(rows)
for name, digest in rows.items():
    if digest:
        assert digest == 'sha256=' + base64.urlsafe_b64encode(hashlib.sha256((root / name).read_bytes()).digest()).rstrip(b'=').decode(), name
") 2>"$tmp/error" && good || bad 'what the wheel has works, and its record is right' 5

# Small files in place of the libraries: bytes that depend on anything else would show.
a=$(wheel "$tmp/a" Makefile Makefile Makefile Makefile) && b=$(wheel "$tmp/b" Makefile Makefile Makefile Makefile) && cmp "$a" "$b" 2>"$tmp/error" &&
    good || bad 'two wheels of the same contents differ' 5
for n in a b; do SOURCE_DATE_EPOCH=1700000000 python3 packaging/tessera_wheel.py sdist "$tmp/$n" >/dev/null 2>"$tmp/error" || bad 'a source package' 5; done
cmp "$tmp"/a/*.tar.gz "$tmp"/b/*.tar.gz 2>"$tmp/error" && good || bad 'two source packages of the same contents differ' 5
python3 -m tarfile -l "$tmp"/a/*.tar.gz | sed 's|^[^/]*/||; s/ *$//' | sort >"$tmp/has"
find src tools include packaging python -name '*.[ch]' -o -name '*.def' -o -name '*.py' -o -name '*.map' -o -name '*.awk' -o -name '*.json' -o -name '*.txt' | grep -v -e __pycache__ -e egg-info -e '^python/build' -e '^python/tt/build' | sort >"$tmp/needs"
missing=$(comm -13 "$tmp/has" "$tmp/needs")
[ -z "$missing" ] && grep -qx Makefile "$tmp/has" && grep -qx pyproject.toml "$tmp/has" && good || bad "the source package lacks $missing"

header=$(sed -n 's/^.define TSR_VERSION_[MP][A-Z]*  *//p' include/tessera/tessera.h | tr '\n' . | sed 's/\.$//')
grep -q "^tessera ($header)" packaging/changelog && good || bad "packaging/changelog is not for $header"
grep -q "^version: $header$" CITATION.cff && good || bad "CITATION.cff is not for $header"
grep -q "^## $header" CHANGELOG.md && good || bad "CHANGELOG.md has nothing for $header"
[ -d "tests/compat/Inputs/$header" ] && good || bad "tests/compat has no files of $header: sh tests/compat/make.sh"
counts
