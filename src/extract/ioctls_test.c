/*
 * Tests of the ioctls of a family: their numbers, parameter records and flags. Each row of a table has a
 * family of a profile, a driver, and the ioctls, constants and warnings that are made from both
 * (extract/fixture_test.h). Types are not printed. The driver's header is inc/x.h, in the unit rm.
 */
#include "extract/fixture_test.h"

struct ioctls_row {
	const char *fact;
	const char *family; /* the members of a family */
	const char *files, *expected;
};

/*
 * Runs the test of a row. @broken: the path of a file that cannot be read, or NULL. @params: if not NULL, it
 * replaces the rules for parameters, because the JSON reader refuses a malformed regular expression.
 */
static bool ioctls_differ(const struct ioctls_row *row, const char *broken,
			  const struct profile_params *params)
{
	struct arena arena = { 0 };
	const char *members = arena_printf(
		&arena,
		"'units': [{'name': 'rm', 'headers': ['inc/x.h'], 'basics': 'linux'},"
		"          {'name': 'uvm', 'headers': [], 'optional_headers': ['inc/none.h', 'inc/uvm.h']}],"
		"'constants': [{'name': 'ESC_MAP'}, {'name': 'OTHER'}],"
		"'roles': [{'role': 'pointer', 'type': '*\\*'}],"
		"'families': [{%s}]",
		row->family);
	const struct extraction_row extraction = {
		row->fact, row->files, row->expected, .broken = broken, .without_types = true
	};
	struct profile profile = profile_of(members, NULL, &arena);
	struct profile_family family = profile.families[0];
	bool differs;

	if (params) {
		family.params = params;
		family.param_count = 1;
		profile.families = &family;
	}
	differs = extraction_differs(&extraction, &profile, &arena);
	arena_release(&arena);
	return differs;
}

static void check_ioctls(const struct ioctls_row *rows)
{
	bool differs = false;

	for (; rows->fact; rows++)
		differs |= ioctls_differ(rows, NULL, NULL);
	assert_false(differs);
}

/* Macros whose numbers are encoded as in Linux, with the type 'K', the nr 3 and struct x as argument. */
#define X "@ inc/x.h\nstruct x { long a[3]; };\n#define "
#define FROM_IOC "'name': 'toy', 'source': 'ioc'"
#define NO_HEADER(name) \
	"inc/" name ".h: This file is missing or empty, but the tree has other headers of unit uvm; ioctls of " \
	"family toy may be missing.\n"
#define FROM_NUMBERS "'name': 'toy', 'source': 'constants', 'match': ['X_*']"

