/* The bus that a device sits on. */
#ifndef CTRL2080BUS_H
#define CTRL2080BUS_H

#include "nvtypes.h"

/* No method answers it any more; the driver turns it over to a converter. */
#define NV2080_CTRL_CMD_BUS_GET_INFO (0x20801802U) /* finn: Evaluated from "(FINN_NV20_SUBDEVICE_0_BUS_INTERFACE_ID << 8) | NV2080_CTRL_BUS_GET_INFO_PARAMS_MESSAGE_ID" */

typedef struct NV2080_CTRL_BUS_GET_INFO_PARAMS {
    NvU32 busInfoListSize;
    NV_DECLARE_ALIGNED(NvP64 busInfoList, 8);
} NV2080_CTRL_BUS_GET_INFO_PARAMS;

/* Nothing answers it: a macro, and no ioctl. */
#define NV2080_CTRL_CMD_BUS_GET_SPEED (0x20801803U)

#endif
