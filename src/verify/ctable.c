/*
 * verify/ctable.c - make the table of a proxy that is written in C, from its header and a map
 *
 * Every record, typedef and enum of the header becomes a type of the table. Each line of the map relates a
 * struct of the proxy to a struct of the driver, and becomes an entry or a part of an entry.
 */
#include "verify/internal.h"

/* In the table, this is the type of every field that is declared as a pointer without a typedef. */
#define POINTER_TYPE "void *"

/* The table that is being made. */
struct making {
	const struct ctable_map *map;
	const struct abi *abi;
	const struct ctable_head *head;
	struct table_type *types;
	struct table table;
	struct arena *arena;
	struct err *err;
};

/* The fields of one struct, in the form that the table needs. */
struct field_list {
	struct table_field *item;
	size_t count;
	struct arena *arena;
	bool is_bits;       /* the last field is the storage of bit-fields */
	uint64_t end_bytes; /* where that storage ends, from the start of the struct */
	uint64_t unit_bytes; /* the width with which these bit-fields were declared; 0 if widths differ */
};

static bool is_integer_width(uint64_t bytes)
{
	return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
}

/* Spells an array of bytes, even if @bytes is the width of an integer. */
static const char *byte_array(uint64_t bytes, struct arena *arena)
{
	return arena_printf(arena, "uint8[%" PRIu64 "]", bytes);
}

static const char *unsigned_word(uint64_t bytes, struct arena *arena)
{
	return is_integer_width(bytes) ? arena_printf(arena, "uint%" PRIu64, bytes * 8)
				       : byte_array(bytes, arena);
}

/* Spells a scalar as a table does: "int32", or "uint8[16]" if no integer type has its width. */
static const char *scalar_word(const struct abi_type *type, struct arena *arena)
{
	switch (type->scalar) {
	case ABI_I8:
	case ABI_I16:
	case ABI_I32:
	case ABI_I64:
		return arena_printf(arena, "int%" PRIu64, type->element_bytes * 8);
	case ABI_BOOL:
		return "bool";
	case ABI_POINTER:
		return POINTER_TYPE;
	case ABI_U8:
	case ABI_U16:
	case ABI_U32:
	case ABI_U64:
	case ABI_CHAR:
	case ABI_ENUMERATION:
	case ABI_BYTES:
		return unsigned_word(type->element_bytes, arena);
	}
	return "";
}

/*
 * Spells a type for the table without typedefs of the header: basic types, names of structs, and dimensions.
 * A union, or an array of unions, becomes an array of bytes.
 */
static const char *plain_spelling(const struct abi_type *type, struct arena *arena)
{
	const char *element, *spelled;
	size_t length;

	if (type->record &&
	    type->record->is_union) /* all elements of an array of unions become one array of bytes */
		return byte_array(type->element_bytes * type->count, arena);
	element = type->record ? type->record->name : scalar_word(type, arena);
	length = strcspn(element, "["); /* the dimensions of @type come before those of the element */
	spelled = arena_strndup(arena, element, length);
	for (size_t i = 0; i < type->dimension_count; i++)
		spelled = arena_printf(arena, "%s[%" PRIu64 "]", spelled, type->dimension[i]);
	return arena_printf(arena, "%s%s", spelled, element + length);
}

/*
 * Returns the role of a type of the proxy: that of its "type" line, or else pointer or handle if a rule of
 * the profile for the type says so, or else ABI_ROLE_NONE. Rules of the profile that name a field or a record
 * describe the driver, so they are not used: the proxy itself must state which pointers it follows.
 */
static enum abi_role role_of(const struct making *making, const char *name)
{
	enum abi_role role;

	name += begins(name, "const ") ? strlen("const ") : 0;
	for (size_t i = 0; i < making->map->role_count; i++)
		if (!strcmp(making->map->role[i].type, name))
			return making->map->role[i].role;
	role = profile_role_of(making->head->profile, "", "", (const char *const[]){ name, NULL });
	return role == ABI_ROLE_POINTER || role == ABI_ROLE_HANDLE ? role : ABI_ROLE_NONE;
}

