#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# opcodes.sh - engines do not name ops: they query traits or columns of an op's row. Shared code (the evaluator,
# propagation, the partitioners' drivers, pass drivers, readers and writers) may name ops only where it creates them (as
# an argument of tsr_opdef_of, tsr_build_*, tsr_make_*, tsr_rw_* or tsr_spmd_*), or where opcodes.list says how often and why; files
# of hooks and builders, which are about single ops, are listed there with a star. With --self-test, proves that it can
# fail.
cd "$(dirname "$0")/.." || exit 3

check() { # check ROOT LIST
    (cd "$1" && find src/asm src/text src/eval src/pass src/shard/core src/shard/propagate src/shard/spmd src/shard/local \
        -name '*.[ch]' | sort | grep -v -e '^src/eval/.*/' -e '^src/pass/.*/' -e '^src/shard/local/[^lp]' \
        -e '^src/shard/local/\(pad_\|permute\|place\|per_\)' && ls src/pass/simplify/driver.c 2>/dev/null) >"$tmp/files"
    (cd "$1" && xargs awk '
        { text[FILENAME] = text[FILENAME] " " $0 } # a call may take several lines
        END { for (f in text) {
                  gsub(/tsr_(opdef_of|build_[a-z_]*|make_[a-z_]*|rw_[a-z_]*|spmd_[a-z_0-9]*)\([^();]*TSR_OP_[A-Z0-9_]+/, "", text[f])
                  for (s = text[f]; match(s, /TSR_OP_[A-Z0-9][A-Z0-9_]*/); s = substr(s, RSTART + RLENGTH)) n[f]++
              }
              for (f in n) print f, n[f] }') <"$tmp/files" | sort >"$tmp/found"
    awk -v list="$2" '
        FILENAME == list { if ($1 != "" && $1 !~ /^#/) { allowed[$1] = $2; if (NF < 3) { print $1 ": no reason is given"; bad = 1 } } next }
        { found[$1] = $2 }
        allowed[$1] == "*" { next }
        { total += $2 }
        $2 > allowed[$1] + 0 { print $1 ": names ops " $2 " times, and tests/opcodes.list allows " allowed[$1] + 0; bad = 1 }
        $2 < allowed[$1] + 0 { print $1 ": names ops " $2 " times only: tests/opcodes.list can say so" }
        END { for (f in allowed) if (!(f in found)) print f ": names no op any more: take it off tests/opcodes.list"
              print total + 0 " names of ops in shared code"; exit bad }' "$2" "$tmp/found"
}

tmp=$(mktemp -d) || exit 3
trap 'rm -rf "$tmp"' EXIT
if [ "${1:-}" = --self-test ]; then
    mkdir -p "$tmp/root/src/eval" "$tmp/root/src/text"
    for d in src/asm src/pass src/shard/core src/shard/propagate src/shard/spmd src/shard/local; do mkdir -p "$tmp/root/$d"; done
    echo 'if (tsr_op_is(op, TSR_OP_STABLEHLO_ADD)) [TSR_OP__COUNT] TSR_OP_##id' >"$tmp/root/src/eval/a.c"
    echo 'src/eval/a.c 1 a hook' >"$tmp/list"
    check "$tmp/root" "$tmp/list" >/dev/null || { echo 'what is allowed is refused'; exit 1; }
    echo 'src/eval/a.c *' >"$tmp/list"
    ! check "$tmp/root" "$tmp/list" >/dev/null || { echo 'a line without a reason is not seen'; exit 1; }
    echo 'made = tsr_opdef_of(ctx, TSR_OP_STABLEHLO_ADD);' >"$tmp/root/src/text/a.c"
    echo 'src/eval/a.c 1 a hook' >"$tmp/list"
    check "$tmp/root" "$tmp/list" >/dev/null || { echo 'a builder is refused'; exit 1; }
    echo '# none' >"$tmp/list"
    ! check "$tmp/root" "$tmp/list" >/dev/null || { echo 'a name that is not allowed is not seen'; exit 1; }
    echo 'the check can fail'
    exit 0
fi
check . tests/opcodes.list
