/* profile - read profiles as JSON, compute their roots, and match names with their globs and expressions */
#include "lib/fuzz.h"

#include "base/base.h"
#include "extract/internal.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = { "NV_ESC_RM_ALLOC", "a", "", "NV2080_CTRL_CMD_GPU_GET_ID", "[x]", "\\" };

/* check_roots - check that roots are sorted, unique, and inside the tree */
static void check_roots(const struct profile_strings *roots)
{
	for (size_t i = 0; i < roots->count; i++) {
		MUST(!i || strcmp(roots->item[i - 1], roots->item[i]) < 0);
		MUST(*roots->item[i] != '/' && strcmp(roots->item[i], "..") && strncmp(roots->item[i], "../", 3));
	}
}

/* check_glob - check that glob_matches() agrees with fnmatch(3) */
static void check_glob(const char *glob)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		MUST(glob_matches(glob, view_of(names[i]), false) == !fnmatch(glob, names[i], 0));
}

static void ask_rules(const struct profile *profile, struct arena *arena)
{
	const struct view body = { " _IOWR('F', 42, struct x) /* a */", 34 };
	struct macro_definition definition;
	struct macro_rules *rules = NULL;
	struct err err = { "" };

	if (macro_rules_new(&rules, profile, arena, &err)) {
		fuzz_sentence(&err);
		return;
	}
	macro_rules_enter(rules, "src/common/sdk/nvidia/inc/nvos.h", "rm");
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		macro_rules_apply(&definition, rules, &(struct define){ .name = { names[i], strlen(names[i]) }, .body = body, .line = 1 }, arena);
	macro_rules_free(rules);
}

static void use(const struct profile *profile, struct arena *arena)
{
	struct profile_strings roots;

	profile_roots(&roots, profile, arena);
	check_roots(&roots);
	profile_role_of(profile, "A", "hClient", (const char *const[]){ "NvHandle", "unsigned int", NULL });
	profile_role_of(profile, "", "", (const char *const[]){ "", NULL });
	for (size_t i = 0; i < profile->constant_count; i++)
		check_glob(profile->constants[i].name);
	ask_rules(profile, arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);
	struct arena arena = { 0 };
	struct err err = { "" };
	struct profile profile;

	if (json_read_profile(&profile, text, size, "profile.json", &arena, &err))
		fuzz_sentence(&err);
	else
		use(&profile, &arena);
	arena_release(&arena);
	free(text);
	return 0;
}
