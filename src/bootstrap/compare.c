/*
 * bootstrap/compare.c - find which entries changed, and in which version
 *
 * 1. Each entry that the table forwards at the parent is looked up in the parent's document and in the
 *    version's document. If number, names and layouts are the same, the entry is unchanged.
 * 2. For a changed entry, the path is followed back from the version while the entry stays the same. The
 *    change needs a node at the earliest version that is reached.
 * 3. For an unchanged entry, the intermediate versions are examined as well. A change that was reverted needs
 *    no node, but is reported.
 *
 * Versions with equal content share one document, which is examined once.
 */
#include "bootstrap/internal.h"
#include "flatten/flatten.h"

/*
 * Returns the kind of a scalar. An enum or a char becomes a number, because a proxy treats it like a number.
 */
static enum abi_scalar_kind scalar_as_number(const struct abi_scalar *scalar)
{
	if (scalar->kind == ABI_CHAR)
		return ABI_U8;
	if (scalar->kind == ABI_ENUMERATION && scalar->element_bits == 32)
		return ABI_U32;
	return scalar->kind;
}

/* Returns the scalar's role if it is one that a proxy acts on, and otherwise none. */
static enum abi_role acted_role(const struct abi_scalar *scalar)
{
	return scalar->role == ABI_ROLE_POINTER || scalar->role == ABI_ROLE_FD ||
	       scalar->role == ABI_ROLE_HANDLE ||
			       scalar->role == ABI_ROLE_PID
		       ? scalar->role
		       : ABI_ROLE_NONE;
}

static bool same_scalar(const struct abi_scalar *a, const struct abi_scalar *b)
{
	return abi_scalar_same_bits(a, b) && scalar_as_number(a) == scalar_as_number(b) &&
	       acted_role(a) == acted_role(b) &&
	       !a->union_path == !b->union_path;
}

bool layouts_same(const struct abi_layout *a, const struct abi_layout *b, bool with_names)
{
	if (a->size_bytes != b->size_bytes || a->scalar_count != b->scalar_count)
		return false;
	for (size_t i = 0; i < a->scalar_count; i++)
		if (!same_scalar(&a->scalar[i], &b->scalar[i]) ||
		    (with_names &&
		     (strcmp(a->scalar[i].path, b->scalar[i].path) ||
		      strcmp(a->scalar[i].type, b->scalar[i].type) ||
		      a->scalar[i].role != b->scalar[i].role)))
			return false;
	return true;
}

bool layouts_is_translated(const struct abi_scalar *scalar)
{
	return scalar->role != ABI_ROLE_KERNEL_POINTER &&
	       (scalar->role == ABI_ROLE_PID || verify_is_pointer(scalar->kind, scalar->role) ||
		verify_is_fd(scalar->path, scalar->role));
}

/*
 * Checks whether @layout already has a scalar that has to be translated, and that has the same offset as
 * @scalar, or the same name and role. With @any_pid, any pid in @layout is enough for a pid: if a proxy
 * passes on a record with pids, and the record gets pids for more engines, the proxy's authors accept these.
 */
static bool is_translated_already(const struct abi_scalar *scalar, const struct abi_layout *layout,
				  bool any_pid)
{
	for (size_t i = 0; i < layout->scalar_count; i++) {
		const struct abi_scalar *one = &layout->scalar[i];

		if (layouts_is_translated(one) &&
		    (same_scalar(one, scalar) ||
		     (one->role == scalar->role &&
		      ((any_pid && scalar->role == ABI_ROLE_PID) || !strcmp(one->path, scalar->path)))))
			return true;
	}
	return false;
}

bool layouts_is_converted(const struct boot *boot, const struct abi_scalar *scalar,
			  const struct abi_layout *layout)
{
	return scalar->role == ABI_ROLE_PID && boot->options->use &&
	       pids_converted(boot->options->use, layout->record, scalar, boot->next->version) == PIDS_YES;
}

const struct abi_scalar *layouts_new_translated(const struct boot *boot, const struct resolved_struct *was,
					      const struct resolved_struct *now)
{
	if (!was->has_layout || !now->has_layout)
		return NULL;
	for (size_t i = 0; i < now->layout.scalar_count; i++)
		if (layouts_is_translated(&now->layout.scalar[i]) &&
		    !is_translated_already(&now->layout.scalar[i], &was->layout, true) &&
		    !layouts_is_converted(boot, &now->layout.scalar[i], &now->layout))
			return &now->layout.scalar[i];
	return NULL;
}

