/*
 * verify/verify.c - check every entry of a table at one version against the document of that version
 *
 * The checks of an entry, in this order:
 *
 * 1. Its number is compared with the driver's macro, or, if the entry has no macro, with the number of the
 *    method that has the entry's name. It is a fault if the number belongs to a different command, if the
 *    command belongs to a different family, or if the table has a second entry with the number.
 * 2. Each of its structs: the driver must have it. If the proxy reads it, its size and fields must match
 *    (match_record.c). If the proxy passes it through unread, nothing in it may be a pointer or an fd, unions
 *    and arrays included. In both cases, fields for kernel addresses are reported.
 * 3. Its structs are compared with the parameter record in the driver's own tables.
 * 4. The type that its handler unmarshals is compared with the types of its structs. This check does not
 *    concern the driver: a proxy states each type twice, and its code uses only one of them.
 * 5. Its capabilities must be known ones.
 *
 * If neither the table nor the driver's document shows whether there is a fault, the finding is marked
 * @unseen, and counts as not checked.
 */
#include "verify/internal.h"
#include "flatten/flatten.h"

struct verify {
	const struct abi *abi;
	const struct table_view *view;
	const struct table_entry *entry; /* the entry that is being checked */
	struct verify_result result;
	struct finding_list found;
	struct match_driver driver;
	struct arena *arena;
	struct err *err;
};

static struct verify_finding finding_about(const struct table_entry *entry, enum verify_rule rule,
					   const char *record)
{
	return (struct verify_finding){
		.rule = rule, .family = entry->family, .entry = entry->name, .record = record, .path = ""
	};
}

static struct verify_side side_number(uint64_t number, const char *name)
{
	return (struct verify_side){ .present = true, .type = name, .has_number = true, .number = number };
}

uint64_t driver_bytes(const struct abi *abi, const char *name)
{
	const struct abi_record *record = abi_find_record(abi, name);
	const struct abi_alias *alias = record ? NULL : abi_find_alias(abi, name);

	return record ? record->size_bytes : alias ? alias->size_bytes : 0;
}

/* --- numbers and commands ------------------------------------------------------------- */

/* Checks whether the driver has the entry's macro, with the entry's number. */
static bool has_macro_of_number(const struct abi *abi, const struct table_entry *entry)
{
	const struct abi_constant *constant =
		entry->constant ? abi_find_constant(abi, entry->constant) : NULL;

	return constant && !constant->value.negative && constant->value.magnitude == entry->number;
}

/* Finds the text after "CTRL_CMD"; NULL if the name does not contain it. */
static const char *command_tail(const char *name)
{
	for (const char *tail; *name; name++)
		if ((tail = match_after(name, "ctrlcmd")))
			return tail;
	return NULL;
}

/*
 * Checks whether @ioctl is the entry's command: they have the same name. If neither has a macro, the names
 * may be spelled differently, such as "NV2080_CTRL_CMD_GPU_RELEASE_X" and "subdeviceCtrlCmdGpuReleaseX". Then
 * only the text after CTRL_CMD must be equal, except for case and underscores.
 */
static bool is_command(const struct abi *abi, const struct abi_ioctl *ioctl, const struct table_entry *entry)
{
	const char *a, *b, *rest;

	if (!strcmp(ioctl->name, entry->constant ? entry->constant : entry->name))
		return true;
	if (entry->constant || abi_find_constant(abi, ioctl->name))
		return false;
	a = command_tail(entry->name);
	b = command_tail(ioctl->name);
	return a && b && (rest = match_after(a, b)) && !*rest;
}

/*
 * Finds the first ioctl of @family (NULL: of any family) that is the entry's command; NULL if there is none.
 */
static const struct abi_ioctl *find_command(const struct abi *abi, const char *family,
					    const struct table_entry *entry)
{
	for (size_t i = 0; i < abi->ioctl_count; i++)
		if ((!family || !strcmp(abi->ioctls[i].family, family)) &&
		    is_command(abi, &abi->ioctls[i], entry))
			return &abi->ioctls[i];
	return NULL;
}

const char *verify_params_by_name(const struct abi *abi, const char *constant, struct arena *arena)
{
	const char *cmd = strstr(constant, "_CTRL_CMD_"), *record;

	if (!cmd)
		return NULL;
	record = arena_printf(arena, "%.*s_CTRL_%s_PARAMS", (int)(cmd - constant), constant,
			      cmd + strlen("_CTRL_CMD_"));
	return abi_find_record(abi, record) ? record : NULL;
}

