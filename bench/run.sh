#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run.sh - `make bench`: our times and the peers' on the same files, in one run.
# bench/bench.c prints lines 'tessera file parse_ms print_ms ...', peers.py the same for each peer that is here.
BUILD=${BUILD:-build}
out=$BUILD/bench
sizes=${SIZES:-10000 30000 100000 300000}
files="tests/corpus/large/gpt_train_4.mlir tests/corpus/large/gpt_train_24.mlir"
for n in $sizes; do
    [ -f "$out/gen_$n.mlir" ] || { "$out/gen" "$n" >"$out/gen.new" && mv "$out/gen.new" "$out/gen_$n.mlir"; } || exit 1
    files="$files $out/gen_$n.mlir"
done
# The same modules as bytecode.
bytecode=
for n in 4 24; do
    "$BUILD/bin/stablehlo-opt" --emit-bytecode "tests/corpus/large/gpt_train_$n.mlir" -o "$out/gpt_train_$n.mlirbc" || exit 1
    bytecode="$bytecode $out/gpt_train_$n.mlirbc"
done
: >"$out/times"
if [ -x "$out/bench" ]; then
    "$out/bench" $files $bytecode | tee -a "$out/times"
else
    echo '# bench/bench.c is not here yet'
fi
if command -v python3 >/dev/null 2>&1; then
    python3 bench/peers.py --repeat "${REPEAT:-5}" --tessera "$BUILD/bin/tessera" $files $bytecode | tee -a "$out/times"
else
    echo '# no python3: our own times only'
fi
echo
awk '
    /^#/ || NF < 4 { next }
    { parse[$1, $2] = $3; print_[$1, $2] = $4; verify[$1, $2] = $5; if (!($2 in seen)) { seen[$2]; files[++n] = $2 } if ($1 != "tessera" && !($1 in peer)) { peer[$1]; peers[++p] = $1 } }
    END {
        for (i = 1; i <= n; i++) {
            f = files[i]
            ours = parse["tessera", f] + print_["tessera", f]
            if (f ~ /bc$/) {
                text = "tests/corpus/large/" substr(f, match(f, /gpt_train/))
                sub(/bc$/, "", text)
                mine = parse["tessera", f]; theirs = parse["jaxlib", f]
                printf "%-45s read: tessera %.3f ms (its text %.3f ms)", f, mine, parse["tessera", text]
                if (theirs > 0)
                    printf ", jaxlib %.3f ms, ratio %.1f; with verification, as jaxlib does it, %.1f", theirs, theirs / mine, theirs / (mine + verify["tessera", f])
                printf "\n%-45s write: tessera %.3f ms", f, print_["tessera", f]
                if (theirs > 0)
                    printf ", jaxlib %.3f ms, ratio %.1f", print_["jaxlib", f], print_["jaxlib", f] / print_["tessera", f]
                print ""
                continue
            }
            for (j = 1; j <= p; j++) {
                theirs = parse[peers[j], f] + print_[peers[j], f]
                if (ours > 0 && theirs > 0)
                    printf "%-45s parse + print: tessera %9.3f ms, %-8s %9.3f ms, ratio %.1f\n", f, ours, peers[j], theirs, theirs / ours
            }
        }
    }' "$out/times"

# Graphs of models in TTIR: MODELS is tt-mlir's folder test/ttmlir/models. Each is to take less than 20 ms.
if [ -n "$MODELS" ]; then
    echo
    find "$MODELS" -name '*.mlir' | sort | xargs "$out/bench" >"$out/models"
    awk '{ t = $3 + $4 + $5; all += t; if (t > most) { most = t; which = $2 } if (t >= 20) slow++ }
         END { printf "%d models: parse, verify and print %.1f ms in all, the slowest %.2f ms (%s), %d of 20 ms or more\n",
                      NR, all, most, which, slow }' "$out/models"
    # Down to TTNN, as a binary and back: each step of each model is to take less than 20 ms.
    find "$MODELS" -name '*.mlir' ! -path '*/Inputs/*' | sort | REPEAT=${REPEAT:-5} xargs "$out/flatbuffer" >"$out/binaries"
    awk '{ for (i = 3; i <= 5; i++) { if ($i > most[i]) { most[i] = $i; which[i] = $2 } if ($i >= 20) slow[i]++ } }
         END { split("- - lower write read", name, " ")
               for (i = 3; i <= 5; i++)
                   printf "%d models: %s: the slowest %.2f ms (%s), %d of 20 ms or more\n", NR, name[i], most[i], which[i], slow[i] }' "$out/binaries"
fi

# Propagation, and Shardy's where jaxlib is installed.
if command -v python3 >/dev/null 2>&1; then
    echo
    python3 bench/shard.py --bench "$out/shard" $files | tee "$out/shard.txt"
else
    "$out/shard" $files
fi

# Passes, and jaxlib's canonicalize and cse where it is installed.
if command -v python3 >/dev/null 2>&1; then
    echo
    python3 bench/gpt_forward.py >"$out/gpt_forward_24.mlir"
    python3 bench/passes.py --tessera "$BUILD/bin/tessera" --repeat "${REPEAT:-5}" tests/corpus/large/*.mlir \
        "$out/gpt_forward_24.mlir" | tee "$out/passes"
    echo
    python3 bench/linear.py --tessera "$BUILD/bin/tessera" | tee "$out/linear.txt"
fi

# Batches of TTIR programs divided among devices.
if command -v python3 >/dev/null 2>&1; then
    echo
    python3 bench/data_parallel.py --tessera "$BUILD/bin/tessera" --repeat "${REPEAT:-5}" | tee "$out/data_parallel"
fi

# What devices exchange, and what they do with XLA.
if command -v python3 >/dev/null 2>&1; then
    echo
    python3 bench/collectives.py --tessera "$BUILD/bin/tessera" | tee "$out/collectives.txt"
fi

# Evaluation on the corpus: tessera run, and StableHLO's interpreter where jaxlib is installed.
if command -v python3 >/dev/null 2>&1; then
    echo
    python3 bench/eval.py --tessera "$BUILD/bin/tessera" --repeat "${REPEAT:-5}" --limit "${LIMIT:-120}" | tee "$out/eval"
fi

# Leaf kernels of the engine, and XLA's and OpenBLAS's where jax and NumPy are installed.
if command -v python3 >/dev/null 2>&1; then
    echo
    python3 bench/kernels.py --kernels "$out/kernels" ${QUICK:+--quick} | tee "$out/kernels.txt"
fi

# Whole programs on the engine, and on XLA CPU where jax is installed; bars that are missed are named.
if command -v python3 >/dev/null 2>&1; then
    echo
    python3 bench/race.py --race "$out/race" ${QUICK:+--quick} | tee "$out/race.txt"
fi

# Programs as C against the engine, on one thread.
if command -v python3 >/dev/null 2>&1; then
    echo
    python3 bench/emit.py --tessera "$BUILD/bin/tessera" --rounds 3
fi
