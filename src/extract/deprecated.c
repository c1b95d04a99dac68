/*
 * extract/deprecated.c - reads the deprecated commands, which a table of the driver maps to functions
 *
 * rmapi_deprecated_control.c has an array with one row for each deprecated command:
 *
 *     typedef struct { NvU32 cmd; RmDeprecatedControlHandler func; NvBool bSkipVGPU; }
 *     RmDeprecatedControlEntry; static const RmDeprecatedControlEntry rmDeprecatedControlTable[] = {
 *         { NV2080_CTRL_CMD_BIOS_GET_INFO, V2_CONVERTER(_NV2080_CTRL_CMD_BIOS_GET_INFO), NV_FALSE },
 *         { 0, NULL, NV_FALSE }
 *     };
 *
 * This format is the same in all tags from 515.43.04 to 595.45.04, except that 555.42.02 removed bSkipVGPU.
 * If the flags of a call are 0, the driver looks up the command in this table before it looks for a method
 * (RmDeprecatedGetControlHandler() in _nv04ControlWithSecInfo()).
 *
 * 1. Find the array whose name is in the profile, and the typedef of its element type, which lists the
 *    members of a row.
 * 2. Read the rows. A row has the macro of the command, a function (or a macro call with its name), and
 *    NV_TRUE or NV_FALSE for each NvBool. A member that is NV_TRUE becomes a flag, such as "skip-vgpu". A row
 *    in a different format is left out with a warning. A row with command 0 ends the table.
 * 3. Find the parameter record of each command by the profile's rules, because the table does not name it.
 *    The record is used only if the command's function mentions it too. The comment of a command's macro,
 *    which NVIDIA's tool FINN writes, is not enough: in ten releases, it names the wrong record for 568 of
 *    10,942 commands.
 */
#include "extract/internal.h"

/* The largest number of members that a row can have. */
enum { DEPRECATED_MEMBERS_MAX = 16 };

/* The meaning of a member of a row. */
enum deprecated_role {
	DEPRECATED_CMD,
	DEPRECATED_FUNC,
	DEPRECATED_FLAG,  /* an NvBool, which becomes a flag */
	DEPRECATED_OTHER, /* of unknown meaning */
};

struct deprecated_member {
	enum deprecated_role role;
	struct view name;
};

/* A function that the file defines. If several have the same name, this is the first one. */
struct deprecated_function {
	struct view name; /* can be a macro call: "V2_CONVERTER(_NV2080_CTRL_CMD_BIOS_GET_INFO)" */
	struct view body;
	UT_hash_handle hh;
};

struct deprecated_scan {
	struct deprecated_commands *out;
	const char *table;
	struct statements stream;
	struct deprecated_function *functions; /* hash table (uthash) by name */
	struct deprecated_member members[DEPRECATED_MEMBERS_MAX];
	size_t member_count;
};

static void deprecated_malformed(const struct deprecated_scan *scan, unsigned line, const char *what)
{
	table_file_warn(scan->stream.file, line, "This row of %s is left out: %s.", scan->table, what);
}

/* Makes a flag from the name of a member: "skip-vgpu" from "bSkipVGPU". */
static const char *deprecated_word(struct view name, struct arena *arena)
{
	char *word = arena_alloc(arena, 2 * name.length + 1), *to = word;

	if (name.length > 1 && name.at[0] == 'b')
		name = (struct view){ name.at + 1, name.length - 1 };
	for (size_t i = 0; i < name.length; i++) {
		char ch = name.at[i];
		bool is_upper = ch >= 'A' && ch <= 'Z';

		if (i && is_upper && name.at[i - 1] >= 'a' && name.at[i - 1] <= 'z')
			*to++ = '-';
		*to++ = ch == '_' ? '-' : is_upper ? (char)(ch + ('a' - 'A')) : ch;
	}
	*to = '\0';
	return word;
}

/*
 * Reads the members of the rows' struct from @text, the text between its braces, into scan->members. Return:
 * false if a member is not "TYPE NAME", if the command or the function is missing, or if there are too many.
 */
