/* Calls to the memory manager that only Linux has. */
#ifndef UVM_LINUX_IOCTL_H
#define UVM_LINUX_IOCTL_H

#include "uvm_ioctl.h"

#define UVM_INITIALIZE 0x30000001

typedef struct
{
    NvU64     flags NV_ALIGN_BYTES(8);
    NV_STATUS rmStatus;
} UVM_INITIALIZE_PARAMS;

#define UVM_DEINITIALIZE 0x30000002

#define UVM_RESERVE_VA UVM_IOCTL_BASE(1)

typedef struct
{
    NvU64     requestedBase NV_ALIGN_BYTES(8);
    NvU64     length NV_ALIGN_BYTES(8);
    NV_STATUS rmStatus;
} UVM_RESERVE_VA_PARAMS;

#endif
