# parts.sh - parts of `make check`: runs them, adds up their last lines, 'N passed, N failed' or 'skipped: why', and says at the
# end what was passed, failed and skipped. check.sh reads it with `.`.
passed=0 failed=0 nskipped=0 skipped=
log=$(mktemp) || exit 3
trap 'rm -f "$log"' EXIT

# skip NAME REASON
skip() {
    printf '%-22s skipped: %s\n' "$1" "$2"
    nskipped=$((nskipped + 1))
    skipped="$skipped$2	$1
"
}

# part NAME COMMAND...: a command that prints its counts last, or none and then counts as one test.
part() {
    name=$1; shift
    start=$(date +%s)
    "$@" >"$log" 2>&1
    code=$?
    why=$(sed -n '$s/^skipped: //p' "$log")
    if [ -n "$why" ] && [ $code -eq 0 ]; then
        skip "$name" "$why"
        return
    fi
    p=$(sed -n '$s/^\([0-9][0-9]*\) passed, \([0-9][0-9]*\) failed.*/\1/p' "$log")
    f=$(sed -n '$s/^\([0-9][0-9]*\) passed, \([0-9][0-9]*\) failed.*/\2/p' "$log")
    if [ -z "$p" ]; then
        p=0 f=0
        if [ $code -eq 0 ]; then p=1; else f=1; fi
    elif [ $code -ne 0 ] && [ "$f" -eq 0 ]; then
        f=1
    elif [ $((p + f)) -eq 0 ]; then
        echo "$name: ran nothing, and does not say why" >>"$log"
        f=1
    fi
    [ "$f" -eq 0 ] || head -n 400 "$log"
    passed=$((passed + p)) failed=$((failed + f))
    printf '%-22s %6d passed %6d failed %5d s\n' "$name" "$p" "$f" $(($(date +%s) - start))
}

# The closing line: parts that were skipped for the same reason stand together. False when something failed.
closing() {
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