TEST(numbers_have_parts)
{
	static const struct ioctls_row rows[] = {
		{ "an array is not a record, but has the size of its records", FROM_IOC,
		  X "X_TWO _IOW('K', 3, struct x[2])\n",
		  "ioctl toy/X_TWO@inc/x.h:2 0x40304b03 x\nX_TWO is encoded, argument x[2]\n" },
		{ "an argument that is the record is not repeated", FROM_IOC,
		  X "X_ONE _IOW('K', 3, struct x)\n",
		  "ioctl toy/X_ONE@inc/x.h:2 0x40184b03 x\nX_ONE is encoded\n" },
		{ "the size is compared with that of the profile's record, too",
		  FROM_NUMBERS ", 'ioc': {}, 'params': [{'record': 'x'}]", X "X_TWO 0x40304b03\n",
		  "ioctl toy/X_TWO@inc/x.h:2 0x40304b03 x\n"
		  "inc/x.h:2: The number of X_TWO encodes a size of 48 bytes, but x has 24.\n"
		  "X_TWO is encoded\n" },
		{ "a size that a parameter determines is not compared", FROM_IOC,
		  X "X_MANY(length) _IOW('K', 3, struct x[2 + length])\n",
		  "ioctl toy/X_MANY(length)@inc/x.h:2 0x40304b03 x\n"
		  "X_MANY(length) is encoded, argument x[], varying size\n" },
		{ "a macro without parameters is not a constant, and only followed where it is used", FROM_IOC,
		  X "X_EMPTY() _IOW('K', 3, struct x)\n#define X_REST(...) _IO('K', 5)\n"
		  "#define X_USE X_EMPTY()\n",
		  "ioctl toy/X_USE@inc/x.h:4 0x40184b03 x\nX_USE is encoded\n" },
		{ "a macro without parameters is forgotten when it is defined again", FROM_IOC,
		  X "X_ONE() 1\n#undef X_ONE\n#define X_ONE _IOW('K', 3, struct x)\n",
		  "ioctl toy/X_ONE@inc/x.h:4 0x40184b03 x\nX_ONE is encoded\n" },
		{ "a plain number has no parts", FROM_NUMBERS, X "X_TWO _IOW('K', 3, struct x[2])\n",
		  "ioctl toy/X_TWO@inc/x.h:2 0x40304b03 -\n" },
		{ "types select ioctls", FROM_IOC ", 'ioc': {'types': ['K'], 'known_by': 'nr'}",
		  X "X_K _IOW('K', 3, struct x)\n#define X_L _IOW('L', 3, struct x)\n",
		  "ioctl toy/X_K@inc/x.h:2 0x40184b03 x\nX_K is encoded, known by nr\n" },
		{ "without types, ioctls of all types are selected", FROM_IOC,
		  X "X_L _IOW('L', 3, struct x)\n",
		  "ioctl toy/X_L@inc/x.h:2 0x40184c03 x\nX_L is encoded\n" },
		{ "a missing header is named if the tree has another header of the unit",
		  FROM_NUMBERS ", 'unit': 'uvm'", "@ inc/x.h\n@ inc/uvm.h\nstruct x;\n", NO_HEADER("none") },
		{ "an empty header is missing", FROM_NUMBERS ", 'unit': 'uvm'",
		  "@ inc/x.h\n@ inc/uvm.h\n\n@ inc/none.h\nstruct x;\n", NO_HEADER("uvm") },
		{ "without headers of the unit, the driver does not have the device",
		  FROM_NUMBERS ", 'unit': 'uvm'", "@ inc/x.h\n", "" },
		{ "a number that the direction makes negative is converted to its bits",
		  FROM_NUMBERS ", 'ioc': {}", X "X_READ (2 << 30 | 'K' << 8 | 3)\n",
		  "ioctl toy/X_READ@inc/x.h:2 0x80004b03 -\nX_READ is encoded\n" },
		{ "more than 32 bits are not a number", FROM_NUMBERS ", 'ioc': {}", X "X_WIDE (1ULL << 32)\n",
		  "inc/x.h:2: The value of X_WIDE has more than 32 bits, so it is not the number of an "
		  "ioctl.\n" },
		{ 0 },
	};

	check_ioctls(rows);
}

/* The macros ESC_*. Tests append lines to the header, for example with the constants ESC_MAP and OTHER. */
#define ESCAPES \
	"@ inc/x.h\nstruct esc_alloc { int x; };\n" \
	"typedef struct { int x; } ESC_FREE_PARAMS, ESC_NOTHING_PARAMS;\n" \
	"#define ESC_ALLOC 43 // struct esc_alloc\n#define ESC_FREE 41\n#define ESC_NOTHING 44\n"
/* The first rule says that ESC_NOTHING has no parameters. */
#define FRONTEND \
	"'name': 'frontend', 'source': 'constants', 'match': ['ESC_*'], 'params': [" \
	"{'ioctl': 'ESC_NOTHING', 'name_regex': '()', 'record': '\\1'}," \
	"{'regex': 'struct ([a-z_]+)', 'record': '\\1'}," \
	"{'record': '\\0_GONE'}," \
	"{'ioctl': 'ESC_F*', 'name_regex': '^ESC_(.*)$', 'record': 'ESC_\\1_PARAMS'}," \
	"{'record': '\\0_PARAMS'}]"

#define FREE_AND_ALLOC \
	"ioctl frontend/ESC_FREE@inc/x.h:4 0x29 ESC_FREE_PARAMS\n" \
	"ioctl frontend/ESC_ALLOC@inc/x.h:3 0x2b esc_alloc\n"
#define NOTHING "ioctl frontend/ESC_NOTHING@inc/x.h:5 0x2c -"

TEST(macros_are_ioctls)
{
	static const struct ioctls_row rows[] = {
		{ "macros find their records by the first rule that applies",
		  FRONTEND ", 'except': ['*_LAST', '*_MINUS']",
		  ESCAPES "#define ESC_LAST 99\n#define ESC_MINUS -1\n", FREE_AND_ALLOC NOTHING "\n" },
		{ "a negative number is not an ioctl", FRONTEND, ESCAPES "#define ESC_MINUS -1\n",
		  FREE_AND_ALLOC NOTHING "\n"
		  "inc/x.h:6: The value of ESC_MINUS is negative, so it is not the number of an "
		  "ioctl.\n" },
		{ "macros of another unit do not count", FRONTEND ", 'unit': 'uvm'",
		  ESCAPES "#define ESC_MAP 45\n", "const ESC_MAP 45\n" },
		{ "macros that do not match do not count", FRONTEND, ESCAPES "#define OTHER 1\n",
		  "const OTHER 1\n" FREE_AND_ALLOC NOTHING "\n" },
		{ "macros of other files do not count", FRONTEND ", 'files': ['inc/y.h']", ESCAPES, "" },
		{ "macros of a file that a glob matches count", FRONTEND ", 'files': ['inc/y.h', 'in?/x.h']",
		  ESCAPES, FREE_AND_ALLOC NOTHING "\n" },
		{ 0 },
	};

	check_ioctls(rows);
}