static void push_field(struct field_list *fields, const char *name, const char *type, uint64_t offset_bytes)
{
	fields->item = arena_room(fields->arena, fields->item, fields->count, sizeof(*fields->item));
	fields->item[fields->count++] = (struct table_field){ name, type, offset_bytes };
	fields->is_bits = false;
}

/*
 * Appends a bit-field, or adds it to the last field if that is the storage of adjacent bit-fields, because
 * verify requires only that each bit-field of the driver is inside a field of the proxy. The storage is an
 * array of bytes, or an integer that it fills exactly. @unit_bytes: the size of the declared type
 */
static void push_bits(struct field_list *fields, const struct making *making, const struct abi_field *field,
		      uint64_t unit_bytes, uint64_t base_bytes)
{
	uint64_t from = base_bytes + field->offset_bits / 8,
		 end = base_bytes + (field->offset_bits + field->size_bits + 7) / 8;
	struct table_field *run;

	if (!fields->is_bits || from > fields->end_bytes) {
		push_field(fields, field->name, NULL, from);
		fields->is_bits = true;
		fields->unit_bytes = unit_bytes;
		fields->end_bytes = end;
	}
	run = &fields->item[fields->count - 1];
	if (end > fields->end_bytes)
		fields->end_bytes = end;
	if (fields->unit_bytes != unit_bytes)
		fields->unit_bytes = 0;
	end = fields->end_bytes - run->offset_bytes;
	run->type = fields->unit_bytes == end && is_integer_width(end) && !(run->offset_bytes % end)
			    ? unsigned_word(end, making->arena)
			    : byte_array(end, making->arena);
}

/* Names an unnamed union after its first member, for reports. */
static const char *first_name(const struct abi_record *record)
{
	for (size_t i = 0; i < record->field_count; i++)
		if (*record->fields[i].name)
			return record->fields[i].name;
	return "union";
}

static int push_member(struct field_list *fields, struct making *making, const struct abi_field *field,
		       uint64_t base_bytes);

static int push_members(struct field_list *fields, struct making *making, const struct abi_record *record,
			uint64_t base_bytes)
{
	int rc = 0;

	for (size_t i = 0; i < record->field_count && !rc; i++)
		rc = push_member(fields, making, &record->fields[i], base_bytes);
	return rc;
}

/*
 * Appends the fields for a member of a record that begins at @base_bytes of the whole type. A member that is
 * an unnamed struct is replaced by its members. Padding bit-fields and arrays without elements are left out.
 */
static int push_member(struct field_list *fields, struct making *making, const struct abi_field *field,
		       uint64_t base_bytes)
{
	const char *name = field->name, *spelled = field->type;
	struct abi_spelling spelling;
	struct abi_type type;
	int rc;

	if ((rc = abi_resolve_type(&type, making->abi, field->type, making->err)))
		return rc;
	if (field->is_bitfield) {
		if (*field->name && field->size_bits) /* C: other bit-fields are padding */
			push_bits(fields, making, field, type.element_bytes, base_bytes);
		return 0;
	}
	base_bytes += field->offset_bits / 8;
	if (type.record && !*name && !type.record->is_union)
		return push_members(fields, making, type.record, base_bytes);
	if (!type.count || !type.element_bytes)
		return 0;
	if ((rc = abi_spelling_parse(&spelling, spelled, making->err)))
		return rc;
	/* Keep the header's spelling only if it has the same meaning in a table. */
	if (spelling.dimension_count != type.dimension_count ||
	    table_word_find(spelling.base, spelling.base_length) || (type.record && type.record->is_union))
		spelled = plain_spelling(&type, making->arena);
	push_field(fields, type.record && !*name ? first_name(type.record) : name, spelled, base_bytes);
	return 0;
}

