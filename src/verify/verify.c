/*
 * Every entry of a table at one version, against one version's document.
 * The checks of an entry, in this order:
 *
 * 1. Its number against the driver's macro (or, where it has none, against
 *    the method of that name), and whether that number of its family is
 *    another command's in this version, or the command of another family.
 * 2. Each of its structs: that the driver has it; if the proxy reads it,
 *    size and fields (match.c); if the proxy passes it through unread, that
 *    nothing in it, unions and arrays included, is a pointer or an fd. In
 *    either case, whether something in it is for a kernel address.
 * 3. Its structs against the parameter record in the driver's own tables.
 * 4. The type that its handler unmarshals against those of its structs. This
 *    does not concern the driver: a proxy states its types twice, and its code
 *    acts by one of the two.
 * 5. Its capabilities against the known ones.
 *
 * A check that neither the table nor the driver's document can decide gives a
 * finding that is @unseen: not checked.
 */
#include "verify/verify.h"
#include "verify/internal.h"
#include "flatten/flatten.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void finding_add(struct finding_list *list, struct verify_finding finding, const char *format, ...)
{
	char text[2048];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	finding.message = arena_strdup(list->arena, text);
	ARRAY_GROW(list->item, list->count, list->capacity);
	list->item[list->count++] = finding;
}

static const char *skip_index(const char *at)
{
	while (isdigit((unsigned char)*at))
		at++;
	return at;
}

/* The same path but for what stands in brackets. */
static bool same_but_index(const char *a, const char *b)
{
	while (*a && *a == *b) {
		bool opens = *a == '[';

		a++;
		b++;
		if (opens) {
			a = skip_index(a);
			b = skip_index(b);
		}
	}
	return *a == *b;
}

static bool same_fault(const struct verify_finding *a, const struct verify_finding *b)
{
	return a->rule == b->rule && a->unseen == b->unseen && a->driver.present == b->driver.present &&
	       a->proxy.present == b->proxy.present &&
	       (!a->driver.present || !strcmp(a->driver.type, b->driver.type)) &&
	       (!a->proxy.present || !strcmp(a->proxy.type, b->proxy.type)) &&
	       same_but_index(a->path, b->path);
}

/* Says in how many elements of an array it is the same. */
static void add_count(struct verify_finding *finding, size_t more, struct arena *arena)
{
	struct strbuf count = { 0 };

	strbuf_plural(&count, more, "more element");
	finding->message = arena_printf(arena, "%s (and in %s)", finding->message, strbuf_text(&count));
	strbuf_release(&count);
}

void finding_fold(struct finding_list *list, size_t first)
{
	size_t *more = xmalloc((list->count - first + 1) * sizeof(*more));
	size_t count = first;

	for (size_t i = first; i < list->count; i++) {
		size_t like = strchr(list->item[i].path, '[') ? first : count;

		while (like < count && !same_fault(&list->item[like], &list->item[i]))
			like++;
		if (like < count) {
			more[like - first]++;
			continue;
		}
		more[count - first] = 0;
		list->item[count++] = list->item[i];
	}
	list->count = count;
	for (size_t i = first; i < count; i++)
		if (more[i - first])
			add_count(&list->item[i], more[i - first], list->arena);
	free(more);
}

static int compare_findings(const void *a, const void *b)
{
	const struct verify_finding *x = a, *y = b;
	int order;

	if ((order = strcmp(x->family, y->family)) || (order = strcmp(x->entry, y->entry)) ||
	    (order = strcmp(x->record, y->record)))
		return order;
	if (x->driver.offset_bytes != y->driver.offset_bytes)
		return x->driver.offset_bytes < y->driver.offset_bytes ? -1 : 1;
	if (x->rule != y->rule)
		return (int)x->rule - (int)y->rule;
	return (order = strcmp(x->path, y->path)) ? order : strcmp(x->message, y->message);
}

/* finding_sort - the order of struct verify_result. */
static void finding_sort(struct finding_list *list)
{
	if (list->count)
		qsort(list->item, list->count, sizeof(*list->item), compare_findings);
}

