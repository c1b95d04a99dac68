/* Calls that carry a file descriptor beside their parameters. */
#ifndef NV_UNIX_NVOS_PARAMS_WRAPPERS_H
#define NV_UNIX_NVOS_PARAMS_WRAPPERS_H

#include <nvos.h>

/* NV_ESC_RM_MAP_MEMORY */
typedef struct
{
    NVOS33_PARAMETERS params;
    int               fd;
} nv_ioctl_nvos33_parameters_with_fd;

#endif
