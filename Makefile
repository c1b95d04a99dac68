# drvabi - see README.md. `make help` lists the targets.
#
# LLVM=14|16|19 picks the libclang; CC=gcc|clang the compiler; B the build
# directory; SAN=1 builds with AddressSanitizer and UBSan.

VERSION := 0.1.0
LLVM ?= 14
B ?= build
PREFIX ?= /usr/local
DESTDIR ?=
CFLAGS ?= -O2 -g
WARN := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wwrite-strings -Wpointer-arith -Wundef -Wvla
LLVM_DIR ?= /usr/lib/llvm-$(LLVM)

ifdef SAN
CFLAGS += -O1 -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
endif

CPPFLAGS += -D_GNU_SOURCE -DDRVABI_VERSION='"$(VERSION)"' -Isrc -isystem $(LLVM_DIR)/include
ALL_CFLAGS = -std=gnu11 -pthread $(WARN) $(CFLAGS)
LIBS = -L$(LLVM_DIR)/lib -lclang -lgit2 -lcjson -lxxhash -lzstd -lpthread

SOURCES := $(sort $(wildcard src/*/*.c))
TEST_SOURCES := $(filter %_test.c,$(SOURCES))
LIB_SOURCES := $(filter-out %_test.c src/cli/main.c,$(SOURCES))
LIB_OBJECTS := $(LIB_SOURCES:src/%.c=$B/%.o)
TESTS := $(TEST_SOURCES:src/%.c=$B/test/%)
PROFILES := $(sort $(wildcard src/profile/*.json))

all: $B/drvabi $B/run_differ

$B/%.o: src/%.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c $< -o $@

# The built-in profiles are compiled in from their JSON.
$B/profile/builtin.o: $(PROFILES)
$B/profile/builtin.o: CPPFLAGS += -DPROFILE_DIR='"$(CURDIR)/src/profile"'

$B/libdrvabi.a: $(LIB_OBJECTS)
	@rm -f $@
	$(AR) rcs $@ $^

$B/drvabi: $B/cli/main.o $B/libdrvabi.a
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) $^ $(LIBS) -o $@

$B/run_differ: $B/drvabi
	ln -sf drvabi $@

$B/test/%: $B/%.o $B/libdrvabi.a
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) $^ -lcmocka $(LIBS) -o $@

unit: $(TESTS)
	CMOCKA_MESSAGE_OUTPUT=TAP prove -e '' $(TESTS)

clean:
	rm -rf $B

-include $(LIB_OBJECTS:.o=.d) $B/cli/main.d $(TEST_SOURCES:src/%.c=$B/%.d)

.PHONY: all unit clean
.SECONDARY:
