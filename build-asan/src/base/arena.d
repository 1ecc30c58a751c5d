build-asan/src/base/arena.o: src/base/arena.c src/base/arena.h

src/base/arena.h:
