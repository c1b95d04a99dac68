/*
 * abi/table.h - what a proxy believes about the ABI ("drvabi-proxy/1")
 *
 * Layer L1. Read and checked by json/; used by diff/, verify/ and report/.
 * The version tree is sparse: a node holds only what differs from its parent.
 */
#ifndef ABI_TABLE_H
#define ABI_TABLE_H

#include "abi/document.h"

#define TABLE_FORMAT "drvabi-proxy/1"
#define TABLE_PATCH_FORMAT "drvabi-proxy-patch/1"

struct table_field {
	const char *name;
	const char *type; /* another type, "uint32", "uint8[16]" */
	uint64_t offset_bytes;
};

struct table_type {
	const char *name;
	uint64_t size_bytes;
	const char *alias; /* "uint32", "uint8[16]"; NULL for a struct */
	enum abi_role role;
	const struct table_field *fields; /* by offset */
	size_t field_count;
};

struct table_struct {
	const char *driver; /* the driver's spelling */
	const char *proxy;  /* the proxy's own type; NULL: passed through unread (simple) */
};

/* What the proxy's code does with the parameters of an entry. */
struct table_handler {
	const char *kind; /* the name of its function; NULL: the table does not say */
	const char *type; /* the proxy's type that it unmarshals; NULL: none */
	bool type_known;
};

struct table_entry {
	const char *family;
	const char *name;
	bool removed;         /* JSON null: the parent's entry is no more; nothing below is set */
	uint64_t number;
	const char *constant; /* the driver's macro; NULL: it has none */
	const char *const *caps; /* sorted */
	size_t cap_count;
	const struct table_struct *structs;
	size_t struct_count;
	const char *file;     /* where it stands; NULL: in the table's own file */
	unsigned line;        /* in that file, from 1; 0: not known */
	struct table_handler handler;
};

/* Checksum of the driver's package for one machine. */
struct table_sha256 {
	const char *machine; /* "x86_64", "arm64" */
	const char *hex;     /* 64 digits */
};

struct table_node {
	const char *version;
	const struct table_node *parent; /* NULL for the root */
	bool supported;
	const struct table_entry *entries; /* sorted by family, then name */
	size_t entry_count;
	const struct table_sha256 *sha256; /* sorted by machine */
	size_t sha256_count;
	unsigned line; /* where it stands in the table's file, from 1; 0: not known */
};

struct table {
	const char *path;     /* where it was read, for messages */
	const char *proxy;    /* "gvisor nvproxy" */
	const char *revision;
	const char *driver;   /* the profile it is for */
	const struct table_type *types; /* sorted by name */
	size_t type_count;
	const struct table_node *nodes; /* in the file's order: parents first */
	size_t node_count;
};

/* Everything the proxy forwards at one version, with no sparseness left. */
struct table_view {
	const struct table *table;
	const struct table_node *node;
	const struct table_entry *const *entries; /* sorted by family, then name */
	size_t entry_count;
};

const struct table_type *table_find_type(const struct table *table, const char *name);
const struct table_node *table_find_node(const struct table *table, const char *version);

/* table_entry_order - by family, then name: the order of a node's entries. */
int table_entry_order(const struct table_entry *a, const struct table_entry *b);

/* table_entry_at - what the proxy forwards under the family and name of @key at @node, of its own or from a parent; NULL if nothing. */
const struct table_entry *table_entry_at(const struct table_node *node, const struct table_entry *key);

/* Do both say the same, word for word? A removed entry is the same as another removed one. */
bool table_type_same(const struct table_type *a, const struct table_type *b);
bool table_entry_same(const struct table_entry *a, const struct table_entry *b);

/**
 * table_nearest_node - the node that stands for @version
 *
 * The node of that version; else the newest node not newer than it (by
 * abi_version_compare()), preferring one of the same branch (first number);
 * NULL if all nodes are newer.
 */
const struct table_node *table_nearest_node(const struct table *table, const char *version);

/* table_view_at - walk from the root to @node; the view is in @arena. */
void table_view_at(struct table_view *out, const struct table *table, const struct table_node *node, struct arena *arena);

/*
 * table_caps - the capabilities that a proxy may list, NULL-terminated
 *
 * nvidia-container-toolkit's driver capabilities and those that nvproxy splits
 * further (nvconf's DriverCap), the ones that a container gets by default
 * first.
 */
extern const char *const table_caps[];

/* abi_version_compare - "535.54.03" < "535.104.05": numbers between dots as numbers, the rest as text. */
int abi_version_compare(const char *a, const char *b);

#endif
