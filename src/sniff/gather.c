/*
 * Reads the memory of a call. At the call's entry, gather_before() reads the argument and the ranges that
 * call_follow() finds. At the call's exit, gather_after() reads the same ranges again.
 */
#include "sniff/internal.h"

#include <sys/uio.h>

struct trait {
	const char *record; /* points to the document's string */
	bool has_fds, has_pointers;
	UT_hash_handle hh;
};

/* traits_of - find the traits of a record in the cache, or compute them. Valid until traits_release(). */
static const struct trait *traits_of(struct gather_scope *scope, const char *record)
{
	struct trait *trait;

	HASH_FIND_PTR(scope->traits, &record, trait);
	if (trait)
		return trait;
	trait = xmalloc(sizeof(*trait));
	*trait = (struct trait){ .record = record, .has_fds = call_has_fd(scope->abi, record),
				 .has_pointers = call_has_pointer_rule(scope->pointers, record) };
	HASH_ADD_PTR(scope->traits, record, trait);
	return trait;
}

void traits_release(struct gather_scope *scope)
{
	struct trait *trait, *next;

	HASH_ITER(hh, scope->traits, trait, next) {
		HASH_DEL(scope->traits, trait);
		free(trait);
	}
}

void identify_ioctl(struct call *out, const struct gather_scope *scope, const char *path, uint64_t request,
		    uint64_t argument)
{
	struct call call = { .address = argument, .size_bytes = abi_ioc_get(request, ABI_IOC_SIZE) };

	call.family = call_identify_on(&call.number, scope->devices, path, request);
	if (call.family && !strcmp(call.family, "uvm")) {
		const struct abi_ioctl *ioctl = call_find(scope->abi, call.family, call.number);
		const char *record = ioctl ? call_record(scope->abi, ioctl, 0) : NULL;

		call.size_bytes = record ? call_record_size(scope->abi, record) : 0;
	}
	call.has_size = call.size_bytes;
	*out = call;
}

enum {
	CALL_BYTES_MAX = 24 * 1024 * 1024, /* twice as many (before and after) fit into TRACE_MESSAGE_MAX */
	REGIONS_MAX = 256,
};

/* The data that call_follow() passes to read_for_call(). */
struct gathering {
	struct gathered *gathered;
	const struct gather_source *source;
	struct gather_scope *scope;
	bool is_followed; /* read ranges completely, because they may contain pointers */
};

/* --- ranges ------------------------------------------------------------------------------------ */

/* Finds a range. Return: the index of the range; gathered->count if it was not read yet. */
static size_t find_region(const struct gathered *gathered, uint64_t address, uint64_t size_bytes)
{
	size_t i = 0;

	while (i < gathered->count &&
	       (gathered->regions[i].address != address || gathered->regions[i].size_bytes != size_bytes))
		i++;
	return i;
}

/*
 * Gets the bytes that a range has before the call. If the range was not read yet, adds it to the regions of
 * @data, and reads it, within the limits on regions and bytes.
 * Return: false if the range could not be read completely; the region may have its first bytes.
 */
static bool read_for_call(const uint8_t **bytes, void *data, uint64_t address, uint64_t size_bytes)
{
	const struct gathering *gathering = data;
	struct gathered *gathered = gathering->gathered;
	const size_t index = find_region(gathered, address, size_bytes);
	struct region *region;
	uint64_t wanted = size_bytes;

	if (index == gathered->count) {
		if (index == REGIONS_MAX)
			return false;
		ARRAY_GROW(gathered->regions, gathered->count, gathered->capacity);
		region = &gathered->regions[gathered->count++];
		*region = (struct region){ .address = address,
					   .size_bytes = size_bytes,
					   .direction = USE_UNKNOWN,
					   .limit_bytes = size_bytes };
		if (index && gathering->scope->region_bytes < region->limit_bytes)
			region->limit_bytes = (size_t)gathering->scope->region_bytes;
		if (!gathering->is_followed)
			wanted = region->limit_bytes;
		if (wanted > gathered->left_bytes)
			wanted = gathered->left_bytes;
		strbuf_reserve(&region->before, (size_t)wanted);
		region->before.length = gathering->source->read(region->before.text, gathering->source->data,
								address, (size_t)wanted);
		gathered->left_bytes -= region->before.length;
	}
	region = &gathered->regions[index];
	if (region->before.length < size_bytes)
		return false;
	*bytes = (const uint8_t *)region->before.text;
	return true;
}

/* --- pointers and descriptors in the ranges ----------------------------------------------------- */

static void add_reference(struct gathered *gathered, const struct reference *reference)
{
	if (gathered->reference_count < GATHER_REFERENCES_MAX && reference->region < gathered->count)
		gathered->references[gathered->reference_count++] = *reference;
}

