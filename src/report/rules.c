/*
 * report/rules.c - the texts that explain each rule of verify and each class of change
 *
 * drvabi explain and drvabi help classes print these texts. docs/rules.md, SARIF's help and the completion of
 * the shells use them, too.
 */
#include "report/internal.h"

#include <string.h>

static const struct rule_text texts[RULE_COUNT] = {
	[VERIFY_NUMBER] = {
		"The entry's number or family differs from the driver's, the driver does not have the "
		"entry's macro, or two entries have the same number.",
		"NV2080_CTRL_CMD_GPU_GET_INFO is 0x20800101 in the driver, 0x20800103 in the proxy",
		"Find the version that added or renumbered the ioctl (drvabi history NAME)." },
	[VERIFY_REUSED_NUMBER] = {
		"In this version, a different command of the family has this number.",
		"0x109 is TOY_CMD_STATS in this version, not TOY_CMD_QUERY",
		"Fix this first: the proxy forwards a command that nobody reviewed." },
	[VERIFY_MISSING_RECORD] = {
		"The driver does not have the entry's record or alias.",
		"the driver has no record or alias TOY_QUERY",
		"Find the record's new name, or the versions that have it (drvabi show NAME)." },
	[VERIFY_SIZE] = {
		"The size of the proxy's type differs from the driver's.",
		"nv_ioctl_register_fd_t is 4 bytes in the driver, IoctlRegisterFD 8 in the proxy",
		"Add a type for this version (drvabi bootstrap writes it)." },
	[VERIFY_FIELD_OFFSET] = {
		"A field has a different offset in the proxy, or the names of two fields are swapped.",
		"TOY_COPY_PARAMS.delta is at 56 in the driver, at 58 in the proxy",
		"Move the field, or add a type for this version." },
	[VERIFY_FIELD_TYPE] = {
		"A field has a different width, sign, length or role in the proxy, or the proxy declares "
		"it as a bool, although it can have any value.",
		"nv_ioctl_sys_params_t.memblock_size is NvU64 in the driver, int64 in the proxy: only one "
		"of them is signed",
		"Use the driver's type, or the table's handle or pointer type." },
	[VERIFY_FIELD_MISSING] = {
		"Only the driver or only the proxy has a field at an offset.",
		"TOY_MAP_PARAMS.by.map.kind (ToyU32 at 20) has no field in the proxy",
		"Add the missing field to the proxy, or remove the extra one." },
	[VERIFY_PADDING_OVERLAP] = {
		"The proxy's padding covers bytes that the driver uses.",
		"TOY_SAMPLE_PARAMS.data.raw (ToyU8[24] at 8) overlaps the proxy's padding _",
		"Replace the padding with the driver's field." },
	[VERIFY_NOT_SIMPLE] = {
		"The proxy passes on parameters unread that have a pointer or file descriptor, or in which "
		"the driver follows a pointer (embedded-pointers), or whose type is an alias and has no "
		"fields to check.",
		"e[].pointer (ToyP64 at 16) is a pointer",
		"Write a handler that translates the field, or suppress the finding if the driver does not "
		"follow the field." },
	[VERIFY_AS_IS] = {
		"The proxy unmarshals a record, but passes on a pointer or file descriptor in it "
		"unchanged.",
		"list (NvP64 at 16) is a pointer, and the handler toyCopy passes it on unchanged",
		"Translate the field in the handler, or suppress the finding if the driver does not follow "
		"the field." },
	[VERIFY_SURFACE] = {
		"The driver's table of methods or classes, or the command's name (X_CTRL_Y_PARAMS for "
		"X_CTRL_CMD_Y), names a different parameter record.",
		"the driver's table says that it takes TOY_QUERY_PARAMS (36 bytes); the proxy says "
		"toy_almost_query (36 bytes)",
		"Name the driver's record in the entry." },
	[VERIFY_HANDLER] = {
		"The handler unmarshals a type that is not among the entry's structs.",
		"the handler toyTranslated unmarshals Open, but the table says Copy",
		"Only the table or only the handler has the new type at this version. Give both the same type." },
	[VERIFY_CODE] = {
		"A handler copies the parameters in more than once (they can change after the check), or it "
		"compares a product that can overflow.",
		"the handler toyTwice copies the parameters in more than once (CopyIn, CopyIn)",
		"Copy once. Compare n > limit / size instead of n * size > limit." },
	[VERIFY_CAPS] = {
		"A capability of the entry is unknown.",
		"'graphic' is not a driver capability",
		"Use a name of NVIDIA_DRIVER_CAPABILITIES, such as compute or graphics." },
	[VERIFY_KERNEL_POINTER] = {
		"A forwarded struct has a field for a kernel address. This is a warning, unless --fail-on "
		"names the rule.",
		"cache[].hits (ToyU64 at 0) can hold a kernel address",
		"Clear the field, or suppress the finding with a reason." },
	[VERIFY_LACKING] = {
		"The proxy supports the version, but neither the data nor the repository has it. With "
		"--strict, this fails the run.",
		"130.00.00 is unavailable: not in the repository",
		"Fetch the clone's tags, update the data, or suppress the finding until a date." },
	[RULE_NOT_CHECKED] = {
		"Neither the table nor the driver's source shows whether the entry is right. This never "
		"fails the run.",
		"neither a macro nor a table of the driver has the number 0x80028b",
		"Read the driver's source. If the entry is right, suppress the finding and write why." },
	[RULE_UNUSED] = {
		"A line of the suppression file suppresses nothing.",
		"accepted line 4 is unused: field-type NO_SUCH_ENTRY * never unused",
		"Delete or correct the line." },
	[RULE_UNEXPLAINED] = {
		"The reason of a line of the suppression file begins with TODO.",
		"accepted line 7 is unexplained: caps NV_ESC_SYS_PARAMS * never TODO",
		"Replace the TODO with the reason." },
	[RULE_EXPIRED] = {
		"A line of the suppression file has expired, so it suppresses nothing and fails the run.",
		"accepted line 3 is expired: caps * * 2001-01-01 long ago",
		"Fix the finding and delete the line, or extend its date." },
	[RULE_OF_CLASS(DIFF_TRANSLATION)] = {
		"A pointer, fd, handle or pid was added, removed or moved, or the type of the data at a "
		"pointer changed. The proxy must be updated.",
		"struct UVM_UNREGISTER_CHANNEL_PARAMS 28 -> 12 bytes: hClient NvHandle handle (moved from "
		"16)",
		"Give the proxy a type for the new version, and translate the field." },
	[RULE_OF_CLASS(DIFF_LAYOUT)] = {
		"The offset, size, type or dimensions of existing bytes changed, or an alignment changed.",
		"struct NV0000_CTRL_GPU_DISABLE_NVLINK_INIT_PARAMS 12 -> 32 bytes: bSkipHwNvlinkDisable "
		"(moved from 8)",
		"If the proxy reads the record, add a type for the new version." },
	[RULE_OF_CLASS(DIFF_NUMBER)] = {
		"The number or parameter record of an ioctl or class changed, or the driver compares "
		"different parts of the number.",
		"control NV0073_CTRL_CMD_CALCULATE_DP_IMP 0x73138c (was 0x73138b)",
		"Starting with the new version, forward only the new number. If the driver compares "
		"only type and nr, it still answers the old number, but with the new parameters." },
	[RULE_OF_CLASS(DIFF_GROWTH)] = {
		"Bytes were appended, or taken from padding.",
		"struct NV0000_CTRL_GPU_GET_PROBED_IDS_PARAMS 256 -> 384 bytes: + gpuFlags NvU32[32]",
		"If the proxy reads the record, add a type with the new fields." },
	[RULE_OF_CLASS(DIFF_VALUE)] = {
		"An enumerator was added or removed, or the value of an enumerator or constant changed.",
		"enum ::NV_OK_t: + NV_ERR_BUFFER_FULL = 136",
		"Search the proxy's code for the name and the old value." },
	[RULE_OF_CLASS(DIFF_ACCESS)] = {
		"An ioctl needs different privileges or rights than before, or the driver started or "
		"stopped handling it.",
		"control NV0041_CTRL_CMD_GET_SURFACE_PHYS_ATTR: access: kernel-privileged -> privileged",
		"Review the entry: other processes may be able to call the ioctl now." },
	[RULE_OF_CLASS(DIFF_FLAGS)] = {
		"Flags of an ioctl, other than its privileges, changed. Reports only count these changes; "
		"-v lists them.",
		"alloc ADA_A 0xc997: flags: +gsp-plugin-for-vgpu-gsp",
		"Nothing, unless embedded-pointers was added. Then the driver now follows a pointer, which the "
		"proxy must translate." },
	[RULE_OF_CLASS(DIFF_NAME)] = {
		"The name changed, but the bytes did not.",
		"control NV208F_CTRL_CMD_UCODE_INSTRUMENTATION_GET_DATA (was "
		"NV208F_CTRL_CMD_UCODE_COVERAGE_GET_DATA) 0x208f1903",
		"Nothing at run time. A table needs the new name." },
	[RULE_OF_CLASS(DIFF_ADDED)] = {
		"Only the next version has the item.",
		"control NV0000_CTRL_CMD_GET_SYSTEM_EVENT_DATA 0x502",
		"Nothing until a program needs it. drvabi bootstrap --add NAME says what forwarding "
		"requires." },
	[RULE_OF_CLASS(DIFF_REMOVED)] = {
		"Only the base version has the item.",
		"uvm UVM_REMOVE_SESSION",
		"Remove the entry at the next version: its number may be reused." },
};