/* Reports an entry whose number is not that of its macro or, if it has none, of the method with its name. */
static void check_number(struct verify *verify)
{
	const struct table_entry *entry = verify->entry;
	const struct abi_constant *macro =
		entry->constant ? abi_find_constant(verify->abi, entry->constant) : NULL;
	const struct abi_ioctl *method =
		entry->constant ? NULL : find_command(verify->abi, entry->family, entry);
	struct verify_finding finding = finding_about(entry, VERIFY_NUMBER, "");
	char is[ABI_NOTATION_BYTES], proxy[ABI_NOTATION_BYTES];

	abi_ioctl_number(entry->family, entry->number, proxy);
	finding.proxy = side_number(entry->number, entry->name);
	if (entry->constant && !macro) {
		finding_add(&verify->found, finding, "the driver has no macro %s for the number %s",
			    entry->constant, proxy);
	} else if (macro && !has_macro_of_number(verify->abi, entry)) {
		finding.driver = side_number(macro->value.magnitude, macro->name);
		finding_add(&verify->found, finding, "%s is %s in the driver, %s in the proxy", macro->name,
			    macro->value.negative
				    ? abi_constant_number(macro, is)
				    : abi_ioctl_number(entry->family, macro->value.magnitude, is),
			    proxy);
	} else if (method && method->number != entry->number) {
		finding.driver = side_number(method->number, method->name);
		finding_add(&verify->found, finding, "%s is %s in the driver, %s in the proxy", method->name,
			    abi_ioctl_number(entry->family, method->number, is), proxy);
	}
}

/*
 * Reports an entry if no ioctl with its family and number is its command. The value of the macro is not
 * enough: UVM_FREE is 34, but a class also has the number 34, so the entry's family can be wrong. The finding
 * is unseen if the family does not have the number, or if the macro has the number but no table of the driver
 * uses the macro. The entry may be for a command that the open parts of the driver do not handle, or the
 * macro may be a second name of the command.
 */
static void check_family_of_number(struct verify *verify)
{
	const struct table_entry *entry = verify->entry;
	const struct abi *abi = verify->abi;
	size_t count;
	const struct abi_ioctl *owner = abi_ioctls_numbered(&count, abi, entry->family, entry->number),
			       *here, *elsewhere;
	struct verify_finding finding = finding_about(entry, count ? VERIFY_REUSED_NUMBER : VERIFY_NUMBER,
						      "");
	const char *name = entry->constant ? entry->constant : entry->name;
	bool is_macro = has_macro_of_number(abi, entry);
	char proxy[ABI_NOTATION_BYTES];

	for (size_t i = 0; i < count; i++)
		if (is_command(abi, &owner[i], entry))
			return;
	here = find_command(abi, entry->family, entry);
	elsewhere = here ? NULL : find_command(abi, NULL, entry);
	abi_ioctl_number(entry->family, entry->number, proxy);
	finding.proxy = side_number(entry->number, entry->name);
	if (count)
		finding.driver = side_number(owner->number, owner->name);
	finding.unseen = !elsewhere && (is_macro || !count);
	if (count && elsewhere) {
		finding_add(&verify->found, finding, "%s is %s in this family; %s belongs to the family %s", proxy,
			    owner->name, name, elsewhere->family);
	} else if (elsewhere) {
		finding_add(&verify->found, finding, "%s belongs to the family %s in the driver", name,
			    elsewhere->family);
	} else if (count && is_macro) {
		finding.rule = VERIFY_NUMBER;
		finding_add(&verify->found, finding,
			    "%s is %s in this family, and nothing confirms that %s is another name for it",
			    proxy, owner->name, name);
	} else if (count) {
		finding_add(&verify->found, finding, "%s is %s in this version, not %s", proxy, owner->name,
			    name);
	} else if (is_macro) {
		finding_add(&verify->found, finding,
			    "no table of the driver has the number %s, so only the macro confirms it",
			    proxy);
	} else if (!entry->constant && !here) {
		finding_add(
			&verify->found, finding,
			"neither a macro nor a table of the driver has the number %s, so nothing confirms it",
			proxy);
	} /* else check_number() has reported the entry */
}

/* --- structs -------------------------------------------------------------------------- */

static struct verify_finding about_scalar(const struct table_entry *entry, enum verify_rule rule,
					const char *record, const struct abi_scalar *scalar)
{
	struct verify_finding finding = finding_about(entry, rule, record);

	finding.path = scalar->path;
	finding.driver = verify_side_at(scalar->offset_bits / 8, scalar->size_bits / 8, scalar->type);
	return finding;
}

/* Reports the pointers and fds of a struct that the proxy passes through unread. Counts its scalars. */
static void check_unread_record(struct verify *verify, const char *record, const struct abi_layout *layout)
{
	verify->result.scalar_count += layout->scalar_count;
	for (size_t i = 0; i < layout->scalar_count; i++) {
		const struct abi_scalar *scalar = &layout->scalar[i];
		bool is_pointer = verify_is_pointer(scalar->kind, scalar->role);

		if (is_pointer || verify_is_fd(scalar->path, scalar->role))
			finding_add(&verify->found,
				    about_scalar(verify->entry, VERIFY_NOT_SIMPLE, record, scalar),
				    "%s is passed through unread, but %s (%s at %" PRIu64 ") is %s%s", record,
				    scalar->path, scalar->type, scalar->offset_bits / 8,
				    is_pointer ? "a pointer" : "a file descriptor",
				    scalar->union_path ? ", in a union" : "");
	}
}

/* Reports each field for a kernel address. No proxy can translate it, but its authors should know of it. */
static void check_kernel_pointers(struct verify *verify, const char *record, const struct abi_layout *layout)
{
	for (size_t i = 0; i < layout->scalar_count; i++) {
		const struct abi_scalar *scalar = &layout->scalar[i];

		if (scalar->role == ABI_ROLE_KERNEL_POINTER)
			finding_add(&verify->found,
				    about_scalar(verify->entry, VERIFY_KERNEL_POINTER, record, scalar),
				    "%s is forwarded, and %s (%s at %" PRIu64 ") can hold a kernel address",
				    record, scalar->path, scalar->type, scalar->offset_bits / 8);
	}
}

/* Checks whether the proxy's code names the field at @path, "Ops[2].FD", or the record around it ("Ops"). */
static bool handler_names_path(const struct table_handler *handler, const char *path)
{
	for (size_t i = 0; i < handler->fields.count; i++) {
		const char *name = handler->fields.item[i], *at = path;

		while (*at && (*at == *name || *at == '[')) {
			if (*at == '[')
				at += strcspn(at, "]") + 1;
			else
				at++, name++;
		}
		if (!*name && (!*at || *at == '.'))
			return true;
	}
	return false;
}

/*
 * Reports pointers and fds that the proxy passes on unchanged: its code unmarshals the type, but does not
 * name them. Reports nothing if the table has no list of the fields that the code names.
 */
static void check_scalar_names(struct verify *verify, const char *record, const struct abi_layout *layout,
			       const struct proxy_layout *proxy)
{
	const struct table_handler *handler = &verify->entry->handler;

	if (!handler->fields_known || strcmp(handler->type, proxy->type->name))
		return;
	for (size_t i = 0; i < layout->scalar_count; i++) {
		const struct abi_scalar *scalar = &layout->scalar[i];
		const struct proxy_scalar *field = proxy_scalar_over(proxy, scalar->offset_bits / 8, 1);
		const bool is_fd = verify_is_fd(scalar->path, scalar->role);

		if ((is_fd || verify_is_pointer(scalar->kind, scalar->role)) &&
		    !(field && handler_names_path(handler, field->path)))
			finding_add(&verify->found, about_scalar(verify->entry, VERIFY_AS_IS, record, scalar),
				    "%s (%s at %" PRIu64 ") is %s, and %s passes it on unchanged",
				    scalar->path, scalar->type, scalar->offset_bits / 8,
				    is_fd ? "a file descriptor" : "a pointer", handler->kind);
	}
}

static const struct table_type *find_table_type(const void *table, const char *name)
{
	return table_find_type(table, name);
}

/*
 * Compares a struct that the proxy reads with the driver's: its size, and then scalar by scalar. @layout: the
 * driver's record; NULL for an alias. Return: 0, with or without findings; an error for an invalid type.
 */
