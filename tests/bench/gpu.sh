#!/bin/sh
# What `make bench-gpu` prints: for every example rewritten with each of OPTIONS (--target=h200), the time
# of its pixel program on the GPU here, to that of the original, and what the profile says.
#
#     gpu.sh [OPTIONS...]
#
# For a GPU elsewhere: `gpu.sh -w DIR OPTIONS...` leaves programs, lists and the timer in DIR, and there
# `DIR/gpu DIR/examples` and `DIR/gpu DIR/rates` run, from the folder where this ran.
set -u
cd "$(dirname "$0")/../.." || exit 2
: "${BUILD:=build}"
dir=$BUILD/tests/bench/work write=
if [ "${1-}" = -w ]; then
	dir=$2 write=yes
	shift 2
fi
[ $# -gt 0 ] || set -- --target=h200
rm -rf "$dir/programs" "$dir/kernels"
mkdir -p "$dir"
tests/opengl/list.sh "$dir/programs" "$@" >"$dir/examples" && python3 tests/bench/gpu_rates.py "$dir/kernels" "$dir/rates" || exit 1
cp "$BUILD/tests/bench/gpu" "$dir/gpu" || exit 1
[ -z "$write" ] || exit 0
for filter in '' -p; do
	# shellcheck disable=SC2086
	"$dir/gpu" $filter "$dir/examples" >"$dir/times$filter.csv" || exit 1
	head -1 "$dir/times$filter.csv"
	[ -z "$filter" ] && echo "textures filtered linearly" || echo "textures not filtered"
	awk -F, '!/^#/ && NR > 2 && $2 != "before" { printf "%-22s %-14s measured %.3f  predicted %.3f\n", $1, $2, $5, $7 }' \
		"$dir/times$filter.csv"
done
