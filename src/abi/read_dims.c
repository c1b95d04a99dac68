#include "abi/read_dims.h"

#include <inttypes.h>
#include <string.h>

/* Dimensions as a type has them, outermost first. */
struct dims {
	const uint64_t *item;
	size_t count;
	bool flexible; /* the first is [] */
	bool is_start; /* what the type is based on is unknown, and may have more */
};

static struct json_value member_of(const struct json_value *object, const char *key)
{
	struct json_value child = json_first(object);

	while (child.item && strcmp(child.key, key))
		json_next(&child);
	return child;
}

static int check_dim(const struct json_value *at, const struct dims *dims, const char *type, struct err *err)
{
	struct abi_number number = { 0 };
	char text[24];
	int rc;

	if ((rc = json_expect(at, JSON_WANT_INTEGER | JSON_WANT_NULL, err)) ||
	    (!json_is_null(at) && (rc = json_get_number(&number, at, err))))
		return rc;
	if (at->index >= dims->count)
		return 0;
	if (!at->index && dims->flexible)
		return json_is_null(at) ? 0 : json_fail(at, ERR_FORMAT, err, "the type \"%.100s\" has no length here; null is expected", type);
	if (!json_is_null(at) && abi_number_equal(number, abi_number_unsigned(dims->item[at->index])))
		return 0;
	return json_fail(at, ERR_FORMAT, err, "the type \"%.100s\" has %s here, not %s", type,
			 abi_number_text(abi_number_unsigned(dims->item[at->index]), (char[24]){ 0 }),
			 json_is_null(at) ? "null" : abi_number_text(number, text));
}

static int check_dims(const struct json_value *at, const struct dims *dims, const char *type, struct err *err)
{
	size_t count = json_count(at);
	struct json_value child;
	int rc = 0;

	if (count < dims->count || (count > dims->count && !dims->is_start))
		return json_fail(at, ERR_FORMAT, err, "the type \"%.100s\" has %zu dimension%s, not %zu", type, dims->count,
				 dims->count == 1 ? "" : "s", count);
	for (child = json_first(at); child.item && !rc; json_next(&child))
		rc = check_dim(&child, dims, type, err);
	return rc;
}

static int check_field(const struct json_value *field, const char *type, const struct abi *abi, struct err *err)
{
	struct json_value dims = member_of(field, "dims");
	struct abi_spelling spelling;
	struct abi_type resolved;
	struct dims known;

	if (!dims.item)
		return 0;
	if (member_of(field, "bit_width").item)
		return json_fail(&dims, ERR_FORMAT, err, "a bit-field has no dimensions");
	if (!abi_resolve_type(&resolved, abi, type, NULL)) {
		known = (struct dims){ resolved.dimension, resolved.dimension_count, resolved.flexible, false };
		return check_dims(&dims, &known, type, err);
	}
	/* A document that was cut down may lack the alias: what is spelled must still be so. */
	abi_spelling_parse(&spelling, type, NULL);
	known = (struct dims){ spelling.dimension, spelling.dimension_count, spelling.flexible, true };
	return check_dims(&dims, &known, type, err);
}

static int check_record(const struct json_value *at, const struct abi *abi, struct err *err)
{
	const struct abi_record *record = abi_find_record(abi, at->key);
	struct json_value fields = member_of(at, "fields"), field;
	int rc = 0;

	for (field = json_first(&fields); field.item && !rc; json_next(&field))
		rc = check_field(&field, record->fields[field.index].type, abi, err);
	return rc;
}

int read_dims_check(const struct json_value *root, const struct abi *abi, struct err *err)
{
	struct json_value records = member_of(root, "records"), record;
	int rc = 0;

	for (record = json_first(&records); record.item && !rc; json_next(&record))
		rc = check_record(&record, abi, err);
	return rc;
}
