build-asan/src/base/diag.o: src/base/diag.c src/base/diag.h \
  src/base/arena.h

src/base/diag.h:

src/base/arena.h:
