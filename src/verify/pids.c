/*
 * verify/pids.c - find the pids among the fields of an ioctl's parameters
 *
 * 1. The parameters of each ioctl are flattened. A scalar is a pid if it has the role pid, or if a rule says
 *    that it is the pid of a process in a virtual machine (a guest).
 * 2. A pid has one dimension for each array of records around it, outermost first, and one more if it is an
 *    array itself. The first dimension becomes `stride` and `max`. Each combination of indices in the other
 *    dimensions becomes a separate field: "a[][0].pid", "a[][1].pid".
 * 3. The first rule that matches record and path says how the driver uses the field. The field with the count
 *    must be in the same record.
 * 4. If a pointer rule names the record that a pointer in the parameters points to, that record is flattened
 *    as the element of an array of unknown length.
 * 5. The records with pids that no ioctl carries, or only an ioctl for tests, are listed after the ioctls. A
 *    record that is inside another of these records is left out.
 * 6. The driver converts a field in the releases that the rule's spans contain. A branch or a commit has no
 *    place in the order of releases, so for these versions it is unknown whether the driver converts the
 *    field.
 */
#include "verify/verify.h"

#include "flatten/flatten.h"

#include <fnmatch.h>

enum { DIMENSIONS_MAX = ABI_REPEATS_MAX + 1, FIELDS_MAX = 4096 };

/* The pids of one record, while they are collected. */
struct pid_search {
	const char *record;
	const char *version;
	const struct abi_layout *layout;
	const struct use_rules *rules;
	const struct abi_scalar *pointer; /* points to the memory that contains the pid; NULL if the pid is in
					   the record itself */
	struct arena *arena;
	struct pids_field *fields;
	size_t count;
};

const char *pids_direction(const struct pids_field *field)
{
	return field->rule ? use_direction_name(field->rule->direction) : NULL;
}

bool pids_of_guest(const struct pids_field *field)
{
	return field->rule && field->rule->of_guest;
}

/* Checks whether @path is the scalar's path, with "[]" appended if the scalar is an array. */
static bool is_path(const char *path, const struct abi_scalar *scalar)
{
	size_t length = strlen(scalar->path);

	return !strncmp(path, scalar->path, length) &&
	       !strcmp(path + length, scalar->dimension_count ? "[]" : "");
}

static const struct pid_rule *pid_rule_of(const struct use_rules *rules, const char *record,
					  const struct abi_scalar *scalar)
{
	for (size_t i = 0; i < rules->pids.count; i++) {
		const struct pid_rule *rule = &rules->pids.rules[i];

		if (!fnmatch(rule->record, record, 0) && is_path(rule->path, scalar))
			return rule;
	}
	return NULL;
}

/*
 * Finds a count or pointer by its path. NULL if @path is NULL or not found, or if the scalar is an array, in
 * an array, or a bit-field.
 */
static const struct abi_scalar *find_scalar(const struct abi_layout *layout, const char *path)
{
	for (size_t i = 0; path && i < layout->scalar_count; i++) {
		const struct abi_scalar *scalar = &layout->scalar[i];

		if (!strcmp(scalar->path, path) && !scalar->dimension_count && !scalar->repeat_count &&
		    !scalar->is_bitfield)
			return scalar;
	}
	return NULL;
}

/* "590.48.01" is a release, but "main" and a commit id are not. */
static bool is_release(const char *version)
{
	return *version && !version[strspn(version, "0123456789.")] && strchr(version, '.');
}

/* Looks up whether the driver converts the field in a version. A rule about a guest's pid does not say so. */
static enum pids_converts converts_at(const struct pid_rule *rule, const char *version)
{
	if (!rule || rule->of_guest || !is_release(version))
		return PIDS_UNKNOWN;
	return rule->convert_count && use_holds_in(rule->converts, rule->convert_count, version) ? PIDS_YES
												  : PIDS_NO;
}

enum pids_converts pids_converted(const struct use_rules *rules, const char *record,
				  const struct abi_scalar *scalar, const char *version)
{
	const struct pid_rule *rule = pid_rule_of(rules, record, scalar);
	enum pids_converts found = converts_at(rule, version);

	return found == PIDS_YES && rule->direction == USE_INOUT ? PIDS_UNKNOWN : found;
}

/* Spells the pid's path with its index, "a[][3].pid", in place of each "[]" except the first. In @arena. */
static const char *path_at(const struct abi_scalar *scalar, const uint64_t *index, struct arena *arena)
{
	struct strbuf path = { 0 };
	const char *text = arena_printf(arena, "%s%s", scalar->path,
					scalar->dimension_count ? "[]" : ""), *open;
	size_t seen = 0;

	while ((open = strstr(text, "[]"))) {
		strbuf_add(&path, text, (size_t)(open - text));
		if (seen)
			strbuf_addf(&path, "[%" PRIu64 "]", index[seen]);
		else
			strbuf_adds(&path, "[]");
		seen++;
		text = open + 2;
	}
	strbuf_adds(&path, text);
	return strbuf_take(&path, arena);
}

