# fpmove: build, test, measure, install.  `make help` lists the targets.

# Uses all cores, unless -j is given (by hand or in MAKEFLAGS) or the caller is a make, which has its own job slots.
ifeq ($(MAKELEVEL)$(filter -j% --j%,$(MAKEFLAGS) $(shell echo "$$MAKEFLAGS")),0)
MAKEFLAGS += -j$(or $(shell nproc),1)
endif

# Makes several goals one after the other, each with all cores: `make test-deps check` installs first, then compiles.
ifneq ($(word 2,$(MAKECMDGOALS)),)
.NOTPARALLEL:
.PHONY: $(MAKECMDGOALS)
$(MAKECMDGOALS):
	@+$(MAKE) -f $(firstword $(MAKEFILE_LIST)) --no-print-directory $@
else

VERSION := 0.1.0
BUILD   ?= build
ifeq ($(origin CC),default)
CC      := gcc
endif
OPT     ?= -O3 -g
SAN     ?=
WERROR  ?= $(if $(CI),-Werror)
WARN    := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes \
           -Wmissing-prototypes -Wcast-qual -Wwrite-strings -Wvla -Wundef -Wformat=2 -Wdouble-promotion
CPPFLAGS += -Isrc -Iinclude -D_XOPEN_SOURCE=700 -D_FILE_OFFSET_BITS=64
CFLAGS  ?=
# Through make the compiler cannot see that it prints to a terminal.
WARN    += $(if $(MAKE_TERMERR),-fdiagnostics-color)
ALL_CFLAGS := -std=c11 -fPIC -fvisibility=hidden $(OPT) $(WARN) $(WERROR) $(SAN) $(CFLAGS)
LDLIBS_CLI := -ljansson -lmcpp -lpthread
LDLIBS  += -lm

# Debian packages that each step needs.
BUILD_PACKAGES := gcc make libc6-dev re2c bison libjansson-dev libmcpp-dev
GPU_PACKAGES   := $(BUILD_PACKAGES) libepoxy-dev libpng-dev libegl1
ZIP_PACKAGES = $(WINDOWS_PACKAGES) zip mandoc llvm
WINDOWS_PACKAGES = gcc make re2c bison gcc-mingw-w64-$(if $(filter 32,$(BITS)),i686,x86-64)-win32 dpkg-dev
# Packages for `make check`, 267 MB on Debian 12, and for `make check-full`.
TEST_PACKAGES  := $(BUILD_PACKAGES) libcmocka-dev python3 g++ wine wine64 gcc-mingw-w64-x86-64-win32 dpkg-dev
FULL_PACKAGES  := $(TEST_PACKAGES) $(GPU_PACKAGES) clang libclang-rt-dev python3-jsonschema gcc-mingw-w64-i686-win32 zip mandoc llvm \
                  xvfb libgl1-mesa-dri groff-base pkg-config binutils chromium-headless-shell cmake ninja-build zsh libmojoshader-dev
# `make full-deps` installs these only with MORE=1, as man-db, which they need, enables a timer.  Without them their cases are skipped.
MORE_PACKAGES  := fish lintian mono-xbuild
COVERAGE_PACKAGES := $(FULL_PACKAGES) gcovr
BENCH_PACKAGES := $(GPU_PACKAGES) libmojoshader-dev libgl1-mesa-dri xvfb python3 wine wine64 gcc-mingw-w64-x86-64-win32 valgrind spirv-tools glslang-tools \
                  pkg-config libdrm-dev libegl-dev libvulkan-dev mesa-vulkan-drivers qemu-user gcc-aarch64-linux-gnu libc6-dev-arm64-cross