const struct abi_scalar *layouts_new_pid(const struct boot *boot, const struct resolved_struct *was,
				       const struct resolved_struct *now)
{
	const struct abi_scalar *found = NULL;

	for (size_t i = 0; was->has_layout && now->has_layout && i < now->layout.scalar_count; i++) {
		const struct abi_scalar *scalar = &now->layout.scalar[i];

		if (scalar->role == ABI_ROLE_PID && !is_translated_already(scalar, &was->layout, false) &&
		    (!found || layouts_is_converted(boot, found, &now->layout)))
			found = scalar;
	}
	return found;
}

const char *layouts_translated_text(const struct abi_scalar *scalar, struct arena *arena)
{
	const char *what = scalar->role == ABI_ROLE_PID                  ? "process id"
			   : scalar->role == ABI_ROLE_FD                 ? "file descriptor"
			   : verify_is_pointer(scalar->kind, scalar->role) ? "pointer"
								       : "file descriptor according to its name";

	return arena_printf(arena, "%s (%s at %" PRIu64 ") is a %s", scalar->path, scalar->type,
			    scalar->offset_bits / 8, what);
}

/*
 * How an entry of the table is found in a later version:
 *
 * 1. If the entry's macro exists, the ioctl is that of the macro, even if its number changed.
 * 2. If the macro existed only in the base, the ioctl may have been renamed. It is then an ioctl with a new
 *    name, the same family and number, and parameters with the same layout, or a new macro with that value
 *    that no table of the driver lists.
 * 3. Otherwise the ioctl was removed.
 * 4. Each record is looked up by its name, unless the driver's table named it in the base, and now names a
 *    different record. If no record has the name any longer, it is the record that the driver's table names,
 *    or a new record with the same size, and the same names and offsets of members.
 *
 * If an entry does not match even the base, this is a fault of the table, and does not count as a change.
 */

const struct abi_ioctl *resolve_ioctl(const struct abi *abi, const char *family, uint64_t number,
				      const char *name)
{
	size_t count;
	const struct abi_ioctl *ioctls = abi_ioctls_numbered(&count, abi, family, number);

	for (size_t i = 0; name && i < count; i++)
		if (!strcmp(ioctls[i].name, name))
			return &ioctls[i];
	return ioctls;
}

int resolve_layout(struct resolved_struct *out, const struct abi *abi, const char *name, struct arena *arena,
		   struct err *err)
{
	const struct abi_record *record = abi_find_record(abi, name);
	const struct abi_alias *alias = record ? NULL : abi_find_alias(abi, name);
	int rc;

	*out = (struct resolved_struct){ .record = record || alias ? name : NULL, .has_layout = record };
	if (record && (rc = flatten_record(&out->layout, abi, name, arena, err)))
		return rc;
	out->size_bytes = record ? record->size_bytes : alias ? alias->size_bytes : 0;
	return 0;
}

static bool has_value(const struct abi_constant *constant, uint64_t number)
{
	return constant && !constant->value.negative && constant->value.magnitude == number;
}

/*
 * Checks whether the record @record of @next (NULL: none) can be the parameters of @entry: it has the same
 * name or the same layout. @out: the result. Return: 0; an error of flatten_record().
 */
static int same_parameters(bool *out, const struct boot *boot, const struct abi *next,
			   const struct table_entry *entry, const char *record)
{
	struct resolved_struct was, now;
	int rc;

	*out = !record == !entry->struct_count;
	if (!record || !entry->struct_count)
		return 0;
	if ((rc = resolve_layout(&was, boot->base, entry->structs[0].driver, boot->arena, boot->err)) ||
	    (rc = resolve_layout(&now, next, record, boot->arena, boot->err)))
		return rc;
	*out = !strcmp(record, entry->structs[0].driver) ||
	       (was.has_layout && now.has_layout && layouts_same(&was.layout, &now.layout, false));
	return 0;
}

/*
 * Finds the ioctl of an entry whose macro does not exist in @next. The ioctl was renamed if @next has a new
 * ioctl with the same number and parameters, or a new macro with the number that no table of the driver
 * lists, and the parameters derived from the macro's name are the same. Then sets constant. Otherwise it was
 * removed, and is_gone is set. Return: 0; an error of flatten_record().
 */
