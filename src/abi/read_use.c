/*
 * "drvabi-use/1" from text: what a driver does with the fields in its ioctls. docs/profile.md is its
 * reference.
 */
#include "abi/internal.h"

#include <string.h>

#define USE_FORMAT "drvabi-use/1"

static int read_span(struct use_span *out, const struct json_value *at, struct arena *arena, struct err *err)
{
	enum { SINCE, UNTIL, COUNT };
	static const struct json_member members[] = {
		[SINCE] = { "since", JSON_WANT_STRING },
		[UNTIL] = { "until", JSON_WANT_STRING | JSON_WANT_OPTIONAL },
	};
	struct json_value found[COUNT];
	int rc = json_members(found, at, members, COUNT, err);

	if (rc)
		return rc;
	out->since = json_get_string(&found[SINCE], arena);
	out->until = json_get_string(&found[UNTIL], arena);
	if (out->until && abi_version_compare(out->since, out->until) >= 0)
		return json_fail(&found[UNTIL], ERR_FORMAT, err, "%.60s is not newer than %.60s", out->until,
				 out->since);
	return 0;
}

/* Each behind the one before it. */
static int read_spans(const struct use_span **out, size_t *count, const struct json_value *at,
		      struct arena *arena, struct err *err)
{
	struct use_span *spans = arena_array(arena, json_count(at) + 1, sizeof(*spans));
	struct json_value child;
	int rc;

	for (child = json_first(at); child.item; json_next(&child)) {
		const struct use_span *before = child.index ? &spans[child.index - 1] : NULL;

		if ((rc = read_span(&spans[child.index], &child, arena, err)))
			return rc;
		if (before &&
		    (!before->until || abi_version_compare(before->until, spans[child.index].since) > 0))
			return json_fail(&child, ERR_FORMAT, err, "it begins before the one before it ends");
	}
	*out = spans;
	*count = json_count(at);
	return 0;
}

static int read_direction(enum use_direction *out, const struct json_value *at, struct err *err)
{
	static const char *const names[] = { [USE_IN] = "in", [USE_OUT] = "out", [USE_INOUT] = "inout" };

	for (size_t i = USE_IN; i <= USE_INOUT; i++) {
		if (!strcmp(at->item->valuestring, names[i])) {
			*out = (enum use_direction)i;
			return 0;
		}
	}
	return json_fail(at, ERR_FORMAT, err, "\"%.60s\" is no direction; in, out and inout are",
			 at->item->valuestring);
}

static int read_of(bool *of_guest, const struct json_value *at, struct err *err)
{
	if (at->item && strcmp(at->item->valuestring, "guest") != 0 &&
	    strcmp(at->item->valuestring, "host") != 0)
		return json_fail(at, ERR_FORMAT, err, "\"%.60s\" is neither host nor guest",
				 at->item->valuestring);
	*of_guest = at->item && !strcmp(at->item->valuestring, "guest");
	return 0;
}

static int read_rule(struct pid_rule *out, const struct json_value *at, struct arena *arena, struct err *err)
{
	enum { RECORD, PATH, DIRECTION, OF, COUNT_FIELD, CONVERTS, EVIDENCE, COUNT };
	static const struct json_member members[] = {
		[RECORD] = { "record", JSON_WANT_STRING },
		[PATH] = { "path", JSON_WANT_STRING },
		[DIRECTION] = { "direction", JSON_WANT_STRING },
		[OF] = { "of", JSON_WANT_STRING | JSON_WANT_OPTIONAL },
		[COUNT_FIELD] = { "count", JSON_WANT_STRING | JSON_WANT_OPTIONAL },
		[CONVERTS] = { "driver_converts", JSON_WANT_ARRAY | JSON_WANT_OPTIONAL },
		[EVIDENCE] = { "evidence", JSON_WANT_STRING },
	};
	struct json_value found[COUNT];
	int rc;

	if ((rc = json_members(found, at, members, COUNT, err)) ||
	    (rc = read_direction(&out->direction, &found[DIRECTION], err)) ||
	    (rc = read_of(&out->of_guest, &found[OF], err)) ||
	    (rc = read_spans(&out->converts, &out->convert_count, &found[CONVERTS], arena, err)))
		return rc;
	out->record = json_get_string(&found[RECORD], arena);
	out->path = json_get_string(&found[PATH], arena);
	out->count = json_get_string(&found[COUNT_FIELD], arena);
	out->evidence = json_get_string(&found[EVIDENCE], arena);
	return 0;
}

