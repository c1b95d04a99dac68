/*
 * abi/memo.h - what was found out about one text, remembered by its object id
 *
 * Layer L1. Most files of a version are those of the version
 * before. What depends on nothing but one text, its path and the profile is
 * found out once: which lines look like directives (extract/hints.h), the rows of a
 * method table (ioctls/). Nothing that depends on another text belongs here.
 *
 * A memo belongs to one profile, and is used by one extraction at a time. A document
 * that was made with one points into it, until the extraction after the next one
 * begins, or it is freed.
 */
#ifndef ABI_MEMO_H
#define ABI_MEMO_H

#include "abi/tree.h"

struct memo;
struct memo *memo_new(void);
void memo_free(struct memo *memo); /* takes NULL */

struct memo_entry {
	const void *value;  /* NULL: it is not known yet; set by the caller that finds it out */
	struct arena arena; /* of the value */
};

/**
 * memo_entry - the entry of the text at @path
 * @memo: may be NULL
 * @kind: whose value it is: "nvoc", "hints of rm"
 *
 * Return: NULL if there is no memo, or the tree has no object ids.
 */
struct memo_entry *memo_entry(struct memo *memo, const char *kind, struct tree *tree, const char *path);

/*
 * memo_forget - the value must not be found again: it came with a warning, which each version is to get
 *
 * The value is freed by a later memo_age(): the extraction that made it may use it.
 */
void memo_forget(struct memo *memo, struct memo_entry *entry);

/* memo_age - an extraction begins: what the last one did not use is freed. @memo may be NULL. */
void memo_age(struct memo *memo);

#endif