static int find_renamed_macro(struct resolved *out, const struct boot *boot, const struct abi *next,
			      const struct table_entry *entry)
{
	size_t count;
	const struct abi_ioctl *ioctls = abi_ioctls_numbered(&count, next, entry->family, entry->number);
	bool same;
	int rc;

	for (size_t i = 0; i < count; i++) {
		const char *name = ioctls[i].name;

		if (resolve_has(boot->base, entry->family, name))
			continue;
		if ((rc = same_parameters(&same, boot, next, entry, ioctls[i].params)))
			return rc;
		if (same) {
			out->constant = abi_find_constant(next, name) ? name : NULL;
			return 0;
		}
	}
	for (size_t i = 0; i < next->constant_count && resolve_is_command(entry->constant); i++) {
		const char *name = next->constants[i].name;

		if (!has_value(&next->constants[i], entry->number) || !resolve_is_command(name) ||
		    resolve_has(boot->base, entry->family, name) || abi_find_ioctl(next, NULL, name))
			continue;
		if ((rc = same_parameters(&same, boot, next, entry,
					  verify_params_by_name(next, name, boot->arena))))
			return rc;
		if (same) {
			out->constant = name;
			return 0;
		}
	}
	out->is_gone = true;
	return 0;
}

/* Checks whether two records can be one record under two names. Types can be renamed, too. */
static bool same_members(const struct abi_record *a, const struct abi_record *b)
{
	if (a->size_bytes != b->size_bytes || a->field_count != b->field_count)
		return false;
	for (size_t i = 0; i < a->field_count; i++)
		if (strcmp(a->fields[i].name, b->fields[i].name) ||
		    a->fields[i].offset_bits != b->fields[i].offset_bits)
			return false;
	return true;
}

/*
 * Finds a record that has a new name and the same members as the record @was; NULL if there is no such
 * record, or more than one.
 */
static const char *renamed_record(const struct boot *boot, const struct abi *next, const char *was)
{
	const struct abi_record *old = abi_find_record(boot->base, was), *found = NULL;

	for (size_t i = 0; old && i < next->record_count; i++) {
		const struct abi_record *one = &next->records[i];

		if (strstr(one->name, "::") || !same_members(old, one) ||
		    abi_find_record(boot->base, one->name))
			continue;
		if (found && strcmp(found->source, one->source))
			return NULL;
		found = one;
	}
	return found ? found->name : NULL;
}

static bool has_type(const struct abi *abi, const char *name)
{
	return abi_find_record(abi, name) || abi_find_alias(abi, name);
}

/*
 * Returns the parameter record that the driver's table in @next has for the ioctl, if the table in the base
 * has the record @was. NULL if the record is the same, or if there is none.
 */
static const char *other_parameters(const struct boot *boot, const struct abi *next,
				    const struct table_entry *entry, const struct resolved *resolved,
				    const char *was)
{
	const struct abi_ioctl *before =
		resolve_ioctl(boot->base, entry->family, entry->number, entry->constant);
	const char *now = resolved->ioctl ? resolved->ioctl->params : NULL;

	if (!before || !before->params || !now || !verify_same_type(boot->base, before->params, was) ||
	    !has_type(next, now))
		return NULL;
	return has_type(next, was) && verify_same_type(next, now, was) ? NULL : now;
}

/*
 * Looks up an entry of the table in @next, the base or a later version: its number, macro, ioctl and
 * records. Return: 0, also if the ioctl was removed, and is_gone is set; an error of flatten_record().
 */
static int resolve_at(struct resolved *out, const struct boot *boot, const struct abi *next,
		      const struct table_entry *entry)
{
	struct resolved_struct *structs = arena_array(boot->arena, entry->struct_count + 1, sizeof(*structs));
	struct resolved found = { .structs = structs, .constant = entry->constant, .number = entry->number };
	int rc = 0;

	if (entry->constant && has_value(abi_find_constant(boot->base, entry->constant), entry->number)) {
		const struct abi_constant *now = abi_find_constant(next, entry->constant);

		if (resolve_is_number(now))
			found.number = now->value.magnitude;
		else
			rc = find_renamed_macro(&found, boot, next, entry);
	}
	if (!rc && !found.is_gone)
		found.ioctl = resolve_ioctl(next, entry->family, found.number, found.constant);
	for (size_t i = 0; i < entry->struct_count && !rc; i++) {
		const char *was = entry->structs[i].driver;
		const char *record = other_parameters(boot, next, entry, &found, was);

		if (!record)
			record = has_type(next, was) || !has_type(boot->base, was)
					 ? was
					 : renamed_record(boot, next, was);
		if (record)
			rc = resolve_layout(&structs[i], next, record, boot->arena, boot->err);
	}
	if (rc)
		err_prefix(boot->err, "%s: %s %s", next->version, entry->family, entry->name);
	else
		*out = found;
	return rc;
}

