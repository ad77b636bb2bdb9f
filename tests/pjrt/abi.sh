#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# abi.sh [header] - sizes and offsets of src/pjrt/abi.h against PJRT's own header: the one given, that of PJRT_HEADER, or that of a
# TensorFlow that python3 knows. A struct of the header may be shorter, of an older version; fields that both have must agree.
cd "$(dirname "$0")/../.." || exit 3
. tests/common.sh

header=${1:-$PJRT_HEADER}
if [ -z "$header" ] && command -v python3 >/dev/null 2>&1; then
    header=$(python3 - <<'PY'
import glob, sys
for d in sys.path:
    for f in glob.glob(d + "/tensorflow/include/**/pjrt_c_api.h", recursive=True):
        print(f)
        sys.exit()
PY
)
fi
if [ -z "$header" ] || [ ! -f "$header" ]; then
    echo 'skipped: no pjrt_c_api.h here (PJRT_HEADER=path)'
    exit
fi

# One assertion for each field of each function that the header has, and for each place in the table.
tr '\n' ' ' <src/pjrt/api.def | sed 's/LATER(\([A-Za-z_]*\), [a-z_]*,/FN(\1,/g; s/\([FN][NO]([A-Z]\)/\n\1/g' | sed -n 's/^[FN][NO](\([A-Za-z_]*\), *\(.*\)) *$/\1|\2/p' |
    sed 's/#undef.*//; s/) *$//' >"$tmp/rows"
{
    echo '#include "pjrt/abi.h"'
    echo "#include \"$header\""
    while IFS='|' read -r name fields; do
        grep -q "struct PJRT_${name}_Args" "$header" || continue
        echo "_Static_assert(offsetof(pj_api, $name) == offsetof(PJRT_Api, PJRT_$name), \"table: $name\");"
        echo "$fields" | sed 's/(\*\([a-z_]*\))([^)]*)/\1/g' | tr ';' '\n' | sed -n 's/.*[ *]\([a-z0-9_]*\) *$/\1/p' | while read -r f; do
            awk -v s="struct PJRT_${name}_Args" '$0 ~ s " " { on = 1 } on { print } on && /^}/ { exit }' "$header" |
                grep -q "[ *(]$f)*[;(]\|[ *]$f;\|\*$f)" || continue
            echo "_Static_assert(offsetof(pj_${name}_args, $f) == offsetof(PJRT_${name}_Args, $f), \"$name.$f\");"
            echo "_Static_assert(sizeof(((pj_${name}_args *)0)->$f) == sizeof(((PJRT_${name}_Args *)0)->$f), \"$name.$f\");"
        done
    done <"$tmp/rows"
    for pair in program:Program named_value:NamedValue buffer_memory_layout:Buffer_MemoryLayout shape_spec:ShapeSpec \
        execute_options:ExecuteOptions chunk:Chunk api_version:Api_Version; do
        echo "_Static_assert(sizeof(pj_${pair%%:*}) >= sizeof(PJRT_${pair##*:}), \"${pair##*:}\");"
    done
    for f in non_donatable_input_indices context call_location task_ids; do
        grep -q "[ *]$f;" "$header" && echo "_Static_assert(offsetof(pj_execute_options, $f) == offsetof(PJRT_ExecuteOptions, $f), \"$f\");"
    done
} >"$tmp/abi.c"
n=$(grep -c _Static_assert "$tmp/abi.c")
if [ "$n" -gt 300 ] && ${CC:-cc} -std=c11 -Isrc -Iinclude -fsyntax-only "$tmp/abi.c" 2>"$tmp/said"; then
    passed=$n
else
    bad "$n facts of $header"
    grep error "$tmp/said" | head -n 20
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
