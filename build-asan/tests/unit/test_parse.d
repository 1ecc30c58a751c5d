build-asan/tests/unit/test_parse: tests/unit/test_parse.c \
  tests/unit/texts.h src/lang/parse.h src/lang/ir.h src/base/diag.h \
  src/base/arena.h src/lang/ops.h src/lang/models.def src/lang/ops.def \
  src/lang/print.h

tests/unit/texts.h:

src/lang/parse.h:

src/lang/ir.h:

src/base/diag.h:

src/base/arena.h:

src/lang/ops.h:

src/lang/models.def:

src/lang/ops.def:

src/lang/print.h:
