/* ctable - read lines that map a C proxy's names to the driver's, from a map file and from header comments */
#include "lib/fuzz.h"

#include "verify/verify.h"

#include <stdlib.h>
#include <string.h>

static const struct profile_family families[] = { { .name = "alloc" }, { .name = "control" }, { .name = "frontend" }, { .name = "uvm" } };
static const struct profile_role roles[] = {
	{ .role = ABI_ROLE_HANDLE, .type = "NvHandle" },
	{ .role = ABI_ROLE_POINTER, .type = "NvP64" },
};
static const struct profile profile = { .name = "nvidia", .families = families, .family_count = 4, .roles = roles, .role_count = 2 };

static void check_map(const struct ctable_map *map)
{
	for (size_t i = 0; i < map->line_count; i++) {
		MUST(!strncmp(map->line[i].source, "p.h:", 4));
		MUST(*map->line[i].family && *map->line[i].constant);
		MUST(!map->line[i].proxy || map->line[i].driver);
	}
	for (size_t i = 0; i < map->role_count; i++)
		MUST(map->role[i].role == ABI_ROLE_POINTER || map->role[i].role == ABI_ROLE_HANDLE);
}

static void read_lines(const char *text, enum ctable_kind kind)
{
	const struct ctable_head head = { "p.h", "100.10.01", &profile };
	struct profile_strings types, numbers;
	struct ctable_map map = { 0 };
	struct arena arena = { 0 };
	struct err err = { "" };
	struct table_view view;
	struct table table;

	if (ctable_read(&map, text, kind, "p.h", &arena, &err)) {
		MUST(!strncmp(err.text, "p.h:", 4));
		goto out;
	}
	check_map(&map);
	ctable_wanted(&types, &numbers, &map, &arena);
	if (ctable_build(&table, &map, fuzz_demo_abi(), &head, &arena, &err)) {
		fuzz_sentence(&err);
		goto out;
	}
	table_view_at(&view, &table, &table.nodes[0], &arena);
	fuzz_verify(fuzz_demo_abi(), &view, NULL);
out:
	arena_release(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);

	read_lines(text, CTABLE_MAP);
	read_lines(text, CTABLE_HEADER);
	free(text);
	return 0;
}
