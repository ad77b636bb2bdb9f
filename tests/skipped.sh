#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# skipped.sh - tests parts.sh, python.sh and others: a part that cannot run is skipped with the reason, and never counts as
# passed or failed; what a failed command leaves behind is not taken for success.
cd "$(dirname "$0")/.." || exit 3
. tests/common.sh

same() { # same WHAT WANTED GOT
    if [ "$3" = "$2" ]; then good; else bad "$1: '$3', not '$2'"; fi
}

# ---- Parts ----

runs() { # runs LINES...: the closing line of these parts, and the exit code
    printf '%s\n' '. tests/parts.sh' "$@" 'closing' >"$tmp/parts"
    sh "$tmp/parts" >"$tmp/out" 2>&1
    echo "$(tail -n 1 "$tmp/out") ($?)"
}
same 'all parts run' '3 passed, 0 failed (0)' "$(runs 'part a echo 2 passed, 0 failed' 'part b true')"
same 'a part fails' '1 passed, 2 failed (1)' "$(runs 'part a echo 1 passed, 1 failed' 'part b false')"
same 'a part is skipped' '1 passed, 0 failed, 1 part skipped: b (no luck) (0)' "$(runs 'part a true' 'part b echo skipped: no luck')"
same 'several are' '0 passed, 0 failed, 3 parts skipped: a, c (no luck); b (no time) (0)' \
    "$(runs 'skip a "no luck"' 'part b echo skipped: no time' 'skip c "no luck"')"
same 'a part that fails is not skipped' '0 passed, 1 failed (1)' "$(runs "part a sh -c 'echo skipped: no luck; exit 1'")"
same 'a part without tests fails' '0 passed, 1 failed (1)' "$(runs 'part a echo 0 passed, 0 failed')"
printf '%s\n' b "c's" >"$tmp/lacking"
same 'what a build lacks is skipped' "1 passed, 0 failed, 2 parts skipped: b, c's (not built) (0)" \
    "$(runs "lacks=$tmp/lacking lacks_why='not built'" 'part a true' 'part b false' "part \"c's\" false")"
while read -r name; do
    grep -qF -e " $name " -e "'$name'" -e "\"$name\"" tests/check.sh || [ -f "tests/api/${name#capi_}.c" ] && good || bad "tests/minimal.list: there is no part $name"
done <tests/minimal.list
runs 'skip a "no luck"' >/dev/null
same 'the line of a skipped part' 'a                      skipped: no luck' "$(head -n 1 "$tmp/out")"

# ---- A Python with NumPy ----

# Simulated machines: folders with the few programs that python.sh needs, and a python3 that has the modules of a list.
machine() { # machine NAME MODULES [PIP]: what its pip does
    mkdir -p "$tmp/$1"
    for c in sh cat chmod cut dirname find grep head mkdir mktemp mv rm sleep tail timeout; do
        ln -sf "$(command -v $c)" "$tmp/$1/$c"
    done
    [ -n "$2" ] || return
    cat >"$tmp/$1/python3" <<END
#!/bin/sh
case "\$*" in
"-c import "*) shift; for m in $2; do [ "\$1" != "import \$m" ] || exit 0; done; echo "No module named \${1#import }" >&2; exit 1 ;;
"-m venv "*)
    mkdir -p "\$3/bin" && printf '%s\n' '#!/bin/sh' 'here=\${0%/*}' 'case "\$2" in' 'pip) ${3:-true} ;;' '*) [ -f "\$here/numpy" ] ;;' 'esac' >"\$3/bin/python" &&
        chmod +x "\$3/bin/python" ;;
*) exit 7 ;;
esac
END
    chmod +x "$tmp/$1/python3"
}
finds() { # finds MACHINE: what is printed, and the exit code
    got=$(PATH="$tmp/$1" PYTHON_ENV="$tmp/$1/env" PYTHON_SECONDS=1 sh tests/python.sh 2>&1)
    echo "$got ($?)"
}
machine bare ''
same 'no python3' 'no python3 here (1)' "$(finds bare)"
machine broken 'numpy'
same 'python3 that does not run' 'python3 does not run here: No module named sys (1)' "$(finds broken)"
machine whole 'sys numpy'
same 'NumPy is there' 'python3 (0)' "$(finds whole)"
machine old 'sys'
same 'no venv' 'no NumPy here, and python3 has no venv to install it in (1)' "$(finds old)"
machine debian 'sys venv'
same 'no ensurepip' 'no NumPy here, and python3 has no ensurepip to install it with (Debian: python3-venv) (1)' "$(finds debian)"
machine alone 'sys venv ensurepip' 'echo "ERROR: No matching distribution found for numpy"; exit 1'
same 'no network' 'no NumPy here, and pip does not install it: ERROR: No matching distribution found for numpy (1)' "$(finds alone)"
printf 'said before\n' >"$tmp/alone/env.failed"
same 'not tried again at once' 'said before (1)' "$(finds alone)"
machine slow 'sys venv ensurepip' 'sleep 20'
same 'a network that hangs' 'no NumPy here, and pip did not install it in 1 seconds (1)' "$(finds slow)"
machine good 'sys venv ensurepip' 'echo >"$here/numpy"'
same 'an environment is made' "$tmp/good/env/bin/python (0)" "$(finds good)"
rm "$tmp/good/python3" && machine good 'sys'
same 'and is used again' "$tmp/good/env/bin/python (0)" "$(finds good)"

# ---- Leftovers of commands that fail ----

# fails NAME WHAT: a command that does something, complains and fails.
fails() {
    mkdir -p "$tmp/failing"
    printf '%s\n' '#!/bin/sh' "$2" "echo '$1: no luck' >&2" 'exit 1' >"$tmp/failing/$1"
    chmod +x "$tmp/failing/$1"
}
fails localedef 'for last; do :; done; mkdir -p "$last"'
fails script :
fails debootstrap 'mkdir -p "$4/bin"'
with_failing() {
    mkdir -p "$tmp/build"
    PATH="$tmp/failing:$PATH" BUILD="$tmp/build" "$@" 2>&1
    echo "($?)"
}
for time in once twice; do
    same "a locale, $time" 'skipped: localedef makes no de_DE.UTF-8: localedef: no luck (0)' "$(with_failing sh tests/locale.sh | tr '\n' ' ' | sed 's/ $//')"
done
mkdir -p "$tmp/build/locale/de_DE.UTF-8"
same 'a folder without a locale' 'skipped: localedef makes no de_DE.UTF-8: localedef: no luck (0)' "$(with_failing sh tests/locale.sh | tr '\n' ' ' | sed 's/ $//')"
same 'a terminal' 'skipped: no pseudo-terminal here: script: no luck (0)' "$(with_failing sh tests/terminal.sh | tr '\n' ' ' | sed 's/ $//')"
# make_root, as if it were allowed here.
root_of() {
    with_failing env MIRROR=nowhere sh -c '. tests/roots.sh; roots=$BUILD/bare; why_no_roots() { false; }; apart() { "$@"; }; make_root some >/dev/null && echo made || echo none; ls "$roots"'
}
for time in once twice; do
    same "half a root, $time" 'none some.made.log (0)' "$(root_of | tr '\n' ' ' | sed 's/ $//')"
done
same 'a compiler that is missing' 'FAIL  no-such-cc: not installed here, and no release is allowed (1)' \
    "$(with_failing env COMPILERS=no-such-cc RELEASES=none sh tests/compilers.sh | tr '\n' ' ' | sed 's/ $//')"
counts
