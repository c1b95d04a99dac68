/*
 * extract/methods.c - reads control commands from the driver's method tables
 *
 * For each class, NVIDIA's object compiler (NVOC) writes a method table, an array of struct
 * NVOC_EXPORTED_METHOD_DEF, into g_*_nvoc.c. The array has an entry in braces for each method. In an entry,
 * each member is on a separate line that begins with the member's name in a comment. This format is the same
 * in all tags from 515.43.04 to 595.45.04. An entry in a different format is left out with a warning.
 *
 * 1. Read the entries of the method tables (nvoc_scan()), and check that no file and no part of a file is
 *    missing (nvoc_warn_undefined(), nvoc_check_infos()).
 * 2. Read the list of commands with embedded pointers, the list of deprecated commands, and the words for
 *    flags and access rights (methods_add_family()).
 * 3. Keep the first of the methods with the same number (methods_keep_first()). They exist because a derived
 *    class exports the methods of its base class again.
 * 4. Find the macro that names each command (methods_find_names()), because users and proxies use these
 *    names. Several macros can have the number of a command as their value, and some of them are not
 *    commands. So a macro must also match the parameters, the name or the class of the method.
 * 5. Add each method as an ioctl. If a deprecated command has the same number, the ioctl gets its flags too.
 *    Then add the deprecated commands that have no method.
 */
#include "extract/internal.h"

/*
 * Reasons to believe that a macro names a command, from weak to strong. The bits of all reasons that apply
 * are the macro's score, so a reason outweighs all weaker ones together. If several macros have the highest
 * score, the one whose name sorts first is chosen.
 */
enum {
	NAME_SAME_CLASS = 1 << 0, /* the macro is NV2080_..., and the number is 0x2080.... */
	NAME_SAME_FUNC = 1 << 1, /* the macro is ..._CTRL_CMD_GPU_GET_PIDS, and the method is
				    subdeviceCtrlCmdGpuGetPids */
	NAME_HAS_NUMBER = 1 << 2, /* the macro's body has a number, and is not only the name of a different
				     macro */
	NAME_IS_COMMAND = 1 << 3, /* the macro's comment says from which interface and message ids its number
				     is made */
	NAME_SAME_PARAMS = 1 << 4, /* the macro is ..._CTRL_CMD_GPU_GET_PIDS, and the record is
				      ..._CTRL_GPU_GET_PIDS_PARAMS */
	NAME_STATES_PARAMS = 1 << 5, /* the macro's comment has the name of the record, followed by
					_MESSAGE_ID */
};

/*
 * A macro without any of these bits has the same value by coincidence. NAME_SAME_CLASS is only added to these
 * bits if the class is not 0, because many macros NV0000_... have small values.
 */
enum { NAME_EVIDENCE = NAME_SAME_FUNC | NAME_IS_COMMAND | NAME_SAME_PARAMS | NAME_STATES_PARAMS };

/* Checks whether the comment of @macro names the record @params, as "NV2080_X_PARAMS_MESSAGE_ID" does. */
static bool names_states_params(const struct macro *macro, const char *params)
{
	char message_id[256];
	int length;

	if (!macro->body || !strstr(macro->body, "_MESSAGE_ID"))
		return false;
	length = snprintf(message_id, sizeof(message_id), "%s_MESSAGE_ID", params);
	return length < (int)sizeof(message_id) && view_mention(view_of(macro->body), message_id);
}

/* Returns the next character of the name at *@at, and skips "_CMD" if it is a whole word of the name. */
static char names_next(const char **at)
{
	if (**at == '_' && !strncmp(*at, "_CMD", 4) && ((*at)[4] == '_' || !(*at)[4]))
		*at += 4;
	return **at ? *(*at)++ : '\0';
}

/* Checks whether @macro, ..._CTRL_CMD_A_B, names the command with the record @params, ..._CTRL_A_B_PARAMS. */
static bool names_same_params(const char *macro, const char *params)
{
	char ch;

	while ((ch = names_next(&macro)))
		if (names_next(&params) != ch)
			return false;
	return !strcmp(params, "_PARAMS") || !strcmp(params, "_PARAM");
}

/* Returns the text after the first @mark in @text; NULL if @text does not contain @mark. */
static const char *names_behind(const char *text, const char *mark)
{
	const char *found = strstr(text, mark);

	return found ? found + strlen(mark) : NULL;
}

