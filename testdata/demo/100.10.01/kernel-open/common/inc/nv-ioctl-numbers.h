/* Numbers of the calls that the kernel module answers itself. */
#ifndef NV_IOCTL_NUMBERS_H
#define NV_IOCTL_NUMBERS_H

#define NV_IOCTL_MAGIC 'F'
#define NV_IOCTL_BASE  200

#define NV_ESC_CARD_INFO     (NV_IOCTL_BASE + 0)
#define NV_ESC_REGISTER_FD   (NV_IOCTL_BASE + 1)
#define NV_ESC_SYS_PARAMS    (NV_IOCTL_BASE + 14)

#endif