static int read_rules(struct pid_rules *out, const struct json_value *at, struct arena *arena, struct err *err)
{
	struct pid_rule *rules = arena_array(arena, json_count(at) + 1, sizeof(*rules));
	struct json_value child;
	int rc;

	for (child = json_first(at); child.item; json_next(&child))
		if ((rc = read_rule(&rules[child.index], &child, arena, err)))
			return rc;
	*out = (struct pid_rules){ rules, json_count(at) };
	return 0;
}

bool use_holds_in(const struct use_span *spans, size_t count, const char *version)
{
	for (size_t i = 0; i < count; i++)
		if (abi_version_compare(version, spans[i].since) >= 0 &&
		    (!spans[i].until || abi_version_compare(version, spans[i].until) < 0))
			return true;
	return !count;
}

/* {"field": "transType", "equals": 2}; "mask" is which of its bits count, all if it is absent. */
static int read_condition(struct pointer_rule *out, const struct json_value *at, struct arena *arena,
			  struct err *err)
{
	enum { FIELD, MASK, EQUALS, COUNT };
	static const struct json_member members[] = {
		[FIELD] = { "field", JSON_WANT_STRING },
		[MASK] = { "mask", JSON_WANT_INTEGER | JSON_WANT_OPTIONAL },
		[EQUALS] = { "equals", JSON_WANT_INTEGER },
	};
	struct json_value found[COUNT];
	int rc;

	out->mask = UINT64_MAX;
	if (!at->item)
		return 0;
	if ((rc = json_members(found, at, members, COUNT, err)) ||
	    (found[MASK].item && (rc = json_get_unsigned(&out->mask, &found[MASK], UINT64_MAX, err))) ||
	    (rc = json_get_unsigned(&out->equals, &found[EQUALS], UINT64_MAX, err)))
		return rc;
	if (out->equals & ~out->mask)
		return json_fail(&found[EQUALS], ERR_FORMAT, err, "it has bits that are not in \"mask\"");
	out->when = json_get_string(&found[FIELD], arena);
	return 0;
}

static int read_pointer(struct pointer_rule *out, const struct json_value *at, struct arena *arena,
			struct err *err)
{
	enum { RECORD, IOCTL, PATH, COUNT_FIELD, TIMES, ELEMENT, DIRECTION, LIMIT, CONVERTED, WHEN, VERSIONS, EVIDENCE,
	       COUNT };
	static const struct json_member members[] = {
		[RECORD] = { "record", JSON_WANT_STRING },
		[IOCTL] = { "ioctl", JSON_WANT_STRING | JSON_WANT_OPTIONAL },
		[PATH] = { "path", JSON_WANT_STRING },
		[COUNT_FIELD] = { "count", JSON_WANT_STRING | JSON_WANT_OPTIONAL },
		[TIMES] = { "times", JSON_WANT_STRING | JSON_WANT_OPTIONAL },
		[ELEMENT] = { "element", JSON_WANT_STRING },
		[DIRECTION] = { "direction", JSON_WANT_STRING },
		[LIMIT] = { "limit", JSON_WANT_INTEGER | JSON_WANT_OPTIONAL },
		[CONVERTED] = { "converted", JSON_WANT_STRING | JSON_WANT_OPTIONAL },
		[WHEN] = { "when", JSON_WANT_OBJECT | JSON_WANT_OPTIONAL },
		[VERSIONS] = { "versions", JSON_WANT_ARRAY | JSON_WANT_OPTIONAL },
		[EVIDENCE] = { "evidence", JSON_WANT_STRING },
	};
	struct json_value found[COUNT];
	int rc;

	if ((rc = json_members(found, at, members, COUNT, err)) ||
	    (rc = read_direction(&out->direction, &found[DIRECTION], err)) ||
	    (found[LIMIT].item && (rc = json_get_unsigned(&out->limit_bytes, &found[LIMIT], UINT32_MAX, err))) ||
	    (rc = read_condition(out, &found[WHEN], arena, err)) ||
	    (rc = read_spans(&out->versions, &out->version_count, &found[VERSIONS], arena, err)))
		return rc;
	if (found[TIMES].item && !found[COUNT_FIELD].item)
		return json_fail(&found[TIMES], ERR_FORMAT, err, "there is no \"count\" to multiply");
	out->record = json_get_string(&found[RECORD], arena);
	out->ioctl = json_get_string(&found[IOCTL], arena);
	out->path = json_get_string(&found[PATH], arena);
	out->count = json_get_string(&found[COUNT_FIELD], arena);
	out->times = json_get_string(&found[TIMES], arena);
	out->element = json_get_string(&found[ELEMENT], arena);
	out->converted = json_get_string(&found[CONVERTED], arena);
	out->evidence = json_get_string(&found[EVIDENCE], arena);
	return 0;
}

