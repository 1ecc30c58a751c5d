#!/bin/sh
# Compares a batch with copying its files: 10,000 different pairs, the examples and random ones.  Also its memory for 100 to 100,000 pairs,
# and one process for each pair.  Files are in a memory file system if there is one.  --table prints only the rows for the table in
# fpmove-speed(7).
set -u
cd "$(dirname "$0")/../.." || exit 2
: "${BUILD:=build}" "${ROUNDS:=5}" "${PAIRS:=10000}"
table=${1:-}
fpmove=$(realpath "$BUILD/fpmove") bench=$(realpath "$BUILD/tests/bench/bench") soak=$(realpath "$BUILD/tests/soak/soak")
work=$(mktemp -d /dev/shm/fpmove.XXXXXX 2>/dev/null || mktemp -d)
trap 'rm -rf "$work"' EXIT
examples=$(realpath examples)
cd "$work" || exit 2

# Random pairs in folders of 100, without those that no model or budget can hold.
mkdir in costs
cp -R "$examples" in/examples
wanted=$((PAIRS - $(ls -d in/examples/*/ | wc -l)))
"$soak" -w random $((PAIRS + PAIRS / 10))
"$fpmove" --batch random -O1 -o out -q --csv csv >log 2>&1
awk -F, -v wanted=$wanted '$3 == "improved" || $3 == "unchanged" { gsub("\"", ""); print $1, $2; if (++n == wanted) exit }' csv >legal
awk '{ d = sprintf("in/%03d", NR / 100); print "mkdir -p " d; print "mv", $1, $2, d }' legal | uniq >moves
sh moves
rm -rf out random

# cost NAME COMMAND...: adds one more measurement to costs/NAME
cost() {
	what=$1
	shift
	rm -rf out
	"$bench" cost "$@" >>"costs/$what"
}
# median NAME COLUMN
median() { cut -d' ' -f"$2" "costs/$1" | sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }
round=0
while [ $round -lt "$ROUNDS" ]; do
	round=$((round + 1))
	cost cp cp -r in out
	cost O1-j1 "$fpmove" --batch in -o out -O1 -j 1
	cost O1-j2 "$fpmove" --batch in -o out -O1 -j 2
done
cost O2-j1 "$fpmove" --batch in -o out -O2 -j 1
cost O2-j2 "$fpmove" --batch in -o out -O2 -j 2
[ "$table" ] || echo "== batch of $PAIRS pairs on $(nproc) cores, medians of $ROUNDS (-O2: once):" \
	"ms of the clock, of processors, in the system"
for run in cp O1-j2 O1-j1 O2-j2 O2-j1; do
	echo "$(median $run 1) $(median $run 2) $(median $run 3)" | awk -v n="$PAIRS" -v run=$run -v table="$table" '
		function ms(x) { return !table || x < 999.5 ? sprintf("%.0f", x) : sprintf("%d,%03d", (x + .5) / 1000, (x + .5) % 1000) }
		{ name = run == "cp" ? "cp -r" : "--batch -" run; sub("-j", " -j ", name); if (table) gsub("-", "\\\\-", name)
		  printf table ? "%s\t%s\t%s\t%s" : "%-22s%8s%8s%8s", name, ms($1), ms($2 + $3), ms($3)
		  print table || run == "cp" ? "" : sprintf("%8.0f pairs/s", 1000 * n / $1) }'
done
[ -z "$table" ] || exit 0
echo "== one process for each pair, -O1"
ls -d in/examples/*/ >folders
awk -v f="$fpmove" '{ print f, $1 "vp.vsh", $1 "fp.psh -q -O1 -o out" }' folders >each
cost each sh each
echo "$(median each 1) $(wc -l <folders) $(median O1-j1 1)" | awk -v n="$PAIRS" \
	'{ printf "%.2f ms a pair, %.2f ms in a batch with -j1: %.0f times\n", $1 / $2, $3 / n, $1 / $2 / ($3 / n) }'
echo "== memory, -O1 with --report, --csv and --html"
mkdir tree
i=0
while [ $i -lt 10 ]; do
	ln -s "$work/in" tree/$i
	i=$((i + 1))
done
(cd in && find . -name '*.vsh' | sort) | awk -v n="$PAIRS" '{ p = $1; sub("vp.vsh$", "fp.psh", p); sub("vsh$", "psh", p);
	for (i = 0; i < 10; i++) print "tree/" i "/" $1, "tree/" i "/" p }' >list
for n in 100 "$PAIRS" $((10 * PAIRS)); do
	head -n "$n" list >part
	cost "memory$n" "$fpmove" --batch part -o out -O1 --report r.json --csv r.csv --html r.html
	echo "$(median "memory$n" 4) $(wc -c <r.html)" | awk -v n="$n" '{ printf "%d pairs: %.1f MB (page of %.1f MB)\n", n, $1, 1e-6 * $2 }'
done
