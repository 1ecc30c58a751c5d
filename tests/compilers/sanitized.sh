# One build of clang's for all that runs under sanitizers, to be sourced from the top of the tree with $BUILD set:
#
#     . tests/compilers/sanitized.sh
#     make_sanitized GOAL...    to $sanitized, where warnings are errors; GOAL is make's, or a program's path in $sanitized
#
# The address sanitizer says what is wrong and where.  Undefined behaviour traps, which makes the programs a fifth smaller:
# the address sanitizer then names the line.  The programs count what they reach, for tests/fuzz.  Optimising triples the time of
# compiling: only what runs most is worth it, the readers and the interpreter.  Suites that build at the same time wait for each other.
sanitized=$BUILD/sanitized
export ASAN_OPTIONS=detect_stack_use_after_return=1:handle_sigill=1
make_with() { # make_with OPTIMISING GOAL...
	optimising=$1
	shift
	env -u MAKEFLAGS -u MAKELEVEL -u CFLAGS make -s -j "$(nproc)" BUILD="$sanitized" CC=clang OPT="$optimising -gline-tables-only" \
		SAN='-fsanitize=address,undefined,fuzzer-no-link -fsanitize-trap=undefined' WERROR=-Werror "$@"
}
make_sanitized() {
	mkdir -p "$sanitized"
	(
		flock 7 &&
			make_with -O1 $(printf "$sanitized/%s\n" src/base/*.c src/lang/*.c src/verify/*.c gen/asm_lex.c gen/asm_parse.c | sed 's/c$/o/') &&
			make_with -O0 "$@"
	) 7>"$sanitized/lock"
}
