/* How the numbers of a family are encoded. */
#include "abi/read_profile_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* "K", or a number: "0x12", "174". */
static int read_type(unsigned *out, const struct json_value *at, struct err *err)
{
	const char *text = at->item->valuestring;
	unsigned long value;
	char *end;

	if (*text && !text[1]) {
		*out = (unsigned char)*text;
		return 0;
	}
	errno = 0;
	value = *text >= '0' && *text <= '9' ? strtoul(text, &end, 0) : 256;
	if (value > 255 || errno || *end)
		return json_fail(at, ERR_FORMAT, err, "\"%.20s\" is no type (one character, or a number up to 255)", text);
	*out = (unsigned)value;
	return 0;
}

static int read_types(struct profile_ioc *out, const struct json_value *at, struct arena *arena, struct err *err)
{
	struct profile_strings texts;
	struct json_value child;
	unsigned *types;
	int rc;

	if ((rc = json_get_strings(&texts, at, arena, err)))
		return rc;
	out->types = types = arena_array(arena, texts.count + 1, sizeof(*types));
	out->type_count = texts.count;
	for (child = json_first(at); child.item && !rc; json_next(&child))
		rc = read_type(&types[child.index], &child, err);
	return rc;
}

int profile_read_ioc(struct profile_ioc *out, const struct json_value *at, struct arena *arena, struct err *err)
{
	enum { TYPES, KNOWN_BY, COUNT };
	static const struct json_member members[] = {
		[TYPES] = { "types", OPTIONAL_ARRAY },
		[KNOWN_BY] = { "known_by", OPTIONAL_STRING },
	};
	struct json_value found[COUNT];
	int rc;

	if (!at->item)
		return 0;
	if ((rc = json_members(found, at, members, COUNT, err)) || (rc = read_types(out, &found[TYPES], arena, err)))
		return rc;
	out->is_encoded = true;
	out->by_nr = found[KNOWN_BY].item && !strcmp(found[KNOWN_BY].item->valuestring, "nr");
	if (found[KNOWN_BY].item && !out->by_nr && strcmp(found[KNOWN_BY].item->valuestring, "number"))
		return json_fail(&found[KNOWN_BY], ERR_FORMAT, err, "an ioctl is known by \"nr\" or by \"number\"");
	return 0;
}
