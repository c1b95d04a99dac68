/* report/formats.c - the formats of JSON that the room writes */
#include "report/internal.h"

const struct json_format report_formats[] = {
	{ BOOTSTRAP_FORMAT, &report_bootstrap_fields },
	{ NULL, NULL },
};
