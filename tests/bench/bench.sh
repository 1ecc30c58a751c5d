#!/bin/sh
# What `make bench` prints: slots of every example, pairs a second, reading speed beside two
# other assemblers, and the interpreter's speed.
set -u
cd "$(dirname "$0")/../.." || exit 2
: "${BUILD:=build}"
bench=$BUILD/tests/bench/bench
pairs=$(ls -d examples/*/ | sed "s,/$,,")
echo "== slots"
"$bench" slots $pairs || exit 1
echo "== speed, one core"
"$bench" speed $pairs || exit 1
echo "== planning at -O2, one core"
"$bench" plan $pairs || exit 1
echo "== reading, beside other assemblers"
"$bench" front $pairs || exit 1
. tests/wine/wine.sh
ls examples/*/*.?sh >"$BUILD/tests/bench/list"
if wine_begin && x86_64-w64-mingw32-gcc -std=c11 -O2 -o "$BUILD/tests/bench/wine_front.exe" tests/bench/wine_front.c -ld3dx9_43 &&
	wine_env timeout -k 5 60 wine "$BUILD/tests/bench/wine_front.exe" "$BUILD/tests/bench/list" "$BUILD/tests/bench/wine.out"; then
	awk '{ printf "Wine: %.1f MB/s, %.2f us a file (assembled, %d files)\n", 1e-6 * $2 / $3, 1e6 * $3 / $1, $1 }' \
		"$BUILD/tests/bench/wine.out"
else
	echo "Wine: no answer, see $BUILD/tests/wine/log"
fi
echo "== interpreter, one core"
"$bench" verify $pairs
"$bench" image examples/gaussian13
echo "== batch, 10,050 pairs in a memory file system if there is one"
shm=$(mktemp -d /dev/shm/fpmove.XXXXXX 2>/dev/null || mktemp -d)
trap 'rm -rf "$shm"' EXIT
mkdir "$shm/in"
i=0
while [ $i -lt 150 ]; do
	i=$((i + 1))
	cp -R examples "$shm/in/$i"
	[ $i -gt 1 ] || rm -rf "$shm/in/$i/lightmap"
done
rm -rf "$shm"/in/*/lightmap
timed() { # timed NAME COMMAND...: wall time in ms, to $ms
	what=$1
	shift
	from=$(date +%s%N)
	"$@" >"$BUILD/tests/bench/null" 2>&1
	ms=$((($(date +%s%N) - from) / 1000000))
	echo "$what: $ms ms"
}
timed "cp -r" cp -r "$shm/in" "$shm/copy"
for level in 1 2; do
	for j in 1 2; do
		rm -rf "$shm/out"
		timed "--batch -O$level -j$j" "$BUILD/fpmove" --batch "$shm/in" -o "$shm/out" -O$level -j $j
	done
done
peak() { # peak WHAT COMMAND...
	what=$1
	shift
	python3 -c '
import resource, subprocess, sys
subprocess.run(sys.argv[2:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
print("%s: %.0f MB" % (sys.argv[1], resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024))' "$what" "$@"
}
reports="--report $shm/r.json --csv $shm/r.csv --html $shm/r.html"
peak "memory for 67 pairs, -j2, all reports" "$BUILD/fpmove" --batch "$shm/in/1" -o "$shm/out1" -O1 -j 2 $reports
peak "memory for 10,050 pairs, -j2" "$BUILD/fpmove" --batch "$shm/in" -o "$shm/out" -O1 -j 2 --report "$shm/r.json" --csv "$shm/r.csv"
yes | head -n 100000 | awk '{ printf "a/%d.vsh a/%d.psh\n", NR, NR }' >"$shm/list"
peak "memory for the names of 100,000 pairs" "$BUILD/fpmove" --batch "$shm/list" -o "$shm/out1" --shard 1/100000
rm -rf "$shm/out"
each() { for d in "$shm"/in/1/*/ "$shm"/in/2/*/; do "$BUILD/fpmove" "$d/vp.vsh" "$d/fp.psh" -q -O1 -o "$shm/out/$d"; done; }
timed "one process for each of $(ls -d "$shm"/in/1/*/ "$shm"/in/2/*/ | wc -l) pairs, -O1" each