const char *rule_name(size_t rule)
{
	static const char *const notices[] = { "not-checked", "unused-suppression", "unexplained-suppression",
					       "expired-suppression" };

	if (rule < VERIFY_RULE_COUNT)
		return verify_rule_name((enum verify_rule)rule);
	return rule < RULE_OF_CLASS(1) ? notices[rule - VERIFY_RULE_COUNT]
				       : diff_class_name((enum diff_class)(1 << (rule - RULE_OF_CLASS(1))));
}

const struct rule_text *rule_text(size_t rule)
{
	return &texts[rule];
}

/* Returns the command that reports findings of the rule, or changes of the class. */
static const char *rule_command(size_t rule)
{
	return rule < RULE_OF_CLASS(1) ? "verify" : "diff";
}

void report_rule(struct strbuf *out, size_t rule, const struct report_style *style)
{
	const char *const parts[][2] = { { "", texts[rule].what },
					 { "Example: ", texts[rule].example },
					 { "What to do: ", texts[rule].to_do } };
	struct strbuf sentence = { 0 };

	strbuf_addf(out, "%s (%s)\n", rule_name(rule), rule_command(rule));
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		strbuf_addch(out, '\n');
		strbuf_reset(&sentence);
		strbuf_addf(&sentence, "%s%s%s", parts[i][0], parts[i][1], i == 1 ? "." : "");
		wrap_paragraph(out, style, 2, 2, INK_NONE, strbuf_text(&sentence));
	}
	strbuf_release(&sentence);
}

