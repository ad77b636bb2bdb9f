# SPDX-License-Identifier: Apache-2.0
# parts.sh - runs the parts of `make check`, adds up their last lines, 'N passed, N failed' or 'skipped: why', and
# reports at the end what passed, failed and was skipped. check.sh sources it.
#
# JOBS parts run at a time: as many as there are processors, at most four. They are reported in the order in which they
# are listed.
passed=0 failed=0 nskipped=0 skipped= lacks=
processors=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
[ "$processors" -le 4 ] || processors=4
jobs=${JOBS:-$processors}
parts=$(mktemp -d) || exit 3
given=0 reported=0
trap 'rm -rf "$parts"' EXIT
trap 'kill $(jobs -p) 2>/dev/null; exit 130' INT TERM

# skip NAME REASON
skip() {
    given=$((given + 1))
    printf '%s\n' "$1" >"$parts/$given.name"
    printf '%s\n' "skipped: $2" >"$parts/$given.log"
    echo "0 0" >"$parts/$given.code"
    report
}

# part NAME COMMAND...: a command whose last line has its counts; without counts it is one test. Parts that the file $lacks
# names are skipped: what they need is not in this build ($lacks_why).
part() {
    if [ -n "$lacks" ] && grep -qxF -e "$1" "$lacks"; then
        skip "$1" "$lacks_why"
        return
    fi
    wait_for "$jobs"
    given=$((given + 1))
    printf '%s\n' "$1" >"$parts/$given.name"
    shift
    {
        start=$(date +%s) code=0
        "$@" >"$parts/$given.log" 2>&1 || code=$?
        echo "$code $(($(date +%s) - start))" >"$parts/$given.new"
        mv "$parts/$given.new" "$parts/$given.code"
    } &
    report
}

# alone NAME COMMAND...: a part with several processes, or one that measures time: no other part runs at the same time.
alone() {
    wait_for 1
    part "$@"
    wait_for 1
}

# Waits until fewer than N parts run.
wait_for() {
    while running=0; for i in $(seq $((reported + 1)) $given); do [ -e "$parts/$i.code" ] || running=$((running + 1)); done; [ $running -ge "$1" ]; do
        sleep 0.05
    done
}

# Tells of the parts that have ended, up to the first that has not.
report() {
    while [ -e "$parts/$((reported + 1)).code" ]; do
        reported=$((reported + 1))
        read -r code seconds <"$parts/$reported.code"
        tell "$(cat "$parts/$reported.name")" "$parts/$reported.log" "$code" "$seconds"
        rm -f "$parts/$reported".*
    done
}

# tell NAME LOG CODE SECONDS
tell() {
    why=$(sed -n '$s/^skipped: //p' "$2")
    if [ -n "$why" ] && [ "$3" -eq 0 ]; then
        printf '%-22s skipped: %s\n' "$1" "$why"
        nskipped=$((nskipped + 1))
        skipped="$skipped$why	$1
"
        return
    fi
    p=$(sed -n '$s/^\([0-9][0-9]*\) passed, \([0-9][0-9]*\) failed.*/\1/p' "$2")
    f=$(sed -n '$s/^\([0-9][0-9]*\) passed, \([0-9][0-9]*\) failed.*/\2/p' "$2")
    if [ -z "$p" ]; then
        p=0 f=0
        if [ "$3" -eq 0 ]; then p=1; else f=1; fi
    elif [ "$3" -ne 0 ] && [ "$f" -eq 0 ]; then
        f=1
    elif [ $((p + f)) -eq 0 ]; then
        echo "$1: ran nothing, and does not say why" >>"$2"
        f=1
    fi
    [ "$f" -eq 0 ] || head -n 400 "$2"
    passed=$((passed + p)) failed=$((failed + f))
    printf '%-22s %6d passed %6d failed %5d s\n' "$1" "$p" "$f" "$4"
}

# The closing line: parts that were skipped for the same reason stand together. False when something failed.
closing() {
    wait_for 1
    report
    printf '%d passed, %d failed' "$passed" "$failed"
    if [ $nskipped -gt 0 ]; then
        printf ', %d part%s skipped: ' $nskipped "$([ $nskipped -eq 1 ] || echo s)"
        printf '%s' "$skipped" | awk -F '\t' '
            !($1 in names) { order[++n] = $1 }
            { names[$1] = (names[$1] == "" ? "" : names[$1] ", ") $2 }
            END { for (i = 1; i <= n; i++) printf "%s%s (%s)", (i == 1 ? "" : "; "), names[order[i]], order[i] }'
    fi
    echo
    [ "$failed" -eq 0 ]
}
