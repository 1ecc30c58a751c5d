#!/bin/sh
# Prints the table of fpmove-gpu's workloads: before and after moving for slots (-O2) and for this GPU (-O2 with a target that calibrate
# measures first), each measured and predicted.
#
#     workloads.sh         on the GPU here, with the fpmove-gpu of $BUILD
#     workloads.sh -r DIR  with DIR/fpmove-gpu, on a machine where nothing is built; files go to DIR
#
# SMALL holds options for every run, such as --size=64, behind its own.
set -u
: "${BUILD:=build}" "${SMALL:=}"
gpu=$BUILD/fpmove-gpu dir=$BUILD/tests/bench/workloads
[ "${1-}" != -r ] || { gpu=$2/fpmove-gpu dir=$2; }
mkdir -p "$dir"
predict() { # predict FILE.csv OPTIONS...: all workloads, and some in other formats and sizes
	file=$1
	shift
	: >"$file"
	for job in all "gauss conv3 sort --format=rgba8" "lu --size=1024 --form=i3-mask-switch" "morphology --taps=1024" "nbody --size=8192 --steps=5"; do
		# shellcheck disable=SC2086
		"$gpu" predict $job $SMALL "$@" --csv="$dir/job.csv" >"$dir/job.txt" 2>&1 || { cat "$dir/job.txt"; exit 1; }
		cat "$dir/job.csv" >>"$file"
	done
}
# shellcheck disable=SC2086
"$gpu" calibrate -o "$dir/target.json" ${CALIBRATE:-} >"$dir/calibrate.txt" 2>&1 || { cat "$dir/calibrate.txt"; exit 1; }
predict "$dir/slots.csv"
predict "$dir/calibrated.csv" --target-file="$dir/target.json"
grep -m 1 '^on ' "$dir/calibrate.txt" "$dir/job.txt" | head -n 1 | sed 's/.*:on /on /'
awk -F '"?,"?' '
function line(name) { sub(/^"/, "", name); return name }
# The numbers that set the size of a workload.
function sizes(numbers,  n, k, part, made) {
	n = split(numbers, part, " ")
	for (k = 1; k <= n; k++)
		if (part[k] ~ /^(size|taps)=/) {
			sub(/.*=/, "", part[k])
			made = made (made ? "/" : "") part[k]
		}
	return made
}
$1 == "workload" { next }
{ job = line($1) " " $2 " " sizes($3) " " $4 }
FNR == NR && $5 == "as given" && $6 == "T2 ms" { order[++n] = job; passes[job] = $7; ms[job] = $8; said[job] = $10 }
$5 == "-O2" && $6 == "ratio" { ratio[FILENAME, job] = $8; guess[FILENAME, job] = $10 }
END {
	print "|workload|passes|ms|predicted|-O2|predicted|calibrated|predicted|"
	print "|---|---|---|---|---|---|---|---|"
	for (k = 1; k <= n; k++) {
		j = order[k]
		printf "|%s|%d|%.3f|%.3f|%.3f|%.3f|%.3f|%.3f|\n", j, passes[j], ms[j], said[j],
			ratio[ARGV[1], j], guess[ARGV[1], j], ratio[ARGV[2], j], guess[ARGV[2], j]
	}
}' "$dir/slots.csv" "$dir/calibrated.csv"
