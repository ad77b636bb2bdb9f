# SPDX-License-Identifier: Apache-2.0
# Compiling a small file is mostly starting the compiler and reading headers, so sources of a layer, or of some small
# layers ("low" and "top"), are compiled several together: files of #include lines.
#   awk -v SIZE=8 -v ROOMS='eval=warm eval/math=loops' -v OUT=build/gen -f src/batches.awk FILES
# writes OUT/src/<layer>/<kind><N>.c where it is not there yet or is another, and prints src/<layer>/<kind><N> for each. The kind, which says how files are
# compiled, comes from ROOMS: a file's is that of the longest path there, "cold" without one. Names of file scope meet in a batch, so files that share one go to different batches; macros end with their file. A name that this scan
# does not see is an error of the compiler; SIZE=1 compiles each file alone.
BEGIN {
    n = split(ROOMS, room, " ")
    for (i = 1; i <= n; i++) {
        split(room[i], part, "=")
        kind_of["src/" part[1]] = part[2]
    }
}

function batch_name(f,   layer, folder) {
    layer = match(f, "^src/[^/]*") ? substr(f, 1, RLENGTH) : "tools"
    if (layer ~ "/(asm|base|ir)$")
        layer = "src/low"
    if (layer ~ "/(api|build|check|explore|search|sim)$")
        layer = "src/top"
    folder = f
    do {
        if (folder in kind_of)
            return layer "/" kind_of[folder]
    } while (sub("/[^/]*$", "", folder))
    return layer "/cold"
}

function name(n) {
    if (!((FILENAME, n) in seen)) {
        seen[FILENAME, n] = 1
        names[FILENAME] = names[FILENAME] " " n
    }
}

FNR == 1 { files[++count] = FILENAME; group[FILENAME] = batch_name(FILENAME); inside = comment = headers = 0 }
{ sub("//.*", ""); gsub(/[/][*]([^*]|[*][^/])*[*][/]/, "") }
comment { if (!sub(/.*[*][/]/, "")) next; comment = 0 }
sub(/[/][*].*/, "") { comment = 1 }
/^#include/ { headers = 1 }
/^#define / && !headers { alone[FILENAME] = 1 } # it must come before the first header
/^typedef .*;/ { head = $0; sub(/;.*/, "", head); gsub(/[*]/, " ", head); fields = split(head, word, " "); name(word[fields]) }
/^#define / { split($2, part, "("); ends[FILENAME] = ends[FILENAME] "#undef " part[1] "\n" }
/^static [^(]*, *[A-Za-z_]+ = / { head = $0; while (match(head, /, *[A-Za-z_0-9]+ = /)) { name(word[split(substr(head, RSTART + 1, RLENGTH - 4), word, " ")]); head = substr(head, RSTART + RLENGTH) } }
/^[A-Z][A-Z0-9_]*[(][a-z_0-9]+,/ { split($0, part, "[(,]"); name(part[2]) } # a macro that defines it, perhaps
/^static / {
    head = $0
    sub(/[(;=[].*/, "", head)
    gsub(/[*]/, " ", head)
    fields = split(head, word, " ")
    if (word[fields] != "{")
        name(word[fields])
}
/^(typedef |static |const )*(struct|enum|union)[ a-zA-Z_0-9]*[{]/ {
    inside = 1
    kind = /enum/
    head = $0
    sub(/ *[{].*/, "", head)
    fields = split(head, word, " ")
    if (word[fields] !~ /^(struct|enum|union)$/)
        name(word[fields])
}
inside && kind {
    body = $0
    sub(/.*[{]/, "", body)
    sub(/}.*/, "", body)
    gsub(/=[^,}]*/, "", body)
    gsub(/[^A-Za-z0-9_]/, " ", body)
    fields = split(body, word, " ")
    for (i = 1; i <= fields; i++)
        name(word[i])
}
inside && /}/ && (/^}/ || /^[a-z].*[{].*}/) {
    if (match($0, /} *[a-z_0-9]+/)) {
        tail = substr($0, RSTART, RLENGTH)
        sub(/^} */, "", tail)
        name(tail)
    }
    inside = 0
}

function fits(b, f,   n, word, i) {
    if (held[b] >= SIZE)
        return 0
    n = split(names[f], word, " ")
    for (i = 1; i <= n; i++)
        if ((b, word[i]) in taken)
            return 0
    return 1
}

function put(b, f,   n, word, i) {
    if (!held[b]++)
        batches[++made] = b
    n = split(names[f], word, " ")
    for (i = 1; i <= n; i++)
        taken[b, word[i]] = 1
    text[b] = text[b] "#include \"" f "\"\n" ends[f]
}

# A file is as old as its contents.
function write(b,   path, old, line) {
    path = OUT "/" b ".c"
    while ((getline line < path) > 0)
        old = old line "\n"
    close(path)
    if (old != text[b]) {
        printf "%s", text[b] > path
        close(path)
    }
    print b
}

END {
    for (k = 1; k <= count; k++) {
        f = files[k]
        for (b = 1; (f in alone) ? held[group[f] b] : !fits(group[f] b, f); b++)
            ;
        put(group[f] b, f)
        if (f in alone)
            held[group[f] b] = SIZE
    }
    for (k = 1; k <= made; k++)
        write(batches[k])
}