static int check_read_struct(struct verify *verify, const struct table_struct *one,
			     const struct abi_layout *layout)
{
	struct verify_finding about = finding_about(verify->entry, VERIFY_SIZE, one->driver), sizes = about;
	const struct proxy_types types = { find_table_type, verify->view->table, verify->view->table->path };
	const struct table_type *type = table_find_type(verify->view->table, one->proxy);
	uint64_t size_bytes = driver_bytes(verify->abi, one->driver);
	struct proxy_layout proxy;
	int rc;

	if (!type)
		return err_set(verify->err, ERR_FORMAT, "%s: the type '%s' is not defined",
			       verify->view->table->path, one->proxy);
	if ((rc = proxy_flatten(&proxy, &types, type, verify->arena, verify->err)))
		return rc;
	if (size_bytes != proxy.type->size_bytes) {
		sizes.driver = verify_side_at(0, size_bytes, one->driver);
		sizes.proxy = verify_side_at(0, proxy.type->size_bytes, proxy.type->name);
		finding_add(&verify->found, sizes,
			    "%s is %" PRIu64 " bytes in the driver, %s %" PRIu64 " in the proxy", one->driver,
			    size_bytes, proxy.type->name, proxy.type->size_bytes);
	}
	if (layout)
		check_scalar_names(verify, one->driver, layout, &proxy);
	return match_type(&verify->found, &verify->driver, &proxy, &about, &verify->result.scalar_count,
			  verify->err);
}

/*
 * Checks one struct of the entry: compares it if the proxy has a type for it, else reports its pointers, fds
 * or unknown contents. Reports a struct that the driver does not have. Return: 0; an error for invalid types.
 */
static int check_struct(struct verify *verify, const struct table_struct *one)
{
	const struct abi_record *record = abi_find_record(verify->abi, one->driver);
	const struct abi_alias *alias = record ? NULL : abi_find_alias(verify->abi, one->driver);
	struct verify_finding finding = finding_about(
		verify->entry, alias ? VERIFY_NOT_SIMPLE : VERIFY_MISSING_RECORD, one->driver);
	struct abi_layout layout;
	int rc;

	verify->result.struct_count++;
	if (record && (rc = flatten_record(&layout, verify->abi, one->driver, verify->arena, verify->err)))
		return rc;
	if (record)
		check_kernel_pointers(verify, one->driver, &layout);
	if (one->proxy && (record || alias))
		return check_read_struct(verify, one, record ? &layout : NULL);
	if (record) {
		check_unread_record(verify, one->driver, &layout);
	} else if (alias) {
		/*
		 * A typedef (NvHandle) has no field whose name or type shows the meaning of the number.
		 * gVisor's parity test rejects it as well.
		 */
		finding.driver = verify_side_at(0, alias->size_bytes, alias->type);
		finding_add(&verify->found, finding,
			    "%s is passed through unread, but it is an alias (%s), which has no fields to "
			    "check",
			    alias->name, alias->type);
	} else {
		finding_add(&verify->found, finding, "the driver has no record or alias %s", one->driver);
	}
	return 0;
}

/* --- the parameters in the driver's own tables --------------------------------------------- */

bool verify_same_type(const struct abi *abi, const char *a, const char *b)
{
	const struct abi_record *x = abi_find_record(abi, a), *y = abi_find_record(abi, b);

	return !strcmp(a, b) || (x && y && *x->source && !strcmp(x->source, y->source));
}

/*
 * Reports that the driver names a parameter record, but the table does not. For a control command or a class,
 * this is a fault: the parameters are forwarded inside an outer struct, so the proxy forwards bytes that its
 * authors did not check. For a frontend or UVM ioctl, the finding is unseen, because the table does not show
 * what the proxy's handler does.
 */
static void check_nameless(struct verify *verify, const char *params)
{
	const struct table_entry *entry = verify->entry;
	uint64_t size_bytes = driver_bytes(verify->abi, params);
	struct verify_finding finding = finding_about(entry, VERIFY_SURFACE, params);

	finding.driver = verify_side_at(0, size_bytes, params);
	finding.unseen = strcmp(entry->family, "control") && strcmp(entry->family, "alloc");
	finding_add(&verify->found, finding, "%s takes %s (%" PRIu64 " bytes), %s",
		    finding.unseen ? "the driver" : "the driver's table says that it", params, size_bytes,
		    finding.unseen ? "for which the table has no type" : "but the proxy has no type for it");
}

