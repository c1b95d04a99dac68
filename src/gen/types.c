/*
 * gen/types.c - types of a proxy's table as a file, and the names that are fixed or taken
 */
#include "gen/collect.h"
#include "gen/definition.h"
#include "gen/words.h"

#include <ctype.h>
#include <string.h>

static const struct table_field handle_fields[] = { { "Val", "uint32", 0 } };

static const struct table_type nvproxy_types[] = {
	{ .name = "Handle", .size_bytes = 4, .role = ABI_ROLE_HANDLE, .fields = handle_fields, .field_count = 1 },
	{ .name = "NvUUID", .size_bytes = 16, .alias = "uint8[16]" },
	{ .name = "P64", .size_bytes = 8, .alias = "uint64", .role = ABI_ROLE_POINTER },
};

const struct table gen_nvproxy_types = { .path = "package nvgpu", .proxy = "gvisor nvproxy", .types = nvproxy_types,
					 .type_count = sizeof(nvproxy_types) / sizeof(*nvproxy_types) };

bool collect_is_name(const char *name)
{
	return words_is_identifier(name) && !words_is_reserved(GEN_GO, name);
}

bool collect_types_has(const struct collect_types *types, const char *name)
{
	return types->proxy ? proxytype_find(types->proxy, name) != NULL : definitions_has(types->definitions, name);
}

/* The driver's name without what a package's name cannot have: "linux-drm" is linuxdrm. */
static const char *package_of(const char *driver, struct arena *arena)
{
	char *name = arena_strdup(arena, driver && *driver ? driver : "driver");
	char *to = name;

	for (const char *from = name; *from; from++)
		if (isalnum((unsigned char)*from))
			*to++ = (char)tolower((unsigned char)*from);
	*to = '\0';
	return collect_is_name(name) ? name : "driver";
}

int collect_package(const char **out, const char *asked, enum gen_style style, const char *driver, struct arena *arena, struct err *err)
{
	if (asked && (!collect_is_name(asked) || !strcmp(asked, "_")))
		return err_set(err, ERR_USAGE, "a package of Go cannot be called '%s'; it is a word of letters and digits", asked);
	*out = asked ? asked : style == GEN_NVPROXY ? "nvgpu" : package_of(driver, arena);
	return 0;
}

/* "T" of "T[4][2]" is a name, and there is no more to it. */
static bool is_type_name(const char *spelling)
{
	struct abi_spelling parsed;
	char name[256];

	if (abi_spelling_parse(&parsed, spelling, NULL) || parsed.flexible || parsed.base_length >= sizeof(name))
		return false;
	memcpy(name, parsed.base, parsed.base_length);
	name[parsed.base_length] = '\0';
	return collect_is_name(name);
}

static int check_type(const struct table_type *type, struct err *err)
{
	if (!collect_is_name(type->name) || (type->alias && !is_type_name(type->alias)))
		return err_set(err, ERR_FORMAT, "type \"%.200s\" of the table cannot be named in Go; mend the table", type->name);
	for (size_t i = 0; !type->alias && i < type->field_count; i++)
		if (!collect_is_name(type->fields[i].name) || !is_type_name(type->fields[i].type))
			return err_set(err, ERR_FORMAT, "field \"%.200s\" of type %s of the table cannot be declared in Go; mend the table",
				       type->fields[i].name, type->name);
	return 0;
}

int gen_collect_types(struct gen_file *out, enum gen_style style, const char *package, const struct table_type *types, size_t count,
		      struct arena *arena, struct err *err)
{
	const struct proxytype **all = arena_array(arena, count, sizeof(*all));
	struct proxytype *each = arena_array(arena, count, sizeof(*each));
	int rc;

	for (size_t i = 0; i < count; i++) {
		if ((rc = check_type(&types[i], err)))
			return rc;
		each[i].type = &types[i];
		all[i] = &each[i];
	}
	if ((rc = collect_package(&package, package, GEN_NVPROXY, NULL, arena, err)))
		return rc;
	*out = (struct gen_file){ .style = style, .package = package, .origin = "Types of a proxy's table.", .types = all, .type_count = count };
	return 0;
}
