#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# house.sh - `make house`: metrics of the code. `sh tests/house.sh DIR` measures another checkout; --list names the long
# functions and the repeated passages; --engine [LIMIT] fails if the engine has grown beyond its limit, --gpu [LIMIT] if the
# backend of GPUs has; --licence names sources that do not tell their licence; --doc BEFORE writes the table of docs/ARCHITECTURE.md, where BEFORE is an older checkout.
root=$(cd "$(dirname "$0")/.." && pwd)

# Lines of functions: from the line of the name to the brace in column 1.
functions() {
    find src -name '*.c' | sort | xargs awk '
        FNR == 1 { name = ""; open = 0 }
        /^[a-zA-Z_].*\(/ && !open { name = $0; start = FNR }
        /^[a-zA-Z_]/ && !/\(/ && !open { name = "" }
        /^\{/ && name != "" { open = 1 }
        /^\}/ && open { if (FNR - start + 1 > 50) { sub(/\(.*/, "", name); sub(/.*[ *]/, "", name); print FILENAME ":" start ": " name ", " FNR - start + 1 " lines" }
                        open = 0; name = "" }'
}

# Passages of six lines or more that occur more than once, ignoring white space; each is counted once for all its
# occurrences. Lines without a letter, includes and columns of tables cannot start a passage.
repeated() {
    find src -name '*.c' | sort | xargs awk '
        FNR == 1 { n = 0 }
        { gsub(/^[ \t]+|[ \t]+$/, "") }
        $0 == "" || /^(#|\/\*|\*)/ { next }
        { for (i = 1; i < 6; i++) line[i] = line[i + 1]; line[6] = $0; n++
          if (n < 6 || line[1] !~ /[a-z]/) next
          key = line[1] "\n" line[2] "\n" line[3] "\n" line[4] "\n" line[5] "\n" line[6]
          if (key in first && last[FILENAME] != FNR - 1 && length(key) > 120) { print FILENAME ":" FNR - 5 ": as in " first[key] }
          if (key in first) last[FILENAME] = FNR; else first[key] = FILENAME ":" FNR - 5 }'
}

# Lines of code in files: without comments and empty lines.
code_lines() {
    awk '
        FNR == 1 { inside = 0 }
        {
            line = $0
            for (;;) {
                if (inside) {
                    i = index(line, "*/"); if (!i) { line = ""; break }
                    line = substr(line, i + 2); inside = 0
                }
                i = index(line, "/*"); if (!i) break
                rest = substr(line, i + 2); j = index(rest, "*/")
                line = substr(line, 1, i - 1) (j ? substr(rest, j + 2) : "")
                if (!j) { inside = 1; break }
            }
            sub(/\/\/.*/, "", line)
            if (line ~ /[^ \t\\]/) n++
        }
        END { print n + 0 }' "$@"
}

# What plans and runs programs: the engine without the hooks of ops (compile) and the kernels.
engine() {
    find src/exec -name '*.[ch]' -o -name '*.def' | grep -v -e /compile/ -e /kernel/ | sort | xargs cat | code_lines
}

# within LIMIT LINES WHAT: fails beyond the limit.
within() {
    echo "$2 lines of code $3, at most $1"
    [ "$2" -gt 0 ] && [ "$2" -le "$1" ]
}

# NAME|VALUE, one metric per line.
figures() {
    echo "lines of src (\`.c\`, \`.h\`, \`.def\`)|$(find src -name '*.[ch]' -o -name '*.def' | xargs cat | wc -l)"
    echo "files of src; largest folder|$(find src -type f | wc -l); $(find src -type f | sed 's|/[^/]*$||; s|^src/||' | sort | uniq -c | sort -k1,1nr -k2 | awk 'NR == 1 { print $1 " (" $2 ")" }')"
    echo "functions of more than 50 lines|$(functions | wc -l)"
    echo "passages of six equal lines that occur twice|$(repeated | wc -l)"
    if [ -f tests/opcodes.sh ]; then
        echo "opcodes named in shared code|$(sh tests/opcodes.sh | sed -n 's/ names of ops in shared code//p')"
    else
        echo "opcodes named in shared code|-"
    fi
    if [ -d src/exec ]; then
        echo "lines of code that plan and run programs|$(engine)"
    else
        echo "lines of code that plan and run programs|-"
    fi
    echo "asserts of invariants|$(grep -rE '\b(tsr_assert|tsr_check|assert|HOLDS)\(' src --include='*.c' --include='*.h' | grep -vc '#define')"
}

# Sources without the line that tells their licence; inputs and outputs of tests are data.
unlicensed() {
    find src tools include tests bench packaging python docs examples Makefile \( -name build -o -name __pycache__ -o -name Inputs -o -name goldens -o -name corpus -o -name '*.egg-info' \) -prune -o \
        -type f \( -name '*.[ch]' -o -name '*.hpp' -o -name '*.def' -o -name '*.py' -o -name '*.pyi' -o -name '*.sh' -o -name '*.awk' -o -name Makefile \) -size +0 -print |
        grep -v '/_version\.py$' | LC_ALL=C sort | while read -r f; do head -n 3 "$f" | grep -q 'SPDX-License-Identifier: Apache-2.0' || echo "$f: no SPDX-License-Identifier: Apache-2.0 in its first lines"; done
}

case ${1:-} in
--licence)
    cd "$root" && found=$(unlicensed) && [ -z "$found" ] || { printf '%s\n' "$found"; exit 1; } ;;
--engine)
    cd "$root" && within "${2:-12850}" "$(engine)" "plan and run programs" ;;
--gpu)
    cd "$root" && within "${2:-6500}" "$(find src/gpu -type f | sort | xargs cat | code_lines)" "run programs on GPUs" ;;
--list) cd "$root" && functions && repeated ;;
--doc)
    before=$(cd "${2:?--doc BEFORE}" && figures) || exit 3
    cd "$root" && { printf '| figure | before | after |\n| --- | ---: | ---: |\n'; figures | awk -F'|' -v before="$before" '
        BEGIN { n = split(before, row, "\n"); for (i = 1; i <= n; i++) { split(row[i], f, "|"); old[f[1]] = f[2] } }
        { print "| " $1 " | " old[$1] " | " $2 " |" }'; } >build/house.md &&
        awk '/<!-- house: begin -->/ { print; while ((getline line < "build/house.md") > 0) print line; skip = 1 }
             /<!-- house: end -->/ { skip = 0 } !skip' docs/ARCHITECTURE.md >build/architecture.md && cp build/architecture.md docs/ARCHITECTURE.md ;;
*) cd "${1:-$root}" && figures | awk -F'|' '{ printf "%-50s %s\n", $1, $2 }' ;;
esac
