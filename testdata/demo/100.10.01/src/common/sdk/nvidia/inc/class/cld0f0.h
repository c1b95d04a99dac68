#ifndef CLD0F0_H
#define CLD0F0_H

#include "nvtypes.h"

/* A counter that two channels share. */
#define DEMO_FENCE_A (0x0000D0F0U)

typedef struct NV_DEMO_FENCE_ALLOCATION_PARAMETERS {
    NvHandle hMemory;
    NvU32    index;
} NV_DEMO_FENCE_ALLOCATION_PARAMETERS;

#endif