/* Checks whether @macro, ..._CTRL_CMD_GPU_GET, names the command with the method @func, ...CtrlCmdGpuGet. */
static bool names_same_func(const char *macro, const char *func)
{
	const char *tail = names_behind(macro, "_CTRL_CMD_");
	const char *method = names_behind(func, "CtrlCmd");

	if (!tail)
		tail = names_behind(macro, "_CTRL_");
	if (!tail || !method)
		return false;
	for (; *tail; tail++) {
		if (*tail == '_')
			continue;
		if ((*tail | 0x20) != (*method | 0x20))
			return false;
		method++;
	}
	return !*method;
}

/*
 * Checks whether the macro's name begins with the class of the number: NV2080_... for 0x2080.... The digits
 * are compared without snprintf("%04llX"), to be faster for a hundred thousand names.
 */
static bool names_same_class(const char *macro, uint64_t number)
{
	uint64_t class = number >> 16;
	size_t digits = 4;

	while (digits < 12 && class >> 4 * digits)
		digits++;
	if (macro[0] != 'N' || macro[1] != 'V')
		return false;
	for (size_t i = 0; i < digits; i++)
		if (macro[2 + i] != "0123456789ABCDEF"[class >> 4 * (digits - 1 - i) & 15])
			return false;
	return macro[2 + digits] == '_';
}

/* Checks whether a macro's body, without its comment, has a word that starts with a digit; false if NULL. */
static bool names_has_number(const char *body)
{
	struct view text = body ? lexer_uncommented(view_of(body)) : (struct view){ "", 0 };

	for (size_t i = 0; i < text.length; i++)
		if (view_is_digit(text.at[i]) && (!i || !view_is_word_char(text.at[i - 1])))
			return true;
	return false;
}

/* Returns the score of @macro as the name of the command; 0 if no bit of NAME_EVIDENCE applies. */
static unsigned names_score(const struct macro *macro, const struct nvoc_method *method)
{
	unsigned score = 0, evidence = NAME_EVIDENCE;

	if (method->id >> 16)
		evidence |= NAME_SAME_CLASS;
	if (names_same_class(macro->name, method->id))
		score |= NAME_SAME_CLASS;
	if (names_same_func(macro->name, method->func))
		score |= NAME_SAME_FUNC;
	if (names_has_number(macro->body))
		score |= NAME_HAS_NUMBER;
	if (macro->body && strstr(macro->body, "_INTERFACE_ID << 8"))
		score |= NAME_IS_COMMAND;
	if (method->params && names_same_params(macro->name, method->params))
		score |= NAME_SAME_PARAMS;
	if (method->params && names_states_params(macro, method->params))
		score |= NAME_STATES_PARAMS;
	return score & evidence ? score : 0;
}

void methods_find_names(struct nvoc_method *by_id, const struct profile_family *family,
			const struct macro_index *macros)
{
	for (size_t i = 0; i < macros->count; i++) {
		const struct macro *macro = &macros->items[i];
		struct nvoc_method *method = NULL;
		unsigned score;

		if (macro->evaluated && !macro->value.negative)
			HASH_FIND(hh, by_id, &macro->value.magnitude, sizeof(uint64_t), method);
		/* The macro must match the family's globs or be a constant of the document. */
		if (!method || (!macro->is_constant && !profile_matches(&family->match, macro->name)) ||
		    profile_matches(&family->except, macro->name))
			continue;
		score = names_score(macro, method);
		if (score > method->score) {
			method->macro = macro;
			method->score = score;
		}
	}
}

/*
 * Most text in the 8 MB of generated sources is not tables. So each file is searched for the name of one
 * member, NVOC_ANCHOR. When it is found, the head of its table is searched for in the text before it. The
 * table is then read line by line, and the search continues after the end of the table.
 */
#define NVOC_ANCHOR "/*methodId=*/"
#define NVOC_TABLE "struct NVOC_EXPORTED_METHOD_DEF "

/* The members of an entry that are read. */
enum nvoc_member { NVOC_FLAGS, NVOC_ACCESS, NVOC_ID, NVOC_PARAM_SIZE, NVOC_FUNC, NVOC_MEMBER_COUNT };

struct nvoc_scan {
	struct nvoc_methods *out;
	const struct table_file *file;
	struct view_lines lines;
	struct conditions conditions;
	struct nvoc_method method; /* the entry that is currently read */
	unsigned entry_line;       /* line of the entry's opening brace; 0 between entries */
	unsigned seen;             /* a bit for each enum nvoc_member that was read */
	bool malformed;            /* there is already a warning about the entry */
	bool is_cut;               /* the file ends inside a table, and there is already a warning about it */
	uint64_t entry_count;      /* number of entries in all tables of the file */
};