static const char *const rule_names[VERIFY_RULE_COUNT] = {
	[VERIFY_NUMBER] = "number",
	[VERIFY_REUSED_NUMBER] = "reused-number",
	[VERIFY_MISSING_RECORD] = "missing-record",
	[VERIFY_SIZE] = "size",
	[VERIFY_FIELD_OFFSET] = "field-offset",
	[VERIFY_FIELD_TYPE] = "field-type",
	[VERIFY_FIELD_MISSING] = "field-missing",
	[VERIFY_PADDING_OVERLAP] = "padding-overlap",
	[VERIFY_NOT_SIMPLE] = "not-simple",
	[VERIFY_SURFACE] = "surface",
	[VERIFY_HANDLER] = "handler",
	[VERIFY_CAPS] = "caps",
	[VERIFY_KERNEL_POINTER] = "kernel-pointer",
	[VERIFY_LACKING] = "unavailable",
};

static const char *const rule_descriptions[VERIFY_RULE_COUNT] = {
	[VERIFY_NUMBER] = "the number is not that of the driver's macro or method, or there is no such macro",
	[VERIFY_REUSED_NUMBER] = "the number is another command in this version",
	[VERIFY_MISSING_RECORD] = "the driver has no such record or alias",
	[VERIFY_SIZE] = "the proxy's type has another size than the driver's",
	[VERIFY_FIELD_OFFSET] = "the proxy has a field of the driver at another offset",
	[VERIFY_FIELD_TYPE] = "a field has another width, sign, length or role",
	[VERIFY_FIELD_MISSING] = "a field of the driver is missing in the proxy's type, or the reverse",
	[VERIFY_PADDING_OVERLAP] = "what the proxy calls padding covers bytes that the driver uses",
	[VERIFY_NOT_SIMPLE] = "passed through unread, but may carry a pointer or a file descriptor",
	[VERIFY_SURFACE] = "the driver's own tables name another parameter record",
	[VERIFY_HANDLER] = "the proxy's code unmarshals another type than the table says",
	[VERIFY_CAPS] = "a capability outside the known set",
	[VERIFY_KERNEL_POINTER] = "forwarded, and may pass a kernel address to or from the application",
	[VERIFY_LACKING] = "the proxy supports the version, and nothing that was looked at has it",
};

const char *verify_rule_description(enum verify_rule rule)
{
	return rule_descriptions[rule];
}

bool verify_rule_warns(enum verify_rule rule)
{
	return rule == VERIFY_KERNEL_POINTER || rule == VERIFY_LACKING;
}

const char *verify_rule_name(enum verify_rule rule)
{
	return rule_names[rule];
}

int verify_rule_parse(enum verify_rule *rule, const char *name, struct err *err)
{
	struct strbuf known = { 0 };
	int rc;

	for (int i = 0; i < VERIFY_RULE_COUNT; i++) {
		if (!strcmp(rule_names[i], name)) {
			*rule = (enum verify_rule)i;
			strbuf_release(&known);
			return 0;
		}
		strbuf_addf(&known, "%s%s", i ? ", " : "", rule_names[i]);
	}
	rc = err_set(err, ERR_FORMAT, "no rule '%s'; the rules are %s", name, strbuf_text(&known));
	strbuf_release(&known);
	return rc;
}

int verify_rules_parse(bool fails[VERIFY_RULE_COUNT], const char *list, struct err *err)
{
	struct strbuf name = { 0 };
	int rc = 0;

	for (int rule = 0; rule < VERIFY_RULE_COUNT; rule++)
		fails[rule] = !list && !verify_rule_warns((enum verify_rule)rule);
	while (list && *list && !rc) {
		size_t length = strcspn(list, ",");
		enum verify_rule rule;

		strbuf_reset(&name);
		strbuf_add(&name, list, length);
		if (!(rc = verify_rule_parse(&rule, strbuf_text(&name), err)))
			fails[rule] = true;
		list += length + (list[length] == ',');
	}
	strbuf_release(&name);
	return rc;
}

