/* Calls to the memory manager. */
#ifndef UVM_IOCTL_H
#define UVM_IOCTL_H

#include "uvm_types.h"

#define UVM_IOCTL_BASE(i) i

#define UVM_MAX_GPUS 4

#define UVM_FREE UVM_IOCTL_BASE(34)

typedef struct
{
    NvU64     base NV_ALIGN_BYTES(8);
    NvU64     length NV_ALIGN_BYTES(8);
    NV_STATUS rmStatus;
} UVM_FREE_PARAMS;

#define UVM_REGISTER_GPU UVM_IOCTL_BASE(37)

typedef struct
{
    NvProcessorUuid gpu_uuid;
    NvBool          numaEnabled;
    NvS32           numaNodeId;
    NvS32           rmCtrlFd;
    NvHandle        hClient;
    NV_STATUS       rmStatus;
} UVM_REGISTER_GPU_PARAMS;

#define UVM_MAP_EXTERNAL_ALLOCATION UVM_IOCTL_BASE(33)

typedef struct
{
    NvU64                   base NV_ALIGN_BYTES(8);
    NvU64                   length NV_ALIGN_BYTES(8);
    UvmGpuMappingAttributes perGpuAttributes[UVM_MAX_GPUS];
    NvU64                   gpuAttributesCount NV_ALIGN_BYTES(8);
    NvS32                   rmCtrlFd;
    NvHandle                hMemory;
    NV_STATUS               rmStatus;
} UVM_MAP_EXTERNAL_ALLOCATION_PARAMS;

#endif
