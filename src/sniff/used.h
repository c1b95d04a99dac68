/*
 * sniff/used.h - the distinct ioctls that a workload has made, and whether a proxy supports them
 *
 * Part of sniff/, and of its public face. A pure pass over messages.
 */
#ifndef SNIFF_USED_H
#define SNIFF_USED_H

#include "decode/decode.h"
#include "history/history.h"

/* What a proxy does with calls of one ioctl. Closed. */
enum sniff_support {
	SNIFF_FORWARDED,  /* its table has it; or there is no table */
	SNIFF_PASSED,     /* gVisor passes it through without an entry */
	SNIFF_REFUSED,    /* the driver refused it with the status that gVisor refuses what it lacks with */
	SNIFF_LACKING,    /* it is not supported */
};

/* Calls of one ioctl with one size and one answer. */
struct sniff_used {
	const char *family;
	uint64_t number;
	bool has_size;
	uint64_t size_bytes;  /* of the parameters */
	bool has_status;
	uint64_t status;
	int32_t ret, error;
	size_t count;         /* of calls */
	enum sniff_support support;
};

/* What they are judged by. */
struct sniff_judge {
	const struct abi *abi;
	const struct table *table;      /* NULL: none */
	const struct table_node *node;  /* that stands for the driver's version; NULL: none does */
};

struct sniff_use {
	struct sniff_used *used; /* in the order of their first call */
	size_t count, capacity;
	size_t slot_count, *slots; /* open addressing: an index, and 1 */
	const char *status_of;   /* the record that @status was looked for in last: the document's own string */
	bool has_status;         /* it has one */
	struct call_field status;
	size_t unidentified;     /* calls of devices whose ioctls the document does not have */
	char unidentified_path[64]; /* of the first of them */
};

/**
 * sniff_use_add - count an ioctl
 * @chain: as sniff_observer gets it
 *
 * Return: what it is counted as, until the next call; NULL if it is unidentified.
 */
const struct sniff_used *sniff_use_add(struct sniff_use *use, const struct trace_message *message, const struct call *chain,
				       size_t chain_count, const struct sniff_judge *judge);

void sniff_use_release(struct sniff_use *use);

#endif
