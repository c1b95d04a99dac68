/* What the formats share: requests, what calls returned, and paths of devices. */
#include "decode/call.h"
#include "decode/errno_name.h"
#include "decode/lines_internal.h"

#include <string.h>

enum { FIELD_MAX = 0x3fff, BYTE_MAX = 0xff, ERRNO_MAX = 4095 };

bool decode_read_request(struct decode_line *out, const char *family, uint64_t request)
{
	struct decode_line found = { .family = NULL };

	found.family = call_identify(&found.number, family, request);
	if (!found.family)
		return false;
	if (!strcmp(found.family, "frontend")) {
		found.size_bytes = call_split(request).size_bytes;
		found.has_size = found.size_bytes > 0;
	}
	*out = found;
	return true;
}

static bool direction(uint64_t *request, struct rest *rest, const char *prefix)
{
	if (!rest_skip_word(rest, prefix))
		return false;
	if (rest_skip_word(rest, "READ"))
		*request |= UINT64_C(2) << 30;
	else if (rest_skip_word(rest, "WRITE"))
		*request |= UINT64_C(1) << 30;
	else
		return rest_skip_word(rest, "NONE");
	return true;
}

bool decode_read_ioc(uint64_t *out, struct rest *rest, const char *prefix)
{
	uint64_t field[3], request = 0;

	do {
		if (!direction(&request, rest, prefix))
			return false;
	} while (rest_skip_word(rest, "|"));
	for (size_t i = 0; i < 3; i++)
		if (!rest_skip_word(rest, ", ") || !rest_number(&field[i], rest) || field[i] > FIELD_MAX)
			return false;
	if (field[0] > BYTE_MAX || field[1] > BYTE_MAX)
		return false;
	*out = request | field[2] << 16 | field[0] << 8 | field[1];
	return true;
}

void decode_read_result(struct decode_line *out, struct rest rest)
{
	uint64_t error;

	out->error = 0;
	out->has_ret = rest_result(&out->ret, &rest);
	if (!out->has_ret || out->ret >= 0)
		return;
	rest_skip_any(&rest, " ");
	if (rest_skip_word(&rest, "errno=")) {
		if (rest_number(&error, &rest) && error <= ERRNO_MAX)
			out->error = (int)error;
	} else {
		const char *name = rest.at;

		while (rest.at < rest.end && ((*rest.at >= 'A' && *rest.at <= 'Z') || (*rest.at >= '0' && *rest.at <= '9')))
			rest.at++;
		out->error = decode_errno_number(name, (size_t)(rest.at - name));
	}
}

/* "\x2f" or "\057"; any other character is itself. */
static char unescape(struct rest *rest)
{
	const char *at = rest->at;

	if (rest_length(rest) >= 4 && at[0] == '\\' && at[1] == 'x' && rest_digit(at[2]) < 16 && rest_digit(at[3]) < 16) {
		rest->at += 4;
		return (char)(rest_digit(at[2]) << 4 | rest_digit(at[3]));
	}
	if (rest_length(rest) >= 4 && at[0] == '\\' && rest_digit(at[1]) < 4 && rest_digit(at[2]) < 8 && rest_digit(at[3]) < 8) {
		rest->at += 4;
		return (char)(rest_digit(at[1]) << 6 | rest_digit(at[2]) << 3 | rest_digit(at[3]));
	}
	rest->at++;
	return *at;
}

void decode_read_path(char path[DECODE_PATH_BYTES], struct rest *rest, const char *ends)
{
	size_t length = 0;

	while (rest->at < rest->end && *rest->at && !strchr(ends, *rest->at)) {
		const char ch = unescape(rest);

		if (length < DECODE_PATH_BYTES - 1)
			path[length++] = ch;
	}
	path[length] = '\0';
}