#define DISPATCH(files) FRONTEND ", 'dispatch': {'files': [" files "], 'macros': ['ROUTE*']}"
#define MAIN "@ uvm/main.c\nswitch (cmd)\n{\n  case ESC_FREE:\n    break;\n  ROUTE(ESC_ALLOC, f);\n}\n"
#define MORE \
	"@ uvm/more.c\nswitch (cmd)\n{\n#ifdef X\n  case ESC_NOTHING:\n#endif\n}\n" \
	"if (cmd == ESC_LAST)\n  f();\n"

TEST(ioctls_that_no_switch_handles_have_a_flag)
{
	static const struct ioctls_row rows[] = {
		{ "an ioctl that no switch dispatches has a flag", DISPATCH("'uvm/main.c'"), ESCAPES MAIN,
		  FREE_AND_ALLOC NOTHING " +not-dispatched\n" },
		{ "an ioctl that a switch dispatches inside an #if is conditional",
		  DISPATCH("'uvm/main.c', 'uvm/more.c'"), ESCAPES MAIN MORE,
		  FREE_AND_ALLOC NOTHING " +conditional\n" },
		{ "an ioctl that a file mentions in another form is not called not-dispatched",
		  DISPATCH("'uvm/main.c', 'uvm/more.c'"),
		  ESCAPES "#define ESC_LAST 99\n" MAIN MORE,
		  FREE_AND_ALLOC NOTHING " +conditional\n"
		  "ioctl frontend/ESC_LAST@inc/x.h:6 0x63 -\n"
		  "uvm/more.c:7: ESC_LAST is mentioned here, but not in a label of a switch over "
		  "commands, so it is unknown whether it is dispatched.\n" },
		{ "a macro reads a record, so one that no header declares is named", DISPATCH("'uvm/main.c'"),
		  ESCAPES "#define ESC_LAST 99\n" MAIN "switch (cmd) { ROUTE(ESC_LAST, f); }\n",
		  FREE_AND_ALLOC NOTHING " +not-dispatched\n"
		  "ioctl frontend/ESC_LAST@inc/x.h:6 0x63 ESC_LAST_GONE\n"
		  "inc/x.h:6: ESC_LAST takes a ESC_LAST_GONE, which no header of the profile declares.\n" },
		{ "no ioctl is called not-dispatched if a label is not a name",
		  DISPATCH("'uvm/main.c', 'uvm/b.c'"),
		  ESCAPES MAIN "@ uvm/b.c\nswitch (cmd)\n{\n  case ESC_FREE ... 50:\n}\n",
		  FREE_AND_ALLOC NOTHING "\n"
		  "uvm/b.c:3: The label of this case is not a single name, so it is unknown which "
		  "ioctls are dispatched.\n" },
		{ "no ioctl is called not-dispatched if a label has no number",
		  DISPATCH("'uvm/main.c', 'uvm/b.c'"),
		  ESCAPES "#define ESC_UNKNOWN f(x)\n"
		  MAIN "@ uvm/b.c\nswitch (cmd)\n{\n  case ESC_FREE:\n  case ESC_UNKNOWN:\n}\n",
		  FREE_AND_ALLOC NOTHING "\n"
		  "inc/x.h:6: ESC_UNKNOWN is not an integer constant and is left out: f(x)\n"
		  "uvm/b.c:4: ESC_UNKNOWN is dispatched here, but the headers give it no number, "
		  "so it is unknown which ioctls are dispatched.\n" },
		{ "no ioctl is called not-dispatched if a file has no switch",
		  DISPATCH("'uvm/main.c', 'uvm/b.c'"), ESCAPES MAIN "@ uvm/b.c\nint x;\n",
		  FREE_AND_ALLOC NOTHING "\n"
		  "uvm/b.c: This file has no switch over a command, so it is unknown which ioctls "
		  "of family frontend are dispatched.\n" },
		{ "no ioctl is called not-dispatched if a file is missing",
		  DISPATCH("'uvm/main.c', 'uvm/b.c'"), ESCAPES MAIN,
		  FREE_AND_ALLOC NOTHING "\n"
		  "uvm/b.c: The tree does not have this file, so it is unknown which ioctls of family "
		  "frontend are dispatched.\n" },
		{ "a label that is an excepted macro is named",
		  DISPATCH("'uvm/main.c', 'uvm/b.c'") ", 'except': ['*_M*']",
		  ESCAPES "#define ESC_MAP 45\n" MAIN "@ uvm/b.c\nswitch (cmd)\n{\n  case ESC_MAP:\n}\n",
		  "const ESC_MAP 45\n"
		  FREE_AND_ALLOC NOTHING " +not-dispatched\n"
		  "uvm/b.c:3: The driver handles ESC_MAP, but its headers do not define it as an "
		  "ioctl of family frontend.\n" },
		{ 0 },
	};

	check_ioctls(rows);
}