/*
 * Adds a pid, or an array of pids, to of->fields; for an array in arrays, one field for each inner element.
 * The fields say whether the driver converts the pids, so that a proxy need not.
 * Return: 0; ERR_LIMIT if the record has more than FIELDS_MAX pids.
 */
static int add_pids_of_scalar(struct pid_search *of, const struct abi_scalar *scalar, struct err *err)
{
	const struct pid_rule *rule = pid_rule_of(of->rules, of->record, scalar);
	struct abi_repeat dimension[DIMENSIONS_MAX]; /* the arrays around the scalar, then its own as one */
	uint64_t index[DIMENSIONS_MAX] = { 0 };
	size_t dimensions = scalar->repeat_count, d;
	uint64_t inner = 1;

	memcpy(dimension, scalar->repeat, dimensions * sizeof(*dimension));
	if (scalar->dimension_count)
		dimension[dimensions++] = (struct abi_repeat){ scalar->count, scalar->element_bits };
	for (d = 1; d < dimensions; d++) {
		if (dimension[d].count > FIELDS_MAX)
			break;
		inner *= dimension[d].count;
	}
	if (d < dimensions || inner > FIELDS_MAX - of->count)
		return err_set(err, ERR_LIMIT,
			       "%s.%s: this record has more than %d pids; is the document correct?", of->record,
			       scalar->path, FIELDS_MAX);
	for (uint64_t i = 0; i < inner; i++) {
		uint64_t offset_bits = scalar->offset_bits;

		for (d = 1; d < dimensions; d++)
			offset_bits += index[d] * dimension[d].stride_bits;
		of->fields[of->count++] = (struct pids_field){
			.path = path_at(scalar, index, of->arena),
			.type = scalar->type,
			.offset = offset_bits / 8,
			.width = scalar->element_bits / 8,
			.stride = dimensions ? dimension[0].stride_bits / 8 : 0,
			.max = dimensions ? dimension[0].count : 1,
			.count = find_scalar(of->layout, rule ? rule->count : NULL),
			.pointer = of->pointer,
			.union_path = scalar->union_path,
			.rule = rule,
			.converts = converts_at(rule, of->version),
		};
		for (d = dimensions; d-- > 1;) {
			if (++index[d] < dimension[d].count)
				break;
			index[d] = 0;
		}
	}
	return 0;
}

/* Checks whether the scalar is a pid, and a byte offset can describe its place. */
static bool is_pid(const struct pid_search *of, const struct abi_scalar *scalar)
{
	const struct pid_rule *rule = pid_rule_of(of->rules, of->record, scalar);

	return !scalar->is_bitfield && !scalar->flexible &&
	       (scalar->role == ABI_ROLE_PID || (rule && rule->of_guest));
}

/*
 * Adds the pids in the memory that the pointer of a rule points to; none if an element is not a record. A
 * scalar is skipped if it is already in ABI_REPEATS_MAX arrays.
 */
static int add_pids_at_pointer(struct pid_search *of, const struct pointer_rule *rule,
			       const struct abi *abi, struct err *err)
{
	const struct abi_record *element = abi_find_record(abi, rule->element);
	struct abi_layout layout;
	int rc;

	of->pointer = find_scalar(of->layout, rule->path);
	if (!element || !of->pointer)
		return 0;
	if ((rc = flatten_record(&layout, abi, rule->element, of->arena, err)))
		return rc;
	for (size_t i = 0; !rc && i < layout.scalar_count; i++) {
		struct abi_scalar scalar = layout.scalar[i];

		if (scalar.repeat_count == ABI_REPEATS_MAX)
			continue;
		scalar.path = arena_printf(of->arena, "%s->[].%s", rule->path, scalar.path);
		memmove(&scalar.repeat[1], scalar.repeat, scalar.repeat_count * sizeof(*scalar.repeat));
		scalar.repeat[0] = (struct abi_repeat){ .count = 0, .stride_bits = element->size_bytes * 8 };
		scalar.repeat_count++;
		if (is_pid(of, &scalar))
			rc = add_pids_of_scalar(of, &scalar, err);
	}
	return rc;
}

/*
 * Sets @row to the pids of one record, and of the memory that pointers in the record point to: the scalars
 * with the role pid, and those that a rule calls the pid of a guest. @of: the ioctl whose parameters are the
 * record; NULL if no ioctl carries the record, and then pointers are not followed
 */
static int collect_pids(struct pids_row *row, const char *record, const struct surface_row *of,
			const struct surface *surface, const struct use_rules *rules, struct arena *arena,
			struct err *err)
{
	struct abi_layout layout;
	struct pid_search all = { .record = record,
				  .version = surface->abi->version,
				  .layout = &layout,
				  .rules = rules,
				  .arena = arena };
	int rc = flatten_record(&layout, surface->abi, record, arena, err);

