/*
 * sniff/gather.h - the memory that belongs to a call
 *
 * Part of sniff/. At the call's entry gather_before() reads the argument, and what room `call` says it leads to; at its exit
 * gather_after() reads the same ranges again. Buffers are used again from call to call.
 */
#ifndef SNIFF_GATHER_H
#define SNIFF_GATHER_H

#include "decode/decode.h"
#include "sniff/traits.h"

#include <sys/types.h>

/* One range of the caller's memory. */
struct region {
	uint64_t address;
	uint64_t size_bytes;          /* that belong to the call; what was read may be less */
	enum use_direction direction;
	size_t limit_bytes;           /* of what is recorded; @before may have more, for the pointers in it */
	struct strbuf before, after;
};

/* A pointer or a descriptor in one of them. */
struct reference {
	size_t region;
	uint64_t offset_bytes;        /* in it */
	uint64_t size_bytes;          /* of the pointer or descriptor */
	bool is_fd;
	int64_t number;               /* of an fd */
};

enum { GATHER_REFERENCES_MAX = 160 };

struct gathered {
	struct region *regions;       /* the argument first */
	size_t count, capacity;       /* elements up to capacity own their buffers */
	size_t left_bytes;            /* how much more this call may hold */
	struct reference references[GATHER_REFERENCES_MAX];
	size_t reference_count;
	struct call chain[CALL_DEPTH_MAX]; /* the call, and what is inside; bytes are those before the call */
	size_t chain_count;
};

/* Where bytes come from. */
struct gather_source {
	/* Reads up to @size_bytes from @address on. Return: how many could be read. */
	size_t (*read)(void *out, void *data, uint64_t address, size_t size_bytes);
	void *data;
};

/* What all calls of a run have in common. */
struct gather_scope {
	struct traits *traits;        /* with the document, and the rules of its pointers; NULL: nothing is followed */
	uint64_t region_bytes;        /* recorded of what a pointer leads to, at most */
	const struct device_rules *devices; /* of the driver; NULL: none */
};

/**
 * gather_before - what a call brings
 * @first: family and number of the call; its address and size_bytes, if it has an argument that is an address
 */
void gather_before(struct gathered *gathered, const struct call *first, const struct gather_source *source, const struct gather_scope *scope);

void gather_after(struct gathered *gathered, pid_t tid);

/* gather_bytes - of @region, before or after, for a message; no bytes at all were not recorded */
struct trace_bytes gather_bytes(const struct region *region, const struct strbuf *bytes);

void gathered_release(struct gathered *gathered);

#endif
