/*
 * Reads the memory of a call. At the call's entry, gather_before() reads the argument and the ranges that
 * call_follow() finds. At the call's exit, gather_after() reads the same ranges again.
 */
#include "sniff/internal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

struct trait {
	struct {
		const struct abi_ioctl *ioctl;
		const char *record;       /* points to the document's string */
	} key;
	bool has_fds, has_pointers;
	UT_hash_handle hh;
};

/* traits_of - find the traits of a call after call_follow(). The result is valid until traits_release(). */
static const struct trait *traits_of(struct traits *traits, const struct call *call)
{
	const struct trait wanted = { .key = { call->ioctl, call->record } };
	struct trait *trait;

	HASH_FIND(hh, traits->found, &wanted.key, sizeof(wanted.key), trait);
	if (trait)
		return trait;
	trait = xmalloc(sizeof(*trait));
	*trait = (struct trait){ .key = wanted.key, .has_fds = call_has_fd(traits->abi, call->record),
				 .has_pointers = call_has_pointer_rule(traits->rules, call->record) };
	HASH_ADD(hh, traits->found, key, sizeof(trait->key), trait);
	return trait;
}

void traits_release(struct traits *traits)
{
	struct trait *trait, *next;

	HASH_ITER(hh, traits->found, trait, next) {
		HASH_DEL(traits->found, trait);
		free(trait);
	}
}

void identify_ioctl(struct call *out, const struct device_rules *devices, const char *path, uint64_t request,
		    uint64_t argument,
		    const struct abi *abi)
{
	struct call call = { .address = argument, .size_bytes = abi_ioc_get(request, ABI_IOC_SIZE) };

	call.family = call_identify_on(&call.number, devices, path, request);
	if (call.family && !strcmp(call.family, "uvm")) {
		const struct abi_ioctl *ioctl = abi ? call_find(abi, call.family, call.number) : NULL;
		const char *record = ioctl ? call_record(abi, ioctl, 0) : NULL;

		call.size_bytes = record ? call_record_size(abi, record) : 0;
	}
	call.has_size = call.size_bytes;
	*out = call;
}

enum {
	CALL_BYTES_MAX = 24 * 1024 * 1024, /* twice as many (before and after) fit into TRACE_MESSAGE_MAX */
	REGIONS_MAX = 256,
	HELD_BYTES = 64 * 1024,            /* a longer buffer is freed after its call */
	AT_ONCE = 16,
};

/* The data that call_follow() passes to read_for_call(). */
struct gathering {
	struct gathered *gathered;
	const struct gather_source *source;
	const struct gather_scope *scope;
	bool is_followed; /* read ranges completely, because they may contain pointers */
};

/* --- ranges ------------------------------------------------------------------------------------ */

static struct region *add_region(struct gathered *gathered, uint64_t address, uint64_t size_bytes)
{
	struct region *region;
	const size_t old = gathered->capacity;

	ARRAY_GROW(gathered->regions, gathered->count, gathered->capacity);
	if (old < gathered->capacity)
		memset(gathered->regions + old, 0, (gathered->capacity - old) * sizeof(*gathered->regions));
	region = &gathered->regions[gathered->count++];
	region->address = address;
	region->size_bytes = size_bytes;
	region->limit_bytes = size_bytes < SIZE_MAX ? (size_t)size_bytes : SIZE_MAX;
	region->direction = USE_UNKNOWN;
	strbuf_reset(&region->before);
	strbuf_reset(&region->after);
	return region;
}

/* Reads memory of the process before a call, within the limits on regions and bytes. */
static const struct region *read_region(const struct gathering *gathering, uint64_t address,
					uint64_t size_bytes)
{
	struct gathered *gathered = gathering->gathered;
	struct region *region;
	uint64_t wanted = size_bytes;

	if (gathered->count == REGIONS_MAX)
		return NULL;
	region = add_region(gathered, address, size_bytes);
	if (gathered->count > 1 && gathering->scope->region_bytes < region->limit_bytes)
		region->limit_bytes = (size_t)gathering->scope->region_bytes;
	if (!gathering->is_followed)
		wanted = region->limit_bytes;
	if (wanted > gathered->left_bytes)
		wanted = gathered->left_bytes;
	strbuf_reserve(&region->before, (size_t)wanted);
	region->before.length = gathering->source->read(region->before.text, gathering->source->data, address,
							(size_t)wanted);
	gathered->left_bytes -= region->before.length;
	return region;
}