/* Spells "NVOS54_PARAMETERS (32 bytes)"; "nothing" for NULL; only the name if the type is unknown. */
static const char *spell_params(struct verify *verify, const char *name)
{
	uint64_t bytes;

	if (!name)
		return "nothing";
	if (!abi_find_record(verify->abi, name) && !abi_find_alias(verify->abi, name))
		return name;
	bytes = driver_bytes(verify->abi, name);
	return arena_printf(verify->arena, "%s (%" PRIu64 " byte%s)", name, bytes, bytes == 1 ? "" : "s");
}

/*
 * Reports an entry with structs if none of them is the driver's parameter record @params, or if the driver
 * has no parameters (NULL). @witness: the source of @params, for the message
 */
static void check_params(struct verify *verify, const char *params, const char *witness)
{
	const struct table_entry *entry = verify->entry;
	const char *first = entry->structs[0].driver;
	struct verify_finding finding = finding_about(entry, VERIFY_SURFACE, params ? params : first);

	for (size_t i = 0; params && i < entry->struct_count; i++)
		if (verify_same_type(verify->abi, params, entry->structs[i].driver))
			return;
	if (params)
		finding.driver = verify_side_at(0, driver_bytes(verify->abi, params), params);
	finding.proxy = verify_side_at(0, driver_bytes(verify->abi, first), first);
	finding_add(&verify->found, finding, "%s says that it takes %s; the proxy says %s", witness,
		    spell_params(verify, params), spell_params(verify, first));
}

/*
 * Compares the entry's parameters with the driver's own tables, and reports unread parameters in which the
 * driver follows a pointer. Skips an entry whose number is not confirmed: that was reported.
 */
static void check_surface(struct verify *verify)
{
	const struct table_entry *entry = verify->entry;
	const struct abi *abi = verify->abi;
	size_t count;
	const struct abi_ioctl *first = abi_ioctls_numbered(&count, abi, entry->family, entry->number),
			       *ioctl = first;
	const struct verify_finding *last =
		verify->found.count ? &verify->found.item[verify->found.count - 1] : NULL;
	const char *params;

	for (size_t i = 1; i < count; i++)
		if (is_command(abi, &first[i], entry))
			ioctl = &first[i];
	if (!has_macro_of_number(abi, entry) && !(ioctl && is_command(abi, ioctl, entry)))
		return;
	/*
	 * The driver follows a pointer in unread parameters that no field's type shows. A field with a
	 * pointer was reported by check_unread_record().
	 */
	if (abi_ioctl_has_flag(ioctl, ABI_FLAG_EMBEDDED_POINTERS) && !entry->handler.type &&
	    !table_entry_is_read(entry) &&
	    !(last && last->rule == VERIFY_NOT_SIMPLE && !strcmp(last->entry, entry->name) &&
	      !strcmp(last->family, entry->family)))
		finding_add(&verify->found,
			    finding_about(entry, VERIFY_NOT_SIMPLE, ioctl->params ? ioctl->params : ""),
			    "%s is passed through unread, but the driver follows a pointer in its parameters",
			    entry->name);
	if (ioctl && !entry->struct_count && ioctl->params)
		check_nameless(verify, ioctl->params);
	else if (ioctl && entry->struct_count)
		check_params(verify, ioctl->params, "the driver's table");
	else if (!ioctl && entry->struct_count &&
		 (params = verify_params_by_name(abi, entry->constant, verify->arena)))
		check_params(verify, params, "no table of the driver has it, but its name");
}

/* --- duplicate statements of the table --------------------------------------------------------- */

/*
 * Reports a handler that unmarshals a type of the proxy that is not that of one of the entry's structs. Skips
 * a handler that unmarshals nothing, and a handler whose type the table does not state.
 */
static void check_handler(struct verify *verify)
{
	const struct table_entry *entry = verify->entry;
	const struct table_handler *handler = &entry->handler;
	const struct table_type *type =
		handler->type ? table_find_type(verify->view->table, handler->type) : NULL;
	struct verify_finding finding =
		finding_about(entry, VERIFY_HANDLER, entry->struct_count ? entry->structs[0].driver : "");
	const char *read = NULL; /* "T", "T or U" */

	if (!handler->type)
		return;
	for (size_t i = 0; i < entry->struct_count; i++) {
		const char *one = entry->structs[i].proxy;

		if (!one)
			continue;
		if (!strcmp(one, handler->type))
			return;
		read = read ? arena_printf(verify->arena, "%s or %s", read, one) : one;
	}
	finding.proxy = verify_side_at(0, type ? type->size_bytes : 0, handler->type);
	finding_add(&verify->found, finding, "the handler %s unmarshals %s, but the table says %s", handler->kind,
		    handler->type, read ? read : "that nothing is read");
}

