# SPDX-License-Identifier: Apache-2.0
# common.sh - shared by the test scripts, which source it at the start. BUILD is the build under test, tmp a folder that
# is deleted with the script, error a file in it with the messages of the last command. A script ends with `counts`,
# whose line check.sh adds up.
BUILD=${BUILD:-build}
passed=0 failed=0
tmp=$(mktemp -d) || exit 3
trap 'rm -rf "$tmp"' EXIT

good() {
    passed=$((passed + 1))
}

bad() { # bad WHAT [N]: with N, and the first N lines of the error
    failed=$((failed + 1))
    echo "FAIL $1"
    [ -z "$2" ] || head -n "$2" "$tmp/error"
}

counts() { # true when nothing failed
    echo "$passed passed, $failed failed"
    [ $failed -eq 0 ]
}

sanitizers() { # the flag of the build that is tested, or nothing
    sed -n 's/.*\(-fsanitize=[^ ]*\).*/\1/p' "$BUILD/flags" 2>/dev/null
}

numbered() { # numbered FLAG STEM: FLAG=STEM0.npy, FLAG=STEM1.npy, ... as far as there are files, one a line
    n=0
    while [ -f "$2$n.npy" ]; do
        echo "$1=$2$n.npy"
        n=$((n + 1))
    done
}
