/*
 * What `drvabi gen --pid-shim c` writes, under AddressSanitizer: buffers by chance, hostile counts, short buffers. Each buffer is
 * allocated with the very length that the call has, so that a byte read behind it ends the program.
 *
 * Prints a line for what fails; exit status 1 then.
 */
#include "pids.h"

#include <stdio.h>
#include <stdlib.h>

static int failed;
static uint64_t seed = 88172645463325252ull;

static void check(int holds, const char *what, uint32_t number)
{
	if (holds)
		return;
	printf("0x%x: %s\n", number, what);
	failed = 1;
}

static uint64_t chance(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

static uint32_t add_one(uint32_t pid, void *context)
{
	(void)context;
	return pid + 1;
}

static uint32_t less_one(uint32_t pid, void *context)
{
	(void)context;
	return pid - 1;
}

static void fill(unsigned char *bytes, size_t length)
{
	for (size_t i = 0; i < length; i++)
		bytes[i] = (unsigned char)chance();
}

/* Sets the field that counts, as far as the buffer has it. */
static void set_count(struct drvabi_pids_call *call, const struct drvabi_pids_field *field, uint64_t count)
{
	if (field->count_bytes && call->length >= field->count_offset + field->count_bytes)
		memcpy((unsigned char *)call->params + field->count_offset, &count, field->count_bytes);
}

/* Is the count of a field that is mapped after the call beyond the buffer, and the first pid inside it? */
static int is_uncounted(const struct drvabi_pids_field *field, const struct drvabi_pids_call *call, unsigned directions)
{
	return (field->direction & directions) && !drvabi_pids_converts(field, call->driver) &&
	       field->count_bytes && field->count_offset + field->count_bytes > call->length && field->offset + 4 <= call->length;
}

/* How many pids of a field a reader who knows nothing of the code expects. */
static uint64_t expected(const struct drvabi_pids_field *field, const struct drvabi_pids_call *call, uint64_t count)
{
	uint64_t fits = 0;

	if (drvabi_pids_converts(field, call->driver))
		return 0;
	if (field->count_bytes && field->count_offset + field->count_bytes > call->length)
		return 0;
	if (!field->count_bytes || count > field->max)
		count = field->max;
	while (fits < count && field->offset + fits * field->stride + 4 <= call->length)
		fits++;
	return fits;
}

static void try_call(const struct drvabi_pids_entry *entry, size_t length, uint64_t count)
{
	unsigned char *bytes = malloc(length ? length : 1), *before = malloc(length ? length : 1);
	struct drvabi_pids_call call = { entry->family, entry->number, entry->size, bytes, length, entry->first };
	uint64_t pids = 0, read = 0;
	int uncounted = 0, read_uncounted = 0;
	long mapped;

	fill(bytes, length);
	for (size_t i = 0; i < entry->field_count; i++)
		set_count(&call, &entry->fields[i], count);
	for (size_t i = 0; i < entry->field_count; i++) {
		uncounted |= is_uncounted(&entry->fields[i], &call, DRVABI_PIDS_AFTER);
		read_uncounted |= is_uncounted(&entry->fields[i], &call, DRVABI_PIDS_BEFORE);
		pids += expected(&entry->fields[i], &call, count);
		if (entry->fields[i].direction & DRVABI_PIDS_IN)
			read += expected(&entry->fields[i], &call, count);
	}
	pids = uncounted ? 0 : pids;
	memcpy(before, bytes, length);
	mapped = drvabi_pids_map(&call, DRVABI_PIDS_AFTER, add_one, NULL);
	check(uncounted ? mapped == -1 : mapped >= 0 && (uint64_t)mapped == pids, "mapped another number of pids than there are", entry->number);
	check((memcmp(bytes, before, length) != 0) == (pids != 0), "bytes changed without pids, or the other way round", entry->number);
	drvabi_pids_map(&call, DRVABI_PIDS_AFTER, less_one, NULL);
	check(!memcmp(bytes, before, length), "to the host and back is not the identity", entry->number);
	mapped = drvabi_pids_map(&call, DRVABI_PIDS_BEFORE, add_one, NULL);
	check(read_uncounted ? mapped == -1 : mapped >= 0 && (uint64_t)mapped == read, "before the call, only what goes in is mapped", entry->number);
	free(bytes);
	free(before);
}

/* Counts and lengths at every border, and by chance. */
static void try_entry(const struct drvabi_pids_entry *entry)
{
	uint64_t max = entry->fields[0].max;
	const uint64_t counts[] = { 0, 1, max - 1, max, max + 1, 0x7fffffff, 0xffffffff };
	size_t size = (size_t)entry->size;

	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
		try_call(entry, size, counts[i]);
		for (size_t cut = 0; cut <= 16 && cut <= size; cut++) {
			try_call(entry, size - cut, counts[i]);
			try_call(entry, cut, counts[i]);
		}
		for (int n = 0; n < 20; n++)
			try_call(entry, (size_t)(chance() % (size + 1)), counts[i]);
	}
}

