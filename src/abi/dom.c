/* abi/dom.c - reads JSON values, which cJSON has parsed, and fails with their paths */
#include "abi/internal.h"

enum { PATH_KEY_MAX = 100 }; /* bytes of a key in a path */

/* Appends the path of @at for a message, "a.b[3]"; nothing for the whole text. Long keys are shortened. */
static void add_path(struct strbuf *path, const struct json_value *at)
{
	size_t shown;

	if (!at->parent)
		return;
	add_path(path, at->parent);
	if (!at->key) {
		strbuf_addf(path, "[%zu]", at->index);
		return;
	}
	shown = strnlen(at->key, PATH_KEY_MAX);
	while (shown && ((unsigned char)at->key[shown] & 0xc0) == 0x80) /* inside a UTF-8 sequence */
		shown--;
	strbuf_addf(path, "%s%.*s%s", path->length ? "." : "", (int)shown, at->key,
		    at->key[shown] ? "..." : "");
}

int json_fail(const struct json_value *at, int code, struct err *err, const char *format, ...)
{
	const struct json_value *whole = at;
	struct strbuf path = { 0 };
	char what[400];
	va_list args;

	va_start(args, format);
	vsnprintf(what, sizeof(what), format, args);
	va_end(args);
	add_path(&path, at);
	while (whole->parent)
		whole = whole->parent;
	err_set(err, code, "%s: %.500s%s%s", whole->name, strbuf_text(&path), path.length ? ": " : "", what);
	strbuf_release(&path);
	return code;
}

/* Orders keys. Only equality matters: check_unique_keys() looks for equal neighbours. */
static int compare_json_keys(const void *a, const void *b)
{
	return strcmp((*(const cJSON *const *)a)->string, (*(const cJSON *const *)b)->string);
}

/* Checks that no key appears twice: after sorting, equal keys would be adjacent. */
static int check_unique_keys(const struct json_value *object, struct err *err)
{
	size_t count = json_count(object), i = 0;
	const cJSON **members;
	const cJSON *item;
	int rc = 0;

	if (count < 2)
		return 0;
	members = xmalloc(count * sizeof(*members));
	for (item = object->item->child; item; item = item->next)
		members[i++] = item;
	sort_items(members, count, sizeof(*members), compare_json_keys);
	for (i = 1; i < count && !rc; i++)
		if (!compare_json_keys(&members[i - 1], &members[i]))
			rc = json_fail(object, ERR_FORMAT, err,
				       "the key \"%.100s\" appears twice in one object", members[i]->string);
	free(members);
	return rc;
}

/*
 * Checks the keys of all objects, and stores the line of each object in a member of its cJSON item that is
 * otherwise used only for numbers. The tree has the objects in the order in which json_scan() found them.
 * JSON_DEPTH_MAX limits the recursion. @line: the line of the next object, advanced past those of @at
 */
static int check_objects(const struct json_value *at, const unsigned **line, struct err *err)
{
	struct json_value child;
	int rc = 0;

	if (cJSON_IsObject(at->item)) {
		((cJSON *)at->item)->valueint = (int)*(*line)++;
		rc = check_unique_keys(at, err);
	}
	for (child = json_first(at); child.item && !rc; json_next(&child))
		if (child.item->child || cJSON_IsObject(child.item))
			rc = check_objects(&child, line, err);
	return rc;
}

unsigned json_line(const struct json_value *object)
{
	return (unsigned)object->item->valueint;
}

int json_parse(struct json_value *root, const char *text, size_t size, const char *name, struct err *err)
{
	struct json_value whole = { .name = name };
	struct json_lines lines = { 0 };
	const unsigned *line;
	cJSON *tree = NULL;
	int rc;

	if ((rc = json_scan(text, size, name, &lines, err)))
		goto out;
	whole.item = tree = cJSON_ParseWithLength(text, size);
	if (!tree) {
		rc = err_set(err, ERR_FORMAT,
			     "%s: cJSON cannot parse the text (%zu bytes), or memory ran out", name,
			     size);
		goto out;
	}
	line = lines.line;
	if ((rc = check_objects(&whole, &line, err)))
		cJSON_Delete(tree);
	else
		*root = whole;
out:
	free(lines.line);
	return rc;
}

void json_parse_free(struct json_value *root)
{
	cJSON_Delete((cJSON *)root->item);
	root->item = NULL;
}

