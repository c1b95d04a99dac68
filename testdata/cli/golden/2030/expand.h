/* nvidia 120.01.00, x86_64-linux-gnu */

typedef unsigned int NvU32; /* size 4 */

typedef unsigned long long NvDemoTime; /* size 8 */

/* src/common/sdk/nvidia/inc/ctrl/ctrl2080/ctrl2080demo.h:69:16 */
struct NV2080_CTRL_DEMO_GET_OWNER_PARAMS {
	NvU32 engine;                           /*     0     4 */
	/* hole: 4 bytes */
	NvDemoTime since;                       /*     8     8 */
	NvU32 pid;                              /*    16     4  pid */
	/* tail padding: 4 bytes */
}; /* size 24, align 8 */

/* src/common/sdk/nvidia/inc/ctrl/ctrl2080/ctrl2080gpu.h:47:14 */
enum NV2080_CTRL_GPU_MODE {
	NV2080_CTRL_GPU_MODE_COMPUTE = 1,
	NV2080_CTRL_GPU_MODE_DISPLAY = 2,
	NV2080_CTRL_GPU_MODE_GRAPHICS = 3,
	NV2080_CTRL_GPU_MODE_NONE = 0,
}; /* size 4, unsigned int */

#define NV2080_CTRL_CMD_DEMO_GET_OWNER 0x20803021
	/* control, NV2080_CTRL_DEMO_GET_OWNER_PARAMS */
