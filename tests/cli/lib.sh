# Helpers for suites that run the command in folders of their own, to be sourced with bash
# from the top of the tree with $BUILD set.  Each case starts with the 3-tap example as vp.vsh
# and fp.psh.  Prints TAP; `finish` ends the last case and the suite's plan is `1..$n`.
#
#     cli_begin NAME          the suite's folder: $work, below $BUILD/tests
cli_begin() {
	top=$(pwd)
	fpmove=$(cd "$BUILD" && pwd)/fpmove
	work=$top/$BUILD/tests/$1
	example=$top/examples/convolution3
	rm -rf "$work"
	mkdir -p "$work"
}
n=0

# case_ NAME: ends the case before and begins a new one; a case that was skipped sets $skip to the reason
name=
skip=
trouble=
finish() {
	[ -n "$name" ] || return 0
	left=$(find . -name '.fpmove-*')
	[ -z "$left" ] || trouble="$trouble; temporary files left: $left"
	n=$((n + 1))
	if [ -z "$trouble" ]; then
		echo "ok $n - $name${skip:+ # SKIP $skip}"
	else
		echo "not ok $n - $name${trouble}"
		sed 's/^/# stderr: /' "$work/stderr" | head -20
	fi
}
case_() {
	finish
	name=$1
	trouble=
	skip=
	dir=$work/case$((n + 1))
	mkdir -p "$dir"
	cd "$dir" || exit 2
	cp "$example/vp.vsh" "$example/fp.psh" .
}
# lacks TOOL: skips the case because TOOL is missing; in CI, where it must be there, the case fails
lacks() { if [ -n "${CI:-}" ]; then wrong "$1 is not there"; else skip="$1 is not there"; fi; }
# Skips the case if the suite runs in Wine (tests/in_wine).
in_wine() { [ -n "${IN_WINE:-}" ] && skip="not in Wine"; }
wrong() { trouble="$trouble; $1"; }
# status N COMMAND...: runs it and checks its status; its output goes to $work/stdout and stderr
status() {
	want=$1
	shift
	"$@" >"$work/stdout" 2>"$work/stderr" </dev/null
	got=$?
	[ $got -eq "$want" ] || wrong "status $got, not $want, from: $*"
}
says() { grep -qF -e "$1" "$work/stderr" || wrong "standard error does not say: $1"; }
prints() { grep -qF -e "$1" "$work/stdout" || wrong "standard output does not say: $1"; }
# answers STATUS TEXT ARGUMENT..., outputs STATUS TEXT ARGUMENT...: run the command, and check its status and that standard error, or
# standard output, has the text
answers() { status "$1" "$fpmove" "${@:3}"; says "$2"; }
outputs() { status "$1" "$fpmove" "${@:3}"; prints "$2"; }
absent() { for f; do [ ! -e "$f" ] || wrong "$f is there"; done; }
present() { for f; do [ -s "$f" ] || wrong "$f is not there"; done; }
same() { cmp -s "$1" "$2" || wrong "$1 differs from $2"; }
