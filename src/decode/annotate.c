/*
 * decode/annotate.c - keeps the objects that a trace has allocated so far, and names the objects of a call's
 * handles and descriptors
 *
 * A handle belongs to the client in the outermost record of the call that has a client. The names of fields
 * show which objects the call changes, because the driver's records use the same names: hObjectNew and hClass
 * for an allocation, hObjectOld for a free, hObjectSrc for a copy (nvos.h). Only calls that succeeded change
 * objects. Handles are looked up after an object is allocated or copied, but before an object is freed.
 */
#include "decode/internal.h"

#include <uthash.h>
#include <utlist.h>

/*
 * Objects are in a hash table with client and handle as the key, in the order of their allocation. Each
 * object has a list of its children. An object with an unknown parent is a child of its client. An unknown
 * client gets its own entry, so that all its objects are found when it is freed.
 */

struct object_key {
	uint32_t client, handle;
};

struct object_entry {
	struct object_key key;
	const char *class_name;          /* NULL for a client whose allocation is not in the trace */
	struct object_entry *parent;     /* NULL for a client, or if the parent was removed */
	struct object_entry *children;   /* a doubly linked list */
	struct object_entry *prev, *next; /* links in the parent's list of children */
	UT_hash_handle hh;
};

struct decode_handles {
	struct object_entry *entries;
};

struct decode_handles *decode_handles_new(void)
{
	struct decode_handles *handles = xmalloc(sizeof(*handles));

	*handles = (struct decode_handles){ .entries = NULL };
	return handles;
}

static struct object_entry *find_handle(const struct decode_handles *handles, uint32_t client,
					uint32_t handle)
{
	const struct object_key key = { client, handle };
	struct object_entry *entry;

	HASH_FIND(hh, handles->entries, &key, sizeof(key), entry);
	return entry;
}

/* Removes and frees @entry, but not its children, which have no parent afterwards. */
static void drop_handle(struct decode_handles *handles, struct object_entry *entry)
{
	for (struct object_entry *child = entry->children; child; child = child->next)
		child->parent = NULL;
	if (entry->parent)
		DL_DELETE(entry->parent->children, entry);
	HASH_DELETE(hh, handles->entries, entry);
	free(entry);
}

void decode_handles_free(struct decode_handles *handles)
{
	struct object_entry *entry, *next;

	if (!handles)
		return;
	HASH_ITER(hh, handles->entries, entry, next) {
		HASH_DELETE(hh, handles->entries, entry);
		free(entry);
	}
	free(handles);
}

/* Adds an object without a parent or a class. If there are too many, the oldest is removed first. */
static struct object_entry *insert_handle(struct decode_handles *handles, uint32_t client, uint32_t handle)
{
	struct object_entry *entry;

	if (HASH_COUNT(handles->entries) >= DECODE_HANDLES_MAX)
		drop_handle(handles, handles->entries);
	entry = xmalloc(sizeof(*entry));
	memset(entry, 0, sizeof(*entry));
	entry->key = (struct object_key){ client, handle };
	HASH_ADD(hh, handles->entries, key, sizeof(entry->key), entry);
	return entry;
}

void decode_handles_add(struct decode_handles *handles, uint32_t client, uint32_t handle, uint32_t parent,
			const char *class_name)
{
	struct object_entry *entry, *above;

	/*
	 * The old object with the handle was freed, although the trace does not show that, and its children
	 * with it. So a new object has no children yet, and objects never form a cycle.
	 */
	decode_handles_remove(handles, client, handle);
	entry = insert_handle(handles, client, handle);
	entry->class_name = class_name;
	if (handle == client)
		return;
	above = parent != handle ? find_handle(handles, client, parent) : NULL;
	if (!above)
		above = find_handle(handles, client, client);
	if (!above)
		above = insert_handle(handles, client, client);
	entry->parent = above;
	DL_APPEND(above->children, entry);
}

void decode_handles_remove(struct decode_handles *handles, uint32_t client, uint32_t handle)
{
	struct object_entry *top = find_handle(handles, client, handle), *at = top, *above;

	/* remove descendants before their ancestors, without recursion */
	while (at) {
		while (at->children)
			at = at->children;
		above = at == top ? NULL : at->parent;
		drop_handle(handles, at);
		at = above;
	}
}

const char *decode_handles_class(const struct decode_handles *handles, uint32_t client, uint32_t handle)
{
	const struct object_entry *entry = find_handle(handles, client, handle);

	return entry ? entry->class_name : NULL;
}

size_t decode_handles_count(const struct decode_handles *handles)
{
	return HASH_COUNT(handles->entries);
}

/*
 * Reads the lower 32 bits of an integer field by name, also in a nested record "params", as in
 * nv_ioctl_nvos02_parameters_with_fd. Return: false if @ioctl has no such field.
 */
static bool integer_field(uint32_t *out, const struct decode_ioctl *ioctl, const char *name)
{
	static const char wrapped[] = "params.";

	for (size_t i = 0; i < ioctl->fields.count; i++) {
		const struct decode_field *field = &ioctl->fields.fields[i];
		const char *path = field->path;

		if (!strncmp(path, wrapped, sizeof(wrapped) - 1))
			path += sizeof(wrapped) - 1;
		if (strcmp(path, name) != 0)
			continue;
		if (field->is_array || !decode_field_is_integer(field))
			return false;
		*out = (uint32_t)decode_field_value(field, 0).magnitude;
		return true;
	}
	return false;
}

