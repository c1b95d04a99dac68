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

struct deprecated_scan {
	struct deprecated_commands *out;
	const char *table;
	struct statements stream;
	struct view whole; /* the whole text, with blanks for comments and literals */
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
 * Reads the members of the rows' struct from @text, the text between its braces. Return: false if a member is
 * not "TYPE NAME", or if the command or the function is missing.
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
 * reads its members.
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

/* Returns the body of the function that @func names; empty if the file does not define the function. */
static struct view deprecated_body(const struct deprecated_scan *scan, struct view func, struct arena *arena)
{
	const char *name = arena_strndup(arena, func.at, func.length);
	struct view rest = scan->whole, body = { scan->whole.at, 0 };
	const char *at;

	/* The name also occurs in the table, and possibly in declarations. */
	while ((at = view_mention(rest, name))) {
		struct statements stream = scan->stream;

		stream.at = at + func.length;
		stream.end = scan->whole.at + scan->whole.length;
		stream.is_silent = true;
		if (statements_is_at(&stream, '(') && statements_cut_group(NULL, &stream) &&
		    statements_is_at(&stream, '{') && statements_cut_group(&body, &stream))
			return body;
		rest = (struct view){ at + func.length, (size_t)(rest.at + rest.length - at) - func.length };
	}
	return (struct view){ scan->whole.at, 0 };
}

/* Checks whether @text is a function's name "f" or a macro call "F(_x)". */
static bool deprecated_is_func(struct view text)
{
	struct view name;

	if (!view_cut_name(&name, &text))
		return false;
	return !text.length || (view_cut(&text, "(") && view_cut_name(&name, &text) && view_is(text, ")"));
}

/* Reads one value of a row. Return: a description of the fault; NULL if the value is in the known format. */
static const char *deprecated_value(struct deprecated_command *command, const char **flags,
				    const struct deprecated_scan *scan,
				    const struct deprecated_member *member, struct view value)
{
	struct arena *arena = scan->stream.file->arena;
	struct view name, rest = value;

	switch (member->role) {
	case DEPRECATED_CMD:
		if (!view_cut_name(&name, &rest) || rest.length)
			return "its command is not a single name";
		command->macro = arena_strndup(arena, name.at, name.length);
		break;
	case DEPRECATED_FUNC:
		if (!deprecated_is_func(value))
			return "its function is not a single name";
		command->body = deprecated_body(scan, value, arena);
		break;
	case DEPRECATED_FLAG:
		if (view_is(value, "NV_TRUE"))
			flags[command->flag_count++] = deprecated_word(member->name, arena);
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

static void deprecated_row(struct deprecated_scan *scan, const struct view *value, size_t count,
			   unsigned line)
{
	const struct table_file *file = scan->stream.file;
	const enum branch branch = conditions_branch(&scan->stream.conditions);
	const char **flags = arena_array(file->arena, scan->member_count, sizeof(*flags));
	struct deprecated_command command = {
		.flags = flags, .conditional = branch == BRANCH_UNKNOWN,
		.source = table_file_source(file, line),
	};
	const char *wrong = NULL;

	if (branch == BRANCH_SKIPPED || branch == BRANCH_PASSED)
		return;
	for (size_t i = 0; i < scan->member_count && i < count && !wrong; i++)
		wrong = deprecated_value(&command, flags, scan, &scan->members[i], value[i]);
	if (!wrong && count != scan->member_count)
		wrong = "it does not have a value for each member of its type";
	if (wrong) {
		deprecated_malformed(scan, line, wrong);
		return;
	}
	ARRAY_GROW(scan->out->items, scan->out->count, scan->out->capacity);
	scan->out->items[scan->out->count++] = command;
}

/* Reads the rows. The stream is after the "{" of the array. @first: the line on which the array begins */
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
 * Reads the array. The stream is after the array's name. @type: the word before the array's name. Return:
 * false if this is not the definition of the array.
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
	deprecated_rows(scan, line);
	return true;
}

void deprecated_scan(void *data, const struct table_file *file)
{
	struct deprecated_commands *out = data;
	const char *table = out->table;
	struct deprecated_scan scan = { .out = out, .table = table };
	struct view before = { NULL, 0 }, word;

	statements_init(&scan.stream, file);
	scan.whole = (struct view){ scan.stream.start, file->size };
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

struct deprecated_ioctl *deprecated_ioctls_find(const struct deprecated_ioctls *list, uint64_t number)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->items[i].ioctl.number == number)
			return &list->items[i];
	return NULL;
}

/*
 * Adds the command of one row to @out, unless an earlier row has the same number. Both the profile's rules
 * and the command's function must name its parameter record; otherwise the record is NULL, with a warning.
 */
static void deprecated_add(struct deprecated_ioctls *out, const struct family_context *context,
			   const struct deprecated_command *command)
{
	const struct macro *macro = macro_find(context->macros, command->macro, NULL);
	const struct deprecated_ioctl *first;
	struct deprecated_ioctl one = {
		.ioctl = { .family = context->name, .name = command->macro, .source = command->source },
	};
	struct abi_ioctl *ioctl = &one.ioctl;
	const char *params;

	if (!macro || !macro->evaluated || macro->value.negative) {
		abi_builder_warning(context->builder, command->source,
				    "The deprecated command %s is left out: the headers give it no number.",
				    command->macro);
		return;
	}
	ioctl->number = macro->value.magnitude;
	params = params_of_macro(context, macro);
	if (!params)
		abi_builder_warning(
			context->builder, command->source,
			"No rule of the profile gives %s a record, so its parameters are unknown.",
			command->macro);
	else if (view_mention(command->body, params))
		ioctl->params = params;
	else
		abi_builder_warning(
			context->builder, command->source,
			"%s should have the parameters %s, but its function does not mention that record, so "
			"they are unknown.",
			command->macro, params);
	if ((first = deprecated_ioctls_find(out, ioctl->number))) {
		abi_builder_warning(context->builder, command->source,
				    "%s has the same number as %s at %s, so it is left out.", command->macro,
				    first->ioctl.name, first->ioctl.source);
		return;
	}
	words_add(&one.flags, ABI_FLAG_DEPRECATED, context->arena);
	for (size_t i = 0; i < command->flag_count; i++)
		words_add(&one.flags, command->flags[i], context->arena);
	if (command->conditional)
		words_add(&one.flags, ABI_FLAG_CONDITIONAL, context->arena);
	if (ioctl->params &&
	    deprecated_has_pointer(context, abi_builder_find(context->builder, ABI_RECORD, ioctl->params),
				   DEPRECATED_NESTING_MAX))
		words_add(&one.flags, ABI_FLAG_EMBEDDED_POINTERS, context->arena);
	ARRAY_GROW(out->items, out->count, out->capacity);
	out->items[out->count++] = one;
}

int deprecated_ioctls_read(struct deprecated_ioctls *out, const struct family_context *context,
			   struct err *err)
{
	const struct profile_deprecated *rule = &context->family->deprecated;
	struct deprecated_commands found = { .table = rule->table };
	int rc = tables_require(context, &rule->files, deprecated_scan, &found, "commands are deprecated",
				err);

	for (size_t i = 0; i < found.count && !rc; i++)
		deprecated_add(out, context, &found.items[i]);
	free(found.items);
	return rc;
}
