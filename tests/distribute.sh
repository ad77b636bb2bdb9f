#!/bin/sh
# distribute.sh - the corpus' programs with meshes, distributed to local tensors with collectives of Graph IR (named groups,
# lists of devices, raised to Graph IR first): run on as many virtual devices, they compute what they computed.
BUILD=${BUILD:-build}
here=$(dirname "$0")/corpus
passed=0 failed=0
tmp=$(mktemp -d) || exit 3
trap 'rm -rf "$tmp"' EXIT

numbered() { # numbered FLAG STEM: FLAG=STEM0.npy, FLAG=STEM1.npy, ... as far as there are files, one a line
    n=0
    while [ -f "$2$n.npy" ]; do
        echo "$1=$2$n.npy"
        n=$((n + 1))
    done
}

for f in "$here"/*/module.mlir; do
    dir=${f%/*}/
    grep -q 'sdy.mesh' "$f" && [ -f "${dir}out0.npy" ] || continue
    for flags in --tessera-distribute=remarks=false '--tessera-distribute=nccl=true remarks=false' \
            '--stablehlo-to-tessera;--tessera-distribute=remarks=false'; do
        second=${flags#*;}
        first=${flags%"$second"}
        if ! "$BUILD/bin/tessera" opt "$f" ${first%;} "$second" -o "$tmp/local.mlir" 2>"$tmp/error"; then
            failed=$((failed + 1))
            echo "FAIL tessera opt $f $first $second"
            head -n 4 "$tmp/error"
        elif grep -q 'stablehlo\.\(all_\|reduce_scatter\|collective\)' "$tmp/local.mlir"; then
            failed=$((failed + 1))
            echo "FAIL $f $first $second: a collective of StableHLO is left"
        elif "$BUILD/bin/tessera" run "$tmp/local.mlir" --spmd $(numbered --input "${dir}in") $(numbered --expect "${dir}out") \
                >"$tmp/error" 2>&1; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
            echo "FAIL $f $first $second"
            head -n 10 "$tmp/error"
        fi
    done
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
