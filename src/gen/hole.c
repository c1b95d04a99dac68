#include "gen/hole.h"

#include "gen/text.h"

#include <inttypes.h>
#include <string.h>

enum { FILLED_BITS = 64 };

void hole_write(struct strbuf *out, size_t depth, size_t body, uint64_t at_bits, uint64_t bits, uint64_t fill_bytes, const char *what)
{
	if (!bits)
		return;
	text_indent(out, depth);
	if (fill_bytes) {
		strbuf_adds(out, "unsigned char hole_");
		if (body > 1) /* the members of a record without a name are also those of the one around it */
			strbuf_addf(out, "%zu_", body);
		strbuf_addf(out, "at_%" PRIu64 "[%" PRIu64 "];", (at_bits + 7) / 8, fill_bytes);
		text_to_comment(out, strlen("/* tail padding: 65535 bytes */"));
	}
	strbuf_addf(out, "/* %s: ", what);
	if (bits % 8)
		strbuf_plural(out, bits, "bit");
	else
		strbuf_plural(out, bits / 8, "byte");
	strbuf_adds(out, " */\n");
}

void hole_fill_bits(struct strbuf *out, size_t depth, size_t body, uint64_t at_bits, uint64_t bits)
{
	hole_write(out, depth, body, at_bits, bits, 0, "hole");
	while (bits) {
		uint64_t width = 8 - at_bits % 8 < bits ? 8 - at_bits % 8 : bits;

		if (at_bits % 8 == 0 && bits >= FILLED_BITS) {
			width = bits / 8 * 8;
			hole_write(out, depth, body, at_bits, width, width / 8, "hole");
		} else {
			text_indent(out, depth);
			strbuf_addf(out, "unsigned char : %" PRIu64 ";\n", width);
		}
		at_bits += width;
		bits -= width;
	}
}

void hole_write_offset(struct strbuf *out, const struct abi_field *field, uint64_t base_bits, const char *remark)
{
	uint64_t at = base_bits + field->offset_bits;
	struct strbuf text = { 0 };

	if (field->is_bitfield)
		strbuf_addf(&text, "%5" PRIu64 ":%" PRIu64 " %3" PRIu64 "b", at / 8, at % 8, field->size_bits);
	else
		strbuf_addf(&text, "%5" PRIu64 " %5" PRIu64, at / 8, field->size_bits / 8);
	if (field->role != ABI_ROLE_NONE)
		strbuf_addf(&text, "  %s", abi_role_name(field->role));
	if (remark)
		strbuf_addf(&text, "  %s", remark);
	text_add_comment(out, strbuf_text(&text));
	strbuf_addch(out, '\n');
	strbuf_release(&text);
}