/*
 * KMS_FLIP gets its record from its route, and KMS_IDLE from a rule for names. The driver does not handle
 * KMS_GONE.
 */
#define KMS \
	"@ inc/x.h\nstruct KmsFlipParams { int x; }; struct KmsOtherParams { int x; };\n" \
	"struct kms_gone { int x; }; struct kms_idle { int x; };\n" \
	"enum KmsCommand { KMS_FLIP, KMS_IDLE, KMS_GONE, KMS_COUNT };\n"
#define KMS_C "@ kms/kms.c\n"
#define FROM_ENUM \
	"'name': 'kms', 'source': 'enum', 'enum': 'KmsCommand', 'except': ['KMS_COUNT'], 'flags': ['test']," \
	"'routes': {'files': ['kms/kms.c'], 'calls': [" \
	" {'name': 'KMS_ENTRY', 'ioctl': '\\1', 'record': 'Kms\\2Params'}," \
	" {'name': 'KMS_ADMIN', 'ioctl': '\\1', 'record': 'Kms\\2Params', 'flags': ['admin']}]}," \
	"'params': [{'name_regex': '^(KMS_.*)$', 'record': '\\l1'}]"

#define CONSTANTS "const KMS_FLIP 0\nconst KMS_GONE 2\nconst KMS_IDLE 1\n"

TEST(enumerators_are_ioctls_that_routes_handle)
{
	static const struct ioctls_row rows[] = {
		{ "enumerators are ioctls and constants", FROM_ENUM,
		  KMS KMS_C
		  "KMS_ENTRY(KMS_FLIP, Flip), KMS_ADMIN(KMS_FLIP, Flip),\nKMS_ENTRY(KMS_IDLE, Other),\n",
		  CONSTANTS "ioctl kms/KMS_FLIP@inc/x.h:3:6 0x0 KmsFlipParams +admin +test\n"
		  "ioctl kms/KMS_IDLE@inc/x.h:3:6 0x1 KmsOtherParams +test\n"
		  "ioctl kms/KMS_GONE@inc/x.h:3:6 0x2 kms_gone +not-dispatched +test\n" },
		{ "routes that contradict each other are named", FROM_ENUM,
		  KMS KMS_C "KMS_ENTRY(KMS_FLIP, Flip)\nKMS_ENTRY(KMS_FLIP, Other)\n"
		  "KMS_ENTRY(KMS_IDLE, Flip) KMS_ENTRY(KMS_GONE, Flip)",
		  CONSTANTS "ioctl kms/KMS_FLIP@inc/x.h:3:6 0x0 KmsFlipParams +test\n"
		  "ioctl kms/KMS_IDLE@inc/x.h:3:6 0x1 KmsFlipParams +test\n"
		  "ioctl kms/KMS_GONE@inc/x.h:3:6 0x2 KmsFlipParams +test\n"
		  "kms/kms.c:2: KMS_FLIP takes a KmsOtherParams here, but a KmsFlipParams at "
		  "kms/kms.c:1; the latter is used.\n" },
		{ "a route without an ioctl is named", FROM_ENUM, KMS KMS_C "KMS_ENTRY(KMS_FLOP, Flip)",
		  CONSTANTS "ioctl kms/KMS_FLIP@inc/x.h:3:6 0x0 - +not-dispatched +test\n"
		  "ioctl kms/KMS_IDLE@inc/x.h:3:6 0x1 kms_idle +not-dispatched +test\n"
		  "ioctl kms/KMS_GONE@inc/x.h:3:6 0x2 kms_gone +not-dispatched +test\n"
		  "kms/kms.c:1: The driver handles KMS_FLOP, but its headers do not define it as "
		  "an ioctl of family kms.\n" },
		{ "a record of a route that no header declares is named", FROM_ENUM,
		  KMS KMS_C "KMS_ENTRY(KMS_FLIP, Gone)",
		  CONSTANTS "ioctl kms/KMS_FLIP@inc/x.h:3:6 0x0 KmsGoneParams +test\n"
		  "ioctl kms/KMS_IDLE@inc/x.h:3:6 0x1 kms_idle +not-dispatched +test\n"
		  "ioctl kms/KMS_GONE@inc/x.h:3:6 0x2 kms_gone +not-dispatched +test\n"
		  "inc/x.h:3:6: KMS_FLIP takes a KmsGoneParams, which no header of the profile "
		  "declares.\n" },
		/* It is unknown which ioctls are dispatched, so none gets the flag not-dispatched. */
		{ "sources without routes are named", FROM_ENUM, KMS KMS_C "int nothing;\n",
		  CONSTANTS "ioctl kms/KMS_FLIP@inc/x.h:3:6 0x0 - +test\n"
		  "ioctl kms/KMS_IDLE@inc/x.h:3:6 0x1 kms_idle +test\n"
		  "ioctl kms/KMS_GONE@inc/x.h:3:6 0x2 kms_gone +test\n"
		  "kms/kms.c: This file has no call that the profile names, so it is unknown "
		  "which ioctls of family kms are dispatched.\n" },
		{ "a missing source is named", FROM_ENUM, KMS,
		  CONSTANTS "ioctl kms/KMS_FLIP@inc/x.h:3:6 0x0 - +test\n"
		  "ioctl kms/KMS_IDLE@inc/x.h:3:6 0x1 kms_idle +test\n"
		  "ioctl kms/KMS_GONE@inc/x.h:3:6 0x2 kms_gone +test\n"
		  "kms/kms.c: The tree does not have this file, so it is unknown which ioctls of "
		  "family kms are dispatched.\n" },
		{ "a driver without the device is not an error", FROM_ENUM, "@ inc/x.h\n", "" },
		{ "sources whose headers are elsewhere are named", FROM_ENUM,
		  "@ inc/x.h\n" KMS_C "KMS_ENTRY(KMS_FLIP, Flip)",
		  "kms/kms.c: This file answers ioctls of family kms, but the headers that the profile "
		  "lists define no ioctls of this family.\n" },
		{ 0 },
	};

	check_ioctls(rows);
}

