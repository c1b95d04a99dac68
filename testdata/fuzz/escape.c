/* escape - escape untrusted names for each output format, and remove passwords from URLs */
#include "lib/fuzz.h"

#include "base/base.h"
#include "source/internal.h"

#include <stdlib.h>
#include <string.h>

/* check_printable - check that all characters of @out are printable or in @allowed */
static void check_printable(const struct strbuf *out, const char *allowed)
{
	for (size_t at = 0, length; at < out->length; at += length) {
		length = utf8_length(out->text + at, out->length - at);
		MUST(length > 0);
		MUST(strchr(allowed, out->text[at]) || escape_is_printable(utf8_code(out->text + at, length)));
	}
}

static void check_terminal(const char *text)
{
	struct strbuf once = { 0 }, twice = { 0 };

	escape_terminal(&once, text);
	escape_terminal(&twice, strbuf_text(&once));
	check_printable(&once, "");
	MUST(once.length == twice.length && !strcmp(strbuf_text(&once), strbuf_text(&twice)));
	strbuf_release(&once);
	strbuf_release(&twice);
}

static void check_others(const char *text)
{
	struct strbuf out = { 0 };

	escape_xml(&out, text);
	MUST(!strpbrk(strbuf_text(&out), "<>\""));
	check_printable(&out, "");
	strbuf_reset(&out);
	escape_markdown(&out, text);
	check_printable(&out, "");
	strbuf_reset(&out);
	escape_markdown_code(&out, text);
	check_printable(&out, "");
	strbuf_release(&out);
}

/* check_secret - check that no output for users contains the password of a URL */
static void check_secret(const char *user, const char *host)
{
	static const char secret[] = "S3CR3T";
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~%!$&'()*+,;=";
	struct strbuf url = { 0 }, out = { 0 };
	struct err err;

	if (user[strspn(user, plain)])
		return;
	strbuf_addf(&url, "https://%s:%s@%s", user, secret, host);
	url_redact(&out, url.text);
	url_identity(&out, url.text);
	url_redact_text(&out, url.text, url.text);
	if (url_check(url.text, &err))
		strbuf_adds(&out, err.text);
	MUST(!strstr(out.text, secret) || strstr(user, secret) || strstr(host, secret));
	strbuf_release(&out);
	strbuf_release(&url);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size), *half = fuzz_text(data, size / 2);
	struct strbuf out = { 0 };
	struct err err = { "" };

	check_terminal(text);
	check_others(text);
	url_redact(&out, text);
	url_redact_text(&out, half, text);
	url_identity(&out, text);
	if (url_check(text, &err))
		fuzz_sentence(&err);
	check_secret(half, text + size / 2);
	strbuf_release(&out);
	free(half);
	free(text);
	return 0;
}