/* GPUACCT_GET_PROC_ACCOUNTING_INFO: since 570.86.15 the driver converts the pid that it reads, and returns the host's. */
static void returned_pid(void)
{
	unsigned char bytes[48] = { 0 };
	struct drvabi_pids_call call = { DRVABI_PIDS_CONTROL, 0xb03, sizeof(bytes), bytes, sizeof(bytes), DRVABI_PIDS_RELEASE(570, 86, 15) };

	check(drvabi_pids_map(&call, DRVABI_PIDS_BEFORE, add_one, NULL) == 0, "the driver converts the pid that it reads", call.number);
	check(drvabi_pids_map(&call, DRVABI_PIDS_IN, add_one, NULL) == 0, "a refused call returns no pid", call.number);
	check(drvabi_pids_map(&call, DRVABI_PIDS_AFTER, add_one, NULL) == 1, "the returned pid is the host's", call.number);
	call.driver = DRVABI_PIDS_RELEASE(565, 57, 1);
	check(drvabi_pids_map(&call, DRVABI_PIDS_BEFORE, add_one, NULL) == 1, "an older driver looks up the host's pid", call.number);
	check(drvabi_pids_map(&call, DRVABI_PIDS_AFTER, add_one, NULL) == 1, "which it leaves in place", call.number);
}

/* GPUACCT_GET_ACCOUNTING_PIDS: the count is after the pids. */
static void count_beyond_length(void)
{
	static unsigned char bytes[16012];
	struct drvabi_pids_call call = { DRVABI_PIDS_CONTROL, 0xb04, sizeof(bytes), bytes, sizeof(bytes) - 4, DRVABI_PIDS_RELEASE(565, 57, 1) };

	check(drvabi_pids_map(&call, DRVABI_PIDS_AFTER, add_one, NULL) == -1, "pids without their count are an error", call.number);
}

static void unknown_calls(void)
{
	unsigned char bytes[16] = { 0 };
	struct drvabi_pids_call call = { DRVABI_PIDS_CONTROL, 0x2080018d, sizeof(bytes), bytes, sizeof(bytes), DRVABI_PIDS_RELEASE(515, 43, 4) };

	check(drvabi_pids_map(&call, DRVABI_PIDS_AFTER, add_one, NULL) == -1, "another size is another ioctl", call.number);
	call.size = 3812;
	call.driver = 0;
	check(drvabi_pids_map(&call, DRVABI_PIDS_AFTER, add_one, NULL) == -1, "without a release nothing is known", call.number);
	call.driver = DRVABI_PIDS_RELEASE(999, 1, 1);
	check(drvabi_pids_map(&call, DRVABI_PIDS_AFTER, add_one, NULL) == 0, "a newer release converts, as the last one did", call.number);
	call.driver = DRVABI_PIDS_FIRST;
	check(drvabi_pids_map(&call, DRVABI_PIDS_AFTER, add_one, NULL) >= 0, "the first release of the table is served", call.number);
	call.driver = DRVABI_PIDS_FIRST - 1;
	check(drvabi_pids_map(&call, DRVABI_PIDS_AFTER, add_one, NULL) == -1, "a release before it is not", call.number);
	call.driver = drvabi_pids_release("1.1");
	check(drvabi_pids_map(&call, DRVABI_PIDS_AFTER, add_one, NULL) == -1, "nor is one that never was", call.number);
	call.driver = DRVABI_PIDS_RELEASE(999, 1, 1);
	call.family = DRVABI_PIDS_ALLOC;
	check(drvabi_pids_map(&call, DRVABI_PIDS_AFTER, add_one, NULL) == -1, "no class has this number", call.number);
	check(drvabi_pids_release("590.48.01\n") == DRVABI_PIDS_RELEASE(590, 48, 1), "a release with a line's end", 0);
	check(drvabi_pids_release("535.98") == DRVABI_PIDS_RELEASE(535, 98, 0), "a release of two numbers", 0);
	check(!drvabi_pids_release("") && !drvabi_pids_release("main") && !drvabi_pids_release("590"), "what is no release", 0);
	check(!drvabi_pids_release("99999999999999999999.1.1"), "a number that is too large", 0);
}

int main(void)
{
	size_t count = sizeof(drvabi_pids_entries) / sizeof(*drvabi_pids_entries);

	for (size_t i = 0; i < count; i++)
		try_entry(&drvabi_pids_entries[i]);
	returned_pid();
	count_beyond_length();
	unknown_calls();
	printf("%zu entries\n", count);
	return failed;
}