/* Adds the type of a record of the header to the table. A union becomes an alias of an array of bytes. */
static int add_record_type(struct making *making, const struct abi_record *record)
{
	struct table_type type = { .name = record->name,
				   .size_bytes = record->size_bytes,
				   .role = role_of(making, record->name) };
	struct field_list fields = { .arena = making->arena };
	int rc = 0;

	if (record->is_union) {
		type.alias = byte_array(record->size_bytes, making->arena);
	} else if (!(rc = push_members(&fields, making, record, 0))) {
		type.fields = fields.item;
		type.field_count = fields.count;
	}
	if (rc)
		err_prefix(making->err, "%s: %s", record->source, record->name);
	else
		making->types[making->table.type_count++] = type;
	return rc;
}

/*
 * Adds the typedef @name to the table, as an alias of a type without other typedefs. A pointer becomes an
 * integer with the pointer role. A typedef without a size, or named like a table's basic type, is left out.
 */
static int add_alias(struct making *making, const char *name)
{
	struct table_type out = { .name = name, .role = role_of(making, name) };
	struct abi_type type;
	int rc;

	if (table_word_find(name, strlen(name)))
		return 0;
	if ((rc = abi_resolve_type(&type, making->abi, name, making->err)))
		return rc;
	out.size_bytes = type.element_bytes * type.count;
	if (!out.size_bytes) /* "void" or a function: no field has such a type */
		return 0;
	out.alias = plain_spelling(&type, making->arena);
	if (!type.record && type.scalar == ABI_POINTER && !type.dimension_count) {
		out.role = ABI_ROLE_POINTER;
		out.alias = unsigned_word(out.size_bytes, making->arena);
	}
	making->types[making->table.type_count++] = out;
	return 0;
}

/*
 * Adds every record, typedef and enum of the header to the table, and the type of pointers without a typedef.
 * Sorts the types. Return: 0; ERR_FORMAT if a "type" line names none of them; an error of abi_resolve_type().
 */
static int add_types(struct making *making)
{
	const struct abi *abi = making->abi;
	int rc = 0;

	making->types = arena_array(making->arena, abi->record_count + abi->alias_count + 1,
				    sizeof(*making->types));
	/*
	 * Records first: if a tag and a typedef of a different type have the same name, the name means the
	 * record, as in the document.
	 */
	for (size_t i = 0; i < abi->record_count && !rc; i++)
		rc = add_record_type(making, &abi->records[i]);
	for (size_t i = 0; i < abi->alias_count && !rc; i++)
		if (!abi_find_record(abi, abi->aliases[i].name))
			rc = add_alias(making, abi->aliases[i].name);
	if (rc)
		return rc;
	if (!abi_find_alias(abi, POINTER_TYPE))
		making->types[making->table.type_count++] = (struct table_type){
			.name = POINTER_TYPE, .size_bytes = 8, .alias = "uint64", .role = ABI_ROLE_POINTER
		};
	sort_items(making->types, making->table.type_count, sizeof(*making->types), order_named);
	making->table.types = making->types;
	for (size_t i = 0; i < making->map->role_count; i++)
		if (!table_find_type(&making->table, making->map->role[i].type))
			return err_set(making->err, ERR_FORMAT, "%s: no struct of the proxy uses the type %.200s",
				       making->map->role[i].source, making->map->role[i].type);
	return 0;
}

/* --- the lines that relate structs of the proxy to those of the driver ---------------------- */

enum { WORDS_MAX = 5 };

#define BLANKS " \t\r\v\f"

/* A line, split into words. */
struct line_words {
	const char *source, *file;
	unsigned number;
	char *word[WORDS_MAX + 1];
	size_t count;
	struct arena *arena;
	struct err *err;
};

static int expect_identifier(const struct line_words *line, const char *word, const char *what)
{
	if (view_is_name(view_of(word)))
		return 0;
	return err_set(line->err, ERR_FORMAT, "%s: '%.100s' is not a valid C identifier, so it cannot be a %s",
		       line->source, word, what);
}