static int read_pointers(struct pointer_rules *out, const struct json_value *at, struct arena *arena,
			 struct err *err)
{
	struct pointer_rule *rules = arena_array(arena, json_count(at) + 1, sizeof(*rules));
	struct json_value child;
	int rc;

	for (child = json_first(at); child.item; json_next(&child))
		if ((rc = read_pointer(&rules[child.index], &child, arena, err)))
			return rc;
	*out = (struct pointer_rules){ rules, json_count(at) };
	return 0;
}

/* --- unions ------------------------------------------------------------------------------ */

static int read_choice(struct union_choice *out, const struct json_value *at, struct arena *arena,
		       struct err *err)
{
	enum { VALUE, NAME, MEMBER, COUNT };
	static const struct json_member members[] = {
		[VALUE] = { "value", JSON_WANT_INTEGER },
		[NAME] = { "name", JSON_WANT_STRING | JSON_WANT_OPTIONAL },
		[MEMBER] = { "member", JSON_WANT_STRING },
	};
	struct json_value found[COUNT];
	int rc;

	if ((rc = json_members(found, at, members, COUNT, err)) ||
	    (rc = json_get_unsigned(&out->value, &found[VALUE], UINT64_MAX, err)))
		return rc;
	out->name = json_get_string(&found[NAME], arena);
	out->member = json_get_string(&found[MEMBER], arena);
	return 0;
}

static int read_choices(struct union_rule *out, const struct json_value *at, struct arena *arena,
			struct err *err)
{
	struct union_choice *choices = arena_array(arena, json_count(at) + 1, sizeof(*choices));
	struct json_value child;
	int rc;

	for (child = json_first(at); child.item; json_next(&child)) {
		struct union_choice *choice = &choices[child.index];

		if ((rc = read_choice(choice, &child, arena, err)))
			return rc;
		if (child.index && choice->value <= choice[-1].value)
			return json_fail(&child, ERR_FORMAT, err,
					 "its value is not larger than that of the one before");
	}
	out->choices = choices;
	out->choice_count = json_count(at);
	return 0;
}

static int read_union(struct union_rule *out, const struct json_value *at, struct arena *arena,
		      struct err *err)
{
	enum { RECORD, UNION, BY, CHOICES, VERSIONS, EVIDENCE, COUNT };
	static const struct json_member members[] = {
		[RECORD] = { "record", JSON_WANT_STRING },
		[UNION] = { "union", JSON_WANT_STRING },
		[BY] = { "by", JSON_WANT_STRING },
		[CHOICES] = { "choices", JSON_WANT_ARRAY },
		[VERSIONS] = { "versions", JSON_WANT_ARRAY | JSON_WANT_OPTIONAL },
		[EVIDENCE] = { "evidence", JSON_WANT_STRING },
	};
	struct json_value found[COUNT];
	int rc;

	if ((rc = json_members(found, at, members, COUNT, err)) ||
	    (rc = read_choices(out, &found[CHOICES], arena, err)) ||
	    (rc = read_spans(&out->versions, &out->version_count, &found[VERSIONS], arena, err)))
		return rc;
	out->record = json_get_string(&found[RECORD], arena);
	out->field = json_get_string(&found[UNION], arena);
	out->by = json_get_string(&found[BY], arena);
	out->evidence = json_get_string(&found[EVIDENCE], arena);
	return 0;
}

static int read_unions(struct union_rules *out, const struct json_value *at, struct arena *arena,
		       struct err *err)
{
	struct union_rule *rules = arena_array(arena, json_count(at) + 1, sizeof(*rules));
	struct json_value child;
	int rc;

	for (child = json_first(at); child.item; json_next(&child))
		if ((rc = read_union(&rules[child.index], &child, arena, err)))
			return rc;
	*out = (struct union_rules){ rules, json_count(at) };
	return 0;
}

/* A string that has its place in the rule. */
static int read_name(char *out, size_t room, const struct json_value *at, struct err *err)
{
	const char *text = at->item ? at->item->valuestring : "";

	if (strlen(text) >= room)
		return json_fail(at, ERR_FORMAT, err, "\"%.60s\" is longer than %zu characters", text,
				 room - 1);
	memcpy(out, text, strlen(text) + 1);
	return 0;
}

/* [254, 254]: the first and the last; all if they are absent. */
static int read_minors(struct device_rule *out, const struct json_value *at, struct err *err)
{
	uint32_t *const ends[] = { &out->first_minor, &out->last_minor };
	struct json_value child;

	out->first_minor = 0;
	out->last_minor = UINT32_MAX;
	if (!at->item)
		return 0;
	for (child = json_first(at); child.item && child.index < 2; json_next(&child)) {
		uint64_t number;
		int rc = json_get_unsigned(&number, &child, UINT32_MAX, err);

		if (rc)
			return rc;
		*ends[child.index] = (uint32_t)number;
	}
	if (json_count(at) != 2 || out->first_minor > out->last_minor)
		return json_fail(at, ERR_FORMAT, err, "minors are the first and the last, [0, 247]");
	return 0;
}

