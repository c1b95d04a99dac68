#!/usr/bin/env bash
# the profiles of Linux with a kernel tree
. "$(dirname "$0")/lib.sh"
fresh

mkdir -p "$WORK/tree/include/uapi/linux" "$WORK/tree/include/uapi/drm" "$WORK"/tree/arch/{x86,arm64}/include/uapi/asm
cat >"$WORK/tree/include/uapi/linux/kvm.h" <<'C'
#include <linux/const.h>
#include <linux/types.h>
#include <linux/compiler.h>
#include <linux/ioctl.h>
#include <asm/kvm.h>
#define KVMIO 0xAE
#define KVM_GET_REGS _IOR(KVMIO, 0x81, struct kvm_regs)
#define KVM_ARM_VCPU_INIT _IOW(KVMIO, 0xae, struct kvm_vcpu_init)
C
: >"$WORK/tree/include/uapi/linux/const.h"
echo 'struct kvm_regs { __u64 rax, rip; };' >"$WORK/tree/arch/x86/include/uapi/asm/kvm.h"
echo 'struct kvm_regs { __u64 regs[31]; }; struct kvm_vcpu_init { __u32 target; __u32 features[7]; };' >"$WORK/tree/arch/arm64/include/uapi/asm/kvm.h"

it 'KVM of x86'
run extract --profile linux-kvm --dir tree
expect_status 0
expect_json 'has the ioctls of x86' '[.ioctls[].name] == ["KVM_GET_REGS"] and .records.kvm_regs.size == 16'
expect_json 'has a warning for the ioctl that x86 does not have' '.warnings | length == 1 and (.[0].text | startswith("KVM_ARM_VCPU_INIT"))'

it 'KVM of arm64'
run extract --profile linux-kvm --target aarch64-linux-gnu --dir tree
expect_status 0
expect_json 'has the ioctls of arm64' '[.ioctls[].name] == ["KVM_ARM_VCPU_INIT", "KVM_GET_REGS"] and .records.kvm_regs.size == 248 and .warnings == []'

it "the header of a different processor is not used"
rm -r "$WORK/tree/arch/arm64"
run extract --profile linux-kvm --target aarch64-linux-gnu --dir tree
expect_cannot "'asm/kvm\.h' file not found"

it 'a header that includes string.h'
echo 'struct video { __u32 a; };
#define VIDIOC_GO _IOR(0x56, 1, struct video)' >"$WORK/tree/include/uapi/linux/videodev2.h"
echo '#include <string.h>' >"$WORK/tree/include/uapi/linux/string.h"
printf '#include <linux/types.h>\n#include <linux/string.h>\nstruct cec { __u8 a; };\n#define CEC_GO _IOW(0x61, 1, struct cec)\n' >"$WORK/tree/include/uapi/linux/cec.h"
run extract --profile linux-v4l2 --dir tree
expect_status 0
expect_json 'both ioctls are found' '[.ioctls[].name] == ["CEC_GO", "VIDIOC_GO"]'

it 'the document for KFD has only the used parts of drm.h'
echo 'struct drm_version { int major; }; struct drm_used { int a; };' >"$WORK/tree/include/uapi/drm/drm.h"
echo '#include <drm/drm.h>
#include <linux/ioctl.h>
struct kfd_args { struct drm_used used; };
#define AMDKFD_IOC_GO _IOWR(0x4b, 1, struct kfd_args)' >"$WORK/tree/include/uapi/linux/kfd_ioctl.h"
run extract --profile linux-kfd --dir tree
expect_status 0
expect_json 'has two records' '.records | keys == ["drm_used", "kfd_args"]'

done_testing
