/*
 * A handle is looked up in the client that the outermost record with a client names. What the call does to objects is
 * taken from field names, which all of the driver's records for it share: hObjectNew and hClass of an allocation,
 * hObjectOld of a free, hObjectSrc of a copy (nvos.h). Before the call's own change, for a free; after it, for the rest.
 */
#include "decode/annotate.h"

#include <string.h>

static bool is_handle(const struct decode_field *field)
{
	return field->role == ABI_ROLE_HANDLE && !field->is_array && field->element_bytes == 4;
}

/* Also of a record that is wrapped with a descriptor: nv_ioctl_nvos02_parameters_with_fd. */
static const struct decode_field *find_field(const struct decode_ioctl *ioctl, const char *name)
{
	static const char wrapped[] = "params.";

	for (size_t i = 0; i < ioctl->fields.count; i++) {
		const char *path = ioctl->fields.fields[i].path;

		if (!strncmp(path, wrapped, sizeof(wrapped) - 1))
			path += sizeof(wrapped) - 1;
		if (!strcmp(path, name))
			return &ioctl->fields.fields[i];
	}
	return NULL;
}

static bool value_of(uint32_t *out, const struct decode_ioctl *ioctl, const char *path)
{
	const struct decode_field *field = find_field(ioctl, path);

	if (!field || field->is_array || !decode_field_is_integer(field))
		return false;
	*out = (uint32_t)decode_field_value(field, 0).magnitude;
	return true;
}

/* The client whose handles the call's are. */
static bool client_of(uint32_t *out, const struct decode_call *call)
{
	static const char *const names[] = { "hClient", "hRoot" };

	for (size_t i = 0; i < call->count; i++)
		for (size_t n = 0; n < sizeof(names) / sizeof(*names); n++)
			if (value_of(out, &call->ioctls[i], names[n]) && *out)
				return true;
	return false;
}

/* --- what a call does to objects ---------------------------------------------------------------- */

static bool succeeded(const struct decode_call *call)
{
	return call->has_ret && !call->ret && call->has_status && !call->status;
}

/* The class that is meant: of an event, the one in its parameters. */
static void find_class(struct decode_object *object, const struct decode_call *call, const struct call *chain)
{
	const size_t last = call->count - 1;
	const struct abi *abi = call->ioctls[last].abi;
	const struct abi_ioctl *class;
	uint64_t number = object->class_number;

	if (abi && call_class(&number, &chain[last], abi))
		object->class_number = (uint32_t)number;
	class = abi ? call_find(abi, "alloc", object->class_number) : NULL;
	object->class_name = class ? class->name : NULL;
}

static void allocate(struct decode_handles *handles, const struct decode_call *call, const struct call *chain, const struct decode_ioctl *ioctl)
{
	struct decode_object object = { .class_name = NULL };
	uint32_t class;

	if (!value_of(&object.client, ioctl, "hRoot") || !value_of(&object.handle, ioctl, "hObjectNew") || !value_of(&class, ioctl, "hClass") ||
	    !object.handle)
		return;
	object.class_number = class;
	value_of(&object.parent, ioctl, "hObjectParent");
	if (!object.client)
		object.client = object.handle; /* a client is its own */
	find_class(&object, call, chain);
	decode_handles_add(handles, &object);
}

static void copy(struct decode_handles *handles, const struct decode_ioctl *ioctl)
{
	uint32_t client, source;
	struct decode_object object;
	const struct decode_object *from;

	if (!value_of(&client, ioctl, "hClientSrc") || !value_of(&source, ioctl, "hObjectSrc") ||
	    !(from = decode_handles_find(handles, client, source)))
		return;
	object = *from;
	if (!value_of(&object.client, ioctl, "hClient") || !value_of(&object.handle, ioctl, "hObject") || !value_of(&object.parent, ioctl, "hParent"))
		return;
	decode_handles_add(handles, &object);
}

static void free_object(struct decode_handles *handles, const struct decode_ioctl *ioctl)
{
	uint32_t client, handle;

	if (value_of(&client, ioctl, "hRoot") && value_of(&handle, ioctl, "hObjectOld"))
		decode_handles_remove(handles, client ? client : handle, handle);
}

/* The ioctls of the frontend that do it are known by their names; their records by size are several. */
static const struct decode_ioctl *named(const struct decode_call *call, const char *prefix)
{
	for (size_t i = 0; i < call->count; i++)
		if (call->ioctls[i].name && !strcmp(call->ioctls[i].family, "frontend") && !strncmp(call->ioctls[i].name, prefix, strlen(prefix)))
			return &call->ioctls[i];
	return NULL;
}

static void note_allocations(struct decode_handles *handles, const struct decode_call *call, const struct call *chain)
{
	const struct decode_ioctl *ioctl;

	if ((ioctl = named(call, "NV_ESC_RM_ALLOC")))
		allocate(handles, call, chain, ioctl);
	else if ((ioctl = named(call, "NV_ESC_RM_DUP_OBJECT")))
		copy(handles, ioctl);
}

/* --- fields --------------------------------------------------------------------------------------- */

static const char *object_name(const struct decode_handles *handles, uint32_t client, uint32_t handle)
{
	const struct decode_object *object = handle ? decode_handles_find(handles, client, handle) : NULL;

	return object ? object->class_name : NULL;
}

static const char *path_of(const struct decode_input *input, const struct decode_field *field)
{
	const struct abi_number value = decode_field_value(field, 0);
	const int64_t number = value.negative ? -(int64_t)value.magnitude : (int64_t)value.magnitude;

	for (size_t i = 0; i < input->fd_count; i++)
		if (input->fds[i].number == number)
			return input->fds[i].path;
	return NULL;
}

static void annotate_fields(const struct decode_fields *fields, uint32_t client, bool has_client, const struct decode_input *input)
{
	for (size_t i = 0; i < fields->count; i++) {
		struct decode_field *field = (struct decode_field *)&fields->fields[i]; /* this pass made it */

		if (field->role == ABI_ROLE_FD && !field->is_array && decode_field_is_integer(field))
			field->object = path_of(input, field);
		else if (input->handles && has_client && is_handle(field))
			field->object = object_name(input->handles, client, (uint32_t)decode_field_value(field, 0).magnitude);
	}
}

static void annotate_ioctl(const struct decode_ioctl *ioctl, uint32_t client, bool has_client, const struct decode_input *input)
{
	annotate_fields(&ioctl->fields, client, has_client, input);
	for (size_t i = 0; i < ioctl->pointer_count; i++)
		annotate_fields(&ioctl->pointers[i].fields, client, has_client, input);
}

void decode_annotate(struct decode_ioctl *ioctls, const struct decode_call *call, const struct call *chain, const struct decode_input *input)
{
	const struct decode_ioctl *freed = named(call, "NV_ESC_RM_FREE");
	uint32_t client = 0;
	bool has_client;

	if (!input->handles && !input->fd_count)
		return;
	has_client = client_of(&client, call);
	if (input->handles && succeeded(call))
		note_allocations(input->handles, call, chain);
	for (size_t i = 0; i < call->count; i++)
		annotate_ioctl(&ioctls[i], client, has_client, input);
	if (input->handles && freed && succeeded(call))
		free_object(input->handles, freed);
}
