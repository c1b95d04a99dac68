/*
 * report/surface_internal.h - capabilities as JSON, for surface and for verify
 *
 * Inside the room.
 */
#ifndef REPORT_SURFACE_INTERNAL_H
#define REPORT_SURFACE_INTERNAL_H

#include "abi/abi.h"
#include "report/surface.h"

/* report_caps_json - "caps", "sets", "unreached" and, unless @since is NULL, "changed_from", as keys of the object that is open. */
void report_caps_json(struct json_writer *writer, const struct caps *caps, const struct caps_since *since);

/* report_caps_since_text - what each capability gained and lost. */
void report_caps_since_text(struct strbuf *out, const struct caps *caps, const struct caps_since *since, const struct report_style *style);

#endif