/* Finds a range. Return: the index of the range; gathered->count if it was not read yet. */
static size_t find_region(const struct gathered *gathered, uint64_t address, uint64_t size_bytes)
{
	size_t i = 0;

	while (i < gathered->count &&
	       (gathered->regions[i].address != address || gathered->regions[i].size_bytes != size_bytes))
		i++;
	return i;
}

static bool read_for_call(const uint8_t **bytes, void *data, uint64_t address, uint64_t size_bytes)
{
	const struct gathering *gathering = data;
	const size_t found = find_region(gathering->gathered, address, size_bytes);
	const struct region *region;

	region = found < gathering->gathered->count ? &gathering->gathered->regions[found] :
		 read_region(gathering, address, size_bytes);
	if (!region || region->before.length < size_bytes)
		return false;
	*bytes = (const uint8_t *)region->before.text;
	return true;
}

/* Frees the long buffers of the previous call. */
static void forget_long(struct gathered *gathered)
{
	for (size_t i = 0; i < gathered->count; i++) {
		struct region *region = &gathered->regions[i];

		if (region->before.capacity <= HELD_BYTES)
			continue;
		strbuf_release(&region->before);
		strbuf_release(&region->after);
	}
}

/* --- pointers and descriptors in the ranges ----------------------------------------------------- */

static void add_reference(struct gathered *gathered, const struct reference *reference)
{
	if (gathered->reference_count < GATHER_REFERENCES_MAX && reference->region < gathered->count)
		gathered->references[gathered->reference_count++] = *reference;
}

/* If the call is an envelope, adds its pointer to the inner parameters. */
static void find_inner_pointer(struct gathered *gathered, size_t region, const struct call *call,
			       const struct abi *abi)
{
	const struct call_rule *rule = call->ioctl ? call_rule_of(call->ioctl, call->record) : NULL;
	struct call_field pointer;

	if (rule && call_field_find(&pointer, abi, call->record, rule->pointer))
		add_reference(gathered, &(struct reference){ .region = region,
							     .offset_bytes = pointer.offset_bits / 8,
							     .size_bytes = pointer.field->size_bits / 8 });
}

static void find_pointers(const struct gathering *gathering, size_t region, size_t index,
			  const struct call_memory *memory)
{
	const struct traits *traits = gathering->scope->traits;
	struct gathered *gathered = gathering->gathered;
	struct call_pointer pointers[CALL_POINTERS_MAX];
	const size_t count = call_pointers(pointers, gathered->chain, index, traits->abi, traits->rules,
					   memory);

	for (size_t i = 0; i < count; i++) {
		const size_t target = find_region(gathered, pointers[i].address, pointers[i].size_bytes);
		const struct call_pointer *outer =
			pointers[i].within ? &pointers[pointers[i].within - 1] : NULL;

		if (target < gathered->count)
			gathered->regions[target].direction = pointers[i].direction;
		add_reference(gathered,
			      &(struct reference){ .region = outer ? find_region(gathered, outer->address,
										 outer->size_bytes)
								   : region,
						   .offset_bytes = pointers[i].offset_bytes,
						   .size_bytes = 8 });
	}
}

static void find_fds(struct gathered *gathered, size_t region, const struct call *call, const struct abi *abi)
{
	struct call_fd fds[CALL_FDS_MAX];
	const size_t count = call_fds(fds, call, abi);

	for (size_t i = 0; i < count; i++)
		add_reference(gathered, &(struct reference){ .region = region,
							     .offset_bytes = fds[i].offset_bytes,
							     .size_bytes = 4,
							     .is_fd = true,
							     .number = fds[i].number });
}

/* Finds the pointers and fds inside the regions, because their values differ from run to run. */
static void find_references(const struct gathering *gathering, const struct call_memory *memory)
{
	struct gathered *gathered = gathering->gathered;
	struct traits *traits = gathering->scope->traits;

	for (size_t i = 0; i < gathered->chain_count; i++) {
		const struct call *call = &gathered->chain[i];
		const size_t region = find_region(gathered, call->address, call->size_bytes);
		const struct trait *trait;

		if (!call->bytes || !call->record || region == gathered->count)
			continue;
		trait = traits_of(traits, call);
		find_inner_pointer(gathered, region, call, traits->abi);
		if (trait->has_pointers)
			find_pointers(gathering, region, i, memory);
		if (trait->has_fds)
			find_fds(gathered, region, call, traits->abi);
	}
}

