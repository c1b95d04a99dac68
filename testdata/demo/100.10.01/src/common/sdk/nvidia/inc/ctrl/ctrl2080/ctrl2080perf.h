/* Clocks, temperatures, and who uses how much. */
#ifndef CTRL2080PERF_H
#define CTRL2080PERF_H

#include "nvtypes.h"
#include "demolimits.h"

/* Sits in two commands below: a change of it is a change of both. */
typedef struct NV2080_CTRL_PERF_SAMPLE {
    NV_DECLARE_ALIGNED(NvU64 timeStamp, 8);
    NvU32 busyPercent;
    NvU32 queueDepth;
} NV2080_CTRL_PERF_SAMPLE;

#define NV2080_CTRL_CMD_PERF_GET_SAMPLE (0x20802001U)

typedef struct NV2080_CTRL_PERF_GET_SAMPLE_PARAMS {
    NvU32 engine;
    NV_DECLARE_ALIGNED(NV2080_CTRL_PERF_SAMPLE sample, 8);
} NV2080_CTRL_PERF_GET_SAMPLE_PARAMS;

#define NV2080_CTRL_CMD_PERF_GET_SAMPLES (0x20802002U)

typedef struct NV2080_CTRL_PERF_GET_SAMPLES_PARAMS {
    NvU32 sampleCount;
    NV_DECLARE_ALIGNED(NV2080_CTRL_PERF_SAMPLE samples[DEMO_MAX_ENGINES], 8);
} NV2080_CTRL_PERF_GET_SAMPLES_PARAMS;

#define NV2080_CTRL_CMD_PERF_GET_CLOCK (0x20802010U)

typedef struct NV2080_CTRL_PERF_GET_CLOCK_PARAMS {
    NvU32 domain;
    NvU16 divider;
    NvU16 multiplier;
    NvU32 frequencyKHz;
} NV2080_CTRL_PERF_GET_CLOCK_PARAMS;

#define NV2080_CTRL_CMD_PERF_GET_TEMPERATURE (0x20802011U)

typedef struct NV2080_CTRL_PERF_GET_TEMPERATURE_PARAMS {
    NvU32 sensor;
    NvU32 celsius;
} NV2080_CTRL_PERF_GET_TEMPERATURE_PARAMS;

#define NV2080_CTRL_CMD_PERF_SET_LIMIT (0x20802020U)

typedef struct NV2080_CTRL_PERF_SET_LIMIT_PARAMS {
    NvU8  enabled[4];
    NvU32 watts;
    NvU32 reserved[4];
} NV2080_CTRL_PERF_SET_LIMIT_PARAMS;

#define NV2080_CTRL_CMD_PERF_RESET_LIMIT (0x20802021U)

typedef struct NV2080_CTRL_PERF_RESET_LIMIT_PARAMS {
    NvU32 mask;
} NV2080_CTRL_PERF_RESET_LIMIT_PARAMS;

#endif