static int read_device(struct device_rule *out, const struct json_value *at, struct err *err)
{
	enum { FAMILY, PATH, DRIVER, MODULE, MAJOR, MINORS, EVIDENCE, COUNT };
	static const struct json_member members[] = {
		[FAMILY] = { "family", JSON_WANT_STRING | JSON_WANT_OPTIONAL },
		[PATH] = { "path", JSON_WANT_STRING },
		[DRIVER] = { "driver", JSON_WANT_STRING | JSON_WANT_OPTIONAL },
		[MODULE] = { "module", JSON_WANT_STRING | JSON_WANT_OPTIONAL },
		[MAJOR] = { "major", JSON_WANT_INTEGER | JSON_WANT_OPTIONAL },
		[MINORS] = { "minors", JSON_WANT_ARRAY | JSON_WANT_OPTIONAL },
		[EVIDENCE] = { "evidence", JSON_WANT_STRING },
	};
	struct json_value found[COUNT];
	uint64_t major = 0;
	int rc;

	if ((rc = json_members(found, at, members, COUNT, err)) ||
	    (rc = read_name(out->family, sizeof(out->family), &found[FAMILY], err)) ||
	    (rc = read_name(out->path, sizeof(out->path), &found[PATH], err)) ||
	    (rc = read_name(out->driver, sizeof(out->driver), &found[DRIVER], err)) ||
	    (rc = read_name(out->module, sizeof(out->module), &found[MODULE], err)) ||
	    (rc = read_minors(out, &found[MINORS], err)) ||
	    (found[MAJOR].item && (rc = json_get_unsigned(&major, &found[MAJOR], UINT32_MAX, err))))
		return rc;
	out->major = (uint32_t)major;
	return 0;
}

static int read_devices(struct device_rules *out, const struct json_value *at, struct arena *arena,
			struct err *err)
{
	struct device_rule *rules = arena_array(arena, json_count(at) + 1, sizeof(*rules));
	struct json_value child;
	int rc;

	for (child = json_first(at); child.item; json_next(&child))
		if ((rc = read_device(&rules[child.index], &child, err)))
			return rc;
	*out = (struct device_rules){ rules, json_count(at) };
	return 0;
}

static int read_root(struct use_rules *out, const struct json_value *root, struct arena *arena,
		     struct err *err)
{
	enum { FORMAT, DESCRIPTION, READ_UNTIL, PIDS, POINTERS, UNIONS, DEVICES, COUNT };
	static const struct json_member members[] = {
		[FORMAT] = { "format", JSON_WANT_STRING },
		[DESCRIPTION] = { "description", JSON_WANT_STRING | JSON_WANT_OPTIONAL },
		[READ_UNTIL] = { "read_until", JSON_WANT_STRING | JSON_WANT_OPTIONAL },
		[PIDS] = { "pids", JSON_WANT_ARRAY },
		[POINTERS] = { "pointers", JSON_WANT_ARRAY | JSON_WANT_OPTIONAL },
		[UNIONS] = { "unions", JSON_WANT_ARRAY | JSON_WANT_OPTIONAL },
		[DEVICES] = { "devices", JSON_WANT_ARRAY | JSON_WANT_OPTIONAL },
	};
	struct json_value found[COUNT];
	int rc;

	if ((rc = json_members(found, root, members, COUNT, err)) ||
	    (rc = json_expect_format(&found[FORMAT], USE_FORMAT, err)) ||
	    (rc = read_rules(&out->pids, &found[PIDS], arena, err)) ||
	    (rc = read_pointers(&out->pointers, &found[POINTERS], arena, err)) ||
	    (rc = read_unions(&out->unions, &found[UNIONS], arena, err)))
		return rc;
	out->read_until = json_get_string(&found[READ_UNTIL], arena);
	return read_devices(&out->devices, &found[DEVICES], arena, err);
}

int json_read_use(struct use_rules *out, const char *text, size_t size, const char *name, struct arena *arena,
		  struct err *err)
{
	struct use_rules rules;
	struct json_value root;
	int rc;

	if ((rc = json_parse(&root, text, size, name, err)))
		return rc;
	rc = read_root(&rules, &root, arena, err);
	json_parse_free(&root);
	if (!rc)
		*out = rules;
	return rc;
}
