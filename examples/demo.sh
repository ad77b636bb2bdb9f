#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# demo.sh - `make demo`: what Tessera does today, on real models, in a few seconds. Exit code 1 when something does not
# do what it says here.
cd "$(dirname "$0")/.." || exit 3
bin=$(cd "${BUILD:-build}/bin" && pwd) || exit 3
PATH=$bin:$PATH
model=tests/corpus/gpt_forward_dp_tp/module.mlir
large=tests/corpus/large/gpt_train_24.mlir
tmp=$(mktemp -d) || exit 3
trap 'rm -rf "$tmp"' EXIT
bold= plain=
if [ -t 1 ]; then bold=$(printf '\033[1m') plain=$(printf '\033[0m'); fi

title() { printf '\n%s%s%s\n' "$bold" "$*" "$plain"; }
show() { printf '%s$ %s%s\n' "$bold" "$(echo "$*" | cut -c1-240)" "$plain"; }
fail() { echo "demo: $*" >&2; exit 1; }
# --input and --expect of all arguments and results of a case of the corpus
numbered() { n=0; while [ -f "$2$n.npy" ]; do printf '%s=%s%d.npy ' "$1" "$2" $n; n=$((n + 1)); done; }
inputs() { numbered --input "$1/in"; }
outputs() { numbered --expect "$1/out"; }
run() { show "$1"; sh -c "$1" >"$tmp/out" 2>&1; } # what a reader would type; its output in $tmp/out

echo "$(tessera --version), with build/bin on the path; long lines are cut here"

title '1. A model that JAX exported, read, verified and printed: every byte is where it was'
# As mlir-opt does, the tool prints one empty line behind the module.
run "stablehlo-opt $model | sed '\$d' | cmp - $model && wc $model" || fail 'it prints something else'
cat "$tmp/out"
run "stablehlo-opt $model | grep -A 5 -m 1 dot_general" || fail 'refused'
cut -c1-150 "$tmp/out"

title '2. Generic form: nothing is left out'
run "stablehlo-opt $model --mlir-print-op-generic | grep -m 1 dot_general" || fail 'refused'
cat "$tmp/out"

title '3. Passes: two layers, inlined, without what is computed twice or for nobody'
run 'tessera opt examples/mlp.mlir --inline --cse --canonicalize --symbol-dce' || fail 'refused'
cut -c1-150 "$tmp/out" | sed '/^$/d'

title '4. Where the time goes, on a training step of 24 transformer layers'
run "tessera opt $large --inline --canonicalize --cse --symbol-dce --timing | wc -l" || fail 'refused'
sed '/^$/d' "$tmp/out" | awk 'NF == 1 { lines = $1; next } { print } END { print lines " lines are left" }'

title '5. A mistake has a place'
run 'tessera opt examples/broken.mlir' && fail 'a broken module was accepted'
cat "$tmp/out"
run "echo '%0 = \"stablehlo.iota\"() : () -> tensor<4xi32>' | tessera opt" && fail 'a bad op was accepted'
cat "$tmp/out"

title '6. The model runs: what JAX exported computes what XLA computed'
case=tests/corpus/gpt_forward_dp_tp
run "tessera run $case/module.mlir $(inputs $case) --expect=$case/out0.npy --timing" || fail 'it computes something else'
cat "$tmp/out"

title '7. Eight devices: collectives meet, without a thread for each device, and give what XLA gave'
case=tests/corpus/shard_map_collectives
run "tessera run $case/module.mlir $(inputs $case) $(outputs $case)" || fail 'it computes something else'
cat "$tmp/out"
run 'tessera run examples/mesh.mlir --input=8x2xi32=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16' || fail 'it does not run'
head -n 6 "$tmp/out"

title '8. Lowered, it computes the same'
run "tessera run tests/eval/Inputs/chlo.mlir --input=random --seed=1 --output=$tmp/native.npz" || fail 'CHLO does not run'
run "tessera opt tests/eval/Inputs/chlo.mlir --chlo-legalize-to-stablehlo | tessera run - --input=random --seed=1 --expect=$tmp/native.npz --rtol=1e-5 --atol=1e-6" || fail 'the lowering computes something else'
head -n 4 "$tmp/out"
echo "... $(grep -c PASS "$tmp/out") results, all within the tolerance"

title '9. Artifacts: what jax.export wrote runs as it is, and goes back byte for byte'
case=tests/corpus/mlp_forward_tp
run "tessera run $case/module.mlirbc $(inputs $case) $(outputs $case)" || fail 'the artifact computes something else'
cat "$tmp/out"
run "tessera opt $large --emit-bytecode -o $tmp/large.mlirbc && tessera opt $tmp/large.mlirbc | sed '\$d' | cmp - $large && wc -c $large $tmp/large.mlirbc | head -n 2" || fail 'bytecode lost something'
cat "$tmp/out"

