/*
 * decode/lifetime.h - since when the driver has had an ioctl, and until when
 *
 * Part of decode/, and of its public face. Along the commit graph: an ioctl may
 * come in several lines of releases, and go in some.
 */
#ifndef DECODE_LIFETIME_H
#define DECODE_LIFETIME_H

#include <stdint.h>

struct history_graph;
struct strbuf;

/* decode_lifetime_text - "535.43.24, 535.113.01; until 595.44.02": versions that have the number, and whose parents have not, or the other way round. "" if none has it. */
void decode_lifetime_text(struct strbuf *out, const struct history_graph *graph, const char *family, uint64_t number);

#endif
