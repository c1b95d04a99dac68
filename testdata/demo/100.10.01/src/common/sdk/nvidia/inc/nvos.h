/* Parameters of the calls that everything else goes through. */
#ifndef NVOS_H
#define NVOS_H

#include "nvtypes.h"
#include "nvstatus.h"
#include "alloc/alloc_channel.h"

/* NV_ESC_RM_FREE */
typedef struct
{
    NvHandle  hRoot;
    NvHandle  hObjectParent;
    NvHandle  hObjectOld;
    NV_STATUS status;
} NVOS00_PARAMETERS;

/* NV_ESC_RM_ALLOC, the short form: told from the long one by its size */
typedef struct
{
    NvHandle  hRoot;
    NvHandle  hObjectParent;
    NvHandle  hObjectNew;
    NvU32     hClass;
    NV_DECLARE_ALIGNED(NvP64 pAllocParms, 8);
    NvU32     paramsSize;
    NV_STATUS status;
} NVOS21_PARAMETERS;

/* NV_ESC_RM_ALLOC, with the rights that the new object asks for */
typedef struct
{
    NvHandle  hRoot;
    NvHandle  hObjectParent;
    NvHandle  hObjectNew;
    NvU32     hClass;
    NV_DECLARE_ALIGNED(NvP64 pAllocParms, 8);
    NV_DECLARE_ALIGNED(NvP64 pRightsRequested, 8);
    NvU32     paramsSize;
    NvU32     flags;
    NV_STATUS status;
} NVOS64_PARAMETERS;

/* NV_ESC_RM_CONTROL: cmd says which of the records under ctrl/ params points to */
typedef struct
{
    NvHandle  hClient;
    NvHandle  hObject;
    NvU32     cmd;
    NvU32     flags;
    NV_DECLARE_ALIGNED(NvP64 params, 8);
    NvU32     paramsSize;
    NV_STATUS status;
} NVOS54_PARAMETERS;

/* NV_ESC_RM_MAP_MEMORY */
typedef struct
{
    NvHandle  hClient;
    NvHandle  hDevice;
    NvHandle  hMemory;
    NV_DECLARE_ALIGNED(NvU64 offset, 8);
    NV_DECLARE_ALIGNED(NvU64 length, 8);
    NV_DECLARE_ALIGNED(NvP64 pLinearAddress, 8);
    NV_STATUS status;
    NvU32     flags;
} NVOS33_PARAMETERS;

/* Allocation parameters of NV01_MEMORY_SYSTEM. */
typedef struct
{
    NvU32    owner;
    NvU32    type;
    NvU32    flags;
    NvU32    width;
    NV_DECLARE_ALIGNED(NvU64 size, 8);
    NV_DECLARE_ALIGNED(NvU64 alignment, 8);
    NV_DECLARE_ALIGNED(NvP64 address, 8);
    NvU32    numaNode;
    NvU32    reserved[3];
} NV_MEMORY_ALLOCATION_PARAMS;

#endif
