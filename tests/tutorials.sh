#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tutorials.sh - `make tutorials`: the Python programs of docs/TUTORIAL.md, with JAX_PYTHON and TORCH_PYTHON; its shell lines
# are those that tests/installed.sh runs in fresh roots; and the pictures of docs/GALLERY.md, where chromium is. (Other commands
# of both are run by tests/docs.sh, in `make check`.)
cd "$(dirname "$0")/.." || exit 3
. tests/common.sh
at=$(cd "$BUILD" && pwd)
export TESSERA_LIBRARY="$at/libtessera.so" TESSERA_PLUGIN="$at/pjrt_plugin_tessera.so" PYTHONPATH="$PWD/python${PYTHONPATH:+:$PYTHONPATH}"
awk '/^```sh$/ { inside = 1; next } /^```/ { inside = 0 } inside' docs/TUTORIAL.md >"$tmp/lines"
while read -r line; do
    if grep -qF -e "${line%% tessera_compiler-*}" tests/installed/*.sh tests/installed.sh; then good; else bad "tests/installed does not run: $line"; fi
done <"$tmp/lines"
run() { # run SECTION PYTHON VARIABLES...
    section=$1 python=$2
    shift 2
    if ! command -v "$python" >/dev/null 2>&1; then echo "$section: skipped: no $python here"; return; fi
    env "$@" "$python" -W ignore tests/tutorials.py "$section" >"$tmp/error" 2>/dev/null
    case $? in 0) good; tail -n 1 "$tmp/error" | sed "s/^/$section: /" ;; *) bad "the programs for $section" 40 ;; esac
}
run jax "${JAX_PYTHON:-python3}" JAX_PLATFORMS=tessera,cpu TESSERA_DEVICES=8
run torch "${TORCH_PYTHON:-python3}" JAX_PLATFORMS=cpu
mkdir "$tmp/pictures"
OUT="$tmp/pictures" sh docs/pictures.sh >"$tmp/error" 2>&1
case $? in
0) if [ "$(ls "$tmp/pictures" | grep -c '^gallery_')" -eq "$(grep -c '^## ' docs/GALLERY.md)" ]; then good; else bad 'the pictures of the gallery' 20; fi ;;
3) echo "gallery: skipped: $(tail -n 1 "$tmp/error")" ;;
*) bad 'the pictures of the gallery' 20 ;;
esac
counts
