#!/usr/bin/env bash
# a kernel's own tree and the headers that are installed from it are one ABI: what all share counts where the driver uses it
. "$(dirname "$0")/lib.sh"
fresh

mkdir -p "$WORK"/{tree/include/uapi,installed}/{linux,asm-generic} "$WORK/tree/arch/x86/include/uapi/asm" "$WORK/installed/x86_64-linux-gnu/asm"
put() {
	for root in tree/include/uapi installed; do
		printf '#pragma once\n%s\n' "$2" >"$WORK/$root/$1"
	done
}
put linux/types.h '#include <linux/posix_types.h>
typedef unsigned int __u32; typedef int __s32; typedef unsigned long long __u64; typedef __u32 __unused32; struct __unused_set { __u32 a; };'
put linux/posix_types.h '#include <asm/posix_types.h>'
put asm-generic/posix_types.h 'typedef struct { int val[2]; } __kernel_fsid_t; typedef int __kernel_pid_t;'
put linux/ioctl.h '#define _IOWR(g, n, t) (3U << 30 | sizeof(t) << 16 | (g) << 8 | (n))'
put linux/kfd_ioctl.h '#include <linux/types.h>
#include <linux/ioctl.h>
struct kfd_args { __u32 a; __kernel_pid_t pid; };
#define AMDKFD_IOC_GO _IOWR(0x4b, 1, struct kfd_args)'
echo '#include <asm-generic/posix_types.h>' >"$WORK/installed/x86_64-linux-gnu/asm/posix_types.h"

it 'there are no differences'
run diff --profile linux-kfd --base ./tree --next ./installed
expect_status 0
expect_out_like 'no difference'

it 'only used parts of the shared headers are in the document'
run extract --profile linux-kfd --dir installed
expect_status 0
expect_json 'records' '.records | keys == ["kfd_args"]'
expect_json 'aliases' '[.aliases | keys[] | select(startswith("__"))] == ["__kernel_pid_t", "__u32"]'

done_testing
