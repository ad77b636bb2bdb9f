#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# ranks.sh - runs on ranks of the transport of tests (sockets.c): where inputs come from and results go to, and what ends a run. No MPI is needed.
. "$(dirname "$0")/sockets.sh"
step=$here/tests/mpi/step.mlir

# Each rank reads its slices of a file: of 128 MB that four ranks share, none has more than its part, once as it is in the file and once as a tensor.
cat >"$tmp/rows.mlir" <<'END'
sdy.mesh @mesh = <["x"=4]>
func.func @main(%x: tensor<32768x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<32768xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<32768x1024xf32>, tensor<f32>) -> tensor<32768xf32>
  return %0 : tensor<32768xf32>
}
END
header="{'descr': '<f4', 'fortran_order': False, 'shape': (32768, 1024), }"
{ printf '\223NUMPY\001\000v\000%-117s\n' "$header"; } >"$tmp/x.npy"
truncate -s $((128 + 32768 * 1024 * 4)) "$tmp/x.npy"
TESSERA_TEST_PEAK=$tmp/peak sockets 4 "$tmp/rows.mlir" --spmd --input="$tmp/x.npy" --threads=1 --timeout=60s --output="$tmp/rows" >"$tmp/out" 2>"$tmp/error" || bad 'a large input' 5
# A sanitizer's memory is not counted.
if [ "$(wc -l <"$tmp/peak")" -eq 4 ] && { [ -n "$(sanitizers)" ] || ! awk '$3 > 112000 { bad = 1; print } END { exit !bad }' "$tmp/peak" >"$tmp/error"; }; then good; else bad 'memory of ranks in kilobytes' 4; fi

# Parts of results are those of threads, whoever writes them; whole ones are compared by the first rank.
"$tessera" run "$step" --spmd --input=random --output="$tmp/parts" --output-shards >"$tmp/out" 2>"$tmp/error" || bad 'parts on threads' 3
"$tessera" run "$step" --spmd --input=random --output="$tmp/whole" >"$tmp/out" 2>"$tmp/error" || bad 'results on threads' 3
for n in 2 3 4; do
    rm -rf "$tmp/some"
    sockets $n "$step" --spmd --input=random --timeout=60s --output="$tmp/some" --output-shards >"$tmp/out" 2>"$tmp/error" && diff -r "$tmp/parts" "$tmp/some" >>"$tmp/error" 2>&1 && good || bad "parts on $n ranks" 5
done
sockets 2 "$step" --spmd --input=random --timeout=60s --check >"$tmp/out" 2>"$tmp/error" && [ "$(grep -c PASS "$tmp/out")" -eq 3 ] && good || bad 'checked on two ranks' 5
sockets 2 "$step" --spmd --input=random --timeout=60s $(numbered --expect "$tmp/whole/out") >"$tmp/out" 2>"$tmp/error" && good || bad 'compared on two ranks' 5
sockets 2 "$step" --spmd --input=random --seed=5 --timeout=60s $(numbered --expect "$tmp/whole/out") >"$tmp/out" 2>"$tmp/error"
[ $? -eq 1 ] && grep -q FAIL "$tmp/out" && good || bad 'other results on two ranks' 5

# A run whose steps are all done, and whose results were not written, is finished by the same command, on any number of ranks.
loop='--spmd --input=random --feed=out0:in0,out1:in1 --loop=3'
"$tessera" run "$step" $loop --output="$tmp/three" >"$tmp/out" 2>"$tmp/error" || bad 'three steps on threads' 3
"$tessera" run "$step" $loop --output="$tmp/three_parts" --output-shards >"$tmp/out" 2>"$tmp/error" || bad 'three steps on threads, parts' 3
sockets 2 "$step" $loop --timeout=60s --checkpoint="$tmp/state" --resume >"$tmp/out" 2>"$tmp/error" && good || bad 'three steps on two ranks' 5
for n in 2 4; do
    sockets $n "$step" $loop --timeout=60s --checkpoint="$tmp/state" --resume --output="$tmp/three$n" >"$tmp/out" 2>"$tmp/error" && diff -r "$tmp/three" "$tmp/three$n" >>"$tmp/error" 2>&1 && good || bad "finished on $n ranks" 5
    sockets $n "$step" $loop --timeout=60s --checkpoint="$tmp/state" --resume --output="$tmp/parts$n" --output-shards >"$tmp/out" 2>"$tmp/error" && diff -r "$tmp/three_parts" "$tmp/parts$n" >>"$tmp/error" 2>&1 && good || bad "finished on $n ranks, parts" 5
done

# Budgets and numbers do not depend on where one is.
sockets 2 "$step" --spmd --input=random --timeout=60s --max-bytes=1000 >"$tmp/out" 2>"$tmp/error"
[ $? -ne 0 ] && grep -q 'max-bytes' "$tmp/error" && good || bad 'more bytes than are allowed' 5
LC_ALL=de_DE.UTF-8 sockets 2 "$step" --spmd --input=random --timeout=1.5m $(numbered --expect "$tmp/whole/out") >"$tmp/out" 2>"$tmp/error" && good || bad 'where a comma divides' 5

# Who is stopped ends the job; the others do not stay.
TESSERA_TEST_HANG=1:1 sockets 2 "$step" --spmd --input=random --timeout=2s >"$tmp/out" 2>"$tmp/error"
[ $? -ne 0 ] && grep -q "waits in 'stablehlo.[a-z_]*' at .*step.mlir:[0-9]*:[0-9]* .*for (0, 2), (0, 3)" "$tmp/error" && good || bad 'a rank that is stuck' 6
TESSERA_TEST_KILL=1:2 sockets 2 "$step" --spmd --input=random --timeout=60s --output="$tmp/none" >"$tmp/out" 2>"$tmp/error"
[ $? -ne 0 ] && grep -q "rank 1 was ended by signal 9; the last collective that it came to is 'stablehlo" "$tmp/error" && [ ! -e "$tmp/none" ] && good || bad 'a rank that is killed' 6
counts
