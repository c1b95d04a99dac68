/* Commands whose parameters point to more of the caller's memory. */
#include "rmapi/control.h"

NV_STATUS embeddedParamCopyIn(RMAPI_PARAM_COPY *paramCopies, RmCtrlParams *pRmCtrlParams)
{
    NvP64 pParams = pRmCtrlParams->pParams;

    switch (pRmCtrlParams->cmd)
    {
        case NV0000_CTRL_CMD_SYSTEM_GET_BUILD_VERSION:
        {
            NV0000_CTRL_SYSTEM_GET_BUILD_VERSION_PARAMS *pUser = pParams;

            CHECK_PARAMS_OR_RETURN(pRmCtrlParams, NV0000_CTRL_SYSTEM_GET_BUILD_VERSION_PARAMS);
            RMAPI_PARAM_COPY_INIT(paramCopies[0], pUser->pDriverVersionBuffer, pUser->pDriverVersionBuffer,
                                  pUser->sizeOfStrings, 1);
            RMAPI_PARAM_COPY_INIT(paramCopies[1], pUser->pTitleBuffer, pUser->pTitleBuffer,
                                  pUser->sizeOfStrings, 1);
            break;
        }
        default:
            break;
    }
    return NV_OK;
}