void gather_before(struct gathered *gathered, const struct call *first, const struct gather_source *source,
		   const struct gather_scope *scope)
{
	struct gathering gathering = { gathered, source, scope, true };
	const struct call_memory memory = { .read = read_for_call, .data = &gathering };
	struct call argument = *first;

	forget_long(gathered);
	gathered->count = gathered->chain_count = gathered->reference_count = 0;
	gathered->left_bytes = CALL_BYTES_MAX;
	if (first->address && first->size_bytes &&
	    !read_for_call(&argument.bytes, &gathering, first->address, first->size_bytes))
		argument.bytes = NULL;
	if (!scope->traits || !first->family)
		return;
	gathered->chain_count = call_follow(gathered->chain, &argument, scope->traits->abi, &memory);
	gathering.is_followed = false;
	find_references(&gathering, &memory);
}

/* --- after the call ------------------------------------------------------------------------------ */

static size_t recorded_bytes(const struct region *region)
{
	return region->before.length < region->limit_bytes ? region->before.length : region->limit_bytes;
}

static void read_again(struct region *region, pid_t tid)
{
	strbuf_reset(&region->after);
	strbuf_reserve(&region->after, recorded_bytes(region));
	region->after.length = memory_read(region->after.text, tid, region->address, recorded_bytes(region));
}

/* Reads @count ranges in one system call. Return: false if a range is no longer mapped. */
static bool read_at_once(struct region *regions, size_t count, pid_t tid)
{
	struct iovec here[AT_ONCE], there[AT_ONCE];
	size_t total = 0;

	for (size_t i = 0; i < count; i++) {
		struct region *region = &regions[i];
		const size_t size_bytes = recorded_bytes(region);

		strbuf_reset(&region->after);
		strbuf_reserve(&region->after, size_bytes);
		here[i] = (struct iovec){ region->after.text, size_bytes };
		there[i] = (struct iovec){ (void *)(uintptr_t)region->address, size_bytes };
		total += size_bytes;
	}
	if (process_vm_readv(tid, here, count, there, count, 0) != (ssize_t)total)
		return false;
	for (size_t i = 0; i < count; i++)
		regions[i].after.length = recorded_bytes(&regions[i]);
	return true;
}

void gather_after(struct gathered *gathered, pid_t tid)
{
	for (size_t i = 0; i < gathered->count; i += AT_ONCE) {
		struct region *regions = gathered->regions + i;
		const size_t count = gathered->count - i < AT_ONCE ? gathered->count - i : AT_ONCE;

		if (read_at_once(regions, count, tid))
			continue;
		for (size_t k = 0; k < count; k++)
			read_again(&regions[k], tid);
	}
}

struct trace_bytes gather_bytes(const struct region *region, const struct strbuf *bytes)
{
	const size_t size_bytes = bytes->length < region->limit_bytes ? bytes->length : region->limit_bytes;

	return (struct trace_bytes){ size_bytes ? (const uint8_t *)bytes->text : NULL, size_bytes };
}

/* The elements after @count have the buffers of earlier calls, which add_region() uses again. */
void gathered_release(struct gathered *gathered)
{
	for (size_t i = 0; i < gathered->capacity; i++) {
		strbuf_release(&gathered->regions[i].before);
		strbuf_release(&gathered->regions[i].after);
	}
	free(gathered->regions);
	*gathered = (struct gathered){ .count = 0 };
}

const struct trace_bytes *message_after(const struct trace_message *message, size_t index, uint64_t address)
{
	if (!index)
		return &message->after;
	for (size_t i = 0; i < message->memory_count; i++)
		if (message->memory[i].address == address)
			return &message->memory[i].after;
	return NULL;
}

bool status_field(struct call_field *out, const struct abi *abi, const char *name)
{
	const struct abi_record *record = name ? abi_find_record(abi, name) : NULL;

	for (size_t i = 0; record && i < record->field_count; i++)
		if (record->fields[i].role == ABI_ROLE_STATUS)
			return call_field_find(out, abi, name, record->fields[i].name);
	return false;
}
