/*
 * Generate documents from the input. The JSON reader rejects most JSON that a
 * fuzzer changes. Here every input gives a document, so that the passes after
 * the reader are tested with every input.
 */
#include "lib/fuzz.h"

#include <string.h>

enum { RECORDS_MAX = 10, FIELDS_MAX = 8, VALUES_MAX = 6, ITEMS_MAX = 6, NAMES = 12 };

static const char *const record_names[NAMES] = {
	"A", "A_V1", "A_PARAMS", "B", "B::x_t", "B::_t", "NV_PARAMS", "NV_PARAMS_V2", "C", "odd </script><evil>", "\xc3\xa9", "_C",
};
static const char *const field_names[NAMES] = {
	"a", "b", "c", "hClient", "pData", "ctlFd", "", "status", "reserved", "pad0", "a\"b\\c", "count",
};
static const char *const alias_names[] = { "NvU8", "NvU32", "NvU64", "NvHandle", "NvP64", "void *", "E_ALIAS", "int", "A_ALIAS", "RING" };
static const char *const enum_names[] = { "E", "E2", "A", "NV_ENUM" };
static const char *const ioctl_names[] = { "NV_ESC_A", "NV_ESC_B", "CMD_A", "CMD_A_V2", "CLASS_X", "CLASS_Y" };
static const char *const families[] = { "frontend", "control", "alloc", "uvm", "\x01" };

/* struct maker - a document that is being generated, with the names and sizes of its records */
struct maker {
	struct fuzz_choice *choice;
	struct arena *arena;
	struct abi_builder *builder;
	const char *made[RECORDS_MAX];
	uint64_t made_size[RECORDS_MAX];
	unsigned made_count;
};

static void add_alias(struct maker *maker, const char *name, const char *type, uint64_t size)
{
	struct abi_alias alias = { .name = name, .type = type, .size_bytes = size };

	abi_builder_alias(maker->builder, &alias);
}

/* add_usual_aliases - add the aliases that most fields use */
static void add_usual_aliases(struct maker *maker)
{
	add_alias(maker, "NvU8", "unsigned char", 1);
	add_alias(maker, "NvU32", "unsigned int", 4);
	add_alias(maker, "NvU64", "unsigned long long", 8);
	add_alias(maker, "NvHandle", "NvU32", 4);
	add_alias(maker, "NvP64", "void *", 8);
	add_alias(maker, "void *", "void *", 8);
	add_alias(maker, "int", "int", 4);
}

static void add_odd_alias(struct maker *maker)
{
	static const char *const types[] = { "E", "A", "A[2]", "RING", "NvU32[3]", "void (*[4])(int)", "no_such", "unsigned long long[]", "[", "E_ALIAS" };
	unsigned name = fuzz_pick(maker->choice, sizeof(alias_names) / sizeof(*alias_names));
	unsigned type = fuzz_pick(maker->choice, sizeof(types) / sizeof(*types));

	add_alias(maker, alias_names[name], types[type], fuzz_pick(maker->choice, 32));
}

static void add_enum(struct maker *maker)
{
	static const char *const values[] = { "E_A", "E_B", "E_C", "E_D", "E_E", "E_F", "E_MAX" };
	static const char *const types[] = { "unsigned int", "int", "unsigned char", "E" };
	struct abi_enumerator *list = arena_array(maker->arena, VALUES_MAX, sizeof(*list));
	struct abi_enum one = { .values = list, .source = "e.h:1:1" };
	unsigned step, at = 0;

	one.name = enum_names[fuzz_pick(maker->choice, sizeof(enum_names) / sizeof(*enum_names))];
	one.type = types[fuzz_pick(maker->choice, 4)];
	one.size_bytes = fuzz_pick(maker->choice, 4) ? 4 : fuzz_pick(maker->choice, 9);
	for (step = fuzz_pick(maker->choice, 3) + 1; at < 7 && one.value_count < VALUES_MAX; at += step) {
		list[one.value_count].name = values[at];
		list[one.value_count++].value = abi_number_signed((int64_t)fuzz_number(maker->choice));
	}
	abi_builder_enum(maker->builder, &one);
}