/* The commands NV2080_CTRL_CMD_*, with the files that give names to their flags and access rights. */
#define COMMANDS \
	"@ inc/x.h\ntypedef struct { int x; } NV2080_CTRL_SPIN_PARAMS, NV2080_CTRL_WALK_PARAMS;\n" \
	"typedef struct { void *a; } NV2080_CTRL_WAIT_LIST;\n" \
	"typedef struct { NV2080_CTRL_WAIT_LIST a[2]; } NV2080_CTRL_WAIT_PARAMS;\n" \
	"#define NV2080_CTRL_CMD_HALT (0x20800102)\n#define NV2080_CTRL_CMD_SPIN (0x20800101)\n" \
	"#define NV2080_CTRL_CMD_SPIN_ALIAS NV2080_CTRL_CMD_SPIN\n" \
	"#define NV2080_CTRL_SPIN_SPEED 0x20800101\n" \
	"#define NV2080_CTRL_CMD_WAIT (0x20800103) /* NV2080_CTRL_WAIT_PARAMS_MESSAGE_ID */\n" \
	"#define NV2080_CTRL_CMD_WAIT_ALIAS NV2080_CTRL_CMD_WAIT " \
	"/* NV2080_CTRL_WAIT_PARAMS_MESSAGE_ID */\n" \
	"#define NV2080_CTRL_CMD_WALK (0x20800104) /* NV2080_CTRL_WALK_PARAMS_MESSAGE_ID */\n" \
	"@ rm/control.h\n#define CF_KERNEL 0\n#define CF_NO_LOCK 0x1\n#define CF_ANYONE 0x8\n" \
	"@ rm/rights.h\n#define RS_ACCESS_DUP 0U\n#define RS_ACCESS_NICE 1U\n" \
	"@ rm/copy.c\nswitch (p->cmd)\n{\n  case NV2080_CTRL_CMD_SPIN:\n    break;\n}\n"
/* A generated file with two exported methods, and two files with one each. */
#define METHOD(flags, access, id, size, func) \
	"  {\n /*flags=*/ " flags ",\n /*accessRight=*/" access ",\n /*methodId=*/ " id ",\n" \
	" /*paramSize=*/ " size ",\n /*func=*/ \"" func "\"\n  },\n"
#define METHODS(path, methods) \
	"@ gen/" path "\nstatic const struct NVOC_EXPORTED_METHOD_DEF methods[] =\n{\n" methods "};\n"
