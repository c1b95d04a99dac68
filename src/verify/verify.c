/*
 * Every entry of a table at one version, against one version's document.
 * What is checked of an entry, in this order:
 *
 * 1. Its number against the driver's macro, and whether that number is
 *    another command's in this version.
 * 2. Each of its structs: that the driver has it; if the proxy reads it,
 *    size and fields (match.c); if the proxy passes it through unread, that
 *    nothing in it, unions and arrays included, is a pointer or an fd.
 * 3. Its structs against the parameter record in the driver's own tables.
 * 4. Its capabilities against the known ones.
 */
#include "verify/match.h"

#include "flatten/flatten.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct verify {
	const struct abi *abi;
	const struct table_view *view;
	struct arena *arena;
	struct verify_result result;
	struct finding_list found;
	const struct abi_ioctl **by_number; /* abi->ioctls, sorted by family, then number */
	struct err *err;
};

/* nvidia-container-toolkit's driver capabilities, as nvproxy splits its entries by them. */
static const char *const known_caps[] = {
	"compat32", "compute", "display", "fabric-imex-mgmt", "graphics", "ngx", "profiling", "rdma", "utility", "video",
};

static struct verify_finding about(const struct table_entry *entry, enum verify_rule rule, const char *record)
{
	return (struct verify_finding){ .rule = rule, .family = entry->family, .entry = entry->name, .record = record, .path = "" };
}

static struct verify_side side_number(uint64_t number)
{
	return (struct verify_side){ .present = true, .type = "", .has_number = true, .number = number };
}

static struct verify_side side_size(uint64_t size_bytes, const char *type)
{
	return (struct verify_side){ .present = true, .size_bytes = size_bytes, .type = type };
}

static int compare_numbers(const void *a, const void *b)
{
	const struct abi_ioctl *x = *(const struct abi_ioctl *const *)a, *y = *(const struct abi_ioctl *const *)b;
	int order = strcmp(x->family, y->family);

	if (order)
		return order;
	return x->number < y->number ? -1 : x->number > y->number;
}

static const struct abi_ioctl *ioctl_by_number(const struct verify *verify, const char *family, uint64_t number)
{
	const struct abi_ioctl key = { .family = family, .number = number }, *wanted = &key;
	const struct abi_ioctl **found = bsearch(&wanted, verify->by_number, verify->abi->ioctl_count, sizeof(*found), compare_numbers);

	return found ? *found : NULL;
}

static bool constant_is(const struct abi *abi, const char *name, uint64_t number)
{
	const struct abi_constant *constant = name ? abi_find_constant(abi, name) : NULL;

	return constant && !constant->value.negative && constant->value.magnitude == number;
}

static void check_number(struct verify *verify, const struct table_entry *entry)
{
	const struct abi_constant *constant = entry->constant ? abi_find_constant(verify->abi, entry->constant) : NULL;
	const struct abi_ioctl *meant = ioctl_by_number(verify, entry->family, entry->number);
	struct verify_finding finding = about(entry, VERIFY_NUMBER, "");
	char value[24];

	finding.proxy = side_number(entry->number);
	if (entry->constant && !constant) {
		finding_add(&verify->found, finding, "the driver has no macro %s for the number 0x%" PRIx64, entry->constant,
			    entry->number);
	} else if (constant && !constant_is(verify->abi, entry->constant, entry->number)) {
		finding.driver = side_number(constant->value.magnitude);
		finding_add(&verify->found, finding, "%s is %s in the driver, %" PRIu64 " in the proxy", entry->constant,
			    abi_number_text(constant->value, value), entry->number);
	}
	if (!meant || constant_is(verify->abi, entry->constant, entry->number) ||
	    (entry->constant && !strcmp(meant->name, entry->constant)))
		return;
	if (!entry->constant && !abi_find_constant(verify->abi, meant->name))
		return; /* neither side has a macro: the driver's name is its function's, which says nothing else */
	finding.rule = VERIFY_REUSED_NUMBER;
	finding.driver = side_number(meant->number);
	finding.driver.type = meant->name;
	finding_add(&verify->found, finding, "0x%" PRIx64 " is %s in this version, not %s", entry->number, meant->name,
		    entry->constant ? entry->constant : entry->name);
}