static void nvoc_malformed(struct nvoc_scan *scan, unsigned line, const char *what)
{
	if (!scan->malformed)
		table_file_warn(scan->file, line, "This exported method is left out: %s.", what);
	scan->malformed = true;
}

/* Reads the member paramSize. @params: T for "sizeof(T)", NULL for 0. Return: false for any other @value. */
static bool nvoc_param_size(const char **params, struct view value, struct arena *arena)
{
	struct view name;
	uint64_t size;

	if (view_number(&size, value)) {
		*params = NULL;
		return size == 0;
	}
	if (!view_cut(&value, "sizeof") || !view_cut(&value, "("))
		return false;
	if (!table_cut_record(&name, &value))
		return false;
	*params = arena_strndup(arena, name.at, name.length);
	return view_is(value, ")");
}

/*
 * Returns the value of a member from @rest, the text after the member's name, without the comma and the
 * comment after the value.
 */
static struct view nvoc_value(struct view rest)
{
	rest = view_trim(lexer_uncommented(rest));
	if (rest.length && rest.at[rest.length - 1] == ',')
		rest.length--;
	return view_trim(rest);
}

/* Reads the member func: a name in quotes. Return: false if @value has a different format. */
static bool nvoc_func(const char **func, struct view value, struct arena *arena)
{
	struct view name;

	if (!view_cut(&value, "\"") || !view_cut_name(&name, &value) || !view_is(value, "\""))
		return false;
	*func = arena_strndup(arena, name.at, name.length);
	return true;
}

/*
 * Reads a line of an entry into scan->method, if needed. Warns if malformed, so that the entry is left out.
 */
static void nvoc_member(struct nvoc_scan *scan, struct view line, unsigned number)
{
	static const char *const marks[] = {
		[NVOC_FLAGS] = "/*flags=*/", [NVOC_ACCESS] = "/*accessRight=*/", [NVOC_ID] = NVOC_ANCHOR,
		[NVOC_PARAM_SIZE] = "/*paramSize=*/", [NVOC_FUNC] = "/*func=*/",
	};
	struct nvoc_method *method = &scan->method;
	struct arena *arena = scan->file->arena;
	struct view value = line;
	unsigned member = 0;
	bool good = true;

	while (member < NVOC_MEMBER_COUNT && !view_cut(&value, marks[member]))
		member++;
	value = nvoc_value(value);
	switch (member) {
	case NVOC_FLAGS:
		good = view_number(&method->flags, value);
		break;
	case NVOC_ACCESS:
		good = view_number(&method->access, value);
		break;
	case NVOC_ID:
		good = view_number(&method->id, value);
		break;
	case NVOC_PARAM_SIZE:
		good = nvoc_param_size(&method->params, value, arena);
		break;
	case NVOC_FUNC:
		good = nvoc_func(&method->func, value, arena);
		break;
	default:
		if (!view_starts_with(line, "/*"))
			nvoc_malformed(scan, number, "one of its lines does not begin with a member's name");
		return;
	}
	if (!good)
		nvoc_malformed(scan, number, "the value on this line is not in the known format");
	if (scan->seen & 1u << member)
		nvoc_malformed(scan, number, "the member on this line is given twice");
	scan->seen |= 1u << member;
}

/*
 * Checks whether @line is one of the conditions that every entry has. They select the function, and decide
 * whether strings are compiled in.
 */
static bool nvoc_is_usual_condition(struct view line)
{
	struct view rest = line;

	return view_cut(&rest, "#if NVOC_EXPORTED_METHOD_DISABLED_BY_FLAG(") ||
	       view_cut(&rest, "#if NV_PRINTF_STRINGS_ALLOWED");
}

/*
 * Reads a table, from after its "{", and appends its methods to scan->out. Skips entries inside "#if 0", and
 * leaves out malformed ones with a warning. A table without an end sets scan->is_cut, with a warning.
 */
