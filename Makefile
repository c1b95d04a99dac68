# drvabi - see README.md; `make help` lists the targets.
#
# LLVM=14|16|19   the libclang to build against          CC=gcc|clang
# B=DIR           the build directory                    SAN=1  with AddressSanitizer and UBSan (needs clang)
# PREFIX, DESTDIR where `make install` copies files      REPO=PATH  a clone of the driver, for bench and check-*
# V=1             print each command                TABLE=FILE  a proxy's table, for bench and check-mutants
# GVISOR=PATH     a clone of gVisor, for bench    JOBS=4  the number of test files that run at the same time

VERSION := 0.1.0
LLVM ?= 14
LLVM_DIR ?= /usr/lib/llvm-$(LLVM)
B ?= build
PREFIX ?= /usr/local
DESTDIR ?=
REPO ?=
TABLE ?= data/nvproxy.json
GVISOR ?=
VERSIONS ?=
JOBS ?= 4
# The URL of docs/ with a slash at the end. SARIF's helpUri begins with it. The project has no web site yet.
DOCS_URL ?= urn:drvabi:docs/
ARCHIVE_LLVMS ?= 14 19
ifneq ($(words $B),1)
$(error B is '$B'; name a build directory without spaces, such as one relative to this one)
endif
Q := $(if $(V),,@)
SAY := @$(if $(V),:,printf '  %-4s %s\n')

WARN := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wwrite-strings -Wpointer-arith -Wundef -Wvla -Werror
CFLAGS ?= -O2 -g
ifdef SAN
# "make check CC=gcc CFLAGS=-O0" sets both here, too, because a variable of the command line reaches every make that it starts.
ifeq ($(findstring clang,$(CC)),)
override CC := clang-$(LLVM)
endif
# Line tables are all that a sanitizer's report needs; with full debug information the build takes a fifth longer. Optimization takes six
# times as long to compile as none, so only code that reads whole archives and traces is optimized (OPTIMIZED). SAN=fuzz adds the
# instrumentation that a fuzzer needs to see which code an input reaches.
override CFLAGS := $(if $(filter fuzz,$(SAN)),-O1 -fsanitize=fuzzer-no-link,-O0) -gline-tables-only -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
endif

