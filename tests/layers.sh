#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# layers.sh - includes point only down the list of layers (docs/ARCHITECTURE.md), memory is allocated through
# base/memory.h alone, attributes are decoded by dialect/params.h, and reducers are recognised by dialect/reducer.h.
# With --self-test, proves that it can fail.
#
# Each line is a layer: a file may include its own folder and every folder of a lower layer, but no other folder of the
# same layer. The folders inside of some layers are ordered likewise; names joined by + may include each other. A dot is
# the files of the layer's own folder; where the order does not name it, they include and are included as they like.
cd "$(dirname "$0")/.." || exit 3

check() { # check ROOT: every #include "..." of ROOT/src, ROOT/tools and ROOT/include, and calls of the system's allocator
    find "$1/src" "$1/tools" "$1/include" -type f \( -name '*.c' -o -name '*.h' -o -name '*.def' \) 2>/dev/null | sort |
        xargs awk -v root="$1/" '
        function order(layer, text,   floors, names, n, m, i, j, k, peers, many) {
            n = split(text, floors, /; */)
            for (i = 1; i <= n; i++) {
                m = split(floors[i], names, " ")
                for (j = 1; j <= m; j++) {
                    many = split(names[j], peers, "+")
                    for (k = 1; k <= many; k++) {
                        inner[layer, peers[k]] = i
                        peer[layer, peers[k]] = names[j]
                    }
                }
            }
        }
        BEGIN {
            order("eval", "file math; kernel")
            order("pass", "simplify; fuse grad shape test ttir; ttnn")
            order("shard", "core; rule; propagate; reshard; dp local sdy spmd; gspmd+tt")
            order("exec", ".; kernel compile; plan; run; cpu null")
            order("target", "text; c emit flatbuffer")
            n = split("base; ir; asm; dialect; text eval; pass; shard; lower; exec; target; gpu; mpi cuda tcp sim; search; explore; build check; api; tools pjrt", floors, /; */)
            for (i = 1; i <= n; i++) {
                m = split(floors[i], names, " ")
                for (j = 1; j <= m; j++) floor[names[j]] = i
            }
        }
        FNR == 1 {
            path = substr(FILENAME, length(root) + 1)
            split(path, part, "/")
            from = part[1] == "src" ? part[2] : part[1]
            room = part[1] == "src" && part[4] != "" ? part[3] : "."
            if (from != "include" && !(from in floor)) { print path ": folder " from " is in no layer"; bad = 1 }
            door = path == "src/base/memory.c" || path == "src/base/compiler.h"
            # Files that know where a number stands in an attribute: decoding, text, bytecode.
            decoder = path ~ /^src\/dialect\/[a-z]+\/((params|attrs|asm|asm_conv)\.c|constraints\.def)$/ || path ~ /^src\/(text\/bytecode|lower\/vhlo)\//
            reducer = path == "src/dialect/reducer.c" || path ~ /^src\/(eval|exec)\/kernel\//
            comment = 0
        }
        # Memory that a stop would not find. Comments and strings may name these functions.
        !door {
            code = $0
            gsub(/\\\\|\\"/, "", code)
            gsub(/"[^"]*"/, "", code)
            if (comment && sub(/^.*\*\//, "", code)) comment = 0
            if (comment) code = ""
            gsub(/\/\*([^*]|\*[^\/])*\*\//, "", code)
            sub(/\/\/.*/, "", code)
            if (sub(/\/\*.*/, "", code)) comment = 1
            code = " " code
            if (match(code, /[^A-Za-z0-9_.>](malloc|calloc|realloc|reallocarray|aligned_alloc|posix_memalign|free|strdup|strndup|asprintf|vasprintf|getline|getdelim)[ \t]*\(/)) {
                name = substr(code, RSTART + 1, RLENGTH - 2)
                print path ":" FNR ": calls " name "(): memory comes from base/memory.h"
                bad = 1
            }
            if (!decoder && (code ~ /tsr_def_(STABLEHLO_(DOT|GATHER|SCATTER|CONV)|CHLO_RAGGED_DOT)[^A-Z_]/ ||
                             code ~ /dimension_numbers(\]|\))+->attrs/ || code ~ /tsr_attr[ *]+[a-z_]+ = .*dimension_numbers(\]|\))/ ||
                             code ~ /(int_at|_count|_at|_len|_ints|_ints_of|_numbers)\(.*STABLEHLO_(GATHER|SCATTER|CONVOLUTION|DYNAMIC_CONV|REDUCE_WINDOW|SELECT_AND_SCATTER|SLICE|PAD)_/ ||
                             code ~ /tsr_def_TTIR_FLATTENED_COMPAT/ || code ~ /TTIR_(CONV[A-Z0-9_]*D|[A-Z]*_POOL2D[A-Z_]*|SLICE_STATIC|SUM|MATMUL|LINEAR)_[a-z_]+\]->/ ||
                             code ~ /(_int|_ints|int_at|_count|_at|_slot|_attr)\(.*TTIR_(CONV[A-Z0-9_]*D_[a-oq-z]|CONV[A-Z0-9_]*D_padding[^_]|[A-Z]*_POOL2D[A-Z_]*_|SLICE_STATIC_|SUM_|MATMUL_|LINEAR_|PAD_padding|PERMUTE_)/)) {
                print path ":" FNR ": decodes an attribute: dialect/params.h does that"
                bad = 1
            }
            if (!reducer && code ~ /(case|[!=]=)[ \t]*TSR_OP_STABLEHLO_(MAXIMUM|MINIMUM)[^A-Z_]/) {
                print path ":" FNR ": tells reducers by their opcode: dialect/reducer.h does that"
                bad = 1
            }
        }
        /^[ \t]*#[ \t]*include[ \t]*["<]/ {
            match($0, /["<][^">]*[">]/)
            name = substr($0, RSTART + 1, RLENGTH - 2)
            quoted = substr($0, RSTART, 1) == "\""
            where = path ":" FNR ": "
            if (name ~ /\.c$/) { print where "includes a .c file: " name; bad = 1 }
            if (name ~ /\.\.\//) { print where "includes with ..: " name; bad = 1 }
            if (from == "include" && quoted) { print where "the public header includes " name; bad = 1 }
            if (from == "include" || name !~ /\//) next
            part[3] = ""
            split(name, part, "/")
            to = part[1]
            into = part[3] != "" ? part[2] : "."
            if (!(to in floor)) {
                if (quoted && to != "tessera") { print where to " is in no layer"; bad = 1 }
                next
            }
            if (name ~ /^pass\/ttir\// && path ~ /^src\/pass\/([^\/]*|(simplify|shape|grad|test)\/.*)$/) {
                print where "generic passes must not include those of TTIR (" name ")"
                bad = 1
            }
            # Programs are compiled for any target, and run on any backend: kernels are behind them.
            if (from == "exec" && room ~ /^(compile|plan|run|null)$/ && to == "exec" && into == "kernel") {
                print where "exec/" room " must not include kernels: exec/target.h and backend.h are before them (" name ")"
                bad = 1
            }
            if (to == from && (from, room) in inner && (to, into) in inner && peer[from, room] != peer[to, into] &&
                inner[to, into] >= inner[from, room]) {
                print where from "/" room " must not include " to "/" into " (" name ")"
                bad = 1
            }
            if (to != from && floor[to] >= floor[from]) {
                print where from " must not include " to " (" name ")"
                bad = 1
            }
        }
        END { exit bad }' /dev/null
}

if [ "$1" = --self-test ]; then
    t=$(mktemp -d) || exit 3
    trap 'rm -rf "$t"' EXIT
    passed=0 failed=0
    try() { # try WANTED FILE LINE: does the check say WANTED of a tree with this file?
        rm -rf "$t/src" "$t/tools" "$t/include"
        mkdir -p "$t/$(dirname "$2")"
        printf '%s\n' "$3" >"$t/$2"
        if check "$t" >/dev/null; then got=good; else got=bad; fi
        if [ $got = "$1" ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAIL $2: $3 is $got"; fi
    }
    try good src/ir/a.c '#include "base/vec.h"'
    try good src/ir/a.c '#include "ir/ir.h"'
    try good src/ir/a.c '#include <sys/types.h>'
    try good tools/a.c '#include "api/api.h"'
    try good tools/a.c '#include <tessera/tessera.h>'
    try good src/dialect/sdy/a.c '#include "dialect/ops.def"'
    try good include/tessera/tessera.h '#include <stddef.h>'
    try bad src/base/a.h '#include "ir/ir.h"'
    try bad src/ir/a.c '# include "asm/asm.h"'
    try bad src/dialect/sdy/a.c '#include "pass/pass.h"'
    try bad src/text/a.c '#include "eval/eval.h"'
    try bad src/eval/a.c '#include "text/text.h"'
    try bad src/pass/a.def '#include "shard/shard.h"'
    try good src/pass/ttir/a.c '#include "pass/ttir/tt.h"'
    try bad src/pass/a.c '#include "pass/ttir/tt.h"'
    try bad src/pass/simplify/a.c '#include "pass/ttir/rules.def"'
    try bad src/build/a.c '#include "check/check.h"'
    try bad src/ir/a.c '#include "base/vec.c"'
    try bad src/ir/a.c '#include "../base/vec.h"'
    try bad src/cellar/a.c 'int x;'
    try bad include/tessera/tessera.h '#include "base/str.h"'
    try good src/exec/plan/a.c '#include "exec/compile/value.h"'
    try good src/exec/run/a.c '#include "exec/program.h"'
    try good src/exec/cpu/a.c '#include "exec/kernel/isa/isa.h"'
    try good src/exec/cpu/a.c '#include "exec/run/run.h"'
    try bad src/exec/run/a.c '#include "exec/cpu/move.h"'
    try bad src/exec/run/a.c '#include "exec/kernel/tile.h"'
    try bad src/exec/null/a.c '#include "exec/cpu/cpu.h"'
    try bad src/exec/compile/a.c '#include "exec/run/run.h"'
    try bad src/exec/compile/a.c '#include "exec/plan/place.h"'
    try bad src/exec/plan/a.c '#include "exec/run/run.h"'
    try bad src/exec/kernel/isa/a.c '#include "exec/run/run.h"'
    try bad src/exec/a.c '#include "exec/plan/place.h"'
    try bad src/exec/a.c '#include "exec/kernel/gemm.h"'
    try bad src/exec/compile/a.c '#include "exec/kernel/tile.h"'
    try bad src/exec/plan/a.c '#include "exec/kernel/gemm.h"'
    try bad src/exec/plan/code.c '#include "exec/kernel/tile.h"'
    try bad src/exec/plan/a.c '#include "exec/cpu/code.h"'
    try good src/exec/kernel/a.c '#include "exec/target.h"'
    try good src/shard/tt/a.c '#include "shard/gspmd/gspmd.h"'
    try good src/shard/core/a.c '#include "shard/passes.h"'
    try bad src/shard/core/a.c '#include "shard/spmd/spmd.h"'
    try bad src/shard/rule/a.c '#include "shard/tt/tt.h"'
    try bad src/shard/sdy/a.c '#include "shard/spmd/spmd.h"'
    try good src/eval/a.c '#include "eval/kernel/quant.h"'
    try bad src/eval/math/a.c '#include "eval/kernel/quant.h"'
    try bad src/eval/math/a.c '#include "eval/file/npy.h"'
    try bad src/pass/simplify/a.c '#include "pass/fuse/fuse.h"'
    try good src/base/memory.c 'p = realloc(old, bytes);'
    try good src/ir/a.c 'p = tsr_malloc(8); tsr_free(p); list->free(list); list.free (list);'
    try good src/ir/a.c '/* free(p) is tsr_free(p) */ x = 1; // malloc(8)'
    try good src/ir/a.c '/* as
 * malloc(8) does, and
 * free(p) */ int x;'
    try good src/ir/a.c 'say("malloc(%d) \"free(p)\"");'
    for f in malloc calloc realloc reallocarray aligned_alloc posix_memalign free strdup strndup asprintf vasprintf getline getdelim; do
        try bad src/ir/a.c "p = $f(8);"
        try bad tools/a.c "    $f (q);"
    done
    try bad src/ir/a.h '/* why */ free(p); /* and what for */'
    try bad src/ir/a.c '/* one
 * two */
free(p);'
    try bad src/ir/a.c 'say("\\"); free(p);'
    try bad src/base/arena.c 'free(p);'
    try good src/dialect/stablehlo/params.c 'tsr_attr_of(op, STABLEHLO_GATHER_dimension_numbers)->attrs[5]'
    try good src/lower/a.c 'made->attrs[STABLEHLO_SLICE_strides] = tsr_attr_i64_array(ctx, v, n); /* tsr_def_STABLEHLO_DOT */'
    try bad src/pass/a.c 'tsr_attr *const *p = tsr_attr_of(op, STABLEHLO_GATHER_dimension_numbers)->attrs;'
    try bad src/shard/a.c 'p = op->attrs[STABLEHLO_SCATTER_scatter_dimension_numbers]->attrs[3];'
    try bad src/lower/a.c 'tsr_attr_struct(ctx, &tsr_def_STABLEHLO_DOT, p);'
    try bad src/lower/a.c 'const tsr_attr *numbers = op->attrs[STABLEHLO_SCATTER_scatter_dimension_numbers];'
    try bad src/eval/a.c 'n = tsr_hlo_at(tsr_attr_of(op, STABLEHLO_PAD_edge_padding_low), d);'
    try bad src/eval/a.c 'n = tsr_tt_int(c, TTIR_CONV2D_groups, 1);'
    try bad src/pass/a.c 'if (tt_int_at(op->attrs[TTIR_SLICE_STATIC_step], i) != 1)'
    try bad src/pass/a.c 'keep = op->attrs[TTIR_SUM_keep_dim]->i;'
    try good src/pass/a.c 'op->attrs[TTIR_CONV3D_padding] = tsr_ttir_i32_array(ctx, sum, 3);'
    try bad src/shard/a.c 'n = tsr_attr_count(op->attrs[STABLEHLO_REDUCE_WINDOW_window_strides]);'
    try good src/eval/kernel/a.c 'case TSR_OP_STABLEHLO_MAXIMUM: return 1;'
    try bad src/shard/a.c 'case TSR_OP_STABLEHLO_MAXIMUM: return 1;'
    try bad src/pass/a.c 'most = opcode == TSR_OP_STABLEHLO_MINIMUM;'
    echo "$passed passed, $failed failed"
    [ $failed -eq 0 ]
    exit
fi

if check .; then echo 'layers: every include points down; memory, attributes and reducers have one door each'; else exit 1; fi