	if (rc)
		return rc;
	all.fields = xmalloc(FIELDS_MAX * sizeof(*all.fields));
	for (size_t i = 0; !rc && i < layout.scalar_count; i++)
		if (is_pid(&all, &layout.scalar[i]))
			rc = add_pids_of_scalar(&all, &layout.scalar[i], err);
	for (size_t i = 0; of && !rc && i < rules->pointers.count; i++) {
		const struct pointer_rule *rule = &rules->pointers.rules[i];

		if (!strcmp(rule->record, record) && (!rule->ioctl || !strcmp(rule->ioctl, of->ioctl->name)))
			rc = add_pids_at_pointer(&all, rule, surface->abi, err);
	}
	if (!rc)
		*row = (struct pids_row){ of, record, layout.size_bytes,
					  arena_memdup(arena, all.fields, all.count * sizeof(*all.fields)),
					  all.count };
	free(all.fields);
	return rc;
}

/* --- records that no ioctl carries ------------------------------------------------------------------ */

/* Marks all records that @record contains, at any depth. If @itself is set, also marks @record. */
static void mark_contained(bool *marks, const struct abi *abi, const struct abi_record *record, bool itself)
{
	struct abi_type type;

	if (itself && marks[record - abi->records])
		return;
	if (itself)
		marks[record - abi->records] = true;
	for (size_t i = 0; i < record->field_count; i++)
		if (!abi_resolve_type(&type, abi, record->fields[i].type, NULL) && type.record)
			mark_contained(marks, abi, type.record, true);
}

/*
 * Finds the records that are parameters of an ioctl, that a pointer in them points to, or that are inside
 * such a record. For an ioctl for tests, only the parameters themselves are marked, because programs get the
 * records inside in a different way. Return: true at the index of each such record, in @arena.
 */
static const bool *find_carried(const struct abi *abi, const struct pointer_rules *pointers,
				struct arena *arena)
{
	bool *carried = arena_array(arena, abi->record_count + 1, sizeof(*carried));

	for (size_t i = 0; i < abi->ioctl_count; i++) {
		const struct abi_record *record =
			abi->ioctls[i].params ? abi_find_record(abi, abi->ioctls[i].params) : NULL;

		if (record && abi_ioctl_has_flag(&abi->ioctls[i], "test"))
			carried[record - abi->records] = true;
		else if (record)
			mark_contained(carried, abi, record, true);
	}
	for (size_t i = 0; i < pointers->count; i++) {
		const struct abi_record *element = abi_find_record(abi, pointers->rules[i].element);

		if (element)
			mark_contained(carried, abi, element, true);
	}
	return carried;
}

/* Lists the records with pids that no ioctl carries, without those that are inside such a record. */
static int select_records(struct pids *pids, const struct use_rules *rules, struct arena *arena,
			  struct err *err)
{
	const struct abi *abi = pids->surface->abi;
	const bool *carried = find_carried(abi, &rules->pointers, arena);
	bool *is_inside = arena_array(arena, abi->record_count + 1, sizeof(*is_inside));
	struct pids_row *rows = arena_array(arena, abi->record_count + 1, sizeof(*rows));
	int rc;

	for (size_t i = 0; i < abi->record_count; i++)
		if (!carried[i])
			mark_contained(is_inside, abi, &abi->records[i], false);
	for (size_t i = 0; i < abi->record_count; i++) {
		const char *name = abi->records[i].name;

		if (carried[i] || is_inside[i])
			continue;
		if ((rc = collect_pids(&rows[pids->record_count], name, NULL, pids->surface, rules, arena,
				       err)))
			return rc;
		pids->record_count += rows[pids->record_count].field_count > 0;
	}
	pids->records = rows;
	return 0;
}

int pids_select(struct pids *out, const struct surface *surface, const struct use_rules *rules,
		struct arena *arena, struct err *err)
{
	struct pids_row *rows = arena_array(arena, surface->row_count + 1, sizeof(*rows));
	struct pids pids = { .surface = surface, .rows = rows };
	int rc;

	for (size_t i = 0; i < surface->row_count; i++) {
		const struct surface_row *row = &surface->rows[i];

		if (!row->ioctl || !row->ioctl->params || !abi_find_record(surface->abi, row->ioctl->params))
			continue;
		if ((rc = collect_pids(&rows[pids.row_count], row->ioctl->params, row, surface, rules, arena,
				       err)))
			return rc;
		if (!rows[pids.row_count].field_count)
			continue;
		pids.forwarded += row->entry != NULL;
		pids.row_count++;
	}
	if ((rc = select_records(&pids, rules, arena, err)))
		return rc;
	*out = pids;
	return 0;
}
