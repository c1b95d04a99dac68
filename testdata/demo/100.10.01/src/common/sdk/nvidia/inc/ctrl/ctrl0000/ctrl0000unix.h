#ifndef CTRL0000UNIX_H
#define CTRL0000UNIX_H

#include "nvtypes.h"

/* An object that another process is to get. */
typedef struct NV0000_CTRL_OS_UNIX_EXPORT_OBJECT {
    NvU32 type;
    union {
        struct {
            NvHandle hDevice;
            NvHandle hParent;
            NvHandle hObject;
        } rmObject;
        NvU8 raw[24];
    } data;
} NV0000_CTRL_OS_UNIX_EXPORT_OBJECT;

#define NV0000_CTRL_CMD_OS_UNIX_EXPORT_OBJECT (0x3d05U)

typedef struct NV0000_CTRL_OS_UNIX_EXPORT_OBJECT_PARAMS {
    NV0000_CTRL_OS_UNIX_EXPORT_OBJECT object;
    NvU32 flags;
} NV0000_CTRL_OS_UNIX_EXPORT_OBJECT_PARAMS;

#endif
