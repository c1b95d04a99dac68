/*
 * extract/routes.h - which ioctls the driver answers, and with which record
 *
 * Layer L2, inside ioctls/. A driver that has no generated table states in its
 * own sources what it does with an ioctl: nvidia-modeset in the entries of an
 * array, nvidia-drm in DRM_IOCTL_DEF_DRV(), nvswitch in the arms of a switch.
 * Each is the call of a macro whose arguments name the ioctl, and often its
 * parameter record and what it asks of the caller. The profile says which
 * macros these are (struct profile_route); their definitions are not looked at.
 *
 * 1. The comments and the insides of literals are blanked.
 * 2. Preprocessor lines are followed. A call below "#if 0" is skipped; a call
 *    below any other condition counts.
 * 3. Every name that a "(" follows and that a rule matches is a call. Its
 *    arguments are what commas separate.
 * 4. Those that the rule's patterns use must be names, else the call is left
 *    out with a warning.
 * 5. Several calls for one ioctl are one entry, with the flags of all. If they
 *    name different records, the first counts and there is a warning.
 */
#ifndef EXTRACT_ROUTES_H
#define EXTRACT_ROUTES_H

#include "extract/family.h"

struct route {
	const char *ioctl;
	const char *record; /* or NULL */
	const char *source; /* "path:line" of the call */
	struct word_set flags;
	bool is_used;       /* routes_find() was asked for it */
};

/* { 0 }: nothing is known. */
struct routes {
	struct route *items; /* sorted by ioctl, unique, after routes_read() */
	size_t count;
	size_t capacity;
};

/**
 * routes_read - what the sources that the family's routes name say
 * @out: { 0 }; to be released, also on failure
 *
 * Empty, with a warning, if there is no such file, or no call in it.
 * Return: 0; what the tree returned.
 */
int routes_read(struct routes *out, const struct family_context *context, struct err *err);
void routes_release(struct routes *routes);

/* routes_scan - append the calls of one file. */
void routes_scan(struct routes *out, const struct table_file *file, const struct profile_routes *rules);

/* routes_find - the entry of an ioctl, which counts as used; NULL if the driver does not answer it. */
struct route *routes_find(struct routes *routes, const char *ioctl);

/* routes_warn_unused - of entries that name what is no ioctl of the family. */
void routes_warn_unused(const struct routes *routes, const struct family_context *context);

#endif