/* Splits "A,B" in place into sorted capabilities. Return: 0; ERR_FORMAT if one is empty or repeated. */
static int parse_caps(struct ctable_line *out, const struct line_words *line, char *word)
{
	const char **caps = arena_array(line->arena, strlen(word) + 1, sizeof(*caps));
	char *cap;

	while ((cap = strsep(&word, ","))) {
		if (!*cap)
			return err_set(
				line->err, ERR_FORMAT,
				"%s: a capability is empty; separate capabilities with one comma, without blanks",
				line->source);
		caps[out->cap_count++] = cap;
	}
	sort_items(caps, out->cap_count, sizeof(*caps), order_named);
	for (size_t i = 1; i < out->cap_count; i++)
		if (!strcmp(caps[i - 1], caps[i]))
			return err_set(line->err, ERR_FORMAT, "%s: the capability '%.60s' appears twice",
				       line->source, caps[i]);
	out->caps = caps;
	return 0;
}

/*
 * Parses "CONSTANT", "CONSTANT=42" or "CONSTANT=OTHER_NAME": sets the constant of @out, and its number or the
 * name of the proxy's macro for the number. Changes @word. Return: 0; ERR_FORMAT.
 */
static int parse_constant(struct ctable_line *out, const struct line_words *line, char *word)
{
	char *value = strchr(word, '='), *end;
	int rc;

	if (value)
		*value++ = '\0';
	if ((rc = expect_identifier(line, word, "macro of the driver")))
		return rc;
	out->constant = word;
	if (!value || !isdigit((unsigned char)*value)) {
		out->number_name = value ? value : word;
		return expect_identifier(line, out->number_name, "macro of the proxy");
	}
	errno = 0;
	out->number = strtoull(value, &end, 0);
	if (errno || *end || out->number > UINT32_MAX)
		return err_set(line->err, ERR_FORMAT, "%s: '%.60s' is not a number from 0 to 0xffffffff",
			       line->source, value);
	return 0;
}

/*
 * Parses "FAMILY CONSTANT[=VALUE] DRIVER_STRUCT PROXY_STRUCT [CAP,...]", and adds it to the map. VALUE is a
 * number, or the name of the proxy's macro that has it; without VALUE, the macro is called CONSTANT.
 */
static int parse_entry_line(struct ctable_map *map, const struct line_words *line)
{
	struct ctable_line out = { .source = line->source,
				   .file = line->file,
				   .line = line->number,
				   .order = map->line_count,
				   .family = line->word[0] };
	char *driver = line->word[2], *proxy = line->word[3];
	int rc;

	if (line->count < 4 || line->count > WORDS_MAX)
		return err_set(
			line->err, ERR_FORMAT,
			"%s: expected FAMILY CONSTANT DRIVER_STRUCT PROXY_STRUCT [CAP,...], found %s words",
			line->source, line->count < 4 ? "fewer" : "more");
	out.driver = strcmp(driver, "-") ? driver : NULL;
	out.proxy = strcmp(proxy, "-") ? proxy : NULL;
	if (out.proxy && !out.driver)
		return err_set(line->err, ERR_FORMAT,
			       "%s: %s needs a struct of the driver; name it, or write '-' for both structs", line->source,
			       proxy);
	if ((rc = parse_constant(&out, line, line->word[1])) ||
	    (out.proxy && (rc = expect_identifier(line, proxy, "struct of the proxy"))) ||
	    (line->count == WORDS_MAX && (rc = parse_caps(&out, line, line->word[4]))))
		return rc;
	map->line = arena_room(line->arena, map->line, map->line_count, sizeof(*map->line));
	map->line[map->line_count++] = out;
	return 0;
}

/* Parses "type NAME pointer" or "type NAME handle", and adds it to the map. A type can have only one role. */
static int parse_role_line(struct ctable_map *map, const struct line_words *line)
{
	struct ctable_role out = { .source = line->source, .type = line->word[1] };

	if (line->count != 3)
		return err_set(line->err, ERR_FORMAT, "%s: expected: type NAME pointer, or: type NAME handle",
			       line->source);
	if (!abi_role_parse(&out.role, line->word[2]) ||
	    (out.role != ABI_ROLE_POINTER && out.role != ABI_ROLE_HANDLE))
		return err_set(line->err, ERR_FORMAT, "%s: the role of a type is pointer or handle, not '%.60s'",
			       line->source, line->word[2]);
	for (size_t i = 0; i < map->role_count; i++)
		if (!strcmp(map->role[i].type, out.type))
			return err_set(line->err, ERR_FORMAT,
				       "%s: %s has already given the type %.100s a role", line->source,
				       map->role[i].source, out.type);
	map->role = arena_room(line->arena, map->role, map->role_count, sizeof(*map->role));
	map->role[map->role_count++] = out;
	return 0;
}

