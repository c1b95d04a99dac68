#include "sniff/recording.h"

#include <stdlib.h>
#include <string.h>

static struct trace_bytes copy_bytes(const struct trace_bytes *bytes, struct arena *arena)
{
	return (struct trace_bytes){ bytes->bytes ? arena_memdup(arena, bytes->bytes, bytes->size_bytes) : NULL, bytes->size_bytes };
}

static struct trace_message copy_message(const struct trace_message *message, const char *path, struct arena *arena)
{
	struct trace_memory *memory = arena_array(arena, message->memory_count + 1, sizeof(*memory));
	struct trace_message copy = *message;

	for (size_t i = 0; i < message->memory_count; i++) {
		memory[i] = message->memory[i];
		memory[i].before = copy_bytes(&message->memory[i].before, arena);
		memory[i].after = copy_bytes(&message->memory[i].after, arena);
	}
	copy.fd_path = path;
	copy.before = copy_bytes(&message->before, arena);
	copy.after = copy_bytes(&message->after, arena);
	copy.memory = memory;
	copy.fds = NULL;
	copy.fd_count = 0;
	copy.version = copy.target = copy.command = "";
	return copy;
}

/* The path, once. */
static const char *device(struct recording *recording, const char *path)
{
	for (size_t i = 0; i < recording->device_count; i++)
		if (!strcmp(recording->devices[i], path))
			return recording->devices[i];
	ARRAY_GROW(recording->devices, recording->device_count, recording->device_capacity);
	return recording->devices[recording->device_count++] = arena_strdup(&recording->arena, path);
}

void recording_add(struct recording *recording, const struct trace_message *message)
{
	if (message->kind == TRACE_HEADER) {
		recording->version = arena_strdup(&recording->arena, message->version);
		return;
	}
	ARRAY_GROW(recording->messages, recording->count, recording->capacity);
	recording->messages[recording->count++] = copy_message(message, device(recording, message->fd_path), &recording->arena);
}

bool recording_has_device(const struct recording *recording, const char *path)
{
	for (size_t i = 0; i < recording->device_count; i++)
		if (!strcmp(recording->devices[i], path))
			return true;
	return false;
}

void recording_release(struct recording *recording)
{
	free(recording->messages);
	free(recording->devices);
	arena_release(&recording->arena);
	*recording = (struct recording){ .version = NULL };
}
