/* Reads "drvabi-use/1": how a driver uses the fields in its ioctls. docs/profile.md is the reference. */
#include "abi/internal.h"

bool use_holds_in(const struct use_span *spans, size_t count, const char *version)
{
	for (size_t i = 0; i < count; i++)
		if (abi_version_compare(version, spans[i].since) >= 0 &&
		    (!spans[i].until || abi_version_compare(version, spans[i].until) < 0))
			return true;
	return !count;
}

/* Checks that a range of versions is not empty, and begins after the previous range of the list. */
static int check_span(void *object, const struct json_value *found, struct json_reader *reader)
{
	const struct use_span *span = object;

	if (span->until && abi_version_compare(span->since, span->until) >= 0)
		return json_fail(json_member(found, "until"), ERR_FORMAT, reader->err,
				 "%.60s is not newer than %.60s", span->until, span->since);
	if (found->parent->index &&
	    (!span[-1].until || abi_version_compare(span[-1].until, span->since) > 0))
		return json_fail(found->parent, ERR_FORMAT, reader->err,
				 "the range begins before the previous range ends");
	return 0;
}

static const struct json_struct span_fields = { sizeof(struct use_span), check_span, .field = {
	JSON_FIELD("since", JSON_TEXT, use_span, since),
	JSON_FIELD("until", JSON_TEXT | JSON_OPTIONAL, use_span, until),
} };

const char *use_direction_name(enum use_direction direction)
{
	static const char *const names[] = { [USE_IN] = "in", [USE_OUT] = "out", [USE_INOUT] = "inout" };

	return names[direction];
}

#define USE_DIRECTION(type) \
	JSON_FIELD("direction", JSON_NAMED, type, direction, .name_of = use_direction_name, \
		   .max = USE_INOUT + 1, .text = "a direction")

static const char *side_name(unsigned of_guest)
{
	return of_guest ? "guest" : "host";
}

static const struct json_struct pid_fields = { sizeof(struct pid_rule), NULL, .field = {
	JSON_FIELD("record", JSON_TEXT, pid_rule, record),
	JSON_FIELD("path", JSON_TEXT, pid_rule, path),
	USE_DIRECTION(pid_rule),
	JSON_FIELD("of", JSON_NAMED_BOOL | JSON_OPTIONAL, pid_rule, of_guest, .name_of = side_name, .max = 2,
		   .text = "a value of \"of\""),
	JSON_FIELD("count", JSON_TEXT | JSON_OPTIONAL, pid_rule, count),
	JSON_ARRAY("driver_converts", JSON_LIST | JSON_OPTIONAL, pid_rule, converts, convert_count,
		   &span_fields),
	JSON_FIELD("evidence", JSON_TEXT, pid_rule, evidence),
} };

/* --- pointers ---------------------------------------------------------------------------- */

/* Checks the condition of a pointer rule. Without a "mask", all bits of the field are compared. */
static int finish_condition(void *object, const struct json_value *found, struct json_reader *reader)
{
	struct pointer_rule *rule = object;

	if (!json_member(found, "mask")->item)
		rule->mask = UINT64_MAX;
	return rule->equals & ~rule->mask
		       ? json_fail(json_member(found, "equals"), ERR_FORMAT, reader->err,
				   "\"equals\" has bits that are not in \"mask\"")
		       : 0;
}

/* {"field": "transType", "equals": 2}; "mask" has the bits of the field to compare, all by default. */
static const struct json_struct condition_fields = { sizeof(struct pointer_rule), finish_condition, .field = {
	JSON_FIELD("field", JSON_TEXT, pointer_rule, when),
	JSON_FIELD("mask", JSON_U64 | JSON_OPTIONAL, pointer_rule, mask),
	JSON_FIELD("equals", JSON_U64, pointer_rule, equals),
} };

static int check_pointer(void *object, const struct json_value *found, struct json_reader *reader)
{
	const struct pointer_rule *rule = object;

	return rule->times && !rule->count
		       ? json_fail(json_member(found, "times"), ERR_FORMAT, reader->err,
				   "\"times\" needs \"count\"")
		       : 0;
}

