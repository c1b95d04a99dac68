/*
 * bootstrap/candidates.c - find ioctls of a version that its parent does not have
 *
 * The candidates are:
 * 1. each ioctl in a family of the table, if the parent's document has no ioctl with its name;
 * 2. each new macro of a command (_CTRL_CMD_) that no table of the driver lists;
 * 3. each new macro of a class. Its value must have 16 bits, no class of the parent can have that value, and
 *    the value must be in the macro's name (NVC970_DISPLAY is 0xc970) or in the name of a record (NV00E0_…).
 *
 * An ioctl that the table already forwards, under any name, is not a candidate.
 */
#include "bootstrap/internal.h"

/* --- doubts ------------------------------------------------------------------------------ */

/* Checks whether @name contains the word, as "gpuAddr" and "gpu_addr" contain "addr". */
static bool has_camel_word(const char *name, const char *word)
{
	size_t length = strlen(word);

	for (const char *at = name; *at; at++) {
		bool begins = at == name || at[-1] == '_' ||
			      (isupper((unsigned char)*at) && !isupper((unsigned char)at[-1]));

		if (begins && !strncasecmp(at, word, length) && !islower((unsigned char)at[length]))
			return true;
	}
	return false;
}

/* Does the last part of @path have a name such as "pBuffer" or "userAddr"? */
static bool is_called_address(const char *path)
{
	static const char *const words[] = {
		"addr", "address", "ptr", "pointer", "buffer", "buf", "va", NULL
	};
	const char *dot = strrchr(path, '.'), *name = dot ? dot + 1 : path;

	if (name[0] == 'p' && isupper((unsigned char)name[1]))
		return true;
	for (const char *const *word = words; *word; word++)
		if (has_camel_word(name, *word))
			return true;
	return false;
}

/*
 * Checks for a 64-bit number whose name is like that of an address: "gpuAddr", "pBuffer", "userPtr". The
 * driver also uses such names for addresses of the device, which need no translation.
 */
static bool is_maybe_pointer(const struct abi_scalar *scalar)
{
	return scalar->role == ABI_ROLE_NONE && scalar->element_bits == 64 && scalar->kind == ABI_U64 &&
	       is_called_address(scalar->path);
}

/* Checks whether a field is a pointer, or may be one. */
static bool has_pointer(const struct abi_layout *layout)
{
	for (size_t i = 0; i < layout->scalar_count; i++)
		if (layout->scalar[i].kind == ABI_POINTER || layout->scalar[i].role == ABI_ROLE_POINTER ||
		    is_maybe_pointer(&layout->scalar[i]))
			return true;
	return false;
}

/* Finds the first field with @role that is not in an array; NULL if there is none. */
static const struct abi_scalar *scalar_of_role(const struct abi_layout *layout, enum abi_role role)
{
	for (size_t i = 0; i < layout->scalar_count; i++)
		if (layout->scalar[i].role == role && !layout->scalar[i].repeat_count)
			return &layout->scalar[i];
	return NULL;
}

/* Adds fields that have to be translated or may be pointers to the audit. @one: has the record and names */
static void audit_fields(struct boot *boot, struct bootstrap_audit one, const struct abi_layout *layout)
{
	for (size_t i = 0; i < layout->scalar_count; i++) {
		const struct abi_scalar *scalar = &layout->scalar[i];

		one.path = scalar->path;
		if (layouts_is_translated(scalar)) {
			/* the last case is an fd that only its name shows */
			one.what = scalar->role == ABI_ROLE_PID                        ? BOOTSTRAP_PID
				   : scalar->role == ABI_ROLE_FD                       ? BOOTSTRAP_FD
				   : verify_is_pointer(scalar->kind, scalar->role)       ? BOOTSTRAP_POINTER
										     : BOOTSTRAP_FD;
			one.text = layouts_translated_text(scalar, boot->arena);
		} else if (is_maybe_pointer(scalar)) {
			one.what = BOOTSTRAP_MAYBE_POINTER;
			one.text = arena_printf(boot->arena,
						"%s (%s at %" PRIu64
						") has 64 bits, and may be an address of the "
						"caller or of the device",
						scalar->path, scalar->type, scalar->offset_bits / 8);
		} else {
			continue;
		}
		boot_audit(boot, one);
	}
}

