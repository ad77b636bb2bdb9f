#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run.sh - pages of tessera explore: the layout's work by counting, hostile names, sizes. What a browser makes of them: browser.sh.
cd "$(dirname "$0")/../.." || exit 3
. tests/common.sh
. tests/explorer/shapes.sh
T=$BUILD/bin/tessera

field() { # field NAME FILE
    sed -n "s/.*\"$1\":\([0-9]*\).*/\1/p" "$2" | head -n 1
}

# The work is as long as the graph, whatever its shape: not more than some steps for each node and edge.
for shape in chain wide functions; do
    for n in 300 30000; do
        $shape $n >"$tmp/$shape$n.mlir"
        "$T" explore "$tmp/$shape$n.mlir" --json -o "$tmp/out.json" 2>"$tmp/error" || bad "$shape of $n" 5
        nodes=$(field node_count "$tmp/out.json") edges=$(field edge_count "$tmp/out.json") steps=$(field layout_steps "$tmp/out.json")
        if [ "${nodes:-0}" -ge "$n" ] && [ "${steps:-0}" -ge "$nodes" ] && [ "$steps" -le $((24 * (nodes + edges))) ]; then good; else
            bad "$shape of $n: $steps steps for $nodes nodes and $edges edges"; fi
    done
done

# Nothing of a name is left that could end the script it stands in, or turn the text around it.
"$T" explore tests/explorer/Inputs/hostile.mlir -o "$tmp/hostile.html" || bad 'hostile names'
"$T" explore tests/explorer/Inputs/hostile.mlir --svg -o "$tmp/hostile.svg" || bad 'hostile names, SVG'
for f in dot json; do "$T" explore tests/explorer/Inputs/hostile.mlir --$f -o "$tmp/hostile.$f" || bad "hostile names, $f"; done
"$BUILD/bin-test/serve" --ask '{"why": "%0"}' "$T" tests/explorer/Inputs/hostile.mlir >"$tmp/hostile.why" || bad 'hostile names, why'
"$BUILD/bin-test/serve" --ask '{}' "$T" tests/explorer/Inputs/hostile.mlir >"$tmp/hostile.answer" || bad 'hostile names, served'
[ "$(grep -c '<script' "$tmp/hostile.html")" = 2 ] && good || bad 'scripts in the page'
for f in html svg dot json why answer; do
    if LC_ALL=C grep -q "$(printf '\342\200\256')" "$tmp/hostile.$f"; then bad "a change of direction in $f"; else good; fi
    if grep -q 'script\|onerror' "$tmp/hostile.$f"; then good; else bad "no name in $f"; fi
done
for f in svg json why answer; do
    if grep -q '<script\|<img' "$tmp/hostile.$f"; then bad "a name as it is in $f"; else good; fi
done

# The data of a large page are deflated: behind a header, gzip reads them, and misses the checksum alone.
large=tests/corpus/large/gpt_train_24.mlir
"$T" explore $large -o "$tmp/large.html" 2>"$tmp/error" || bad 'a large page' 5
"$T" explore $large --json -o "$tmp/large.json" 2>"$tmp/error" || bad 'the data of a large page' 5
size=$(wc -c <"$tmp/large.html")
if [ "$size" -gt 200000 ] && [ "$size" -lt 1000000 ]; then good; else bad "the page of gpt_train_24 has $size bytes"; fi
if command -v gzip >/dev/null 2>&1 && command -v base64 >/dev/null 2>&1; then
    {
        printf '\037\213\010\0\0\0\0\0\0\003'
        sed -n '/id="data">$/,/<\/script>/p' "$tmp/large.html" | sed '1d; s/<.*//; s/^[0-9]* //' | base64 -d 2>/dev/null
    } | gzip -dc 2>/dev/null >"$tmp/unpacked"
    for f in large.json unpacked; do sed '/"layout_steps"/d; /^"shardings":/q' "$tmp/$f" >"$tmp/$f.nodes"; done # behind that, the page has not everything
    if cmp -s "$tmp/large.json.nodes" "$tmp/unpacked.nodes" && [ "$(tail -c 3 "$tmp/unpacked")" = ']}' ]; then good; else bad 'the page has other data'; fi
fi
counts