static const struct json_struct pointer_fields = { sizeof(struct pointer_rule), check_pointer, .field = {
	JSON_FIELD("record", JSON_TEXT, pointer_rule, record),
	JSON_FIELD("ioctl", JSON_TEXT | JSON_OPTIONAL, pointer_rule, ioctl),
	JSON_FIELD("path", JSON_TEXT, pointer_rule, path),
	JSON_FIELD("count", JSON_TEXT | JSON_OPTIONAL, pointer_rule, count),
	JSON_FIELD("times", JSON_TEXT | JSON_OPTIONAL, pointer_rule, times),
	JSON_FIELD("element", JSON_TEXT, pointer_rule, element),
	USE_DIRECTION(pointer_rule),
	JSON_FIELD("limit", JSON_U64 | JSON_OPTIONAL, pointer_rule, limit_bytes, .max = UINT32_MAX),
	JSON_FIELD("converted", JSON_TEXT | JSON_OPTIONAL, pointer_rule, converted),
	{ .key = "when", .kind = JSON_OBJECT | JSON_OPTIONAL, .of = &condition_fields },
	JSON_ARRAY("versions", JSON_LIST | JSON_OPTIONAL, pointer_rule, versions, version_count,
		   &span_fields),
	JSON_FIELD("evidence", JSON_TEXT, pointer_rule, evidence),
} };

/* --- unions ------------------------------------------------------------------------------ */

static int check_choice(void *object, const struct json_value *found, struct json_reader *reader)
{
	const struct union_choice *choice = object;

	return found->parent->index && choice->value <= choice[-1].value
		       ? json_fail(found->parent, ERR_FORMAT, reader->err,
				   "the value must be larger than that of the previous choice")
		       : 0;
}

static const struct json_struct choice_fields = { sizeof(struct union_choice), check_choice, .field = {
	JSON_FIELD("value", JSON_U64, union_choice, value),
	JSON_FIELD("name", JSON_TEXT | JSON_OPTIONAL, union_choice, name),
	JSON_FIELD("member", JSON_TEXT, union_choice, member),
} };

static const struct json_struct union_fields = { sizeof(struct union_rule), NULL, .field = {
	JSON_FIELD("record", JSON_TEXT, union_rule, record),
	JSON_FIELD("union", JSON_TEXT, union_rule, field),
	JSON_FIELD("by", JSON_TEXT, union_rule, by),
	JSON_ARRAY("choices", JSON_LIST, union_rule, choices, choice_count, &choice_fields),
	JSON_ARRAY("versions", JSON_LIST | JSON_OPTIONAL, union_rule, versions, version_count, &span_fields),
	JSON_FIELD("evidence", JSON_TEXT, union_rule, evidence),
} };

/* --- devices ----------------------------------------------------------------------------- */

/* Copies a string into a char array in the rule, whose size is .max. Fails if the string is too long. */
static int read_name(void *object, const struct json_field *field, const struct json_value *at,
		     struct json_reader *reader)
{
	const char *text = at->item->valuestring;

	if (strlen(text) >= field->max)
		return json_fail(at, ERR_FORMAT, reader->err, "\"%.60s\" is longer than %zu characters", text,
				 (size_t)field->max - 1);
	memcpy(json_place(object, field), text, strlen(text) + 1);
	return 0;
}

/* Reads [0, 247], the first and the last minor number of a device rule. Other lists are an error. */
static int read_minors(void *object, const struct json_field *field, const struct json_value *at,
		       struct json_reader *reader)
{
	struct device_rule *rule = object;
	uint32_t *const ends[] = { &rule->first_minor, &rule->last_minor };
	struct json_value child;
	int rc;

	(void)field;
	for (child = json_first(at); child.item && child.index < 2; json_next(&child)) {
		uint64_t number;

		if ((rc = json_expect(&child, JSON_WANT_INTEGER, reader->err)) ||
		    (rc = json_get_unsigned(&number, &child, UINT32_MAX, reader->err)))
			return rc;
		*ends[child.index] = (uint32_t)number;
	}
	if (json_count(at) != 2 || rule->first_minor > rule->last_minor)
		return json_fail(at, ERR_FORMAT, reader->err,
				 "\"minors\" must be a pair [first, last], such as [0, 247]");
	return 0;
}

/* Without "minors", a device rule is for all minor numbers. */
static int set_all_minors(void *object, const struct json_value *found, struct json_reader *reader)
{
	struct device_rule *rule = object;

	(void)reader;
	if (!json_member(found, "minors")->item)
		rule->last_minor = UINT32_MAX;
	return 0;
}

