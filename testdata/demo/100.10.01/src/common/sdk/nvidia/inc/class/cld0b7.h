#ifndef CLD0B7_H
#define CLD0B7_H

#include "nvtypes.h"

/* A video encoder. */
#define DEMO_ENCODER_A (0x0000D0B7U)

typedef struct NV_DEMO_ENCODER_ALLOCATION_PARAMETERS {
    NvU32 size;
    NvU32 engineInstance;
} NV_DEMO_ENCODER_ALLOCATION_PARAMETERS;

#endif
