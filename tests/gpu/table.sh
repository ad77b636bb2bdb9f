#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# table.sh STATE DEVICE - the table of what the units in STATE/units found. Exit: as device.sh.
kinds=$(dirname "$0")/kinds.awk
while read -r unit; do
    if [ -e "$1/$unit.done" ]; then
        sed -n "1s/^/$unit /p" "$1/$unit.done"
        sed 1d "$1/$unit.done" | awk -f "$kinds" | sed "s/^/$unit /"
    else
        echo "$unit left"
    fi
done <"$1/units" | awk -v device="$2" '
    { part = $1; sub(/\..*/, "", part)
      if (!(part in units)) order[++nparts] = part
      if ($1 != last) { units[part]++; last = $1; first = 1 } }
    $2 == "left" { left[part]++; nleft++; first = 0; next }
    first { passed[part] += $2; failed[part] += $3; seconds[part] += $4; first = 0
            if ($3 > 0) wrong = wrong "  " $1 "\n"
            next }
    { kind = $4; for (i = 5; i <= NF; i++) kind = kind " " $i
      of_kind[kind] += $2; groups[part] += $2
      if (kind == "other") on_host[$3] += $2 }
    END {
        printf "%-14s %11s %8s %7s %9s %12s\n", device, "units", "passed", "failed", "seconds", "host groups"
        for (i = 1; i <= nparts; i++) {
            p = order[i]
            printf "%-14s %5d of %3d %7d %7d %9d %12d\n", p, units[p] - left[p], units[p], passed[p], failed[p], seconds[p], groups[p]
            allpassed += passed[p]; allfailed += failed[p] }
        line = more = ""
        for (k in of_kind) line = line (line == "" ? "" : ", ") of_kind[k] " " k
        for (k in on_host) more = more (more == "" ? "" : ", ") on_host[k] " " k
        print "on the host: " (line == "" ? "nothing" : line) (more == "" ? "" : ": " more)
        if (wrong != "") printf "failed:\n%s", wrong
        printf "%d passed, %d failed%s\n", allpassed, allfailed, nleft ? ", " nleft " units left" : ""
        exit allfailed ? 1 : nleft ? 75 : allpassed ? 0 : 1 }'
