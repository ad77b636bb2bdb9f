#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# bare.sh - `make bare`: the two commands of README.md on machines that have a C compiler and make and nothing else:
# minimal roots of Debian 12 and 13 (roots.sh). Needs root, debootstrap and a mirror; it fails where it cannot run.
#   RELEASES='trixie'   only these
cd "$(dirname "$0")/.." || exit 3
. tests/roots.sh
if why=$(why_no_roots); then
    echo "bare: cannot run: $why" >&2
    exit 1
fi
bad=0
for release in ${RELEASES:-bookworm trixie}; do
    make_root "$release" && copy_tree "$release" || { echo "FAIL  $release"; bad=1; continue; }
    for command in 'make demo' 'make check'; do
        log=$roots/$release.${command#make }.log
        if in_root "$release" "$command" >"$log" 2>&1; then result=ok; else result=FAIL; bad=1; fi
        if grep -q 'warning:' "$log"; then result=FAIL; bad=1; fi
        printf '%-5s %s, %s: %s\n' "$result" "$release" "$command" "$(tail -n 1 "$log" | cut -c1-1000)"
        [ $result = ok ] || { grep -e '^FAIL' -e 'failed:' -e 'warning:' -e 'error:' "$log" | head -n 20; echo "      $log"; }
    done
    rm -rf "$roots/$release/tessera"
done
exit $bad
