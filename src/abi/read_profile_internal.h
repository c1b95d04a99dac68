/*
 * abi/read_profile_internal.h - reading a profile, in several files
 *
 * Layer L2, internal to json/. Everything that is read is in the caller's
 * arena. All functions return 0, or ERR_FORMAT with the path of what is wrong.
 */
#ifndef ABI_READ_PROFILE_INTERNAL_H
#define ABI_READ_PROFILE_INTERNAL_H

#include "abi/dom.h"

enum { OPTIONAL_STRING = JSON_WANT_STRING | JSON_WANT_OPTIONAL, OPTIONAL_ARRAY = JSON_WANT_ARRAY | JSON_WANT_OPTIONAL };

/* profile_check_regex - extended, as extract/ will compile it: refused here, where the path is known. Absent is fine. */
int profile_check_regex(const struct json_value *at, struct err *err);

/* profile_has_group - has the expression at @at, which is one, a group? False if it is absent. */
bool profile_has_group(const struct json_value *at);

/* profile_check_path - relative, with no empty, "." or ".." component. "." alone is the tree's root, for directories. */
int profile_check_path(const struct json_value *at, bool is_directory, struct err *err);

/* profile_read_paths - an array of such paths; empty if absent. */
int profile_read_paths(struct profile_strings *out, const struct json_value *at, bool are_directories, struct arena *arena,
		       struct err *err);

/* profile_read_name - a string that is not empty. */
int profile_read_name(const char **out, const struct json_value *at, struct arena *arena, struct err *err);

/* profile_read_family - an item of "families"; whether its unit exists is for the caller to check. */
int profile_read_family(struct profile_family *out, const struct json_value *at, struct arena *arena, struct err *err);

/* profile_read_headers - paths, and arrays of paths of which the first counts that matches something. */
int profile_read_headers(struct profile_unit *out, const struct json_value *at, struct arena *arena, struct err *err);

/* profile_read_include - directories, and objects that name one for each target; empty if absent. */
int profile_read_include(struct profile_unit *out, const struct json_value *at, struct arena *arena, struct err *err);

/* profile_read_ioc - the "ioc" of a family; absent is fine, and leaves @out as it is. */
int profile_read_ioc(struct profile_ioc *out, const struct json_value *at, struct arena *arena, struct err *err);

#endif