CORE_SRC := $(wildcard src/base/*.c src/lang/*.c src/move/*.c src/move/*/*.c src/verify/*.c src/*.c)
LIB_SRC  := $(wildcard src/system/posix/*.c) $(CORE_SRC)
CLI_SRC  := $(wildcard src/cli/*.c)
GEN      := $(BUILD)/gen/asm_lex.c $(BUILD)/gen/asm_parse.c
LIB_OBJ  := $(LIB_SRC:%.c=$(BUILD)/%.o) $(GEN:.c=.o)
CLI_OBJ  := $(CLI_SRC:%.c=$(BUILD)/%.o)
LIB      := $(BUILD)/libfpmove.a
BIN      := $(BUILD)/fpmove
UNIT     := $(patsubst tests/unit/%.c,$(BUILD)/tests/unit/%,$(wildcard tests/unit/*.c))

# Prints a short line for each command, or the whole command with V=1.  With -s it prints none; -n prints commands anyway.
comma   := ,
letters := $(firstword -$(MAKEFLAGS))
dry     := $(strip $(foreach letter,n q t,$(findstring $(letter),$(letters))))
silent  := $(dry)$(findstring s,$(letters))
say      = $(if $(filter-out 0,$(V)),,@$(if $(silent),,$(info $(1) $(2))))
# The output of each job is printed as a whole.  A line that begins with $(now) prints at once, as make does not hold back lines with a +.
# Make would run these for -n, -q and -t, too, so $(now) is empty then.
MAKEFLAGS += --output-sync=target
now     := $(if $(dry),,+)

.PHONY: all windows read-windows deps-windows zip deps-zip gpu gpu-deps install-gpu d3d9 d3d9-deps install-d3d9 manuals help deps test-deps full-deps coverage-deps bench-deps demo check check-full check-windows test unit read-units soak fuzz bench bench-chips bench-gpu bench-instructions bench-windows lib install deb clean
all: $(BIN) manuals

help: ## list the targets
	@sed -n 's/^\([a-z0-9-]*\):.*## /  \1\t/p' $(MAKEFILE_LIST) | expand -t 21

# --- packages: install those that are missing ------------------------------
SUDO := $(if $(filter 0,$(shell id -u)),,sudo)
define install
@$(now)missing=; for p in $(1); do \
  dpkg-query -W -f='$${Status}' $$p 2>/dev/null | grep -q 'ok installed' || missing="$$missing $$p"; done; \
if [ -n "$$missing" ]; then echo "installing:$$missing"; \
  $(SUDO) apt-get update -qq && $(SUDO) env DEBIAN_FRONTEND=noninteractive \
  apt-get install -y -qq --no-install-recommends $$missing; fi
endef
deps: ## install the packages the build needs
	$(call install,$(BUILD_PACKAGES))
# Without these sources, suites that need fpmove-d3d9 or fpmove.exe are skipped; in CI they fail.
fetch_for_tests = @$(now)[ -e $(LIBRARIES)/ready ] || src/package/libraries.sh $(LIBRARIES)$(if $(CI),, || \
	echo "make: without these sources, the suites that need fpmove-d3d9 or fpmove.exe are skipped" >&2)
test-deps: ## install the packages that make check needs, and fetch the libraries' sources
	$(call install,$(TEST_PACKAGES))
	$(fetch_for_tests)
full-deps: ## install the packages that make check-full needs; with MORE=1 also lintian, fish and xbuild
	$(call install,$(FULL_PACKAGES) $(if $(MORE),$(MORE_PACKAGES)))
	$(fetch_for_tests)
deps-windows: ## install the packages that fpmove.exe needs, and fetch its libraries' sources
	$(call install,$(WINDOWS_PACKAGES))
	@$(now)[ -e $(LIBRARIES)/ready ] || src/package/libraries.sh $(LIBRARIES)

coverage-deps:
	$(call install,$(COVERAGE_PACKAGES))
bench-deps:
	$(call install,$(BENCH_PACKAGES))

# --- build ----------------------------------------------------------------
# One run of bison makes both files; a pattern rule tells make so.
$(BUILD)/gen/%_parse.c $(BUILD)/gen/%_parse.h: grammar/%.y
	@mkdir -p $(@D)
	$(call say,BISON,$<)bison -Wall -Werror --defines=$(BUILD)/gen/$*_parse.h -o $(BUILD)/gen/$*_parse.c $<
$(BUILD)/gen/asm_lex.c: grammar/asm.re
	@mkdir -p $(@D)
	$(call say,RE2C,$<)re2c -W -Werror --no-generation-date -o $@ $<
$(GEN:.c=.o): %.o: %.c $(BUILD)/gen/asm_parse.h
	$(call say,CC,$<)$(CC) $(CPPFLAGS) -I$(BUILD)/gen $(ALL_CFLAGS) -MMD -MP -c -o $@ $<
$(BUILD)/src/lang/parse.o $(BUILD)/src/lang/parse_words.o: CPPFLAGS += -I$(BUILD)/gen
$(BUILD)/src/lang/parse.o $(BUILD)/src/lang/parse_words.o: $(BUILD)/gen/asm_parse.h
# The page of --html: page.html with styles and scripts inserted, split where the pairs go.
PAGE_STYLES  := $(patsubst %,src/page/%.css,style drawings)
PAGE_SCRIPTS := $(patsubst %,src/page/%.js,data table chips totals program diff sides follow layout lanes dataflow frontier facts detail start)
AS_LITERAL := s/\\/\\\\/g; s/"/\\"/g; s/\r/\\r/g; s/.*/"&\\n"/
AS_STRINGS := $(AS_LITERAL); s/$$/,/
$(BUILD)/gen/page.html: src/page/page.html $(PAGE_STYLES) $(PAGE_SCRIPTS)
	@mkdir -p $(@D)
	$(call say,GEN,$@)awk -v styles='$(PAGE_STYLES)' -v scripts='$(PAGE_SCRIPTS)' -f src/page/join.awk $< >$@
$(BUILD)/gen/page_head.inc: $(BUILD)/gen/page.html
	$(call say,GEN,$@)sed '/^@pairs@$$/,$$d; $(AS_STRINGS)' $< >$@
$(BUILD)/gen/page_tail.inc: $(BUILD)/gen/page.html
	$(call say,GEN,$@)sed '1,/^@pairs@$$/d; $(AS_STRINGS)' $< >$@
$(BUILD)/src/cli/html.o: $(BUILD)/gen/page_head.inc $(BUILD)/gen/page_tail.inc
$(BUILD)/src/cli/html.o: CPPFLAGS += -I$(BUILD)/gen
# The build's name for --version and --newer: a hash of the sources.
SOURCES := $(sort $(wildcard src/*.[ch] src/*/*.[ch] src/*/*/*.[ch] src/*/*.def src/*/*.inc src/page/* grammar/asm.* include/*.h))
$(BUILD)/gen/build_id.h: $(SOURCES)
	@mkdir -p $(@D)
	$(call say,GEN,$@)printf '#define BUILD_ID "%.8s"\n' "$$(cat $(SOURCES) | sha256sum)" >$@
$(BUILD)/src/cli/record.o: $(BUILD)/gen/build_id.h
$(BUILD)/src/cli/record.o: CPPFLAGS += -I$(BUILD)/gen
$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<
$(LIB): $(LIB_OBJ)
	@rm -f $@
	$(call say,AR,$@)ar rcs $@ $^
# Code of both commands: reading options and files, messages, pairs.
CLI_LIB  := $(BUILD)/cli.a
$(CLI_LIB): $(filter-out %/main.o,$(CLI_OBJ))
	@rm -f $@
	$(call say,AR,$@)ar rcs $@ $^
$(BIN): $(BUILD)/src/cli/main.o $(CLI_LIB) $(LIB)
	$(call say,LD,$@)$(CC) $(SAN) $(LDFLAGS) -o $@ $^ $(LDLIBS_CLI) $(LDLIBS)

# fpmove-gpu contains a copy of each example.
GPU_BIN  := $(BUILD)/fpmove-gpu
GPU_OBJ  := $(patsubst %.c,$(BUILD)/%.o,$(wildcard src/gpu/*.c))
EXAMPLES := $(wildcard examples/*/*.vsh examples/*/*.psh)
$(BUILD)/gen/gpu_examples.inc: $(EXAMPLES)
	@mkdir -p $(@D)
	$(call say,GEN,$@)for d in $(sort $(dir $(EXAMPLES))); do \
		printf '{"%s",\n' "$$(basename $$d)"; sed '$(AS_LITERAL)' $$d/vp.vsh; echo ,; sed '$(AS_LITERAL)' $$d/fp.psh; echo '},'; \
	done >$@
$(BUILD)/src/gpu/kernel.o: $(BUILD)/gen/gpu_examples.inc
$(BUILD)/src/gpu/kernel.o: CPPFLAGS += -I$(BUILD)/gen
gpu-deps:
	$(call install,$(GPU_PACKAGES))
$(GPU_BIN): $(GPU_OBJ) $(CLI_LIB) $(LIB)
	$(call say,LD,$@)$(CC) $(SAN) $(LDFLAGS) -o $@ $^ -lepoxy -lpng -ldl $(LDLIBS_CLI) $(LDLIBS)
gpu: $(GPU_BIN) ## build fpmove-gpu, which times pairs and runs the method's programs on this GPU

# fpmove-d3d9 is a Windows program, whatever CC compiles the other commands, and a script that starts it in Wine.
LIBRARIES := $(BUILD)/windows/libraries
D3D9_CC  := x86_64-w64-mingw32-gcc
D3D9_EXE := $(BUILD)/fpmove-d3d9.exe
D3D9_OBJ := $(patsubst %.c,$(BUILD)/d3d9/%.o,$(wildcard src/d3d9/*.c) $(patsubst %,src/gpu/%.c,calibration rates stats weights))
$(D3D9_OBJ): $(BUILD)/d3d9/%.o: %.c $(LIBRARIES)/ready
	@mkdir -p $(@D)
	$(call say,CC,$<)$(D3D9_CC) -Isrc -Iinclude -isystem $(LIBRARIES)/jansson/src -DUNICODE -D__USE_MINGW_ANSI_STDIO=1 -std=c11 -O2 $(WARN) -Wno-float-conversion $(WERROR) -MMD -MP -c -o $@ $<
d3d9-deps: deps-windows
$(BUILD)/fpmove-d3d9: src/d3d9/launcher.sh
	$(call say,GEN,$@)install -D -m 755 $< $@
d3d9: $(D3D9_EXE) $(BUILD)/fpmove-d3d9 ## build fpmove-d3d9, which tests programs with the Direct3D 9 of Windows or Wine

# fpmove.exe, linked with libraries from Debian's sources.  CI uses -O1, which compiles faster and runs a little slower.
# With BITS=32 all of it is for 32-bit Windows, below build/windows32.  There SSE computes the same numbers as elsewhere, and
# -mstackrealign is needed because Windows calls our functions with a stack that is not aligned for SSE.
BITS        ?= 64
WINDOWS_OF  := $(if $(filter 32,$(BITS)),i686,x86_64)-w64-mingw32
WINDOWS_CC  := $(WINDOWS_OF)-gcc
WINDOWS_OPT ?= $(if $(CI),-O1,-O2)
WINDOWS     := $(BUILD)/windows$(filter 32,$(BITS))
WINDOWS_CPU := $(if $(filter 32,$(BITS)),-msse2 -mfpmath=sse -mstackrealign)
WINDOWS_EXE := $(WINDOWS)/fpmove.exe
WINDOWS_OBJ := $(patsubst %.c,$(WINDOWS)/%.o,$(wildcard src/system/windows/*.c) $(CORE_SRC) $(CLI_SRC)) $(GEN:$(BUILD)/%.c=$(WINDOWS)/%.o)
JANSSON_OBJ := $(patsubst %,$(WINDOWS)/jansson/%.o,dump error hashtable hashtable_seed load memory pack_unpack strbuffer strconv utf value)
MCPP_OBJ    := $(patsubst %,$(WINDOWS)/mcpp/%.o,main directive eval expand mbchar support system)
WINDOWS_FLAGS := -std=c11 -D_WIN32_WINNT=0x0601 -D__USE_MINGW_ANSI_STDIO=1 -Isrc -Iinclude -I$(BUILD)/gen $(WINDOWS_OPT) $(WINDOWS_CPU) -MMD -MP
$(LIBRARIES)/ready: | src/package/libraries.sh
	$(call say,FETCH,$(@D))src/package/libraries.sh $(@D)
# -Wno-float-conversion: the isfinite of its <math.h> gives such warnings.
$(WINDOWS_OBJ): $(LIBRARIES)/ready | $(BUILD)/gen/asm_parse.h $(BUILD)/gen/page_head.inc $(BUILD)/gen/page_tail.inc $(BUILD)/gen/build_id.h
$(WINDOWS)/%.o: %.c
	@mkdir -p $(@D)
	$(call say,CC,$@)$(WINDOWS_CC) $(WINDOWS_FLAGS) -isystem $(LIBRARIES)/jansson/src -isystem $(LIBRARIES)/mcpp/src $(WARN) -Wno-float-conversion $(WERROR) -c -o $@ $<
$(WINDOWS)/gen/%.o: $(BUILD)/gen/%.c
	@mkdir -p $(@D)
	$(call say,CC,$@)$(WINDOWS_CC) $(WINDOWS_FLAGS) $(WARN) -Wno-float-conversion $(WERROR) -c -o $@ $<
$(WINDOWS)/src/cli/record.o: $(BUILD)/gen/build_id.h
# Warnings about other people's code are off (-w).
$(JANSSON_OBJ): $(WINDOWS)/jansson/%.o: $(LIBRARIES)/ready
	@mkdir -p $(@D)
	$(call say,CC,$@)$(WINDOWS_CC) $(WINDOWS_FLAGS) -w -fmacro-prefix-map=$(LIBRARIES)/= -DHAVE_STDINT_H=1 -I$(LIBRARIES)/jansson/src -c -o $@ $(LIBRARIES)/jansson/src/$*.c
$(MCPP_OBJ): $(WINDOWS)/mcpp/%.o: $(LIBRARIES)/ready
	@mkdir -p $(@D)
	$(call say,CC,$@)$(WINDOWS_CC) $(WINDOWS_FLAGS) -w -std=gnu89 -DHAVE_CONFIG_H -I$(LIBRARIES)/mcpp/src -c -o $@ $(LIBRARIES)/mcpp/src/$*.c
$(WINDOWS)/resource.o: src/system/windows/fpmove.rc src/system/windows/fpmove.manifest
	@mkdir -p $(@D)
	$(call say,RC,$@)$(WINDOWS_CC:%-gcc=%-windres) -I src/system/windows -o $@ $<
$(WINDOWS_EXE): $(WINDOWS_OBJ) $(JANSSON_OBJ) $(MCPP_OBJ) $(WINDOWS)/resource.o
	$(call say,LD,$@)$(WINDOWS_CC) -static -s -Wl,--no-insert-timestamp,--stack,8388608$(if $(WINDOWS_CPU),$(comma)--large-address-aware) -o $@ $^
# The library for fpmove-d3d9, which is 64-bit: all of fpmove.exe but its main().
WINDOWS_LIB := $(BUILD)/windows/libfpmove.a
ifeq ($(BITS),64)
$(WINDOWS_LIB): $(filter-out $(WINDOWS)/src/cli/main.o,$(WINDOWS_OBJ)) $(JANSSON_OBJ) $(MCPP_OBJ)
	@rm -f $@
	$(call say,AR,$@)$(WINDOWS_CC:%-gcc=%-ar) rcs $@ $^
endif
$(D3D9_EXE): $(D3D9_OBJ) $(WINDOWS_LIB)
	$(call say,LD,$@)$(D3D9_CC) -static -s -Wl,--no-insert-timestamp -o $@ $^ -lgdi32 -lpthread
# fpmove.dll has the same objects and exports the functions of its header.  Microsoft's linker needs an import library of its own
# format, which LLVM writes.
WINDOWS_DLL := $(WINDOWS)/fpmove.dll
$(WINDOWS)/fpmove.def: include/fpmove.h
	@mkdir -p $(@D)
	$(call say,GEN,$@){ echo 'LIBRARY fpmove.dll'; echo EXPORTS; sed -n 's/^FPM_API .*[ *]\(fpm_[a-z_]*\)(.*/\t\1/p' $<; } >$@
$(WINDOWS_DLL): $(filter-out $(WINDOWS)/src/cli/%,$(WINDOWS_OBJ)) $(MCPP_OBJ) $(WINDOWS)/fpmove.def
	$(call say,LD,$@)$(WINDOWS_CC) -shared -static -s -Wl,--no-insert-timestamp,--out-implib,$(WINDOWS)/libfpmove.dll.a -o $@ $^
$(WINDOWS)/fpmove.lib: $(WINDOWS)/fpmove.def
	$(call say,LIB,$@)llvm-dlltool -m i386$(if $(filter 64,$(BITS)),:x86-64) -d $< -l $@
# One file with everything for Windows; the same sources give the same bytes.
ZIP      := $(BUILD)/fpmove-$(VERSION)-windows$(BITS).zip
ZIP_TREE := $(WINDOWS)/zip
ZIP_MANUALS := $(patsubst %,$(BUILD)/man/%,fpmove.1 fpmove-method.7 fpmove-rules.7 fpmove-speed.7 fpmove-d3d9.1 libfpmove.3)
$(WINDOWS)/manuals.html: src/package/page.sh $(ZIP_MANUALS)
	$(call say,GEN,$@)src/package/page.sh $(ZIP_MANUALS) >$@
deps-zip: ## install the packages that make zip needs, and fetch the libraries' sources
	$(call install,$(ZIP_PACKAGES))
	@$(now)[ -e $(LIBRARIES)/ready ] || src/package/libraries.sh $(LIBRARIES)
zip: $(WINDOWS_EXE) $(WINDOWS_DLL) $(WINDOWS)/fpmove.lib $(WINDOWS)/manuals.html ## build the zip for Windows: commands (fpmove-d3d9.exe if make d3d9 built it), library, MSBuild, CMake, manuals, licences; BITS=32
	@rm -rf $(ZIP_TREE)
	$(call fill,fpmove-config.cmake,lib)
	$(call fill,fpmove-config-version.cmake)
	$(call pack,$(WINDOWS_EXE) $(if $(filter 64,$(BITS)),$(wildcard $(D3D9_EXE))) $(WINDOWS_DLL),bin)
	$(call pack,$(WINDOWS)/fpmove.lib $(WINDOWS)/libfpmove.dll.a $(WINDOWS)/fpmove.def,lib)
	$(call pack,include/fpmove.h,include)
	$(call pack,src/package/fpmove.props src/package/fpmove.targets,msbuild)
	$(call pack,$(BUILD)/fpmove-config.cmake $(BUILD)/fpmove-config-version.cmake,share/cmake/fpmove)
	$(call pack,src/cli/report.schema.json,share/fpmove)
	$(call pack,$(WINDOWS)/manuals.html,.)
	$(call pack,LICENSE,licences/fpmove)
	$(call pack,$(LIBRARIES)/jansson/LICENSE,licences/jansson)
	$(call pack,$(LIBRARIES)/mcpp/LICENSE,licences/mcpp)
	$(call say,ZIP,$(ZIP))src/package/zip.sh $(ZIP_TREE) $(ZIP)

# Checks the compiler's warnings without building programs.
read-windows: $(LIBRARIES)/ready $(GEN) $(addprefix $(BUILD)/gen/,asm_parse.h page_head.inc page_tail.inc build_id.h)
	$(call say,READ,$(WINDOWS))$(WINDOWS_CC) $(filter-out -M%,$(WINDOWS_FLAGS)) -isystem $(LIBRARIES)/jansson/src -isystem $(LIBRARIES)/mcpp/src $(WARN) -Wno-float-conversion $(WERROR) -fsyntax-only \
		$(wildcard src/system/windows/*.c) $(CORE_SRC) $(CLI_SRC) $(GEN)
windows: $(WINDOWS_EXE) ## build build/windows/fpmove.exe; with BITS=32 build/windows32/fpmove.exe, for 32-bit Windows

MANUALS  := $(patsubst src/man/%,$(BUILD)/man/%,$(wildcard src/man/*.[1-9]))
manuals: $(MANUALS)
$(BUILD)/man/fpmove-rules.7: src/man/fpmove-rules.7 src/package/rules.sh $(BIN)
	@mkdir -p $(@D)
	$(call say,MAN,$@)src/package/rules.sh $(BIN) $< >$@
$(BUILD)/man/%: src/man/%
	@mkdir -p $(@D)
	$(call say,MAN,$@)cp $< $@

# --- try it ---------------------------------------------------------------
demo: $(BIN) ## move the 3-tap convolution example and print the slot table
	@$(now)$(BIN) --stats examples/convolution3/vp.vsh examples/convolution3/fp.psh -o $(BUILD)/demo

# --- tests ----------------------------------------------------------------
# Unit tests are compiled without optimisation, which would take longer than they run.
$(BUILD)/tests/unit/%: tests/unit/%.c $(LIB)
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(CPPFLAGS) -Itests/unit -I$(BUILD)/gen $(ALL_CFLAGS) -O0 -Wno-missing-prototypes -MMD -MP -o $@ $(filter %.c %.o,$^) $(LIB) -lcmocka $(LDLIBS_CLI) $(LDLIBS)
$(BUILD)/tests/unit/test_dense: $(patsubst %,$(BUILD)/src/gpu/%.o,dense stats)
$(BUILD)/tests/unit/test_model: $(patsubst %,$(BUILD)/src/gpu/%.o,model stats image_formats)
$(BUILD)/tests/unit/test_effect_binary: $(BUILD)/tests/effects/assemble.o
$(BUILD)/tests/unit/test_weights: $(patsubst %,$(BUILD)/src/gpu/%.o,weights rates stats)
unit: $(UNIT)
# Checks the compiler's warnings about them without building programs.
read-units: $(GEN)
	$(call say,READ,tests/unit)$(CC) $(CPPFLAGS) -Itests/unit -I$(BUILD)/gen $(ALL_CFLAGS) -Wno-missing-prototypes -fsyntax-only tests/unit/*.c
SOAK   := $(BUILD)/tests/soak/soak
MUTATE := $(BUILD)/tests/mutate/mutate
$(SOAK): $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/soak/*.c)) $(BUILD)/tests/mutate/damage.o $(LIB)
$(MUTATE): $(BUILD)/tests/mutate/mutate.o $(BUILD)/tests/mutate/damage.o $(LIB)
PLAN   := $(BUILD)/tests/plan/plan
$(PLAN): $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/plan/*.c)) $(LIB)
PRESHADER := $(BUILD)/tests/preshader/compare
$(PRESHADER): $(PRESHADER).o $(LIB)
OUTCOME := $(BUILD)/tests/outcome/check
$(OUTCOME): $(OUTCOME).o $(LIB)
EFFECTS := $(BUILD)/tests/effects/assemble
$(EFFECTS): $(BUILD)/tests/effects/main.o $(BUILD)/tests/effects/assemble.o $(LIB)
$(SOAK) $(MUTATE) $(PLAN) $(PRESHADER) $(OUTCOME) $(EFFECTS):
	$(call say,LD,$@)$(CC) $(SAN) $(LDFLAGS) -o $@ $^ $(LDLIBS_CLI) $(LDLIBS)
DRAW   := $(BUILD)/tests/opengl/draw
OPENGL := $(BUILD)/tests/opengl/gl.o $(patsubst %,$(BUILD)/src/gpu/%.o,drawn_pair image image_formats context shader arb glsl) $(LIB)
$(DRAW): $(BUILD)/tests/opengl/draw.o $(OPENGL)
$(DRAW):
	$(call say,LD,$@)$(CC) $(SAN) $(LDFLAGS) -o $@ $^ -lepoxy $(LDLIBS_CLI) $(LDLIBS)
SECONDS ?= 1800
fuzz: ## fuzz the front end for SECONDS=1800, and pairs and effect files for a part of that
	@$(now)BUILD=$(BUILD) FUZZ_SECONDS=$(SECONDS) tests/fuzz/run
# The fuzz targets need clang and -fsanitize=fuzzer-no-link in SAN: tests/compilers/sanitized.sh has them.
$(BUILD)/tests/fuzz/%: $(BUILD)/tests/fuzz/%.o $(LIB)
	$(call say,LD,$@)$(CC) $(SAN) -fsanitize=fuzzer $(LDFLAGS) -o $@ $^ $(LDLIBS_CLI) $(LDLIBS)
N    ?= 200000
SEED ?= 0
soak: $(SOAK) ## run N=200000 random pairs (from SEED=0 on) through every level, the proof and the interpreter
	$(now)$(SOAK) -j "$$(nproc)" -s $(SEED) $(N)
# Programs that the suite in a folder of tests/ needs besides the command.
cross   = $(if $(or $(CI),$(wildcard $(LIBRARIES)/ready)),$(1))
for     = $(if $(filter $(2),$(folder)),$(1))
need    = $(foreach folder,$(1),$(call for,$(SOAK),soak hints outcome preshader render windows) $(call for,$(MUTATE),mutate) \
          $(call for,$(PLAN),plan) $(call for,$(PRESHADER),preshader) $(call for,$(OUTCOME),outcome) $(call for,$(EFFECTS),effects) $(call for,$(DRAW),opengl) \
          $(call cross,$(call for,$(WINDOWS_EXE) zip,windows) $(call for,$(WINDOWS_EXE),d3d9 in_wine) \
          $(call for,$(D3D9_EXE),agree bytecode d3d9 render wine)) \
          $(call for,$(GPU_BIN),calibrate gpu lu package readme workloads))
FOLDERS := $(patsubst tests/%/run,%,$(wildcard tests/*/run))
# The first tier finds most mistakes in a few minutes.  With REST=1 the second skips the suites of the first.
FIRST   := unit golden cli soak mutate outcome plan agree bytecode wine
SECOND  := $(if $(REST),$(filter-out $(FIRST),$(FOLDERS)),unit $(FOLDERS))
check: $(BIN) unit $(sort $(call need,$(FIRST))) ## run the tests that take minutes; the last line is the count
	@$(now)BUILD=$(BUILD) CC="$(CC)" SAN="$(SAN)" TIDY=1 tests/run $(FIRST:%=tests/%/)
check-full: $(BIN) $(if $(REST),,unit) $(sort $(call need,$(SECOND))) ## run all tests; the last line is the count; REST=1: without those of make check
	@$(now)BUILD=$(BUILD) CC="$(CC)" SAN="$(SAN)" TIDY=1 tests/run $(SECOND:%=tests/%/)
check-windows: $(BIN) $(sort $(call need,in_wine windows effects)) ## test fpmove.exe in Wine: its own tests, and all suites of fpmove that make sense there
	@$(now)BUILD=$(BUILD) CC="$(CC)" SAN="$(SAN)" SUITES="golden cli batch effects" tests/run in_wine windows
	@$(now)$(MAKE) BITS=32 windows
	@$(now)BUILD=$(BUILD) CC="$(CC)" BITS=32 tests/run tests/windows/
# Suites whose path contains a word of T, as tests/run chooses them.
CHOSEN  := $(foreach name,$(T),$(foreach suite,$(UNIT) $(FOLDERS:%=tests/%/run),$(if $(findstring $(name),$(suite)),$(suite))))
test: $(BIN) $(sort $(filter $(UNIT),$(CHOSEN)) $(call need,$(CHOSEN:tests/%/run=%))) ## run some suites: make test T=golden, or T="test_pack cli"; without T list their names
	@$(now)BUILD=$(BUILD) CC="$(CC)" SAN="$(SAN)" tests/run $(or $(T),'')

# tests/faults is left out, as it would let the calls fail that write the counts.
COVERAGE := $(BUILD)/coverage
coverage: coverage-deps ## measure the line coverage of src/ by the tests that end within minutes, with gcovr
	$(MAKE) -s BUILD=$(COVERAGE) CC=gcc OPT='-O1 -g' SAN='--coverage -fprofile-update=atomic' CFLAGS='-include tests/counted_exit.h' \
		all unit $(COVERAGE)/tests/soak/soak
	find $(COVERAGE) -name '*.gcda' -delete
	-$(now)BUILD=$(COVERAGE) SAN=--coverage tests/run unit golden cli batch
	$(COVERAGE)/fpmove --batch examples -q -o $(COVERAGE)/examples --html $(COVERAGE)/examples.html
	$(COVERAGE)/tests/soak/soak -j "$$(nproc)" 500
	gcovr -r . -f src/ -f grammar/ --gcov-ignore-parse-errors --txt $(BUILD)/coverage.txt $(COVERAGE)/src $(COVERAGE)/gen
	@cat $(BUILD)/coverage.txt

# --- install --------------------------------------------------------------
PREFIX  ?= /usr/local
LIBDIR  ?= $(PREFIX)/lib
SONAME  := libfpmove.so.0
SHARED  := $(BUILD)/libfpmove.so.$(VERSION)
$(SHARED): $(LIB_OBJ)
	$(call say,LD,$@)$(CC) -shared -Wl,-soname,$(SONAME) -Wl,-z,relro,-z,now $(SAN) $(LDFLAGS) -o $@ $^ -lmcpp $(LDLIBS)
lib: $(LIB) $(SHARED)
# $(call fill,NAME,FOLDER): writes build/NAME from src/package/NAME.in, with FOLDER as the library's folder
fill = $(call say,GEN,$(BUILD)/$(1))sed 's,@PREFIX@,$(PREFIX),; s,@LIBDIR@,$(2),; s,@VERSION@,$(VERSION),; s,@MINOR@,$(basename $(VERSION)),' \
	src/package/$(1).in >$(BUILD)/$(1)
# $(call pack,FILES,FOLDER): copies files into FOLDER of the zip
pack = @install -D -m 644 -t $(ZIP_TREE)/$(2) $(1)
put = $(call say,INSTALL,$(DESTDIR)$(3))install -D -m $(1) $(2) '$(DESTDIR)$(3)'
# Under sudo, the build folder is given back to the user, whose next make writes there, too.
install: $(BIN) lib manuals ## install into DESTDIR and PREFIX (/usr/local): command, library, manuals, completions; fpmove-gpu if it was built
	$(call say,GEN,$(BUILD)/completions)src/package/completions.sh $(BUILD)/completions
	$(call fill,fpmove.pc,$(LIBDIR))
	$(call fill,fpmove-config.cmake,$(LIBDIR:$(PREFIX)/%=%))
	$(call fill,fpmove-config-version.cmake)
	$(call put,755,$(BIN),$(PREFIX)/bin/fpmove)
	$(call put,644,$(LIB),$(LIBDIR)/libfpmove.a)
	$(call put,644,$(SHARED),$(LIBDIR)/libfpmove.so.$(VERSION))
	ln -sf libfpmove.so.$(VERSION) '$(DESTDIR)$(LIBDIR)/$(SONAME)'
	ln -sf $(SONAME) '$(DESTDIR)$(LIBDIR)/libfpmove.so'
	$(call put,644,$(BUILD)/fpmove.pc,$(LIBDIR)/pkgconfig/fpmove.pc)
	$(call put,644,$(BUILD)/fpmove-config.cmake,$(PREFIX)/share/cmake/fpmove/fpmove-config.cmake)
	$(call put,644,$(BUILD)/fpmove-config-version.cmake,$(PREFIX)/share/cmake/fpmove/fpmove-config-version.cmake)
	$(call put,644,include/fpmove.h,$(PREFIX)/include/fpmove.h)
	@for page in $(filter-out %/fpmove-gpu.1 %/fpmove-d3d9.1,$(MANUALS)); do install -D -m 644 $$page '$(DESTDIR)$(PREFIX)/share/man/man'$${page##*.}/$${page##*/}; done
	$(call put,644,src/cli/report.schema.json,$(PREFIX)/share/fpmove/report.schema.json)
	$(call put,644,$(BUILD)/completions/fpmove.bash,$(PREFIX)/share/bash-completion/completions/fpmove)
	$(call put,644,$(BUILD)/completions/fpmove.zsh,$(PREFIX)/share/zsh/vendor-completions/_fpmove)
	$(call put,644,$(BUILD)/completions/fpmove.fish,$(PREFIX)/share/fish/vendor_completions.d/fpmove.fish)
	$(if $(wildcard $(GPU_BIN)),$(MAKE) --no-print-directory install-gpu)
	$(if $(SUDO_UID),@[ "$$(id -u)" -ne 0 ] || chown -R '$(SUDO_UID):$(SUDO_GID)' $(BUILD))
	$(if $(DESTDIR),,@PATH=$$PATH:/usr/sbin:/sbin; [ "$$(id -u)" -ne 0 ] || ldconfig; \
	ldconfig -p | grep -qF '$(LIBDIR)/$(SONAME)' || echo "programs do not find $(LIBDIR)/$(SONAME) yet:" \
		"set LD_LIBRARY_PATH=$(LIBDIR), or as root write $(LIBDIR) into a file of /etc/ld.so.conf.d and run ldconfig")
# Only if make gpu built it before: machines without OpenGL install everything else.
install-gpu: $(GPU_BIN) $(BUILD)/man/fpmove-gpu.1
	$(call say,GEN,$(BUILD)/completions/gpu)src/package/completions.sh $(BUILD)/completions fpmove-gpu $(GPU_BIN)
	$(call put,755,$(GPU_BIN),$(PREFIX)/bin/fpmove-gpu)
	$(call put,644,$(BUILD)/man/fpmove-gpu.1,$(PREFIX)/share/man/man1/fpmove-gpu.1)
	$(call put,644,src/gpu/report.schema.json,$(PREFIX)/share/fpmove/gpu.schema.json)
	$(call put,644,$(BUILD)/completions/fpmove-gpu.bash,$(PREFIX)/share/bash-completion/completions/fpmove-gpu)
	$(call put,644,$(BUILD)/completions/fpmove-gpu.zsh,$(PREFIX)/share/zsh/vendor-completions/_fpmove-gpu)
	$(call put,644,$(BUILD)/completions/fpmove-gpu.fish,$(PREFIX)/share/fish/vendor_completions.d/fpmove-gpu.fish)
install-d3d9: d3d9 $(BUILD)/man/fpmove-d3d9.1 ## install fpmove-d3d9 and its launcher in the same way
	$(call put,755,$(BUILD)/fpmove-d3d9,$(PREFIX)/bin/fpmove-d3d9)
	$(call put,644,$(D3D9_EXE),$(PREFIX)/lib/fpmove/fpmove-d3d9.exe)
	$(call put,644,$(BUILD)/man/fpmove-d3d9.1,$(PREFIX)/share/man/man1/fpmove-d3d9.1)
	$(call put,644,src/d3d9/report.schema.json,$(PREFIX)/share/fpmove/d3d9.schema.json)
deb: ## build Debian packages: fpmove, and fpmove-gpu if make gpu built it
	rm -rf $(BUILD)/deb
	$(MAKE) --no-print-directory install DESTDIR=$(BUILD)/deb/fpmove PREFIX=/usr \
		LIBDIR=/usr/lib/$$($(CC) -print-multiarch)
	src/package/deb.sh $(BUILD) $(VERSION)

# --- measurements ---------------------------------------------------------
$(BUILD)/tests/bench/bench: tests/bench/bench.c $(LIB)
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -o $@ $< $(LIB) -lmojoshader -lmcpp $(LDLIBS)
bench: bench-deps $(BIN) $(SOAK) $(BUILD)/tests/bench/bench ## measure slots, speed and memory over the examples
	@$(now)BUILD=$(BUILD) tests/bench/bench.sh

bench-instructions: bench-deps $(BIN) $(SOAK) ## count instructions for each pair and phase by callgrind, over sets, sizes and long chains
	@$(now)BUILD=$(BUILD) tests/bench/instructions

CHIPS_ARM64 := $(BUILD)/tests/bench/chips-arm64
$(CHIPS_ARM64): tests/bench/chips_arm64.sh
	@mkdir -p $(@D)
	$(call say,GET,$@)tests/bench/chips_arm64.sh $@
bench-chips: bench-deps $(BIN) $(LIB) $(BUILD)/src/gpu/arb.o $(BUILD)/src/gpu/glsl.o $(CHIPS_ARM64) ## compile the examples before and after for 15 chips, and compare the counts; CHIPS=NAME,... for some
	@$(now)BUILD=$(BUILD) tests/bench/chips $(if $(CHIPS),--chips=$(CHIPS))

bench-gpu: bench-deps $(BIN) $(GPU_BIN) ## time every example before and after on this GPU, beside the profiles' predictions
	@$(now)BUILD=$(BUILD) tests/bench/gpu.sh

bench-windows: bench-deps deps-windows $(BIN) $(SOAK) $(WINDOWS_EXE) $(D3D9_EXE) ## compare fpmove.exe in Wine with fpmove, on examples and 2,000 random pairs, and draw results by fpmove-d3d9
	@$(now)BUILD=$(BUILD) tests/bench/windows

clean: ## remove everything built
	rm -rf $(BUILD)

# Skips folders that suites make, such as a whole Wine, and other builds in there.
-include $(shell [ -d $(BUILD) ] && find $(BUILD) \( -path '$(BUILD)/tests/*/*' -o -path $(BUILD)/sanitized -o -path $(BUILD)/coverage \) -type d -prune -o -type f -name '*.d' -print)

endif