static void check_simple_leaf(struct verify *verify, const struct table_entry *entry, const char *record, const struct abi_leaf *leaf)
{
	struct verify_finding finding = about(entry, VERIFY_NOT_SIMPLE, record);
	const char *what = leaf->role == ABI_ROLE_FD ? "a file descriptor" : "a pointer";

	finding.path = leaf->path;
	finding.driver = (struct verify_side){ .present = true, .offset_bytes = leaf->offset_bits / 8,
					       .size_bytes = leaf->size_bits / 8, .type = leaf->type };
	finding_add(&verify->found, finding, "%s is passed through unread, but %s (%s at %" PRIu64 ") is %s", record, leaf->path,
		    leaf->type, leaf->offset_bits / 8, what);
}

static int check_simple(struct verify *verify, const struct table_entry *entry, const char *record)
{
	struct abi_layout layout;
	int rc;

	if ((rc = flatten_record(&layout, verify->abi, record, verify->arena, verify->err)))
		return rc;
	for (size_t i = 0; i < layout.leaf_count; i++) {
		const struct abi_leaf *leaf = &layout.leaf[i];

		verify->result.leaf_count++;
		if (leaf->kind == ABI_POINTER || leaf->role == ABI_ROLE_POINTER || leaf->role == ABI_ROLE_FD)
			check_simple_leaf(verify, entry, record, leaf);
	}
	return 0;
}

static void check_size(struct verify *verify, const struct table_entry *entry, const char *record, uint64_t driver_bytes,
		       const struct table_type *type)
{
	struct verify_finding finding = about(entry, VERIFY_SIZE, record);

	if (driver_bytes == type->size_bytes)
		return;
	finding.driver = side_size(driver_bytes, record);
	finding.proxy = side_size(type->size_bytes, type->name);
	finding_add(&verify->found, finding, "%s is %" PRIu64 " bytes in the driver, %s %" PRIu64 " in the proxy", record,
		    driver_bytes, type->name, type->size_bytes);
}

static int check_read(struct verify *verify, const struct table_entry *entry, const struct abi_record *record,
		      const struct table_struct *one)
{
	struct verify_finding finding = about(entry, VERIFY_SIZE, one->driver);
	struct proxy_layout proxy;
	int rc;

	if ((rc = proxy_flatten(&proxy, verify->view->table, one->proxy, verify->arena, verify->err)))
		return rc;
	check_size(verify, entry, one->driver, record->size_bytes, proxy.type);
	return match_record(&verify->found, verify->abi, record, &proxy, &finding, &verify->result.leaf_count, verify->err);
}

/* An alias of the driver (NvHandle) where the proxy has a type, or nothing. */
static void check_alias(struct verify *verify, const struct table_entry *entry, const struct abi_alias *alias,
			const struct table_struct *one)
{
	const struct table_type *type = one->proxy ? table_find_type(verify->view->table, one->proxy) : NULL;
	struct verify_finding finding = about(entry, VERIFY_NOT_SIMPLE, one->driver);
	struct abi_type means;

	if (type) {
		check_size(verify, entry, one->driver, alias->size_bytes, type);
		return;
	}
	if (abi_resolve_type(&means, verify->abi, alias->name, NULL) || means.record || means.scalar != ABI_POINTER)
		return;
	finding.driver = side_size(alias->size_bytes, alias->type);
	finding_add(&verify->found, finding, "%s is passed through unread, but it is a pointer", one->driver);
}

static int check_struct(struct verify *verify, const struct table_entry *entry, const struct table_struct *one)
{
	const struct abi_record *record = abi_find_record(verify->abi, one->driver);
	const struct abi_alias *alias = record ? NULL : abi_find_alias(verify->abi, one->driver);

	verify->result.struct_count++;
	if (record)
		return one->proxy ? check_read(verify, entry, record, one) : check_simple(verify, entry, one->driver);
	if (alias)
		check_alias(verify, entry, alias, one);
	else
		finding_add(&verify->found, about(entry, VERIFY_MISSING_RECORD, one->driver), "the driver has no record or alias %s",
			    one->driver);
	return 0;
}

/* Two spellings of one thing: the same name, typedefs of one declaration, or aliases of one type. */
static bool same_driver_type(const struct abi *abi, const char *a, const char *b)
{
	const struct abi_record *x = abi_find_record(abi, a), *y = abi_find_record(abi, b);
	const struct abi_alias *p = abi_find_alias(abi, a), *q = abi_find_alias(abi, b);

	if (!strcmp(a, b))
		return true;
	if (x && y)
		return !strcmp(x->source, y->source);
	return p && q && !strcmp(p->type, q->type) && p->size_bytes == q->size_bytes;
}

