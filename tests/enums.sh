#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# enums.sh - an enum with a constant that int does not hold has no other constants. From gcc 13 on all constants of such
# an enum have its type, which is unsigned: -OTHER is then a large number, with older compilers a negative one.
#   --self-test   finds planted ones
cd "$(dirname "$0")/.." || exit 3

# The enums of some files, without comments, as 'file: constants', that have a wide constant and another one.
wide='UINT32_MAX|INT64_MAX|INT64_MIN|SIZE_MAX|0x[89a-fA-F][0-9a-fA-F]{7}|0x[0-9a-fA-F]{9}|= *[0-9]{10}|1u? *<< *(3[1-9]|[456][0-9])'
mixed() {
    for f in $(grep -lE "$wide" "$@"); do
        sed -e 's,/\*[^*]*\*/,,g' -e 's,//.*,,' "$f" | tr '\n' ' ' | sed 's,/\*[^/]*\*/,,g' | tr ';' '\n' |
            sed -n 's/.*enum *[A-Za-z_0-9]* *{\([^{}]*\)}.*/\1/p' |
            grep -E "$wide" |
            grep ',.*[A-Za-z]' | sed "s|^|$f: |"
    done
}

if [ "$1" = --self-test ]; then
    t=$(mktemp -d) || exit 3
    printf 'enum { NONE = UINT32_MAX };\nenum { FEW = 4, MANY = 8 };\n' >"$t/good.c"
    printf 'enum {\n    NONE = UINT32_MAX, /* none */\n    LEAST = 1 << 16,\n};\n' >"$t/bad.c"
    printf 'typedef enum { A, B = 0x80000000 } kind;\n' >"$t/worse.c"
    good=$(mixed "$t/good.c" | wc -l) bad=$(mixed "$t/bad.c" "$t/worse.c" | wc -l)
    rm -rf "$t"
    [ "$good" -eq 0 ] && [ "$bad" -eq 2 ] && echo '2 passed, 0 failed' && exit 0
    echo "enums: $good found in a good file, $bad of 2 in bad ones"
    exit 1
fi
found=$(mixed $(find src tools include -name '*.[ch]' | sort))
n=$(find src tools include -name '*.[ch]' | wc -l)
[ -z "$found" ] && echo "$n passed, 0 failed" && exit 0
echo "$found"
echo "$((n - 1)) passed, 1 failed"
exit 1