static void nvoc_scan_table(struct nvoc_scan *scan)
{
	struct nvoc_methods *out = scan->out;
	unsigned first = scan->lines.number;
	struct view line, rest;

	scan->entry_line = 0;
	while (view_next_line(&line, &scan->lines)) {
		unsigned number = scan->lines.number - 1;

		if (!line.length)
			continue;
		if (line.at[0] == '#') {
			rest = line;
			if (scan->entry_line && view_cut(&rest, "#if") && !nvoc_is_usual_condition(line))
				scan->method.conditional = true;
			if (!conditions_follow(&scan->conditions, line, conditions_opened(line)))
				table_file_warn(scan->file, number,
						"This line of a table of exported methods closes an #if that "
						"was not opened.");
		} else if (view_is(line, "};")) {
			return;
		} else if (conditions_branch(&scan->conditions) == BRANCH_SKIPPED) {
			continue;
		} else if (scan->entry_line && (view_is(line, "},") || view_is(line, "}"))) {
			if (scan->seen != (1u << NVOC_MEMBER_COUNT) - 1)
				nvoc_malformed(scan, scan->entry_line,
					       "one of flags, accessRight, methodId, paramSize and func is "
					       "missing");
			if (!scan->malformed) {
				scan->method.source = table_file_source(scan->file, scan->entry_line);
				out->items = arena_room(scan->file->arena, out->items, out->count,
							sizeof(*out->items));
				out->items[out->count++] = scan->method;
			}
			scan->entry_line = 0;
		} else if (scan->entry_line) {
			nvoc_member(scan, line, number);
		} else if (line.at[0] == '{') {
			scan->method = (struct nvoc_method){
				.conditional = conditions_branch(&scan->conditions) != BRANCH_COMPILED,
			};
			scan->entry_line = number;
			scan->entry_count++;
			scan->seen = 0;
			scan->malformed = false;
		} else {
			table_file_warn(scan->file, number,
					"This line of a table of exported methods is not understood.");
		}
	}
	table_file_warn(scan->file, first, "The table of exported methods that begins here has no end.");
	scan->is_cut = true;
}

/* Returns the opening brace of the last table, "name[] = {", that begins between @from and @hit, or NULL. */
static const char *nvoc_find_table(const char *from, const char *hit)
{
	const char *brace = NULL;

	while ((from = find_text(from, hit, NVOC_TABLE, strlen(NVOC_TABLE)))) {
		struct view rest, name;

		from += strlen(NVOC_TABLE);
		rest = view_trim((struct view){ from, (size_t)(hit - from) });
		if (view_cut_name(&name, &rest) && view_cut(&rest, "[") && view_cut(&rest, "]") &&
		    view_cut(&rest, "=") && rest.length && rest.at[0] == '{')
			brace = rest.at;
	}
	return brace;
}

/*
 * Checks whether @at is in a block comment. @from: a position before @at that is not in a comment; it is set
 * to the end of the last comment that ends before @at.
 */
static bool nvoc_in_comment(const char **from, const char *at)
{
	const char *begin, *end;

	while ((begin = find_text(*from, at, "/*", 2))) {
		end = find_text(begin + 2, at, "*/", 2);
		if (!end)
			return true;
		*from = end + 2;
	}
	return false;
}

/* Skips to the line that contains @to. Counts the skipped lines, and tracks their #ifs. */
static void nvoc_advance(struct nvoc_scan *scan, const char *to)
{
	struct view_lines *lines = &scan->lines;
	struct view line;
	const char *newline, *outside = lines->at;

	while ((newline = memchr(lines->at, '\n', (size_t)(to - lines->at)))) {
		view_next_line(&line, lines);
		if (line.length && line.at[0] == '#' && !nvoc_in_comment(&outside, line.at))
			conditions_follow(&scan->conditions, line, conditions_opened(line));
	}
}

#define NVOC_INFO "const struct NVOC_EXPORT_INFO "

/*
 * Reads the number of entries in a table's NVOC_EXPORT_INFO. @rest is the text after NVOC_INFO. Return: false
 * if it is only a declaration, or in an unknown format.
 */
static bool nvoc_info_entries(uint64_t *out, struct view rest)
{
	const char *comma;
	struct view name;

	if (!view_cut_name(&name, &rest) || !view_cut(&rest, "=") || !view_cut(&rest, "{") ||
	    (!view_cut(&rest, "/*numEntries=*/") && !view_cut(&rest, ".numEntries=")))
		return false;
	comma = memchr(rest.at, ',', rest.length);
	return comma && view_number(out, view_trim((struct view){ rest.at, (size_t)(comma - rest.at) }));
}

