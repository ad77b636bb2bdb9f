#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# abi.sh - what programs that were compiled with an earlier version rely on has not changed: functions and their
# arguments, layouts of structs, values of enums, and the symbols of the shared library. abi.list has all of it, and each
# line of abi.reasons one change of it: the version, the checksum of the list, and why.
#   --update 'reason'   after a change that is wanted: writes the list, and the reason
#   --self-test         planted breaks are found
cd "$(dirname "$0")/../.." || exit 3
. tests/common.sh
at=tests/api

listed() { # listed INCLUDE: what the headers in a folder declare
    cat "$1"/tessera/tessera.h "$1"/tessera/build.h "$1"/tessera/golden.h "$1"/tessera/code.h | awk -f $at/abi.awk >"$tmp/list.c" &&
        ${CC:-cc} -std=c11 -I"$1" "$tmp/list.c" -o "$tmp/list" 2>"$tmp/error" && "$tmp/list"
}
exported() { # exported LIBRARY: names of its functions, without their version
    nm -D --defined-only "$1" | awk '$2 == "T" { sub(/@.*/, "", $3); print $3 }' | sort
}
sum() {
    cksum <"$1" | awk '{ print $1 }'
}
version=$(sed -n 's/^.define TSR_VERSION_[MP][A-Z]*  *//p' include/tessera/tessera.h | tr '\n' . | sed 's/\.$//')

if ! echo 'int main(void) { return sizeof(void *) != 8; }' | ${CC:-cc} -x c - -o "$tmp/wide" 2>/dev/null || ! "$tmp/wide"; then
    echo 'skipped: the list is that of machines with addresses of 64 bits, and a compiler'
    exit 0
fi

if [ "$1" = --update ]; then
    [ -n "$2" ] || { echo "abi: say why: abi.sh --update 'reason'" >&2; exit 2; }
    listed include >"$tmp/new" || { cat "$tmp/error"; exit 1; }
    cp "$tmp/new" $at/abi.list
    echo "$version $(sum $at/abi.list) $2" >>$at/abi.reasons
    exit 0
fi

# compare INCLUDE LIST REASONS: tells what differs; false if anything does
compare() {
    listed "$1" >"$tmp/now" || { cat "$tmp/error"; return 1; }
    diff "$2" "$tmp/now" >"$tmp/differs" || { cat "$tmp/differs"; return 1; }
    [ "$(tail -n 1 "$3" | cut -d ' ' -f 2)" = "$(sum "$2")" ] || { echo "the list was changed without a reason in ${3##*/}"; return 1; }
}

# the library exports the functions of the list, all of them with the version of its name
compare_symbols() { # LIST LIBRARY
    sed -n 's/^function [^(]*[ *]\(tsr_[a-z_0-9]*\)(.*/\1/p' "$1" | sort >"$tmp/wanted"
    exported "$2" >"$tmp/got"
    diff "$tmp/wanted" "$tmp/got"
}

if [ "$1" = --self-test ]; then
    planted() { # planted WHAT SED FILE NAME: the change must be found, and named
        rm -rf "$tmp/include" && cp -r include "$tmp/include"
        sed "$2" "include/tessera/$3" >"$tmp/include/tessera/$3"
        if cmp -s "include/tessera/$3" "$tmp/include/tessera/$3"; then bad "self-test: nothing planted: $1"; return; fi
        if compare "$tmp/include" $at/abi.list $at/abi.reasons >"$tmp/error"; then bad "not found: $1"; return; fi
        if grep -q "$4" "$tmp/error"; then good; else bad "found, but not named: $1" 5; fi
    }
    planted 'a field between others' 's/^    uint32_t line, col; .*/    uint32_t column0; uint32_t line, col;/' tessera.h column0
    planted 'a field of another type' 's/^    size_t max_stack;/    uint32_t max_stack;/' tessera.h max_stack
    planted 'a longer message' 's/char message\[496\]/char message[512]/' tessera.h message
    planted 'a constant before others' 's/^    TSR_BAD_INPUT,/    TSR_ODD, TSR_BAD_INPUT,/' tessera.h TSR_ENVIRONMENT
    planted 'another argument' 's/tsr_module_clone(tsr_module \*m)/tsr_module_clone(tsr_module *m, int deep)/' tessera.h tsr_module_clone
    planted 'a function less' '/tsr_module_verify(/d' tessera.h tsr_module_verify
    planted 'another type of a callback' 's/tsr_print_fn(void \*user, tsr_str text)/tsr_print_fn(void *user, const char *text)/' tessera.h tsr_print_fn
    planted 'another value of a macro' 's/define TSR_DYNAMIC INT64_MIN/define TSR_DYNAMIC (-1)/' tessera.h TSR_DYNAMIC
    planted 'a field of build.h' 's/^    uint32_t align;/    uint64_t align;/' build.h align
    echo 'function void tsr_not_there(void)' | cat $at/abi.list - >"$tmp/more.list"
    if compare include "$tmp/more.list" $at/abi.reasons >"$tmp/error"; then bad 'not found: a list with more than there is'; else good; fi
    listed include >"$tmp/same.list"
    { cat $at/abi.reasons; echo '9.9.9 0 none'; } >"$tmp/reasons"
    if compare include "$tmp/same.list" "$tmp/reasons" | grep -q 'without a reason'; then good; else bad 'not found: a list without its reason'; fi
    if command -v nm >/dev/null 2>&1; then
        if compare_symbols "$tmp/more.list" "$BUILD/libtessera.so" | grep -q tsr_not_there; then good; else bad 'not found: a function that the library lacks'; fi
    fi
    counts
    exit
fi

if compare include $at/abi.list $at/abi.reasons >"$tmp/error"; then
    good
else
    bad "the public interface changed: programs that exist may break. If it is wanted: sh tests/api/abi.sh --update 'reason'" 40
fi
if ! command -v nm >/dev/null 2>&1; then
    echo 'no nm here: symbols are not compared'
elif compare_symbols $at/abi.list "$BUILD/libtessera.so" >"$tmp/error"; then
    good
else
    bad 'the library exports other functions than the headers declare' 20
fi
if [ -z "$(sanitizers)" ] && command -v objdump >/dev/null 2>&1; then
    objdump -T "$BUILD/libtessera.so" | awk '/ tsr_/ && !/\*UND\*/ && !/TESSERA_0 /' >"$tmp/error"
    [ ! -s "$tmp/error" ] && good || bad 'symbols without the version TESSERA_0' 5
    objdump -p "$BUILD/libtessera.so" | grep -q 'SONAME *libtessera.so.0$' && good || bad 'the name of the library is not libtessera.so.0'
fi
counts
