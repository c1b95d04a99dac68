/* What a call answers. */
#ifndef NVSTATUS_H
#define NVSTATUS_H

#include "nvtypes.h"

typedef NvU32 NV_STATUS;

#define NV_OK                    0x00000000
#define NV_ERR_INVALID_ARGUMENT  0x0000001F
#define NV_ERR_NOT_SUPPORTED     0x00000056

#endif
