#!/bin/sh
# run.sh - pages of tessera explore: the layout's work by counting, and what a real browser makes of them. The second part needs
# chromium, and is skipped where there is none.
cd "$(dirname "$0")/../.." || exit 3
. tests/common.sh
T=$BUILD/bin/tessera

chain() { # chain N: each op uses the one before it
    awk -v n="$1" 'BEGIN {
        print "func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {\n  %0 = stablehlo.negate %arg0 : tensor<4xf32>"
        for (i = 1; i < n; i++) print "  %" i " = stablehlo.add %" (i - 1) ", %" int(i / 2) " : tensor<4xf32>"
        print "  return %" (n - 1) " : tensor<4xf32>\n}" }'
}
wide() { # wide N: all ops in one row
    awk -v n="$1" 'BEGIN {
        print "func.func @main(%arg0: tensor<4xf32>) {"
        for (i = 0; i < n; i++) print "  %" i " = stablehlo.negate %arg0 : tensor<4xf32>"
        print "  return\n}" }'
}
functions() { # functions N: many small ones
    awk -v n="$1" 'BEGIN {
        for (i = 0; i < n / 2; i++)
            print "func.func @f" i "(%arg0: tensor<4xf32>) -> tensor<4xf32> {\n  %0 = stablehlo.negate %arg0 : tensor<4xf32>\n  return %0 : tensor<4xf32>\n}" }'
}
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
[ "$(grep -c '<script' "$tmp/hostile.html")" = 2 ] && good || bad 'scripts in the page'
for f in html svg; do
    if LC_ALL=C grep -q "$(printf '\342\200\256')" "$tmp/hostile.$f"; then bad "a change of direction in $f"; else good; fi
done
if grep -q '<script\|<img' "$tmp/hostile.svg"; then bad 'SVG with a name as it is'; else good; fi

size=$("$T" explore tests/corpus/large/gpt_train_24.mlir 2>/dev/null | wc -c)
if [ "$size" -gt 1000000 ] && [ "$size" -lt 3000000 ]; then good; else bad "the page of gpt_train_24 has $size bytes"; fi

browser=
for b in ${CHROMIUM:-} chromium chromium-browser google-chrome; do
    if command -v "$b" >/dev/null 2>&1; then browser=$b; break; fi
done
if [ -z "$browser" ]; then
    echo 'no chromium here: the page is not opened in a browser'
    counts
    exit
fi

limited() { # limited COMMAND...: a browser that hangs is one that does not run here
    if command -v timeout >/dev/null 2>&1; then timeout 120 "$@"; else "$@"; fi
}
opens() { # opens CASE FILE FLAGS...: the page of a file, and the checks of its case in it
    name=$1
    shift
    "$T" explore "$@" -o "$tmp/$name.html" 2>"$tmp/error" || bad "$name: no page" 5
    { cat "$tmp/$name.html"; echo '<script>'; echo "const CASE = '$name';"; cat tests/explorer/checks.js; echo '</script>'; } >"$tmp/checked.html"
    limited "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run --user-data-dir="$tmp/profile" --window-size=1400,900 \
        --dump-dom "file://$tmp/checked.html" >"$tmp/dom" 2>"$tmp/error"
    said=$(sed -n 's/.*<pre id="verdict">//p' "$tmp/dom")
    case $said in
    '') # the browser did not come up at all, which says nothing about the page
        if grep -q '<html' "$tmp/dom"; then bad "$name: no verdict"; else echo "$browser does not run here: $(tail -n 1 "$tmp/error" | cut -c1-200)"; fi ;;
    [1-9]*' right, 0 wrong.'*) passed=$((passed + ${said%% *})) ;;
    *) bad "$name: $said" ;;
    esac
}
opens mlp tests/tools/Inputs/mlp.mlir --mesh=x=2,y=4 --arg=0:x --arg=1:_,y --arg=2:y
opens hostile tests/explorer/Inputs/hostile.mlir
opens large "$tmp/chain30000.mlir"
opens nested tests/explorer/explore.test
counts
