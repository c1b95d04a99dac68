/*
 * sniff/plan.h - what to read of each ioctl, as offsets
 *
 * Part of preload/. A workload's process has neither the document of its driver nor the time to look names up in it. So the recorder
 * says beforehand, for each ioctl and size of its parameters, where in them are pointers, their sizes, and
 * descriptors: plan_make() asks room `call`, and the result is what call_follow(), call_pointers() and call_fds() would say.
 * The plan is one block of bytes: head, entries by (family, number, size), steps, and the devices whose ioctls are recorded.
 */
#ifndef SNIFF_PLAN_H
#define SNIFF_PLAN_H

#include "decode/decode.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Families as numbers; names in plan.c. */
enum plan_family {
	PLAN_FRONTEND, PLAN_UVM, PLAN_MODESET, PLAN_DRM, PLAN_NVSWITCH, PLAN_NVSWITCH_CTL, PLAN_NVLINK, PLAN_CONTROL, PLAN_ALLOC, PLAN_NVKMS,
	PLAN_FAMILIES
};

const char *plan_family_name(enum plan_family family);

/* plan_family_of - Return: PLAN_FAMILIES if no step leads there. */
enum plan_family plan_family_of(const char *name);

/* A number in the parameters. */
struct plan_field {
	uint32_t offset_bytes;
	uint32_t size_bytes; /* 1 to 8; 0: there is none */
};

enum plan_step_kind {
	PLAN_ENVELOPE, /* number, pointer, size: of what is inside */
	PLAN_POINTER,  /* pointer, size * times elements */
	PLAN_FD,       /* number */
};

struct plan_step {
	enum plan_step_kind kind;
	enum plan_family family;      /* of what is inside */
	struct plan_field number, pointer, size, times, when;
	uint64_t element_bytes;
	uint64_t mask, equals;        /* a pointer counts if (when & mask) == equals */
	struct plan_field serialized; /* of an envelope: if (serialized & serialized_mask), pointers inside are not followed */
	uint64_t serialized_mask;
};

struct plan_entry {
	enum plan_family family;
	uint64_t number;
	uint64_t size_bytes;          /* of the parameters that the steps are for */
	uint32_t first_step, step_count;
};

struct plan {
	uint32_t entry_count, step_count;
	const struct plan_entry *entries;
	const struct plan_step *steps;
	struct device_rules devices;
};

/* plan_open - the plan in some bytes, which must outlive it. Return: false if it is not whole. */
bool plan_open(struct plan *out, const void *bytes, size_t size_bytes);

/* plan_find - the first entry of a family and number; those of other sizes follow it. NULL: none. */
const struct plan_entry *plan_find(const struct plan *plan, enum plan_family family, uint64_t number);

/* plan_find_size - the entry for parameters of that very size; NULL: none. */
const struct plan_entry *plan_find_size(const struct plan *plan, enum plan_family family, uint64_t number, uint64_t size_bytes);

/* plan_value - 0 if there is no such field, or the parameters are too short. */
uint64_t plan_value(const struct plan_field *field, const uint8_t *bytes, size_t size_bytes);

/* --- its bytes: one struct plan_head, the entries, the steps, the devices ------------------------------------------------ */

struct plan_head {
	uint32_t entry_count, step_count, device_count, unused;
};

#endif
