# SPDX-License-Identifier: Apache-2.0
# Tessera: one makefile, no configure step. Needs a C11 compiler and make.
#
#   make                 the library (static and shared) and build/bin/tessera with its links
#   make pjrt            build/pjrt_plugin_tessera.so, which lets JAX run on Tessera (docs/JAX.md); part of make
#   make check           builds and runs every test
#   make check-clang     the same under clang's UndefinedBehaviorSanitizer, which knows more kinds than gcc's
#   make check-threads   the tests that use threads under ThreadSanitizer
#   make demo            shows the tool at work
#   make pictures        the pictures of docs/EXPLORE.md and docs/GALLERY.md, with chromium
#   make bare            make demo and make check on minimal roots of Debian 12 and 13; needs root, debootstrap and a mirror
#   make compilers       builds without warnings with COMPILERS='gcc-11 clang-16 musl-gcc' and others, here or in such roots;
#                        KINDS='plain debug san check'
#   make tidy            clang-tidy with the checks of .clang-tidy; ANALYZE=1: clang's static analyzer, too
#   make layers          includes point down the list of layers only
#   make neon            kernels of AArch64, by a cross compiler and an emulator where they are installed
#   make house           size and shape of the code in figures; sh tests/house.sh --list names long functions and what is there twice
#   make coverage        which columns of which op tables are filled
#   make coverage-report lines and branches that make check runs, measured with gcc's gcov; COVERAGE_FLAGS=--doc writes docs/HACKING.md
#   make gpu-bundle      build/gpu-bundle: build, tests, corpus and benchmarks for a machine with a GPU and nothing else (docs/GPU.md)
#   make bench           speed against the peers that are installed
#   make conformance PEERS=dir    the peers' own suites; dir holds stablehlo, shardy, tt-mlir
#   make differential TORCH=python   tessera.torch beside eager: torch's samples of all ops, and models; python has torch and transformers
#   make differential    random programs: partitioned against undivided ones for SECONDS=60, and against the peers that are
#                        installed; PROGRAMS=2000 SEED=1
#   make many            PROGRAMS=20000 random programs of all generators and ROWS=1000 through norms, JOBS at a time, with seeds
#                        that are drawn anew, or SEED
#   make emitted         programs as C: all models and PROGRAMS=200 random ones are emitted, compiled, run and compared bit by bit
#   make growth          how work grows with modules of many shapes, in instructions and bytes, JOBS shapes at a time; writes docs/GROWTH.md
#   make emitted-ttnn    emitted C++ and Python against what they were emitted from: 100 random programs, and 20 models with TT=dir
#   make bugs            seeded bugs of the partitioner are found by random programs
#   make artifacts CORPUS=dir     portable artifacts of its modules against jaxlib, where jax is installed
#   make fuzz            libFuzzer on each fuzz target, or on TARGETS='parse npy', FUZZ_SECONDS=60 each
#   make conformance JAX=dir      JAX's own tests on the plugin; dir is a checkout of JAX at the release that JAX_PYTHON has
#   make conformance JAX_PYTHONS='a b'  features of JAX on each of these Pythons' JAX: the oldest that is supported, and the newest
#   make conformance TT=dir       tt-mlir's builder and golden tests on python/tt; dir is a checkout of tt-mlir, TT_PYTHON a Python with torch, EVERY=n a part
#   make wheel           build/wheel/*.whl: the Python package and the plugin for JAX, for pip
#   make wheels          the wheels for x86_64 and aarch64 Linux with glibc 2.28 and later, and the source package, in build/release
#   make deb             Debian packages in build/release: tessera, libtessera0, libtessera-dev, python3-tessera
#   make installed       installs, tries and removes them in fresh roots of Debian 12 and 13
#   make tutorials       the Python programs of docs/TUTORIAL.md, with JAX_PYTHON and TORCH_PYTHON, and the pictures of docs/GALLERY.md
#   make install         PREFIX=/usr/local, DESTDIR=, LIBDIR=lib; the peers' names go to PREFIX/libexec/tessera, with LINKS=1 to bin as well
#   make uninstall       removes what install put there
#   make help            this list
#   make format          clang-format (the pinned version) over the sources; make format-check only tells what it would change
#
# Variables: CC=clang   DEBUG=1   SAN=address,undefined   MUTATIONS=500   MUTATION_SEED=1   V=1 shows commands
#            MINIMAL=1: without tt-mlir's dialects, passes, targets and tools, in build/minimal
#            WERROR=1: warnings are errors (CI sets it)   BATCH=1: each source compiled alone, 40 together else
#            MPI=1: build/tessera_mpi.so, which --transport=mpi opens; MPICC=mpicc compiles it
#            LAPACK=1: LAPACK's custom_call targets run on a system library, LAPACK_LIBS='-llapack -lblas'

CC      ?= cc
ifeq ($(origin CC),default)
CC      := gcc
endif
CLANG   := $(findstring clang,$(shell $(CC) --version 2>/dev/null))
AR      ?= ar
HIDES   := $(shell command -v objcopy 2>/dev/null)
PREFIX  ?= /usr/local
DESTDIR ?=
MUTATIONS     ?= 500
MUTATION_SEED ?= 1
FUZZ_SECONDS  ?= 60
TARGETS       ?= $(FUZZ)
PROGRAMS      ?= 2000
SECONDS       ?= 60
SEED          ?= 1
PEERS   ?=
CORPUS  ?= tests/corpus

comma := ,