/* pick_type - choose a field's type without dimensions, and get its size in bytes */
static const char *pick_type(struct maker *maker, uint64_t *size)
{
	static const struct {
		const char *name;
		uint64_t size;
	} scalars[] = {
		{ "NvU32", 4 }, { "NvU8", 1 }, { "NvU64", 8 }, { "NvHandle", 4 }, { "NvP64", 8 }, { "void *", 8 }, { "E", 4 },
		{ "int", 4 }, { "void (*)(int)", 8 }, { "unsigned char", 1 }, { "no_such", 4 }, { "RING", 4 }, { "E_ALIAS", 4 },
		{ "A_ALIAS", 8 },
	};
	unsigned pick = fuzz_pick(maker->choice, 64);

	if (pick >= 32 && maker->made_count) {
		pick %= maker->made_count;
		*size = maker->made_size[pick];
		return maker->made[pick];
	}
	pick = pick < 24 ? pick % 8 : pick % (sizeof(scalars) / sizeof(*scalars));
	*size = scalars[pick].size;
	return scalars[pick].name;
}

static void add_dimensions(struct maker *maker, struct abi_field *field, uint64_t *size)
{
	uint64_t first = fuzz_pick(maker->choice, 5), second;

	switch (fuzz_pick(maker->choice, 12)) {
	case 0:
		field->type = arena_printf(maker->arena, "%s[%u]", field->type, (unsigned)first);
		*size *= first;
		break;
	case 1:
		second = fuzz_pick(maker->choice, 4);
		field->type = arena_printf(maker->arena, "%s[%u][%u]", field->type, (unsigned)first, (unsigned)second);
		*size *= first * second;
		break;
	case 2:
		field->type = arena_printf(maker->arena, "%s[]", field->type);
		*size = 0;
		break;
	default:
		break;
	}
}

/* make_field - generate a field at bit offset *@at, and set *@at to the end of the field (not in a union) */
static void make_field(struct maker *maker, struct abi_field *field, uint64_t *at, bool is_union)
{
	uint64_t size;

	field->name = field_names[fuzz_pick(maker->choice, NAMES)];
	field->type = pick_type(maker, &size);
	field->role = fuzz_pick(maker->choice, 8) ? ABI_ROLE_NONE : (enum abi_role)fuzz_pick(maker->choice, ABI_ROLE_COUNT + 1);
	if (!fuzz_pick(maker->choice, 10) && size && size <= 8) {
		field->is_bitfield = true;
		field->offset_bits = *at;
		field->size_bits = 1 + fuzz_pick(maker->choice, (unsigned)size * 8);
	} else {
		add_dimensions(maker, field, &size);
		*at = (*at + 7) / 8 * 8;
		if (!fuzz_pick(maker->choice, 8))
			*at += (uint64_t)8 * fuzz_pick(maker->choice, 9);
		field->offset_bits = *at;
		field->size_bits = size * 8;
	}
	if (!fuzz_pick(maker->choice, 64)) /* a wrong offset */
		field->offset_bits = fuzz_number(maker->choice);
	if (!is_union)
		*at = field->offset_bits + field->size_bits;
}

