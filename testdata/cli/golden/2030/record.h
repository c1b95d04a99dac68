/* nvidia 120.01.00, x86_64-linux-gnu */

/* src/common/sdk/nvidia/inc/ctrl/ctrl0000/ctrl0000unix.h:31:16 */
struct NV0000_CTRL_OS_UNIX_EXPORT_OBJECT_PARAMS {
	struct NV0000_CTRL_OS_UNIX_EXPORT_OBJECT object; /*     0    28 */
	NvU32 flags;                            /*    28     4 */
	NvS32 fd;                               /*    32     4  fd */
}; /* size 36, align 4 */

/* src/common/sdk/nvidia/inc/ctrl/ctrl0000/ctrl0000unix.h:10:16 */
struct NV0000_CTRL_OS_UNIX_EXPORT_OBJECT {
	NvU32 type;                             /*     0     4 */
	union {
		struct {
			NvHandle hDevice;       /*     4     4  handle */
			NvHandle hParent;       /*     8     4  handle */
			NvHandle hObject;       /*    12     4  handle */
		} rmObject;                     /*     4    12 */
		struct {
			NvU32 first;            /*     4     4 */
			NvU32 count;            /*     8     4  count */
			NvU32 flags;            /*    12     4 */
			NvHandle hMemory;       /*    16     4  handle */
		} rmMemory;                     /*     4    16 */
		NvU8 raw[24];                   /*     4    24 */
	} data;                                 /*     4    24 */
}; /* size 28, align 4 */