/* Parses a string with a number above 2^53: an optional "-", "0x" and 1 to 16 hexadecimal digits. */
static bool parse_hexadecimal(struct abi_number *out, const char *text)
{
	bool negative = *text == '-';
	size_t digits;

	text += negative;
	if (text[0] != '0' || text[1] != 'x')
		return false;
	text += 2;
	digits = strspn(text, "0123456789abcdefABCDEF");
	if (!digits || digits > 16 || text[digits])
		return false;
	out->magnitude = strtoull(text, NULL, 16);
	out->negative = negative && out->magnitude;
	return true;
}

int json_expect(const struct json_value *at, unsigned want, struct err *err)
{
	static const struct {
		int types;
		const char *name;
	} kinds[] = { /* in the order of JSON_WANT_* */
		{ cJSON_Object, "an object" },   { cJSON_Array, "an array" },
		{ cJSON_String, "a string" },    { cJSON_Number, "an integer" },
		{ cJSON_True | cJSON_False, "true or false" }, { cJSON_NULL, "null" },
	};
	enum { KINDS = sizeof(kinds) / sizeof(*kinds) };
	const cJSON *item = at->item;
	struct abi_number number;
	char wanted[96] = "";
	size_t is = 0;

	while (is < KINDS - 1 && !(item->type & kinds[is].types))
		is++;
	if (want & 1u << is || (want & JSON_WANT_INTEGER && cJSON_IsString(item) &&
				parse_hexadecimal(&number, item->valuestring)))
		return 0;
	for (size_t i = 0; i < KINDS; i++) {
		const size_t used = strlen(wanted);

		if (want & 1u << i)
			snprintf(wanted + used, sizeof(wanted) - used, "%s%s", used ? " or " : "",
				 kinds[i].name);
	}
	return json_fail(at, ERR_FORMAT, err, "expected %s, found %s", wanted,
			 cJSON_IsTrue(item)    ? "true"
			 : cJSON_IsFalse(item) ? "false"
					       : kinds[is].name);
}

struct json_value json_first(const struct json_value *parent)
{
	const cJSON *item = parent->item ? parent->item->child : NULL;

	return (struct json_value){ .parent = parent, .item = item, .key = item ? item->string : NULL };
}

void json_next(struct json_value *child)
{
	child->item = child->item->next;
	child->key = child->item ? child->item->string : NULL;
	child->index++;
}

size_t json_count(const struct json_value *at)
{
	const cJSON *item;
	size_t count = 0;

	for (item = at->item ? at->item->child : NULL; item; item = item->next)
		count++;
	return count;
}

struct abi_number json_get_number(const struct json_value *at)
{
	struct abi_number number;

	if (cJSON_IsString(at->item) && parse_hexadecimal(&number, at->item->valuestring))
		return number;
	/* The value is exact, because json_scan() accepts only integers of at most 2^53. */
	return abi_number_signed((int64_t)at->item->valuedouble);
}

int json_get_unsigned(uint64_t *out, const struct json_value *at, uint64_t max, struct err *err)
{
	const struct abi_number number = json_get_number(at);
	char text[24];

	if (number.negative)
		return json_fail(at, ERR_FORMAT, err, "%s is negative", abi_number_text(number, text));
	if (number.magnitude > max)
		return json_fail(at, ERR_FORMAT, err, "%s is above %llu, the largest value allowed here",
				 abi_number_text(number, text), (unsigned long long)max);
	*out = number.magnitude;
	return 0;
}

bool json_is_null(const struct json_value *at)
{
	return !at->item || cJSON_IsNull(at->item);
}

const char *json_get_string(const struct json_value *at, struct arena *arena)
{
	return json_is_null(at) ? NULL : arena_strdup(arena, at->item->valuestring);
}

int json_get_strings(struct profile_strings *out, const struct json_value *at, struct arena *arena,
		     struct err *err)
{
	size_t count = json_count(at);
	const char **item = count ? arena_array(arena, count, sizeof(*item)) : NULL;
	struct json_value child;
	int rc;

	for (child = json_first(at); child.item; json_next(&child)) {
		if ((rc = json_expect(&child, JSON_WANT_STRING, err)))
			return rc;
		item[child.index] = json_get_string(&child, arena);
	}
	*out = (struct profile_strings){ .item = item, .count = count };
	return 0;
}
