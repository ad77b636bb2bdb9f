#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# ttnn_ops.sh - which ops of TTNN run: every op of the table must have a kernel, except those that docs/EVAL.md lists as
# refused. Of the 190 ops at least 165 run. The two older spellings do not count.
. "$(dirname "$0")/common.sh"
cd "$(dirname "$0")/.." || exit 3
{
    echo '#define OP(id, name, traits) @name'
    echo '#define EVAL(fn) #fn'
    echo '#include "dialect/ops.def"'
} | ${CC:-cc} -E -P -x c -Isrc - | tr '\n@' ' \n' | sed -n 's/^ *"\(ttnn\.[a-z0-9_]*\)"/\1/p' |
    grep -v -e '^ttnn.mesh_shard' -e '^ttnn.collective_permute' >"$tmp/ops"
all=$(wc -l <"$tmp/ops")
awk '!/"/ || /"ttnn_hardware"/ || /"ttnn_execute_trace"/ { sub(/ .*/, ""); print }' "$tmp/ops" | sort >"$tmp/refused"
refused=$(wc -l <"$tmp/refused")
[ "$all" -eq 190 ] && good || bad "the table has $all ops, not 190"
[ $((all - refused)) -ge 165 ] && good || bad "only $((all - refused)) of $all ops run"
while read -r op; do
    if sed -n '/^Refused by name/,/^$/p' docs/EVAL.md | grep -q "\`${op#ttnn.}\`"; then good; else bad "$op does not run, and docs/EVAL.md does not say so"; fi
done <"$tmp/refused"
for op in $(sed -n '/^Refused by name/,/^$/p' docs/EVAL.md | grep -o '`[a-z0-9_]*`' | tr -d '`'); do
    if grep -qx "ttnn.$op" "$tmp/refused"; then good; else bad "docs/EVAL.md refuses ttnn.$op, which runs"; fi
done
echo "$((all - refused)) of $all ops of TTNN run"
counts