static bool deprecated_members(struct deprecated_scan *scan, struct view text)
{
	bool has_cmd = false, has_func = false;

	for (scan->member_count = 0; text.length; scan->member_count++) {
		const char *semicolon = memchr(text.at, ';', text.length);
		struct view member, type, name;

		if (!semicolon || scan->member_count == DEPRECATED_MEMBERS_MAX)
			return false;
		member = view_trim((struct view){ text.at, (size_t)(semicolon - text.at) });
		if (!view_cut_name(&type, &member) || !view_cut_name(&name, &member) || member.length)
			return false;
		scan->members[scan->member_count] = (struct deprecated_member){
			.role = view_is(name, "cmd")    ? DEPRECATED_CMD :
				view_is(name, "func")   ? DEPRECATED_FUNC :
				view_is(type, "NvBool") ? DEPRECATED_FLAG :
							  DEPRECATED_OTHER,
			.name = name,
		};
		has_cmd = has_cmd || view_is(name, "cmd");
		has_func = has_func || view_is(name, "func");
		text = view_trim(
			(struct view){ semicolon + 1, text.length - (size_t)(semicolon - text.at) - 1 });
	}
	return has_cmd && has_func;
}

/*
 * Finds the definition of the rows' type, "typedef struct TAG { ... } TYPE;", which is before the table, and
 * reads its members into scan->members. Return: false if there is no such definition with known members.
 */
static bool deprecated_find_type(struct deprecated_scan *scan, struct view type)
{
	struct statements before = {
		.file = scan->stream.file, .at = scan->stream.start, .end = scan->stream.at, .line = 1,
		.is_silent = true,
	};
	struct view word, inside;

	while (statements_next_name(&word, &before)) {
		struct statements stream = before;

		if (!view_is(word, "typedef") || !statements_cut_name(&word, &stream) ||
		    !view_is(word, "struct"))
			continue;
		statements_cut_name(&word, &stream);
		if (statements_is_at(&stream, '{') && statements_cut_group(&inside, &stream) &&
		    statements_cut_name(&word, &stream) && statements_cut(&stream, ';') &&
		    view_equal(word, type) && deprecated_members(scan, inside))
			return true;
	}
	return false;
}

/*
 * Adds the functions that the file defines to scan->functions, because their bodies show which records the
 * commands take. A function is a name or macro call, parentheses and a block; "if (...) { ... }" is one too.
 */
static void deprecated_find_functions(struct deprecated_scan *scan)
{
	const struct table_file *file = scan->stream.file;
	struct statements at = {
		.file = file, .at = scan->stream.start, .end = scan->stream.end, .is_silent = true,
	};
	struct deprecated_function one, *found;

	while (statements_next_name(&one.name, &at)) {
		struct statements stream = at;
		const char *end = at.at;

		while (statements_is_at(&stream, '(') && statements_cut_group(NULL, &stream)) {
			one.name.length = (size_t)(end - one.name.at);
			end = stream.at;
		}
		if (end == at.at || !statements_is_at(&stream, '{') ||
		    !statements_cut_group(&one.body, &stream))
			continue;
		HASH_FIND(hh, scan->functions, one.name.at, one.name.length, found);
		if (found)
			continue;
		found = arena_memdup(file->arena, &one, sizeof(one));
		HASH_ADD_KEYPTR(hh, scan->functions, found->name.at, found->name.length, found);
	}
}

/* Checks whether @text, the function of a row, is a name, "f", or a macro call, "F(_x)". */
static bool deprecated_is_func(struct view text)
{
	struct view name;

	if (!view_cut_name(&name, &text))
		return false;
	return !text.length || (view_cut(&text, "(") && view_cut_name(&name, &text) && view_is(text, ")"));
}

/* Reads one value of a row into @command. Return: a description of the fault; NULL if the format is known. */
static const char *deprecated_value(struct deprecated_command *command, const struct deprecated_scan *scan,
				    const struct deprecated_member *member, struct view value)
{
	struct arena *arena = scan->stream.file->arena;
	const struct deprecated_function *function;
	struct view name, rest = value;

	switch (member->role) {
	case DEPRECATED_CMD:
		if (!view_cut_name(&name, &rest) || rest.length)
			return "its command is not a single name";
		command->ioctl.name = arena_strndup(arena, name.at, name.length);
		break;
	case DEPRECATED_FUNC:
		if (!deprecated_is_func(value))
			return "its function is not a single name";
		HASH_FIND(hh, scan->functions, value.at, value.length, function);
		command->body = function ? function->body : view_of("");
		break;
	case DEPRECATED_FLAG:
		if (view_is(value, "NV_TRUE"))
			words_add(&command->flags, deprecated_word(member->name, arena), arena);
		else if (!view_is(value, "NV_FALSE"))
			return "one of its NvBools is neither NV_TRUE nor NV_FALSE";
		break;
	case DEPRECATED_OTHER:
		break;
	}
	return NULL;
}

