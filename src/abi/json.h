/*
 * abi/json.h - JSON in and out
 *
 * Layer L2, the only room that sees cJSON. Reading is strict: trailing
 * garbage, duplicate keys, wrong types, numbers that a double would change,
 * nesting deeper than JSON_DEPTH_MAX and unknown formats are errors that name
 * the path ("table.json: versions[3].ioctls.control.X.number: …", and line
 * and column for a syntax error). Writing is a stream, so that text and JSON
 * can come from the same pass over the same data.
 */
#ifndef ABI_JSON_H
#define ABI_JSON_H

#include "abi/abi.h"
#include "abi/write_layout.h"
#include "abi/writer.h"

enum { JSON_DEPTH_MAX = 64 };

/*
 * Readers. @name stands for the input in error sentences ("table.json",
 * "standard input"); what is read is in @arena, and the output is untouched on failure.
 */
/* json_read_abi - also accepts what gVisor's driver_ast_parser prints; alignment, driver, version and target are unknown then (0, ""). */
int json_read_abi(struct abi *out, const char *text, size_t size, const char *name, struct arena *arena, struct err *err);
/* json_read_profile - see docs/profile.md. */
int json_read_profile(struct profile *out, const char *text, size_t size, const char *name, struct arena *arena, struct err *err);
/* json_has_linux_basic - has "basics": "linux" of a profile the header that is included as @path, "linux/types.h"? */
bool json_has_linux_basic(const char *path);
/* json_read_use - "drvabi-use/1", what a driver does with process ids and pointers; see docs/profile.md. */
int json_read_use(struct use_rules *out, const char *text, size_t size, const char *name, struct arena *arena, struct err *err);
/* json_read_table - also checks it: parents exist and form no ring, types exist, fields neither overlap nor leave their type, numbers fit 32 bits, versions are unique, proxies exist among types, what a node removes is there. */
int json_read_table(struct table *out, const char *text, size_t size, const char *name, struct arena *arena, struct err *err);
/* json_read_table_patch - "drvabi-proxy-patch/1": @base with the patch. Checks what json_read_table() does, and that the patch changes nothing of @base; @out borrows from @base. */
int json_read_table_patch(struct table *out, const struct table *base, const char *text, size_t size, const char *name,
			  struct arena *arena, struct err *err);
/* json_read_wanted - gVisor's driver_ast_parser input: {"structs": […], "constants": […]}. */
int json_read_wanted(struct profile_strings *structs, struct profile_strings *constants, const char *text, size_t size,
		     const char *name, struct arena *arena, struct err *err);

/*
 * json_write_abi - a whole "drvabi-abi/1" document
 *
 * Names are sorted, the members of an object stand in a fixed order, a field
 * or other small object has a line. A bit-field has "bit_offset" and
 * "bit_width" and no "size"; its "offset" is the byte of its first bit.
 * An array has "dims", see docs/formats.md.
 * "flags" and "access" are left out where there are none; "params" is null.
 * Reading this and writing it again gives the same bytes.
 */
void json_write_abi(struct json_writer *writer, const struct abi *abi);
/* json_write_table - "drvabi-proxy/1", sorted: the same table gives the same bytes, however its text was ordered. */
void json_write_table(struct json_writer *writer, const struct table *table);
/* json_write_table_patch - "drvabi-proxy-patch/1": types and nodes as in a table; a node's parent may be one of another table. */
void json_write_table_patch(struct json_writer *writer, const struct table *patch);
/*
 * json_write_layouts - "drvabi-flat/1": {"format", "version", "commit", "target", "records": {NAME: {…}}}
 *
 * @roles: bits of 1u << enum abi_role, if the layouts have only leaves of these: the key "roles" says so; 0: they are whole
 */
void json_write_layouts(struct json_writer *writer, const struct abi *abi, const struct abi_layout *layouts, size_t count,
			unsigned roles);

/* json_library - "cJSON 1.7.15": what is loaded at run time. In @arena. */
const char *json_library(struct arena *arena);

#endif
