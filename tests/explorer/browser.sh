#!/bin/sh
# browser.sh - pages of tessera explore in a real browser, headless: the checks of checks.js in each page.
cd "$(dirname "$0")/../.." || exit 3
. tests/common.sh
. tests/explorer/shapes.sh
T=$BUILD/bin/tessera

browser=
for b in ${CHROMIUM:-} chromium chromium-browser google-chrome; do
    if command -v "$b" >/dev/null 2>&1; then browser=$b; break; fi
done
if [ -z "$browser" ]; then
    echo 'skipped: no chromium here (CHROMIUM=path)'
    exit 0
fi

limited() { # limited COMMAND...: a browser that hangs is one that does not run here
    if command -v timeout >/dev/null 2>&1; then timeout 300 "$@"; else "$@"; fi
}
flags="--headless --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run --user-data-dir=$tmp/profile --hide-scrollbars --force-prefers-reduced-motion --dump-dom"
size=1280,800
verdict() { # verdict CASE: what the page's own checks say, in the file dom
    said=$(sed -n 's/.*<pre id="verdict">//p' "$tmp/dom")
    case $said in
    '') # the browser did not come up at all, which says nothing about the page
        if grep -q '<html' "$tmp/dom"; then bad "$1: no verdict"; else
            echo "skipped: $browser does not run here: $(tail -n 1 "$tmp/error" | cut -c1-200)"
            exit 0
        fi ;;
    [1-9]*' right, 0 wrong.'*) passed=$((passed + ${said%% *})) ;;
    *) bad "$1: $said" ;;
    esac
}
checks() { # checks CASE: the script of its checks
    echo "const CASE = '$1';"
    cat tests/explorer/checks.js
}
opens() { # opens CASE FILE FLAGS...: the page of a file, and the checks of its case in it
    name=$1
    shift
    "$T" explore "$@" -o "$tmp/$name.html" 2>"$tmp/error" || bad "$name: no page" 5
    { cat "$tmp/$name.html"; echo '<script>'; checks "$name"; echo '</script>'; } >"$tmp/checked.html"
    limited "$browser" $flags --window-size=$size --virtual-time-budget=600000 "file://$tmp/checked.html" >"$tmp/dom" 2>"$tmp/error"
    verdict "$name"
}
serves() { # serves CASE FILE FLAGS...: the same of a page that is served, and asks
    name=$1
    shift
    checks "$name" >"$tmp/checks.js"
    limited "$BUILD/bin-test/serve" --browser "$tmp/checks.js" "$T" "$@" -- "$browser" $flags --window-size=$size --virtual-time-budget=600000 >"$tmp/dom" 2>"$tmp/error"
    verdict "$name"
}
chain 30000 >"$tmp/chain.mlir"
mlp=tests/tools/Inputs/mlp.mlir inputs=tests/explorer/Inputs
opens mlp $mlp --mesh=x=2,y=4 --arg=0:x --arg=1:_,y --arg=2:y
opens scopes $inputs/scopes.mlir
size=390,844
opens narrow $inputs/scopes.mlir
size=3840,2160
opens wide $inputs/scopes.mlir
size=1280,800
opens gpt $inputs/gpt_scan.mlir
opens moe tests/corpus/moe_topk_dispatch/module.mlir
opens ttir $inputs/encoder_ttir.mlir
opens hostile $inputs/hostile.mlir
opens large "$tmp/chain.mlir"
opens nested tests/explorer/explore.test
opens layers $inputs/layers.mlir
opens passes tests/explorer/explore.test --after=canonicalize
opens plans $mlp --mesh=x=2,y=4 --arg=0:x --versus --arg=0:y
opens reports $mlp --trace=$inputs/trace.json --goldens=$inputs/goldens.json
serves served $mlp --mesh=x=2,y=4 --arg=0:x --device=h100
counts