/*
 * Checks whether the entry of @change is the same in two versions. With @with_names, the names and declared
 * types of fields must be equal, too.
 */
static bool same_resolved(const struct boot_change *change, const struct resolved *a,
			  const struct resolved *b, bool with_names)
{
	if (a->is_gone != b->is_gone || a->number != b->number || !same_text(a->constant, b->constant))
		return false;
	for (size_t i = 0; i < change->was->struct_count && !b->is_gone; i++) {
		const struct resolved_struct *x = &a->structs[i], *y = &b->structs[i];

		if (!same_text(x->record, y->record) || x->has_layout != y->has_layout ||
		    x->size_bytes != y->size_bytes ||
		    (x->has_layout && !layouts_same(&x->layout, &y->layout, with_names)))
			return false;
	}
	return true;
}

static bool is_unchanged_from_base(const struct boot_change *change, const struct resolved *other)
{
	return !change->base.ioctl == !other->ioctl && same_resolved(change, &change->base, other, true);
}

int compare_find_since(struct boot *boot, struct boot_change *change)
{
	size_t index = boot->position->path_count - 1;
	struct resolved now;
	int rc;

	change->since = index;
	while (index-- > 1) {
		const struct abi *abi = boot_document(boot, index);

		if (!abi)
			continue;
		if ((rc = resolve_at(&now, boot, abi, change->was)))
			return rc;
		if (!same_resolved(change, &change->next, &now, change->action == BOOTSTRAP_NONE))
			return 0;
		change->since = index;
	}
	return 0;
}

/*
 * Finds the first intermediate version in which an unchanged entry is different, and adds it to @passed;
 * adds nothing if there is none. Return: 0; an error of flatten_record().
 */
static int find_passed(struct boot *boot, struct bootstrap_passed *passed, const struct boot_change *change)
{
	const struct table_entry *entry = change->was;
	const char *what = entry->struct_count ? entry->structs[0].driver
			   : entry->constant   ? entry->constant
					       : entry->name;
	const struct abi *last = NULL;
	struct resolved now;
	int rc;

	for (size_t i = 1; i + 1 < boot->position->path_count; i++) {
		const struct abi *abi = boot_document(boot, i);
		const char *version = boot_version(boot, i);

		if (!abi || (last && last->records == abi->records && last->ioctls == abi->ioctls))
			continue;
		last = abi;
		if ((rc = resolve_at(&now, boot, abi, entry)))
			return rc;
		if (is_unchanged_from_base(change, &now))
			continue;
		passed[boot->out.passed_count++] = (struct bootstrap_passed){
			entry->family, entry->name, version,
			arena_printf(boot->arena, "%s is different in %s, but the same in %s and %s",
				     what, version, boot->out.version, boot->out.parent)
		};
		return 0;
	}
	return 0;
}

int compare_entries(struct boot *boot)
{
	struct bootstrap_passed *passed =
		arena_array(boot->arena, boot->view.entry_count + 1, sizeof(*passed));
	struct bootstrap_proof *proof = &boot->out.proof;
	int rc;

	boot->changes = arena_array(boot->arena, boot->view.entry_count + 1, sizeof(*boot->changes));
	boot->out.passed = passed;
	for (size_t i = 0; i < boot->view.entry_count; i++) {
		const struct table_entry *entry = boot->view.entries[i];
		struct boot_change *change = &boot->changes[boot->change_count];

		*change = (struct boot_change){ .was = entry };
		if ((rc = resolve_at(&change->base, boot, boot->base, entry)) ||
		    (rc = resolve_at(&change->next, boot, boot->next, entry)))
			return rc;
		proof->entries++;
		for (size_t s = 0; s < entry->struct_count; s++) {
			proof->structs += change->next.structs[s].record != NULL;
			proof->scalars += change->next.structs[s].layout.scalar_count;
		}
		if (!is_unchanged_from_base(change, &change->next)) {
			boot->change_count++;
			continue;
		}
		proof->unchanged++;
		if ((rc = find_passed(boot, passed, change)))
			return rc;
	}
	return 0;
}