struct verify {
	const struct abi *abi;
	const struct table_view *view;
	struct arena *arena;
	struct verify_result result;
	struct finding_list found;
	struct numbers numbers;
	struct meet_driver driver;
	struct err *err;
};

static struct verify_finding about(const struct table_entry *entry, enum verify_rule rule, const char *record)
{
	return (struct verify_finding){
		.rule = rule, .family = entry->family, .entry = entry->name, .record = record, .path = ""
	};
}

static struct verify_side side_number(uint64_t number, const char *name)
{
	return (struct verify_side){ .present = true, .type = name, .has_number = true, .number = number };
}

static struct verify_side side_size(uint64_t size_bytes, const char *type)
{
	return (struct verify_side){ .present = true, .size_bytes = size_bytes, .type = type };
}

static void check_macro(struct verify *verify, const struct table_entry *entry)
{
	const struct abi_constant *constant = abi_find_constant(verify->abi, entry->constant);
	struct verify_finding finding = about(entry, VERIFY_NUMBER, "");
	char is[ABI_NOTATION_BYTES], proxy[ABI_NOTATION_BYTES];

	abi_ioctl_number(entry->family, entry->number, proxy);
	finding.proxy = side_number(entry->number, entry->name);
	if (!constant) {
		finding_add(&verify->found, finding, "the driver has no macro %s for the number %s",
			    entry->constant, proxy);
	} else if (!numbers_constant_is(verify->abi, entry->constant, entry->number)) {
		finding.driver = side_number(constant->value.magnitude, constant->name);
		finding_add(&verify->found, finding, "%s is %s in the driver, %s in the proxy",
			    entry->constant,
			    constant->value.negative
				    ? abi_constant_number(constant, is)
				    : abi_ioctl_number(entry->family, constant->value.magnitude, is),
			    proxy);
	}
}

/* The table names no macro. The driver's own tables may have a method of that name. */
static void check_method(struct verify *verify, const struct table_entry *entry)
{
	const struct abi_ioctl *method =
		numbers_of_command(&verify->numbers, entry->family, NULL, entry->name);
	struct verify_finding finding = about(entry, VERIFY_NUMBER, "");
	char is[ABI_NOTATION_BYTES], proxy[ABI_NOTATION_BYTES];

	if (!method || method->number == entry->number)
		return;
	abi_ioctl_number(entry->family, entry->number, proxy);
	finding.proxy = side_number(entry->number, entry->name);
	finding.driver = side_number(method->number, method->name);
	finding_add(&verify->found, finding, "%s is %s in the driver, %s in the proxy", method->name,
		    abi_ioctl_number(entry->family, method->number, is), proxy);
}

static bool is_same_command(const struct verify *verify, const struct table_entry *entry,
			    const struct abi_ioctl *ioctl)
{
	return numbers_is_command(verify->abi, ioctl, entry->constant, entry->name);
}

/*
 * Is this family's ioctl of that number the entry's command? Another family may use the same number for it,
 * and the same macro then has the right value: UVM_FREE is 34, and so is a class. A number that the family
 * does not have, or has for a macro that no table of the driver's uses, is unseen: it may be a command that
 * the open parts do not handle, or another macro for the same command.
 */
