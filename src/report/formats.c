/* report/formats.c - the formats of JSON that the room writes */
#include "report/internal.h"

const struct json_format report_formats[] = {
	{ BOOTSTRAP_FORMAT, &report_bootstrap_fields },
	{ DIFF_FORMAT, &report_diff_fields },
	{ HISTORY_FORMAT, &report_history_fields },
	{ VERIFY_FORMAT, &report_verify_fields },
	{ NULL, NULL },
};
