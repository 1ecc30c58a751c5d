# Wine for the test suites, to be sourced from the top of the tree with $BUILD set:
#
#     . tests/wine/wine.sh
#     wine_skip                 ends the suite as skipped where make could not compile fpmove-d3d9; in CI that fails
#     wine_d3d9 SECONDS ARGUMENT...  fpmove-d3d9.exe, on a screen; its status, and what it prints in $wine_dir/d3d9.out and .err
#     wine_assemble LIST OUT    assemble the files named in LIST, one a line; OUT as src/d3d9/assembling.c
#                               says of --tokens.  Fails if the answer is not whole.
#     wine_hlsl SOURCE ENTRY PROFILE OUT  compile to bytecode
#     wine_32                   from now on programs of 32 bits run, too, as far as they need no more than C's library
#     wine_render LIST INDEX PIXELS   draw the pairs of LIST, as src/d3d9/images.c says
#     wine_effect LIST OUT      draw the compiled effects of LIST, as effect.c says
#
# With wine_without=LIBRARY in the environment, programs do not find that library.
# All files lie under $BUILD/tests/wine: the prefix (made once, some seconds and 700 MB), a
# home of its own, so that nobody's ~/.wine or desktop is touched, and the .exe files.  Suites
# may use it at the same time: they wait for each other.  The server and Wine's services stay until the suite ends: without them each
# program would begin them anew.
# wine_driver=llvmpipe in the environment draws with Mesa's other renderer: a minute for all
# examples instead of seconds, and exact to 1e-4 where softpipe is to some thousandths of a pixel.
# Output goes to files, never to a pipe: Wine's services keep one open for seconds.

: "${BUILD:=build}"
mkdir -p "$BUILD/tests/wine/home" || exit 2
wine_dir=$(cd "$BUILD/tests/wine" && pwd) || exit 2
wine_log=$wine_dir/log
wine_is_up=
wine_has_tool=
wine_display=
wine_xvfb=
wine_more=

# wine_env COMMAND...: runs every call of Wine
wine_env() {
	env -u DISPLAY -u WAYLAND_DISPLAY -u WINEARCH HOME="$wine_dir/home" WINEPREFIX="$wine_prefix" \
		WINEDEBUG=-all WINEDLLOVERRIDES="${wine_without:-}mscoree,mshtml,winemenubuilder.exe=" ${wine_more:+WINEDLLPATH="$wine_more"} \
		${wine_display:+DISPLAY="$wine_display"} GALLIUM_DRIVER="${wine_driver:-softpipe}" LIBGL_ALWAYS_SOFTWARE=1 "$@" </dev/null >>"$wine_log" 2>&1 9>&-
}

wine_skip() {
	[ ! -e "$BUILD/windows/libraries/ready" ] && [ -z "${CI:-}" ] || return 0
	echo "ok 1 - ${0%/run} # SKIP no sources of jansson and mcpp; make test-deps says why"
	echo "1..1"
	exit 0
}

wine_die() {
	echo "# Wine: $1; its output:"
	tail -n 20 "$wine_log" | sed 's/^/#   /'
	return 1
}

# The prefix is made under another name, so that an interrupted start leaves none.
wine_make_prefix() {
	rm -rf "$wine_dir/prefix.new"
	wine_prefix=$wine_dir/prefix.new
	wine_env timeout -k 5 180 wine wineboot -i || return 1
	wine_env timeout -k 5 60 wineserver -w || return 1
	[ -f "$wine_prefix/system.reg" ] || return 1
	mv "$wine_prefix" "$wine_dir/prefix"
}

# wine_build NAME LIBRARY...: $BUILD/tests/wine/NAME.exe, a 64-bit program, from NAME.c
wine_build() {
	wine_exe=$wine_dir/$1.exe wine_src=tests/wine/$1.c
	shift
	[ -f "$wine_exe" ] && [ -z "$(find "$wine_src" -newer "$wine_exe")" ] && return 0
	x86_64-w64-mingw32-gcc -std=c11 -O2 -Wall -Wextra -Werror -I. -o "$wine_exe.new" "$wine_src" "$@" \
		>>"$wine_log" 2>&1 && mv "$wine_exe.new" "$wine_exe"
}

wine_begin() {
	[ -z "$wine_is_up" ] || return 0
	exec 9>"$wine_dir/lock"
	flock -w 1800 9 || { wine_die "another suite holds the prefix"; return 1; }
	: >"$wine_log"
	wine_is_up=yes
	trap wine_end EXIT
	trap 'exit 1' HUP INT TERM
	[ -d "$wine_dir/prefix" ] || wine_make_prefix || { wine_die "no prefix"; return 1; }
	wine_prefix=$wine_dir/prefix
	wine_env wineserver -p
}