/*
 * Reads the targets of the pointers in the parameters of chain[@index] as regions, and sets the directions
 * of these regions. Adds a reference for each pointer. @region: the range that has the parameters
 */
static void find_pointers(const struct gathering *gathering, size_t region, size_t index,
			  const struct call_memory *memory)
{
	const struct gather_scope *scope = gathering->scope;
	struct gathered *gathered = gathering->gathered;
	struct call_pointer pointers[CALL_POINTERS_MAX];
	const size_t count = call_pointers(pointers, gathered->chain, index, scope->abi, scope->pointers,
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

/*
 * Reads the targets of the pointers in the parameters of all calls of the chain. Adds references for these
 * pointers, those of envelopes, and descriptors, because their values differ from run to run.
 */
static void find_references(const struct gathering *gathering, const struct call_memory *memory)
{
	struct gathered *gathered = gathering->gathered;
	struct gather_scope *scope = gathering->scope;

	for (size_t i = 0; i < gathered->chain_count; i++) {
		const struct call *call = &gathered->chain[i];
		const size_t region = find_region(gathered, call->address, call->size_bytes);
		const struct call_rule *rule;
		const struct trait *trait;
		struct call_fd fds[CALL_FDS_MAX];
		struct call_field pointer;
		size_t fd_count;

		if (!call->bytes || !call->record || region == gathered->count)
			continue;
		trait = traits_of(scope, call->record);
		/* an envelope has a pointer to the inner parameters */
		rule = call->ioctl ? call_rule_of(call->ioctl, call->record) : NULL;
		if (rule && call_field_find(&pointer, scope->abi, call->record, rule->pointer))
			add_reference(gathered, &(struct reference){
				.region = region,
				.offset_bytes = pointer.offset_bits / 8,
				.size_bytes = pointer.field->size_bits / 8,
			});
		if (trait->has_pointers)
			find_pointers(gathering, region, i, memory);
		fd_count = trait->has_fds ? call_fds(fds, call, scope->abi) : 0;
		for (size_t k = 0; k < fd_count; k++)
			add_reference(gathered, &(struct reference){
				.region = region,
				.offset_bytes = fds[k].offset_bytes,
				.size_bytes = fds[k].size_bytes,
				.is_fd = true,
				.number = fds[k].number,
			});
	}
}

void gather_before(struct gathered *gathered, const struct call *first, const struct gather_source *source,
		   struct gather_scope *scope)
{
	struct gathering gathering = { gathered, source, scope, true };
	const struct call_memory memory = { .read = read_for_call, .data = &gathering };
	struct call argument = *first;

	gathered->left_bytes = CALL_BYTES_MAX;
	if (first->address && first->size_bytes &&
	    !read_for_call(&argument.bytes, &gathering, first->address, first->size_bytes))
		argument.bytes = NULL;
	if (!first->family)
		return;
	gathered->chain_count = call_follow(gathered->chain, &argument, scope->abi, &memory);
	gathering.is_followed = false;
	find_references(&gathering, &memory);
}

/* --- after the call ------------------------------------------------------------------------------ */

struct trace_bytes gather_bytes(const struct region *region, const struct strbuf *bytes)
{
	const size_t size_bytes = bytes->length < region->limit_bytes ? bytes->length : region->limit_bytes;

	return (struct trace_bytes){ size_bytes ? (const uint8_t *)bytes->text : NULL, size_bytes };
}

void gather_after(struct gathered *gathered, pid_t tid)
{
	struct iovec here[REGIONS_MAX], there[REGIONS_MAX];
	const size_t count = gathered->count;
	size_t total = 0;
	bool is_whole;

	if (!count)
		return;
	for (size_t i = 0; i < count; i++) {
		struct region *region = &gathered->regions[i];
		const size_t size_bytes = (size_t)gather_bytes(region, &region->before).size_bytes;

		strbuf_reserve(&region->after, size_bytes);
		here[i] = (struct iovec){ region->after.text, size_bytes };
		there[i] = (struct iovec){ (void *)(uintptr_t)region->address, size_bytes };
		total += size_bytes;
	}
	/* all ranges in one system call, or one by one if a range is no longer mapped */
	is_whole = process_vm_readv(tid, here, count, there, count, 0) == (ssize_t)total;
	for (size_t i = 0; i < count; i++)
		gathered->regions[i].after.length = is_whole ? here[i].iov_len :
			memory_read(here[i].iov_base, tid, gathered->regions[i].address, here[i].iov_len);
}

void gathered_release(struct gathered *gathered)
{
	for (size_t i = 0; i < gathered->count; i++) {
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
