#!/bin/sh
# list.sh WORK OPTIONS...: prints for each example the lines of a list (GROUP NAME VP FP CONSTANTS): `before`, and one for each of the
# options.  The programs go to WORK.
set -u
: "${BUILD:=build}"
work=$1
shift
for vp in examples/*/vp.vsh; do
	ex=$(basename "$(dirname "$vp")")
	for how in -O0 "$@"; do
		out=$work/$ex/$how
		mkdir -p "$out"
		"$BUILD/fpmove" "$how" -q --report="$out/report.json" "$vp" "examples/$ex/fp.psh" -o "$out" || exit 1
		name=$how
		[ "$how" != -O0 ] || name=before
		printf '%s\t%s\t%s\t%s\t%s\n' "$ex" "$name" "$out/vp.vsh" "$out/fp.psh" "$out/report.json"
	done
done | python3 -c '
import json, sys
for line in sys.stdin:
    *head, report = line.rstrip("\n").split("\t")
    pair, = json.load(open(report))["pairs"]
    constants = ",".join("v%d=p%d" % (c["vs"], c["ps"]) for c in pair["constants"])
    print(*head, constants or "-", sep="\t")'
