# SPDX-License-Identifier: Apache-2.0
# first_steps.sh - the commands of the first section of docs/TUTORIAL.md, as it says for an installed program: without
# build/bin/, and with the output that it shows.
set -e
PATH=/v/bin:$PATH
mkdir -p build
awk '/^## / && n++ { exit } /^```console/ { inside = 1; next } /^```/ { inside = 0 } inside' TUTORIAL.md | sed 's|build/bin/||g' >wanted
sed -n 's/^\$ //p' wanted >commands
test "$(wc -l <commands)" -ge 4
while read -r command; do
    echo "\$ $command"
    sh -c "$command" | awk '{ line[NR] = $0 } /./ { last = NR } END { for (i = 1; i <= last; i++) print line[i] }'
done <commands >got
diff wanted got