/* A field for a name that read_name() stores in an array in the rule. */
#define RULE_NAME(key, modifier, rule, member) \
	JSON_FIELD(key, JSON_WANT_STRING | (modifier), rule, member, .read = read_name, \
		   .max = sizeof(((struct rule *)NULL)->member))

static const struct json_struct device_fields = { sizeof(struct device_rule), set_all_minors, .field = {
	RULE_NAME("family", JSON_OPTIONAL, device_rule, family),
	RULE_NAME("path", 0, device_rule, path),
	RULE_NAME("driver", JSON_OPTIONAL, device_rule, driver),
	RULE_NAME("module", JSON_OPTIONAL, device_rule, module),
	{ .key = "minors", .kind = JSON_WANT_ARRAY | JSON_OPTIONAL, .read = read_minors },
	JSON_FIELD("major", JSON_U32 | JSON_OPTIONAL, device_rule, major),
	{ .key = "evidence", .kind = JSON_WANT_STRING },
} };

static const struct json_struct file_fields = { sizeof(struct file_rule), NULL, .field = {
	RULE_NAME("path", 0, file_rule, path),
	RULE_NAME("line", JSON_OPTIONAL, file_rule, line),
	RULE_NAME("module", JSON_OPTIONAL, file_rule, module),
	{ .key = "evidence", .kind = JSON_WANT_STRING },
} };

static const struct json_struct array_fields = { sizeof(struct array_rule), NULL, .field = {
	JSON_FIELD("ioctl", JSON_TEXT, array_rule, ioctl),
	JSON_FIELD("element", JSON_TEXT, array_rule, element),
	JSON_FIELD("evidence", JSON_TEXT, array_rule, evidence),
} };

static int check_fd(void *object, const struct json_value *found, struct json_reader *reader)
{
	static const char *const kinds[] = { "frontend", "event", "capability", "uvm" };
	const struct fd_rule *rule = object;

	if (texts_have(kinds, sizeof(kinds) / sizeof(*kinds), rule->kind))
		return 0;
	return json_fail(found->parent, ERR_FORMAT, reader->err,
			 "the kind of a file descriptor must be frontend, event, capability or uvm, not \"%.60s\"",
			 rule->kind);
}

static const struct json_struct fd_fields = { sizeof(struct fd_rule), check_fd, .field = {
	JSON_FIELD("record", JSON_TEXT, fd_rule, record),
	JSON_FIELD("path", JSON_TEXT, fd_rule, path),
	JSON_FIELD("kind", JSON_TEXT, fd_rule, kind),
	JSON_FIELD("optional", JSON_BOOL | JSON_SPARSE, fd_rule, optional),
	JSON_FIELD("evidence", JSON_TEXT, fd_rule, evidence),
} };

const struct json_struct use_document_fields = { sizeof(struct use_rules), NULL, .field = {
	{ .key = "format", .kind = JSON_FORMAT, .text = USE_FORMAT },
	{ .key = "description", .kind = JSON_WANT_STRING | JSON_OPTIONAL },
	JSON_FIELD("read_until", JSON_TEXT | JSON_OPTIONAL, use_rules, read_until),
	JSON_ARRAY("pids", JSON_LIST, use_rules, pids.rules, pids.count, &pid_fields),
	JSON_ARRAY("pointers", JSON_LIST | JSON_OPTIONAL, use_rules, pointers.rules, pointers.count,
		   &pointer_fields),
	JSON_ARRAY("unions", JSON_LIST | JSON_OPTIONAL, use_rules, unions.rules, unions.count, &union_fields),
	JSON_ARRAY("devices", JSON_LIST | JSON_OPTIONAL, use_rules, devices.rules, devices.count,
		   &device_fields),
	JSON_ARRAY("files", JSON_LIST | JSON_OPTIONAL, use_rules, devices.files, devices.file_count,
		   &file_fields),
	JSON_ARRAY("arrays", JSON_LIST | JSON_OPTIONAL, use_rules, arrays, array_count, &array_fields),
	JSON_ARRAY("fds", JSON_LIST | JSON_OPTIONAL, use_rules, fds, fd_count, &fd_fields),
} };

int json_read_use(struct use_rules *out, const char *text, size_t size, const char *name, struct arena *arena,
		  struct err *err)
{
	return json_read_text(out, &use_document_fields, text, size, name, arena, err);
}