/* Checks whether the row is the row that ends the table. @value: its @count values */
static bool deprecated_is_last(const struct deprecated_scan *scan, const struct view *value, size_t count)
{
	for (size_t i = 0; i < scan->member_count && i < count; i++)
		if (view_is(value[i], "0") && scan->members[i].role == DEPRECATED_CMD)
			return true;
	return false;
}

/*
 * Appends the command of a row, whose @count values are @value, to scan->out. Ignores a row that is not
 * compiled, and leaves out a row in an unknown format with a warning.
 */
static void deprecated_row(struct deprecated_scan *scan, const struct view *value, size_t count,
			   unsigned line)
{
	const struct table_file *file = scan->stream.file;
	const enum branch branch = conditions_branch(&scan->stream.conditions);
	struct deprecated_command command = { .ioctl.source = table_file_source(file, line) };
	struct deprecated_commands *out = scan->out;
	const char *wrong = NULL;

	if (branch == BRANCH_SKIPPED || branch == BRANCH_PASSED)
		return;
	for (size_t i = 0; i < scan->member_count && i < count && !wrong; i++)
		wrong = deprecated_value(&command, scan, &scan->members[i], value[i]);
	if (!wrong && count != scan->member_count)
		wrong = "it does not have a value for each member of its type";
	if (wrong) {
		deprecated_malformed(scan, line, wrong);
		return;
	}
	if (branch == BRANCH_UNKNOWN)
		words_add(&command.flags, ABI_FLAG_CONDITIONAL, file->arena);
	out->items = arena_room(file->arena, out->items, out->count, sizeof(*out->items));
	out->items[out->count++] = command;
}

/* Reads the rows after the "{" of the array at line @first, up to "}". Stops with a warning at other text. */
static void deprecated_rows(struct deprecated_scan *scan, unsigned first)
{
	struct statements *stream = &scan->stream;
	bool has_ended = false;

	while (statements_skip(stream) && *stream->at != '}') {
		struct view row, value[DEPRECATED_MEMBERS_MAX];
		unsigned line = stream->line;
		size_t count;

		if (*stream->at != '{' || !statements_cut_group(&row, stream))
			break;
		count = table_split(value, DEPRECATED_MEMBERS_MAX, row);
		if (count <= DEPRECATED_MEMBERS_MAX && !value[count - 1].length) /* after a last comma */
			count--;
		if (has_ended)
			deprecated_malformed(scan, line, "it comes after the row that ends the table");
		else if (deprecated_is_last(scan, value, count))
			has_ended = true;
		else
			deprecated_row(scan, value, count, line);
		if (!statements_cut(stream, ',') && (stream->at == stream->end || *stream->at != '}'))
			break;
	}
	if (stream->at == stream->end || *stream->at != '}')
		table_file_warn(
			stream->file, first,
			"From line %u on, %s is not a list of rows; deprecated commands may be missing.",
			stream->line, scan->table);
}

/*
 * Reads the array: the type of its rows, the file's functions and the rows. If the type is not understood,
 * only warns. The stream is after the name, and @type is the word before it. Return: false if this is not the
 * definition of the array.
 */
static bool deprecated_table(struct deprecated_scan *scan, struct view type, unsigned line)
{
	struct statements *stream = &scan->stream;

	if (!type.length || !statements_cut(stream, '[') || !statements_cut(stream, ']') ||
	    !statements_cut(stream, '=') || !statements_cut(stream, '{'))
		return false;
	if (!deprecated_find_type(scan, type)) {
		table_file_warn(
			stream->file, line,
			"The type of the rows of %s is not understood, so deprecated commands are missing.",
			scan->table);
		return true;
	}
	for (size_t i = 0; i < scan->member_count; i++) {
		const struct view name = scan->members[i].name;

		if (scan->members[i].role == DEPRECATED_OTHER)
			table_file_warn(
				stream->file, line,
				"The rows of %s have a member %.*s, whose meaning is unknown.",
				scan->table, (int)(name.length < 200 ? name.length : 200), name.at);
	}
	deprecated_find_functions(scan);
	deprecated_rows(scan, line);
	HASH_CLEAR(hh, scan->functions);
	return true;
}