static void check_family(struct verify *verify, const struct table_entry *entry)
{
	size_t count;
	const struct abi_ioctl *const *owners =
		numbers_find(&verify->numbers, entry->family, entry->number, &count);
	bool is_macro = numbers_constant_is(verify->abi, entry->constant, entry->number);
	const struct abi_ioctl *here, *elsewhere;
	struct verify_finding finding = about(entry, owners ? VERIFY_REUSED_NUMBER : VERIFY_NUMBER, "");
	const char *name = entry->constant ? entry->constant : entry->name;
	char proxy[ABI_NOTATION_BYTES];

	for (size_t i = 0; owners && i < count; i++)
		if (is_same_command(verify, entry, owners[i]))
			return;
	here = numbers_of_command(&verify->numbers, entry->family, entry->constant, entry->name);
	elsewhere = here ? NULL : numbers_of_command(&verify->numbers, NULL, entry->constant, entry->name);
	abi_ioctl_number(entry->family, entry->number, proxy);
	finding.proxy = side_number(entry->number, entry->name);
	if (owners)
		finding.driver = side_number(owners[0]->number, owners[0]->name);
	finding.unseen = !elsewhere && (is_macro || !owners);
	if (owners && elsewhere) {
		finding_add(&verify->found, finding, "%s is %s in this family; %s is of the family %s", proxy,
			    owners[0]->name, name, elsewhere->family);
	} else if (elsewhere) {
		finding_add(&verify->found, finding, "%s is of the family %s in the driver", name,
			    elsewhere->family);
	} else if (owners && is_macro) {
		finding.rule = VERIFY_NUMBER;
		finding_add(&verify->found, finding,
			    "%s is %s in this family, and nothing confirms that %s is another name of it",
			    proxy, owners[0]->name, name);
	} else if (owners) {
		finding_add(&verify->found, finding, "%s is %s in this version, not %s", proxy,
			    owners[0]->name, name);
	} else if (is_macro) {
		finding_add(&verify->found, finding,
			    "no table of the driver has the number %s, so nothing but the macro confirms it",
			    proxy);
	} else if (!entry->constant && !here) {
		finding_add(&verify->found, finding,
			    "neither a macro nor a table of the driver has the number %s, so nothing confirms it",
			    proxy);
	}
}

static struct verify_finding about_leaf(const struct table_entry *entry, enum verify_rule rule,
					const char *record, const struct abi_leaf *leaf)
{
	struct verify_finding finding = about(entry, rule, record);

	finding.path = leaf->path;
	finding.driver = (struct verify_side){ .present = true, .offset_bytes = leaf->offset_bits / 8,
					       .size_bytes = leaf->size_bits / 8, .type = leaf->type };
	return finding;
}

static void check_simple_leaf(struct verify *verify, const struct table_entry *entry, const char *record,
			      const struct abi_leaf *leaf)
{
	finding_add(&verify->found, about_leaf(entry, VERIFY_NOT_SIMPLE, record, leaf),
		    "%s is passed through unread, but %s (%s at %" PRIu64 ") is %s%s", record, leaf->path,
		    leaf->type, leaf->offset_bits / 8,
		    meet_is_pointer(leaf->kind, leaf->role) ? "a pointer" : "a file descriptor",
		    leaf->union_path ? ", in a union" : "");
}

static void check_simple(struct verify *verify, const struct table_entry *entry, const char *record,
			 const struct abi_layout *layout)
{
	for (size_t i = 0; i < layout->leaf_count; i++) {
		const struct abi_leaf *leaf = &layout->leaf[i];

		verify->result.leaf_count++;
		if (meet_is_pointer(leaf->kind, leaf->role) || meet_is_fd(leaf->path, leaf->role))
			check_simple_leaf(verify, entry, record, leaf);
	}
}

/*
 * A proxy cannot translate these, whether it reads the record or not; its authors should know that it
 * forwards them.
 */
static void check_kernel_pointers(struct verify *verify, const struct table_entry *entry, const char *record,
				  const struct abi_layout *layout)
{
	for (size_t i = 0; i < layout->leaf_count; i++) {
		const struct abi_leaf *leaf = &layout->leaf[i];

		if (leaf->role == ABI_ROLE_KERNEL_POINTER)
			finding_add(&verify->found, about_leaf(entry, VERIFY_KERNEL_POINTER, record, leaf),
				    "%s is forwarded, and %s (%s at %" PRIu64 ") is for a kernel address", record, leaf->path,
				    leaf->type, leaf->offset_bits / 8);
	}
}

static uint64_t driver_bytes(const struct abi *abi, const char *name)
{
	const struct abi_record *record = abi_find_record(abi, name);
	const struct abi_alias *alias = abi_find_alias(abi, name);

	return record ? record->size_bytes : alias ? alias->size_bytes : 0;
}

