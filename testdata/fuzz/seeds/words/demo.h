/* What the flags in resource_list.h mean. */
#ifndef RESOURCE_DESC_FLAGS_H
#define RESOURCE_DESC_FLAGS_H

#define RS_FLAGS_NONE                  0
#define RS_FLAGS_ACQUIRE_GPUS_LOCK     NVBIT(0)
#define RS_FLAGS_ALLOC_NON_PRIVILEGED  NVBIT(8)
#define RS_FLAGS_ALLOC_PRIVILEGED      NVBIT(9)

#endif
