# drvabi - see README.md; `make help` lists the targets.
#
# LLVM=14|16|19   the libclang to build against          CC=gcc|clang
# B=DIR           the build directory                    SAN=1  with AddressSanitizer and UBSan (needs clang)
# PREFIX, DESTDIR where `make install` puts things       REPO=PATH  a clone of the driver, for bench and check-*
# V=1             the commands as they are run      TABLE=FILE  a proxy's table, for bench and check-mutants
# GVISOR=PATH     a clone of gVisor, for bench

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
# Where docs/ can be read, with a slash at the end: SARIF's helpUri begins with it. The project has no address of its own.
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
CC := clang-$(LLVM)
CFLAGS := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
endif

# Hardening. Input is other people's: a write out of bounds ends the program, and no table of pointers is writable.
# takes FLAG - that flag, if the compiler knows it: -fcf-protection is for x86 alone.
takes = $(if $(shell $(CC) -Werror $1 -x c -S /dev/null -o /dev/null 2>/dev/null && echo yes),$1)
HARDEN := -fPIE -fstack-protector-strong $(call takes,-fcf-protection)
HARDEN_LD := -pie -Wl,-z,relro,-z,now
# _FORTIFY_SOURCE needs an optimizer, and hides from the sanitizers what they look at.
ifeq ($(findstring _FORTIFY_SOURCE,$(CPPFLAGS) $(CFLAGS))$(findstring -fsanitize,$(CFLAGS)),)
HARDEN_CPP := $(if $(filter-out -O0,$(filter -O%,$(CFLAGS))),-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
endif

DEFINES := -D_GNU_SOURCE -DDOCS_URL='"$(DOCS_URL)"' -DDRVABI_VERSION='"$(VERSION)"'
ALL_CPPFLAGS = $(DEFINES) -Isrc -I$B/generated -isystem $(LLVM_DIR)/include $(HARDEN_CPP) $(CPPFLAGS)
# No path of this machine in the program: assertions of generated code would have it.
ALL_CFLAGS = -std=gnu11 -pthread -fmacro-prefix-map='$B/=' $(WARN) $(HARDEN) $(CFLAGS)
TEST_CFLAGS = -Dmain=main_of_$(*F) -Wno-missing-prototypes
ALL_LDFLAGS = $(HARDEN_LD) $(LDFLAGS)
# libclang is loaded when headers are read, from where it was at build time, else from where the system has one of this name.
LIBCLANG_NAME = $(or $(shell readelf -d '$(LLVM_DIR)/lib/libclang.so' 2>/dev/null | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p'),libclang.so)
LIBS := -lgit2 -lcjson -lxxhash -lzstd -lz -lprotobuf-c -larchive -lnettle
ifdef SAN
# Under the sanitizers, libclang is there from the start. They have to guess where the thread-local memory of a library that is
# loaded later begins and ends, and guess wrong if malloc() puts it 16 bytes into a page: LeakSanitizer then reads an invalid address.
LIBS += -L$(LLVM_DIR)/lib -Wl,--no-as-needed -lclang -Wl,--as-needed
endif

SOURCES := $(sort $(wildcard src/*/*.c))
TEST_SOURCES := $(filter %_test.c,$(SOURCES))
# The library that is preloaded into workloads hooks what the program itself calls: it is no part of it.
HOOK := src/sniff/hook.c
GENERATED := $(patsubst src/%.proto,$B/%.pb-c.o,$(wildcard src/*/*.proto))
LIB_OBJECTS := $(patsubst src/%.c,$B/%.o,$(filter-out %_test.c src/cli/main.c $(HOOK),$(SOURCES))) $(GENERATED)
TESTS := $(TEST_SOURCES:src/%_test.c=$B/test/%)
COMMANDS := diff extract flatten show verify surface pids history blame ranges bootstrap gen decode sniff archive cache table profile explain help
# Other names of the program.
NAMES := run_differ driver_ast_parser
MAN := $B/man/drvabi.1 $(NAMES:%=$B/man/%.1) $(COMMANDS:%=$B/man/drvabi-%.1)

all: $B/drvabi $(NAMES:%=$B/%) $B/libdrvabi-preload.so $B/sniff/hook.o ## build drvabi, run_differ and driver_ast_parser
.DEFAULT_GOAL := all

# A changed flag is a changed program: objects depend on the flags they were built with.
FLAGS_NOW := $(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) $(TEST_CFLAGS) $(ALL_LDFLAGS) $(LIBS)
$B/.flags: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' '$(subst ','\'',$(FLAGS_NOW))' | cmp -s - $@ || printf '%s\n' '$(subst ','\'',$(FLAGS_NOW))' > $@

$B/%.o: src/%.c $B/.flags
	@mkdir -p $(@D)
	$(SAY) CC $@
	$Q$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c $< -o $@

# The messages of a trace are C by protobuf-c.
$B/generated/%.pb-c.c $B/generated/%.pb-c.h: src/%.proto
	@mkdir -p $(@D)
	$(SAY) GEN $@
	$Qprotoc-c --c_out=$B/generated --proto_path=src $<
$B/%.pb-c.o: $B/generated/%.pb-c.c $B/.flags
	@mkdir -p $(@D)
	$(SAY) CC $@
	$Q$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c $< -o $@
$(patsubst src/%.c,$B/%.o,$(wildcard src/decode/*.c)): $B/generated/decode/trace.pb-c.h

$B/extract/libclang.o: DEFINES += -DLIBCLANG_DIR='"$(LLVM_DIR)/lib"' -DLIBCLANG_NAME='"$(LIBCLANG_NAME)"'

# The built-in profiles are compiled in from their JSON.
$B/extract/profile.o: $(wildcard src/extract/profiles/*.json)
$B/extract/profile.o: DEFINES += -DPROFILE_DIR='"$(CURDIR)/src/extract/profiles"'

# What a cached document depends on besides its input: the code that made it, and that keeps it.
MAKERS := $(sort $(filter-out %_test.c,$(wildcard src/base/*.[ch] src/abi/*.[ch] src/extract/*.[ch])))
$B/store/tree_store.o: $(MAKERS)
$B/store/tree_store.o: DEFINES += -DDRVABI_MAKERS='"$(shell cat $(MAKERS) | cksum | tr ' ' -)"'

# So is the page of a history, from its frame, style and scripts.
$B/report/page.o: src/report/page.html src/report/page.css $(wildcard src/report/page*.js)
$B/report/version_map.o: src/report/version_map.in
$B/report/page.o $B/report/version_map.o: DEFINES += -DPAGE_DIR='"$(CURDIR)/src/report"'

# The code of the pid shim.
$B/gen/pid_shim.o: src/gen/pid_shim.in
$B/gen/pid_shim.o: DEFINES += -DGEN_DIR='"$(CURDIR)/src/gen"'

# And the scripts that complete command lines.
$B/cli/completion.o: $(wildcard src/cli/completion.*sh)
$B/cli/completion.o: DEFINES += -DCLI_DIR='"$(CURDIR)/src/cli"'

$B/libdrvabi.a: $(LIB_OBJECTS)
	@rm -f $@
	$Q$(AR) rcs $@ $^

# It links nothing but libc: a few sources once more, as code for a library. Whatever is not needed is left out.
PRELOAD_SOURCES := $(HOOK) $(patsubst %,src/%.c,sniff/channel sniff/process_memory \
	decode/pack decode/device base/memory base/system)
PRELOAD_OBJECTS := $(PRELOAD_SOURCES:src/%.c=$B/shared/%.o) $B/shared/decode/trace.pb-c.o
# Sanitizers need a program that has them from the start.
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

# The tests of a room are one program, linked once, with a name for each of them: the name says whose main() is run. Names are hard
# links, so that /proc/self/exe is the name.
$B/%_test.o: ALL_CFLAGS += $(TEST_CFLAGS)

define ROOM_TESTS
$B/test/$1/.all: testdata/test_main.c $(2:%=$B/$1/%_test.o) $B/libdrvabi.a
	@mkdir -p $$(@D)
	$(SAY) LD $$@
	$Q$$(CC) -std=gnu11 '-DTESTS=$(foreach test,$2,TEST($(test)))' $$(HARDEN) $$(CFLAGS) $$(ALL_LDFLAGS) -Wl,--wrap=strcmp,--wrap=strncmp,--wrap=memmem \
		$$^ -lcmocka $$(LIBS) -o $$@
$(2:%=$B/test/$1/%): $B/test/$1/.all
	@ln -f $$< $$@
endef
$(foreach room,$(sort $(notdir $(patsubst %/,%,$(dir $(TEST_SOURCES))))),\
	$(eval $(call ROOM_TESTS,$(room),$(patsubst src/$(room)/%_test.c,%,$(filter src/$(room)/%,$(TEST_SOURCES))))))
$B/test/sniff/preload: $B/libdrvabi-preload.so

man: $(MAN) ## build the manual pages, from the words of --help
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

# Where bash, zsh and fish look for what completes a command's line.
COMPLETIONS := bash-completion/completions zsh/site-functions fish/vendor_completions.d

# nvproxy-patch is a Go program, and is installed as its source: whoever builds gVisor has Go.
PATCH_MODULES := nvproxy-patch proxysource

install: all man ## install below DESTDIR/PREFIX
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

deb: deps-build deps-deb ## a Debian package, build/drvabi_VERSION_ARCH.deb
dist: ## the sources as a tarball, build/drvabi-VERSION.tar.gz, which builds without git
container: ## a container image, by podman or docker
deb dist container:
	@B='$B' VERSION='$(VERSION)' LLVM='$(LLVM)' MAKE='$(MAKE)' scripts/package $@

# --- set-up and trials -------------------------------------------------------

deps-%:
	@LLVM=$(LLVM) scripts/install-deps $*

demo: deps-build ## set up, build, and show the differ on a small driver that comes along
	@$(MAKE) --no-print-directory all
	@scripts/make-fixture $B/demo.git
	@B='$B' scripts/demo

archive: all ## renew data/nvidia.drvabi, all releases of the real driver (REPO=a clone of the driver)
	@$B/drvabi archive write --no-archive --no-cache $(if $(REPO),--repo '$(REPO)') -o data/nvidia.drvabi

bench: deps-bench all ## measure against clang, side by side (REPO=a clone of the driver, GVISOR=of gVisor)
	@LLVM=$(LLVM) DRVABI='$B/drvabi' TABLE='$(TABLE)' scripts/bench '$(REPO)'
	@DRVABI='$B/drvabi' scripts/bench-sniff $(if $(GVISOR),'$(GVISOR)')

# --- tests -------------------------------------------------------------------

# The files of the command line that give the program damaged or hostile input: `make check` runs these under the sanitizers as well.
HOSTILE := $(wildcard $(patsubst %,testdata/cli/%-*.t,1012 1013 1014 1015 1312 1314 2002 2003 2006 2007 2008 2030 3004 4003 4006 5211 5241 5300 5310 \
	5311 6001 6100 6101 6120 6121 6360 6361)) testdata/hard/

check: deps-build deps-check ## set up, then test; under the sanitizers what reads input (check-full: all)
	@$(MAKE) --no-print-directory layers unit e2e
	@$(MAKE) --no-print-directory SAN=1 B='$B-san' unit hostile
	@$(MAKE) --no-print-directory -j3 --output-sync=target real chance replay

check-full: check ## check, then what takes long and seldom fails, and the whole command line under the sanitizers (GVISOR=a clone, for its hook)
	@MAKEFLAGS= DRVABI='$(abspath $B)/drvabi' GVISOR='$(GVISOR)' prove -j4 --failures --comments testdata/full/
	@$(MAKE) --no-print-directory SAN=1 B='$B-san' e2e

layers: ## who may include whom
	@prove -e '' scripts/layers

unit: $(TESTS) ## the tests beside the code
	@CMOCKA_MESSAGE_OUTPUT=TAP prove -j2 -e '' $(TESTS)

e2e: all $(if $(SAN),,man) ## the command line, on the repository that comes along
	@MAKEFLAGS= DRVABI='$(abspath $B)/drvabi' DRVABI_SAN='$(SAN)' prove -j4 --failures --comments testdata/cli/ testdata/hard/

hostile: all
	@MAKEFLAGS= DRVABI='$(abspath $B)/drvabi' DRVABI_SAN='$(SAN)' prove -j4 --failures --comments $(HOSTILE)

real: all ## the differ on the real driver, as Debian carries it
	@MAKEFLAGS= DRVABI='$(abspath $B)/drvabi' B='$(abspath $B)' prove -v testdata/real/

chance: deps-check all ## headers by chance, in several versions, against gcc (SECONDS=35)
	@scripts/chance --self-test >/dev/null
	@MAKEFLAGS= DRVABI='$(abspath $B)/drvabi' prove -v -e '' scripts/chance :: --check --seconds $(or $(SECONDS),35)

check-dwarf: deps-dwarf all ## every record of every tag against gcc's DWARF (REPO=a clone of the driver)
	@DRVABI='$(abspath $B)/drvabi' scripts/check-dwarf '$(REPO)'

check-cache: all ## every document, with and without the cache, byte for byte (REPO=a clone of the driver)
	@DRVABI='$(abspath $B)/drvabi' scripts/check-cache '$(REPO)'

# REPO and VERSIONS reach the script by the environment: they are not part of a command's text.
check-archive: export REPO := $(value REPO)
check-archive: export VERSIONS := $(value VERSIONS)
check-archive: ## data/nvidia.drvabi against extraction, with two libclangs, byte for byte (REPO=a clone of the driver, VERSIONS=some)
	@for llvm in $(ARCHIVE_LLVMS); do LLVM=$$llvm scripts/install-deps build && \
		$(MAKE) --no-print-directory LLVM=$$llvm B='$B-llvm'$$llvm all || exit 2; done
	@DRVABI='$(subst $() ,:,$(ARCHIVE_LLVMS:%=$B-llvm%/drvabi))' scripts/check-archive "$$REPO" $$VERSIONS

check-mutants: all ## plant faults in a proxy's TABLE and demand that verify finds each (REPO=a clone of the driver)
	@DRVABI='$(abspath $B)/drvabi' scripts/mutate-table '$(REPO)' '$(TABLE)'

check-setup: ## `make demo`, `make check` and the package, on a bare Debian (needs root and debootstrap)
	@scripts/check-setup

fuzz: deps-check ## throw damaged input at every reader and renderer (SECONDS=60 for each), from where the last run ended
	@scripts/fuzz --seconds $(or $(SECONDS),60)

replay: deps-check ## every input that fuzzing has found, once
	@B='$B' LLVM=$(LLVM) prove -v -e '' scripts/fuzz :: --replay

clean: ## remove what was built
	rm -rf $B $B-san

help: ## this list
	@sed -n 's/^\([a-z][a-z0-9-]*\):.*## \(.*\)/\1@\2/p' Makefile | awk -F @ '{ printf "  make %-14s %s\n", $$1, $$2 }'

-include $(LIB_OBJECTS:.o=.d) $B/cli/main.d $(PRELOAD_OBJECTS:.o=.d) $(TEST_SOURCES:src/%.c=$B/%.d)

FORCE:
.PHONY: all man install deb dist container demo archive bench check check-full hostile layers unit e2e chance real check-dwarf check-cache check-archive check-mutants check-setup fuzz replay clean help FORCE
.SECONDARY:
