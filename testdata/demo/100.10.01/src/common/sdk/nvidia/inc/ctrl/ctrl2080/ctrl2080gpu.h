/* Questions about one device. */
#ifndef CTRL2080GPU_H
#define CTRL2080GPU_H

#include "nvtypes.h"
#include "demolimits.h"

/* One answer to one question. */
typedef struct NV2080_CTRL_GPU_INFO {
    NvU32 index;
    NvU32 data;
} NV2080_CTRL_GPU_INFO;

#define NV2080_CTRL_CMD_GPU_GET_INFO (0x20800101U)

/* The answers stand in the record itself. */
typedef struct NV2080_CTRL_GPU_GET_INFO_PARAMS {
    NvU32 gpuInfoListSize;
    NV2080_CTRL_GPU_INFO gpuInfoList[4];
} NV2080_CTRL_GPU_GET_INFO_PARAMS;

#define NV2080_CTRL_CMD_GPU_GET_ENGINES (0x20800123U)

typedef struct NV2080_CTRL_GPU_GET_ENGINES_PARAMS {
    NvU32 engineCount;
    NV_DECLARE_ALIGNED(NvU64 engineList, 8);
} NV2080_CTRL_GPU_GET_ENGINES_PARAMS;

#define NV2080_CTRL_CMD_GPU_GET_NAME (0x20800110U)

typedef struct NV2080_CTRL_GPU_GET_NAME_PARAMS {
    NvU32 gpuNameStringFlags;
    char  gpuNameString[DEMO_MAX_NAME_LENGTH];
} NV2080_CTRL_GPU_GET_NAME_PARAMS;

#define NV2080_CTRL_CMD_GPU_QUERY_MODE (0x20800130U)

typedef enum NV2080_CTRL_GPU_MODE {
    NV2080_CTRL_GPU_MODE_NONE = 0,
    NV2080_CTRL_GPU_MODE_COMPUTE = 1,
    NV2080_CTRL_GPU_MODE_GRAPHICS = 2,
} NV2080_CTRL_GPU_MODE;

typedef struct NV2080_CTRL_GPU_QUERY_MODE_PARAMS {
    NV2080_CTRL_GPU_MODE mode;
    NvU32 pending;
} NV2080_CTRL_GPU_QUERY_MODE_PARAMS;

#define NV2080_CTRL_CMD_GPU_GET_SERIAL (0x20800140U)

typedef struct NV2080_CTRL_GPU_GET_SERIAL_PARAMS {
    NvU32 length;
    NvU8  serial[16];
} NV2080_CTRL_GPU_GET_SERIAL_PARAMS;

#endif