static void add_record(struct maker *maker)
{
	struct abi_field *fields = arena_array(maker->arena, FIELDS_MAX, sizeof(*fields));
	struct abi_record record = { .fields = fields, .align_bytes = 1u << fuzz_pick(maker->choice, 4) };
	uint64_t at = 0, end = 0;

	record.name = record_names[fuzz_pick(maker->choice, NAMES)];
	record.is_union = !fuzz_pick(maker->choice, 6);
	record.field_count = fuzz_pick(maker->choice, FIELDS_MAX + 1);
	record.source = fuzz_pick(maker->choice, 4) ? arena_printf(maker->arena, "a.h:%u:1", maker->made_count) : "a.h:1:1";
	for (size_t i = 0; i < record.field_count; i++) {
		make_field(maker, &fields[i], &at, record.is_union);
		if (fields[i].offset_bits + fields[i].size_bits > end)
			end = fields[i].offset_bits + fields[i].size_bits;
	}
	record.size_bytes = (end + 7) / 8 + (fuzz_pick(maker->choice, 4) ? 0 : fuzz_pick(maker->choice, 9));
	if (!fuzz_pick(maker->choice, 64))
		record.size_bytes = fuzz_number(maker->choice);
	abi_builder_record(maker->builder, &record);
	if (maker->made_count < RECORDS_MAX) {
		maker->made[maker->made_count] = record.name;
		maker->made_size[maker->made_count++] = record.size_bytes;
	}
}

static void add_constant(struct maker *maker)
{
	static const char *const others[] = { "K_A", "K_B", "", "K_MAX" };
	unsigned pick = fuzz_pick(maker->choice, 10);
	struct abi_constant constant = { .name = pick < 6 ? ioctl_names[pick] : others[pick - 6] };

	constant.value = abi_number_signed((int64_t)fuzz_number(maker->choice));
	abi_builder_constant(maker->builder, &constant);
}

static void add_ioctl(struct maker *maker)
{
	static const char *const flags[] = { "a-flag", "privileged", "z" };
	struct abi_ioctl ioctl = { .source = "t.c:1" };
	unsigned params = fuzz_pick(maker->choice, NAMES + 4);

	ioctl.family = families[fuzz_pick(maker->choice, 5)];
	ioctl.name = ioctl_names[fuzz_pick(maker->choice, 6)];
	ioctl.number = fuzz_pick(maker->choice, 3) ? fuzz_pick(maker->choice, 16) : fuzz_number(maker->choice);
	ioctl.params = params < NAMES ? record_names[params] : params == NAMES ? "A_ALIAS" : params == NAMES + 1 ? "no_such" : NULL;
	ioctl.flag_count = fuzz_pick(maker->choice, 4);
	ioctl.flags = ioctl.flag_count ? flags : NULL;
	ioctl.access = fuzz_pick(maker->choice, 4) ? NULL : "nice";
	abi_builder_ioctl(maker->builder, &ioctl);
}

static void seal(struct abi *out, struct maker *maker, const char *version)
{
	const struct abi head = { .driver = "nvidia", .version = version, .commit = "", .target = "x86_64-linux-gnu" };

	abi_builder_seal(out, maker->builder, &head);
	abi_builder_free(maker->builder);
}

void fuzz_document(struct abi *out, struct fuzz_choice *choice, struct arena *arena)
{
	struct maker maker = { .choice = choice, .arena = arena, .builder = abi_builder_new(arena) };
	unsigned counts[5];

	for (size_t i = 0; i < 5; i++)
		counts[i] = fuzz_pick(choice, i ? ITEMS_MAX : RECORDS_MAX) + !i;
	for (unsigned i = 0; i < counts[1]; i++)
		add_odd_alias(&maker);
	add_usual_aliases(&maker);
	for (unsigned i = 0; i < counts[2]; i++)
		add_enum(&maker);
	for (unsigned i = 0; i < counts[0]; i++)
		add_record(&maker);
	for (unsigned i = 0; i < counts[3]; i++)
		add_constant(&maker);
	for (unsigned i = 0; i < counts[4]; i++)
		add_ioctl(&maker);
	seal(out, &maker, "1.0");
}

