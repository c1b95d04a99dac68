#ifndef UVM_TYPES_H
#define UVM_TYPES_H

#include "nvtypes.h"
#include "nvstatus.h"

typedef struct nv_uuid
{
    NvU8 uuid[16];
} NvProcessorUuid;

/* How one device maps a range. */
typedef struct
{
    NvProcessorUuid gpuUuid;
    NvU32           gpuMappingType;
    NvU32           gpuCachingType;
} UvmGpuMappingAttributes;

#endif
