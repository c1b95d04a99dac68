/* sniff/gather.c - the bytes of a call: its device, its parameters, and the memory behind their pointers */
#include "sniff/internal.h"
#include "base/base.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

/* Replay's descriptors are memfds that are called as the device: what /proc has before that. */
#define DEVICE_MARK "/memfd:"

enum {
	BYTES_MAX = 16 * 1024, /* more takes longer to copy than a system call */
	SAME_MIN = 2,
};

void ahead_begin(struct ahead *ahead)
{
	if (ahead->read_bytes && ahead->asked_count == 1)
		ahead->same_count = 0;
	ahead->asked_count = 0;
	ahead->read_bytes = 0;
}

/* The first range, and the second if it is expected. */
static size_t read_both(void *out, struct ahead *ahead, pid_t tid, uint64_t address, size_t size_bytes)
{
	const struct iovec here[] = { { out, size_bytes }, { ahead->bytes, ahead->second.size_bytes } };
	const struct iovec there[] = { { (void *)(uintptr_t)address, size_bytes },
				       { (void *)(uintptr_t)ahead->second.address, ahead->second.size_bytes } };
	const ssize_t got = process_vm_readv(tid, here, 2, there, 2, 0);

	if (got < 0 || (size_t)got < size_bytes)
		return memory_read(out, tid, address, size_bytes);
	ahead->read_bytes = (size_t)got - size_bytes;
	return size_bytes;
}

static bool is_second(const struct ahead *ahead, uint64_t address, size_t size_bytes)
{
	return ahead->second.address == address && ahead->second.size_bytes == size_bytes;
}

/* What was asked for second is what is expected in the next stop. */
static void expect(struct ahead *ahead, uint64_t address, size_t size_bytes)
{
	if (is_second(ahead, address, size_bytes)) {
		ahead->same_count++;
		return;
	}
	ahead->second = (struct ahead_range){ address, size_bytes };
	ahead->same_count = 1;
}

size_t ahead_read(void *out, struct ahead *ahead, pid_t tid, uint64_t address, size_t size_bytes)
{
	const unsigned index = ahead->asked_count++;

	if (!index && ahead->same_count >= SAME_MIN && ahead->second.size_bytes <= BYTES_MAX) {
		if (!ahead->bytes)
			ahead->bytes = xmalloc(BYTES_MAX);
		return read_both(out, ahead, tid, address, size_bytes);
	}
	if (index == 1) {
		const bool is_here = ahead->read_bytes == size_bytes && is_second(ahead, address, size_bytes);

		expect(ahead, address, size_bytes);
		if (is_here) {
			memcpy(out, ahead->bytes, size_bytes);
			return size_bytes;
		}
	}
	return memory_read(out, tid, address, size_bytes);
}

void ahead_release(struct ahead *ahead)
{
	free(ahead->bytes);
	*ahead = (struct ahead){ .bytes = NULL };
}

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

int device_table_open(pid_t tid)
{
	char name[64];

	snprintf(name, sizeof(name), "/proc/%d/fd", (int)tid);
	return open(name, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

/* @fd in decimal; without printf(), which takes a tenth of the look-up. Return: where it begins in @out. */
static const char *digits_of(char out[16], unsigned fd)
{
	char *at = out + 15;

	*at = '\0';
	do
		*--at = (char)('0' + fd % 10);
	while (fd /= 10);
	return at;
}

void device_path_of(char out[DEVICE_PATH_MAX], pid_t tid, int table, int fd)
{
	char link[64], digits[16];
	ssize_t length = -1;

	if (table >= 0 && fd >= 0)
		length = readlinkat(table, digits_of(digits, (unsigned)fd), out, DEVICE_PATH_MAX - 1);
	if (length < 0) {
		snprintf(link, sizeof(link), "/proc/%d/fd/%d", (int)tid, fd);
		length = readlink(link, out, DEVICE_PATH_MAX - 1);
	}
	out[length < 0 ? 0 : length] = '\0';
}

bool device_is_hidden(pid_t tid, int fd)
{
	char link[64], path[2];

	snprintf(link, sizeof(link), "/proc/%d/fd/%d", (int)tid, fd);
	if (readlink(link, path, sizeof(path)) >= 0)
		return false;
	if (errno == EACCES || errno == EPERM)
		return true;
	snprintf(link, sizeof(link), "/proc/%d", (int)tid);
	return access(link, F_OK); /* /proc is mounted with hidepid */
}

static void cut_deleted(char *path)
{
	static const char deleted[] = " (deleted)";
	const size_t length = strlen(path);

	if (length > strlen(deleted) && !strcmp(path + length - strlen(deleted), deleted))
		path[length - strlen(deleted)] = '\0';
}

bool device_unmark(char *path)
{
	if (!begins(path, DEVICE_MARK "/dev/"))
		return false;
	cut_deleted(path);
	memmove(path, path + strlen(DEVICE_MARK), strlen(path + strlen(DEVICE_MARK)) + 1);
	return true;
}

bool device_of(struct device *out, const struct device_rules *rules, pid_t tid, int table, int fd, const char *known)
{
	char link[64], path[DEVICE_PATH_MAX];
	struct stat st;

	device_path_of(out->path, tid, table, fd);
	out->is_replayed = false;
	if (*known && !strcmp(out->path, known))
		return true;
	out->is_replayed = device_unmark(out->path);
	if (out->is_replayed)
		return true;
	cut_deleted(out->path);
	/* Nothing else that is open has a path: sockets, pipes, files of other kinds. */
	if (*out->path != '/')
		return false;
	snprintf(link, sizeof(link), "/proc/%d/fd/%d", (int)tid, fd);
	if (stat(link, &st) || !S_ISCHR(st.st_mode))
		return false;
	memcpy(path, out->path, sizeof(path));
	return device_rule_of(out->path, sizeof(out->path), rules, path, st.st_rdev);
}

uint64_t device_open_flags(pid_t tid, int fd)
{
	char name[64], line[128];
	unsigned long long flags = 0;
	FILE *file;

	snprintf(name, sizeof(name), "/proc/%d/fdinfo/%d", (int)tid, fd);
	file = fopen(name, "re");
	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "flags: %llo", &flags) == 1)
			break;
	if (file)
		fclose(file);
	return flags & ~(unsigned long long)sniff_arch.large_file;
}

/* --- all of a process ---------------------------------------------------------------------------- */

/* Of /proc/PID/task, which has a directory for each thread. */
static bool has_one_thread(pid_t pid)
{
	char name[64];
	struct stat st;

	snprintf(name, sizeof(name), "/proc/%d/task", (int)pid);
	return !stat(name, &st) && st.st_nlink == 3;
}

static void add_device(struct device_list *list, const struct device_rules *rules, pid_t pid, int fd)
{
	struct device device;
	size_t at, had = list->capacity;

	if (!device_of(&device, rules, pid, -1, fd, ""))
		return;
	ARRAY_GROW(list->fds, list->count, list->capacity);
	if (had < list->capacity)
		list->devices = xrealloc(list->devices, list->capacity * sizeof(*list->devices));
	for (at = list->count++; at && list->fds[at - 1] > fd; at--) {
		list->fds[at] = list->fds[at - 1];
		list->devices[at] = list->devices[at - 1];
	}
	list->fds[at] = fd;
	list->devices[at] = device;
}

void device_list_of(struct device_list *out, const struct device_rules *rules, pid_t pid)
{
	struct dirent *entry;
	char name[64];
	DIR *dir;

	*out = (struct device_list){ .count = 0 };
	snprintf(name, sizeof(name), "/proc/%d/fd", (int)pid);
	dir = has_one_thread(pid) ? opendir(name) : NULL;
	while (dir && (entry = readdir(dir)))
		if (*entry->d_name >= '0' && *entry->d_name <= '9')
			add_device(out, rules, pid, (int)strtol(entry->d_name, NULL, 10));
	if (dir)
		closedir(dir);
}

void device_list_release(struct device_list *list)
{
	free(list->fds);
	free(list->devices);
}

dev_t device_number(const struct device_rules *rules, const char *path)
{
	const dev_t number = device_number_of(rules, path);
	struct stat st;

	if (number)
		return number;
	return stat(path, &st) || !S_ISCHR(st.st_mode) ? 0 : st.st_rdev;
}

/* FNV-1a, of 64 bits. */
void inputs_mix(uint64_t *hash, const void *data, size_t size_bytes)
{
	const uint8_t *bytes = data;

	for (size_t i = 0; i < size_bytes; i++)
		*hash = (*hash ^ bytes[i]) * UINT64_C(0x100000001b3);
}

uint64_t inputs_shape(const char *path, uint64_t request, const struct gathered *gathered)
{
	const struct call *last = gathered->chain_count ? &gathered->chain[gathered->chain_count - 1] : NULL;
	uint64_t hash = INPUTS_EMPTY_HASH;

	inputs_mix(&hash, path, strlen(path) + 1);
	inputs_mix(&hash, &request, sizeof(request));
	if (last) {
		inputs_mix(&hash, last->family, strlen(last->family) + 1);
		inputs_mix(&hash, &last->number, sizeof(last->number));
	}
	for (size_t i = 0; i < gathered->count; i++)
		inputs_mix(&hash, &gathered->regions[i].size_bytes, sizeof(gathered->regions[i].size_bytes));
	return hash;
}

void inputs_copy(struct strbuf *out, const struct gathered *gathered, size_t region)
{
	const struct region *at = &gathered->regions[region];

	strbuf_reset(out);
	strbuf_add(out, at->before.text, at->before.length);
	for (size_t i = 0; i < gathered->reference_count; i++) {
		const struct reference *reference = &gathered->references[i];

		if (reference->region == region && reference->offset_bytes + reference->size_bytes <= out->length)
			memset(out->text + reference->offset_bytes, 0, reference->size_bytes);
	}
}

uint64_t inputs_hash(const struct gathered *gathered)
{
	struct strbuf inputs = { 0 };
	uint64_t hash = INPUTS_EMPTY_HASH;

	for (size_t i = 0; i < gathered->count; i++) {
		if (gathered->regions[i].direction == USE_OUT)
			continue;
		inputs_copy(&inputs, gathered, i);
		inputs_mix(&hash, inputs.text, inputs.length);
	}
	strbuf_release(&inputs);
	return hash;
}

void identify_ioctl(struct call *out, const struct device_rules *devices, const char *path, uint64_t request, uint64_t argument,
		    const struct abi *abi)
{
	struct call call = { .address = argument, .size_bytes = call_split(request).size_bytes };

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
	CALL_BYTES_MAX = 24 * 1024 * 1024, /* before and after stay below TRACE_MESSAGE_MAX */
	REGIONS_MAX = 256,
	HELD_BYTES = 64 * 1024,            /* a longer buffer is freed after its call */
	AT_ONCE = 16,
};

/* What gathering is about, for call_follow(). */
struct gathering {
	struct gathered *gathered;
	const struct gather_source *source;
	const struct gather_scope *scope;
	bool is_followed; /* bytes are wanted whole, because pointers are looked for in them */
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

static const struct region *read_region(const struct gathering *gathering, uint64_t address, uint64_t size_bytes)
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
	region->before.length = gathering->source->read(region->before.text, gathering->source->data, address, (size_t)wanted);
	gathered->left_bytes -= region->before.length;
	return region;
}

/* Return: the count if there is none. */
static size_t find_region(const struct gathered *gathered, uint64_t address, uint64_t size_bytes)
{
	size_t i = 0;

	while (i < gathered->count && (gathered->regions[i].address != address || gathered->regions[i].size_bytes != size_bytes))
		i++;
	return i;
}

static bool read_for_call(const uint8_t **bytes, void *data, uint64_t address, uint64_t size_bytes)
{
	const struct gathering *gathering = data;
	const size_t found = find_region(gathering->gathered, address, size_bytes);
	const struct region *region;

	region = found < gathering->gathered->count ? &gathering->gathered->regions[found] : read_region(gathering, address, size_bytes);
	if (!region || region->before.length < size_bytes)
		return false;
	*bytes = (const uint8_t *)region->before.text;
	return true;
}

/* What the last call left. */
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

/* --- what is in them --------------------------------------------------------------------------- */

static void add_reference(struct gathered *gathered, const struct reference *reference)
{
	if (gathered->reference_count < GATHER_REFERENCES_MAX && reference->region < gathered->count)
		gathered->references[gathered->reference_count++] = *reference;
}

/* The pointer of an envelope to what is inside. */
static void add_inner_pointer(struct gathered *gathered, size_t region, const struct call_field *pointer)
{
	add_reference(gathered, &(struct reference){ .region = region, .offset_bytes = pointer->offset_bits / 8,
						     .size_bytes = pointer->field->size_bits / 8 });
}

static void find_pointers(const struct gathering *gathering, size_t region, size_t index, const struct call_memory *memory)
{
	const struct traits *traits = gathering->scope->traits;
	struct gathered *gathered = gathering->gathered;
	struct call_pointer pointers[CALL_POINTERS_MAX];
	const size_t count = call_pointers(pointers, gathered->chain, index, traits->abi, traits->rules, memory);

	for (size_t i = 0; i < count; i++) {
		const size_t target = find_region(gathered, pointers[i].address, pointers[i].size_bytes);

		if (target < gathered->count)
			gathered->regions[target].direction = pointers[i].direction;
		add_reference(gathered, &(struct reference){ .region = region, .offset_bytes = pointers[i].offset_bytes, .size_bytes = 8 });
	}
}

static void find_fds(struct gathered *gathered, size_t region, const struct call *call, const struct abi *abi)
{
	struct call_fd fds[CALL_FDS_MAX];
	const size_t count = call_fds(fds, call, abi);

	for (size_t i = 0; i < count; i++)
		add_reference(gathered, &(struct reference){ .region = region, .offset_bytes = fds[i].offset_bytes, .size_bytes = 4,
							     .is_fd = true, .number = fds[i].number });
}

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
		if (trait->is_envelope)
			add_inner_pointer(gathered, region, &trait->inner_pointer);
		if (trait->has_pointers)
			find_pointers(gathering, region, i, memory);
		if (trait->has_fds)
			find_fds(gathered, region, call, traits->abi);
	}
}

void gather_before(struct gathered *gathered, const struct call *first, const struct gather_source *source, const struct gather_scope *scope)
{
	struct gathering gathering = { gathered, source, scope, true };
	const struct call_memory memory = { .read = read_for_call, .data = &gathering };
	struct call argument = *first;

	forget_long(gathered);
	gathered->count = gathered->chain_count = gathered->reference_count = 0;
	gathered->left_bytes = CALL_BYTES_MAX;
	if (first->address && first->size_bytes && !read_for_call(&argument.bytes, &gathering, first->address, first->size_bytes))
		argument.bytes = NULL;
	if (!scope->traits || !first->family)
		return;
	gathered->chain_count = call_follow_with(gathered->chain, &argument, scope->traits->abi, &memory, &scope->traits->memo);
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

/* All of @count ranges in one system call. Return: false if one of them cannot be read as it was. */
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

void gathered_release(struct gathered *gathered)
{
	for (size_t i = 0; i < gathered->capacity; i++) {
		strbuf_release(&gathered->regions[i].before);
		strbuf_release(&gathered->regions[i].after);
	}
	free(gathered->regions);
	*gathered = (struct gathered){ .count = 0 };
}
