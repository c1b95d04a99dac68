#!/usr/bin/env bash
# Parameters and roles that only the source of the kernel shows: VFIO, iommufd, KVM, KFD, DRM
. "$(dirname "$0")/lib.sh"
fresh

mkdir -p "$WORK/tree/linux"
cat >"$WORK/tree/linux/vfio.h" <<'C'
#include <linux/types.h>
#include <linux/ioctl.h>
struct vfio_precopy_info { __u32 argsz, flags; __u64 initial_bytes, dirty_bytes; };
struct vfio_group_status { __s32 fd; };
struct vfio_irq_set { __u32 argsz, flags, index, start, count; __u8 data[]; };
#define VFIO_DEVICE_SET_IRQS _IO(';', 110)
#define VFIO_MIG_GET_PRECOPY_INFO _IO(';', 121)
#define VFIO_GROUP_SET_CONTAINER _IO(';', 104)
#define VFIO_GROUP_GET_DEVICE_FD _IO(';', 106)
#define VFIO_DEVICE_GET_GFX_DMABUF _IO(';', 115)
#define VFIO_DEVICE_RESET _IO(';', 111)
C
cat >"$WORK/tree/linux/iommufd.h" <<'C'
struct iommu_hw_info { __u32 size, flags; __aligned_u64 data_uptr; };
struct iommu_fault_alloc { __u32 size, flags, out_fault_id, out_fault_fd; };
#define IOMMU_GET_HW_INFO _IO(';', 138)
#define IOMMU_FAULT_QUEUE_ALLOC _IO(';', 142)
C

it 'have the records that the driver uses'
run extract --profile linux-vfio --dir tree
expect_status 0
expect_json 'all of them' '[.ioctls[] | {(.name): .params}] | add == {
	"IOMMU_FAULT_QUEUE_ALLOC": "iommu_fault_alloc", "IOMMU_GET_HW_INFO": "iommu_hw_info", "VFIO_DEVICE_GET_GFX_DMABUF": "__u32",
	"VFIO_DEVICE_RESET": null, "VFIO_DEVICE_SET_IRQS": "vfio_irq_set", "VFIO_GROUP_GET_DEVICE_FD": "vfio_group_get_device_fd", "VFIO_GROUP_SET_CONTAINER": "vfio_group_set_container", "VFIO_MIG_GET_PRECOPY_INFO": "vfio_precopy_info"}'
expect_json 'and their roles' '.records | [.vfio_group_set_container.fields[0].role, .vfio_irq_set.fields[5].role] == ["fd", "fd"]'

it 'ioctls whose result is a file descriptor'
run surface --profile linux-vfio --dir tree --role fd
expect_status 0
expect_out_like 'VFIO_DEVICE_GET_GFX_DMABUF  __u32, 4 bytes  returns an fd$'
expect_out_unlike 'VFIO_DEVICE_RESET'
run surface --profile linux-vfio --dir tree --role pointer
expect_out_unlike 'GET_GFX_DMABUF'
run extract --profile linux-vfio --dir tree
expect_json 'have the flag' '[.ioctls[] | select(.flags).name] == ["VFIO_GROUP_GET_DEVICE_FD", "VFIO_DEVICE_GET_GFX_DMABUF"]'
cat >"$WORK/tree/linux/media.h" <<'C'
#include <linux/ioctl.h>
#define MEDIA_IOC_REQUEST_ALLOC _IOR('|', 0x05, int)
C
: >"$WORK/tree/linux/videodev2.h"
run surface --profile linux-v4l2 --dir tree --role fd
expect_out_like 'MEDIA_IOC_REQUEST_ALLOC  media_request_alloc, 4 bytes'

it 'KVM_MEMORY_ENCRYPT_OP takes a record, not the type in its number'
cat >"$WORK/tree/linux/kvm.h" <<'C'
#include <linux/types.h>
#include <linux/ioctl.h>
struct kvm_sev_cmd { __u32 id; __u64 data; __u32 error, sev_fd; };
#define KVM_MEMORY_ENCRYPT_OP _IOWR(0xAE, 0xba, unsigned long)
C
run surface --profile linux-kvm --dir tree --role pointer,fd
expect_status 0
expect_out_like 'kvm_sev_cmd, 24 bytes, but 8 in the number'
expect_out_like 'pointer +data'
expect_out_like 'fd +sev_fd'

it 'KFD: the address of memory of the caller'
cat >"$WORK/tree/linux/kfd_ioctl.h" <<'C'
#include <linux/types.h>
#include <linux/ioctl.h>
struct kfd_ioctl_alloc_memory_of_gpu_args { __u64 va_addr, size, handle, mmap_offset; };
struct kfd_ioctl_create_queue_args { __u64 ring_base_address, ctx_save_restore_address; };
#define AMDKFD_IOC_CREATE_QUEUE _IOWR('K', 0x02, struct kfd_ioctl_create_queue_args)
#define AMDKFD_IOC_ALLOC_MEMORY_OF_GPU _IOWR('K', 0x16, struct kfd_ioctl_alloc_memory_of_gpu_args)
C
run surface --profile linux-kfd --dir tree --role pointer
expect_status 0
expect_out_like 'pointer +mmap_offset'
expect_out_like 'pointer +ctx_save_restore_address'
expect_out_unlike 'ring_base_address'
run show --profile linux-kfd --dir tree 0xc0304b16
expect_status 0
expect_out_like 'AMDKFD_IOC_ALLOC_MEMORY_OF_GPU = 0xc0204b16'
expect_err_like 'is a request of ioctl\(2\)'

it 'DRM: the handles of a framebuffer'
mkdir "$WORK/tree/drm"
cat >"$WORK/tree/drm/drm.h" <<'C'
#include <linux/types.h>
#include <linux/ioctl.h>
struct drm_mode_fb_cmd2 { __u32 fb_id, handles[4]; };
#define DRM_IOCTL_MODE_ADDFB2 _IOWR('d', 0xB8, struct drm_mode_fb_cmd2)
C
: >"$WORK/tree/drm/toy_drm.h"
run surface --profile linux-drm --dir tree --role handle
expect_status 0
expect_out_like 'handle +handles'

done_testing