title '10. Sharding: what each device holds, what moves between them, and why'
run "tessera shard $case/module.mlir" || fail 'it cannot be sharded'
cat "$tmp/out"
run "tessera shard $case/module.mlir --why=%17" || fail 'nobody knows why'
cat "$tmp/out"
run "sdy_opt --sdy-propagation-pipeline $model | sed '\$d' | cmp - $(dirname $model)/propagated.mlir && echo 'as Shardy shards it, to the byte'" || fail 'Shardy says something else'
cat "$tmp/out"
run "tessera shard $large | tail -n 3" || fail 'it cannot be sharded'
cat "$tmp/out"

title '11. On the mesh: one program for eight devices, the same numbers as before'
run "tessera opt $case/module.mlir --tessera-partition 2>/dev/null | grep -E 'func.func|dot_general|all_reduce'" || fail 'it cannot be partitioned'
cut -c1-150 "$tmp/out"
run "tessera run $case/module.mlir --spmd --check $(inputs $case) $(outputs $case)" || fail 'the mesh computes something else'
cat "$tmp/out"
case=tests/corpus/gpt_forward_dp_tp
run "tessera run $case/module.mlir --spmd $(inputs $case) $(outputs $case)" || fail 'the mesh computes something else'
cat "$tmp/out"

title '12. Derivatives, simplification, fusion'
run 'tessera grad tests/tools/Inputs/mlp.mlir --function=main --wrt=1 | tessera opt --tessera-simplify --tessera-fuse' || fail 'it cannot be differentiated'
cut -c1-150 "$tmp/out"
run "tessera opt $model --tessera-raise | grep -oE 'tessera\.(flash_attention|layer_norm|gelu)' | sort | uniq -c" || fail 'no layers are found'
cat "$tmp/out"

title '13. TTIR: what JAX exported, as Tenstorrent has it, computes the same; a batch is divided among eight devices'
run "tessera opt $model --stablehlo-to-ttir-pipeline | tessera run - $(inputs $case) $(outputs $case)" || fail 'TTIR computes something else'
cat "$tmp/out"
run "tessera opt examples/block.mlir --ttir-automatic-data-parallelization=mesh-shape=1,8 | grep -E 'mesh_shard|all_reduce|linear'" || fail 'it cannot be divided'
cut -c1-150 "$tmp/out"
run 'tessera run examples/block.mlir --input=random --spmd --mesh-shape=1,8 --check' || fail 'eight devices compute something else'
cat "$tmp/out"

title '14. TTNN: down to the ops of a device, proven against TTIR, packed as a binary of tt-mlir, and run from it'
run "ttmlir-opt examples/block.mlir --ttir-to-ttnn-backend-pipeline -o $tmp/block.mlir && grep -oE 'ttnn\.[a-z_]+\"' $tmp/block.mlir | sort | uniq -c" || fail 'it cannot be lowered'
cat "$tmp/out"
run "tessera run $tmp/block.mlir --against=examples/block.mlir --input=random" || fail 'TTNN computes something else'
cat "$tmp/out"
run "ttmlir-translate --ttnn-to-flatbuffer $tmp/block.mlir -o $tmp/block.ttnn && ttrt run $tmp/block.ttnn --enable-golden --result-file=$tmp/results.json" || fail 'the binary computes something else'
cat "$tmp/out"

title '15. PyTorch, GSPMD, plain modules'
case=tests/corpus/torch_xla_encoder_layer
run "tessera run $case/module.mlir $(inputs $case) $(outputs $case)" || fail 'PyTorch computes something else'
cat "$tmp/out"
gspmd=tests/shard/Inputs/gspmd
run "tessera run $gspmd/gpt_dp_tp.mlir --spmd --check --input=$gspmd/gpt_dp_tp.in.npz --expect=$gspmd/gpt_dp_tp.out.npz --rtol=1e-4 --atol=1e-4" || fail 'GSPMD is divided in another way'
cat "$tmp/out"
run 'tessera run tests/tools/Inputs/mm.mlir --mesh=x=2 --arg=0:x,_ --input=random --check' || fail 'two devices compute something else'
cat "$tmp/out"

title '16. Compiled: fused loops over planned memory, on all cores'
run "tessera run $large --input=random --dump-program --timing 2>&1 | grep -E 'program of|row add|compile|evaluate' | cut -c1-150 | head -n 8" ||
    fail 'it cannot be compiled'
cat "$tmp/out"
run "tessera run $large --input=random --memory 2>&1 >/dev/null | head -n 6 | cut -c1-150" || fail 'no report of memory'
cat "$tmp/out"
run 'tessera run tests/exec/softmax.mlir --input=random --check=ops | tail -n 1' || fail 'an op is off'
cat "$tmp/out"