void report_rules(struct strbuf *out, const struct report_style *style)
{
	enum { COLUMN = 26 };

	for (size_t rule = 0; rule < RULE_COUNT; rule++) {
		struct wrap wrap;

		if (!rule || strcmp(rule_command(rule), rule_command(rule - 1)))
			strbuf_addf(out, "%s%s:\n", rule ? "\n" : "",
				    rule ? "Classes of change, in drvabi diff" : "Rules of drvabi verify");
		wrap_begin(&wrap, out, style, 2, COLUMN);
		wrap_word(&wrap, INK_NAME, 0, "%s", rule_name(rule));
		wrap_pad(&wrap, COLUMN);
		wrap_text(&wrap, INK_NONE, 0, texts[rule].what);
		wrap_end(&wrap);
	}
}

void report_rules_markdown(struct strbuf *out)
{
	strbuf_adds(out, "# Rules of verify, and classes of change\n\n"
			 "`drvabi explain --format markdown` prints this page.\n");
	for (size_t rule = 0; rule < RULE_COUNT; rule++) {
		if (!rule || strcmp(rule_command(rule), rule_command(rule - 1)))
			strbuf_addf(out,
				    "\n## %s\n\n| %s | what it means | example | what to do |\n"
				    "|---|---|---|---|\n",
				    rule_command(rule), rule < RULE_OF_CLASS(1) ? "rule" : "class");
		strbuf_addf(out, "| <a id=\"%s%s\"></a>`%s` | ", rule < RULE_OF_CLASS(1) ? "" : "class-",
			    rule_name(rule), rule_name(rule));
		escape_markdown(out, texts[rule].what);
		strbuf_adds(out, " | ");
		escape_markdown_code(out, texts[rule].example);
		strbuf_adds(out, " | ");
		escape_markdown(out, texts[rule].to_do);
		strbuf_adds(out, " |\n");
	}
}
