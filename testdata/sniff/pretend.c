/* Emulate a driver's ioctls. Like a driver, check that the caller's memory is readable before using it. */
#include "workload.h"
#include "driver.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* all_there - check if @size_bytes bytes at @address can be read */
static bool all_there(uint64_t address, size_t size_bytes)
{
	static _Thread_local uint8_t bytes[64 * 1024];

	return size_bytes <= sizeof(bytes) && readable(bytes, (const void *)(uintptr_t)address, size_bytes) == size_bytes;
}

/* fill - write bytes that depend on the command and their offset, so that tests detect lost or moved bytes */
static void fill(uint8_t *bytes, size_t size_bytes, uint32_t command)
{
	for (size_t i = size_bytes > 4 ? 4 : 0; i < size_bytes; i++)
		bytes[i] = (uint8_t)(command * 31 + i * 7);
}

static void get_engines(struct engines *engines)
{
	uint32_t *list = (uint32_t *)(uintptr_t)engines->list;

	for (uint32_t i = 0; list && i < engines->count; i++)
		list[i] = 9 + i;
	engines->count = 4;
}

static void control(struct rm_control *control)
{
	void *params = (void *)(uintptr_t)control->params;

	control->status = 0;
	if (control->command == NOT_THERE)
		control->status = STATUS_NOT_SUPPORTED;
	else if (!all_there(control->params, control->params_size))
		control->status = STATUS_INVALID_ADDRESS;
	else if (control->command == GPU_GET_ENGINES)
		get_engines(params);
	else
		fill(params, control->params_size, control->command);
}

static uint32_t allocate(uint32_t class, uint64_t params, uint32_t *object)
{
	static atomic_uint next;
	const char *first = getenv("PRETEND_HANDLE");
	size_t size_bytes = class == CLASS_DEVICE ? sizeof(struct device_params) : 4;

	if (class == CLASS_UNKNOWN)
		return STATUS_INVALID_CLASS;
	if (params && !all_there(params, size_bytes))
		return STATUS_INVALID_ADDRESS;
	if (!*object)
		*object = (first ? (uint32_t)strtoul(first, NULL, 0) : 0xc1d00001) + next++;
	if (class == CLASS_ROOT && params)
		memcpy((void *)(uintptr_t)params, object, sizeof(*object));
	return 0;
}

static int escape(unsigned number, void *argument, size_t size_bytes)
{
	if (!all_there((uint64_t)(uintptr_t)argument, size_bytes)) {
		errno = EFAULT;
		return -1;
	}
	switch (number) {
	case ESC_CHECK_VERSION:
		((struct api_version *)argument)->reply = 1;
		strcpy(((struct api_version *)argument)->text, "590.48.01");
		return 0;
	case ESC_ALLOC:
		if (size_bytes == sizeof(struct rm_alloc)) {
			struct rm_alloc *alloc = argument;

			alloc->status = allocate(alloc->class, alloc->params, &alloc->object);
		} else {
			struct rm_alloc_old *alloc = argument;

			alloc->status = allocate(alloc->class, alloc->params, &alloc->object);
		}
		return 0;
	case ESC_FREE:
		((struct rm_free *)argument)->status = 0;
		return 0;
	case ESC_CONTROL:
		control(argument);
		return 0;
	case ESC_ALLOC_OS_EVENT:
		((struct os_event *)argument)->status = 0;
		return 0;
	case ESC_REGISTER_FD:
		return 0;
	case ESC_XFER: {
		const struct xfer *xfer = argument;

		return escape(xfer->command, (void *)(uintptr_t)xfer->pointer, xfer->size);
	}
	default:
		errno = EINVAL;
		return -1;
	}
}

static int uvm(unsigned long request, void *argument)
{
	switch (request) {
	case UVM_INITIALIZE:
		((struct uvm_initialize *)argument)->status = 0;
		return 0;
	case UVM_PAGEABLE_MEM_ACCESS:
		*(struct uvm_pageable *)argument = (struct uvm_pageable){ .access = 1 };
		return 0;
	default:
		errno = EINVAL;
		return -1;
	}
}

int pretend(const struct call *call)
{
	if (!strcmp(call->device.path, "/dev/nvidia-uvm"))
		return uvm(call->request, call->argument);
	return escape(_IOC_NR(call->request), call->argument, _IOC_SIZE(call->request));
}