/* Finds the client to which the call's handles belong. Return: false if no record of the call names one. */
static bool client_of(uint32_t *out, const struct decode_call *call)
{
	static const char *const names[] = { "hClient", "hRoot" };

	for (size_t i = 0; i < call->count; i++)
		for (size_t n = 0; n < sizeof(names) / sizeof(*names); n++)
			if (integer_field(out, &call->ioctls[i], names[n]) && *out)
				return true;
	return false;
}

/* --- the objects that a call allocates, copies and frees ----------------------------------------- */

/* Remembers the object that NV_ESC_RM_ALLOC made, with its class, to name its handle in later calls. */
static void note_allocated(struct decode_handles *handles, const struct decode_call *call,
			   const struct call *chain, const struct decode_ioctl *ioctl)
{
	const struct abi *abi = call->ioctls[call->count - 1].abi;
	uint32_t client, handle, class_number, parent = 0;
	const struct abi_ioctl *class;
	uint64_t number;

	if (!integer_field(&client, ioctl, "hRoot") || !integer_field(&handle, ioctl, "hObjectNew") ||
	    !integer_field(&class_number, ioctl, "hClass") || !handle)
		return;
	integer_field(&parent, ioctl, "hObjectParent");
	if (!abi || !call_class(&number, &chain[call->count - 1], abi))
		number = class_number;
	class = abi ? call_find(abi, "alloc", (uint32_t)number) : NULL;
	/* A client object is its own client. */
	decode_handles_add(handles, client ? client : handle, handle, parent, class ? class->name : "");
}

/* Remembers the object that NV_ESC_RM_DUP_OBJECT made, with the class of its source, if that is known. */
static void note_copied(struct decode_handles *handles, const struct decode_ioctl *ioctl)
{
	uint32_t from_client, from, client, handle, parent;
	const char *class_name;

	if (integer_field(&from_client, ioctl, "hClientSrc") && integer_field(&from, ioctl, "hObjectSrc") &&
	    (class_name = decode_handles_class(handles, from_client, from)) &&
	    integer_field(&client, ioctl, "hClient") && integer_field(&handle, ioctl, "hObject") &&
	    integer_field(&parent, ioctl, "hParent"))
		decode_handles_add(handles, client, handle, parent, class_name);
}

/* Finds the call's frontend ioctl by the start of its name, because several ioctls allocate; NULL if none. */
static const struct decode_ioctl *find_frontend_ioctl(const struct decode_call *call, const char *prefix)
{
	for (size_t i = 0; i < call->count; i++)
		if (call->ioctls[i].name && !strcmp(call->ioctls[i].family, "frontend") &&
		    !strncmp(call->ioctls[i].name, prefix, strlen(prefix)))
			return &call->ioctls[i];
	return NULL;
}

/* --- fields --------------------------------------------------------------------------------------- */

/* Sets `object` of the fields: the class of a handle's object, or the path of a descriptor's file. */
static void annotate_fields(const struct decode_fields *fields, uint32_t client, bool has_client,
			    const struct decode_input *input)
{
	for (size_t i = 0; i < fields->count; i++) {
		struct decode_field *field =
			(struct decode_field *)&fields->fields[i]; /* writable: made by decode_call() */

		if (field->is_array)
			continue;
		if (field->role == ABI_ROLE_FD && decode_field_is_integer(field)) {
			const struct abi_number value = decode_field_value(field, 0);
			const int64_t number =
				value.negative ? -(int64_t)value.magnitude : (int64_t)value.magnitude;

			for (size_t k = 0; k < input->fd_count && !field->object; k++)
				if (input->fds[k].number == number)
					field->object = input->fds[k].path;
		} else if (field->role == ABI_ROLE_HANDLE && field->element_bytes == 4 && input->handles &&
			   has_client) {
			const uint32_t handle = (uint32_t)decode_field_value(field, 0).magnitude;
			const char *class_name =
				handle ? decode_handles_class(input->handles, client, handle) : NULL;

			field->object = class_name && *class_name ? class_name : NULL;
		}
	}
}

void decode_annotate(struct decode_ioctl *ioctls, const struct decode_call *call, const struct call *chain,
		     const struct decode_input *input)
{
	const bool has_changed = call->has_ret && !call->ret && call->has_status && !call->status;
	struct decode_handles *handles = has_changed ? input->handles : NULL;
	const struct decode_ioctl *ioctl;
	uint32_t client = 0, handle;
	bool has_client;

	if (!input->handles && !input->fd_count)
		return;
	has_client = client_of(&client, call);
	if (handles && (ioctl = find_frontend_ioctl(call, "NV_ESC_RM_ALLOC")))
		note_allocated(handles, call, chain, ioctl);
	else if (handles && (ioctl = find_frontend_ioctl(call, "NV_ESC_RM_DUP_OBJECT")))
		note_copied(handles, ioctl);
	for (size_t i = 0; i < call->count; i++) {
		annotate_fields(&ioctls[i].fields, client, has_client, input);
		for (size_t k = 0; k < ioctls[i].pointer_count; k++)
			annotate_fields(&ioctls[i].pointers[k].fields, client, has_client, input);
	}
	if (handles && (ioctl = find_frontend_ioctl(call, "NV_ESC_RM_FREE")) &&
	    integer_field(&client, ioctl, "hRoot") && integer_field(&handle, ioctl, "hObjectOld"))
		decode_handles_remove(handles, client ? client : handle, handle);
}
