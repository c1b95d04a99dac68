/*
 * decode/lines_internal.h - the readers of single lines
 *
 * Internal to decode/.
 */
#ifndef DECODE_LINES_INTERNAL_H
#define DECODE_LINES_INTERNAL_H

#include "decode/lines.h"
#include "decode/rest.h"

enum decode_reading_kind {
	READING_CALL,   /* all of a call */
	READING_NOTICE, /* likewise, and the next line may say more of it: nvproxy's debug messages */
	READING_RETURN, /* likewise, and a line where it began may have stood before */
	READING_BEGIN,  /* a call that has not returned yet */
	READING_RESUME, /* what a call that began returned */
};

struct decode_reading {
	enum decode_reading_kind kind;
	const struct device_rules *devices; /* of the driver: set by who asks */
	uint64_t thread;         /* whose call it is; 0: the line does not say */
	bool is_message;         /* of a proxy that has the call in hand: a line where the call began may have stood before */
	struct decode_line line; /* of READING_RESUME only has_ret, ret and error */
};

/* decode_read_... - what one line tells in that format. @out begins with zeros, but for devices. Return: false if nothing; then @out is anything. */
bool decode_read_runsc(struct decode_reading *out, struct rest line);
bool decode_read_sniffer(struct decode_reading *out, struct rest line);
bool decode_read_strace(struct decode_reading *out, struct rest line);
bool decode_read_perf(struct decode_reading *out, struct rest line);

enum { DECODE_VERSION_BYTES = 32 };

/* decode_read_version - the driver's version, in gVisor's log: "NVIDIA driver version: 535.129.03" */
bool decode_read_version(char version[DECODE_VERSION_BYTES], struct rest line);

/**
 * decode_read_request - which ioctl a request is
 * @family: of the device; NULL if it is not known
 */
bool decode_read_request(struct decode_line *out, const char *family, uint64_t request);

/* decode_read_ioc - "READ|WRITE, 0x46, 0x2a, 0x20)": a request in words, each after @prefix. */
bool decode_read_ioc(uint64_t *out, struct rest *rest, const char *prefix);

/* decode_read_result - sets what the call returned, and its errno: behind ") = ", "-1 ENOTTY (...)" or "-1 errno=25 (...)". */
void decode_read_result(struct decode_line *out, struct rest rest);

enum { DECODE_PATH_BYTES = 64 }; /* a device's is shorter */

/* decode_read_path - text up to one of @ends, with \x2f and \057 turned back; what is longer is cut off */
void decode_read_path(char path[DECODE_PATH_BYTES], struct rest *rest, const char *ends);

#endif
