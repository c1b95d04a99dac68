/*
 * cli/trace_call.h - a message of a trace, as decode/ and report/ take it
 *
 * Layer L6. Shared by decode and sniff.
 */
#ifndef CLI_TRACE_CALL_H
#define CLI_TRACE_CALL_H

#include "decode/decode.h"
#include "report/report.h"

/* What an input points to. */
struct trace_call {
	struct decode_memory memory;
	struct decode_origin origin;
};

/**
 * trace_call_input - an ioctl's family by the path of its device, its bytes, and the memory that was recorded, the argument's own among it
 * @out:  points into @call, @message and @arena; handles are the caller's to set
 *
 * Return: false if it is no ioctl of a family.
 */
bool trace_call_input(struct decode_input *out, struct trace_call *call, const struct trace_message *message, const struct device_rules *devices,
		      struct arena *arena);

/* trace_call_event - of an open or an mmap. */
struct report_trace_event trace_call_event(const struct trace_message *message);

#endif