int audit_record(struct boot *boot, const char *family, const char *name, const struct abi *abi,
		 const char *record, bool is_simple)
{
	struct bootstrap_audit one = { .family = family, .name = name, .record = record };
	const struct abi_scalar *count, *size;
	struct resolved_struct resolved;
	int rc;

	if ((rc = resolve_layout(&resolved, abi, record, boot->arena, boot->err)))
		return rc;
	if (is_simple)
		audit_fields(boot, one, &resolved.layout);
	/* The handler that copies the memory at the pointer has to compute the product of count and size. */
	count = scalar_of_role(&resolved.layout, ABI_ROLE_COUNT);
	size = scalar_of_role(&resolved.layout, ABI_ROLE_SIZE);
	if (count && size && has_pointer(&resolved.layout)) {
		one.what = BOOTSTRAP_COUNT_TIMES_SIZE;
		one.path = count->path;
		one.text = arena_printf(boot->arena,
					"%s times %s: the product may overflow where it is computed",
					count->path, size->path);
		boot_audit(boot, one);
	}
	return 0;
}

int audit_changed(struct boot *boot)
{
	int rc = 0;

	for (size_t i = 0; i < boot->change_count && !rc; i++) {
		const struct boot_change *change = &boot->changes[i];
		const struct table_entry *was = change->was;

		for (size_t s = 0; s < was->struct_count && !rc; s++) {
			const struct resolved_struct *now = &change->next.structs[s];

			if (!was->structs[s].proxy && now->has_layout && !change->next.is_gone)
				rc = audit_record(boot, was->family, was->name, boot->next, now->record,
						  !change->structs[s].needs_type);
		}
	}
	return rc;
}

/* --- new ioctls ----------------------------------------------------------------------------- */

/*
 * Checks whether the table forwards the ioctl, maybe under an old number or name. Such entries are reported
 * as renumbered or renamed.
 */
static bool is_forwarded(const struct boot *boot, const char *family, const char *name, uint64_t number)
{
	for (size_t i = 0; i < boot->forwarded.entry_count; i++) {
		const struct table_entry *entry = boot->forwarded.entries[i];

		if (!strcmp(entry->family, family) &&
		    (!strcmp(entry->name, name) || (entry->constant && !strcmp(entry->constant, name))))
			return true;
	}
	for (size_t i = 0; i < boot->out.entry_count; i++) {
		const struct bootstrap_entry *entry = &boot->out.entries[i];

		if (entry->now && entry->now->number == number && !strcmp(entry->now->family, family))
			return true;
	}
	return false;
}

/* Returns the first version of the path from which on all readable versions have the ioctl. */
static const char *find_first(const struct boot *boot, const char *family, const char *name)
{
	size_t index = boot->position->path_count - 1;

	while (index > 1 &&
	       (!boot_document(boot, index - 1) || resolve_has(boot_document(boot, index - 1), family, name)))
		index--;
	while (!boot_document(boot, index))
		index++;
	return boot_version(boot, index);
}

/* --- simple or not ------------------------------------------------------------------------ */

/* Returns a text such as "pid (NvU32 at 8) is a process id, which the driver converts in 590.48.01". */
static const char *translated_text(const struct abi_scalar *scalar, const char *record, const char *version,
				   const struct boot *boot)
{
	const char *text = layouts_translated_text(scalar, boot->arena);
	enum pids_converts converts = PIDS_UNKNOWN;

	if (scalar->role == ABI_ROLE_PID && boot->options->use)
		converts = pids_converted(boot->options->use, record, scalar, version);
	return converts == PIDS_UNKNOWN
		       ? text
		       : arena_printf(boot->arena, "%s, which the driver %s in %s", text,
				      converts == PIDS_YES ? "converts" : "does not convert", version);
}

/*
 * Lists the fields to translate, as in "pBuf (NvP64 at 8) is a pointer"; NULL if there are none. Lists all
 * fds first, and then other fields until the list has three. The list always has all fds, because for an fd
 * that is not translated, the driver would use a different file of the proxy.
 */
