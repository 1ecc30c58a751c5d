#!/bin/sh
# What `make bench-gpu` prints: for every example rewritten with each of OPTIONS (-O2 --target=h200), the time
# of the draw on the GPU here, to that of the original, and what the profile says.
#
#     gpu.sh [OPTIONS...]
#     gpu.sh -w DIR [OPTIONS...]    only writes programs, lists and the timer to DIR
#     gpu.sh -r DIR                 only runs them, on a machine where nothing is built; from the same folder
#
# `DIR/gpu DIR/rates` times the programs that the profile's weights were taken from.
set -u
cd "$(dirname "$0")/../.." || exit 2
: "${BUILD:=build}"
dir=$BUILD/tests/bench/work write=yes run=yes
case ${1-} in
-w) dir=$2 run= && shift 2 ;;
-r) dir=$2 write= && shift 2 ;;
esac
[ $# -gt 0 ] || set -- -O2 --target=h200

if [ -n "$write" ]; then
	rm -rf "$dir"
	mkdir -p "$dir"
	tests/opengl/list.sh "$dir/programs" "$@" >"$dir/examples" &&
		python3 tests/bench/gpu_rates.py "$dir/kernels" "$dir/rates" && cp "$BUILD/tests/bench/gpu" "$dir/gpu" || exit 1
fi
[ -n "$run" ] || exit 0
for filter in "" -p; do
	"$dir/gpu" $filter "$dir/examples" >"$dir/times$filter.csv" || exit 1
	head -1 "$dir/times$filter.csv"
	[ -z "$filter" ] && echo "textures filtered linearly" || echo "textures not filtered"
	awk -F, '
	/^#/ || $1 == "group" || $2 == "before" { next }
	{
		printf "%-22s %-14s measured %.3f  predicted %.3f\n", $1, $2, $5, $7
		error = $5 > $7 ? $5 / $7 - 1 : $7 / $5 - 1
		n[$2]++; errors[$2] += error
		if (error > most[$2]) { most[$2] = error; where[$2] = $1 }
		if ($5 > slowest[$2]) { slowest[$2] = $5; which[$2] = $1 }
		slower[$2] += $5 > 1.01; faster[$2] += $5 < 0.99
	}
	END {
		for (o in n)
			printf "%s: %d examples, %d faster and %d slower by over 1%%, slowest %.3f (%s); prediction off by %.1f%% on average, %.0f%% at most (%s)\n",
				o, n[o], faster[o], slower[o], slowest[o], which[o], 100 * errors[o] / n[o], 100 * most[o], where[o]
	}' "$dir/times$filter.csv"
done