# Build lines are short; V=1 shows the commands.
ifdef V
Q    :=
say   =
else
Q    := @
say   = $(info $() $() $(1) $(subst ',,$(2)))
endif

ifndef BUILD
ifdef MINIMAL
BUILD := build/minimal
else ifdef SAN
BUILD := build/san-$(subst $(comma),-,$(SAN))
else ifdef DEBUG
BUILD := build/debug
else
BUILD := build
endif
endif

WARN     := -Wall -Wextra -Wstrict-prototypes -Wmissing-prototypes -Wshadow
ifdef WERROR
WARN     += -Werror
endif
# MINIMAL=1 leaves out the files of tt-mlir's dialects, passes, targets and tools. The op and pass tables skip their rows
# (TSR_MINIMAL), and src/api/left_out.c answers for what shared code asks of them.
ifdef MINIMAL
LEFT_OUT := src/check/ttnn% $(patsubst %,src/dialect/%/%,emitc emitpy ttcore ttir ttnn) src/eval/kernel/ttnn/% src/eval/tt_mesh.c \
            src/exec/compile/ttir% src/lower/emit/% src/lower/ttir/% src/lower/ttnn/% src/pass/ttir/% src/pass/ttnn/% src/shard/rule/ttir% \
            src/shard/dp/% src/target/emit/% src/target/flatbuffer/% tools/ttrt% \
            tests/unit/test_metal.c tests/unit/test_ttir.c tests/fuzz/fuzz_flatbuffer.c \
            $(filter-out %/ttir/ttir.c %/tt/tt.c %/tt/xla.c,$(wildcard src/eval/kernel/ttir/*.c src/shard/tt/*.c))
else
LEFT_OUT := src/api/left_out.c
endif
# Hardening, for builds without sanitizers: stack protector, checked libc calls, read-only relocations.
HARDEN   := -fstack-protector-strong -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2
# Optimization level of folders and files in src; the longest path wins. loops and hot: long-running code; warm: code
# that shows up in profiles; cold: all other code, where this shortens a clean build and nothing that is measured gets
# slower (docs/HACKING.md). Line numbers are kept for profiles and backtraces; DEBUG=1 and SAN add variables.
ROOMS    := $(addsuffix =flat,asm base ir search shard/propagate text) \
            $(addsuffix =cold,$(addprefix asm/,alias.c read_affine.c read_attr.c read_dialect.c write.c) $(addprefix ir/,affine.c clone.c diag.c symbol.c) \
                search/tactics.c shard/propagate/origins.c shard/propagate/why.c text/bytecode) \
            $(patsubst %,text/bytecode/%.c=warm,bytecode entry number read_ir write) $(patsubst %,search/%.c=warm,layout model sharding) \
            $(patsubst %,shard/core/%.c=warm,axis each relayout sharding) $(patsubst %,pass/%.c=warm,canonicalize cse manager pipeline simplify simplify/driver) \
            check/compare.c=warm sim/program.c=warm dialect/builtin/constraints.c=warm eval/math=loops search/tables.c=hot $(patsubst %,eval/%.c=warm,convert eval plan random tensor) \
            $(patsubst %,eval/kernel/%.c=warm,binary compare conv convert dot gather pointwise quant reduce rng scatter shape slice sort unary window) \
            exec=warm $(patsubst %,exec/%.c=cold,dump report compile/complex compile/complex_math compile/ttir compile/ttir_move) exec/kernel=hot exec/run=hot exec/cpu=hot $(patsubst %,exec/cpu/%.c=warm,code fuse mask section)
# gcc: what -O1 and -Og lack of -O2 and takes hardly any time to compile, and what -O2 has that saves next to nothing
# outside of loops.
INLINES     := $(if $(CLANG),,-finline-small-functions -finline-functions-called-once -findirect-inlining -fpartial-inlining -foptimize-sibling-calls -fipa-ra -fcaller-saves -fstrict-aliasing)
FEWER       := $(if $(CLANG),,$(addprefix -fno-,code-hoisting gcse ipa-cp ipa-icf ipa-sra ipa-vrp schedule-insns2 tree-pre tree-tail-merge tree-vectorize))
LEVEL_loops := $(if $(CLANG),-O2,-O1 $(INLINES) -fexpensive-optimizations -ftree-vectorize -fvect-cost-model=dynamic)
LEVEL_hot   := -O2
LEVEL_flat  := -O2 $(FEWER)
LEVEL_warm  := -O1 $(INLINES)
LEVEL_cold  := -Og $(INLINES) $(if $(CLANG),,$(addprefix -fno-,cprop-registers forward-propagate guess-branch-probability split-wide-types))
LEVEL    := -O2
LEVELS   := $(LEVEL_loops) $(LEVEL_hot) $(LEVEL_flat) $(LEVEL_warm) $(LEVEL_cold)
# Debug information has no paths outside of the tree, so that two trees give the same bytes.
OPT       = $(LEVEL) $(HARDEN) -g1 -fdebug-prefix-map=$(CURDIR)=.
ifdef DEBUG
OPT      := -O0 -g -DTSR_DEBUG=1 -DTSR_CHECKS=1
endif
ifdef SAN
OPT      := -O1 -g -DTSR_CHECKS=1 -fno-omit-frame-pointer -fsanitize=$(SAN) -fno-sanitize-recover=all
OPT      += -Wno-maybe-uninitialized
ifdef CLANG
OPT      += -Wno-unknown-warning-option
endif
endif
CPPFLAGS := -I$(BUILD)/gen -Iinclude -Isrc -D_POSIX_C_SOURCE=200809L -D_DEFAULT_SOURCE$(if $(MINIMAL), -DTSR_MINIMAL)
# Nothing is fused unless the code says so (src/exec/kernel/isa/fused.h): numbers do not depend on the compiler.
FLAGS     = -std=c11 -ffp-contract=off $(OPT) $(WARN) $(CPPFLAGS) $(CFLAGS)
LIBFLAGS := -fPIC -fvisibility=hidden -DTSR_BUILD=1
LIBS     := -lm -lpthread -ldl
ifdef LAPACK
LAPACK_LIBS ?= -llapack -lblas
CPPFLAGS += -DTSR_LAPACK=1
LIBS     := $(LAPACK_LIBS) $(LIBS)
endif
LINK     := $(if $(SAN),-fsanitize=$(SAN)) $(if $(filter Linux,$(shell uname -s)),-Wl$(comma)-z$(comma)relro$(comma)-z$(comma)now)

HEADER  := include/tessera/tessera.h
HEADERS := $(HEADER) $(addprefix include/tessera/,build.h golden.h code.h tessera.hpp)
NUMBERS := $(shell sed -n 's/^.define TSR_VERSION_[MP][A-Z]*  *//p' $(HEADER) 2>/dev/null)
VERSION := $(subst $() ,.,$(NUMBERS))
MAJOR   := $(firstword $(subst ., ,$(VERSION)))
SONAME  := libtessera.so.$(MAJOR)
COMMANDS := calibrate compile completion explore grad man opt run shard simulate translate ttrt
PEERNAMES := stablehlo-opt stablehlo-translate sdy_opt ttmlir-opt ttmlir-translate ttrt
ifdef MINIMAL
COMMANDS  := $(filter-out ttrt,$(COMMANDS))
PEERNAMES := $(filter-out tt%,$(PEERNAMES))
endif

# Where things are installed, and what the files of packaging are filled with. The CMake package goes up from its own
# place to the prefix.
AT      := $(DESTDIR)$(PREFIX)
LIBDIR  ?= lib
LIBAT   := $(AT)/$(LIBDIR)
UP      := $(subst $() ,/,$(foreach d,$(subst /, ,$(LIBDIR)),..))
FILLED   = -e 's|@PREFIX@|$(PREFIX)|g' -e 's|@LIBDIR@|$${prefix}/$(LIBDIR)|g' -e 's|@UP@|$(UP)|g' -e 's|@VERSION@|$(VERSION)|g' \
           -e 's|@SONAME@|$(SONAME)|g' -e 's|@MAJOR@|$(MAJOR)|g' -e 's|@MINOR@|$(word 2,$(NUMBERS))|g' -e 's|@LIBS@|$(LIBS)|g' \
           -e 's|@CMAKE_LIBS@|$(subst $() ,;,$(patsubst -l%,%,$(LIBS)))|g'

GENERATED := $(patsubst src/%,$(BUILD)/gen/%,$(shell find src -name '*_tables.h'))
SRC     := $(filter-out $(LEFT_OUT),$(sort $(shell find src -name '*.c' -not -path 'src/pjrt/*' -not -path 'src/mpi/*' -not -path 'src/cuda/*' 2>/dev/null)))
PJRT    := $(sort $(wildcard src/pjrt/*.c))
TOOLS   := $(filter-out $(LEFT_OUT),$(sort $(wildcard tools/*.c)))
UNIT    := $(filter-out $(LEFT_OUT),$(sort $(wildcard tests/unit/*.c)))
CAPI    := $(sort $(wildcard tests/api/*.c))
BENCH   := $(sort $(wildcard bench/*.c))
FUZZ    := $(patsubst tests/fuzz/fuzz_%.c,%,$(filter-out $(LEFT_OUT),$(sort $(wildcard tests/fuzz/fuzz_*.c))))
GROWTH  := $(sort $(wildcard tests/growth/*.c))
SPMD    := $(sort $(wildcard tests/differential/spmd/*.c))
DEVTEST := $(sort $(filter-out tests/device/mock% tests/device/fiber%,$(wildcard tests/device/*.c)))
GPUTEST := $(sort $(wildcard tests/gpu/*.c))
# Tile kernels, matrix products and copies: the same sources, compiled again for each class of x86 machines
# (src/exec/kernel/isa/isa.h).
ISA     := $(filter src/exec/kernel/isa/%,$(SRC))
ISA_CLASSES := $(if $(findstring x86_64,$(shell $(CC) -dumpmachine 2>/dev/null)),avx2 avx512)
ISA_ONCE := %/fold_int.c %/scalar.c# in avx512 they are avx2's
ISAOBJ  := $(foreach c,$(ISA_CLASSES),$(patsubst %.c,$(BUILD)/obj/%.$(c).o,$(if $(filter avx512,$(c)),$(filter-out $(ISA_ONCE),$(ISA)),$(ISA))))
PAGE    := $(BUILD)/gen/explore/page_lines.c# src/explore/page as C
DEVICES := $(BUILD)/gen/sim/device_file_lines.c# src/sim/devices/*.json as C
TEXTS   := $(BUILD)/gen/target/text/text_lines.c# src/target/*/text, and functions of kernels, as C
KTEXT   := $(BUILD)/gen/gpu/kernel_text_lines.c# words of kernel text, as C; what implements devices links it
KTEXTOBJ := $(BUILD)/obj/src/gpu/kernel_text_lines.o
LINES   := $(BUILD)/obj/src/explore/page_lines.o $(BUILD)/obj/src/sim/device_file_lines.o $(BUILD)/obj/src/target/text/text_lines.o
# How many sources are compiled together (src/batches.awk); DEBUG=1 compiles each alone, since debug builds follow
# edits.
BATCH   ?= $(if $(DEBUG),1,40)
batches  = $(shell mkdir -p $(addprefix $(BUILD)/gen/,$(sort src/low src/top $(dir $(1)))) && awk -v SIZE=$(BATCH) -v ROOMS='$(ROOMS)' -v OUT=$(BUILD)/gen -f src/batches.awk $(1))
PLAINOBJ := $(patsubst %,$(BUILD)/obj/%.o,$(call batches,$(filter-out $(ISA),$(SRC))))
OBJ     := $(ISAOBJ) $(ISA:%.c=$(BUILD)/obj/%.o) $(PLAINOBJ) $(LINES)
PJRTOBJ := $(patsubst %,$(BUILD)/obj/%.o,$(call batches,$(PJRT)))
TOOLOBJ := $(patsubst %,$(BUILD)/obj/%.o,$(call batches,$(filter-out tools/main.c,$(TOOLS)))) $(BUILD)/obj/tools/main.o
UNITOBJ := $(UNIT:%.c=$(BUILD)/obj/%.o)
CUDAOBJ := $(patsubst %.c,$(BUILD)/obj/plug-in/%.o,$(sort $(wildcard src/cuda/*.c)) $(addprefix src/base/,big.c compiler.c decimal.c memory.c scope.c spare.c str.c)) $(KTEXTOBJ)
MOCKOBJ := $(patsubst %.c,$(BUILD)/obj/%.o,$(sort $(wildcard tests/device/mock*.c tests/device/fiber.c)) src/cuda/product_rules.c) $(KTEXTOBJ)

LIB     := $(BUILD)/libtessera-internal.a
PUBLIC  := $(BUILD)/libtessera.a
SHLIB   := $(BUILD)/libtessera.so
PLUGIN  := $(BUILD)/pjrt_plugin_tessera.so
CUDALIB := $(BUILD)/tessera_cuda.so
PJRTLIB := $(BUILD)/libpjrt.a
PJRTTEST := $(patsubst %.c,$(BUILD)/obj/%.o,$(filter-out tests/pjrt/memory.c,$(sort $(wildcard tests/pjrt/*.c))))
BIN     := $(BUILD)/bin/tessera
T       := $(BUILD)/bin-test
CAPIBIN := $(CAPI:tests/api/%.c=$(T)/capi_%) $(T)/pjrt $(T)/pjrt_memory $(T)/tool_memory $(T)/rank_memory
LOCALEBIN := $(T)/locale/tessera $(PEERNAMES:%=$(T)/locale/%) $(T)/locale/unit $(T)/locale/pjrt $(CAPI:tests/api/%.c=$(T)/locale/capi_%)
FUZZBIN := $(FUZZ:%=$(T)/fuzz_%)
TESTBIN := $(FUZZBIN) $(LOCALEBIN) $(T)/runner $(T)/FileCheck $(T)/not $(T)/mutate $(T)/serve $(T)/drive $(T)/grad $(T)/spmd $(T)/growth $(T)/device $(T)/device_run $(GPUTEST:tests/gpu/%.c=$(T)/gpu_%) $(T)/gpu_ops $(T)/cuda $(BUILD)/tessera_mock.so $(if $(UNIT),$(T)/unit) $(CAPIBIN)
BENCHBIN := $(BENCH:bench/%.c=$(BUILD)/bench/%)

.PHONY: all pictures bare compilers lib tidy pjrt wheel wheels parts deb installed tutorials check check-clang check-threads coverage-report tests demo layers house coverage bench conformance differential many gpu-bundle emitted emitted-ttnn growth bugs artifacts fuzz install uninstall help clean format format-check FORCE
.DELETE_ON_ERROR:
.SECONDARY:
all: lib pjrt $(CUDALIB) $(if $(MPI),$(BUILD)/tessera_mpi.so) $(BIN) $(PEERNAMES:%=$(BUILD)/bin/%)
lib: $(LIB) $(PUBLIC) $(SHLIB)
pjrt: $(PLUGIN)
tests: $(TESTBIN)

# Objects are rebuilt when the compiler or its flags change.
$(BUILD)/flags: FORCE
	@mkdir -p $(sort $(dir $(OBJ) $(PJRTOBJ) $(TOOLOBJ)))
	@echo '$(CC) $(FLAGS) $(LEVELS)' | cmp -s - $@ || echo '$(CC) $(FLAGS) $(LEVELS)' > $@

# The parts of the op tables that headers use, expanded once: src/dialect/opcode.h. A file's time changes only if its
# contents do.
$(BUILD)/gen/%.stamp: src/% $(wildcard src/dialect/*.def src/dialect/*/*.def)
	@mkdir -p $(@D)
	@$(CC) -E -P $(if $(MINIMAL),-DTSR_MINIMAL) -Isrc $< > $(@:.stamp=.pre)
	@awk 'NF && ($$1 == "};" || !seen[$$0]++)' $(@:.stamp=.pre) > $(@:.stamp=.new)
	@cmp -s $(@:.stamp=.new) $(@:.stamp=) || cp $(@:.stamp=.new) $(@:.stamp=)
	@touch $@

$(GENERATED): %: %.stamp ;

# One string per line: compilers need not support long ones. A line "@include x" is replaced by file x, without the
# comments of scripts.
$(PAGE): src/explore/page/page.html $(wildcard src/explore/page/*)
	@mkdir -p $(@D)
	@{ echo 'extern const char *const tsr_page_lines[];'; echo 'const char *const tsr_page_lines[] = {'; \
	    awk '$$1 != "@include" { print; next } { while ((getline line < ("src/explore/page/" $$2)) > 0) if (line !~ /^ *\/\//) print line }' $< | \
	    sed -e 's/["\\?]/\\&/g' -e 's/^/    "/' -e 's/$$/\\n",/'; echo '    0};'; } > $@

# For each file: its name, its lines, 0.
file_lines = { echo 'extern const char *const $(1)[];'; echo 'const char *const $(1)[] = {'; \
	    for f in $^; do n=$${f\#\#*/}; echo "    \"$${n%.*}\","; \
	        sed -e 's/["\\?]/\\&/g' -e 's/^/    "/' -e 's/$$/\\n",/' $$f; echo '    0,'; done; echo '    0};'; } > $@
$(DEVICES): $(sort $(wildcard src/sim/devices/*.json))
	@mkdir -p $(@D)
	@$(call file_lines,tsr_device_file_lines)
$(KTEXT): $(addprefix src/gpu/text/,cuda.txt kernel.txt mock.txt)
	@mkdir -p $(@D)
	@$(call file_lines,tsr_kernel_text_lines)

$(TEXTS): src/exec/kernel/tile.c $(sort $(wildcard src/target/*/text/*.txt) $(wildcard src/gpu/part/*.txt)) $(addprefix src/exec/kernel/isa/,math_f32.h math_f64.h convert.h) src/eval/math/scalar_real.c src/target/text/text.awk
	@mkdir -p $(@D)
	@{ set -e; echo 'extern const char *const tsr_text_lines[];'; echo 'const char *const tsr_text_lines[] = {'; \
	    awk -f src/target/text/text.awk $(filter-out %.awk,$^); echo '    0};'; } > $@

$(BUILD)/obj/src/explore/page_lines.o: $(PAGE) $(BUILD)/flags
$(BUILD)/obj/src/sim/device_file_lines.o: $(DEVICES) $(BUILD)/flags
$(BUILD)/obj/src/target/text/text_lines.o: $(TEXTS) $(BUILD)/flags
$(KTEXTOBJ): $(KTEXT) $(BUILD)/flags
$(LINES) $(KTEXTOBJ):
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) $(FLAGS) $(LIBFLAGS) -MMD -MP -c $< -o $@

# -Wno-shadow in batches: a file-scope name of one source may be a local variable in another.
$(PLAINOBJ) $(PJRTOBJ): LIBRARY := $(LIBFLAGS)
$(PLAINOBJ) $(PJRTOBJ) $(TOOLOBJ): private LEVEL = $(or $(strip $(foreach k,loops hot flat warm,$(if $(findstring $(k),$(notdir $@)),$(LEVEL_$(k))))),$(LEVEL_cold))
$(PLAINOBJ) $(PJRTOBJ) $(filter-out %/main.o,$(TOOLOBJ)): $(BUILD)/obj/%.o: $(BUILD)/gen/%.c $(BUILD)/flags | $(GENERATED)
	$(call say,CC,$<)
	$(Q)$(CC) $(FLAGS) -I. $(LIBRARY) $(if $(filter-out 1,$(BATCH)),-Wno-shadow) -MMD -MP -c $< -o $@

$(BUILD)/obj/tests/%.o: private LEVEL = $(LEVEL_cold)
$(BUILD)/obj/tests/unit/test_product.o: private LEVEL = $(LEVEL_hot)
$(BUILD)/obj/%.o: %.c $(BUILD)/flags | $(GENERATED)
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) $(FLAGS) -MMD -MP -c $< -o $@

# Loops are vectorized, without vector epilogues: tiles are long. Functions and loops are aligned to cache lines, so
# that times do not depend on the code linked before them. Where classes of machines have kernels of their own, the
# baseline, which no machine of the last ten years runs, is compiled quickly.
ISA_LEVEL := $(if $(SAN)$(DEBUG),,$(if $(CLANG),-O3,-O2 -ftree-vectorize -fvect-cost-model=dynamic --param vect-epilogues-nomask=0 --param max-inline-insns-single=200 -falign-functions=64 -falign-loops=32))
ISA_OTHER  = $(if $(ISA_CLASSES),$(if $(SAN)$(DEBUG)$(CLANG),,$(LEVEL_cold)),$(ISA_LEVEL))
ISA_FLAGS := -fno-math-errno -fno-trapping-math -Wno-pass-failed
ISA_avx2   := -mavx2 -mfma -mf16c
ISA_avx512 := $(ISA_avx2) -mavx512f -mavx512bw -mavx512dq -mavx512vl -mprefer-vector-width=512

# Sums must stay in registers.
$(BUILD)/obj/src/exec/kernel/isa/places.%: ISA_FLAGS += -fno-tree-slp-vectorize# loads at four places do not become a vector
$(addprefix $(BUILD)/obj/src/exec/kernel/isa/,gemm.% thin.% tall.% tiny.% linalg.% fft.% fold.% short.%): ISA_LEVEL := $(if $(SAN)$(DEBUG),-O1,-O3)
# Kernels of integers, conversions and f64 are as fast with fewer passes of gcc; vzeroupper is one of the expensive
# optimizations.
ifeq ($(SAN)$(DEBUG)$(CLANG),)
$(addprefix $(BUILD)/obj/src/exec/kernel/isa/,fold_int.% tile_convert.% tile_f64.% tile_int.%): ISA_LEVEL := -O1 -fexpensive-optimizations $(filter-out -O2,$(ISA_LEVEL))
endif
# clang takes minutes to optimize unrolled loops and the interpreter of single numbers with a sanitizer's checks.
$(addprefix $(BUILD)/obj/src/exec/kernel/isa/,fft.% scalar.%): ISA_FLAGS += $(if $(and $(SAN),$(CLANG)),-O0)

$(BUILD)/obj/src/exec/kernel/isa/%.o: src/exec/kernel/isa/%.c $(BUILD)/flags | $(GENERATED)
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) $(FLAGS) $(LIBFLAGS) $(ISA_OTHER) $(ISA_FLAGS) -MMD -MP -c $< -o $@

define isa_rule
$(BUILD)/obj/src/exec/kernel/isa/%.$(1).o: src/exec/kernel/isa/%.c $(BUILD)/flags | $(GENERATED)
	@mkdir -p $$(@D)
	$$(call say,CC,'$$< ($(1))')
	$$(Q)$$(CC) $$(FLAGS) $$(LIBFLAGS) $$(ISA_LEVEL) $$(ISA_FLAGS) $$(ISA_$(1)) -DTSR_ISA=$(1) -MMD -MP -c $$< -o $$@
endef
$(foreach c,$(ISA_CLASSES),$(eval $(call isa_rule,$(c))))

# The lists of objects are prerequisites too, so that a deleted source is removed from the library.
$(BUILD)/objects: FORCE
	@mkdir -p $(@D)
	@echo '$(OBJ) $(PJRTOBJ)' | cmp -s - $@ || echo '$(OBJ) $(PJRTOBJ)' > $@

$(LIB): $(OBJ) $(BUILD)/objects
	@rm -f $@
	$(call say,AR,$@)
	$(Q)$(AR) rcs $@ $(OBJ)

# The archive for embedders: one object in which only the API's names are global, so that short names of hooks do not
# clash with theirs. Tools and tests link the archive above. In a build with sanitizers, or without objcopy, all names
# are global in both.
$(PUBLIC): $(LIB)
	@rm -f $@ $@.o
	$(call say,LD,$@)
ifneq ($(if $(SAN),,$(HIDES)),)
	$(Q)$(LD) -r --whole-archive $(LIB) -o $@.o && objcopy --localize-hidden $@.o
	$(Q)$(AR) rcs $@ $@.o && rm -f $@.o
else
	$(Q)cp $(LIB) $@
endif

$(SHLIB): $(OBJ) $(BUILD)/objects src/api/libtessera.map
	$(call say,LD,$@)
	$(Q)$(CC) -shared $(LINK) -Wl,-z,nodelete -Wl,-soname,$(SONAME) -Wl,--version-script=src/api/libtessera.map -o $@ $(OBJ) $(LDFLAGS) $(LIBS)
	@ln -sf libtessera.so $(BUILD)/$(SONAME)

# The JAX plugin is self-contained: it includes the library, and exports only GetPjrtApi.
$(PLUGIN): $(PJRTOBJ) $(LIB)
	$(call say,LD,$@)
	$(Q)$(CC) -shared $(LINK) -Wl,-z,nodelete -Wl,--exclude-libs,ALL -o $@ $(PJRTOBJ) $(LIB) $(LDFLAGS) $(LIBS)

# The MPI transport is a separate library: the main library does not depend on MPI (docs/CLUSTER.md).
MPICC ?= mpicc
$(BUILD)/tessera_mpi.so: src/mpi/tessera_mpi.c src/base/transport.h
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(MPICC) -std=c11 -O2 $(WARN) -Isrc -D_DEFAULT_SOURCE -fPIC -fvisibility=hidden -shared -o $@ $<

# Devices with CUDA are a plug-in, too: it needs nothing of CUDA to be built, and opens the driver at run time (docs/GPU.md).
$(BUILD)/obj/plug-in/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) $(FLAGS) $(LIBFLAGS) -MMD -MP -c $< -o $@
$(CUDALIB): $(CUDAOBJ) src/cuda/plug_in.map
	$(call say,LD,$@)
	$(Q)$(CC) -shared $(LINK) $(if $(SAN),,-Wl$(comma)-z$(comma)defs) -Wl,--version-script=src/cuda/plug_in.map -o $@ $(CUDAOBJ) $(LDFLAGS) -lm -lpthread -ldl

$(BIN): $(TOOLOBJ) $(LIB)
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(LINK) -o $@ $(TOOLOBJ) $(LIB) $(LDFLAGS) $(LIBS)

$(PEERNAMES:%=$(BUILD)/bin/%): $(BIN)
	@ln -sf tessera $@

$(T)/runner: $(BUILD)/obj/tests/runner.o $(BUILD)/obj/tests/filecheck.o $(BUILD)/obj/tests/regex.o
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(LINK) -o $@ $^ $(LDFLAGS)

$(T)/FileCheck $(T)/not: $(T)/runner
	@ln -sf runner $@

$(T)/mutate: $(BUILD)/obj/tests/mutate.o $(BUILD)/obj/tests/mutate_text.o $(BUILD)/obj/tests/mutate_bytes.o $(LIB)
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(LINK) -o $@ $(filter %.o,$^) $(LIB) $(LDFLAGS) $(LIBS)

# The tools as a library, for fuzz targets and tests: main is renamed in it.
$(BUILD)/obj/tools/tool_main.o: tools/main.c $(BUILD)/flags | $(GENERATED)
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) $(FLAGS) -Dmain=tool_main -Wno-missing-prototypes -MMD -MP -c $< -o $@

$(BUILD)/libtools.a: $(filter-out %/main.o,$(TOOLOBJ)) $(BUILD)/obj/tools/tool_main.o
	@rm -f $@
	$(call say,AR,$@)
	$(Q)$(AR) rcs $@ $^

$(T)/fuzz_%: $(BUILD)/obj/tests/fuzz/fuzz_%.o $(BUILD)/obj/tests/fuzz/fuzz.o $(BUILD)/obj/tests/mutate_text.o \
    $(BUILD)/obj/tests/mutate_bytes.o $(BUILD)/libtools.a $(PJRTLIB) $(LIB)
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(LINK) -o $@ $(filter %.o,$^) $(BUILD)/libtools.a $(PJRTLIB) $(LIB) $(LDFLAGS) $(LIBS)

$(T)/tool_memory: $(BUILD)/obj/tests/tools/memory.o
$(T)/rank_memory: $(BUILD)/obj/tests/mpi/failing.o
$(T)/tool_memory $(T)/rank_memory: $(BUILD)/libtools.a $(LIB)
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(LINK) -o $@ $(filter %.o,$^) $(BUILD)/libtools.a $(LIB) $(LDFLAGS) $(LIBS)

$(T)/drive: $(BUILD)/obj/tests/explorer/drive.o
$(T)/serve: $(BUILD)/obj/tests/explorer/serve.o $(BUILD)/obj/tests/mutate_text.o
$(T)/drive $(T)/serve:
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(LINK) -o $@ $^ $(LDFLAGS)

$(T)/grad: $(BUILD)/obj/tests/pass/grad/property.o $(BUILD)/obj/tests/pass/grad/wrap.o $(LIB)
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(LINK) -o $@ $^ $(LDFLAGS) $(LIBS)

$(T)/spmd: $(SPMD:%.c=$(BUILD)/obj/%.o) $(LIB)
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(LINK) -o $@ $(filter %.o,$^) $(LIB) $(LDFLAGS) $(LIBS)

$(T)/growth: $(GROWTH:%.c=$(BUILD)/obj/%.o) $(LIB)
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(LINK) -o $@ $(filter %.o,$^) $(LIB) $(LDFLAGS) $(LIBS)

# The conformance suite of devices, and the mock as a plug-in of its own.
$(MOCKOBJ): private FLAGS += -fPIC
$(T)/device: $(DEVTEST:%.c=$(BUILD)/obj/%.o) $(MOCKOBJ) $(LIB)
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(LINK) -o $@ $^ $(LDFLAGS) $(LIBS)
# Programs that run on devices.
$(T)/device_run: $(patsubst %.c,$(BUILD)/obj/%.o,$(sort $(wildcard tests/device/run/*.c))) $(MOCKOBJ) $(LIB)
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(LINK) -o $@ $^ $(LDFLAGS) $(LIBS)
$(T)/gpu_%: $(BUILD)/obj/tests/gpu/%.o $(MOCKOBJ) $(LIB)
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(LINK) -o $@ $^ $(LDFLAGS) $(LIBS)
# Random programs of kernels.
GPUOPS  := $(patsubst %.c,$(BUILD)/obj/%.o,$(sort $(wildcard tests/gpu/ops/*.c)))
$(GPUOPS): private FLAGS += -Itests
$(T)/gpu_ops: $(GPUOPS) $(MOCKOBJ) $(LIB)
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(LINK) -o $@ $^ $(LDFLAGS) $(LIBS)
$(BUILD)/tessera_mock.so: $(MOCKOBJ)
	$(call say,LD,$@)
	$(Q)$(CC) -shared $(LINK) -o $@ $^ $(LDFLAGS) $(LIBS)

# The CUDA plug-in's tests, and what stands for NVIDIA's libraries in them.
FAKES   := $(addprefix $(T)/fakes/,libcuda.so.1 libnvrtc.so.13 libcublasLt.so.13)
FAKEOBJ := $(patsubst %,$(BUILD)/obj/tests/cuda/fake_%.o,driver rtc lt)
$(FAKEOBJ): private FLAGS += -fPIC -fvisibility=hidden -Itests
$(T)/fakes/libcuda.so.1: $(BUILD)/obj/tests/cuda/fake_driver.o
$(T)/fakes/libnvrtc.so.13: $(BUILD)/obj/tests/cuda/fake_rtc.o
$(T)/fakes/libcublasLt.so.13: $(BUILD)/obj/tests/cuda/fake_lt.o $(BUILD)/obj/tests/device/mock_math.o $(BUILD)/obj/src/cuda/product_rules.o
$(FAKES):
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) -shared $(LINK) -o $@ $^ $(LDFLAGS) -lm
$(T)/cuda: $(BUILD)/obj/tests/cuda/test_cuda.o $(FAKES) $(CUDALIB)
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(LINK) -o $@ $< $(LDFLAGS) -ldl

$(T)/unit: $(UNITOBJ) $(LIB)
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(LINK) -o $@ $(UNITOBJ) $(LIB) $(LDFLAGS) $(LIBS)

$(T)/capi_%: $(BUILD)/obj/tests/api/%.o $(SHLIB)
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(LINK) -o $@ $< -L$(BUILD) -ltessera -Wl,-rpath,$(abspath $(BUILD)) $(LDFLAGS) $(LIBS)

$(T)/pjrt: $(PJRTTEST) $(PLUGIN)
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(LINK) -o $@ $(PJRTTEST) $(LDFLAGS) -ldl

# The plugin as an archive, so that what a test does to the library affects it.
$(PJRTLIB): $(PJRTOBJ)
	@rm -f $@
	$(call say,AR,$@)
	$(Q)$(AR) rcs $@ $^

$(T)/pjrt_memory: $(BUILD)/obj/tests/pjrt/memory.o $(BUILD)/obj/tests/pjrt/harness.o $(PJRTLIB) $(LIB)
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(LINK) -o $@ $(filter %.o,$^) $(PJRTLIB) $(LIB) $(LDFLAGS) $(LIBS)

# The same in a locale whose decimal separator is a comma.
$(T)/locale/tessera: $(TOOLOBJ) $(BUILD)/obj/tests/locale.o $(LIB)
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(LINK) -o $@ $(filter %.o,$^) $(LIB) $(LDFLAGS) $(LIBS)

$(PEERNAMES:%=$(T)/locale/%): $(T)/locale/tessera
	@ln -sf tessera $@

$(T)/locale/pjrt: $(PJRTTEST) $(BUILD)/obj/tests/locale.o $(PLUGIN)
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(LINK) -o $@ $(filter %.o,$^) $(LDFLAGS) -ldl

$(T)/locale/unit: $(UNITOBJ) $(BUILD)/obj/tests/locale.o $(LIB)
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(LINK) -o $@ $(filter %.o,$^) $(LIB) $(LDFLAGS) $(LIBS)

$(T)/locale/capi_%: $(BUILD)/obj/tests/api/%.o $(BUILD)/obj/tests/locale.o $(SHLIB)
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(LINK) -o $@ $(filter %.o,$^) -L$(BUILD) -ltessera -Wl,-rpath,$(abspath $(BUILD)) $(LDFLAGS) $(LIBS)

$(BUILD)/bench/%: $(BUILD)/obj/bench/%.o $(LIB)
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(LINK) -o $@ $< $(LIB) $(LDFLAGS) $(LIBS)

# Calls of CUDA's libraries, found as the plug-in finds them.
$(BUILD)/bench/gpu_calls: $(BUILD)/obj/bench/gpu_calls.o $(BUILD)/obj/plug-in/src/cuda/load.o
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(LINK) -o $@ $^ $(LDFLAGS) $(LIBS)

check: all tests
	@CC='$(CC)' BUILD='$(BUILD)' MUTATIONS='$(MUTATIONS)' MUTATION_SEED='$(MUTATION_SEED)' sh tests/check.sh

# The tests that use threads, in a build with SAN=thread.
check-threads:
	$(MAKE) SAN=thread all tests
	@BUILD='build/san-thread' sh tests/threads.sh

check-clang:
	$(MAKE) CC=clang SAN=undefined BUILD=build/clang-undefined all tests
	$(MAKE) CC=clang SAN=undefined BUILD=build/clang-undefined check

emitted: all tests
	@BUILD='$(BUILD)' PROGRAMS='$(if $(filter file,$(origin PROGRAMS)),200,$(PROGRAMS))' sh tests/emit_c.sh --all

pictures: all $(T)/drive
	@BUILD='$(BUILD)' sh docs/pictures.sh

demo: all
	@BUILD='$(BUILD)' sh examples/demo.sh

tidy:
	@sh tests/tidy.sh

bare:
	@sh tests/bare.sh

tutorials: all $(T)/drive
	@BUILD='$(BUILD)' sh tests/tutorials.sh

installed:
	@BUILD='$(BUILD)' sh tests/installed.sh

compilers:
	@MAKE='$(MAKE)' COMPILERS='$(COMPILERS)' KINDS='$(KINDS)' sh tests/compilers.sh

layers:
	@sh tests/layers.sh

# AArch64 kernels, cross-compiled and run in an emulator.
neon:
	@MAKE='$(MAKE)' sh tests/neon.sh

house:
	@sh tests/house.sh

coverage:
	@CC='$(CC)' sh tests/coverage.sh

# Lines and branches that make check runs: build, run, count.
coverage-report:
	$(MAKE) BUILD=build/coverage CFLAGS='--coverage -fprofile-update=prefer-atomic -O1 -Wno-maybe-uninitialized' LDFLAGS=--coverage all tests
	@find build/coverage -name '*.gcda' -delete
	-@CC='$(CC)' BUILD=build/coverage MUTATIONS='$(MUTATIONS)' MUTATION_SEED='$(MUTATION_SEED)' sh tests/check.sh
	@BUILD=build/coverage sh tests/line_coverage.sh $(COVERAGE_FLAGS)

gpu-bundle: all $(T)/device $(T)/spmd $(BUILD)/tessera_mock.so $(addprefix $(BUILD)/bench/,gpu_calls gpu_run)
	@BUILD='$(BUILD)' MODELS='$(MODELS)' sh packaging/gpu_bundle.sh '$(BUILD)/gpu-bundle'

bench: all $(BENCHBIN)
	@BUILD='$(BUILD)' sh bench/run.sh

conformance: all
ifdef JAX
	@BUILD='$(BUILD)' sh tests/conformance/jax.sh '$(JAX)'
else ifdef JAX_PYTHONS
	@BUILD='$(BUILD)' sh tests/conformance/jax_versions.sh $(JAX_PYTHONS)
else ifdef TT
	@BUILD='$(BUILD)' sh tests/conformance/tt_builder.sh '$(TT)'
else
	@BUILD='$(BUILD)' sh tests/conformance/run.sh '$(PEERS)'
endif

# What the packages for other machines are linked from (packaging/link.sh).
$(BUILD)/libtools-command.a: $(TOOLOBJ)
	@rm -f $@
	$(call say,AR,$@)
	$(Q)$(AR) rcs $@ $^
$(BUILD)/libcuda-plug-in.a: $(CUDAOBJ)
	@rm -f $@
	$(call say,AR,$@)
	$(Q)$(AR) rcs $@ $^
parts: $(LIB) $(PJRTLIB) $(BUILD)/libtools-command.a $(BUILD)/libcuda-plug-in.a

wheels: all parts
	@MAKE='$(MAKE)' CC='$(CC)' BUILD='$(BUILD)' sh packaging/wheels.sh '$(BUILD)/release'

deb: all
	@MAKE='$(MAKE)' CC='$(CC)' BUILD='$(BUILD)' sh packaging/deb.sh '$(BUILD)/release'

wheel: all pjrt
	@TESSERA_PLUGIN='$(abspath $(PLUGIN))' TESSERA_LIBRARY='$(abspath $(SHLIB))' TESSERA_COMMAND='$(abspath $(BIN))' sh python/wheel.sh '$(BUILD)/wheel'

emitted-ttnn: all
	@BUILD='$(BUILD)' sh tests/python/run.sh tests/differential/emitted.py --save '$(BUILD)/differential' --small $(if $(TT),'$(TT)/test/ttmlir/models')

ifdef TORCH
differential: lib
	@TESSERA_LIBRARY='$(abspath $(BUILD))/libtessera.so' '$(TORCH)' tests/differential/torch_ops.py
	@TESSERA_LIBRARY='$(abspath $(BUILD))/libtessera.so' '$(TORCH)' tests/differential/torch_models.py --all --table docs/PYTORCH.md
else
differential: all $(T)/grad $(T)/spmd
	@mkdir -p '$(BUILD)/differential'
	@$(T)/spmd --cells 1 --table --seconds $(SECONDS) --seed $(SEED) --save '$(BUILD)/differential'
	@python3 tests/differential/data_parallel.py --bin '$(BUILD)/bin' --count $(PROGRAMS) --seed $(SEED) --keep '$(BUILD)/differential'
	@python3 tests/differential/shard.py --bin '$(BUILD)/bin' --count $(PROGRAMS) --seed $(SEED) \
	    --save '$(BUILD)/differential'
	@python3 tests/differential/values.py --bin '$(BUILD)/bin' --count $(PROGRAMS) --seed $(SEED) \
	    --save '$(BUILD)/differential'
	@python3 tests/differential/distribute.py --bin '$(BUILD)/bin' --count $(PROGRAMS) --seed $(SEED) \
	    --save '$(BUILD)/differential'
	@python3 tests/differential/layers.py --bin '$(BUILD)/bin' --save '$(BUILD)/differential'
	@python3 tests/differential/shard_map/main.py --bin '$(BUILD)/bin' --seed $(SEED) --save '$(BUILD)/differential'
	@python3 tests/differential/grad.py --bin '$(BUILD)/bin'
	@TESSERA_LIBRARY='$(abspath $(BUILD))/libtessera.so' python3 tests/differential/ops.py --seed $(SEED)
	@python3 tests/differential/quant.py --bin '$(BUILD)/bin' --count $(PROGRAMS) --seed $(SEED) --save '$(BUILD)/differential'
	@python3 tests/differential/gspmd_random.py --bin '$(BUILD)/bin' --count $(PROGRAMS) --seed $(SEED)
	@python3 tests/differential/gspmd.py --bin '$(BUILD)/bin' 2>/dev/null
	@python3 tests/differential/gspmd_torch.py --bin '$(BUILD)/bin' 2>/dev/null
	@python3 tests/differential/pipeline.py --bin '$(BUILD)/bin' --save '$(BUILD)/differential'
	@python3 tests/differential/pytorch.py --bin '$(BUILD)/bin'
	@python3 tests/differential/jax_grad.py --bin '$(BUILD)/bin'
	@$(T)/grad --seed $(SEED) --rounds 200 tests/pass/grad/*.cases
	@$(T)/grad --mesh --seed $(SEED) --rounds 40 tests/pass/grad/*.cases
endif

many: all $(T)/spmd
	@python3 tests/differential/many.py --build '$(BUILD)' --save '$(BUILD)/many' $(if $(findstring command,$(origin PROGRAMS)),--programs $(PROGRAMS)) \
	    $(if $(ROWS),--rows $(ROWS)) $(if $(JOBS),--jobs $(JOBS)) $(if $(findstring command,$(origin SEED)),--seed $(SEED))

artifacts: all
	@python3 tests/conformance/artifacts.py --bin '$(BUILD)/bin' --list '$(CORPUS)'

growth: $(T)/growth
	@$(T)/growth --table docs/GROWTH.md $(if $(JOBS),--jobs $(JOBS))

bugs: lib
	@CC='$(CC)' BUILD='$(BUILD)' sh tests/differential/bugs.sh

fuzz:
	@MAKE='$(MAKE)' FUZZ_SECONDS='$(FUZZ_SECONDS)' TARGETS='$(TARGETS)' sh tests/fuzz/run.sh

install: all
	install -d $(AT)/bin $(LIBAT)/pkgconfig $(LIBAT)/cmake/tessera $(AT)/include/tessera
	install -m 755 $(BIN) $(AT)/bin/tessera
	install -d $(AT)/libexec/tessera
	for l in $(PEERNAMES); do ln -sf ../../bin/tessera $(AT)/libexec/tessera/$$l; done
ifdef LINKS
	for l in $(PEERNAMES); do ln -sf tessera $(AT)/bin/$$l; done
endif
	install -m 644 $(HEADERS) $(AT)/include/tessera/
	install -m 644 $(PUBLIC) $(LIBAT)/
	install -m 755 $(SHLIB) $(LIBAT)/libtessera.so.$(VERSION)
	ln -sf libtessera.so.$(VERSION) $(LIBAT)/$(SONAME)
	ln -sf $(SONAME) $(LIBAT)/libtessera.so
	install -m 755 $(PLUGIN) $(LIBAT)/
	install -d $(LIBAT)/tessera
	install -m 755 $(CUDALIB) $(LIBAT)/tessera/
	install -d $(addprefix $(AT)/share/,man/man1 bash-completion/completions zsh/site-functions fish/vendor_completions.d)
	$(BIN) man > $(AT)/share/man/man1/tessera.1
	for c in $(COMMANDS); do $(BIN) man $$c > $(AT)/share/man/man1/tessera-$$c.1 || exit 1; done
	$(BIN) completion bash > $(AT)/share/bash-completion/completions/tessera
	$(BIN) completion zsh > $(AT)/share/zsh/site-functions/_tessera
	$(BIN) completion fish > $(AT)/share/fish/vendor_completions.d/tessera.fish
	sed $(FILLED) packaging/tessera.pc.in > $(LIBAT)/pkgconfig/tessera.pc
	for f in tesseraConfig tesseraConfigVersion; do sed $(FILLED) packaging/$$f.cmake.in > $(LIBAT)/cmake/tessera/$$f.cmake || exit 1; done

# Files in bin that are not our links are kept.
uninstall:
	for l in $(PEERNAMES); do \
	    if [ "$$(readlink $(AT)/bin/$$l)" = tessera ]; then rm -f $(AT)/bin/$$l; fi; done
	rm -rf $(AT)/libexec/tessera $(AT)/include/tessera $(LIBAT)/cmake/tessera $(LIBAT)/tessera
	rm -f $(LIBAT)/$(notdir $(PLUGIN))
	rm -f $(AT)/bin/tessera $(LIBAT)/libtessera.a $(LIBAT)/libtessera.so*
	rm -f $(LIBAT)/pkgconfig/tessera.pc $(AT)/share/man/man1/tessera.1
	rm -f $(COMMANDS:%=$(AT)/share/man/man1/tessera-%.1)
	rm -f $(AT)/share/bash-completion/completions/tessera $(AT)/share/zsh/site-functions/_tessera
	rm -f $(AT)/share/fish/vendor_completions.d/tessera.fish

help:
	@sed -n "/^#/!q; /SPDX/d; s/^# \\{0,1\\}//p" Makefile

format:
	@sh tests/format.sh -i

format-check:
	@sh tests/format.sh --dry-run -Werror

clean:
	rm -rf build

-include $(OBJ:.o=.d) $(PJRTOBJ:.o=.d) $(CUDAOBJ:.o=.d) $(TOOLOBJ:.o=.d) $(UNITOBJ:.o=.d) \
    $(wildcard $(BUILD)/obj/tests/*.d $(BUILD)/obj/tests/*/*.d $(BUILD)/obj/tests/*/*/*.d $(BUILD)/obj/bench/*.d)