static const char *list_translated(const struct abi_layout *layout, const char *version,
				   const struct boot *boot)
{
	struct arena *arena = boot->arena;
	const char *text = NULL;
	size_t count = 0, left = 0;

	for (size_t i = 0; i < 2 * layout->scalar_count; i++) {
		const struct abi_scalar *scalar = &layout->scalar[i % layout->scalar_count];
		bool fds = i < layout->scalar_count;

		if (!layouts_is_translated(scalar) || (scalar->role == ABI_ROLE_FD) != fds)
			continue;
		if (fds || count < 3) {
			text = arena_printf(arena, "%s%s%s", text ? text : "", text ? ", " : "",
					    translated_text(scalar, layout->record, version, boot));
			count++;
		} else {
			left++;
		}
	}
	return left ? arena_printf(arena, "%s, and %zu more", text, left) : text;
}

/*
 * Describes what a handler may have to track even if no field has to be translated: objects that the
 * parameters refer to, and state that later calls on the same file use. NULL if there is nothing to track. A
 * command that only reads the state of an object (GET, QUERY) is left out, because it does not create or free
 * objects, and does not make one object depend on another.
 */
static const char *list_objects(const struct bootstrap_candidate *one, const struct abi_layout *layout,
				struct arena *arena)
{
	const char *names = NULL;
	size_t count = 0;

	if (!strcmp(one->family, "control") && (strstr(one->name, "_GET_") || strstr(one->name, "_QUERY_")))
		return NULL;
	for (size_t i = 0; i < layout->scalar_count; i++)
		if (layout->scalar[i].role == ABI_ROLE_HANDLE && count++ < 3)
			names = arena_printf(arena, "%s%s%s", names ? names : "", names ? ", " : "",
					     layout->scalar[i].path);
	if (count)
		return arena_printf(arena, "it refers to objects that the proxy may have to track: %s%s", names,
				    count > 3 ? ", …" : "");
	return strstr(one->name, "INITIALIZE") ? "later calls on the same file may rely on it" : NULL;
}

int candidates_judge(struct bootstrap_candidate *one, const struct abi *abi, struct boot *boot)
{
	struct arena *arena = boot->arena;
	const char *params = one->ioctl ? one->ioctl->params : verify_params_by_name(abi, one->name, arena);
	struct resolved_struct record = { .record = NULL };
	const char *translated;
	int rc;

	if (params && (rc = resolve_layout(&record, abi, params, arena, boot->err)))
		return rc;
	one->record = record.record;
	one->size_bytes = record.size_bytes;
	one->is_macro = !one->ioctl;
	if (!record.record) {
		const bool is_unknown = one->is_macro || abi_ioctl_params_unknown(one->ioctl);

		one->is_simple = !params && !is_unknown;
		one->why = params          ? arena_printf(arena, "the document has no %s", params)
			   : one->is_macro ? "no table of the driver gives its parameters"
			   : is_unknown	   ? "its parameters are unknown: the profile names no record"
					   : "it takes no parameters";
		return 0;
	}
	if (!record.has_layout) {
		one->why = arena_printf(arena, "%s is a typedef without fields, so its meaning is unknown",
					params);
		return 0;
	}
	translated = list_translated(&record.layout, abi->version, boot);
	one->is_simple = !translated;
	one->objects = list_objects(one, &record.layout, arena);
	one->why = translated ? translated
			      : arena_printf(arena, "no pointer, file descriptor or process id%s%s",
					     one->objects ? "; " : "", one->objects ? one->objects : "");
	return 0;
}

/*
 * Judges an ioctl, and adds it to the candidates and its doubtful fields to the audit, unless the table
 * forwards it. @ioctl: NULL if only a macro exists. Return: 0; an error of flatten_record().
 */
