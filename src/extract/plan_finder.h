/*
 * extract/plan_finder.h - what a header needs of others, and a chunk of all
 *
 * Layer L2, private to plan_finder.c and plan_fine.c. From names to the
 * chunks that give them a meaning, in whatever file, from these to the names that they speak
 * of, and so on.
 */
#ifndef EXTRACT_PLAN_FINDER_H
#define EXTRACT_PLAN_FINDER_H

#include "extract/plan_parts.h"

/* A chunk or a whole file, and to which others those lead that give a meaning to its words. */
struct node {
	struct plan_seat *leads;
	size_t lead_count;
	uint32_t stamp;    /* of the last search that found it */
	uint32_t mark;     /* of the last node that leads to it */
	bool is_resolved;
	bool is_vague;     /* which those are cannot be told */
};

/* Where a name is given a meaning: some of a finder's meanings. */
struct known_name {
	uint64_t name; /* 0: free */
	uint32_t first, count;
	bool is_vague;
	bool is_own;   /* one of clang's own headers defines it as a macro */
};

/* Where one of clang's own headers may be included. */
struct site {
	struct plan_seat seat;
	uint32_t time;  /* when, at the soonest */
	bool is_vague;  /* it is not certain whether and when */
};

struct finder {
	struct plan *plan;
	struct group *groups;     /* of plan_fine.c */
	struct known_name *names; /* open addressing; malloc'd */
	size_t name_count, name_mask;
	struct plan_seat *meanings; /* malloc'd */
	size_t meaning_count, meaning_capacity;
	struct node ***nodes;     /* by file, by chunk; NULL until one is needed */
	struct node *wholes;      /* by file */
	bool *is_placed;          /* by file */
	struct site *sites;       /* malloc'd */
	size_t site_count, site_capacity;
	uint32_t *places;         /* by number of a text: its file, or PLAN_NONE */
	size_t place_count;
	uint32_t stamp, mark;     /* of the search that goes on; of the node that is being resolved */
	struct plan_seat *found;  /* what it needs; malloc'd */
	size_t found_count, found_capacity;
	struct plan_seat *leads;  /* of the node that is being resolved; malloc'd */
	size_t lead_count, lead_capacity;
};

/* finder_new - lives in the plan's arena; finder_release() is due. */
struct finder *finder_new(struct plan *plan);
void finder_release(struct finder *finder);

/* The following are called with the share's names_lock held. */

/* finder_knows - is @name given a meaning by anyone, as far as that matters to who imports it? */
bool finder_knows(struct finder *finder, uint64_t name);
/* finder_of_header - what a header needs is in finder->found. Return: false if that cannot be told. */
bool finder_of_header(struct finder *finder, size_t index);
/* finder_of_chunk - the same for a chunk. */
bool finder_of_chunk(struct finder *finder, struct plan_seat seat);

#endif