static int check_read(struct verify *verify, const struct table_entry *entry, uint64_t driver_bytes,
		      const struct table_struct *one)
{
	struct verify_finding finding = about(entry, VERIFY_SIZE, one->driver);
	struct match_subject subject = {
		.driver = &verify->driver, .type = one->driver, .size_bytes = driver_bytes, .about = &finding
	};
	struct proxy_layout proxy;
	int rc;

	if ((rc = proxy_flatten(&proxy, verify->view->table, one->proxy, verify->arena, verify->err)))
		return rc;
	if (driver_bytes != proxy.type->size_bytes) {
		finding.driver = side_size(driver_bytes, one->driver);
		finding.proxy = side_size(proxy.type->size_bytes, proxy.type->name);
		finding_add(&verify->found, finding,
			    "%s is %" PRIu64 " bytes in the driver, %s %" PRIu64 " in the proxy", one->driver,
			    driver_bytes, proxy.type->name, proxy.type->size_bytes);
		finding.driver = finding.proxy = (struct verify_side){ 0 };
	}
	subject.proxy = &proxy;
	return match_type(&verify->found, &subject, &verify->result.leaf_count, verify->err);
}

/*
 * A typedef (NvHandle) that is passed through: no field tells what its number is. gVisor's parity test
 * refuses it as well.
 */
static void check_unread_alias(struct verify *verify, const struct table_entry *entry,
			       const struct abi_alias *alias)
{
	struct verify_finding finding = about(entry, VERIFY_NOT_SIMPLE, alias->name);

	finding.driver = side_size(alias->size_bytes, alias->type);
	finding_add(&verify->found, finding,
		    "%s is passed through unread, but it is an alias (%s), which has no fields to check",
		    alias->name, alias->type);
}

static int check_struct(struct verify *verify, const struct table_entry *entry, const struct table_struct *one)
{
	const struct abi_record *record = abi_find_record(verify->abi, one->driver);
	const struct abi_alias *alias = record ? NULL : abi_find_alias(verify->abi, one->driver);
	struct abi_layout layout;
	int rc;

	verify->result.struct_count++;
	if (record && (rc = flatten_record(&layout, verify->abi, one->driver, verify->arena, verify->err)))
		return rc;
	if (record)
		check_kernel_pointers(verify, entry, one->driver, &layout);
	if (one->proxy && (record || alias))
		return check_read(verify, entry, record ? record->size_bytes : alias->size_bytes, one);
	if (record)
		check_simple(verify, entry, one->driver, &layout);
	else if (alias)
		check_unread_alias(verify, entry, alias);
	else
		finding_add(&verify->found, about(entry, VERIFY_MISSING_RECORD, one->driver),
			    "the driver has no record or alias %s", one->driver);
	return 0;
}

/* Two spellings of one thing: the same name, or a tag and its typedefs. */
static bool same_driver_type(const struct abi *abi, const char *a, const char *b)
{
	const struct abi_record *x = abi_find_record(abi, a), *y = abi_find_record(abi, b);

	return !strcmp(a, b) || (x && y && *x->source && !strcmp(x->source, y->source));
}

static bool names_struct(const struct verify *verify, const struct table_entry *entry, const char *params)
{
	for (size_t i = 0; i < entry->struct_count; i++)
		if (same_driver_type(verify->abi, params, entry->structs[i].driver))
			return true;
	return false;
}

/*
 * The driver names a parameter record, the table does not. Parameters of
 * control commands and classes are forwarded inside an outer struct, so the
 * proxy forwards bytes that its authors did not check: a fault. A frontend or
 * UVM ioctl has a handler of its own in the proxy, which the table does not
 * show: unseen.
 */
