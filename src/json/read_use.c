/* "drvabi-use/1" from text: how a driver uses the process ids in its ioctls. src/profile/FORMAT.md is its reference. */
#include "json/dom.h"

#include <string.h>

#define USE_FORMAT "drvabi-use/1"

static int read_span(struct pid_span *out, const struct json_value *at, struct arena *arena, struct err *err)
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
		return json_fail(&found[UNTIL], ERR_FORMAT, err, "%.60s is not newer than %.60s", out->until, out->since);
	return 0;
}

/* Each behind the one before it. */
static int read_spans(struct pid_rule *out, const struct json_value *at, struct arena *arena, struct err *err)
{
	struct pid_span *spans = arena_array(arena, json_count(at) + 1, sizeof(*spans));
	struct json_value child;
	int rc;

	for (child = json_first(at); child.item; json_next(&child)) {
		const struct pid_span *before = child.index ? &spans[child.index - 1] : NULL;

		if ((rc = read_span(&spans[child.index], &child, arena, err)))
			return rc;
		if (before && (!before->until || abi_version_compare(before->until, spans[child.index].since) > 0))
			return json_fail(&child, ERR_FORMAT, err, "it begins before the one before it ends");
	}
	out->converts = spans;
	out->convert_count = json_count(at);
	return 0;
}

static int read_direction(enum pid_direction *out, const struct json_value *at, struct err *err)
{
	static const char *const names[] = { [PID_IN] = "in", [PID_OUT] = "out", [PID_INOUT] = "inout" };

	for (size_t i = PID_IN; i <= PID_INOUT; i++) {
		if (!strcmp(at->item->valuestring, names[i])) {
			*out = (enum pid_direction)i;
			return 0;
		}
	}
	return json_fail(at, ERR_FORMAT, err, "\"%.60s\" is no direction; in, out and inout are", at->item->valuestring);
}

static int read_of(bool *of_guest, const struct json_value *at, struct err *err)
{
	if (at->item && strcmp(at->item->valuestring, "guest") != 0 && strcmp(at->item->valuestring, "host") != 0)
		return json_fail(at, ERR_FORMAT, err, "\"%.60s\" is neither host nor guest", at->item->valuestring);
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
	    (rc = read_spans(out, &found[CONVERTS], arena, err)))
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

static int read_root(struct pid_rules *out, const struct json_value *root, struct arena *arena, struct err *err)
{
	enum { FORMAT, DESCRIPTION, PIDS, COUNT };
	static const struct json_member members[] = {
		[FORMAT] = { "format", JSON_WANT_STRING },
		[DESCRIPTION] = { "description", JSON_WANT_STRING | JSON_WANT_OPTIONAL },
		[PIDS] = { "pids", JSON_WANT_ARRAY },
	};
	struct json_value found[COUNT];
	int rc;

	if ((rc = json_members(found, root, members, COUNT, err)) || (rc = json_expect_format(&found[FORMAT], USE_FORMAT, err)))
		return rc;
	return read_rules(out, &found[PIDS], arena, err);
}

int json_read_use(struct pid_rules *out, const char *text, size_t size, const char *name, struct arena *arena, struct err *err)
{
	struct pid_rules rules;
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
