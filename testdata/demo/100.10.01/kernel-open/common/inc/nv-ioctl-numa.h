/* Memory of the device that the kernel manages as a node of its own. */
#ifndef NV_IOCTL_NUMA_H
#define NV_IOCTL_NUMA_H

#include <stdint.h>

#include <nv-ioctl-numbers.h>

#define NV_ESC_NUMA_INFO (NV_IOCTL_BASE + 15)

typedef struct nv_ioctl_numa_info
{
    int32_t  nid;
    int32_t  status;
    uint64_t memblock_size __attribute__((aligned(8)));
    uint8_t  use_auto_online;
} nv_ioctl_numa_info_t;

#endif