static void check_nameless(struct verify *verify, const struct table_entry *entry, const char *params)
{
	uint64_t size_bytes = driver_bytes(verify->abi, params);
	struct verify_finding finding = about(entry, VERIFY_SURFACE, params);

	finding.driver = side_size(size_bytes, params);
	finding.unseen = strcmp(entry->family, "control") && strcmp(entry->family, "alloc");
	finding_add(&verify->found, finding, "%s takes %s (%" PRIu64 " bytes), %s",
		    finding.unseen ? "the driver" : "the driver's table says that it", params, size_bytes,
		    finding.unseen ? "of which the table has no type" : "the proxy has no type");
}

/* "NVOS54_PARAMETERS (32 bytes)", "nothing". */
static const char *spell_params(struct verify *verify, const char *name)
{
	struct strbuf size = { 0 };

	if (!name)
		return "nothing";
	if (!abi_find_record(verify->abi, name) && !abi_find_alias(verify->abi, name))
		return name;
	strbuf_plural(&size, driver_bytes(verify->abi, name), "byte");
	name = arena_printf(verify->arena, "%s (%s)", name, strbuf_text(&size));
	strbuf_release(&size);
	return name;
}

static void check_params(struct verify *verify, const struct table_entry *entry, const char *params,
			 const char *witness)
{
	const char *first = entry->structs[0].driver;
	struct verify_finding finding = about(entry, VERIFY_SURFACE, params ? params : first);

	if (params && names_struct(verify, entry, params))
		return;
	if (params)
		finding.driver = side_size(driver_bytes(verify->abi, params), params);
	finding.proxy = side_size(driver_bytes(verify->abi, first), first);
	finding_add(&verify->found, finding, "%s says that it takes %s, the proxy %s", witness,
		    spell_params(verify, params), spell_params(verify, first));
}

/*
 * The driver's own tables on the ioctl's parameters. Skips a number that is another command's: check_family()
 * has reported it.
 */
static void check_surface(struct verify *verify, const struct table_entry *entry)
{
	size_t count;
	const struct abi_ioctl *const *ioctls =
		numbers_find(&verify->numbers, entry->family, entry->number, &count);
	const struct abi_ioctl *ioctl = ioctls ? ioctls[0] : NULL;
	const struct abi_record *custom;

	for (size_t i = 1; ioctls && i < count; i++)
		if (is_same_command(verify, entry, ioctls[i]))
			ioctl = ioctls[i];
	if (!numbers_constant_is(verify->abi, entry->constant, entry->number) &&
	    !(ioctl && is_same_command(verify, entry, ioctl)))
		return;
	if (ioctl && !entry->struct_count && ioctl->params)
		check_nameless(verify, entry, ioctl->params);
	else if (ioctl && entry->struct_count)
		check_params(verify, entry, ioctl->params, "the driver's table");
	else if (!ioctl && entry->struct_count &&
		 (custom = numbers_params_by_name(verify->abi, entry->constant, verify->arena)))
		check_params(verify, entry, custom->name, "no table of the driver has it, but its name");
}

/* "T", "T or U" of the types that the table names; NULL if the proxy reads nothing. */
static const char *spell_proxy_types(struct verify *verify, const struct table_entry *entry)
{
	const char *all = NULL;

	for (size_t i = 0; i < entry->struct_count; i++)
		if (entry->structs[i].proxy)
			all = all ? arena_printf(verify->arena, "%s or %s", all, entry->structs[i].proxy)
				  : entry->structs[i].proxy;
	return all;
}

static bool reads_type(const struct table_entry *entry, const char *type)
{
	for (size_t i = 0; i < entry->struct_count; i++)
		if (entry->structs[i].proxy && !strcmp(entry->structs[i].proxy, type))
			return true;
	return false;
}

/* A handler that passes bytes on, or of which the table does not know the type, contradicts no struct. */
static void check_handler(struct verify *verify, const struct table_entry *entry)
{
	const struct table_handler *handler = &entry->handler;
	const struct table_type *type =
		handler->type ? table_find_type(verify->view->table, handler->type) : NULL;
	struct verify_finding finding =
		about(entry, VERIFY_HANDLER, entry->struct_count ? entry->structs[0].driver : "");
	const char *said = spell_proxy_types(verify, entry);

	if (!handler->type || reads_type(entry, handler->type))
		return;
	finding.proxy = side_size(type ? type->size_bytes : 0, handler->type);
	finding_add(&verify->found, finding, "the handler %s unmarshals %s, the table says %s", handler->kind,
		    handler->type, said ? said : "that nothing is read");
}

