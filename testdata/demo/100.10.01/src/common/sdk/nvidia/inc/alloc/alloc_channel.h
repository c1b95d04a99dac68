/* Allocation parameters of DEMO_CHANNEL_GPFIFO_A. */
#ifndef ALLOC_CHANNEL_H
#define ALLOC_CHANNEL_H

#include "nvtypes.h"
#include "demolimits.h"

typedef struct NV_MEMORY_DESC_PARAMS {
    NV_DECLARE_ALIGNED(NvU64 base, 8);
    NV_DECLARE_ALIGNED(NvU64 size, 8);
    NvU32 addressSpace;
    NvU32 cacheAttrib;
} NV_MEMORY_DESC_PARAMS;

typedef struct NV_CHANNEL_ALLOC_PARAMS {
    NvHandle hObjectError;
    NvHandle hObjectBuffer;
    NV_DECLARE_ALIGNED(NvU64 gpFifoOffset, 8);
    NvU32    gpFifoEntries;
    NvU32    flags;
    NvHandle hContextShare;
    NvHandle hVASpace;
    NvHandle hUserdMemory[DEMO_MAX_ENGINES];
    NvU32    engineType;
    NvU32    cid;
    NV_DECLARE_ALIGNED(NV_MEMORY_DESC_PARAMS instanceMem, 8);
    NV_DECLARE_ALIGNED(NV_MEMORY_DESC_PARAMS mthdbufMem, 8);
    NvU32    internalFlags;
    NvU32    processID;
} NV_CHANNEL_ALLOC_PARAMS;

#endif
