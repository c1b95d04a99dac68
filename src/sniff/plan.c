/* sniff/plan.c - what the preloaded library records of each ioctl, as bytes it can read without a document */
#include "sniff/internal.h"

#include <string.h>

static const char *const names[PLAN_FAMILIES] = {
	[PLAN_FRONTEND] = "frontend", [PLAN_UVM] = "uvm", [PLAN_MODESET] = "modeset", [PLAN_DRM] = "drm", [PLAN_NVSWITCH] = "nvswitch",
	[PLAN_NVSWITCH_CTL] = "nvswitch-ctl", [PLAN_NVLINK] = "nvlink",
	[PLAN_CONTROL] = "control", [PLAN_ALLOC] = "alloc", [PLAN_NVKMS] = "nvkms",
};

const char *plan_family_name(enum plan_family family)
{
	return names[family];
}

enum plan_family plan_family_of(const char *name)
{
	enum plan_family family = 0;

	while (family < PLAN_FAMILIES && strcmp(names[family], name) != 0)
		family++;
	return family;
}

bool plan_open(struct plan *out, const void *bytes, size_t size_bytes)
{
	const struct plan_head *head = bytes;
	struct plan plan;

	if (size_bytes < sizeof(*head))
		return false;
	plan.entry_count = head->entry_count;
	plan.step_count = head->step_count;
	plan.entries = (const struct plan_entry *)(head + 1);
	plan.steps = (const struct plan_step *)(plan.entries + plan.entry_count);
	plan.devices = (struct device_rules){ (const struct device_rule *)(plan.steps + plan.step_count), head->device_count };
	if (size_bytes - sizeof(*head) != plan.entry_count * sizeof(*plan.entries) + plan.step_count * sizeof(*plan.steps) +
						  plan.devices.count * sizeof(*plan.devices.rules))
		return false;
	for (uint32_t i = 0; i < plan.entry_count; i++)
		if (plan.entries[i].first_step > plan.step_count || plan.entries[i].step_count > plan.step_count - plan.entries[i].first_step)
			return false;
	*out = plan;
	return true;
}

const struct plan_entry *plan_find(const struct plan *plan, enum plan_family family, uint64_t number)
{
	uint32_t low = 0, high = plan->entry_count;

	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;
		const struct plan_entry *at = &plan->entries[middle];

		if (at->family < family || (at->family == family && at->number < number))
			low = middle + 1;
		else
			high = middle;
	}
	if (low == plan->entry_count || plan->entries[low].family != family || plan->entries[low].number != number)
		return NULL;
	return &plan->entries[low];
}

const struct plan_entry *plan_find_size(const struct plan *plan, enum plan_family family, uint64_t number, uint64_t size_bytes)
{
	const struct plan_entry *const end = plan->entries + plan->entry_count;
	const struct plan_entry *at = plan_find(plan, family, number);

	for (; at && at < end && at->family == family && at->number == number; at++)
		if (at->size_bytes == size_bytes)
			return at;
	return NULL;
}

uint64_t plan_value(const struct plan_field *field, const uint8_t *bytes, size_t size_bytes)
{
	uint64_t value = 0;

	if (field->offset_bytes > size_bytes || field->size_bytes > size_bytes - field->offset_bytes)
		return 0;
	for (uint32_t i = field->size_bytes; i-- > 0;)
		value = value << 8 | bytes[field->offset_bytes + i];
	return value;
}
