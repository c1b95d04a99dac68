/*
 * layout - print the layouts of records, aliases and enums in an object file
 *
 * Part of scripts/check-dwarf, which checks `drvabi extract` and shares no code
 * with it. The program reads the DWARF of an object file (gcc -gdwarf-5), and
 * prints one fact per line, with fields separated by tabs:
 *
 *   record   NAME  struct|union  SIZE  C-EXPRESSION
 *   field    NAME  INDEX  MEMBER  OFFSET  SIZE  bits|bytes  TYPE  CANONICAL  ELEMENT-SIZE  DIMENSIONS
 *   alias    NAME  CANONICAL  SIZE  used|typedef
 *   enum     NAME  CANONICAL  SIZE
 *   value    NAME  ENUMERATOR  VALUE
 *   builtin  NAME             (a typedef of the compiler's own headers)
 *   orphan   KIND  FILE:LINE  (an unnamed type that no member or typedef uses)
 *
 * A field's OFFSET and SIZE are in bits, all other sizes in bytes. TYPE and
 * CANONICAL are spelled as in C, but without struct, union and enum, and with
 * all dimensions at the end ("void (*)(int)[4]"). CANONICAL contains no
 * typedefs. ELEMENT-SIZE is the size of TYPE without its dimensions. DIMENSIONS
 * are those of CANONICAL ("[4][2]", "[][8]"), or "-" if it is not an array.
 *
 * A record is printed under its tag, and again under each typedef of it. An
 * unnamed record is named after the member that declares it: PARENT::MEMBER_t,
 * or PARENT::_t, PARENT::_t2 ... for members without a name. PARENT is the
 * parent's tag or a direct typedef of the parent. If only a typedef of a pointer
 * or an array refers to the unnamed record, its name is TYPEDEF::_t.
 * C-EXPRESSION is the record's type in C ("struct x", "__typeof__(...)"), or "-"
 * if C cannot name it.
 *
 * Declarations of a HEADER are printed only if other files use them.
 *
 * Usage: layout OBJECT [HEADER]...
 * Exit status: 0, or 2 if the object cannot be read.
 */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <inttypes.h>
#include <obstack.h>
#include <search.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define obstack_chunk_alloc xmalloc
#define obstack_chunk_free free

/* struct unnamed - an unnamed type */
struct unnamed {
	Dwarf_Off offset; /* of the type's DIE, the key of the search tree */
	const char *name; /* NULL until a typedef names the type */
	bool is_guess;    /* @name is TYPEDEF::_t, from a typedef of a pointer or an array */
	bool reached;     /* a member or typedef uses the type */
};

/* struct spelling - how to spell a type */
struct spelling {
	bool canonical;      /* replace typedefs with their types */
	const char *unnamed; /* the name for an unnamed record or enum; NULL: "(unnamed)" */
};

static struct obstack pool; /* all strings and struct unnamed; freed at exit */
static void *unnamed_types; /* tsearch() tree of struct unnamed */
static void *printed;       /* tsearch() tree of the alias names that were printed */
static char **context;      /* the HEADER arguments: path suffixes, NULL-terminated */

