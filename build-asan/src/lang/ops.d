build-asan/src/lang/ops.o: src/lang/ops.c src/lang/ops.h \
  src/lang/models.def src/lang/ops.def

src/lang/ops.h:

src/lang/models.def:

src/lang/ops.def:
