#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# forms.sh - every tool on every form of a program: text, bytecode, a portable artifact, and the file that jax.export
# wraps around one, represented here by the shortest FlatBuffer that has the artifact as a field. The output of a tool
# must not depend on the form; --spmd --check must pass; the function to run may be named.
. "$(dirname "$0")/common.sh"
here=$(dirname "$0")/tools/Inputs/forms
tessera=$BUILD/bin/tessera

bytes4() { # bytes4 N: N as four bytes, least first
    printf "\\$(printf %o $(($1 % 256)))\\$(printf %o $(($1 / 256 % 256)))\\$(printf %o $(($1 / 65536 % 256)))\\0"
}

make_forms() { # make_forms FILE STEM
    $tessera opt "$1" -o "$2.mlir" &&
        $tessera opt "$2.mlir" --emit-bytecode -o "$2.bc" &&
        "$BUILD/bin/stablehlo-translate" --serialize --target=current --allow-other-dialects "$2.mlir" -o "$2.mlirbc" || return 1
    # root -> table at 16, fields at 4: one of them, a list of bytes at 24
    {
        printf '\020\0\0\0\006\0\010\0\004\0\0\0\0\0\0\0\014\0\0\0\004\0\0\0'
        bytes4 "$(wc -c <"$2.mlirbc")"
        cat "$2.mlirbc"
    } >"$2.jax"
}

# same NAME STEM COMMAND...: with each form appended, the command must print the same as for text.
same() {
    what=$1 stem=$2
    shift 2
    if ! "$@" "$stem.mlir" >"$tmp/wanted" 2>"$tmp/error"; then
        bad "$what, text" 5
        return
    fi
    good
    for form in bc mlirbc jax; do
        if ! "$@" "$stem.$form" >"$tmp/got" 2>"$tmp/error"; then
            bad "$what, $form" 5
        elif ! cmp -s "$tmp/wanted" "$tmp/got"; then
            bad "$what, $form: prints something else"
        else
            good
        fi
    done
}

# every NAME STEM [--function=F]: all tools
every() {
    program=$1 files=$2
    shift 2
    for tool in 'run --input=random' 'run --spmd --input=random' 'run --spmd --check --input=random' shard 'shard --json' \
        grad 'grad --mode=forward'; do
        same "$program: $tool" "$files" "$tessera" $tool "$@"
    done
}

for file in "$here"/*.mlir; do
    name=$(basename "$file" .mlir)
    if ! make_forms "$file" "$tmp/$name" 2>"$tmp/error"; then
        bad "$name: cannot be written in every form" 5
        continue
    fi
    same "$name: opt" "$tmp/$name" "$tessera" opt
    case $name in
    named)
        for f in first second hidden; do every "$name @$f" "$tmp/$name" --function=$f; done ;;
    *) every "$name" "$tmp/$name" ;;
    esac
done
every 'only, named' "$tmp/only" "--function=f mode=forward, {x} \"y\" \\ }'"
counts
