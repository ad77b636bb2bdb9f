#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# locale.sh - numbers are read and written alike in a locale whose decimal separator is a comma. Programs linked with
# tests/locale.c run in such a locale, which is created here: the tests of the C API, of everything but kernels, and some
# of the text tests.
cd "$(dirname "$0")/.." || exit 3
. tests/common.sh

locales=$PWD/$BUILD/locale
case $BUILD in /*) locales=$BUILD/locale ;; esac
mkdir -p "$locales"
if ! command -v localedef >/dev/null 2>&1; then
    echo 'skipped: there is no localedef here'
    exit 0
fi
# localedef leaves a folder behind when it fails, and a killed one a part of a locale: made elsewhere, moved when whole.
if [ ! -f "$locales/de_DE.UTF-8/LC_NUMERIC" ]; then
    if ! localedef -i de_DE -f UTF-8 "$tmp/made" >"$tmp/error" 2>&1 || [ ! -f "$tmp/made/LC_NUMERIC" ]; then
        echo "skipped: localedef makes no de_DE.UTF-8: $(head -n 1 "$tmp/error")"
        exit 0
    fi
    rm -rf "$locales/de_DE.UTF-8" && mv "$tmp/made" "$locales/de_DE.UTF-8" || exit 3
fi
unset LC_ALL LC_NUMERIC LC_CTYPE
export LOCPATH="$locales" LANG=de_DE.UTF-8 LC_MESSAGES=C # what the system says is in the user's language

T=$BUILD/bin-test/locale
# Kernels neither read nor write text, and take most of the time.
tests=$(grep -o '{"[a-z]*", test_' tests/unit/main.c | tr -d '{",' | sed 's/ test_//' |
    grep -vx -e tile -e math -e product -e linalg -e winograd -e move -e fft -e scalar)
# shellcheck disable=SC2086
if "$T/unit" $tests >"$tmp/error" 2>&1; then good; else bad "$T/unit" 20; fi
for t in "$T"/capi_*; do
    [ "$t" != "$T/capi_memory" ] || continue # failing allocations have nothing to do with numbers
    if "$t" >"$tmp/error" 2>&1; then good; else bad "$t" 20; fi
done
if "$T/pjrt" "$BUILD/pjrt_plugin_tessera.so" >"$tmp/error" 2>&1; then good; else bad "$T/pjrt" 20; fi
"$BUILD/bin-test/runner" --bin "$T" tests/text tests/explorer tests/eval tests/exec tests/text/bytecode tests/dialect/tessera tests/dialect/verify tests/target tests/pass/ttnn tests/lower/ttnn tests/lower/emit tests/tools/auto.test tests/tools/auto_layers.test tests/tools/simulate.test tests/tools/calibrate_device.test >"$tmp/error" 2>&1
set -- $(sed -n '$s/^\([0-9]*\) passed, \([0-9]*\) failed.*/\1 \2/p' "$tmp/error")
[ "${2:-1}" -eq 0 ] || cat "$tmp/error"
passed=$((passed + ${1:-0})) failed=$((failed + ${2:-1}))
counts && [ $passed -gt 0 ]
