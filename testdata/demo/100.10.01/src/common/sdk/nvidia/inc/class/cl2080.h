#ifndef CL2080_H
#define CL2080_H

#include "nvtypes.h"

/* One device. */
#define NV20_SUBDEVICE_0 (0x00002080U)

typedef struct NV2080_ALLOC_PARAMETERS {
    NvU32 subDeviceId;
} NV2080_ALLOC_PARAMETERS;

#endif