static int add_candidate(struct boot *boot, const char *family, const char *name, uint64_t number,
			 const struct abi_ioctl *ioctl)
{
	struct bootstrap_candidate one = { .family = family, .name = name, .number = number, .ioctl = ioctl };
	struct bootstrap *out = &boot->out;
	struct bootstrap_candidate *all;
	int rc;

	if (is_forwarded(boot, family, name, number))
		return 0;
	if ((rc = candidates_judge(&one, boot->next, boot)))
		return rc;
	if (abi_ioctl_has_flag(ioctl, ABI_FLAG_EMBEDDED_POINTERS)) {
		one.is_simple = false;
		one.why = arena_printf(boot->arena, "the driver copies the memory at the pointers in the ioctl's parameters; %s",
				       one.why);
	}
	one.first = find_first(boot, family, name);
	bootstrap_guess(&one, &boot->forwarded, boot->options->observed, boot->arena);
	all = arena_room(boot->arena, out->candidates, out->candidate_count, sizeof(*all));
	all[out->candidate_count++] = one;
	out->candidates = all;
	return one.record ? audit_record(boot, family, name, boot->next, one.record, one.is_simple) : 0;
}

/* --- macros ----------------------------------------------------------------------------------- */

/* Checks whether @name is an enumerator of @abi, and so not a class. */
static bool is_enumerator(const struct abi *abi, const char *name)
{
	for (size_t i = 0; i < abi->enum_count; i++)
		for (size_t v = 0; v < abi->enums[i].value_count; v++)
			if (!strcmp(abi->enums[i].values[v].name, name))
				return true;
	return false;
}

/* Checks whether the name of a record begins with the class, "NV00E0_". */
static bool names_class(const struct abi *abi, uint64_t number)
{
	char prefix[16];

	snprintf(prefix, sizeof(prefix), "NV%04" PRIX64 "_", number);
	for (size_t i = 0; i < abi->record_count; i++)
		if (begins(abi->records[i].name, prefix))
			return true;
	return false;
}

/*
 * Checks whether a macro is a class that no table of the driver lists. The only sign is a name that begins
 * with the number, "NV00E0_", either of the macro or of a record.
 */
static bool is_class_macro(const struct boot *boot, const struct abi_constant *constant)
{
	const char *name = constant->name;
	uint64_t number = constant->value.magnitude;
	char *end;

	if (constant->value.negative || !number || number > UINT16_MAX || strstr(name, "_CTRL_") ||
	    resolve_ioctl(boot->base, "alloc", number, NULL) ||
	    resolve_ioctl(boot->next, "alloc", number, NULL) ||
	    is_enumerator(boot->next, name))
		return false;
	if (begins(name, "NV") && strtoull(name + 2, &end, 16) == number && end == name + 6 &&
	    *end == '_')
		return true;
	return names_class(boot->next, number);
}

int candidates_order(const void *a, const void *b)
{
	const struct bootstrap_candidate *x = a, *y = b;

	return strcmp(x->family, y->family)
		?: compare_numbers(x->number, y->number) ?: strcmp(x->name, y->name);
}

int candidates_find(struct boot *boot)
{
	const struct abi *next = boot->next;
	struct bootstrap *out = &boot->out;
	int rc = 0;

	for (size_t i = 0; i < next->ioctl_count && !rc; i++) {
		const struct abi_ioctl *ioctl = &next->ioctls[i];

		if (!abi_find_ioctl(boot->base, ioctl->family, ioctl->name) &&
		    table_view_has_family(&boot->forwarded, ioctl->family))
			rc = add_candidate(boot, ioctl->family, ioctl->name, ioctl->number, ioctl);
	}
	for (size_t i = 0; i < next->constant_count && !rc; i++) {
		const struct abi_constant *macro = &next->constants[i];
		bool is_command = resolve_is_command(macro->name) && resolve_is_number(macro);
		const char *family = is_command ? "control" : "alloc";

		if (!abi_find_constant(boot->base, macro->name) && !abi_find_ioctl(next, NULL, macro->name) &&
		    table_view_has_family(&boot->forwarded, family) &&
		    (is_command || is_class_macro(boot, macro)))
			rc = add_candidate(boot, family, macro->name, macro->value.magnitude, NULL);
	}
	sort_items((struct bootstrap_candidate *)out->candidates, out->candidate_count,
		   sizeof(*out->candidates), candidates_order);
	return rc;
}