static bool is_known_cap(const char *cap)
{
	for (const char *const *known = table_caps; *known; known++)
		if (!strcmp(cap, *known))
			return true;
	return false;
}

static void check_caps(struct verify *verify, const struct table_entry *entry)
{
	for (size_t i = 0; i < entry->cap_count; i++)
		if (!is_known_cap(entry->caps[i]))
			finding_add(&verify->found, about(entry, VERIFY_CAPS, ""),
				    "'%s' is no driver capability", entry->caps[i]);
}

static int check_entry(struct verify *verify, const struct table_entry *entry)
{
	int rc = 0;

	verify->result.entry_count++;
	if (entry->constant)
		check_macro(verify, entry);
	else
		check_method(verify, entry);
	check_family(verify, entry);
	for (size_t i = 0; i < entry->struct_count && !rc; i++) {
		rc = check_struct(verify, entry, &entry->structs[i]);
		if (rc)
			err_prefix(verify->err, "%s %s", entry->family, entry->name);
	}
	check_surface(verify, entry);
	check_handler(verify, entry);
	check_caps(verify, entry);
	return rc;
}

/* A document of another tool, or of a profile without roles, would let everything pass as simple. */
static int check_roles(const struct abi *abi, struct err *err)
{
	for (size_t r = 0; r < abi->record_count; r++)
		for (size_t f = 0; f < abi->records[r].field_count; f++)
			if (abi->records[r].fields[f].role == ABI_ROLE_POINTER)
				return 0;
	return err_set(err, ERR_FORMAT,
		       "%s has no field with the role pointer, so no record can be called simple; "
		       "make the document with drvabi extract and a profile with roles",
		       abi->version && *abi->version ? abi->version : "the document");
}

/* Sorts the findings and splits them in two lists: faults, and what could not be checked. */
static void split_findings(struct verify_result *out, struct finding_list *found)
{
	struct verify_finding *lists[2];
	size_t counts[2] = { 0 };

	finding_sort(found);
	for (int unseen = 0; unseen < 2; unseen++)
		lists[unseen] = arena_array(found->arena, found->count + 1, sizeof(**lists));
	for (size_t i = 0; i < found->count; i++) {
		bool unseen = found->item[i].unseen;

		lists[unseen][counts[unseen]++] = found->item[i];
	}
	out->findings = lists[false];
	out->finding_count = counts[false];
	out->unseen = lists[true];
	out->unseen_count = counts[true];
}

int verify_view(struct verify_result *out, const struct abi *abi, const struct table_view *view,
		struct arena *arena, struct err *err)
{
	struct verify verify = {
		.abi = abi, .view = view, .arena = arena, .found = { .arena = arena }, .err = err
	};
	int rc;

	if ((rc = check_roles(abi, err)))
		return rc;
	numbers_init(&verify.numbers, abi, arena);
	meet_driver_init(&verify.driver, abi, arena);
	for (size_t i = 0; i < view->entry_count && !rc; i++)
		rc = check_entry(&verify, view->entries[i]);
	if (!rc) {
		*out = verify.result;
		out->view = view;
		out->abi = abi;
		split_findings(out, &verify.found);
	}
	free(verify.found.item);
	return rc;
}

void verify_lacking(struct verify_result *out, const struct table_view *view, const char *version,
		    const char *why, struct arena *arena)
{
	const struct verify_finding finding = { .rule = VERIFY_LACKING,
						.family = "version",
						.entry = version,
						.record = "",
						.path = "",
						.message = why };

	*out = (struct verify_result){ .view = view,
				       .findings = arena_memdup(arena, &finding, sizeof(finding)),
				       .finding_count = 1 };
}