/*
 * Warns if a part of the file is missing. NVOC declares an NVOC_EXPORT_INFO for each class of the file, and
 * defines it after the table, with the number of entries.
 */
static void nvoc_check_infos(const struct nvoc_scan *scan)
{
	const char *at = scan->file->text, *end = at + scan->file->size;
	uint64_t expected = 0, entries;
	size_t declared_count = 0, defined_count = 0;

	while ((at = find_text(at, end, NVOC_INFO, strlen(NVOC_INFO)))) {
		bool is_declared = (size_t)(at - scan->file->text) >= strlen("extern ") &&
				   !memcmp(at - strlen("extern "), "extern ", strlen("extern "));

		at += strlen(NVOC_INFO);
		if (is_declared) {
			declared_count++;
		} else if (nvoc_info_entries(&entries, (struct view){ at, (size_t)(end - at) })) {
			defined_count++;
			expected += entries;
		}
	}
	if (declared_count > defined_count)
		table_file_warn(scan->file, 0,
				"A class of this file has no complete NVOC_EXPORT_INFO; ioctls may be missing.");
	else if (expected != scan->entry_count)
		table_file_warn(scan->file, 0,
				"This file has %llu exported methods, but its NVOC_EXPORT_INFO says %llu; ioctls "
				"may be missing.",
				(unsigned long long)scan->entry_count, (unsigned long long)expected);
}

void nvoc_scan(void *data, const struct table_file *file)
{
	const char *end = file->text + file->size;
	struct nvoc_scan scan = { .out = data, .file = file, .lines = { file->text, end, 1 } };
	const char *hit, *brace;
	struct view text;
	char last;

	while ((hit = find_text(scan.lines.at, end, NVOC_ANCHOR, strlen(NVOC_ANCHOR)))) {
		brace = nvoc_find_table(scan.lines.at, hit);
		nvoc_advance(&scan, brace ? brace : hit);
		if (brace) {
			scan.lines.at = brace + 1;
			nvoc_scan_table(&scan);
		} else {
			table_file_warn(
				file, scan.lines.number,
				"This exported method is outside of all tables of exported methods; it is left out.");
			scan.lines.at = hit + strlen(NVOC_ANCHOR);
		}
	}
	if (scan.is_cut)
		return;
	/*
	 * A file from NVOC contains "NVOC", and ends with a function or a table. It can be empty: the driver
	 * has two empty files, for classes without methods.
	 */
	text = view_trim((struct view){ file->text, file->size });
	last = text.length ? text.at[text.length - 1] : '}';
	if (text.length && !memmem(text.at, text.length, "NVOC", 4))
		table_file_warn(file, 0, "NVOC did not write this file; exported methods may be missing.");
	else if (last != '}' && last != ';')
		table_file_warn(file, 0, "This file is cut off; exported methods may be missing.");
	if (find_text(file->text, end, NVOC_INFO, strlen(NVOC_INFO)))
		nvoc_check_infos(&scan);
}

/* The data that is read before the commands are added. */
struct methods {
	const struct family_context *context;
	struct nvoc_methods found;
	struct nvoc_method *by_id; /* hash table (uthash) of the first method of `found` with each id */
	struct embedded_commands embedded;
	struct deprecated_commands deprecated;
	struct flag_words flags;
	struct flag_words access;
};

/*
 * A class that one of NVOC's files mentions. A generated header declares its classes. If the driver uses a
 * class, the source of the same name defines it, and the sources of its derived classes declare it again.
 */
struct nvoc_class {
	const char *name;
	const char *source; /* the source that mentions it, or that belongs to the header that declares it */
	bool is_defined;
};

struct nvoc_classes {
	struct nvoc_class *items;
	size_t count;
};

#define NVOC_CLASS "const struct NVOC_CLASS_DEF __nvoc_class_def_"

/* Appends each class that @file declares or defines. @source: the source that defines it, or should. */
static void nvoc_classes_append(struct nvoc_classes *out, const struct table_file *file, const char *source)
{
	const char *at = file->text, *end = at + file->size;

	while ((at = find_text(at, end, NVOC_CLASS, strlen(NVOC_CLASS)))) {
		struct view name, rest;

		at += strlen(NVOC_CLASS);
		rest = (struct view){ at, (size_t)(end - at) };
		if (!view_cut_name(&name, &rest))
			continue;
		out->items = arena_room(file->arena, out->items, out->count, sizeof(*out->items));
		out->items[out->count++] = (struct nvoc_class){
			arena_strndup(file->arena, name.at, name.length), source, view_cut(&rest, "="),
		};
	}
}