/* Splits @text into words, and overwrites it. Stops after one word more than a line can have. */
static void split_words(struct line_words *line, char *text)
{
	char *rest, *word = strtok_r(text, BLANKS, &rest);

	for (; word && line->count <= WORDS_MAX; word = strtok_r(NULL, BLANKS, &rest))
		line->word[line->count++] = word;
}

/*
 * Returns a copy of the part of a line that is for drvabi: in a header, the text after "drvabi:" to the end
 * of the comment; in a map file, the line up to '#'. NULL if the line of a header has no such part.
 */
static char *own_text(const char *text, size_t length, enum ctable_kind kind, struct arena *arena)
{
	static const char mark[] = "drvabi:";
	const char *own = kind == CTABLE_MAP ? text : memmem(text, length, mark, strlen(mark));
	char *line;

	if (!own)
		return NULL;
	own += kind == CTABLE_MAP ? 0 : strlen(mark);
	line = arena_strndup(arena, own, (size_t)(text + length - own));
	if (kind == CTABLE_MAP)
		line[strcspn(line, "#")] = '\0';
	else if (strstr(line, "*/"))
		*strstr(line, "*/") = '\0';
	return line;
}

/* Are the words those of a line, "type NAME ROLE" or "FAMILY CONSTANT ...", with a constant in capitals? */
static bool looks_like_line(const struct line_words *line)
{
	enum abi_role role;

	if (line->count == 3)
		return !strcmp(line->word[0], "type") && abi_role_parse(&role, line->word[2]);
	return line->count >= 4 && line->count <= WORDS_MAX &&
	       strcspn(line->word[1], "abcdefghijklmnopqrstuvwxyz") >= strcspn(line->word[1], "=");
}

/*
 * Fails if a comment of the header begins with "drvabi" and is a line for drvabi except that the colon is
 * missing or after a blank, because ctable_read() would ignore the line. A sentence about drvabi is accepted.
 */
static int check_colon(const char *text, size_t length, const struct line_words *where)
{
	static const char mark[] = "drvabi";
	const char *end = text + length, *at = memmem(text, length, mark, strlen(mark)), *before;
	struct line_words line = { .arena = where->arena };
	char *own;

	while (at && (at + strlen(mark) == end || !strchr(BLANKS, at[strlen(mark)])))
		at = memmem(at + strlen(mark), (size_t)(end - at) - strlen(mark), mark, strlen(mark));
	if (!at)
		return 0;
	for (before = at; before > text && strchr(BLANKS, before[-1]);)
		before--;
	if (before == text || !strchr("*/", before[-1]))
		return 0;
	own = arena_strndup(where->arena, at + strlen(mark), (size_t)(text + length - at) - strlen(mark));
	if (strstr(own, "*/"))
		*strstr(own, "*/") = '\0';
	split_words(&line, own + (own[strspn(own, BLANKS)] == ':' ? strspn(own, BLANKS) + 1 : 0));
	if (!looks_like_line(&line))
		return 0;
	return err_set(where->err, ERR_FORMAT,
		       "%s:%u: a line for drvabi begins with \"drvabi:\"; write the colon directly after drvabi",
		       where->file, where->number);
}

int ctable_read(struct ctable_map *map, const char *text, enum ctable_kind kind, const char *name,
		struct arena *arena, struct err *err)
{
	const char *file = arena_strdup(arena, name);
	unsigned number = 1;
	int rc = 0;

