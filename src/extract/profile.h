/*
 * extract/profile.h - the profiles that come with the program, as JSON text
 *
 * Layer L2. The text is compiled in from src/extract/profiles/NAME.json.
 */
#ifndef EXTRACT_PROFILE_H
#define EXTRACT_PROFILE_H

#include "base/base.h"

/* profile_builtin - the JSON of a built-in profile, NUL-terminated; NULL if there is none of that name. */
const char *profile_builtin(const char *name);
/* profile_builtin_use - how the driver of that profile uses its fields ("drvabi-use/1"); NULL if that is not known. */
const char *profile_builtin_use(const char *name);
/* profile_builtin_names - sorted, NULL-terminated. */
const char *const *profile_builtin_names(void);

#endif
