/*
 * report/rules.c - what each rule of verify and each class of change means: the only table of these texts
 *
 * drvabi explain prints it, docs/rules.md is its Markdown, SARIF's help has the same words, and help classes
 * and the shells' completion print what a rule finds.
 */
#include "report/internal.h"

#include <string.h>

static const struct rule_text texts[RULE_COUNT] = {
	[VERIFY_NUMBER] = { "The number is not that of the driver's macro or method, or there is no such macro, or the "
			    "number is of another family.",
			    "NV2080_CTRL_CMD_GPU_GET_INFO is 0x20800101 in the driver, 0x20800103 in the proxy",
			    "Compare the versions (drvabi history NAME): the command was renumbered, or added later "
			    "than the table says." },
	[VERIFY_REUSED_NUMBER] = { "In this version, the number is another command of the family.",
				   "0x109 is TOY_CMD_STATS in this version, not TOY_CMD_QUERY",
				   "Correct this first: the proxy forwards a command that nobody reviewed. Give the entry "
				   "its new number at this version." },
	[VERIFY_MISSING_RECORD] = { "The driver has no such record or alias.",
				    "the driver has no record or alias TOY_QUERY",
				    "Look for its new name (drvabi show NAME): it was renamed, or is of another version." },
	[VERIFY_SIZE] = { "The proxy's type has another size than the driver's.",
			  "nv_ioctl_register_fd_t is 4 bytes in the driver, IoctlRegisterFD 8 in the proxy",
			  "Add a type with the fields of this version (drvabi diff prints them; drvabi bootstrap "
			  "writes the type) and use it from this version on." },
	[VERIFY_FIELD_OFFSET] = { "The proxy has a field of the driver at another offset, or two fields have each other's "
				  "names.",
				  "TOY_COPY_PARAMS.delta is at 56 in the driver, at 58 in the proxy",
				  "Move the field. If it moved at this version, add a type for this version." },
	[VERIFY_FIELD_TYPE] = { "A field has another width, sign, length or role, or is a bool in the proxy, although its "
				"bytes may have any value.",
				"nv_ioctl_sys_params_t.memblock_size is NvU64 in the driver, int64 in the proxy: another "
				"sign",
				"Give the field the driver's type. A handle needs the table's handle type, a pointer its "
				"pointer type." },
	[VERIFY_FIELD_MISSING] = { "The proxy has no field where the driver has one, or the reverse.",
				   "TOY_MAP_PARAMS.by.map.kind (ToyU32 at 20) has no field in the proxy",
				   "Add the field, or remove the proxy's." },
	[VERIFY_PADDING_OVERLAP] = { "The proxy's padding covers bytes that the driver uses.",
				     "TOY_SAMPLE_PARAMS.data.raw (ToyU8[24] at 8) overlaps the proxy's padding _",
				     "Replace the padding by the field: the driver started to use its padding." },
	[VERIFY_NOT_SIMPLE] = { "A record that is passed through unread has a pointer or a file descriptor, or it is an "
				"alias, which has no fields to check.",
				"toy_hidden_in_array is passed through unread, but e[].pointer (ToyP64 at 16) is a pointer",
				"Write a handler that translates it. If nothing follows the pointer, suppress the "
				"finding with that reason." },
	[VERIFY_AS_IS] = { "The proxy's code unmarshals a record and passes a pointer or a file descriptor on "
			   "unchanged.",
			   "list (NvP64 at 16) is a pointer, and copy passes it on unchanged",
			   "Translate it in the handler. If the driver does not follow it, suppress the finding "
			   "with that reason." },
	[VERIFY_SURFACE] = { "The driver's table of methods or classes names another parameter record, or the name of "
			     "the command does (X_CTRL_Y_PARAMS for X_CTRL_CMD_Y).",
			     "the driver's table says that it takes TOY_QUERY_PARAMS (36 bytes), the proxy "
			     "toy_almost_query (36 bytes)",
			     "Name the driver's record: the wrong struct was copied." },
	[VERIFY_HANDLER] = { "The function that handles the entry unmarshals another type than the entry's structs, or "
			     "any type although nothing is read.",
			     "the handler toyTranslated unmarshals Open, the table says Copy",
			     "Change the handler together with the struct: one of them was replaced at this version, "
			     "and the other was not." },
	[VERIFY_CODE] = { "A handler copies the parameters in more than once, so that they may change after they "
			  "were checked, or compares a product that may have overflowed with a limit.",
			  "twice copies the parameters in more than once (CopyIn, CopyIn)",
			  "Copy once and pass the copy on. Divide the limit instead of multiplying." },
	[VERIFY_CAPS] = { "The capability is unknown.", "'graphic' is not a driver capability",
			  "Correct the name: compute, graphics, utility, video, display, compat32, or another one "
			  "of NVIDIA_DRIVER_CAPABILITIES." },
	[VERIFY_KERNEL_POINTER] = { "A struct of a forwarded entry has a field for an address of the driver itself. This is a "
				    "warning, unless --fail-on names the rule.",
				    "TOY_STATS_PARAMS is forwarded, and cache[].hits (ToyU64 at 0) is for a kernel address",
				    "There is nothing to translate: clear the field, or accept that it may leak, in the "
				    "suppression file." },
	[VERIFY_LACKING] = { "The table supports the version, and neither the data nor the repository has it. It counts "
			     "with --strict.",
			     "130.00.00 is unavailable: not in the repository",
			     "Fetch the tags of the clone that --repo names, renew the data, or accept the version "
			     "until a day in the suppression file." },
	[RULE_NOT_CHECKED] = { "Neither the table nor the driver's source shows whether a property of an entry is a "
			       "fault. It never fails the run.",
			       "neither a macro nor a table of the driver has the number 0x80028b, so nothing confirms it",
			       "Compare the entry with the driver's source, and accept the finding in the suppression "
			       "file with what you found." },
	[RULE_UNUSED] = { "A line of the suppression file suppresses nothing.",
			  "accepted line 4 is unused: field-type NO_SUCH_ENTRY * never unused",
			  "Delete the line, or correct its rule, entry or versions." },
	[RULE_UNEXPLAINED] = { "The reason of a line of the suppression file begins with TODO.",
			       "accepted line 7 is unexplained: caps NV_ESC_SYS_PARAMS * never TODO: say why this is "
			       "accepted",
			       "Replace the TODO by the reason." },
	[RULE_EXPIRED] = { "A line of the suppression file has expired: it suppresses nothing, and "
			   "fails the run.",
			   "accepted line 3 is expired: caps * * 2001-01-01 long ago",
			   "Correct the finding and delete the line, or give the line a new day." },
	[RULE_OF_CLASS(
		DIFF_TRANSLATION)] = { "A pointer, fd, handle or pid was added, removed or moved, or a pointer leads to another "
				       "type: a proxy must follow.",
				       "struct UVM_UNREGISTER_CHANNEL_PARAMS 28 -> 12 bytes: hClient NvHandle handle (moved from "
				       "16)",
				       "Give the proxy a type for the new version, and translate the field where it is now." },
	[RULE_OF_CLASS(
		DIFF_LAYOUT)] = { "Offset, size, type, length or dimensions of existing bytes changed, or an alignment.",
				  "struct NV0000_CTRL_GPU_DISABLE_NVLINK_INIT_PARAMS 12 -> 32 bytes: bSkipHwNvlinkDisable "
				  "(moved from 8)",
				  "If the proxy reads the record, add a type for the new version. If it passes it through "
				  "unread, there is nothing to do." },
	[RULE_OF_CLASS(
		DIFF_NUMBER)] = { "An ioctl or class has another number or parameter record, or the driver compares other "
				  "parts of its number.",
				  "control NV0073_CTRL_CMD_CALCULATE_DP_IMP 0x73138c (was 0x73138b)",
				  "Forward the new number from the new version on, and no longer the old one." },
	[RULE_OF_CLASS(
		DIFF_GROWTH)] = { "Bytes were appended, or taken from padding.",
				  "struct NV0000_CTRL_GPU_GET_PROBED_IDS_PARAMS 256 -> 384 bytes: + gpuFlags NvU32[32]",
				  "If the proxy reads the record, add a type for the new version with the new fields." },
	[RULE_OF_CLASS(
		DIFF_VALUE)] = { "An enumerator or a constant has another value.",
				 "enum ::NV_OK_t: + NV_ERR_BUFFER_FULL = 136",
				 "Look for the constant in the proxy. There is nothing to do if it only passes values "
				 "through." },
	[RULE_OF_CLASS(
		DIFF_ACCESS)] = { "An ioctl needs other privileges or rights.",
				  "control NV0041_CTRL_CMD_GET_SURFACE_PHYS_ATTR: access: kernel-privileged -> privileged",
				  "Review the entry: processes that could not call the ioctl before may be able to now, or the reverse." },
	[RULE_OF_CLASS(
		DIFF_FLAGS)] = { "An ioctl has other flags, except privileges. Reports count these; -v lists them.",
				 "alloc ADA_A 0xc997: flags: +gsp-plugin-for-vgpu-gsp",
				 "Nothing, unless not-dispatched was added or removed: then the driver stopped or started "
				 "to answer the ioctl." },
	[RULE_OF_CLASS(
		DIFF_NAME)] = { "Another name, with the same bytes.",
				"control NV208F_CTRL_CMD_UCODE_INSTRUMENTATION_GET_DATA (was "
				"NV208F_CTRL_CMD_UCODE_COVERAGE_GET_DATA) 0x208f1903",
				"Nothing at run time. A table that names the driver's record needs the new name from "
				"this version on." },
	[RULE_OF_CLASS(
		DIFF_ADDED)] = { "Only the next version has it.",
				 "control NV0000_CTRL_CMD_GET_SYSTEM_EVENT_DATA 0x502",
				 "Nothing until a program needs it. drvabi bootstrap --add NAME says what forwarding it "
				 "takes." },
	[RULE_OF_CLASS(
		DIFF_REMOVED)] = { "Only the base version has it.", "uvm UVM_REMOVE_SESSION",
				   "Remove the entry at the next version: its number may later be given to another ioctl." },
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

/* The command that reports it. */
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
	struct wrap wrap;

	strbuf_addf(out, "%s (%s)\n", rule_name(rule), rule_command(rule));
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		strbuf_addch(out, '\n');
		wrap_begin(&wrap, out, style, 2, 2);
		wrap_label(&wrap, INK_NONE, parts[i][0]);
		strbuf_reset(&sentence);
		strbuf_addf(&sentence, "%s%s", parts[i][1], i == 1 ? "." : "");
		wrap_text(&wrap, INK_NONE, 0, strbuf_text(&sentence));
		wrap_end(&wrap);
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
