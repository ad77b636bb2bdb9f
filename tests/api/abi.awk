# SPDX-License-Identifier: Apache-2.0
# abi.awk - the public headers as a C program that prints what a program compiled with them relies on: functions with
# their arguments, types, layouts of structs, values of enums. Reads the headers in the order in which they include each
# other.
function text(s) { gsub(/\\/, "\\\\", s); gsub(/"/, "\\\"", s); return s }
function trim(s) { gsub(/^[ \t]+|[ \t]+$/, "", s); return s }
function line(s) { print "    puts(\"" text(s) "\");" }

# The name that a declaration declares: the last word before an array's length, or the one in (*name).
function name_of(d) {
    if (match(d, /\(\*[a-z_A-Z0-9]+\)/)) return substr(d, RSTART + 2, RLENGTH - 3)
    sub(/\[.*$/, "", d)
    d = trim(d)
    match(d, /[a-zA-Z_0-9]+$/)
    return substr(d, RSTART)
}

function fields(body, name,    i, j, n, m, part, one, type) {
    print "    printf(\"struct " name " %zu bytes, aligned to %zu\\n\", sizeof(" name "), _Alignof(" name "));"
    n = split(body, part, ";")
    for (i = 1; i <= n; i++) {
        if (trim(part[i]) == "") continue
        m = part[i] ~ /\(/ ? 1 : split(part[i], one, ",")
        if (m == 1) one[1] = part[i]
        for (j = 1; j <= m; j++) {
            if (j == 1) {
                type = trim(one[1])
                sub(/[a-zA-Z_0-9]+(\[[^\]]*\])?$/, "", type)
                type = trim(type)
            }
            print "    printf(\"    %s %s at %zu, %zu bytes\\n\", \"" text(type) "\", \"" name_of(one[j]) "\", offsetof(" name ", " name_of(one[j]) "), sizeof(((" name " *)0)->" name_of(one[j]) "));"
        }
    }
}

function constants(body, name,    i, n, part, one) {
    print "    printf(\"enum " name " %zu bytes\\n\", sizeof(" name "));"
    n = split(body, part, ",")
    for (i = 1; i <= n; i++) {
        one = trim(part[i])
        sub(/ *=.*/, "", one)
        if (one != "") print "    printf(\"    " one " %lld\\n\", (long long)" one ");"
    }
}

function statement(s,    body, name, open) {
    gsub(/[ \t]+/, " ", s)
    s = trim(s)
    if (s == "") return
    if (s ~ /^TSR_API /) {
        sub(/^TSR_API /, "", s)
        line("function " s)
    } else if (s ~ /^typedef (struct|enum)[ a-z_]*\{/) {
        open = index(s, "{")
        match(s, /\}[^}]*$/)
        body = substr(s, open + 1, RSTART - open - 1)
        name = trim(substr(s, RSTART + 1))
        if (s ~ /^typedef struct/) fields(body, name); else constants(body, name)
    } else if (s ~ /^typedef/) {
        sub(/^typedef /, "", s)
        line("type " s)
    } else {
        line("other " s)
    }
}

BEGIN {
    print "#include <stdio.h>\n#include <tessera/tessera.h>\n#include <tessera/build.h>\n#include <tessera/golden.h>\n#include <tessera/code.h>\nint main(void)\n{"
}
/^#ifdef __cplusplus/ { skips = 1 }
skips { if (/^#endif/) skips = 0; next }
/^# *define TSR_[A-Z_]+ [^_]/ && !/TSR_API|TSR_VERSION/ { sub(/ *\/\*.*/, ""); line("macro " $2 " " substr($0, index($0, $3))); next }
/^#/ { next }
{ all = all " " $0 }
END {
    while (match(all, /\/\*/)) {
        rest = substr(all, RSTART + 2)
        all = substr(all, 1, RSTART - 1) " " substr(rest, index(rest, "*/") + 2)
    }
    n = split(all, word, "")
    for (i = 1; i <= n; i++) {
        c = word[i]
        if (c == "{") deep++
        if (c == "}") deep--
        if (c == ";" && !deep) { statement(one); one = "" } else one = one c
    }
    print "    return 0;\n}"
}
