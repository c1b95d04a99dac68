/* drvabi: type NvU64 handle */
/*
 * drvabi: frontend NV_ESC_CARD_INFO nv_ioctl_card_info_t nv_ioctl_card_info_t
 */
// drvabi: control NV_C=NV_ESC_RM_FREE NVOS00_PARAMETERS struct_x graphics
const char *no = "drvabi: no";
