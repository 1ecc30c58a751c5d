#!/bin/sh
# Prints the figures of `make bench-gpu`: for every example moved with each of OPTIONS (-O2 --target=h200), the time of a draw on this GPU
# relative to that of the original, and the prediction of the profile; with and without texture filtering.
#
#     gpu.sh [OPTIONS...]
#     gpu.sh -w DIR [OPTIONS...]    only writes programs, lists and the command to DIR
#     gpu.sh -r DIR                 only runs them, on a machine where nothing is built; from the same folder
#
# `DIR/fpmove-gpu time -O none --batch DIR/rates` times the programs by which the profile's weights were measured.
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
	mkdir -p "$dir" && cp -r examples "$dir/programs" && cp "$BUILD/fpmove-gpu" "$dir/fpmove-gpu" || exit 1
	printf '%s\n' "$@" >"$dir/options"
	python3 tests/bench/gpu_rates.py "$dir/kernels" "$dir/rates" || exit 1
fi
[ -n "$run" ] || exit 0
set --
while read -r option; do set -- "$@" "$option"; done <"$dir/options"
for filter in linear nearest; do
	echo "textures read by --filter=$filter"
	"$dir/fpmove-gpu" time "$@" --filter=$filter --csv="$dir/times-$filter.csv" --batch "$dir/programs" || exit 1
done
