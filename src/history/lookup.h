/*
 * history/lookup.h - the items that a name or a number stands for, in one version and in all known ones
 *
 * Part of history/, and of its public face.
 */
#ifndef HISTORY_LOOKUP_H
#define HISTORY_LOOKUP_H

#include "abi/abi.h"

struct history_graph;
struct history_span;

/* Where to look. */
struct lookup_scope {
	const struct abi *abi;             /* of the version that is asked for */
	const struct history_graph *graph; /* the versions beside it; may have none, and needs no documents */
	const struct abi_index *index;     /* of the graph's versions */
	size_t version;                    /* @abi's in @graph; the graph's count if it is none of them */
};

/* What to look for. */
struct lookup_word {
	const char *text;
	bool is_number; /* else @text is a name or a glob */
	uint64_t number;
};

/* One thing that the word is. */
struct lookup_item {
	enum abi_kind kind;
	const struct abi_record *record; /* of these five, the one of @kind is set */
	const struct abi_alias *alias;
	const struct abi_enum *one;
	const struct abi_constant *constant;
	const struct abi_ioctl *ioctl;
	bool is_command;                 /* a constant that is a command's number, though no table of the driver lists the command */
	const struct history_span *span; /* since when, until when it is so called, or has the number; NULL: unknown */
};

struct lookup {
	const struct lookup_item *items; /* records, enums, aliases, ioctls, constants; as they are in the document */
	size_t item_count;
	/* If there are no items, or only constants of a number: the nearest version that has more; the graph's count if none. */
	size_t nearest;
	const struct history_span *nearest_span; /* of one of those that it has */
	const struct history_span *spans; /* of all that the word names in all versions; @items and @others point to these */
	size_t span_count;
	const struct history_span *const *others; /* ioctls and commands that the number is in other versions */
	size_t other_count;
};

/**
 * lookup_find - everything of the scope's version that the word names
 * @out: lives in @arena; the scope's document and index must outlive it
 *
 * The nearest version is the nearest ancestor that has something; else the
 * next newer version; else the newest of all. Of a number, that is an ioctl or
 * a command, if any version has one: every small number is some constant's value.
 *
 * A number matches ioctls of any family, and constants of that value. A macro
 * that an ioctl is named after is not listed beside it, nor an alias beside
 * its enum. Items that a glob matches have no spans.
 */
void lookup_find(struct lookup *out, const struct lookup_scope *scope, const struct lookup_word *word, struct arena *arena);

/* lookup_named - does the index have something of that name or number? */
bool lookup_named(const struct abi_index_item *item, const struct lookup_word *word);

/* lookup_record - the parameters of @ioctl; NULL if it has none that @abi knows. */
const struct abi_record *lookup_record(const struct abi *abi, const struct abi_ioctl *ioctl);

/* One bit field of a number, and the driver's name for its value. */
struct lookup_bits {
	const struct profile_bits *bits;
	uint64_t value;
	const char *name; /* "NV20_SUBDEVICE_0", "FB"; NULL: the driver has no name */
};

/* A number split into its bit fields. */
struct lookup_parse {
	const char *family;             /* whose numbers have these fields */
	const struct lookup_bits *bits; /* none if the number is too large, or too small, to be of such a family */
	size_t bits_count;
};

/**
 * lookup_parse - split a number as the profile says of its families
 *
 * Names are those of the scope's version, or else of the newest version that
 * has one. If several macros of one version have the value, there is no name.
 */
void lookup_parse(struct lookup_parse *out, const struct profile *profile, const struct lookup_scope *scope, uint64_t number,
		  struct arena *arena);

/* A number's neighbour: an ioctl, or the macro of a command. */
struct lookup_neighbour {
	const char *name; /* NULL: there is none */
	uint64_t number;
};

/* lookup_neighbours - of @abi, the ones below and above a number that differ from it in no bits but the last of @parse. */
void lookup_neighbours(struct lookup_neighbour out[2], const struct abi *abi, const struct lookup_parse *parse, uint64_t number);

#endif
