#include "cli/payload.h"

#include "cli/hex.h"
#include "decode/decode.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

enum { TEXT_LIMIT_BYTES = 128 * 1024 * 1024 };

static const char *const formats[] = { "hex", "hexdump", "xxd" };
enum { HEX, HEXDUMP, XXD, FORMAT_COUNT };

static size_t format_of(const char *name)
{
	size_t i = 0;

	while (i < FORMAT_COUNT && strcmp(formats[i], name))
		i++;
	return i;
}

static size_t recognise(const char *text)
{
	if (decode_is_xxd(text))
		return XXD;
	return decode_is_hexdump(text) ? HEXDUMP : HEX;
}

/* xxd -p prints digits alone. */
static int read_text(struct strbuf *out, const char *text, size_t format, struct err *err)
{
	if (format == HEXDUMP)
		return decode_hexdump(out, text, err);
	if (format == XXD && decode_is_xxd(text))
		return decode_xxd(out, text, err);
	return hex_read(out, text, err);
}

static int read_file(struct strbuf *out, const char *path, const char *format, struct err *err)
{
	struct strbuf text = { 0 };
	int rc;

	if ((rc = file_read(&text, path, TEXT_LIMIT_BYTES, err)))
		goto out;
	if (strlen(strbuf_text(&text)) < text.length)
		rc = err_set(err, ERR_FORMAT, "it has a NUL, and should be text: hexadecimal digits, or what hexdump or xxd print");
	else
		rc = read_text(out, strbuf_text(&text), format ? format_of(format) : recognise(strbuf_text(&text)), err);
	if (rc)
		err_prefix(err, "%s", strcmp(path, "-") ? path : "standard input");
out:
	strbuf_release(&text);
	return rc;
}

/* A word that is no digits may name a file. */
static bool is_file(const char *word)
{
	struct stat st;

	return !stat(word, &st) && !S_ISDIR(st.st_mode);
}

int payload_read(struct strbuf *out, const char *word, const char *format, struct err *err)
{
	int rc;

	if (format || !strcmp(word, "-"))
		return read_file(out, word, format, err);
	if (!(rc = read_text(out, word, recognise(word), err)) || !is_file(word))
		return rc;
	return read_file(out, word, NULL, err);
}

int payload_check_input(const char *format, bool is_log, struct err *err)
{
	struct strbuf names = { 0 };
	bool is_call = format && (!strcmp(format, "trace") || !strcmp(format, "gvisor"));
	int rc = 0;

	if (!format)
		return 0;
	strbuf_adds(&names, "trace, gvisor, ");
	for (size_t i = 0; decode_lines_format(i); i++) {
		is_call |= !strcmp(decode_lines_format(i), format);
		strbuf_addf(&names, "%s, ", decode_lines_format(i));
	}
	if (!is_call && format_of(format) == FORMAT_COUNT)
		rc = err_set(err, ERR_USAGE, "--input has no format '%s'; there are %shex, hexdump and xxd", format, strbuf_text(&names));
	else if (is_log && !is_call)
		rc = err_set(err, ERR_USAGE, "--input %s is bytes without a call; name the call with --control, --alloc, --uvm or a request", format);
	else if (!is_log && is_call)
		rc = err_set(err, ERR_USAGE, "--input %s is of a log, and the call is named already; its bytes may be hex, hexdump or xxd", format);
	strbuf_release(&names);
	return rc;
}