#define SPIN METHOD("0x9u", "0x2u", "0x20800101u", "sizeof(NV2080_CTRL_SPIN_PARAMS)", "subdeviceCtrlCmdSpin")
#define A_C METHODS("g_a_nvoc.c", SPIN METHOD("0x0u", "0x0u", "0x20800102u", "0", "subdeviceCtrlCmdHalt"))
#define B_C METHODS("g_b_nvoc.c", SPIN)
#define OTHER_C \
	METHODS("g_other_nvoc.c", METHOD("0x1u", "0x0u", "0x20800101u", \
					 "sizeof(NV2080_CTRL_OTHER_PARAMS)", "otherCtrlCmdSpin"))
#define CONTROL \
	"'name': 'control', 'source': 'nvoc', 'flag_words': {'files': ['rm/control.h'], 'prefix': ['CF_']," \
	" 'fallback': 'CF_KERNEL', 'unless': ['CF_ANYONE']}," \
	"'access_words': {'files': ['rm/rights.h'], 'prefix': ['RS_ACCESS_']}"
#define NAMED ", 'match': ['NV*_CTRL_*']"
#define A_AND_B ", 'embedded': ['rm/copy.c'], 'files': ['gen/g_a_nvoc.c', 'gen/g_b_nvoc.c']"
/* All generated files, and a list of classes. */
#define LISTED \
	CONTROL NAMED ", 'files': ['gen/g_*_nvoc.c']}, {" \
	"'name': 'alloc', 'source': 'rs_entry', 'files': ['rm/list.h']"
#define CLASS(name, rest) "const struct NVOC_CLASS_DEF __nvoc_class_def_" name rest
#define UNDEFINED(file, name) \
	"gen/g_" file "_nvoc.c: This file is missing or incomplete, because it does not define the class " \
	name ", which the driver uses; ioctls of family control may be missing.\n"
#define HALT "ioctl control/NV2080_CTRL_CMD_HALT@gen/g_a_nvoc.c:10 0x20800102 - +kernel\n"
#define SPIN_AND_HALT \
	"ioctl control/NV2080_CTRL_CMD_SPIN@gen/g_a_nvoc.c:3 0x20800101 NV2080_CTRL_SPIN_PARAMS " \
	"+anyone +embedded-pointers +no-lock !nice\n" HALT

TEST(methods_are_ioctls)
{
	static const struct ioctls_row rows[] = {
		{ "a command has all that the driver says", CONTROL NAMED A_AND_B, COMMANDS A_C B_C,
		  SPIN_AND_HALT },
		{ "a command without a macro has its method's name", CONTROL A_AND_B, COMMANDS A_C B_C,
		  "ioctl control/subdeviceCtrlCmdSpin@gen/g_a_nvoc.c:3 0x20800101 NV2080_CTRL_SPIN_PARAMS "
		  "+anyone +no-lock !nice\n"
		  "ioctl control/subdeviceCtrlCmdHalt@gen/g_a_nvoc.c:10 0x20800102 - +kernel\n"
		  "rm/copy.c:3: The command NV2080_CTRL_CMD_SPIN carries embedded pointers, but the "
		  "headers give it no value.\n" },
		{ "a number with other parameters in another file is named",
		  CONTROL NAMED ", 'files': ['gen/g_b_nvoc.c', 'gen/g_other_nvoc.c']", COMMANDS B_C OTHER_C,
		  "ioctl control/NV2080_CTRL_CMD_SPIN@gen/g_b_nvoc.c:3 0x20800101 NV2080_CTRL_SPIN_PARAMS "
		  "+anyone +no-lock !nice\n"
		  "gen/g_other_nvoc.c:3: otherCtrlCmdSpin has the number 0x20800101 of "
		  "subdeviceCtrlCmdSpin at gen/g_b_nvoc.c:3, but different parameters or flags, so it is "
		  "left out.\n" },
		{ "parameters that no header declares are named",
		  CONTROL NAMED ", 'files': ['gen/g_other_nvoc.c']", COMMANDS OTHER_C,
		  "ioctl control/NV2080_CTRL_CMD_SPIN@gen/g_other_nvoc.c:3 0x20800101 "
		  "NV2080_CTRL_OTHER_PARAMS +kernel +no-lock\n"
		  "gen/g_other_nvoc.c:3: NV2080_CTRL_CMD_SPIN takes a NV2080_CTRL_OTHER_PARAMS, which no "
		  "header of the profile declares.\n" },
		{ "a tree without tables is named", CONTROL NAMED ", 'files': ['gen/g_a_nvoc.c']", COMMANDS,
		  "gen/g_a_nvoc.c: The tree does not have this file, so the ioctls of family control are "
		  "unknown.\n" },
		{ "missing sources of classes in the list, or with derived classes, are named", LISTED,
		  COMMANDS B_C CLASS("B", " = {};\n" CLASS("Base", ";\n"))
		  "@ gen/g_listed_nvoc.h\nextern " CLASS("Listed", ";\n")
		  "@ gen/g_base_nvoc.h\nextern " CLASS("Base", ";\n") "@ gen/g_base_nvoc.c\n"
		  "@ gen/g_b_nvoc.h\nextern " CLASS("B", ";\n")
		  "@ gen/g_unused_nvoc.h\nextern " CLASS("Unused", ";\n") "@ rm/list.h\n/* Listed */\n",
		  "ioctl control/NV2080_CTRL_CMD_SPIN@gen/g_b_nvoc.c:3 0x20800101 NV2080_CTRL_SPIN_PARAMS "
		  "+anyone +no-lock !nice\n"
		  UNDEFINED("base", "Base") UNDEFINED("listed", "Listed")
		  "rm/list.h: The 1 files here have no entry in a known format, so the ioctls of family "
		  "alloc are unknown.\n" },
		{ 0 },
	};

	check_ioctls(rows);
}

