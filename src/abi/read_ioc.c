#include "abi/read_ioc.h"

#include <string.h>

/* What the number says as well is held against it. */
static int check_field(const struct abi_ioctl *ioctl, enum abi_ioc_field field, const struct json_value *at, struct err *err)
{
	unsigned said = abi_ioc_get(ioctl->number, field);
	uint64_t value;
	int rc = json_get_unsigned(&value, at, UINT32_MAX, err);

	if (!rc && value != said)
		rc = json_fail(at, ERR_FORMAT, err, "the ioctl's number says that the %s is %u", abi_ioc_field_name(field), said);
	return rc;
}

static int read_varies(struct abi_ioctl *ioctl, const struct json_value *at, struct err *err)
{
	struct profile_strings words;
	struct json_value child;
	struct arena scratch = { 0 };
	int rc = json_get_strings(&words, at, &scratch, err);

	for (child = json_first(at); child.item && !rc; json_next(&child)) {
		int field = 0;

		while (field < ABI_IOC_FIELD_COUNT && strcmp(abi_ioc_field_name((enum abi_ioc_field)field), words.item[child.index]))
			field++;
		if (field == ABI_IOC_FIELD_COUNT)
			rc = json_fail(&child, ERR_FORMAT, err, "a number consists of nr, type, size and direction");
		else
			ioctl->varies |= 1u << field;
	}
	arena_release(&scratch);
	return rc;
}

int json_read_ioc(struct abi_ioctl *ioctl, const struct json_value *at, struct arena *arena, struct err *err)
{
	enum { DIRECTION, TYPE, NR, SIZE, KNOWN_BY, ARGUMENT, VARIES, COUNT };
	static const struct json_member members[] = {
		[DIRECTION] = { "direction", JSON_WANT_STRING },
		[TYPE] = { "type", JSON_WANT_INTEGER },
		[NR] = { "nr", JSON_WANT_INTEGER },
		[SIZE] = { "size", JSON_WANT_INTEGER },
		[KNOWN_BY] = { "known_by", JSON_WANT_STRING },
		[ARGUMENT] = { "argument", JSON_WANT_STRING | JSON_WANT_OPTIONAL },
		[VARIES] = { "varies", JSON_WANT_ARRAY | JSON_WANT_OPTIONAL },
	};
	const char *direction = abi_ioc_direction_name(abi_ioc_get(ioctl->number, ABI_IOC_DIRECTION));
	struct json_value found[COUNT];
	bool by_nr;
	int rc;

	if (!at->item)
		return 0;
	if ((rc = json_members(found, at, members, COUNT, err)) ||
	    (rc = check_field(ioctl, ABI_IOC_TYPE, &found[TYPE], err)) ||
	    (rc = check_field(ioctl, ABI_IOC_NR, &found[NR], err)) ||
	    (rc = check_field(ioctl, ABI_IOC_SIZE, &found[SIZE], err)) ||
	    (rc = read_varies(ioctl, &found[VARIES], err)))
		return rc;
	if (strcmp(found[DIRECTION].item->valuestring, direction))
		return json_fail(&found[DIRECTION], ERR_FORMAT, err, "the ioctl's number says that the direction is %s", direction);
	by_nr = !strcmp(found[KNOWN_BY].item->valuestring, "nr");
	if (!by_nr && strcmp(found[KNOWN_BY].item->valuestring, "number"))
		return json_fail(&found[KNOWN_BY], ERR_FORMAT, err, "an ioctl is known by \"nr\" or by \"number\"");
	ioctl->encoding = by_nr ? ABI_NUMBER_IOC_BY_NR : ABI_NUMBER_IOC;
	ioctl->argument = json_get_string(&found[ARGUMENT], arena);
	return 0;
}
