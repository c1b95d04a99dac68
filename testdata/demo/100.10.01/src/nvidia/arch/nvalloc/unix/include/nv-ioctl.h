/* Parameters of the calls that the kernel module answers itself. */
#ifndef NV_IOCTL_H
#define NV_IOCTL_H

#include <nv-ioctl-numbers.h>
#include <nv-ioctl-numa.h>
#include <nvtypes.h>

typedef struct
{
    NvU32 domain;
    NvU8  bus;
    NvU8  slot;
    NvU8  function;
    NvU16 vendor_id;
    NvU16 device_id;
} nv_pci_info_t;

/* NV_ESC_CARD_INFO: one for each device */
typedef struct nv_ioctl_card_info
{
    NvBool        valid;
    nv_pci_info_t pci_info;
    NvU32         gpu_id;
    NvU16         interrupt_line;
    NvU64         reg_address NV_ALIGN_BYTES(8);
    NvU64         reg_size NV_ALIGN_BYTES(8);
    NvU32         minor_number;
    NvU8          dev_name[10];
} nv_ioctl_card_info_t;

/* NV_ESC_REGISTER_FD */
typedef struct nv_ioctl_register_fd
{
    int ctl_fd;
} nv_ioctl_register_fd_t;

/* NV_ESC_SYS_PARAMS */
typedef struct nv_ioctl_sys_params
{
    NvU64 memblock_size NV_ALIGN_BYTES(8);
} nv_ioctl_sys_params_t;

#endif
