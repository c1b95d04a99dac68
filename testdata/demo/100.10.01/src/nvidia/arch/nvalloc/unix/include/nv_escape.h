/* Numbers of the calls to the resource manager. */
#ifndef NV_ESCAPE_H
#define NV_ESCAPE_H

#define NV_ESC_RM_FREE        0x29
#define NV_ESC_RM_CONTROL     0x2A
#define NV_ESC_RM_ALLOC       0x2B
#define NV_ESC_RM_MAP_MEMORY  0x4E

#endif