/* change_fields - apply one change to the fields of a record */
static void change_fields(struct abi_record *record, struct maker *maker)
{
	struct abi_field *fields = arena_array(maker->arena, record->field_count + 1, sizeof(*fields));
	size_t at;
	uint64_t end;

	if (record->field_count)
		memcpy(fields, record->fields, record->field_count * sizeof(*fields));
	at = record->field_count ? fuzz_pick(maker->choice, 256) % record->field_count : 0;
	switch (fuzz_pick(maker->choice, 6)) {
	case 0: /* remove a field */
		if (!record->field_count)
			break;
		record->field_count--;
		memmove(&fields[at], &fields[at + 1], (record->field_count - at) * sizeof(*fields));
		break;
	case 1: /* add a field at the end */
		end = record->size_bytes * 8;
		make_field(maker, &fields[record->field_count++], &end, record->is_union);
		record->size_bytes = (end + 7) / 8;
		break;
	case 2: /* change the name */
		if (record->field_count)
			fields[at].name = field_names[fuzz_pick(maker->choice, NAMES)];
		break;
	case 3: /* change the role */
		if (record->field_count)
			fields[at].role = (enum abi_role)fuzz_pick(maker->choice, ABI_ROLE_COUNT + 1);
		break;
	case 4: /* replace a field, at the same offset */
		end = fields[at].offset_bits;
		make_field(maker, &fields[at], &end, record->is_union);
		record->field_count += !record->field_count;
		break;
	case 5: /* move a field and all after it */
		for (size_t i = at; i < record->field_count; i++)
			fields[i].offset_bits += 64;
		record->size_bytes += 8;
		break;
	}
	record->fields = fields;
}

static void next_record(const struct abi_record *was, struct maker *maker)
{
	struct abi_record record = *was;
	unsigned fate = fuzz_pick(maker->choice, 12);

	if (fate == 1)
		return;
	if (fate == 2)
		record.name = record_names[fuzz_pick(maker->choice, NAMES)];
	if (fate == 3)
		record.name = arena_printf(maker->arena, "%s_V3", record.name);
	if (fate == 4)
		record.is_union = !record.is_union;
	if (fate == 5)
		record.size_bytes += fuzz_pick(maker->choice, 16);
	if (fate >= 6)
		change_fields(&record, maker);
	abi_builder_record(maker->builder, &record);
}

static void next_ioctl(const struct abi_ioctl *was, struct maker *maker)
{
	struct abi_ioctl ioctl = *was;
	unsigned fate = fuzz_pick(maker->choice, 8);

	if (fate == 1)
		return;
	if (fate == 2)
		ioctl.number = fuzz_pick(maker->choice, 16);
	if (fate == 3)
		ioctl.params = record_names[fuzz_pick(maker->choice, NAMES)];
	if (fate == 4)
		ioctl.name = ioctl_names[fuzz_pick(maker->choice, 6)];
	if (fate == 5)
		ioctl.access = "nicer";
	if (fate == 6)
		ioctl.flag_count = 0, ioctl.flags = NULL;
	abi_builder_ioctl(maker->builder, &ioctl);
}

void fuzz_next_version(struct abi *out, const struct abi *abi, struct fuzz_choice *choice, struct arena *arena)
{
	struct maker maker = { .choice = choice, .arena = arena, .builder = abi_builder_new(arena) };

	for (size_t i = 0; i < abi->record_count && i < RECORDS_MAX; i++) {
		maker.made[i] = abi->records[i].name;
		maker.made_size[maker.made_count++] = abi->records[i].size_bytes;
	}
	for (size_t i = 0; i < abi->alias_count; i++)
		if (fuzz_pick(choice, 8) != 1)
			abi_builder_alias(maker.builder, &abi->aliases[i]);
	for (size_t i = 0; i < abi->enum_count; i++)
		if (fuzz_pick(choice, 4) != 1)
			abi_builder_enum(maker.builder, &abi->enums[i]);
		else
			add_enum(&maker);
	for (size_t i = 0; i < abi->record_count; i++)
		next_record(&abi->records[i], &maker);
	for (size_t i = 0; i < abi->constant_count; i++)
		if (fuzz_pick(choice, 4) != 1)
			abi_builder_constant(maker.builder, &abi->constants[i]);
		else
			add_constant(&maker);
	for (size_t i = 0; i < abi->ioctl_count; i++)
		next_ioctl(&abi->ioctls[i], &maker);
	seal(out, &maker, "1.1");
	out->driver = abi->driver;
	out->target = abi->target;
}
