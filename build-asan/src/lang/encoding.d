build-asan/src/lang/encoding.o: src/lang/encoding.c src/lang/encoding.h \
  src/base/diag.h src/base/arena.h

src/lang/encoding.h:

src/base/diag.h:

src/base/arena.h:
