/*
 * verify/verify.h - a proxy's table against the driver: the parity test
 *
 * Layer L3, a pure pass: compares one version's document with what the
 * table says at that version, and never prints.
 */
#ifndef VERIFY_VERIFY_H
#define VERIFY_VERIFY_H

#include "abi/abi.h"

#define VERIFY_FORMAT "drvabi-verify/1"

/* What can be wrong with an entry, in the order of reports. docs/verify.md explains each rule. */
enum verify_rule {
	VERIFY_NUMBER,          /* the number is not that of the driver's macro or method, or there is no such macro */
	VERIFY_REUSED_NUMBER,   /* the number is another command's in this version */
	VERIFY_MISSING_RECORD,  /* the driver has no such struct or alias */
	VERIFY_SIZE,            /* the proxy's type has another size than the driver's */
	VERIFY_FIELD_OFFSET,    /* the proxy has a driver's field, at another offset */
	VERIFY_FIELD_TYPE,      /* another width, sign, array length; a pointer or handle read as a number, or the reverse */
	VERIFY_FIELD_MISSING,   /* no proxy field at all for a driver field, or the reverse */
	VERIFY_PADDING_OVERLAP, /* what the proxy calls padding covers bytes the driver uses */
	VERIFY_NOT_SIMPLE,      /* passed through unread, but carries a pointer or a file descriptor */
	VERIFY_SURFACE,         /* the driver's own tables name another parameter record, or another size */
	VERIFY_HANDLER,         /* the proxy's code unmarshals another type than the table says */
	VERIFY_CAPS,            /* a capability outside the known set */
	VERIFY_KERNEL_POINTER,  /* forwarded, and may carry an address of the kernel: a warning */
	VERIFY_LACKING,         /* of the whole version: the proxy supports it, and nothing that was looked at has it */
};
enum { VERIFY_RULE_COUNT = VERIFY_LACKING + 1 };

/* verify_rule_name - "field-offset"; verify_rule_parse is its inverse (ERR_FORMAT names what is known). */
const char *verify_rule_name(enum verify_rule rule);
/* verify_rule_description - what it finds, as a phrase without a full stop. */
const char *verify_rule_description(enum verify_rule rule);
int verify_rule_parse(enum verify_rule *rule, const char *name, struct err *err);
/* verify_rule_warns - its findings do not make a version fail unless --fail-on, or for VERIFY_LACKING --strict, says so. */
bool verify_rule_warns(enum verify_rule rule);

/**
 * verify_rules_parse - the rules whose findings make a version fail
 * @fails: by rule
 * @list:  "size,field-offset"; NULL: every rule that does more than warn
 *
 * Return: 0; ERR_FORMAT if one of them is no rule.
 */
int verify_rules_parse(bool fails[VERIFY_RULE_COUNT], const char *list, struct err *err);

/* A field, record or number as one of the two sees it. */
struct verify_side {
	bool present;
	uint64_t offset_bytes; /* of a field, from the start of the outermost record */
	uint64_t size_bytes;
	const char *type;      /* as that side spells it; "" for a number */
	bool has_number;
	uint64_t number;
};

struct verify_finding {
	enum verify_rule rule;
	const char *family;
	const char *entry;
	const char *record; /* the driver's spelling; "" if the finding is about the entry */
	const char *path;   /* of the driver's leaf, or of the proxy's if the driver has none; "" for a whole record */
	struct verify_side driver, proxy;
	const char *message; /* one sentence */
	bool unseen;         /* neither document nor table shows whether this is a fault: it counts as not checked, and never fails */
};

struct verify_result {
	const struct table_view *view;
	const struct abi *abi;
	const struct verify_finding *findings; /* by family, entry, record, offset, rule */
	size_t finding_count;
	const struct verify_finding *unseen; /* the findings that are @unseen, in the same order; not among @findings */
	size_t unseen_count;
	size_t entry_count;   /* entries that were looked at */
	size_t struct_count;  /* (entry, struct) pairs that were compared */
	size_t leaf_count;    /* driver leaves that were compared */
};

/**
 * verify_view - every rule, over every entry of one version
 * @out: lives in @arena; @abi and @view must outlive it
 *
 * Return: 0, also when there are findings; ERR_FORMAT if no field of @abi
 * has the role of a pointer, so that everything would pass as simple; what
 * flatten_record() returns for a document that contradicts itself.
 */
int verify_view(struct verify_result *out, const struct abi *abi, const struct table_view *view, struct arena *arena,
		struct err *err);

/**
 * verify_lacking - the one finding of a supported version that could not be checked
 * @view: what the proxy forwards at it
 * @why:  the finding's message; it and the version's name must outlive @out
 *
 * Its family is "version", and its entry the version's name.
 */
void verify_lacking(struct verify_result *out, const struct table_view *view, const char *version, const char *why, struct arena *arena);

/**
 * verify_unknown_family - a family that the table forwards and the driver does not have
 * @results: of all versions that were compared
 *
 * Return: the first family of an entry of which no version has ioctls; NULL if there is none, or no version has any ioctls.
 */
const char *verify_unknown_family(const struct verify_result *const *results, size_t count);

#include "verify/accept.h"
#include "verify/suppress.h"
#include "verify/surface.h"
#include "verify/pids.h"
#include "verify/ctable.h"

#endif
