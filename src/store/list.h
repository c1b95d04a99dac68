/*
 * store/list.h - the ordered list of stores that documents come from
 *
 * Layer L3, internal to store/. Every store has the same three functions, so that which
 * one answers is decided here, by their order, and nowhere else:
 *
 *   find       from a version's name to its commit: the first store that knows
 *              the name; a store may say that no later one is to be asked
 *   versions   all versions: of the first store that names any
 *   documents  each store in turn gives what it has of what is still wanted;
 *              stores before it, which lacked a document, are offered it
 */
#ifndef STORE_LIST_H
#define STORE_LIST_H

#include "store/store.h"

#include "store/cache.h"

/* What a version's name stands for. */
struct found_version {
	const char *name;   /* as the user should see it: a tag, a branch, or the first digits of a commit */
	const char *commit; /* 40 hex digits */
};

/* A document that is wanted, as it is passed from store to store. */
struct wanted {
	struct store_request *request;
	struct found_version version;
	const char *directory;  /* the tree is this directory, and version.commit ""; NULL: it is the repository's */
	bool done;              /* the request's abi or rc is set */
	bool has_key;           /* @key is that of the tree */
	bool looked_for_key;
	bool key_decides;       /* the document depends on nothing but @key */
	struct cache_key key;
};

/* wanted_same_key - do both trees have the same key? Then one document is both of theirs, if the key decides it. */
bool wanted_same_key(const struct wanted *a, const struct wanted *b);

/* wanted_share - give @wanted the document of @owner, whose key it has, under its own name. */
void wanted_share(struct wanted *wanted, const struct wanted *owner);

struct store_ops {
	/*
	 * @version: NULL is the newest. @out is in @arena. ERR_NOT_FOUND if the store has no such version.
	 * NULL: the store names no versions.
	 */
	int (*find)(struct found_version *out, void *self, const char *version, struct arena *arena, struct err *err);
	/*
	 * May a later store be asked for a version that find() did not know? @by_user: the user named it, and
	 * not a table. NULL: yes.
	 */
	bool (*leaves_open)(void *self, const char *version, bool by_user);
	/* ERR_NOT_FOUND if the store has no versions. NULL with find. */
	int (*versions)(struct source_graph *out, void *self, struct arena *arena, struct err *err);
	/* Of @wanted, none of which is done, those that the store has become done. @arena: for the documents. */
	int (*documents)(void *self, struct wanted *const *wanted, size_t count, struct arena *arena, struct err *err);
	/* A later store had what this one lacked. NULL: it does not matter. */
	void (*offer)(void *self, const struct wanted *wanted);
};

struct store {
	const struct store_ops *ops;
	void *self;
	bool is_silent; /* has documents, but is not asked for names */
};

enum { LIST_MAX = 3 };

struct list {
	struct store stores[LIST_MAX];
	size_t count;
};

/* list_add - behind all others. */
void list_add(struct list *list, const struct store_ops *ops, void *self, bool is_silent);

/*
 * list_find - the version of that name; if the user gave it (@by_user), else the only one that begins with it
 *
 * Return: 0; ERR_NOT_FOUND, in the words of the last store that was asked, or with all versions that begin with it; what a store returned.
 */
int list_find(struct found_version *out, const struct list *list, const char *version, bool by_user, struct arena *arena,
	      struct err *err);

/* list_versions - Return: 0; ERR_NOT_FOUND if no store names any; what a store returned. */
int list_versions(struct source_graph *out, const struct list *list, struct arena *arena, struct err *err);

/**
 * list_documents - every document of @wanted that a store has
 *
 * What could not be read says so in its request. Return: 0; what a store returned that failed as a whole;
 * ERR_NOT_FOUND if nothing has one of them.
 */
int list_documents(const struct list *list, struct wanted *wanted, size_t count, struct arena *arena, struct err *err);

#endif