static void fail(const char *format, ...)
{
	va_list args;

	fputs("layout: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	exit(2);
}

static void *xmalloc(size_t size)
{
	void *memory = malloc(size);

	if (!memory)
		fail("out of memory");
	return memory;
}

static const char *text(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	obstack_vprintf(&pool, format, args);
	va_end(args);
	obstack_1grow(&pool, '\0');
	return obstack_finish(&pool);
}

static int by_offset(const void *a, const void *b)
{
	Dwarf_Off x = ((const struct unnamed *)a)->offset, y = ((const struct unnamed *)b)->offset;

	return (x > y) - (x < y);
}

static struct unnamed *unnamed_type(Dwarf_Die *die)
{
	struct unnamed *one = obstack_alloc(&pool, sizeof(*one));
	struct unnamed **found;

	*one = (struct unnamed){ .offset = dwarf_dieoffset(die) };
	found = tsearch(one, &unnamed_types, by_offset);
	if (!found)
		fail("out of memory");
	return *found;
}

/* type_of - get the DIE that @die's DW_AT_type refers to. Return: false if there is none, for void. */
static bool type_of(Dwarf_Die *type, Dwarf_Die *die)
{
	Dwarf_Attribute attribute;

	return dwarf_attr_integrate(die, DW_AT_type, &attribute) && dwarf_formref_die(&attribute, type);
}

static uint64_t number_of(Dwarf_Die *die, unsigned int name, uint64_t otherwise)
{
	Dwarf_Attribute attribute;
	Dwarf_Word value;

	if (!dwarf_attr_integrate(die, name, &attribute))
		return otherwise;
	if (dwarf_formudata(&attribute, &value))
		fail("attribute 0x%x at 0x%" PRIx64 " is not a number", name, (uint64_t)dwarf_dieoffset(die));
	return value;
}

/* size_of - get the size of a type in bytes. Return: 0 for void, functions and T[]. */
static uint64_t size_of(Dwarf_Die *type)
{
	Dwarf_Word size;

	return dwarf_aggregate_size(type, &size) ? 0 : size;
}

static bool is_record(Dwarf_Die *die)
{
	return dwarf_tag(die) == DW_TAG_structure_type || dwarf_tag(die) == DW_TAG_union_type;
}

static bool is_tagged(Dwarf_Die *die)
{
	return is_record(die) || dwarf_tag(die) == DW_TAG_enumeration_type;
}

static bool is_qualifier(Dwarf_Die *die)
{
	return dwarf_tag(die) == DW_TAG_const_type || dwarf_tag(die) == DW_TAG_volatile_type ||
	       dwarf_tag(die) == DW_TAG_restrict_type;
}

#define QUALIFIERS DW_TAG_const_type, DW_TAG_volatile_type, DW_TAG_restrict_type

/*
 * ends_in - follow DW_AT_type while the DIE's tag is in @tags (0-terminated)
 *
 * @die is replaced with the last DIE. Return: false if that is void.
 */
static bool ends_in(Dwarf_Die *die, const int *tags)
{
	for (;;) {
		const int *tag = tags;

		while (*tag && *tag != dwarf_tag(die))
			tag++;
		if (!*tag)
			return true;
		if (!type_of(die, die))
			return false;
	}
}

/* base_name - get C's usual spelling of a base type. gcc orders the words differently. */
static const char *base_name(const char *name)
{
	static const struct { const char *gcc, *c; } names[] = {
		{ "long int", "long" },
		{ "long unsigned int", "unsigned long" },
		{ "long long int", "long long" },
		{ "long long unsigned int", "unsigned long long" },
		{ "short int", "short" },
		{ "short unsigned int", "unsigned short" },
		{ "__int128 unsigned", "unsigned __int128" },
		{ "complex float", "_Complex float" },
		{ "complex double", "_Complex double" },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (!strcmp(names[i].gcc, name))
			return names[i].c;
	}
	return name;
}

/* joined - append a declarator to a type: "int" and "[4]" make "int[4]", "int" and "*" make "int *" */
static const char *joined(const char *base, const char *declarator)
{
	return text("%s%s%s", base, *declarator && *declarator != '[' ? " " : "", declarator);
}

static const char *dimensions(Dwarf_Die *array)
{
	const char *all = "";
	Dwarf_Die range;

	if (dwarf_child(array, &range))
		fail("array at 0x%" PRIx64 " has no dimensions", (uint64_t)dwarf_dieoffset(array));
	do {
		if (dwarf_hasattr(&range, DW_AT_count))
			all = text("%s[%" PRIu64 "]", all, number_of(&range, DW_AT_count, 0));
		else if (dwarf_hasattr(&range, DW_AT_upper_bound))
			all = text("%s[%" PRIu64 "]", all, number_of(&range, DW_AT_upper_bound, 0) + 1);
		else
			all = text("%s[]", all);
	} while (!dwarf_siblingof(&range, &range));
	return all;
}

static const char *spell(Dwarf_Die *type, const char *declarator, const struct spelling *how);

static const char *spell_target(Dwarf_Die *die, const char *declarator, const struct spelling *how)
{
	Dwarf_Die target;

	return type_of(&target, die) ? spell(&target, declarator, how) : joined("void", declarator);
}

static const char *parameters(Dwarf_Die *function, const struct spelling *how)
{
	const char *all = "";
	Dwarf_Die parameter;

	if (!dwarf_hasattr(function, DW_AT_prototyped))
		return "";
	if (dwarf_child(function, &parameter))
		return "void";
	do {
		const char *one = dwarf_tag(&parameter) == DW_TAG_unspecified_parameters
					  ? "..." : spell_target(&parameter, "", how);

		all = text("%s%s%s", all, *all ? ", " : "", one);
	} while (!dwarf_siblingof(&parameter, &parameter));
	return all;
}

static const char *spell_pointer(Dwarf_Die *pointer, const char *qualifiers, const char *declarator,
				 const struct spelling *how)
{
	static const int around[] = { DW_TAG_typedef, QUALIFIERS, 0 };
	const char *star = text("*%s%s%s", qualifiers, *qualifiers && *declarator ? " " : "", declarator);
	Dwarf_Die target;

	if (type_of(&target, pointer) && (!how->canonical || ends_in(&target, around)) &&
	    (dwarf_tag(&target) == DW_TAG_subroutine_type || dwarf_tag(&target) == DW_TAG_array_type))
		star = text("(%s)", star);
	return spell_target(pointer, star, how);
}

/* spell_qualified - spell a qualified type: "const T", or "T *const" if the qualified type is a pointer */
static const char *spell_qualified(Dwarf_Die *die, const char *declarator, const struct spelling *how)
{
	bool is_const = false, is_volatile = false, is_restrict = false, has_target = true;
	Dwarf_Die target = *die;
	const char *words;

	while (has_target && (is_qualifier(&target) || (how->canonical && dwarf_tag(&target) == DW_TAG_typedef))) {
		is_const |= dwarf_tag(&target) == DW_TAG_const_type;
		is_volatile |= dwarf_tag(&target) == DW_TAG_volatile_type;
		is_restrict |= dwarf_tag(&target) == DW_TAG_restrict_type;
		has_target = type_of(&target, &target);
	}
	words = text("%s%s%s", is_const ? " const" : "", is_volatile ? " volatile" : "", is_restrict ? " restrict" : "") + 1;
	if (has_target && dwarf_tag(&target) == DW_TAG_pointer_type)
		return spell_pointer(&target, words, declarator, how);
	return text("%s %s", words, has_target ? spell(&target, declarator, how) : joined("void", declarator));
}

/* tag_name - get the name of a record or enum, without struct, union or enum */
static const char *tag_name(Dwarf_Die *die, const struct spelling *how)
{
	const char *name = dwarf_diename(die);
	struct unnamed *one;

	if (name)
		return name;
	one = unnamed_type(die);
	if (one->name && !(one->is_guess && !how->canonical && how->unnamed))
		return one->name;
	return how->unnamed ? how->unnamed : "(unnamed)";
}

static const char *spell(Dwarf_Die *type, const char *declarator, const struct spelling *how)
{
	switch (dwarf_tag(type)) {
	case DW_TAG_base_type:
		return joined(base_name(dwarf_diename(type)), declarator);
	case DW_TAG_typedef:
		return how->canonical ? spell_target(type, declarator, how) : joined(dwarf_diename(type), declarator);
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_enumeration_type:
		return joined(tag_name(type, how), declarator);
	case DW_TAG_const_type:
	case DW_TAG_volatile_type:
	case DW_TAG_restrict_type:
		return spell_qualified(type, declarator, how);
	case DW_TAG_atomic_type:
		return joined(text("_Atomic(%s)", spell_target(type, "", how)), declarator);
	case DW_TAG_pointer_type:
		return spell_pointer(type, "", declarator, how);
	case DW_TAG_array_type:
		return spell_target(type, text("%s%s", declarator, dimensions(type)), how);
	case DW_TAG_subroutine_type:
		return spell_target(type, text("%s(%s)", declarator, parameters(type, how)), how);
	default:
		fail("type at 0x%" PRIx64 " has the unknown tag 0x%x", (uint64_t)dwarf_dieoffset(type), dwarf_tag(type));
		return NULL;
	}
}

/*
 * element_of - split a member's type into the element type and the dimensions
 *
 * If the type is a typedef of an array, the typedef is replaced with its type,
 * as in clang. An array whose elements are a typedef of an array keeps the
 * typedef, unless @canonical. (gcc merges both arrays anyway, unless the typedef
 * is qualified.) The qualifiers of an array belong to its elements; gcc writes
 * them for both. Return: the dimensions.
 */
static const char *element_of(Dwarf_Die *element, Dwarf_Die *type, bool canonical)
{
	static const int named[] = { QUALIFIERS, DW_TAG_typedef, 0 }, unnamed[] = { QUALIFIERS, 0 };
	const char *all = "";

	for (*element = *type;;) {
		Dwarf_Die end = *element;

		if (!ends_in(&end, *all && !canonical ? unnamed : named) || dwarf_tag(&end) != DW_TAG_array_type)
			return all;
		all = text("%s%s", all, dimensions(&end));
		if (!type_of(element, &end))
			fail("array at 0x%" PRIx64 " has no element type", (uint64_t)dwarf_dieoffset(&end));
	}
}

static void print_enum(Dwarf_Die *die, const char *name)
{
	struct spelling canonical = { .canonical = true };
	Dwarf_Die value;

	printf("enum\t%s\t%s\t%" PRIu64 "\n", name, spell_target(die, "", &canonical), number_of(die, DW_AT_byte_size, 0));
	if (dwarf_child(die, &value))
		return;
	do {
		Dwarf_Attribute attribute;
		Dwarf_Sword with_sign = 0;
		Dwarf_Word number = 0;

		if (!dwarf_attr(&value, DW_AT_const_value, &attribute))
			fail("enumerator %s has no value", dwarf_diename(&value));
		/* gcc uses signed forms for negative values. It writes 128 as one byte, which must not be read as -128. */
		if (dwarf_whatform(&attribute) == DW_FORM_sdata || dwarf_whatform(&attribute) == DW_FORM_implicit_const)
			dwarf_formsdata(&attribute, &with_sign);
		else if (dwarf_formudata(&attribute, &number))
			fail("the value of enumerator %s is not a number", dwarf_diename(&value));
		if (with_sign)
			printf("value\t%s\t%s\t%" PRId64 "\n", name, dwarf_diename(&value), (int64_t)with_sign);
		else
			printf("value\t%s\t%s\t%" PRIu64 "\n", name, dwarf_diename(&value), (uint64_t)number);
	} while (!dwarf_siblingof(&value, &value));
}

static void print_alias(Dwarf_Die *type, const char *name, const char *unnamed, const char *reason)
{
	struct spelling canonical = { .canonical = true, .unnamed = unnamed };

	if (*(char *const *)tsearch(name, &printed, (int (*)(const void *, const void *))strcmp) != name)
		return;
	printf("alias\t%s\t%s\t%" PRIu64 "\t%s\n", name, spell(type, "", &canonical), size_of(type), reason);
}

static void print_record(Dwarf_Die *die, const char *name, const char *owner, const char *expression);

/* dereferences - get the '*' operators that turn a pointer into its target, or an array into its elements */
static const char *dereferences(Dwarf_Die *type)
{
	const char *stars = "";

	if (dwarf_tag(type) == DW_TAG_pointer_type)
		return "*";
	if (dwarf_tag(type) == DW_TAG_array_type) {
		for (const char *at = strchr(dimensions(type), '['); at; at = strchr(at + 1, '['))
			stars = text("*%s", stars);
	}
	return stars;
}

/*
 * member_expression - write a member's type, without arrays and pointers, as a C expression
 *
 * Return: "-" if C cannot name the type.
 */
static const char *member_expression(Dwarf_Die *type, const char *parent, const char *member)
{
	const char *value;
	Dwarf_Die at = *type;

	if (!*member || !strcmp(parent, "-"))
		return "-";
	value = text("((%s *)0)->%s", parent, member);
	while (dwarf_tag(&at) == DW_TAG_pointer_type || dwarf_tag(&at) == DW_TAG_array_type || is_qualifier(&at)) {
		value = text("%s%s", dereferences(&at), value);
		if (!type_of(&at, &at))
			return "-";
	}
	/* the number of '*' for a typedef of an array is unknown here */
	return dwarf_tag(&at) == DW_TAG_typedef ? "-" : text("__typeof__(%s)", value);
}

/* around_unnamed - find an unnamed type in arrays, pointers, qualifiers. Return: false if there is none. */
static bool around_unnamed(Dwarf_Die *inner, Dwarf_Die *type)
{
	static const int around[] = { DW_TAG_array_type, DW_TAG_pointer_type, QUALIFIERS, 0 };

	*inner = *type;
	return ends_in(inner, around) && is_tagged(inner) && !dwarf_diename(inner);
}

/* print_unnamed - print the unnamed type that a member or typedef of @type declares in place, as @name */
static void print_unnamed(Dwarf_Die *type, const char *name, const char *expression)
{
	struct unnamed *one;
	Dwarf_Die inner;

	if (!around_unnamed(&inner, type))
		return;
	one = unnamed_type(&inner);
	one->reached = true;
	if (one->name && !one->is_guess)
		return;
	if (is_record(&inner))
		print_record(&inner, name, name, expression);
	else
		print_enum(&inner, name);
}

/* print_used - print the alias for a member's type, unless the type is a record or an enum */
static void print_used(Dwarf_Die *element, const char *unnamed)
{
	static const int around[] = { QUALIFIERS, DW_TAG_typedef, 0 };
	struct spelling declared = { .unnamed = unnamed };
	Dwarf_Die end = *element;

	if (ends_in(&end, around) && is_tagged(&end))
		return;
	print_alias(element, spell(element, "", &declared), unnamed, "used");
}

static void print_field(Dwarf_Die *member, const char *record, const char *expression, size_t index, const char *unnamed)
{
	struct spelling declared = { .unnamed = unnamed }, canonical = { .canonical = true, .unnamed = unnamed };
	const char *name = dwarf_diename(member) ? dwarf_diename(member) : "", *spelled, *dimensioned, *all;
	bool is_bitfield = dwarf_hasattr(member, DW_AT_bit_size);
	uint64_t offset = number_of(member, DW_AT_data_bit_offset, 0) + 8 * number_of(member, DW_AT_data_member_location, 0);
	Dwarf_Die type, element, innermost;

	if (!type_of(&type, member))
		fail("member %s of %s has no type", name, record);
	all = element_of(&innermost, &type, true);
	dimensioned = text("%s%s", spell(&innermost, "", &canonical), all);
	spelled = element_of(&element, &type, false);
	spelled = text("%s%s", spell(&element, "", &declared), spelled);
	printf("field\t%s\t%zu\t%s\t%" PRIu64 "\t%" PRIu64 "\t%s\t%s\t%s\t%" PRIu64 "\t%s\n", record, index, name, offset,
	       is_bitfield ? number_of(member, DW_AT_bit_size, 0) : 8 * size_of(&type), is_bitfield ? "bits" : "bytes", spelled,
	       dimensioned, size_of(&element), *all ? all : "-");
	print_used(&element, unnamed);
	print_unnamed(&element, unnamed, member_expression(&type, expression, name));
}

/* print_record - print a record under @name. @owner: the first part of the names of unnamed types in it */
static void print_record(Dwarf_Die *die, const char *name, const char *owner, const char *expression)
{
	size_t index = 0, without_name = 0;
	Dwarf_Die member;

	printf("record\t%s\t%s\t%" PRIu64 "\t%s\n", name, dwarf_tag(die) == DW_TAG_union_type ? "union" : "struct",
	       number_of(die, DW_AT_byte_size, 0), expression);
	if (dwarf_child(die, &member))
		return;
	do {
		const char *member_name = dwarf_diename(&member);
		const char *unnamed;

		if (dwarf_tag(&member) != DW_TAG_member)
			continue;
		if (member_name)
			unnamed = text("%s::%s_t", owner, member_name);
		else if (++without_name == 1)
			unnamed = text("%s::_t", owner);
		else
			unnamed = text("%s::_t%zu", owner, without_name);
		print_field(&member, name, expression, index++, unnamed);
	} while (!dwarf_siblingof(&member, &member));
}

/* is_builtin - check if the compiler declares a type, in its own headers or without a file (__va_list_tag) */
static bool is_builtin(Dwarf_Die *die)
{
	const char *file = dwarf_decl_file(die);
	int line = 0;

	return !file || dwarf_decl_line(die, &line) || !line || strstr(file, "/lib/gcc/") || strstr(file, "/lib/gcc-cross/");
}

static bool is_context(Dwarf_Die *die)
{
	const char *file = dwarf_decl_file(die);

	for (char **header = context; file && *header; header++)
		if (strlen(file) >= strlen(*header) && !strcmp(file + strlen(file) - strlen(*header), *header))
			return true;
	return false;
}

/* last_typedef - follow a chain of typedefs. Return: the name of the last typedef. */
static const char *last_typedef(Dwarf_Die *die)
{
	static const int around[] = { QUALIFIERS, 0 };
	const char *name = dwarf_diename(die);
	Dwarf_Die target = *die;

	while (type_of(&target, &target) && ends_in(&target, around) && dwarf_tag(&target) == DW_TAG_typedef)
		name = dwarf_diename(&target);
	return name;
}

static void print_typedef_of_tagged(Dwarf_Die *end, Dwarf_Die *die)
{
	const char *name = dwarf_diename(die);

	if (!dwarf_diename(end))
		unnamed_type(end)->reached = true;
	if (dwarf_hasattr(end, DW_AT_declaration))
		return;
	if (is_record(end))
		print_record(end, name, last_typedef(die), name);
	else
		print_enum(end, name);
}

static void print_typedef(Dwarf_Die *die)
{
	static const int around[] = { DW_TAG_typedef, QUALIFIERS, 0 };
	const char *name = dwarf_diename(die);
	Dwarf_Die end = *die, target;
	bool has_end = ends_in(&end, around);

	if (is_builtin(die)) {
		printf("builtin\t%s\n", name);
	} else if (has_end && is_tagged(&end)) {
		print_typedef_of_tagged(&end, die);
	} else {
		if (type_of(&target, die))
			print_unnamed(&target, text("%s::_t", name), "-");
		/* functions and T[] have no size, and are not aliases */
		if (!has_end || (dwarf_tag(&end) != DW_TAG_subroutine_type && !strstr(spell(&end, "", &(struct spelling){ 0 }), "[]")))
			print_alias(die, name, NULL, "typedef");
	}
}

static void print_tagged(Dwarf_Die *die)
{
	const char *name = dwarf_diename(die);

	if (!name || dwarf_hasattr(die, DW_AT_declaration) || is_builtin(die))
		return;
	if (is_record(die))
		print_record(die, name, name, text("%s %s", dwarf_tag(die) == DW_TAG_union_type ? "union" : "struct", name));
	else
		print_enum(die, name);
}

/* name_by_typedef - name an unnamed type after its first typedef, for canonical spellings */
static void name_by_typedef(Dwarf_Die *die)
{
	static const int around[] = { QUALIFIERS, 0 };
	Dwarf_Die target;

	if (dwarf_tag(die) == DW_TAG_typedef && type_of(&target, die) && ends_in(&target, around) && is_tagged(&target) &&
	    !dwarf_diename(&target) && !unnamed_type(&target)->name)
		unnamed_type(&target)->name = dwarf_diename(die);
}

/* name_by_pointer - if an unnamed type has no typedef, name it after a typedef of its pointer or array */
static void name_by_pointer(Dwarf_Die *die)
{
	Dwarf_Die target, inner;

	if (dwarf_tag(die) != DW_TAG_typedef || !type_of(&target, die) || !around_unnamed(&inner, &target) ||
	    unnamed_type(&inner)->name)
		return;
	unnamed_type(&inner)->name = text("%s::_t", dwarf_diename(die));
	unnamed_type(&inner)->is_guess = true;
}

static void print_type(Dwarf_Die *die)
{
	if (is_context(die))
		return;
	if (dwarf_tag(die) == DW_TAG_typedef)
		print_typedef(die);
	else if (is_tagged(die))
		print_tagged(die);
}

/* print_orphan - print an unnamed type that no member or typedef uses, and an enum's enumerators */
static void print_orphan(Dwarf_Die *die)
{
	int line = 0;

	if (dwarf_diename(die) || !is_tagged(die) || unnamed_type(die)->reached || is_context(die))
		return;
	dwarf_decl_line(die, &line);
	printf("orphan\t%s\t%s:%d\n", is_record(die) ? "record" : "enum", dwarf_decl_file(die), line);
	if (!is_record(die))
		print_enum(die, "");
}

/* visit - call @each for all types of a unit, including types that gcc nests in records */
static void visit(Dwarf_Die *parent, void (*each)(Dwarf_Die *die))
{
	Dwarf_Die die;

	if (dwarf_child(parent, &die))
		return;
	do {
		each(&die);
		if (is_record(&die))
			visit(&die, each);
	} while (!dwarf_siblingof(&die, &die));
}

static void visit_units(Dwarf *dwarf, void (*each)(Dwarf_Die *die))
{
	Dwarf_CU *unit = NULL;
	Dwarf_Die die;
	int rc;

	while (!(rc = dwarf_get_units(dwarf, unit, &unit, NULL, NULL, &die, NULL)))
		visit(&die, each);
	if (rc < 0)
		fail("%s", dwarf_errmsg(-1));
}

/* open_dwarf - open the DWARF of an object file. libdwfl applies the relocations of the file. */
static Dwarf *open_dwarf(Dwfl *dwfl, const char *path)
{
	Dwfl_Module *module;
	Dwarf_Addr bias;
	Dwarf *dwarf;

	dwfl_report_begin(dwfl);
	module = dwfl_report_offline(dwfl, "object", path, -1);
	if (!module || dwfl_report_end(dwfl, NULL, NULL))
		fail("%s: %s", path, dwfl_errmsg(-1));
	dwarf = dwfl_module_getdwarf(module, &bias);
	if (!dwarf)
		fail("%s: %s", path, dwfl_errmsg(-1));
	return dwarf;
}

int main(int argc, char **argv)
{
	static const Dwfl_Callbacks callbacks = {
		.find_debuginfo = dwfl_standard_find_debuginfo,
		.section_address = dwfl_offline_section_address,
	};
	Dwarf *dwarf;
	Dwfl *dwfl;

	if (argc < 2)
		fail("usage: layout OBJECT [HEADER]...");
	context = argv + 2;
	obstack_init(&pool);
	dwfl = dwfl_begin(&callbacks);
	if (!dwfl)
		fail("%s", dwfl_errmsg(-1));
	dwarf = open_dwarf(dwfl, argv[1]);
	visit_units(dwarf, name_by_typedef);
	visit_units(dwarf, name_by_pointer);
	visit_units(dwarf, print_type);
	visit_units(dwarf, print_orphan);
	dwfl_end(dwfl);
	obstack_free(&pool, NULL);
	if (fflush(stdout) || ferror(stdout))
		fail("cannot write: %m");
	return 0;
}
