#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# mistakes.sh - checks the exit code and the message of every command line in mistakes.list.
. "$(dirname "$0")/common.sh"
here=$(cd "$(dirname "$0")" && pwd)
PATH=$(cd "$BUILD/bin" && pwd):$PATH
while IFS= read -r line; do
    case $line in '#'* | '') continue ;; esac
    code=${line%% | *} rest=${line#* | }
    command=${rest%% | *} message=${rest#* | }
    command=$(printf '%s\n' "$command" | sed "s#%I#$here/tools/Inputs#g; s#%t#$tmp/out#g")
    # words are separated by spaces; the list has no quotes
    set -f
    $command >"$tmp/said" 2>&1 </dev/null
    got=$?
    set +f
    if [ "$got" -ne "$code" ]; then
        bad "$command: exit code $got, not $code: $(head -n 1 "$tmp/said")"
    elif ! grep -q -e "$message" "$tmp/said"; then
        bad "$command: no '$message' in: $(head -n 3 "$tmp/said")"
    else
        good
    fi
done <"$here/mistakes.list"
counts
