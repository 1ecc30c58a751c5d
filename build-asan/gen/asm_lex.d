build-asan/gen/asm_lex.o: build-asan/gen/asm_lex.c src/lang/lex.h \
  src/lang/parse.h src/lang/ir.h src/base/diag.h src/base/arena.h \
  src/lang/ops.h src/lang/models.def src/lang/ops.def \
  build-asan/gen/asm_parse.h

src/lang/lex.h:

src/lang/parse.h:

src/lang/ir.h:

src/base/diag.h:

src/base/arena.h:

src/lang/ops.h:

src/lang/models.def:

src/lang/ops.def:

build-asan/gen/asm_parse.h:
