build-asan/src/lang/ir.o: src/lang/ir.c src/lang/ir.h src/base/diag.h \
  src/base/arena.h src/lang/ops.h src/lang/models.def src/lang/ops.def

src/lang/ir.h:

src/base/diag.h:

src/base/arena.h:

src/lang/ops.h:

src/lang/models.def:

src/lang/ops.def:
