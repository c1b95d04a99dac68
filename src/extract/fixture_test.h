/*
 * extract/fixture_test.h - tables of texts and expected results, for the tests of extract
 *
 * A driver tree is one text. A line "@ PATH" begins a file. The lines before the first such line are the file
 * a.h, which exists unless the text begins with "@".
 *
 * A profile is the members of its JSON object, with ' for " and \ for \\. The default is:
 *   'units': [{'name': 'main', 'headers': ['a.h'], 'include': ['inc']}], 'constants': [{'name': 'K_*'}]
 * A unit is the members of the object in this default.
 *
 * A result is text, too: the lines of document_lines(), without aliases of a type of C to itself, and then
 *   NAME is encoded, known by nr, argument x[2], varying size     for an ioctl whose number has parts
 *   macro NAME                 a macro of the profile, if a row requests other macros, too
 *   outside of the roots       if a file outside of profile_roots() was read
 * If extraction failed, the result is "ERR_PARSE: " and the message, which is cut at ": ", because the rest
 * can be clang's or libc's.
 */
#ifndef EXTRACT_FIXTURE_TEST_H
#define EXTRACT_FIXTURE_TEST_H

#include "abi/document_test.h"
#include "extract/extract.h"
#include "extract/internal.h"

#include <fnmatch.h>

struct memory_file {
	const char *path, *text;
};

/* A tree of files in memory, in the order of the text. */
struct memory_tree {
	struct tree tree; /* must be the first member */
	struct memory_file files[24];
	size_t count;
	const char *broken; /* path of a file that cannot be read; NULL if all can be */
};

static inline int memory_tree_glob(struct tree *tree, const char *pattern, const char ***paths, size_t *count,
				   struct err *err)
{
	const struct memory_tree *memory = (const struct memory_tree *)tree;

	(void)err;
	for (size_t i = 0; i < memory->count; i++) {
		if (fnmatch(pattern, memory->files[i].path, FNM_PATHNAME))
			continue;
		*paths = xrealloc(*paths, (*count + 1) * sizeof(**paths));
		(*paths)[(*count)++] = memory->files[i].path;
	}
	return 0;
}

static inline int memory_tree_read(struct tree *tree, const char *path, const char **text, size_t *size,
				   struct err *err)
{
	const struct memory_tree *memory = (const struct memory_tree *)tree;

	if (memory->broken && !strcmp(memory->broken, path))
		return err_set(err, ERR_GIT, "cannot read %s", path);
	for (size_t i = 0; i < memory->count; i++) {
		if (strcmp(memory->files[i].path, path))
			continue;
		*text = memory->files[i].text;
		*size = strlen(*text);
		return 0;
	}
	return err_set(err, ERR_NOT_FOUND, "there is no %s", path);
}

/* Makes a tree from its text. */
static inline struct memory_tree memory_tree_of(const char *text, struct arena *arena)
{
	static const struct tree_ops ops = { .glob = memory_tree_glob, .read = memory_tree_read };
	struct memory_tree memory = { .tree = { &ops, "1.0", "" } };

	for (const char *path = "a.h", *end; text; text = end) {
		if (!strncmp(text, "@ ", 2)) {
			path = arena_strndup(arena, text + 2, strcspn(text + 2, "\n"));
			text += strcspn(text, "\n");
			text += *text == '\n';
		}
		end = strncmp(text, "@ ", 2) ? strstr(text, "\n@ ") : text;
		if (end && *end == '\n')
			end++;
		assert_true(memory.count < sizeof(memory.files) / sizeof(*memory.files));
		memory.files[memory.count++] = (struct memory_file){
			path, end ? arena_strndup(arena, text, (size_t)(end - text)) : text
		};
	}
	return memory;
}

/* Appends the default member @member, unless @members has a member with the same key. */
static inline void put_default(struct strbuf *json, const char *member, const char *members)
{
	char key[32];

	snprintf(key, sizeof(key), "%.*s", (int)strcspn(member, ":"), member);
	if (!strstr(members, key))
		strbuf_addf(json, ", %s", member);
}

/* Makes a profile from its members, and the members of its unit. Both can be NULL. */
static inline struct profile profile_of(const char *members, const char *unit, struct arena *arena)
{
	struct strbuf text = { 0 }, json = { 0 };
	struct profile profile;
	struct err err;

	members = members ? members : "";
	unit = unit ? unit : "";
	strbuf_adds(&text, "{'format': 'drvabi-profile/1', 'name': 'test'");
	if (!strstr(members, "'units'")) {
		strbuf_adds(&text, ", 'units': [{'name': 'main'");
		put_default(&text, "'headers': ['a.h']", unit);
		put_default(&text, "'include': ['inc']", unit);
		strbuf_addf(&text, "%s%s}]", *unit ? ", " : "", unit);
	}
	put_default(&text, "'constants': [{'name': 'K_*'}]", members);
	strbuf_addf(&text, "%s%s}", *members ? ", " : "", members);
	for (const char *at = text.text; *at; at++)
		strbuf_adds(&json, *at == '\\' ? "\\\\" : *at == '\'' ? "\"" : (char[]){ *at, '\0' });
	if (json_read_profile(&profile, json.text, json.length, "profile", arena, &err))
		fail_msg("%s: %s", json.text, err.text);
	strbuf_release(&text);
	strbuf_release(&json);
	return profile;
}

/* Prints a document. Aliases of a type of C to itself, "alias int int 4", are left out. */
static inline void print_document(struct strbuf *out, const struct abi *abi)
{
	struct abi_alias *aliases = xmalloc((abi->alias_count + 1) * sizeof(*aliases));
	struct abi printed = *abi;

	printed.aliases = aliases;
	printed.alias_count = 0;
	for (size_t i = 0; i < abi->alias_count; i++)
		if (strcmp(abi->aliases[i].name, abi->aliases[i].type))
			aliases[printed.alias_count++] = abi->aliases[i];
	document_lines(out, &printed);
	free(aliases);
	for (size_t i = 0; i < abi->ioctl_count; i++) {
		const struct abi_ioctl *ioctl = &abi->ioctls[i];

		if (!ioctl->encoding && !ioctl->argument && !ioctl->varies)
			continue;
		strbuf_addf(out, "%s is encoded%s", ioctl->name,
			    ioctl->encoding == ABI_NUMBER_IOC ? "" : ", known by nr");
		if (ioctl->argument)
			strbuf_addf(out, ", argument %s", ioctl->argument);
		for (unsigned field = 0; field < ABI_IOC_FIELD_COUNT; field++)
			if (ioctl->varies >> field & 1)
				strbuf_addf(out, ", varying %s", abi_ioc_field_name(field));
		strbuf_addch(out, '\n');
	}
}

static inline void print_failure(struct strbuf *out, int rc, const struct err *err)
{
	static const char *const names[] = { "", "ERR_USAGE", "ERR_IO", "ERR_NOT_FOUND", "ERR_FORMAT",
					     "ERR_PARSE", "ERR_LAYOUT", "ERR_LIMIT", "ERR_GIT" };
	const char *end = strstr(err->text, ": ");

	strbuf_addf(out, "%s: %.*s\n", names[-rc], (int)(end ? end - err->text : (long)strlen(err->text)),
		    err->text);
}

/* A test of extract_tree(). Each table of rows ends with a row without a fact. */
struct extraction_row {
	const char *fact;
	const char *files, *expected;
	const char *unit;    /* members of the profile's unit */
	const char *profile; /* members of the profile */
	const char *target;  /* NULL: x86_64-linux-gnu */
	const char *wanted;  /* glob for profile_want_constants(); if set, the profile's macros are printed */
	const char *broken;  /* path of a file that cannot be read */
	bool is_counted;     /* the document is not printed, but only the number of its records */
	bool without_types;  /* records, aliases and enums are not printed */
};

/* Extracts a document with the profile, and compares the result with that of the row. */
static inline bool extraction_differs(const struct extraction_row *row, const struct profile *profile,
				      struct arena *arena)
{
	struct memory_tree memory = memory_tree_of(row->files, arena);
	struct abi_builder *builder = abi_builder_new(arena);
	struct extract_result result;
	struct strbuf text = { 0 };
	struct err err = { "" };
	const struct abi *abi;
	struct abi shown;
	int rc;

	memory.broken = row->broken;
	if ((rc = extract_tree(&result, builder, &memory.tree, profile,
			       row->target ? row->target : "x86_64-linux-gnu", arena, &err))) {
		print_failure(&text, rc, &err);
		goto out;
	}
	abi = document_seal(builder, "1", arena);
	if (row->is_counted) {
		strbuf_addf(&text, "%zu records\n", abi->record_count);
		goto out;
	}
	shown = *abi;
	if (row->without_types)
		shown.record_count = shown.alias_count = shown.enum_count = 0;
	print_document(&text, &shown);
	for (size_t i = 0; row->wanted && i < result.macros.count; i++)
		strbuf_addf(&text, "macro %s\n", result.macros.items[i].name);
	if (!result.inside_roots)
		strbuf_adds(&text, "outside of the roots\n");
out:
	abi_builder_free(builder);
	return text_differs(row->fact, &text, row->expected);
}

/* Extracts each row twice, because a run must not depend on what an earlier run left in the process. */
static inline void check_extractions(const struct extraction_row *rows)
{
	bool differs = false;

	for (const struct extraction_row *row = rows; row->fact; row++) {
		for (int run = 0; run < 2; run++) {
			struct arena arena = { 0 };
			struct profile profile = profile_of(row->profile, row->unit, &arena);
			const struct profile_strings wanted = { &row->wanted, 1 };

			if (row->wanted)
				profile_want_constants(&profile, &wanted, &arena);
			differs |= extraction_differs(row, &profile, &arena);
			arena_release(&arena);
		}
	}
	assert_false(differs);
}

/* A test of code that reads one source file, t.c. Each table of rows ends with a row without a fact. */
struct scan_row {
	const char *fact;
	const char *text, *expected;
};

/* Calls @scan, which prints what it finds in the file, and appends the warnings. */
static inline void check_scans(const struct scan_row *rows,
			       void (*scan)(struct strbuf *out, struct table_file *file))
{
	bool differs = false;

	for (const struct scan_row *row = rows; row->fact; row++) {
		struct arena arena = { 0 };
		struct strbuf text = { 0 };
		struct abi_builder *builder = abi_builder_new(&arena);
		struct table_file file = { "t.c", row->text, strlen(row->text), builder, &arena };

		scan(&text, &file);
		print_document(&text, document_seal(builder, "1", &arena));
		differs |= text_differs(row->fact, &text, row->expected);
		abi_builder_free(builder);
		arena_release(&arena);
	}
	assert_false(differs);
}

#endif
