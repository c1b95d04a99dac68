/* driver.h - structs of NVIDIA's driver 590.48.01 on x86_64 that the workload uses; see `drvabi show NAME` */
#ifndef DRIVER_H
#define DRIVER_H

#include <assert.h>
#include <stdint.h>
#include <sys/ioctl.h>

#define ESCAPE(number, type) _IOWR('F', number, type)

struct rm_free { /* NVOS00_PARAMETERS, NV_ESC_RM_FREE */
	uint32_t root, parent, object, status;
};

struct rm_control { /* NVOS54_PARAMETERS, NV_ESC_RM_CONTROL */
	uint32_t client, object, command, flags;
	uint64_t params;
	uint32_t params_size, status;
};

struct rm_alloc { /* NVOS64_PARAMETERS, NV_ESC_RM_ALLOC */
	uint32_t root, parent, object, class;
	uint64_t params, rights;
	uint32_t params_size, flags, status, padding;
};

struct rm_alloc_old { /* NVOS21_PARAMETERS, NV_ESC_RM_ALLOC */
	uint32_t root, parent, object, class;
	uint64_t params;
	uint32_t params_size, status;
};

struct xfer { /* nv_ioctl_xfer_t, NV_ESC_IOCTL_XFER_CMD */
	uint32_t command, size;
	uint64_t pointer;
};

struct api_version { /* nv_ioctl_rm_api_version_t, NV_ESC_CHECK_VERSION_STR */
	uint32_t command, reply;
	char text[64];
};

struct os_event { /* nv_ioctl_alloc_os_event_t, NV_ESC_ALLOC_OS_EVENT */
	uint32_t client, device, fd, status;
};

struct device_params { /* NV0080_ALLOC_PARAMETERS */
	uint32_t device, client_share, target_client, target_device, flags, hole;
	uint64_t size, start, limit;
	uint32_t mode, padding;
};

struct engines { /* NV2080_CTRL_GPU_GET_ENGINES_PARAMS */
	uint32_t count, hole;
	uint64_t list;
};

struct uvm_initialize { /* UVM_INITIALIZE_PARAMS */
	uint64_t flags;
	uint32_t status, padding;
};

struct uvm_pageable { /* UVM_PAGEABLE_MEM_ACCESS_PARAMS */
	uint32_t access, status;
};

static_assert(sizeof(struct rm_free) == 16 && sizeof(struct rm_control) == 32 && sizeof(struct rm_alloc) == 48 && sizeof(struct rm_alloc_old) == 32 &&
	      sizeof(struct xfer) == 16 && sizeof(struct api_version) == 72 && sizeof(struct device_params) == 56, "as in 590.48.01");

enum {
	ESC_FREE = 0x29, ESC_CONTROL = 0x2a, ESC_ALLOC = 0x2b,
	ESC_REGISTER_FD = 201, ESC_ALLOC_OS_EVENT = 206, ESC_CHECK_VERSION = 210, ESC_XFER = 211,
};

enum { UVM_PAGEABLE_MEM_ACCESS = 39, UVM_INITIALIZE = 0x30000001 };

enum { CLASS_ROOT = 0x41, CLASS_DEVICE = 0x80, CLASS_SUBDEVICE = 0x2080, CLASS_UNKNOWN = 0xc640 };

enum {
	GPU_GET_NAME = 0x20800110, NAME_SIZE = 132,
	GPU_GET_ENGINES = 0x20800123,
	GPU_GET_PIDS = 0x2080018d, PIDS_SIZE = 3812,
	GET_PSTATE = 0x20802068, PSTATE_SIZE = 4, /* PERF_GET_CURRENT_PSTATE */
	NOT_THERE = 0x20803801, NOT_THERE_SIZE = 1928,
};

enum { STATUS_INVALID_ADDRESS = 0x1e, STATUS_INVALID_CLASS = 0x22, STATUS_NOT_SUPPORTED = 0x56 };

#endif
