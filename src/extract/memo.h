/*
 * extract/memo.h - what was found out about one text, remembered by its object id
 *
 * Layer L2, inside extract/. Most files of a version are those of the version
 * before. What depends on nothing but one text, its path and the profile is
 * found out once: which lines look like directives (hints.h), the rows of a
 * method table. Nothing that depends on another text may stand here.
 *
 * A memo belongs to one profile, and is used by one extraction at a time.
 */
#ifndef EXTRACT_MEMO_H
#define EXTRACT_MEMO_H

#include "abi/abi.h"

struct extract_memo;

struct memo_entry {
	const void *value;  /* NULL: it is not known yet; set by whoever finds it out */
	struct arena arena; /* what the value lives in */
};

/**
 * memo_entry - the entry of the text at @path
 * @memo: may be NULL
 * @kind: whose value it is: "nvoc", "hints of rm"
 *
 * Return: NULL if there is no memo, or the tree has no object ids.
 */
struct memo_entry *memo_entry(struct extract_memo *memo, const char *kind, struct tree *tree, const char *path);

/*
 * memo_forget - the value must not be found again: it came with a warning, which each version is to get
 *
 * What lives in the entry stays until memo_age(): the extraction that made it may use it.
 */
void memo_forget(struct extract_memo *memo, struct memo_entry *entry);

/* memo_age - an extraction begins: what the last one did not use goes. @memo may be NULL. */
void memo_age(struct extract_memo *memo);

#endif