static uint64_t driver_bytes(const struct abi *abi, const char *name)
{
	const struct abi_record *record = abi_find_record(abi, name);
	const struct abi_alias *alias = abi_find_alias(abi, name);

	return record ? record->size_bytes : alias ? alias->size_bytes : 0;
}

/* The driver's own table of what the ioctl takes. */
static void check_surface(struct verify *verify, const struct table_entry *entry)
{
	const struct abi_ioctl *ioctl = ioctl_by_number(verify, entry->family, entry->number);
	struct verify_finding finding = about(entry, VERIFY_SURFACE, "");

	if (!ioctl || !entry->struct_count || !constant_is(verify->abi, entry->constant, entry->number))
		return; /* without a struct the proxy says nothing about the parameters */
	for (size_t i = 0; i < entry->struct_count; i++)
		if (ioctl->params && same_driver_type(verify->abi, ioctl->params, entry->structs[i].driver))
			return;
	finding.record = ioctl->params ? ioctl->params : entry->structs[0].driver;
	if (ioctl->params)
		finding.driver = side_size(driver_bytes(verify->abi, ioctl->params), ioctl->params);
	finding.proxy = side_size(driver_bytes(verify->abi, entry->structs[0].driver), entry->structs[0].driver);
	finding_add(&verify->found, finding, "the driver's table says that it takes %s (%" PRIu64 " bytes), the proxy %s (%" PRIu64 ")",
		    ioctl->params ? ioctl->params : "nothing", finding.driver.size_bytes, entry->structs[0].driver,
		    finding.proxy.size_bytes);
}

static void check_caps(struct verify *verify, const struct table_entry *entry)
{
	for (size_t i = 0; i < entry->cap_count; i++) {
		bool known = false;

		for (size_t k = 0; k < sizeof(known_caps) / sizeof(*known_caps); k++)
			known |= !strcmp(entry->caps[i], known_caps[k]);
		if (!known)
			finding_add(&verify->found, about(entry, VERIFY_CAPS, ""), "'%s' is no driver capability", entry->caps[i]);
	}
}

static int check_entry(struct verify *verify, const struct table_entry *entry)
{
	int rc = 0;

	verify->result.entry_count++;
	check_number(verify, entry);
	for (size_t i = 0; i < entry->struct_count && !rc; i++)
		rc = check_struct(verify, entry, &entry->structs[i]);
	check_surface(verify, entry);
	check_caps(verify, entry);
	return rc;
}

static int compare_findings(const void *a, const void *b)
{
	const struct verify_finding *x = a, *y = b;
	int order;

	if ((order = strcmp(x->family, y->family)) || (order = strcmp(x->entry, y->entry)) || (order = strcmp(x->record, y->record)))
		return order;
	if (x->driver.offset_bytes != y->driver.offset_bytes)
		return x->driver.offset_bytes < y->driver.offset_bytes ? -1 : 1;
	if (x->rule != y->rule)
		return (int)x->rule - (int)y->rule;
	return (order = strcmp(x->path, y->path)) ? order : strcmp(x->message, y->message);
}

int verify_view(struct verify_result *out, const struct abi *abi, const struct table_view *view, struct arena *arena, struct err *err)
{
	struct verify verify = { .abi = abi, .view = view, .arena = arena, .found = { .arena = arena }, .err = err };
	int rc = 0;

	verify.by_number = arena_array(arena, abi->ioctl_count + 1, sizeof(*verify.by_number));
	for (size_t i = 0; i < abi->ioctl_count; i++)
		verify.by_number[i] = &abi->ioctls[i];
	qsort(verify.by_number, abi->ioctl_count, sizeof(*verify.by_number), compare_numbers);
	for (size_t i = 0; i < view->entry_count && !rc; i++)
		rc = check_entry(&verify, view->entries[i]);
	if (!rc) {
		if (verify.found.count)
			qsort(verify.found.item, verify.found.count, sizeof(*verify.found.item), compare_findings);
		*out = verify.result;
		out->view = view;
		out->abi = abi;
		out->finding_count = verify.found.count;
		out->findings = arena_memdup(arena, verify.found.item, verify.found.count * sizeof(*verify.found.item));
	}
	free(verify.found.item);
	return rc;
}