static bool nvoc_classes_mention(const struct nvoc_classes *classes, const char *name)
{
	for (size_t i = 0; i < classes->count; i++)
		if (!strcmp(classes->items[i].name, name))
			return true;
	return false;
}

static bool nvoc_classes_have_source(const struct nvoc_classes *classes, const char *source)
{
	for (size_t i = 0; i < classes->count; i++)
		if (classes->items[i].is_defined && !strcmp(classes->items[i].source, source))
			return true;
	return false;
}

/* The classes that the sources mention, and those that a header declares, but no source defines. */
struct nvoc_sources {
	const struct family_context *context;
	struct nvoc_methods *methods;
	struct nvoc_classes known, undefined;
};

/*
 * Adds the classes of headers whose source is missing or defines no class to sources->undefined, for
 * nvoc_warn_undefined().
 */
static int nvoc_find_undefined(struct nvoc_sources *sources, struct err *err)
{
	const struct family_context *context = sources->context;
	int rc = 0;

	for (size_t i = 0; i < context->family->files.count && !rc; i++) {
		const char *glob = context->family->files.item[i], **paths = NULL;
		const size_t stem = strlen(glob) < 2 ? 0 : strlen(glob) - 2;
		size_t count = 0;

		if (strcmp(glob + stem, ".c"))
			continue;
		glob = arena_printf(context->arena, "%.*s.h", (int)stem, glob);
		rc = context->tree->ops->glob(context->tree, glob, &paths, &count, err);
		for (size_t k = 0; k < count && !rc; k++) {
			const char *source = arena_printf(context->arena, "%.*s.c",
							  (int)strlen(paths[k]) - 2, paths[k]);
			struct table_file header;

			if (nvoc_classes_have_source(&sources->known, source) ||
			    (rc = table_file_read(&header, context, paths[k], err)))
				continue;
			nvoc_classes_append(&sources->undefined, &header, source);
			tree_forget(context->tree, paths[k]);
		}
		free(paths);
	}
	return rc;
}

/* Warns of the undefined classes that @list, a list of classes, or another source mentions. */
static void nvoc_warn_undefined(void *data, const struct table_file *list)
{
	const struct nvoc_sources *sources = data;

	for (size_t i = 0; i < sources->undefined.count; i++) {
		const struct nvoc_class *one = &sources->undefined.items[i];

		if (view_mention((struct view){ list->text, list->size }, one->name) ||
		    nvoc_classes_mention(&sources->known, one->name))
			abi_builder_warning(list->builder, one->source,
					    "This file is missing or incomplete, because it does not define the class "
					    "%s, which the driver uses; ioctls of family %s may be missing.",
					    one->name, sources->context->family->name);
	}
}

static void nvoc_read_source(void *data, const struct table_file *file)
{
	struct nvoc_sources *sources = data;

	nvoc_scan(sources->methods, file);
	nvoc_classes_append(&sources->known, file, file->path);
}

/*
 * Reads the method tables into methods->found. Warns if they have no entry, and of each missing source of a
 * class that the driver uses: a class in the list of classes, or one that the source of a derived class
 * mentions. Other classes need no source. Return: 0; an error from reading the tree.
 */
static int methods_read_tables(struct methods *methods, struct err *err)
{
	const struct family_context *context = methods->context;
	const struct profile *profile = context->profile;
	struct nvoc_sources sources = { .context = context, .methods = &methods->found };
	size_t count;
	int rc = tables_read(&count, context, &context->family->files, nvoc_read_source, &sources, err);

	if (!rc && !methods->found.count)
		family_warn_no_table(context, count);
	else if (!rc)
		rc = nvoc_find_undefined(&sources, err);
	for (size_t i = 0; sources.undefined.count && i < profile->family_count && !rc; i++)
		if (profile->families[i].source == PROFILE_FROM_RS_ENTRY)
			rc = tables_read(&count, context, &profile->families[i].files, nvoc_warn_undefined,
					 &sources, err);
	return rc;
}

/*
 * Keeps only the first method with each number, in methods->by_id. A derived class exports the methods of its
 * base class again; for example, those of the semaphore surface are in two tables. If the parameters or flags
 * differ, there is a warning.
 */
