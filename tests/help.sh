#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# help.sh - help, man pages and completion must have every flag of the tables in tools/, and every pass.
cd "$(dirname "$0")/.." || exit 3
. tests/common.sh
T=$BUILD/bin/tessera

rows() { # rows FILE...: names of the flags that can be used, from the rows of the tables
    sed -n 's/^ *\(FLAG([A-Z0-9_]*, \|LIMIT(\)"\([a-z0-9-]*\)", *\([A-Za-z_]*\).*/\2 \3/p' "$@" | grep -v ' \(REFUSED\|ABSENT\)$' | cut -d ' ' -f 1
}
holds() { # holds WHAT FILE WORD: a file has this word, which ends where it ends
    if grep -q -e "$3\([^a-z0-9-]\|\$\)" "$2"; then good; else bad "$1 does not have $3"; fi
}
dashed() {
    if [ ${#1} -eq 1 ]; then echo "-$1"; else echo "--$1"; fi
}
for shell in bash zsh fish; do
    "$T" completion $shell >"$tmp/$shell" || bad "completion for $shell"
done
limits=$(rows tools/stop.c)
for command in calibrate check-plan compile explain explore grad opt run shard translate; do
    "$T" help $command >"$tmp/help" || bad "help $command"
    "$T" man $command >"$tmp/man.roff" && sed 's/\\-/-/g' "$tmp/man.roff" >"$tmp/man" || bad "man $command"
    sed -n "s/^    $command) flags=//p" "$tmp/bash" >"$tmp/bash.$command"
    sed -n "s/^    $command) flags=//p" "$tmp/zsh" >"$tmp/zsh.$command"
    grep "seen_subcommand_from $command'" "$tmp/fish" >"$tmp/fish.$command"
    shared=
    table=tools/$command.c
    case $command in
    compile | explain | explore | run) shared=tools/given.h ;;
    shard) shared='tools/given.h tools/plan.h' ;;
    opt | translate) shared=tools/tools.h ;;
    check-plan) table=tools/plan.c ;;
    esac
    names="$(rows $table $shared) $limits"
    [ "$(echo $names | wc -w)" -gt 8 ] || bad "the table of $command was not read: $names"
    passes=
    [ $command != opt ] || passes=$("$T" opt --list-passes | cut -d ' ' -f 1)
    for name in $names $passes; do
        holds "help $command" "$tmp/help" " $(dashed "$name")"
        holds "man $command" "$tmp/man" "$(dashed "$name")"
        holds "completion of $command for bash" "$tmp/bash.$command" "$(dashed "$name")"
        holds "completion of $command for zsh" "$tmp/zsh.$command" "$(dashed "$name")"
        holds "completion of $command for fish" "$tmp/fish.$command" " -[ls] $name"
    done
done
# At a terminal nothing is wider than it; examples are at the end, of the help and of the man page.
for command in calibrate compile devices explain explore grad opt run shard simulate translate; do
    for columns in 60 80 120; do
        COLUMNS=$columns "$T" help $command >"$tmp/help" || bad "help $command"
        wide=$(sed -n '/^OPTIONS\|^[A-Z]/,/^EXAMPLES/p' "$tmp/help" | grep '^      *[a-zA-Z]' | grep ' .* ' | awk -v n=$columns 'length > n' | head -n 1)
        [ -z "$wide" ] && good || bad "help $command, $columns columns: $wide"
    done
    sed -n '/^EXAMPLES/,$p' "$tmp/help" | grep -q "^    tessera $command " && good || bad "help $command has no example"
    "$T" man $command | grep -q '^\.SH EXAMPLES' && good || bad "man $command has no example"
done
# All commands, and exit codes.
"$T" man >"$tmp/man"
for command in calibrate check-plan compare-plans compile completion devices explore grad man opt run shard translate; do
    holds 'tessera help' "$tmp/man" "$command"
    "$T" man $command | grep -A 12 'SH EXIT STATUS' >"$tmp/exit"
    for code in 0 1 2 3; do holds "man $command: exit codes" "$tmp/exit" "\.B $code"; done
done
counts