# 64-bit Wine runs 32-bit programs by itself (WoW64), with libraries that Debian has in another package.
wine_32() {
	wine_more=$PWD/$BUILD/windows/libraries/wine32
	[ -e "$wine_more/ready" ] || tests/wine/fetch32.sh "$wine_more" >>"$wine_log" 2>&1 || { wine_die "no libraries of 32 bits"; return 1; }
	mkdir -p "$wine_prefix/drive_c/windows/syswow64" && ln -sf "$wine_more"/i386-windows/* "$wine_prefix/drive_c/windows/syswow64"
}

# Waits for the server: a program that starts while the last server ends is killed with it.
wine_stop() {
	wine_env timeout -k 5 30 wineserver -k
	wine_env timeout -k 5 30 wineserver -w
}

wine_end() {
	[ -z "$wine_is_up" ] || wine_stop
	[ -z "$wine_xvfb" ] || kill "$wine_xvfb" 2>/dev/null
	wine_is_up='' wine_xvfb='' wine_display=''
}

# A screen of our own.  A server that was started without one is ended, as Direct3D would not work.
wine_screen() {
	[ -z "$wine_xvfb" ] || return 0
	wine_stop
	rm -f "$wine_dir/display"
	Xvfb -displayfd 8 -screen 0 320x240x24 -nolisten tcp 8>"$wine_dir/display" >>"$wine_log" 2>&1 9>&- &
	wine_xvfb=$!
	for wine_try in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		[ -s "$wine_dir/display" ] && wine_display=:$(cat "$wine_dir/display") && wine_env wineserver -p && return 0
		kill -0 "$wine_xvfb" 2>/dev/null || break
		sleep 0.5
	done
	return 1
}

# make builds the tool if necessary; a make above has its own slots.
wine_tool() {
	wine_exe=$BUILD/fpmove-d3d9.exe
	[ -z "$wine_has_tool" ] || return 0
	env -u MAKEFLAGS -u MAKELEVEL make --no-print-directory -s -j1 BUILD="$BUILD" d3d9 >>"$wine_log" 2>&1 || { wine_die "fpmove-d3d9 does not compile"; return 1; }
	wine_has_tool=yes
}

wine_d3d9() {
	wine_begin && { wine_screen || { wine_die "Xvfb does not start"; false; }; } && wine_tool || return 2
	wine_limit=$1
	shift
	wine_env sh -c 'out=$1; shift; exec "$@" >"$out.out" 2>"$out.err"' sh "$wine_dir/d3d9" timeout -k 5 "$wine_limit" wine "$wine_exe" "$@"
}

# wine_client SECONDS PROGRAM ARGUMENT...: runs a program with a time limit
wine_client() {
	wine_limit=$1
	shift
	wine_env timeout -k 5 "$wine_limit" wine "$@"
}

# wine_run SECONDS NAME ARGUMENT...: runs $BUILD/tests/wine/NAME.exe
wine_run() {
	wine_limit=$1 wine_exe=$wine_dir/$2.exe
	shift 2
	wine_client "$wine_limit" "$wine_exe" "$@"
}

wine_assemble() {
	wine_begin || return 1
	wine_tool || return 1
	rm -f "$2"
	wine_client 120 "$wine_exe" assemble -q --list="$1" --tokens="$2"
	[ $? -le 2 ] || { wine_die "assemble ended badly"; return 1; }
	wine_want=$(grep -c . "$1")
	[ "$(tail -n 1 "$2" 2>/dev/null | cut -f 1,2)" = "summary	$wine_want" ] ||
		{ wine_die "no summary of $wine_want files"; return 1; }
}

wine_hlsl() {
	wine_begin || return 1
	wine_build hlsl -ld3dcompiler_47 || { wine_die "hlsl.c does not compile"; return 1; }
	wine_run 60 hlsl "$@" || { wine_die "hlsl ended badly"; return 1; }
}

wine_render() {
	wine_begin || return 1
	wine_screen || { wine_die "Xvfb does not start"; return 1; }
	wine_tool || return 1
	rm -f "$2" "$3"
	wine_client 600 "$wine_exe" draw --list="$1" --index="$2" --pixels="$3" ||
		{ wine_die "render ended badly: $(grep '^fail' "$2" 2>/dev/null | tail -n 1)"; return 1; }
	wine_want=$(grep -c . "$1")
	[ "$(tail -n 1 "$2" 2>/dev/null | cut -f 1,2)" = "summary	$wine_want" ] ||
		{ wine_die "no summary of $wine_want pairs"; return 1; }
}

wine_effect() {
	wine_begin || return 1
	wine_screen || { wine_die "Xvfb does not start"; return 1; }
	wine_build effect -ld3dx9_43 -ld3d9 -lgdi32 || { wine_die "effect.c does not compile"; return 1; }
	rm -f "$2"
	wine_run 300 effect "$1" "$2"
	case $? in
	0 | 137) ;; # Wine's server may kill the threads of a process that has ended; its last output shows that it ended well
	*)
		wine_die "effect ended badly"
		return 1
		;;
	esac
	wine_want=$(grep -c . "$1")
	[ "$(tail -n 1 "$2" 2>/dev/null)" = "summary	$wine_want" ] || { wine_die "no summary of $wine_want effects"; return 1; }
}
