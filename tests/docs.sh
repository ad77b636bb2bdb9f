#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# docs.sh - the documents are up to date: the tables of docs/IR.md are those of the op tables, every ```mlir block of
# the documents is printed unchanged, every ```console block is the output of its commands, and every line of a ```c
# block is in the sources.
#
# A block's first line may have a qualifier: ```mlir generic is printed in generic form; ```mlir read need only be
# accepted. A block with loc( is printed with locations. In a console block, a line '$ command' is run from the root of
# the repository, with build/bin replaced by the build under test; its output follows, errors included. Other blocks are
# not checked.
cd "$(dirname "$0")/.." || exit 3
. tests/common.sh

verdict() { # verdict WHAT WANTED GOT
    if cmp -s "$2" "$3"; then
        good
    else
        bad "$1"
        diff "$2" "$3" | head -n 10
    fi
}

trim() { # without blank lines at the end
    awk '{ line[NR] = $0 } /./ { last = NR } END { for (i = 1; i <= last; i++) print line[i] }' "$1"
}

for made in IR.md KERNELS.md; do
    if sh docs/ops.sh --print $made >"$tmp/tables" 2>"$tmp/error"; then
        verdict "docs/$made is not what the tables say; run docs/ops.sh" docs/$made "$tmp/tables"
    else
        bad 'docs/ops.sh'
        cat "$tmp/error"
    fi
done

if sh docs/api.sh --print >"$tmp/functions" 2>"$tmp/error" && [ ! -s "$tmp/error" ]; then
    verdict 'docs/API.md is not what the headers say; run docs/api.sh' docs/API.md "$tmp/functions"
else
    bad 'docs/api.sh' 5
fi

# Each block becomes a file: N.mlir, or N.command and N.console for each command of a console block.
for doc in README.md docs/*.md; do
    rm -f "$tmp"/block*
    awk -v out="$tmp/block" '
        function start(kind) { name = out sprintf("%03d", ++n) kind; printf "" >name; print n ":" FNR >(out "s") }
        /^```/ {
            if (inside) { inside = 0; next }
            inside = 1
            name = ""
            console = /^```console/
            if (/^```mlir/) start(/generic/ ? ".generic" : /read/ ? ".read" : ".mlir")
            if (/^```c$/) start(".code")
            next
        }
        inside && console && /^\$ / { start(".command"); print substr($0, 3) >name; sub(/command$/, "console", name); printf "" >name; next }
        inside && name != "" { print >name }' "$doc"
    for f in "$tmp"/block[0-9]*; do
        [ -f "$f" ] || continue
        n=$(expr "${f##*/block}" : '0*\([0-9]*\)')
        where=$doc:$(sed -n "s/^$n://p" "$tmp/blocks")
        opt="$BUILD/bin/tessera opt --allow-unregistered-dialect"
        case $f in
        *.console) continue ;;
        *.code)
            cp "$f" "$tmp/out"
            while read -r line; do
                [ -z "$line" ] || grep -rqF -e "$line" src include tools examples packaging || echo "not in the sources: $line" >>"$tmp/out"
            done <"$f"
            ;;
        *.command)
            sh -c "$(sed "s|build/bin/|$BUILD/bin/|g" "$f")" >"$tmp/out" 2>&1
            f=${f%command}console
            ;;
        *.read) $opt "$f" >"$tmp/out" 2>&1 && cp "$f" "$tmp/out" ;;
        *)
            [ "${f##*.}" != generic ] || opt="$opt --mlir-print-op-generic"
            ! grep -q 'loc(' "$f" || opt="$opt --mlir-print-debuginfo"
            $opt "$f" >"$tmp/out" 2>&1
            ;;
        esac
        trim "$tmp/out" >"$tmp/got"
        trim "$f" >"$tmp/wanted"
        verdict "$where" "$tmp/wanted" "$tmp/got"
    done
done
# Every picture of a document is there, and is one; the gallery's are small.
for doc in README.md docs/*.md; do
    for picture in $(sed -n 's/.*!\[.*\](\([^:)]*\.png\)).*/\1/p' "$doc"); do
        at=${doc%"${doc##*/}"}$picture
        case $(head -c 4 "$at" 2>/dev/null | tail -c 3) in PNG) good ;; *) bad "$doc: $at is no picture" ;; esac
    done
done
if [ "$(cat docs/gallery_*.png | wc -c)" -le 1500000 ] && [ "$(grep -c '^## ' docs/GALLERY.md)" -eq "$(ls docs/gallery_*.png | wc -l)" ]; then
    good
else
    bad 'docs/GALLERY.md: a picture for each section, 1.5 MB together'
fi
# The page of figures names functions that exist.
for f in $(grep -o 'tsr_[a-z_]*' docs/FIGURES.md | sort -u); do
    if grep -rqw "$f" src include; then good; else bad "docs/FIGURES.md: there is no $f"; fi
done
counts
