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
        if grep -q '<html' "$tmp/dom"; then bad "$name: no verdict"; else
            echo "skipped: $browser does not run here: $(tail -n 1 "$tmp/error" | cut -c1-200)"
            exit 0
        fi ;;
    [1-9]*' right, 0 wrong.'*) passed=$((passed + ${said%% *})) ;;
    *) bad "$name: $said" ;;
    esac
}
chain 30000 >"$tmp/chain.mlir"
opens mlp tests/tools/Inputs/mlp.mlir --mesh=x=2,y=4 --arg=0:x --arg=1:_,y --arg=2:y
opens hostile tests/explorer/Inputs/hostile.mlir
opens large "$tmp/chain.mlir"
opens nested tests/explorer/explore.test
counts
