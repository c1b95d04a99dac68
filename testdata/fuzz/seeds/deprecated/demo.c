/* Commands that the driver converts to their successors. */
#include "deprecated_context.h"

#define V2_CONVERTER(cmd) NV_CONCATENATE(_ctrl_convert_v2, cmd)

static NV_STATUS V2_CONVERTER(_NV2080_CTRL_CMD_BUS_GET_INFO)(DEPRECATED_CONTEXT *pContext, NVOS54_PARAMETERS *pArgs);

typedef struct
{
    NvU32                       cmd;      // NVXXXX_CTRL_CMD_* value
    RmDeprecatedControlHandler  func;     // pointer to handler
} RmDeprecatedControlEntry;

static const RmDeprecatedControlEntry table[] =
{
    { NV2080_CTRL_CMD_BUS_GET_INFO,     V2_CONVERTER(_NV2080_CTRL_CMD_BUS_GET_INFO)     },
    { 0, NULL }
};

static NV_STATUS V2_CONVERTER(_NV2080_CTRL_CMD_BUS_GET_INFO)(DEPRECATED_CONTEXT *pContext, NVOS54_PARAMETERS *pArgs)
{
    CONVERT_TO_V2(NV2080_CTRL_CMD_BUS_GET_INFO_V2,
                  NV2080_CTRL_BUS_GET_INFO_PARAMS,
                  busInfoList, busInfoListSize);
}