	for (; *text && !rc; number++) {
		size_t length = strcspn(text, "\n");
		char *own = own_text(text, length, kind, arena);
		struct line_words line = { .file = file, .number = number, .arena = arena, .err = err };

		if (!own && kind == CTABLE_HEADER)
			rc = check_colon(text, length, &line);
		text += length + (text[length] == '\n');
		if (own)
			split_words(&line, own);
		if (!own || (!line.count && kind == CTABLE_MAP))
			continue;
		line.source = arena_printf(arena, "%s:%u", name, number);
		rc = line.count && !strcmp(line.word[0], "type") ? parse_role_line(map, &line)
								 : parse_entry_line(map, &line);
	}
	return rc;
}

/* Sorts @names in place and removes duplicates. Return: the names that remain, in the same array. */
static struct profile_strings sorted_unique(const char **names, size_t count)
{
	size_t unique_count = 0;

	sort_items(names, count, sizeof(*names), order_named);
	for (size_t i = 0; i < count; i++)
		if (!unique_count || strcmp(names[unique_count - 1], names[i]))
			names[unique_count++] = names[i];
	return (struct profile_strings){ names, unique_count };
}

void ctable_wanted(struct profile_strings *types, struct profile_strings *numbers,
		   const struct ctable_map *map, struct arena *arena)
{
	const char **type = arena_array(arena, map->line_count + 1, sizeof(*type));
	const char **number = arena_array(arena, map->line_count + 1, sizeof(*number));
	size_t type_count = 0, number_count = 0;

	for (size_t i = 0; i < map->line_count; i++) {
		if (map->line[i].proxy)
			type[type_count++] = map->line[i].proxy;
		if (map->line[i].number_name)
			number[number_count++] = map->line[i].number_name;
	}
	*types = sorted_unique(type, type_count);
	*numbers = sorted_unique(number, number_count);
}

/* Orders lines by entry, then as in the file: fill_node() makes one entry of adjacent lines. */
static int compare_map_lines(const void *a, const void *b)
{
	const struct ctable_line *x = a, *y = b;

	return strcmp(x->family, y->family) ?: strcmp(x->constant, y->constant)
		?: compare_numbers(x->order, y->order);
}

static int check_family_name(const struct making *making, const struct ctable_line *line)
{
	const struct profile *profile = making->head->profile;
	const char *known = "";

	for (size_t i = 0; i < profile->family_count; i++)
		if (!strcmp(profile->families[i].name, line->family))
			return 0;
	for (size_t i = 0; i < profile->family_count; i++)
		known = arena_printf(making->arena, "%s%s%s", known, i ? ", " : "",
				     profile->families[i].name);
	return err_set(making->err, ERR_FORMAT, "%s: unknown family '%.100s'; the profile %s has %s",
		       line->source, line->family, profile->name, *known ? known : "none");
}

/*
 * Finds the number of a line: that in the line, or the value of a macro or enumerator of the header. Return:
 * 0; ERR_FORMAT if the header does not have the macro or enumerator, or its value does not fit 32 bits.
 */
static int proxy_number(uint64_t *out, const struct making *making, const struct ctable_line *line)
{
	const struct abi_constant *constant;
	char text[ABI_NOTATION_BYTES];

	*out = line->number;
	if (!line->number_name)
		return 0;
	constant = abi_find_constant(making->abi, line->number_name);
	if (!constant)
		return err_set(
			making->err, ERR_FORMAT,
			"%s: %s has no macro or enumerator %.200s that is an integer, so the proxy's number "
			"is not known; write %.200s=NUMBER",
			line->source, making->head->path, line->number_name, line->constant);
	if (constant->value.negative || constant->value.magnitude > UINT32_MAX)
		return err_set(making->err, ERR_FORMAT,
			       "%s: %.200s is %s, but an ioctl number has 32 bits", line->source,
			       line->number_name, abi_constant_number(constant, text));
	*out = constant->value.magnitude;
	return 0;
}

/*
 * Checks a further line of an entry against the earlier ones, from @first on. Return: 0; ERR_FORMAT if number
 * or capabilities differ, if two lines have the same struct of the driver, or if one of them has none.
 */
