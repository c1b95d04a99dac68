/* Engines, and what is bound to them. */
#ifndef CTRL2080DEMO_H
#define CTRL2080DEMO_H

#include "nvtypes.h"
#include "demolimits.h"

#define NV2080_CTRL_CMD_DEMO_BIND (0x20803001U)

typedef struct NV2080_CTRL_DEMO_BIND_PARAMS {
    NvHandle hChannel;
    NvHandle hContext;
    NvU32    engine;
    NvU32    flags;
} NV2080_CTRL_DEMO_BIND_PARAMS;

#define NV2080_CTRL_CMD_DEMO_GET_ENGINE_TABLE (0x20803002U)

typedef struct NV2080_CTRL_DEMO_GET_ENGINE_TABLE_PARAMS {
    NvU32 count;
    NvU32 table[8];
    NvU32 generation;
} NV2080_CTRL_DEMO_GET_ENGINE_TABLE_PARAMS;

#define NV2080_CTRL_CMD_DEMO_GET_WINDOW (0x20803003U)

typedef struct NV2080_CTRL_DEMO_GET_WINDOW_PARAMS {
    NvU16 width;
    NvU16 height;
    NvU32 pitch;
} NV2080_CTRL_DEMO_GET_WINDOW_PARAMS;

#define NV2080_CTRL_CMD_DEMO_SET_TIMEOUT (0x20803004U)

/* Four bytes of padding follow flags, so that the record's size is a multiple of 8. */
typedef struct NV2080_CTRL_DEMO_SET_TIMEOUT_PARAMS {
    NV_DECLARE_ALIGNED(NvU64 nanoseconds, 8);
    NvU32 flags;
} NV2080_CTRL_DEMO_SET_TIMEOUT_PARAMS;

#define NV2080_CTRL_CMD_DEMO_DRAM_CHECK_STATUS (0x20803010U)

typedef struct NV2080_CTRL_DEMO_DRAM_CHECK_STATUS_PARAMS {
    NvU32 currentStatus;
} NV2080_CTRL_DEMO_DRAM_CHECK_STATUS_PARAMS;

#define NV2080_CTRL_CMD_DEMO_DRAM_CHECK_INFO (0x20803011U)

typedef struct NV2080_CTRL_DEMO_DRAM_CHECK_INFO_PARAMS {
    NvBool bSupported;
    NvU8   banks[7];
} NV2080_CTRL_DEMO_DRAM_CHECK_INFO_PARAMS;

/* Takes no parameters. */
#define NV2080_CTRL_CMD_DEMO_FLUSH (0x20803020U)

/* Milliseconds. */
typedef NvU32 NvDemoTime;

#define NV2080_CTRL_CMD_DEMO_GET_OWNER (0x20803021U)

typedef struct NV2080_CTRL_DEMO_GET_OWNER_PARAMS {
    NvU32      engine;
    NvDemoTime since;
} NV2080_CTRL_DEMO_GET_OWNER_PARAMS;

#endif
