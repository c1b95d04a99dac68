#!/usr/bin/env bash
# the profiles of Linux on headers that are installed as Debian 13 does: those of the processor are links beside the directory
. "$(dirname "$0")/lib.sh"
fresh

include=$WORK/usr/include uapi=$WORK/usr/lib/linux/uapi
mkdir -p "$include"/{linux,asm-generic,x86_64-linux-gnu/asm,aarch64-linux-gnu/asm} "$uapi"/{x86,arm64}/asm "$WORK/usr/secret"
cat >"$include/linux/kvm.h" <<'C'
#include <linux/types.h>
#include <linux/ioctl.h>
#include <asm/kvm.h>
#define KVMIO 0xAE
#define KVM_GET_REGS _IOR(KVMIO, 0x81, struct kvm_regs)
C
echo 'struct kvm_regs { __u64 rax, rip; };' >"$uapi/x86/asm/kvm.h"
echo 'struct kvm_regs { __u64 regs[31]; };' >"$uapi/arm64/asm/kvm.h"
ln -s ../../../lib/linux/uapi/x86/asm/kvm.h "$include/x86_64-linux-gnu/asm/kvm.h"
ln -s ../../../lib/linux/uapi/arm64/asm/kvm.h "$include/aarch64-linux-gnu/asm/kvm.h"

it "the headers of each processor"
run extract --profile linux-kvm --dir usr/include
expect_status 0
expect_err_empty
expect_json 'x86' '.records.kvm_regs | .size == 16 and .source == "../lib/linux/uapi/x86/asm/kvm.h:1:8"'
run extract --profile linux-kvm --target aarch64-linux-gnu --dir usr/include
expect_status 0
expect_json 'arm64' '.records.kvm_regs | .size == 248 and .source == "../lib/linux/uapi/arm64/asm/kvm.h:1:8"'

it 'other files outside of the directory are not read'
echo 'struct kvm_regs { int secret; };' >"$WORK/usr/secret/kvm.h"
ln -sf ../../../secret/kvm.h "$include/x86_64-linux-gnu/asm/kvm.h"
run extract --profile linux-kvm --dir usr/include
expect_cannot '^drvabi: x86_64-linux-gnu/asm/kvm\.h in usr/include is a link that leaves the tree '

done_testing
