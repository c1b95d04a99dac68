/*
 * report/bootstrap_internal.h - phrases that text and Markdown of bootstrap share
 */
#ifndef REPORT_BOOTSTRAP_INTERNAL_H
#define REPORT_BOOTSTRAP_INTERNAL_H

#include "report/bootstrap.h"

/* bootstrap_headline - "590.48.01 needs 2 nodes after 580.105.08: 4 entries to replace"; not escaped. */
void bootstrap_headline(struct strbuf *out, const struct bootstrap *bootstrap);

/* bootstrap_guess_words - "compute+utility (8 of 9 in 2080.13)", "TODO(drvabi), likely graphics (…)"; not escaped. */
void bootstrap_guess_words(struct strbuf *out, const struct bootstrap_caps *caps);

/* bootstrap_caller - which callers the driver admits, if not all: "kernel-privileged"; NULL if it admits all, or does not say. */
const char *bootstrap_caller(const struct bootstrap_candidate *candidate);

/* bootstrap_node_words - "after 580.105.08, a node between", "after 590.44.01; SHA-256: x86_64 TODO(drvabi), arm64 8f0a…"; not escaped. */
void bootstrap_node_words(struct strbuf *out, const struct bootstrap_node *node);

/* bootstrap_is_work - does something have to be written for it, at @node? */
bool bootstrap_is_work(const struct bootstrap_entry *entry, const char *node);

/*
 * bootstrap_same_before - an entry before @index, at the same node, whose record changed in the same way; NULL if there is none
 *
 * What is told of its fields and its type is not told again.
 */
const struct bootstrap_entry *bootstrap_same_before(const struct bootstrap *bootstrap, size_t index);

/* bootstrap_is_told_todo - does a TODO before @index say the same, of another entry? */
bool bootstrap_is_told_todo(const struct bootstrap *bootstrap, size_t index);

/* bootstrap_family, bootstrap_name - of the entry, as it is now or was. */
const char *bootstrap_family(const struct bootstrap_entry *entry);
const char *bootstrap_name(const struct bootstrap_entry *entry);

#endif
