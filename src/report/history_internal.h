/*
 * report/history_internal.h - phrases that several reports of a history use
 *
 * Private to report/.
 */
#ifndef REPORT_HISTORY_INTERNAL_H
#define REPORT_HISTORY_INTERNAL_H

#include "report/history.h"

const struct history_edge *history_edge_of(const struct history *history, const struct history_event *event, size_t index);
const char *history_version_name(const struct history *history, size_t version);

/* history_edge_words - "575.51.02 after 570.133.20", "570.144 after 570.133.20, inside release 570". */
void history_edge_words(struct strbuf *out, const struct history *history, const struct history_edge *edge);

/*
 * history_is_told_with - is @event a rename that is told with @ioctl's?
 *
 * Only if both are told at the same step: an event that happened on several may be told at another one than the ioctl's.
 */
bool history_is_told_with(const struct history_event *event, const struct history_event *ioctl);
/* history_is_told_elsewhere - is there such an ioctl among the events? */
bool history_is_told_elsewhere(const struct history *history, const struct history_event *event);

/* history_change_words - what changed, in a few words: "360 -> 368 bytes: +tpcConfigID, ~flags". Without the name. */
void history_change_words(struct strbuf *out, const struct diff_change *change);

/*
 * history_span_words - "since 570.86.15; now 0x20801357 at 575.51.02; in 25 of 193 versions"
 *
 * "no more at" where nothing came of it; "(was 0x20801359 until 570.133.20)" behind a version where it came from something.
 */
void history_span_words(struct strbuf *out, const struct history *history, const struct history_span *span);

/* history_step_count - of the graph, those that lead to a version that is asked for. */
size_t history_step_count(const struct history *history);

/* history_shows_numbers - are several names or numbers asked for, so that each span must name its number? */
bool history_shows_numbers(const struct history *history);

/*
 * history_carrier_words - the ioctls that were asked for and carry the record: "control A, uvm B"
 *
 * Not more than @most: "control A, uvm B and 3 more". Nothing if there is none.
 */
void history_carrier_words(struct strbuf *out, const struct history_event *event, size_t most);

/* history_is_whole - everything that changed, at more than one version: too much to tell change by change. */
bool history_is_whole(const struct history *history);

#endif
