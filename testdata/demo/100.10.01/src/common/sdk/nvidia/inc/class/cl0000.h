#ifndef CL0000_H
#define CL0000_H

#include "nvtypes.h"

/* The client: parent of all that an application allocates. */
#define NV01_ROOT (0x00000000U)

typedef struct NV0000_ALLOC_PARAMETERS {
    NvHandle hClient;
    NvU32    processID;
    char     processName[100];
} NV0000_ALLOC_PARAMETERS;

#endif