/*
 * Checks that no other entry has the number, because it is unknown which of two entries the proxy would use.
 * Reports the later entry.
 */
static void check_same_number(struct verify *verify)
{
	const struct table_entry *entry = verify->entry, *other;
	char number[ABI_NOTATION_BYTES];

	for (size_t i = 0; (other = verify->view->entries[i]) != entry; i++)
		if (other->number == entry->number && !strcmp(other->family, entry->family))
			finding_add(&verify->found, finding_about(entry, VERIFY_NUMBER, ""),
				    "the table also has %s for the number %s", other->name,
				    abi_ioctl_number(entry->family, entry->number, number));
}

/* Applies every rule to verify->entry. Return: 0, with or without findings; an error for an invalid type. */
static int check_entry(struct verify *verify)
{
	const struct table_entry *entry = verify->entry;
	int rc;

	verify->result.entry_count++;
	check_number(verify);
	check_same_number(verify);
	check_family_of_number(verify);
	for (size_t i = 0; i < entry->struct_count; i++)
		if ((rc = check_struct(verify, &entry->structs[i]))) {
			err_prefix(verify->err, "%s %s", entry->family, entry->name);
			return rc;
		}
	check_surface(verify);
	check_handler(verify);
	for (size_t i = 0; i < entry->handler.faults.count; i++)
		finding_add(&verify->found, finding_about(entry, VERIFY_CODE, ""), "%s %s",
			    entry->handler.kind, entry->handler.faults.item[i]);
	for (size_t i = 0; i < entry->cap_count; i++)
		if (!caps_is_known(entry->caps[i]))
			finding_add(&verify->found, finding_about(entry, VERIFY_CAPS, ""),
				    "'%s' is not a driver capability", entry->caps[i]);
	return 0;
}

/*
 * Fails if the document has no pointer roles, because another tool made it, or because the profile has no
 * roles: no record would seem to have a pointer. drvabi made a partial document itself, so it is not checked.
 */
static int check_roles(const struct abi *abi, struct err *err)
{
	if (abi->absent_count)
		return 0;
	for (size_t r = 0; r < abi->record_count; r++)
		for (size_t f = 0; f < abi->records[r].field_count; f++)
			if (abi->records[r].fields[f].role == ABI_ROLE_POINTER)
				return 0;
	return err_set(err, ERR_FORMAT,
		       "%s has no field with the role pointer, so the handlers that copy bytes cannot be checked; "
		       "make the document with drvabi extract and a profile with roles",
		       abi->version && *abi->version ? abi->version : "the document");
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
	match_driver_init(&verify.driver, abi, arena);
	for (size_t i = 0; i < view->entry_count && !rc; i++) {
		verify.entry = view->entries[i];
		rc = check_entry(&verify);
	}
	if (!rc) {
		*out = verify.result;
		out->view = view;
		out->abi = abi;
		findings_split(out, &verify.found);
	}
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

/* --- families ---------------------------------------------------------------------------- */

/* Checks whether no version has ioctls of @family, although some version has ioctls. */
static bool is_unknown_family(const struct verify_result *const *results, size_t count, const char *family)
{
	bool any = false;

	for (size_t i = 0; i < count; i++) {
		const struct abi *abi = results[i]->abi;
		size_t first = abi_ioctls_from(abi, family, 0);

		if (first < abi->ioctl_count && !strcmp(abi->ioctls[first].family, family))
			return false;
		any = any || abi->ioctl_count;
	}
	return any;
}

const char *verify_unknown_family(const struct verify_result *const *results, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct table_view *view = results[i]->view;
		const char *before = "";

		for (size_t e = 0; e < view->entry_count; e++) {
			const char *family = view->entries[e]->family; /* entries are sorted by family */

			if (strcmp(family, before) && is_unknown_family(results, count, family))
				return family;
			before = family;
		}
	}
	return NULL;
}
