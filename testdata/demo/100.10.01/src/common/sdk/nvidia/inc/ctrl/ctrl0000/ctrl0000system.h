#ifndef CTRL0000SYSTEM_H
#define CTRL0000SYSTEM_H

#include "nvtypes.h"
#include "demolimits.h"

/* The driver's own version, as text. */
#define NV0000_CTRL_CMD_SYSTEM_GET_BUILD_VERSION (0x101U)

typedef struct NV0000_CTRL_SYSTEM_GET_BUILD_VERSION_PARAMS {
    NvU32 sizeOfStrings;
    NV_DECLARE_ALIGNED(NvP64 pDriverVersionBuffer, 8);
    NV_DECLARE_ALIGNED(NvP64 pTitleBuffer, 8);
    NvU32 changelistNumber;
} NV0000_CTRL_SYSTEM_GET_BUILD_VERSION_PARAMS;

/* What the machine's processor can do. */
#define NV0000_CTRL_CMD_SYSTEM_GET_CPU_INFO (0x102U)

typedef struct NV0000_CTRL_SYSTEM_GET_CPU_INFO_PARAMS {
    NvU32  type;
    NvU32  capabilities;
    NvU32  clock;
    NvU32  numLogicalCpus;
    char   name[DEMO_MAX_NAME_LENGTH];
    NvBool bCoherent;
} NV0000_CTRL_SYSTEM_GET_CPU_INFO_PARAMS;

#endif
