#!/bin/sh
# Prints the figures of `make bench`: slots of every example, pairs a second, reading speed beside two other assemblers, and the
# interpreter's speed.
set -u
cd "$(dirname "$0")/../.." || exit 2
: "${BUILD:=build}"
bench=$BUILD/tests/bench/bench
pairs=$(ls -d examples/*/ | sed "s,/$,,")
echo "== slots"
"$bench" slots $pairs || exit 1
echo "== speed, one core: bench speed examples/*"
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
exec tests/bench/batch.sh
