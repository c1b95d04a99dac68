/* nvidia 120.01.00, x86_64-linux-gnu */

/* kernel-open/nvidia-uvm/uvm_ioctl.h:14:9 */
struct UVM_FREE_PARAMS {
	NvU64 base;                             /*     0     8 */
	NvU64 length;                           /*     8     8  size */
	NV_STATUS rmStatus;                     /*    16     4  status */
	/* tail padding: 4 bytes */
}; /* size 24, align 8 */

typedef unsigned int NV_STATUS; /* size 4 */

typedef unsigned int NvU32; /* size 4 */

/* src/common/sdk/nvidia/inc/ctrl/ctrl2080/ctrl2080demo.h:69:16 */
struct NV2080_CTRL_DEMO_GET_OWNER_PARAMS {
	NvU32 engine;                           /*     0     4 */
	/* hole: 4 bytes */
	NvDemoTime since;                       /*     8     8 */
	NvU32 pid;                              /*    16     4  pid */
	/* tail padding: 4 bytes */
}; /* size 24, align 8 */

#define UVM_FREE 34                             /* uvm, UVM_FREE_PARAMS */
#define NV2080_CTRL_CMD_DEMO_GET_OWNER 0x20803021
	/* control, NV2080_CTRL_DEMO_GET_OWNER_PARAMS */
#define UVM_MAX_GPUS 8