#define DEPRECATED \
	A_AND_B \
	", 'deprecated': {'files': ['rm/old.c'], 'table': 'oldTable'}," \
	"'params': [{'regex': '([A-Z0-9_]+)_MESSAGE_ID', 'record': '\\1'}]"
/*
 * The comment of NV2080_CTRL_CMD_WALK names WALK_PARAMS, but its function mentions only SPIN_PARAMS. No rule
 * of the profile gives NV2080_CTRL_CMD_SPIN a record.
 */
#define OLD_C \
	"@ rm/old.c\ntypedef struct { NvU32 cmd; Handler func; NvBool bSkipVGPU; } Row;\n" \
	"static const Row oldTable[] =\n{\n" \
	"  { NV2080_CTRL_CMD_SPIN, old_spin, NV_TRUE },\n" \
	"  { NV2080_CTRL_CMD_WAIT, old_wait, NV_FALSE },\n" \
	"  { NV2080_CTRL_CMD_WALK, old_walk, NV_FALSE },\n" \
	"  { 0, NULL, NV_FALSE }\n};\n" \
	"static int old_spin(void)\n{\n  CONVERT(NV2080_CTRL_SPIN_PARAMS);\n}\n" \
	"static int old_wait(void)\n{\n  CONVERT(NV2080_CTRL_WAIT_PARAMS);\n}\n" \
	"static int old_walk(void)\n{\n  CONVERT(NV2080_CTRL_SPIN_PARAMS);\n}\n"

TEST(deprecated_commands_are_ioctls)
{
	static const struct ioctls_row rows[] = {
		{ "deprecated commands are beside the methods, and need two sources for their record",
		  CONTROL NAMED DEPRECATED, COMMANDS A_C B_C OLD_C,
		  "ioctl control/NV2080_CTRL_CMD_SPIN@gen/g_a_nvoc.c:3 0x20800101 NV2080_CTRL_SPIN_PARAMS "
		  "+anyone +deprecated +embedded-pointers +no-lock +skip-vgpu !nice\n"
		  HALT
		  "ioctl control/NV2080_CTRL_CMD_WAIT@rm/old.c:5 0x20800103 NV2080_CTRL_WAIT_PARAMS "
		  "+deprecated +embedded-pointers\n"
		  "ioctl control/NV2080_CTRL_CMD_WALK@rm/old.c:6 0x20800104 - +deprecated\n"
		  "rm/old.c:4: No rule of the profile gives NV2080_CTRL_CMD_SPIN a record, so its "
		  "parameters are unknown.\n"
		  "rm/old.c:6: NV2080_CTRL_CMD_WALK should have the parameters "
		  "NV2080_CTRL_WALK_PARAMS, but its function does not mention that record, so they are "
		  "unknown.\n" },
		{ "the first row of a number counts", CONTROL NAMED DEPRECATED,
		  COMMANDS A_C B_C "@ rm/old.c\ntypedef struct { NvU32 cmd; Handler func; } Row;\n"
		  "static const Row oldTable[] = { { NV2080_CTRL_CMD_WAIT, old_wait },"
		  " { NV2080_CTRL_CMD_WAIT_ALIAS, old_wait }, { GONE, f } };\n"
		  "static int old_wait(void) { NV2080_CTRL_WAIT_PARAMS params; }\n",
		  SPIN_AND_HALT
		  "ioctl control/NV2080_CTRL_CMD_WAIT@rm/old.c:2 0x20800103 NV2080_CTRL_WAIT_PARAMS "
		  "+deprecated +embedded-pointers\n"
		  "rm/old.c:2: NV2080_CTRL_CMD_WAIT_ALIAS has the same number as "
		  "NV2080_CTRL_CMD_WAIT at rm/old.c:2, so it is left out.\n"
		  "rm/old.c:2: The deprecated command GONE is left out: the headers give it no "
		  "number.\n" },
		{ "a tree without a deprecated table is named", CONTROL NAMED DEPRECATED, COMMANDS A_C B_C,
		  SPIN_AND_HALT
		  "rm/old.c: The tree does not have this file, so it is unknown which commands "
		  "are deprecated.\n" },
		{ 0 },
	};

	check_ioctls(rows);
}

