#!/usr/bin/env bash
# Ioctls of VFIO and iommufd whose numbers do not contain the size of the parameters
. "$(dirname "$0")/lib.sh"
fresh

mkdir -p "$WORK/tree/linux"
cat >"$WORK/tree/linux/vfio.h" <<'C'
#include <linux/types.h>
#include <linux/ioctl.h>
struct vfio_precopy_info { __u32 argsz, flags; __u64 initial_bytes, dirty_bytes; };
struct vfio_group_status { __s32 fd; };
#define VFIO_MIG_GET_PRECOPY_INFO _IO(';', 121)
#define VFIO_GROUP_SET_CONTAINER _IO(';', 104)
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
	"VFIO_DEVICE_RESET": null, "VFIO_GROUP_SET_CONTAINER": "__s32", "VFIO_MIG_GET_PRECOPY_INFO": "vfio_precopy_info"}'

done_testing