static void methods_keep_first(struct methods *methods)
{
	for (size_t i = 0; i < methods->found.count; i++) {
		struct nvoc_method *one = &methods->found.items[i], *first;

		HASH_FIND(hh, methods->by_id, &one->id, sizeof(one->id), first);
		if (!first)
			HASH_ADD(hh, methods->by_id, id, sizeof(one->id), one);
		else if (!same_text(first->params, one->params) || first->flags != one->flags ||
			 first->access != one->access)
			abi_builder_warning(
				methods->context->builder, one->source,
				"%s has the number 0x%llx of %s at %s, but different parameters or flags, so "
				"it is left out.",
				one->func, (unsigned long long)one->id, first->func, first->source);
	}
}

/*
 * Adds the flags of the deprecated command with the number of @method, if there is one, and marks the
 * command, so that it is not added as an ioctl too. Warns if its record differs. The ioctl has the flags of
 * both: the driver calls the method if the flags of the call are not 0, and otherwise the command's function.
 */
static void methods_add_deprecated_words(struct profile_strings *flags, const struct methods *methods,
					 const struct nvoc_method *method)
{
	const struct family_context *context = methods->context;
	struct deprecated_command *deprecated;

	HASH_FIND(hh, methods->deprecated.by_number, &method->id, sizeof(method->id), deprecated);
	if (!deprecated)
		return;
	deprecated->has_method = true;
	for (size_t i = 0; i < deprecated->flags.count; i++)
		words_add(flags, deprecated->flags.item[i], context->arena);
	if (deprecated->ioctl.params && !same_text(method->params, deprecated->ioctl.params))
		abi_builder_warning(
			context->builder, deprecated->ioctl.source,
			"%s takes a %s here, but the method at %s takes a different record, which the "
			"document has.",
			deprecated->ioctl.name, deprecated->ioctl.params, method->source);
}

/* Adds @ioctl with @flags, and the flag for embedded pointers if methods->embedded has its number. */
static void methods_add_ioctl(const struct methods *methods, struct abi_ioctl ioctl,
			      struct profile_strings flags)
{
	if (embedded_has(&methods->embedded, ioctl.number))
		words_add(&flags, ABI_FLAG_EMBEDDED_POINTERS, methods->context->arena);
	ioctl.flags = flags.item;
	ioctl.flag_count = flags.count;
	family_add_ioctl(methods->context, &ioctl);
}

/* Adds a method as an ioctl, named after its macro, or after its function if it has no macro. */
static void methods_add(const struct methods *methods, const struct nvoc_method *method)
{
	struct arena *arena = methods->context->arena;
	struct profile_strings flags = { 0 }, access = { 0 };

	flag_words_add_bits(&flags, &methods->flags, method->flags, arena);
	if (method->conditional)
		words_add(&flags, ABI_FLAG_CONDITIONAL, arena);
	methods_add_deprecated_words(&flags, methods, method);
	flag_words_add_bits(&access, &methods->access, method->access, arena);
	methods_add_ioctl(methods, (struct abi_ioctl){
		.family = methods->context->family->name,
		.name = method->macro ? method->macro->name : method->func,
		.number = method->id,
		.params = method->params,
		.access = words_join(&access, arena),
		.source = method->source,
	}, flags);
}

int methods_add_family(const struct family_context *context, struct err *err)
{
	const struct profile_family *family = context->family;
	struct methods methods = { .context = context, .embedded = { .macros = context->macros } };
	int rc;

	if ((rc = methods_read_tables(&methods, err)) ||
	    (rc = tables_read_expected(context, &family->embedded, embedded_scan, &methods.embedded,
				       "commands carry embedded pointers", err)) ||
	    (rc = deprecated_read(&methods.deprecated, context, err)) ||
	    (rc = flag_words_read(&methods.flags, context, &family->flag_words, false, err)) ||
	    (rc = flag_words_read(&methods.access, context, &family->access_words, true, err)))
		goto out;
	methods_keep_first(&methods);
	methods_find_names(methods.by_id, family, context->macros);
	for (const struct nvoc_method *method = methods.by_id; method; method = method->hh.next)
		methods_add(&methods, method);
	for (const struct deprecated_command *one = methods.deprecated.by_number; one; one = one->hh.next)
		if (!one->has_method)
			methods_add_ioctl(&methods, one->ioctl, one->flags);
out:
	HASH_CLEAR(hh, methods.by_id);
	HASH_CLEAR(hh, methods.deprecated.by_number);
	return rc;
}