static int check_more(const struct making *making, const struct table_entry *entry,
		      const struct ctable_line *first, const struct ctable_line *line, uint64_t number)
{
	if (number != entry->number)
		return err_set(making->err, ERR_FORMAT, "%s: %.200s has a different number at %s", line->source,
			       line->constant, first->source);
	if (!caps_same(entry->caps, entry->cap_count, line->caps, line->cap_count))
		return err_set(making->err, ERR_FORMAT, "%s: %.200s has different capabilities at %s",
			       line->source, line->constant, first->source);
	for (; first < line; first++)
		if (!first->driver || !line->driver || !strcmp(first->driver, line->driver))
			return err_set(making->err, ERR_FORMAT, "%s: %s has already given the parameters of %.200s",
				       line->source, first->source, line->constant);
	return 0;
}

/*
 * Makes one entry from its @count lines, each of which gives one struct, or none if its structs are "-".
 * Return: 0; ERR_FORMAT for an unknown family, number or type, or for lines that contradict each other.
 */
static int fill_entry(struct table_entry *out, const struct making *making,
		      const struct ctable_line *line, size_t count)
{
	struct table_struct *structs = arena_array(making->arena, count, sizeof(*structs));
	uint64_t number;
	int rc;

	*out = (struct table_entry){ .family = line->family,
				     .name = line->constant,
				     .constant = line->constant,
				     .caps = line->caps,
				     .cap_count = line->cap_count,
				     .structs = structs,
				     .file = line->file,
				     .line = line->line };
	if ((rc = check_family_name(making, line)))
		return rc;
	for (size_t i = 0; i < count; i++) {
		if ((rc = proxy_number(&number, making, &line[i])))
			return rc;
		if (line[i].proxy && !table_find_type(&making->table, line[i].proxy))
			return err_set(making->err, ERR_FORMAT, "%s: %s defines no type %.200s",
				       line[i].source, making->head->path, line[i].proxy);
		if (i && (rc = check_more(making, out, line, &line[i], number)))
			return rc;
		out->number = number;
		if (line[i].driver)
			structs[out->struct_count++] = (struct table_struct){ line[i].driver, line[i].proxy };
	}
	return 0;
}

/* Makes the sorted entries of the node. Lines with the same family and constant become one entry. */
static int fill_node(struct table_node *out, const struct making *making)
{
	const size_t line_count = making->map->line_count;
	struct ctable_line *line = arena_memdup(making->arena, making->map->line, line_count * sizeof(*line));
	struct table_entry *entry = arena_array(making->arena, line_count, sizeof(*entry));
	size_t count;
	int rc;

	sort_items(line, line_count, sizeof(*line), compare_map_lines);
	for (size_t i = 0; i < line_count; i += count) {
		count = 1;
		while (i + count < line_count && !strcmp(line[i].family, line[i + count].family) &&
		       !strcmp(line[i].constant, line[i + count].constant))
			count++;
		if ((rc = fill_entry(&entry[out->entry_count++], making, &line[i], count)))
			return rc;
	}
	out->entries = entry;
	return 0;
}

int ctable_build(struct table *out, const struct ctable_map *map, const struct abi *abi,
		 const struct ctable_head *head, struct arena *arena, struct err *err)
{
	struct table_node *node = arena_alloc(arena, sizeof(*node));
	struct making making = { .map = map, .abi = abi, .head = head, .arena = arena, .err = err };
	int rc;

	if (!map->line_count)
		return err_set(
			err, ERR_FORMAT,
			"%s does not list the ioctls that it forwards: neither it nor a map file (--map) has a line "
			"\"drvabi: FAMILY CONSTANT DRIVER_STRUCT PROXY_STRUCT\"",
			head->path);
	*node = (struct table_node){ .version = head->version, .supported = true };
	making.table = (struct table){ .path = head->path,
				       .proxy = head->path,
				       .driver = head->profile->name,
				       .nodes = node,
				       .node_count = 1,
				       .revision = arena_printf(arena, "for %s", head->version) };
	if ((rc = add_types(&making)) || (rc = fill_node(node, &making)))
		return rc;
	*out = making.table;
	return 0;
}
