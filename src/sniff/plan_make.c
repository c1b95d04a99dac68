/* sniff/plan_make.c - the plan of sniff/plan.c, made of documents and rules */
#include "sniff/internal.h"

#include "decode/decode.h"

#include <stdlib.h>
#include <string.h>

/* NVOS54_FLAGS_FINN_SERIALIZED of nvos.h: the driver does not follow a pointer in such parameters. */
#define SERIALIZING_RECORD "NVOS54_PARAMETERS"
enum { SERIALIZED = 4, RECORD_BYTES_MAX = 1024 * 1024 };

struct making {
	const struct abi *abi;
	const struct pointer_rules *rules;
	struct plan_entry *entries;
	size_t entry_count, entry_capacity;
	struct plan_step *steps;
	size_t step_count, step_capacity;
};

static void add_step(struct making *making, const struct plan_step *step)
{
	ARRAY_GROW(making->steps, making->step_count, making->step_capacity);
	making->steps[making->step_count++] = *step;
}

/* None, if the record has no such field or it is no number of whole bytes. */
static struct plan_field field_of(const struct making *making, const char *record, const char *path)
{
	struct call_field found;

	if (!path || !call_field_find(&found, making->abi, record, path) || found.offset_bits % 8 || found.field->is_bitfield ||
	    found.field->size_bits > 64 || found.offset_bits / 8 > UINT32_MAX)
		return (struct plan_field){ 0, 0 };
	return (struct plan_field){ (uint32_t)(found.offset_bits / 8), (uint32_t)(found.field->size_bits / 8) };
}

static void add_envelope(struct making *making, const struct abi_ioctl *ioctl, const char *record)
{
	const struct call_rule *rule = call_rule_of(ioctl, record);
	struct plan_step step = { .kind = PLAN_ENVELOPE };

	if (!rule)
		return;
	step.family = plan_family_of(rule->family);
	step.number = field_of(making, record, rule->number);
	step.pointer = field_of(making, record, rule->pointer);
	step.size = field_of(making, record, rule->size);
	if (step.family == PLAN_FAMILIES || !step.number.size_bytes || !step.pointer.size_bytes || !step.size.size_bytes)
		return;
	if (!strcmp(record, SERIALIZING_RECORD)) {
		step.serialized = field_of(making, record, "flags");
		step.serialized_mask = SERIALIZED;
	}
	add_step(making, &step);
}

static void add_pointers(struct making *making, const struct abi_ioctl *ioctl, const char *record)
{
	for (size_t i = 0; i < making->rules->count; i++) {
		const struct pointer_rule *rule = &making->rules->rules[i];

		if (!call_pointer_rule_matches(rule, making->abi, ioctl, record))
			continue;
		add_step(making, &(struct plan_step){
			.kind = PLAN_POINTER,
			.pointer = field_of(making, record, rule->path),
			.size = field_of(making, record, rule->count),
			.times = field_of(making, record, rule->times),
			.when = field_of(making, record, rule->when),
			.element_bytes = call_record_size(making->abi, rule->element),
			.mask = rule->mask, .equals = rule->equals,
		});
	}
}

/* call_fds() tells where they are, in bytes that are all 1; how many of these a value has is its size. */
static void add_fds(struct making *making, const struct abi_ioctl *ioctl, const char *record, uint64_t size_bytes)
{
	uint8_t *ones = xmalloc(size_bytes);
	const struct call call = { .ioctl = ioctl, .record = record, .bytes = ones, .size_bytes = size_bytes };
	struct call_fd fds[CALL_FDS_MAX];
	size_t count;

	memset(ones, 1, size_bytes);
	count = call_fds(fds, &call, making->abi);
	for (size_t i = 0; i < count; i++) {
		struct plan_step step = { .kind = PLAN_FD, .number = { (uint32_t)fds[i].offset_bytes, 0 } };

		for (uint64_t value = (uint64_t)fds[i].number; value; value >>= 8)
			step.number.size_bytes++;
		add_step(making, &step);
	}
	free(ones);
}

static void add_entry(struct making *making, const struct abi_ioctl *ioctl, uint64_t size_bytes)
{
	const char *record = call_record(making->abi, ioctl, size_bytes);
	struct plan_entry entry = { .family = plan_family_of(ioctl->family), .number = ioctl->number, .size_bytes = size_bytes,
				    .first_step = (uint32_t)making->step_count };

	if (!record || call_record_size(making->abi, record) != size_bytes || !size_bytes || size_bytes > RECORD_BYTES_MAX)
		return;
	add_envelope(making, ioctl, record);
	add_pointers(making, ioctl, record);
	add_fds(making, ioctl, record, size_bytes);
	entry.step_count = (uint32_t)(making->step_count - entry.first_step);
	ARRAY_GROW(making->entries, making->entry_count, making->entry_capacity);
	making->entries[making->entry_count++] = entry;
}

/* Its record, and for an escape that has several all of these. */
static void add_ioctl(struct making *making, const struct abi_ioctl *ioctl)
{
	const uint64_t usual = ioctl->params ? call_record_size(making->abi, ioctl->params) : 0;

	add_entry(making, ioctl, usual);
	for (size_t i = 0; i < making->abi->record_count; i++) {
		const struct abi_record *record = &making->abi->records[i];

		if (record->size_bytes != usual && call_rule_of(ioctl, record->name))
			add_entry(making, ioctl, record->size_bytes);
	}
}

static bool has_several_records(const struct abi_ioctl *ioctl)
{
	return call_rule_of(ioctl, "NVOS21_PARAMETERS") || call_rule_of(ioctl, "NVOS64_PARAMETERS");
}

/* By family, number, and the order in which they were added: the usual size first. */
static int compare(const void *a, const void *b)
{
	const struct plan_entry *one = a, *other = b;

	if (one->family != other->family)
		return one->family < other->family ? -1 : 1;
	if (one->number != other->number)
		return one->number < other->number ? -1 : 1;
	return one->first_step < other->first_step ? -1 : one->first_step > other->first_step;
}

void plan_make(struct strbuf *out, const struct abi *abi, const struct pointer_rules *rules, const struct device_rules *devices)
{
	struct making making = { .abi = abi, .rules = rules };
	struct plan_head head;

	for (size_t i = 0; abi && i < abi->ioctl_count; i++)
		if (plan_family_of(abi->ioctls[i].family) < PLAN_FAMILIES) {
			if (has_several_records(&abi->ioctls[i]))
				add_ioctl(&making, &abi->ioctls[i]);
			else
				add_entry(&making, &abi->ioctls[i], abi->ioctls[i].params ? call_record_size(abi, abi->ioctls[i].params) : 0);
		}
	if (making.entry_count)
		qsort(making.entries, making.entry_count, sizeof(*making.entries), compare);
	head = (struct plan_head){ (uint32_t)making.entry_count, (uint32_t)making.step_count, (uint32_t)devices->count, 0 };
	strbuf_add(out, &head, sizeof(head));
	strbuf_add(out, making.entries, making.entry_count * sizeof(*making.entries));
	strbuf_add(out, making.steps, making.step_count * sizeof(*making.steps));
	if (devices->count)
		strbuf_add(out, devices->rules, devices->count * sizeof(*devices->rules));
	free(making.entries);
	free(making.steps);
}
