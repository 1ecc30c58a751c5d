build-asan/src/lang/print.o: src/lang/print.c src/lang/print.h \
  src/lang/ir.h src/base/diag.h src/base/arena.h src/lang/ops.h \
  src/lang/models.def src/lang/ops.def

src/lang/print.h:

src/lang/ir.h:

src/base/diag.h:

src/base/arena.h:

src/lang/ops.h:

src/lang/models.def:

src/lang/ops.def:
