#include "cli/trace_call.h"

#include <string.h>

/* What of @known is behind @address. Return: false if it begins elsewhere. */
static bool covers(struct decode_recorded *out, const struct trace_memory *known, uint64_t address, uint64_t size_bytes)
{
	const uint64_t offset = address - known->address;
	struct decode_recorded found = { .before = NULL };

	if (address < known->address)
		return false;
	if (known->before.bytes && offset < known->before.size_bytes) {
		found.before = known->before.bytes + offset;
		found.before_bytes = known->before.size_bytes - offset < size_bytes ? known->before.size_bytes - offset : size_bytes;
	}
	if (known->after.bytes && offset < known->after.size_bytes) {
		found.after = known->after.bytes + offset;
		found.after_bytes = known->after.size_bytes - offset < size_bytes ? known->after.size_bytes - offset : size_bytes;
	}
	*out = found;
	return found.before || found.after;
}

static uint64_t most_bytes(const struct decode_recorded *recorded)
{
	return recorded->before_bytes > recorded->after_bytes ? recorded->before_bytes : recorded->after_bytes;
}

/* The range that knows most. */
static bool find_memory(struct decode_recorded *out, void *data, uint64_t address, uint64_t size_bytes)
{
	const struct trace_message *message = data;
	const struct trace_memory argument = { .address = message->argument, .before = message->before, .after = message->after };
	struct decode_recorded found;
	bool is_found = message->argument && covers(out, &argument, address, size_bytes);

	for (size_t i = 0; i < message->memory_count; i++)
		if (covers(&found, &message->memory[i], address, size_bytes) && (!is_found || most_bytes(&found) > most_bytes(out))) {
			*out = found;
			is_found = true;
		}
	return is_found;
}

static uint64_t length_of(const struct trace_bytes *bytes)
{
	return bytes->bytes ? bytes->size_bytes : 0;
}

/* The parameters' size: the request's, but for UVM, whose requests have none: what was recorded. */
static void find_size(struct decode_input *input, const struct trace_message *message)
{
	const uint64_t recorded = length_of(&message->after) > length_of(&message->before) ? length_of(&message->after) : length_of(&message->before);

	input->size_bytes = strcmp(input->family, "uvm") ? call_split(message->request).size_bytes : recorded;
	input->has_size = input->size_bytes > 0;
	if (!input->has_size)
		return;
	input->bytes = length_of(&message->after) >= input->size_bytes ? message->after.bytes : NULL;
	input->before = length_of(&message->before) >= input->size_bytes ? message->before.bytes : NULL;
}

static const struct decode_fd *list_fds(const struct trace_message *message, struct arena *arena)
{
	struct decode_fd *fds = arena_array(arena, message->fd_count + 1, sizeof(*fds));

	for (size_t i = 0; i < message->fd_count; i++)
		fds[i] = (struct decode_fd){ message->fds[i].number, message->fds[i].path };
	return fds;
}

bool trace_call_input(struct decode_input *out, struct trace_call *call, const struct trace_message *message, const struct device_rules *devices,
		      struct arena *arena)
{
	struct decode_input input = { .recorded = &call->memory, .address = message->argument, .origin = &call->origin, .has_ret = true, .ret = message->ret,
				      .has_error = message->error > 0, .error = message->error, .fds = list_fds(message, arena),
				      .fd_count = message->fd_count };

	input.family = call_identify_on(&input.number, devices, message->fd_path, message->request);
	if (!input.family)
		return false;
	call->memory = (struct decode_memory){ .find = find_memory, .data = (void *)(uintptr_t)message };
	call->origin = (struct decode_origin){ .pid = message->pid, .tid = message->tid, .start_ns = message->start_ns, .end_ns = message->end_ns,
					       .fd = { message->fd, message->fd_path } };
	find_size(&input, message);
	*out = input;
	return true;
}

struct report_trace_event trace_call_event(const struct trace_message *message)
{
	return (struct report_trace_event){ .is_map = message->kind == TRACE_MMAP, .path = message->fd_path, .fd = message->fd, .ret = message->ret,
					    .open_flags = message->open_flags, .address = message->argument, .size_bytes = message->map_size_bytes,
					    .protection = message->map_protection, .map_flags = message->map_flags, .offset = message->map_offset };
}
