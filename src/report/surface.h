/*
 * report/surface.h - the ioctls of a version as a table and as JSON
 *
 * Part of the room's public face.
 */
#ifndef REPORT_SURFACE_H
#define REPORT_SURFACE_H

#include "report/report.h"
#include "verify/verify.h"

void report_surface_text(struct strbuf *out, const struct surface *surface, const struct report_style *style);
/* @caps may be NULL; @since, too. */
void report_surface_json(struct strbuf *out, const struct surface *surface, const struct caps *caps, const struct caps_since *since);
/* report_caps_text - what each capability adds: the attack surface in numbers. @since may be NULL. */
void report_caps_text(struct strbuf *out, const struct caps *caps, const struct caps_since *since, const struct report_style *style);

#endif
