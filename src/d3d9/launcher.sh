#!/bin/sh
# fpmove-d3d9 on Linux: starts fpmove-d3d9.exe in Wine, and says what is missing.
#
# Wine gets a prefix of its own, $FPMOVE_WINEPREFIX or fpmove/wine in the user's cache, and, if DISPLAY is not set, a screen of Xvfb.
# Runs wait for each other, since each one ends the prefix's server (wineserver): a server that another run left would not know this
# run's screen, and nothing would be drawn.
set -u

die() {
	echo "fpmove-d3d9: error: $1" >&2
	exit 2
}

here=$(dirname "$(readlink -f "$0")")
for exe in "$here/fpmove-d3d9.exe" "$here/../lib/fpmove/fpmove-d3d9.exe" ''; do
	[ ! -f "$exe" ] || break
done
[ -n "$exe" ] || die "there is no fpmove-d3d9.exe beside $here/fpmove-d3d9; make d3d9 builds it"
wine=$(command -v "${WINE:-wine}" || { [ -z "${WINE:-}" ] && command -v wine64; }) || die "there is no Wine; on Debian: apt-get install wine wine64"

prefix=${FPMOVE_WINEPREFIX:-${XDG_CACHE_HOME:-${HOME:?}/.cache}/fpmove/wine}
mkdir -p "$(dirname "$prefix")" 2>/dev/null && exec 9>"$prefix.lock" || die "$(dirname "$prefix") cannot be written to; FPMOVE_WINEPREFIX names another folder"
flock 9
WINEPREFIX=$prefix WINEDEBUG=${WINEDEBUG:--all} WINEDLLOVERRIDES=${WINEDLLOVERRIDES:-mscoree,mshtml,winemenubuilder.exe=}
export WINEPREFIX WINEDEBUG WINEDLLOVERRIDES
unset WINEARCH

screen=
# Ends Wine's server and waits until it is gone, so that the next run starts its own; then ends Xvfb if this run started it.
finish() {
	wineserver -k 9>&-
	wineserver -w 9>&-
	[ -z "$screen" ] || { kill "$screen" && rm -f "$prefix.screen"; } 2>/dev/null
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' HUP TERM

if [ -z "${DISPLAY:-}" ]; then
	command -v Xvfb >/dev/null || die "there is no screen: DISPLAY names none, and there is no Xvfb; on Debian: apt-get install xvfb libgl1-mesa-dri"
	: >"$prefix.screen"
	Xvfb -displayfd 8 -screen 0 320x240x24 -nolisten tcp 8>"$prefix.screen" >/dev/null 2>&1 9>&- &
	screen=$!
	for try in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		[ ! -s "$prefix.screen" ] || break
		kill -0 "$screen" 2>/dev/null || break
		sleep 0.2
	done
	DISPLAY=:$(cat "$prefix.screen")
	[ "$DISPLAY" != : ] || die "Xvfb does not start"
	export DISPLAY
fi

# The prefix is made under another name and renamed at the end, so that an interrupted run leaves no incomplete one.
if [ ! -d "$prefix" ]; then
	echo "fpmove-d3d9: note: making a prefix for Wine, once: some seconds, and 700 MB in $prefix" >&2
	rm -rf "$prefix.new"
	WINEPREFIX=$prefix.new "$wine" wineboot -i >/dev/null 2>&1 9>&-
	WINEPREFIX=$prefix.new wineserver -w 9>&-
	[ -f "$prefix.new/system.reg" ] || die "$wine makes no prefix in $prefix.new"
	mv "$prefix.new" "$prefix"
fi

"$wine" "$exe" "$@" 9>&-
status=$?
[ "$status" -le 2 ] || die "$wine ended with status $status; WINEDEBUG=err+all has it say more"
exit "$status"
