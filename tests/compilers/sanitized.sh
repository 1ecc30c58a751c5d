# One build of clang's for all that runs under sanitizers, to be sourced from the top of the tree with $BUILD set:
#
#     . tests/compilers/sanitized.sh
#     make_sanitized GOAL...    to $sanitized, where warnings are errors; GOAL is make's, or a program's path in $sanitized
#
# The address sanitizer says what is wrong and where.  Undefined behaviour traps, which makes the programs a fifth smaller:
# the address sanitizer then names the line.  The programs count what they reach, for tests/fuzz.  Suites that build at the same
# time wait for each other.
sanitized=$BUILD/sanitized
export ASAN_OPTIONS=detect_stack_use_after_return=1:handle_sigill=1
make_sanitized() {
	mkdir -p "$sanitized"
	flock "$sanitized/lock" env -u MAKEFLAGS -u MAKELEVEL -u CFLAGS make -s -j "$(nproc)" BUILD="$sanitized" CC=clang OPT='-O1 -gline-tables-only' \
		SAN='-fsanitize=address,undefined,fuzzer-no-link -fsanitize-trap=undefined' WERROR=-Werror "$@"
}