void deprecated_scan(void *data, const struct table_file *file)
{
	struct deprecated_commands *out = data;
	const char *table = out->table;
	struct deprecated_scan scan = { .out = out, .table = table };
	struct view before = { NULL, 0 }, word;

	statements_init(&scan.stream, file);
	while (statements_next_name(&word, &scan.stream)) {
		if (view_is(word, table) && deprecated_table(&scan, before, scan.stream.line))
			return;
		before = word;
	}
	table_file_warn(
		file, 0,
		"No array %s is defined in this file, so it is unknown which commands are deprecated.",
		table);
}

/* The largest depth of nested records that is searched for pointers. */
enum { DEPRECATED_NESTING_MAX = 16 };

/*
 * Checks whether @record, or a record inside it, has a field with the role of a pointer, so that the command
 * gets the flag for embedded pointers. @record: can be NULL; @depth: number of levels of records to search
 */
static bool deprecated_has_pointer(const struct family_context *context, const struct abi_record *record,
				   unsigned depth)
{
	for (size_t i = 0; record && depth && i < record->field_count; i++) {
		const char *type = record->fields[i].type;
		const size_t length = strcspn(type, "[");

		if (record->fields[i].role == ABI_ROLE_POINTER)
			return true;
		if (type[length]) /* an array: look at the type of its elements */
			type = arena_strndup(context->arena, type, length);
		if (deprecated_has_pointer(context, abi_builder_find(context->builder, ABI_RECORD, type),
					   depth - 1))
			return true;
	}
	return false;
}

/*
 * Completes the command of one row, and adds it to @out->by_number. It is left out, with a warning, if its
 * number is unknown or an earlier row has the same number. Both the profile's rules and the command's
 * function must name its parameter record; otherwise the record is NULL, with a warning.
 */
static void deprecated_add(struct deprecated_commands *out, const struct family_context *context,
			   struct deprecated_command *command)
{
	struct abi_ioctl *ioctl = &command->ioctl;
	const struct macro *macro = macro_find(context->macros, ioctl->name, NULL);
	const struct deprecated_command *first;
	const char *params;

	if (!macro || !macro->evaluated || macro->value.negative) {
		abi_builder_warning(context->builder, ioctl->source,
				    "The deprecated command %s is left out: the headers give it no number.",
				    ioctl->name);
		return;
	}
	ioctl->family = context->family->name;
	ioctl->number = macro->value.magnitude;
	params = params_of_macro(context, macro);
	if (!params)
		abi_builder_warning(
			context->builder, ioctl->source,
			"No rule of the profile gives %s a record, so its parameters are unknown.",
			ioctl->name);
	else if (view_mention(command->body, params))
		ioctl->params = params;
	else
		abi_builder_warning(
			context->builder, ioctl->source,
			"%s should have the parameters %s, but its function does not mention that record, so "
			"they are unknown.",
			ioctl->name, params);
	HASH_FIND(hh, out->by_number, &ioctl->number, sizeof(ioctl->number), first);
	if (first) {
		abi_builder_warning(context->builder, ioctl->source,
				    "%s has the same number as %s at %s, so it is left out.", ioctl->name,
				    first->ioctl.name, first->ioctl.source);
		return;
	}
	words_add(&command->flags, ABI_FLAG_DEPRECATED, context->arena);
	if (ioctl->params &&
	    deprecated_has_pointer(context, abi_builder_find(context->builder, ABI_RECORD, ioctl->params),
				   DEPRECATED_NESTING_MAX))
		words_add(&command->flags, ABI_FLAG_EMBEDDED_POINTERS, context->arena);
	HASH_ADD_KEYPTR(hh, out->by_number, &ioctl->number, sizeof(ioctl->number), command);
}

int deprecated_read(struct deprecated_commands *out, const struct family_context *context, struct err *err)
{
	const struct profile_deprecated *rule = &context->family->deprecated;
	int rc;

	out->table = rule->table;
	rc = tables_read_expected(context, &rule->files, deprecated_scan, out, "commands are deprecated",
				  err);
	for (size_t i = 0; i < out->count && !rc; i++)
		deprecated_add(out, context, &out->items[i]);
	return rc;
}