#define ALLOC \
	"'name': 'alloc', 'source': 'rs_entry', 'files': ['rm/list.h']," \
	"'flag_words': {'files': ['rm/flags.h'], 'prefix': ['RS_FLAGS_ALLOC_', 'RS_FLAGS_']}," \
	"'access_words': {'files': ['rm/rights.h'], 'prefix': ['RS_ACCESS_']}, 'match': ['THING_*']"
#define CLASSES \
	"@ inc/x.h\nstruct THING_PARAMS { int x; };\n#define THING_A (0x9010U)\n#define THING_B (0x9011U)\n" \
	"@ rm/flags.h\n#define RS_FLAGS_ALL (RS_FLAGS_ALLOC_ANYONE | RS_FLAGS_LOCK)\n" \
	"#define RS_FLAGS_ALLOC_ANYONE NVBIT(0)\n#define RS_FLAGS_LOCK NVBIT(1)\n" \
	"@ rm/rights.h\n#define RS_ACCESS_DUP 0U\n#define RS_ACCESS_NICE 1U\n"
#define THING(name, params, flags, access) \
	"RS_ENTRY(" name ", T, NV_TRUE, P, " params ", F, " flags ", " access ")\n"

TEST(classes_are_ioctls)
{
	static const struct ioctls_row rows[] = {
		{ "a class has all that the driver says", ALLOC,
		  CLASSES "@ rm/list.h\n"
		  THING("THING_A", "RS_REQUIRED(THING_PARAMS)", "RS_FLAGS_ALL", "RS_ACCESS_NICE")
		  THING("THING_B", "RS_NONE", "RS_FLAGS_NONE", "RS_ACCESS_NONE"),
		  "ioctl alloc/THING_A@rm/list.h:1 0x9010 THING_PARAMS +anyone +lock +required !nice\n"
		  "ioctl alloc/THING_B@rm/list.h:2 0x9011 -\n" },
		{ "a class without a number is named", ALLOC,
		  CLASSES "@ rm/list.h\n" THING("THING_C", "RS_NONE", "RS_FLAGS_NONE", "RS_ACCESS_NONE"),
		  "rm/list.h:1: The class THING_C is left out: the headers give it no number.\n" },
		{ 0 },
	};

	check_ioctls(rows);
}

TEST(an_input_that_cannot_be_read_is_an_error)
{
	static const struct profile_params malformed = { .record = "X", .regex = "(" };
	static const char *const message =
		"ERR_FORMAT: the profile's regular expression \"(\" is malformed\n";
	const struct {
		struct ioctls_row row;
		const char *broken;
		const struct profile_params *params;
	} rows[] = {
		{ { "a file with a switch", DISPATCH("'uvm/main.c'"), ESCAPES MAIN,
		    "ERR_GIT: cannot read uvm/main.c\n" },
		  "uvm/main.c", NULL },
		{ { "a file with methods", CONTROL NAMED A_AND_B, COMMANDS A_C B_C,
		    "ERR_GIT: cannot read gen/g_a_nvoc.c\n" },
		  "gen/g_a_nvoc.c", NULL },
		{ { "a file with classes", ALLOC, CLASSES "@ rm/list.h\n",
		    "ERR_GIT: cannot read rm/list.h\n" },
		  "rm/list.h", NULL },
		{ { "a file with flags of classes", ALLOC, CLASSES, "ERR_GIT: cannot read rm/flags.h\n" },
		  "rm/flags.h", NULL },
		{ { "a rule for macros", FRONTEND, ESCAPES, message }, NULL, &malformed },
		{ { "a rule for deprecated commands", CONTROL NAMED DEPRECATED, COMMANDS A_C B_C OLD_C,
		    message },
		  NULL, &malformed },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		assert_false(ioctls_differ(&rows[i].row, rows[i].broken, rows[i].params));
}
