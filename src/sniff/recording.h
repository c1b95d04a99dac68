/*
 * sniff/recording.h - the messages of a trace, and the devices that it names
 *
 * Part of sniff/.
 */
#ifndef SNIFF_RECORDING_H
#define SNIFF_RECORDING_H

#include "decode/decode.h"

/* Zeroed: empty. */
struct recording {
	struct arena arena;              /* of what the messages point to; also for who uses them */
	const char *version;             /* of the driver; NULL: not known */
	struct trace_message *messages;  /* in the order of the trace, without headers */
	size_t count, capacity;
	const char **devices;            /* each path once; fd_path of a message is one of them */
	size_t device_count, device_capacity;
};

/* recording_add - the next message; copied. Of a header the version alone, of others all but the descriptors. */
void recording_add(struct recording *recording, const struct trace_message *message);

bool recording_has_device(const struct recording *recording, const char *path);

void recording_release(struct recording *recording);

#endif
