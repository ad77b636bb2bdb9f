#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# browser.sh - pages of tessera explore in real browsers, headless: the checks of checks.js, which drive.c runs in each page.
# From the environment: BROWSERS (default: what is there of chromium and firefox), ONLY (cases), PICTURES (a folder for a picture of each view).
cd "$(dirname "$0")/../.." || exit 3
. tests/common.sh
. tests/explorer/shapes.sh
T=$BUILD/bin/tessera
: >"$tmp/jobs"
servers=
trap 'for s in $servers; do kill "$s" 2>/dev/null; done; wait; rm -rf "$tmp"' EXIT

some() { # some NAME...: the first that is installed
    for b in "$@"; do
        if command -v "$b" >/dev/null 2>&1; then echo "$b"; return; fi
    done
}
[ -n "$BROWSERS" ] || BROWSERS="$(some ${CHROMIUM:-} chromium chromium-browser google-chrome) $(some ${FIREFOX:-} firefox-esr firefox)"
if [ -z "$(echo $BROWSERS)" ]; then
    echo 'skipped: no chromium and no firefox here (BROWSERS=path)'
    exit 0
fi
wanted() { # wanted CASE
    case " ${ONLY:-$1} " in *" $1 "*) ;; *) return 1 ;; esac
}
size='1280 800'
opens() { # opens CASE FILE FLAGS...: a job for the page of a file
    name=$1
    shift
    wanted "$name" || return
    "$T" explore "$@" -o "$tmp/$name.html" 2>"$tmp/error" || bad "$name: no page" 5
    echo "$name $size file://$tmp/$name.html" >>"$tmp/jobs"
}
serves() { # serves CASE FILE FLAGS...: the same for a page that is served, and asks
    name=$1
    shift
    wanted "$name" || return
    : >"$tmp/$name.address"
    "$T" explore "$@" --serve >"$tmp/$name.address" 2>"$tmp/error" &
    servers="$servers $!"
    tries=0
    until grep -q http "$tmp/$name.address" || [ $((tries += 1)) -gt 600 ]; do sleep 0.1; done
    echo "$name $size $(sed -n 's/^\(http:[^ ]*\).*/\1/p' "$tmp/$name.address" | head -n 1)" >>"$tmp/jobs"
}
wanted large && chain 30000 >"$tmp/chain.mlir"
mlp=tests/tools/Inputs/mlp.mlir inputs=tests/explorer/Inputs
opens mlp $mlp --mesh=x=2,y=4 --arg=0:x --arg=1:_,y --arg=2:y
opens scopes $inputs/scopes.mlir
size='390 844'
opens narrow $inputs/scopes.mlir
size='3840 2160'
opens wide $inputs/scopes.mlir
gpt=$inputs/gpt_scan.mlir
for at in '1280 800' '390 844 _phone' ${PICTURES:+'1280 800 _dark' '3840 2160 _4k'}; do # words of a size, and what it is called
    kind=${at#* * } size=${at% _*}
    [ "$kind" != "$at" ] || kind=
    opens gpt$kind $gpt
    opens moe$kind tests/corpus/moe_topk_dispatch/module.mlir
    opens ttir$kind $inputs/encoder_ttir.mlir
    [ "$kind" = _4k ] || opens compare$kind $gpt --versus --mesh=dp=4,tp=2
    [ "$kind" = _4k ] || serves whatif$kind $gpt
done
size='1280 800'
opens hostile $inputs/hostile.mlir
opens large "$tmp/chain.mlir"
opens nested tests/explorer/explore.test
opens layers $inputs/layers.mlir
opens passes tests/explorer/explore.test --after=canonicalize
opens plans $mlp --mesh=x=2,y=4 --arg=0:x --versus --arg=0:y
opens reports $mlp --trace=$inputs/trace.json --goldens=$inputs/goldens.json
serves served $mlp --mesh=x=2,y=4 --arg=0:x --device=h100

for browser in $BROWSERS; do
    case $browser in *firefox*) grep -v ' 390 844 ' "$tmp/jobs" ;; *) cat "$tmp/jobs" ;; esac >"$tmp/own" # a window of Firefox is wider than that
    "$BUILD/bin-test/drive" ${PICTURES:+"--pictures=$PICTURES"} "$browser" "$tmp/profile_$(basename "$browser")" tests/explorer/checks.js <"$tmp/own" >"$tmp/said" 2>"$tmp/error"
    if grep -q '^no browser' "$tmp/said"; then # which says nothing about the page
        echo "skipped: $browser does not run here: $(sed -n 's/^no browser: //p' "$tmp/said" | cut -c1-200)"
        grep -v '^no browser' "$tmp/said" >"$tmp/left"
        mv "$tmp/left" "$tmp/said"
    elif [ "$(grep -c ' right, ' "$tmp/said")" != "$(grep -c . "$tmp/own")" ]; then
        bad "$browser: not every case has a verdict"
    fi
    while read -r line; do
        case $line in
        *': '[1-9]*' right, 0 wrong. ') n=${line#*: } passed=$((passed + ${n%% *})) ;;
        *': '[1-9]*' right, 0 wrong.') n=${line#*: } passed=$((passed + ${n%% *})) ;;
        *) bad "$browser: $line" ;;
        esac
    done <"$tmp/said"
done
counts