title '17. Compiled once: a saved program runs without its module, and leaves a profile for Perfetto'
case=tests/corpus/mlp_forward_tp
run "tessera compile $case/module.mlir --spmd -o $tmp/program.tsrx && tessera run $tmp/program.tsrx --profile=$tmp/trace.json $(inputs $case) $(outputs $case)" ||
    fail 'the saved program computes something else'
cat "$tmp/out"
run "cd $tmp && wc -c program.tsrx trace.json | head -n 2" || fail 'no profile'
cat "$tmp/out"

title '18. A sharding is found: the fastest plan that fits, by a simulator; then it runs'
run 'tessera shard tests/corpus/large/gpt_train_4.mlir --auto --device=h100 --memory=1500K | head -n 20' || fail 'no plan'
cat "$tmp/out"
run "tessera run $case/module.mlir --auto --check $(inputs $case) $(outputs $case)" || fail 'the plan computes something else'
cat "$tmp/out"

title '19. From Python: a graph is built, sharded and run'
if command -v python3 >/dev/null 2>&1; then
    TESSERA_LIBRARY=${bin%/bin}/libtessera.so
    export TESSERA_LIBRARY
    run "PYTHONPATH=python python3 examples/builder.py" || fail 'the package does not work'
    cat "$tmp/out"
else
    echo 'skipped: no python3 here'
fi

title '20. A training loop on a mesh: results become inputs; stopped and gone on with, it gives the same bits'
steps='--spmd --input=random --feed=out0:in0,out1:in1'
run "tessera run tests/mpi/step.mlir $steps --loop=6 --output=$tmp/whole" || fail 'the loop does not run'
run "tessera run tests/mpi/step.mlir $steps --loop=4 --checkpoint=$tmp/state --checkpoint-every=2" || fail 'the loop does not run'
run "tessera run tests/mpi/step.mlir $steps --loop=6 --checkpoint=$tmp/state --resume --output=$tmp/resumed && diff -r $tmp/whole $tmp/resumed && echo the same" || fail 'other bits'
cat "$tmp/out"

title '21. A program as C++ and as Python of the library ttnn'
run "ttmlir-opt examples/block.mlir --ttir-to-emitc-pipeline | ttmlir-translate --mlir-to-cpp | grep -oE 'ttnn::[a-z_]+\(' | sort | uniq -c" || fail 'no C++'
cat "$tmp/out"
run "ttmlir-opt examples/block.mlir --ttir-to-emitpy-pipeline | ttmlir-translate --mlir-to-python | grep -oE 'ttnn\.[a-z_]+\(' | sort | uniq -c" || fail 'no Python'
cat "$tmp/out"

title '22. A model as one file of C99, which needs no library and gives the same bits'
if command -v "${CC:-cc}" >/dev/null 2>&1; then
    case=tests/corpus/gpt_forward_dp_tp
    run "tessera compile $case/module.mlir --emit=c -o $tmp/model.c && ${CC:-cc} -std=c99 -O2 -DTESSERA_MAIN $tmp/model.c -lm -o $tmp/model && wc -lc <$tmp/model.c" || fail 'no C'
    cat "$tmp/out"
    run "mkdir $tmp/strict $tmp/alone && tessera run $case/module.mlir --strict-rounding $(inputs $case) --output=$tmp/strict && $tmp/model $tmp/alone $(ls $case/in*.npy | sort -V | xargs) && diff -r $tmp/strict $tmp/alone && echo the same" || fail 'other bits'
    cat "$tmp/out"
else
    echo 'skipped: no compiler here'
fi

title '23. To look at: a page with the graph, shardings, collectives and memory; a cut in the terminal'
run "tessera explore $large -o $tmp/page.html && wc -c <$tmp/page.html" || fail 'no page'
cat "$tmp/out"
run "tessera shard $model --picture | sed -n '1,6p;/arg4/,/^\$/p'" || fail 'no picture'
cat "$tmp/out"

title '24. What it knows'
run 'tessera opt --list-passes | wc -l' || fail 'no passes'
cat "$tmp/out"
run 'tessera opt --list-ops | cut -d. -f1 | sort | uniq -c | sort -rn | xargs' || fail 'no ops'
cat "$tmp/out"

title '25. What it cannot do yet, it says'
run "ttmlir-translate examples/mlp.mlir --ttnn-to-flatbuffer" && fail 'accepted'
cat "$tmp/out"

title '26. Speed'
for i in 1 2 3 4 5; do
    tessera opt "$large" --timing -o /dev/null 2>&1 | awk '$3 == "parse" || $3 == "verify" || $3 == "print" { ms += $1 } END { print ms }'
done | sort -n | awk -v bytes="$(wc -c <"$large")" -v lines="$(wc -l <"$large")" '
    NR == 1 && $1 > 0 {
        printf "parse + verify + print of %d lines (%.2f MB): %.1f ms, %.0f MB/s, the best of five runs here\n", lines, bytes / 1e6, $1, bytes / 1e3 / $1
    }'
echo 'make bench compares that with the peers that are installed; make check runs every test.'
