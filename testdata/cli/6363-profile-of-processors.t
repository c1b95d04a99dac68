#!/usr/bin/env bash
# drvabi profile init for trees with headers of several processors, and with headers that have names of the C library's headers
. "$(dirname "$0")/lib.sh"
fresh

# A driver's header in DIRECTORY, which includes asm/toy.h and stddef.h.
driver() {
	mkdir -p "$1/linux"
	cat >"$1/linux/toy.h" <<-'C'
		#include <linux/types.h>
		#include <asm/toy.h>
		#include <stddef.h>
		struct toy { struct regs regs; size_t size; };
		#define TOY_GO _IOR('t', 1, struct toy)
	C
	echo 'typedef unsigned int __u32; typedef unsigned long long __u64;' >"$1/linux/types.h"
	echo '#define TOY_UAPI 1' >"$1/linux/stddef.h"
}

# expect_sizes X86 ARM64 - pass if the profile gives these sizes for struct toy
expect_sizes() {
	run extract --profile toy.json --dir tree
	expect_status 0
	expect_err_empty
	expect_json 'x86_64' ".records.toy.size == $1 and (.ioctls | length) == 1"
	run extract --profile toy.json --target aarch64-linux-gnu --dir tree
	expect_status 0
	expect_json 'aarch64' ".records.toy.size == $2 and (.ioctls | length) == 1"
}

it 'installed headers, where the shortest path is that of a different processor'
driver "$WORK/tree"
for processor in i386:1 x86_64:2 aarch64:4; do
	mkdir -p "$WORK/tree/${processor%:*}-linux-gnu/asm"
	echo "struct regs { __u64 r[${processor#*:}]; };
#define TOY_CPU _IO('c', 1)" >"$WORK/tree/${processor%:*}-linux-gnu/asm/toy.h"
done
run profile init --dir tree -q
expect_status 0
cp "$OUT" "$WORK/toy.json"
expect_json 'the profile has a directory for each processor' '.units[0].include == [".", {"x86_64-linux-gnu": "x86_64-linux-gnu", "aarch64-linux-gnu": "aarch64-linux-gnu"}]'
expect_sizes 24 40

it "the source tree of a kernel"
rm -r "$WORK/tree"
driver "$WORK/tree/include/uapi"
for processor in x86:2 arm64:4 s390:8; do
	mkdir -p "$WORK/tree/arch/${processor%:*}/include/uapi/asm"
	echo "struct regs { __u64 r[${processor#*:}]; };" >"$WORK/tree/arch/${processor%:*}/include/uapi/asm/toy.h"
done
run profile init --dir tree -o toy.json
expect_status 0
expect_sizes 24 40

done_testing