# Hardening, since input is not trusted: a write out of bounds ends the program, and no table of pointers is writable.
# takes FLAG - FLAG if the compiler knows it, else nothing: only x86 has -fcf-protection.
takes = $(if $(shell $(CC) -Werror $1 -x c -S /dev/null -o /dev/null 2>/dev/null && echo yes),$1)
HARDEN := -fPIE -fstack-protector-strong $(call takes,-fcf-protection)
HARDEN_LD := -pie -Wl,-z,relro,-z,now
# _FORTIFY_SOURCE needs optimization, and hides errors from the sanitizers.
ifeq ($(findstring _FORTIFY_SOURCE,$(CPPFLAGS) $(CFLAGS))$(findstring -fsanitize,$(CFLAGS)),)
HARDEN_CPP := $(if $(filter-out -O0,$(filter -O%,$(CFLAGS))),-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
endif

DEFINES := -D_GNU_SOURCE -DDOCS_URL='"$(DOCS_URL)"' -DDRVABI_VERSION='"$(VERSION)"'
ALL_CPPFLAGS = $(DEFINES) -Isrc -I$B/generated -isystem $(LLVM_DIR)/include $(HARDEN_CPP) $(CPPFLAGS)
# Keeps the path of the build directory out of the program: assertions in generated code contain __FILE__.
ALL_CFLAGS = -std=gnu11 -pthread -fmacro-prefix-map='$B/=' $(WARN) $(HARDEN) $(CFLAGS)
# cmocka passes each test a state, which few tests use. A test's own code is not optimized: that takes a fifth of the time to compile,
# under the sanitizers a seventh. The code that it tests is the library's.
TEST_CFLAGS = -Wno-missing-prototypes -Wno-unused-parameter -U_FORTIFY_SOURCE -O0
ALL_LDFLAGS = $(HARDEN_LD) $(LDFLAGS)
# libclang is loaded when headers are parsed: from its directory at build time, else by this name from the loader's path.
LIBCLANG_NAME = $(or $(shell readelf -d '$(LLVM_DIR)/lib/libclang.so' 2>/dev/null | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p'),libclang.so)
LIBCLANG_DIR = $(patsubst %/,%,$(dir $(or $(realpath $(LLVM_DIR)/lib/libclang.so),$(LLVM_DIR)/lib/libclang.so)))
# libarchive is loaded by its name when a .run file is read.
LIBARCHIVE_NAME = $(or $(shell readelf -d "$$($(CC) -print-file-name=libarchive.so)" 2>/dev/null | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p'),libarchive.so)
LIBS := -lgit2 -lcjson -lxxhash -lzstd -lz -lprotobuf-c -lnettle
ifdef SAN
LIBS += testdata/asan_options.c
endif

SOURCES := $(sort $(wildcard src/*/*.c))
TEST_SOURCES := $(filter %_test.c,$(SOURCES))
# Part of the preloaded library only: it defines libc functions that the program itself calls.
HOOK := src/sniff/hook.c
GENERATED := $(patsubst src/%.proto,$B/%.pb-c.o,$(wildcard src/*/*.proto))
LIB_OBJECTS := $(patsubst src/%.c,$B/%.o,$(filter-out %_test.c src/cli/main.c $(HOOK),$(SOURCES))) $(GENERATED)
TESTS := $(TEST_SOURCES:src/%_test.c=$B/test/%)
COMMANDS := diff extract flatten show verify surface pids history blame ranges bootstrap gen decode sniff archive cache table profile explain help
# Names of links to the program. It behaves differently under each.
NAMES := run_differ driver_ast_parser
MAN := $B/man/drvabi.1 $(NAMES:%=$B/man/%.1) $(COMMANDS:%=$B/man/drvabi-%.1)

all: $B/drvabi $(NAMES:%=$B/%) $B/libdrvabi-preload.so $B/sniff/hook.o ## build drvabi, run_differ and driver_ast_parser
.DEFAULT_GOAL := all

# Only with SAN=1. Other builds optimize everything.
OPTIMIZED := $(if $(SAN),$(patsubst src/%.c,$B/%.o,$(filter-out %_test.c,$(wildcard $(patsubst %,src/%/*.c,\
	abi base decode store)))))
$(OPTIMIZED): OPTIMIZE := -O1

# Objects depend on the flags they were built with.
FLAGS_NOW := $(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) $(TEST_CFLAGS) $(ALL_LDFLAGS) $(LIBS)
$B/.flags: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' '$(subst ','\'',$(FLAGS_NOW))' | cmp -s - $@ || printf '%s\n' '$(subst ','\'',$(FLAGS_NOW))' > $@

$B/%.o: src/%.c $B/.flags
	@mkdir -p $(@D)
	$(SAY) CC $@
	$Q$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) $(OPTIMIZE) -MMD -MP -c $< -o $@

# protobuf-c generates C from the definition of a trace's messages.
$B/generated/%.pb-c.c $B/generated/%.pb-c.h: src/%.proto
	@mkdir -p $(@D)
	$(SAY) GEN $@
	$Qprotoc-c --c_out=$B/generated --proto_path=src $<
$B/%.pb-c.o: $B/generated/%.pb-c.c $B/.flags
	@mkdir -p $(@D)
	$(SAY) CC $@
	$Q$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c $< -o $@
$(patsubst src/%.c,$B/%.o,$(wildcard src/decode/*.c)): $B/generated/decode/trace.pb-c.h

$B/extract/libclang.o: DEFINES += -DLIBCLANG_DIR='"$(LIBCLANG_DIR)"' -DLIBCLANG_NAME='"$(LIBCLANG_NAME)"'

$B/source/package.o: DEFINES += -DLIBARCHIVE_NAME='"$(LIBARCHIVE_NAME)"'

# The built-in profiles are included as JSON text.
$B/extract/profile.o: $(wildcard src/extract/profiles/*.json)
$B/extract/profile.o: DEFINES += -DPROFILE_DIR='"$(CURDIR)/src/extract/profiles"'

# Headers that trees can need, and that drvabi has as text.
$B/abi/profile.o: src/abi/linux_stand_ins.in
$B/abi/profile.o: DEFINES += -DABI_DIR='"$(CURDIR)/src/abi"'
$B/extract/clang.o: src/extract/stdint.in
$B/extract/clang.o: DEFINES += -DEXTRACT_DIR='"$(CURDIR)/src/extract"'

# A cached document depends on its input, and on this code and these headers, so their checksum is part of the cache key.
MAKERS := $(sort $(filter-out %_test.c,$(wildcard src/base/*.[ch] src/abi/*.[ch] src/extract/*.[ch] src/abi/*.in src/extract/*.in)))
$B/store/tree_store.o: $(MAKERS)
$B/store/tree_store.o: DEFINES += -DDRVABI_MAKERS='"$(shell cat $(MAKERS) | cksum | tr ' ' -)"'

# The HTML, style and scripts of a history's page, and the texts of rules, are included as text,
$B/report/page.o: src/report/page.html src/report/page.css $(wildcard src/report/page*.js)
$B/report/version_map.o: src/report/version_map.in
$B/report/rules.o: src/report/rules.in
$B/report/page.o $B/report/version_map.o $B/report/rules.o: DEFINES += -DPAGE_DIR='"$(CURDIR)/src/report"'

# as are the parts of generated code that are always the same
EMBEDDED_CODE := $B/gen/pid_shim.o $B/gen/python.o $B/gen/rust.o
$(EMBEDDED_CODE): $(wildcard src/gen/*.in)
$(EMBEDDED_CODE): DEFINES += -DGEN_DIR='"$(CURDIR)/src/gen"'

# and the shell completion scripts and the text of --help.
$B/cli/completion.o: $(wildcard src/cli/completion.*sh)
$B/cli/help.o: src/cli/manual.txt
$B/cli/completion.o $B/cli/help.o: DEFINES += -DCLI_DIR='"$(CURDIR)/src/cli"'

$B/libdrvabi.a: $(LIB_OBJECTS)
	@rm -f $@
	$Q$(AR) rcs $@ $^

# The preloaded library links only libc. Its sources are compiled again as position-independent code, and unused functions are dropped.
PRELOAD_SOURCES := $(HOOK) $(patsubst %,src/%.c,sniff/channel sniff/device sniff/arch sniff/process_memory \
	decode/pack decode/device decode/request abi/ioc base/memory base/system)
PRELOAD_OBJECTS := $(PRELOAD_SOURCES:src/%.c=$B/shared/%.o) $B/shared/decode/trace.pb-c.o
# The sanitizers cannot be loaded into a program that was built without them.
PRELOAD_CFLAGS = -fPIC -fvisibility=hidden -ffunction-sections -fdata-sections -fno-sanitize=all
$B/shared/%.o: src/%.c $B/.flags
	@mkdir -p $(@D)
	$(SAY) CC $@
	$Q$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) $(PRELOAD_CFLAGS) -MMD -MP -c $< -o $@
$B/shared/%.pb-c.o: $B/generated/%.pb-c.c $B/.flags
	@mkdir -p $(@D)
	$(SAY) CC $@
	$Q$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) $(PRELOAD_CFLAGS) -MMD -MP -c $< -o $@
$B/shared/decode/pack.o: $B/generated/decode/trace.pb-c.h

$B/libdrvabi-preload.so: $(PRELOAD_OBJECTS)
	$(SAY) LD $@
	$Q$(CC) $(ALL_CFLAGS) $(PRELOAD_CFLAGS) $(LDFLAGS) -shared -Wl,-z,relro,-z,now,-z,defs,--gc-sections,--exclude-libs,ALL $^ -l:libprotobuf-c.a -o $@

$B/drvabi: $B/cli/main.o $B/libdrvabi.a
	$(SAY) LD $@
	$Q$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) $^ $(LIBS) -o $@

$(NAMES:%=$B/%): $B/drvabi
	$Qln -sf drvabi $@

# All tests of a directory are linked into one program, which has a hard link for each file. The name of the link selects the tests
# to run. A symbolic link would not do, since /proc/self/exe gives the name of its target.
$B/%_test.o $B/test_main.o: ALL_CFLAGS += $(TEST_CFLAGS)

$B/test_main.o: testdata/test_main.c $B/.flags
	$(SAY) CC $@
	$Q$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c $< -o $@

define ROOM_TESTS
$B/test/$1/.all: $B/test_main.o $(2:%=$B/$1/%_test.o) $B/libdrvabi.a
	@mkdir -p $$(@D)
	$(SAY) LD $$@
	$Q$$(CC) $$(ALL_CFLAGS) $$(ALL_LDFLAGS) -Wl,--wrap=strcmp,--wrap=strncmp,--wrap=memmem \
		$$^ -lcmocka $$(LIBS) -o $$@
$(2:%=$B/test/$1/%): $B/test/$1/.all
	@ln -f $$< $$@
endef
$(foreach room,$(sort $(notdir $(patsubst %/,%,$(dir $(TEST_SOURCES))))),\
	$(eval $(call ROOM_TESTS,$(room),$(patsubst src/$(room)/%_test.c,%,$(filter src/$(room)/%,$(TEST_SOURCES))))))
$B/test/sniff/preload: $B/libdrvabi-preload.so

# The fuzz targets are one program, too, with a hard link for each target. It needs SAN=1. scripts/fuzz builds it with SAN=fuzz to find
# inputs.
FUZZ_TARGETS := $(patsubst testdata/fuzz/%.c,%,$(wildcard testdata/fuzz/*.c))
FUZZ_OBJECTS := $(patsubst testdata/%.c,$B/%.o,$(wildcard testdata/fuzz/*.c testdata/fuzz/lib/*.c))
$(FUZZ_OBJECTS): OPTIMIZE := -O1
$B/fuzz/%.o: testdata/fuzz/%.c $B/.flags
	@mkdir -p $(@D)
	$(SAY) CC $@
	$Q$(CC) -Itestdata/fuzz $(ALL_CPPFLAGS) $(ALL_CFLAGS) $(OPTIMIZE) '-DFUZZ_ROOT="$(CURDIR)"' -DLLVMFuzzerTestOneInput=fuzz_target_$(*F) -MMD -MP -c $< -o $@
$B/fuzz/.all: testdata/fuzz_main.c $(FUZZ_OBJECTS) $B/libdrvabi.a
	$(SAY) LD $@
	$Q$(CC) '-DTARGETS=$(foreach target,$(FUZZ_TARGETS),TARGET($(target)))' $(ALL_CFLAGS) $(ALL_LDFLAGS) -fsanitize=fuzzer $^ $(LIBS) -o $@
	$Qfor target in $(FUZZ_TARGETS); do ln -f $@ $(@D)/$$target || exit; done
fuzz-targets: $B/fuzz/.all

man: $(MAN) ## build the manual pages from the text of --help
$B/man/drvabi.1: $B/drvabi
	@mkdir -p $(@D)
	$Q$B/drvabi help --man | scdoc > $@.tmp && mv $@.tmp $@
$B/man/drvabi-%.1: $B/drvabi
	@mkdir -p $(@D)
	$Q$B/drvabi help --man $* | scdoc > $@.tmp && mv $@.tmp $@
$B/man/run_differ.1: $B/man/drvabi-diff.1
	$Qecho '.so man1/drvabi-diff.1' > $@
$B/man/driver_ast_parser.1: $B/man/drvabi-extract.1
	$Qecho '.so man1/drvabi-extract.1' > $@

# Where bash, zsh and fish search for completion scripts.
COMPLETIONS := bash-completion/completions zsh/site-functions fish/vendor_completions.d

# nvproxy-patch is a Go program that is installed as source: its users build gVisor, so they have Go.
PATCH_MODULES := nvproxy-patch proxysource

install: all man ## install into DESTDIR/PREFIX
	install -d '$(DESTDIR)$(PREFIX)/bin' '$(DESTDIR)$(PREFIX)/share/man/man1' '$(DESTDIR)$(PREFIX)/share/drvabi' \
		$(COMPLETIONS:%='$(DESTDIR)$(PREFIX)/share/%')
	install -m 644 src/cli/completion.bash '$(DESTDIR)$(PREFIX)/share/$(word 1,$(COMPLETIONS))/drvabi'
	ln -sf drvabi '$(DESTDIR)$(PREFIX)/share/$(word 1,$(COMPLETIONS))/run_differ'
	install -m 644 src/cli/completion.zsh '$(DESTDIR)$(PREFIX)/share/$(word 2,$(COMPLETIONS))/_drvabi'
	install -m 644 src/cli/completion.fish '$(DESTDIR)$(PREFIX)/share/$(word 3,$(COMPLETIONS))/drvabi.fish'
	ln -sf drvabi.fish '$(DESTDIR)$(PREFIX)/share/$(word 3,$(COMPLETIONS))/run_differ.fish'
	install -m 755 $B/drvabi '$(DESTDIR)$(PREFIX)/bin/drvabi'
	for name in $(NAMES); do ln -sf drvabi '$(DESTDIR)$(PREFIX)/bin/'$$name || exit; done
	install -d '$(DESTDIR)$(PREFIX)/lib/drvabi'
	install -m 755 $B/libdrvabi-preload.so '$(DESTDIR)$(PREFIX)/lib/drvabi/'
	install -m 644 $(MAN) '$(DESTDIR)$(PREFIX)/share/man/man1/'
	install -m 644 data/nvidia.drvabi data/nvproxy.json data/nvproxy-accepted.txt '$(DESTDIR)$(PREFIX)/share/drvabi/'
	for file in $$(cd docs && find * -type f); do install -D -m 644 docs/$$file '$(DESTDIR)$(PREFIX)/share/doc/drvabi/'$$file || exit; done
	install -d $(PATCH_MODULES:%='$(DESTDIR)$(PREFIX)/share/drvabi/%')
	for module in $(PATCH_MODULES); do install -m 644 $$(ls scripts/$$module/go.mod scripts/$$module/*.go | grep -v _test) \
		'$(DESTDIR)$(PREFIX)/share/drvabi/'$$module || exit; done
	install -m 755 scripts/nvproxy-patch/nvproxy-patch '$(DESTDIR)$(PREFIX)/share/drvabi/nvproxy-patch/'
	ln -sf ../share/drvabi/nvproxy-patch/nvproxy-patch '$(DESTDIR)$(PREFIX)/bin/nvproxy-patch'

deb: deps-build deps-deb ## build a Debian package, build/drvabi_VERSION_ARCH.deb
dist: ## pack the sources into build/drvabi-VERSION.tar.gz, which builds without git
container: ## build a container image with podman or docker
deb dist container:
	@B='$B' VERSION='$(VERSION)' LLVM='$(LLVM)' MAKE='$(MAKE)' scripts/package $@

# --- set-up and benchmarks ---------------------------------------------------

deps-%:
	@LLVM=$(LLVM) scripts/install-deps $*

demo: deps-build ## install dependencies, build, and run the differ on the small driver in testdata/demo
	@$(MAKE) --no-print-directory -j$$(nproc) all
	@scripts/make-fixture $B/demo.git
	@B='$B' scripts/demo

archive: all ## write data/nvidia.drvabi again from all releases of NVIDIA's driver (REPO=a clone of it)
	@$B/drvabi archive write --no-archive --no-cache $(if $(REPO),--repo '$(REPO)') -o data/nvidia.drvabi

bench: deps-bench all ## measure side by side with clang (REPO=a clone of the driver, GVISOR=a clone of gVisor)
	@LLVM=$(LLVM) DRVABI='$B/drvabi' TABLE='$(TABLE)' scripts/bench '$(REPO)'
	@DRVABI='$B/drvabi' scripts/bench-sniff $(if $(GVISOR),'$(GVISOR)')

# --- tests -------------------------------------------------------------------

# The command-line tests with damaged or hostile input. `make check` also runs them under the sanitizers, `make check-full` all tests.
HOSTILE := $(wildcard $(patsubst %,testdata/cli/%-*.t,1012 1013 1014 1015 1312 1314 2002 2003 2006 2007 2008 2030 3004 4003 5211 5241 5300 6001 \
	6101 6120 6121 6360 6361)) testdata/hard/

# Debian's mirror takes about a minute to send the driver that `real` reads, so the driver is fetched while the programs compile.
# Then three sequences of steps run at the same time: command-line tests, tests under the sanitizers, and tests that use one core.
check: deps-build deps-check ## install dependencies, then run the tests; those that read input also under the sanitizers
	@$(MAKE) --no-print-directory -j$$(($$(nproc) + 1)) fetch-driver all man
	@$(MAKE) --no-print-directory -j$$(($$(nproc) + 2)) --output-sync=target JOBS=$$(nproc) SECONDS='$(or $(SECONDS),12)' \
		e2e check-sanitized check-single

# If this fails, `real` tries again, prints the reason, and fails.
fetch-driver:
	@mkdir -p '$B'
	@scripts/debian-driver '$B/debian-driver' >'$B/debian-driver.log' 2>&1 || :

check-sanitized:
	@$(MAKE) --no-print-directory SAN=1 B='$B-san' programs fuzz-targets
	@$(MAKE) --no-print-directory SAN=1 B='$B-san' unit
	@$(MAKE) --no-print-directory SAN=1 B='$B-san' hostile
	@$(MAKE) --no-print-directory replay

check-single:
	@$(MAKE) --no-print-directory layers
	@$(MAKE) --no-print-directory real
	@$(MAKE) --no-print-directory chance

# Here the unit tests also run without the sanitizers, and the command-line tests run their long cases: see in_full in testdata/cli/lib.sh.
check-full: check ## check, then the slow tests, and all command-line tests under the sanitizers (GVISOR=a clone of gVisor, for its hook)
	@$(MAKE) --no-print-directory -j$$(nproc) programs
	@DRVABI_FULL=1 $(MAKE) --no-print-directory -j3 --output-sync=target JOBS=$$(nproc) SECONDS='$(or $(SECONDS),60)' \
		check-slow chance sanitized-e2e

check-slow:
	@$(MAKE) --no-print-directory unit
	@MAKEFLAGS= DRVABI='$(abspath $B)/drvabi' GVISOR='$(GVISOR)' prove -j$(JOBS) --failures --comments testdata/full/ \
		$$(grep -l '\bin_full\b' testdata/cli/*.t)

sanitized-e2e:
	@$(MAKE) --no-print-directory SAN=1 B='$B-san' e2e

layers: ## check which source directory includes which
	@prove -e '' scripts/layers

programs: all $(TESTS)

unit: $(TESTS) ## run the unit tests
	@CMOCKA_MESSAGE_OUTPUT=TAP prove -j2 -e '' $(TESTS)

e2e: all $(if $(SAN),,man) ## run the command-line tests, on the driver in testdata/demo
	@MAKEFLAGS= DRVABI='$(abspath $B)/drvabi' DRVABI_SAN='$(SAN)' prove -j$(JOBS) --failures --comments testdata/cli/ testdata/hard/

hostile: all
	@MAKEFLAGS= DRVABI='$(abspath $B)/drvabi' DRVABI_SAN='$(SAN)' prove -j$(JOBS) --failures --comments $(HOSTILE)

real: all ## test run_differ on NVIDIA's driver from Debian's source packages
	@MAKEFLAGS= DRVABI='$(abspath $B)/drvabi' B='$(abspath $B)' prove -v testdata/real/

chance: deps-check all ## compare random headers, in several versions, with gcc (SECONDS=35)
	@scripts/chance --self-test >/dev/null
	@MAKEFLAGS= DRVABI='$(abspath $B)/drvabi' prove -v -e '' scripts/chance :: --check --seconds $(or $(SECONDS),35)

check-dwarf: deps-dwarf all ## compare every record of every tag with gcc's DWARF (REPO=a clone of the driver)
	@DRVABI='$(abspath $B)/drvabi' scripts/check-dwarf '$(REPO)'

check-cache: all ## compare every document with and without the cache, byte for byte (REPO=a clone of the driver)
	@DRVABI='$(abspath $B)/drvabi' scripts/check-cache '$(REPO)'

# REPO and VERSIONS are passed in the environment, so that the shell does not parse them.
check-archive: export REPO := $(value REPO)
check-archive: export VERSIONS := $(value VERSIONS)
check-archive: ## compare data/nvidia.drvabi with extraction by two versions of libclang (REPO=a clone of the driver, VERSIONS=tags)
	@for llvm in $(ARCHIVE_LLVMS); do LLVM=$$llvm scripts/install-deps build && \
		$(MAKE) --no-print-directory LLVM=$$llvm B='$B-llvm'$$llvm all || exit 2; done
	@DRVABI='$(subst $() ,:,$(ARCHIVE_LLVMS:%=$B-llvm%/drvabi))' scripts/check-archive "$$REPO" $$VERSIONS

check-mutants: all ## change a proxy's TABLE in many ways; verify must find each change (REPO=a clone of the driver)
	@DRVABI='$(abspath $B)/drvabi' scripts/mutate-table '$(REPO)' '$(TABLE)'

check-setup: ## run `make demo`, `make check` and `make deb` in a bare Debian (needs root and debootstrap)
	@scripts/check-setup

fuzz: deps-check ## fuzz every reader and renderer (SECONDS=60 for each), starting from the last run's inputs
	@scripts/fuzz --seconds $(or $(SECONDS),60)

replay: deps-check ## run every input that fuzzing has found once
	@B='$B' LLVM=$(LLVM) prove -v -e '' scripts/fuzz :: --replay

clean: ## remove all built files
	rm -rf $B $B-san

help: ## print this list
	@sed -n 's/^\([a-z][a-z0-9-]*\):.*## \(.*\)/\1@\2/p' Makefile | awk -F @ '{ printf "  make %-14s %s\n", $$1, $$2 }'

-include $(LIB_OBJECTS:.o=.d) $B/cli/main.d $B/test_main.d $(PRELOAD_OBJECTS:.o=.d) $(TEST_SOURCES:src/%.c=$B/%.d) $(FUZZ_OBJECTS:.o=.d)

FORCE:
.PHONY: all man install deb dist container demo archive bench check check-full check-sanitized check-single check-slow sanitized-e2e fetch-driver programs hostile layers unit e2e chance real check-dwarf check-cache check-archive check-mutants check-setup fuzz fuzz-targets replay clean help FORCE
.SECONDARY:
