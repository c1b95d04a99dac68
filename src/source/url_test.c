/* Tests that no secret of a URL is in a message or in the name of a clone, or is sent unencrypted. */
#include "source/internal.h"
#include "abi/document_test.h"

enum use { USED, REFUSED };

/*
 * A URL, its form in messages, its identity, and whether drvabi accepts it. The form and the identity must
 * not contain SECRET.
 */
static const struct row {
	const char *url, *shown, *identity;
	enum use use;
} rows[] = {
	{ "https://host/a/b.git", "https://host/a/b.git", "https://host/a/b.git", USED },
	{ "https://host:8443/a@b/c", "https://host:8443/a@b/c", "https://host:8443/a@b/c", USED },
	{ "https://[::1]:8443/a", "https://[::1]:8443/a", "https://[::1]:8443/a", USED },
	{ "https://user:SECRET@host/a", "https://***@host/a", "https://host/a", USED },
	{ "HTTPS://user:SECRET@host/a", "HTTPS://***@host/a", "HTTPS://host/a", USED },
	{ "https://SECRET@host/a", "https://***@host/a", "https://host/a", USED },
	{ "https://SECRET:x-oauth-basic@host/a", "https://***@host/a", "https://host/a", USED },
	{ "https://:SECRET@host/a", "https://***@host/a", "https://host/a", USED },
	{ "https://user:SECRET%40x@host/a", "https://***@host/a", "https://host/a", USED },
	{ "https://user:SEC@RET@host/a", "https://***@host/a", "https://host/a", USED },
	{ "https://user:SECRET@host:8443", "https://***@host:8443", "https://host:8443", USED },
	{ "https://user:SECRET@", "https://***@", "https://", USED },
	{ "https://@host/a", "https://host/a", "https://host/a", USED },
	{ "https://host/a?private_token=SECRET", "https://host/a?private_token=***", "https://host/a", USED },
	{ "https://host/a?SECRET", "https://host/a?***", "https://host/a", USED },
	{ "https://host/a?b=c&access_token=SECRET&d=e", "https://host/a?b=***&access_token=***&d=***",
	  "https://host/a?b=c&d=e", USED },
	{ "https://host/a?X-Amz-Signature=SECRET;b=c", "https://host/a?X-Amz-Signature=***;b=***",
	  "https://host/a?b=c", USED },
	{ "https://host/a#SECRET", "https://host/a#***", "https://host/a", USED },
	{ "https://user:SECRET@host/a?key=SECRET#SECRET", "https://***@host/a?key=***#***", "https://host/a",
	  USED },
	{ "https://user:SEC/RET@host/a", "https://***@host/a", "https://host/a", REFUSED },
	{ "https://user:SEC?RET@host/a", "https://***@host/a", "https://host/a", REFUSED },
	{ "https://SEC?RET@host/a", "https://***@host/a", "https://host/a", REFUSED },
	{ "https://user:SEC#RET@host/a", "https://***@host/a", "https://host/a", REFUSED },
	{ "https://a/b:SECRET@host/x", "https://***@host/x", "https://host/x", REFUSED },
	{ "https://a/b:SEC@RET@host/x", "https://***@host/x", "https://host/x", REFUSED },
	{ "https://a@b/c:SECRET@host/x", "https://***@host/x", "https://host/x", REFUSED },
	{ "https://user:SEC@RE/T@host/x", "https://***@host/x", "https://host/x", REFUSED },
	{ "https:///user:SECRET@host/x", "https://***@host/x", "https://host/x", REFUSED },
	{ "https://host/a%40b:c/d", "https://host/a%40b:c/d", "https://host/a%40b:c/d", USED },
	{ "https://host/a:b", "https://host/a:b", "https://host/a:b", USED },
	{ "https://host/@a/b", "https://host/@a/b", "https://host/@a/b", USED },
	{ "https://host/a@b:c/d", "https://host/a@b:c/d", "https://host/a@b:c/d", USED },
	{ "https://[::1]:8443/a@b", "https://[::1]:8443/a@b", "https://[::1]:8443/a@b", USED },
	{ "https://user@host/a@b", "https://***@host/a@b", "https://host/a@b", USED },
	{ "https://us@er:SEC/RET@host/x", "https://***@host/x", "https://host/x", REFUSED },
	{ "http://host/a", "http://host/a", "http://host/a", USED },
	{ "http://host/a?b=c", "http://host/a?b=***", "http://host/a?b=c", USED },
	{ "http://user:SECRET@host/a", "http://***@host/a", "http://host/a", REFUSED },
	{ "HTTP://SECRET@host/a", "HTTP://***@host/a", "HTTP://host/a", REFUSED },
	{ "http://host/a?private_token=SECRET", "http://host/a?private_token=***", "http://host/a", REFUSED },
	{ "git://host/a", "git://host/a", "git://host/a", USED },
	{ "git://user:SECRET@host/a", "git://***@host/a", "git://host/a", REFUSED },
	{ "ssh://git@host/a", "ssh://git@host/a", "ssh://git@host/a", USED },
	{ "ssh://git:SECRET@host/a", "ssh://git@host/a", "ssh://git@host/a", USED },
	{ "ssh://git@host/@a/b", "ssh://git@host/@a/b", "ssh://git@host/@a/b", USED },
	{ "ssh://git@[::1]:22/a@b:c", "ssh://git@[::1]:22/a@b:c", "ssh://git@[::1]:22/a@b:c", USED },
	{ "git+ssh://git@host:22/~/a", "git+ssh://git@host:22/~/a", "git+ssh://git@host:22/~/a", USED },
	{ "git@host:a/b.git", "git@host:a/b.git", "git@host:a/b.git", USED },
	{ "git@host:a@b", "git@host:a@b", "git@host:a@b", USED },
	{ "host:a/b", "host:a/b", "host:a/b", USED },
	{ "me@host:SECRET@host:a", "***@host:a", "***@host:a", REFUSED },
	{ "user:SECRET@host:a/b", "***@host:a/b", "***@host:a/b", REFUSED },
	{ "user:SECRET@host/a/b", "***@host/a/b", "***@host/a/b", REFUSED },
	{ "https:/user:SECRET@host/a", "***@host/a", "***@host/a", REFUSED },
	{ "file:///srv/a", "file:///srv/a", "file:///srv/a", USED },
	{ "file:///srv/a:b@c", "file:///srv/a:b@c", "file:///srv/a:b@c", USED },
	{ "file://localhost/a:b@c", "file://localhost/a:b@c", "file://localhost/a:b@c", USED },
	{ "file://user:SECRET@host/a", "file://***@host/a", "file://host/a", USED },
	{ "nonesuch://user:SECRET@host/a", "nonesuch://***@host/a", "nonesuch://host/a", USED },
	{ "host/a?private_token=SECRET", "host/a?private_token=***", "host/a", USED },
	{ "", "", "", USED },
	{ "://", "://", "://", USED },
	{ "@", "@", "@", USED },
};

static bool without_secret_differs(const char *fact, void (*write)(struct strbuf *, const char *),
				   const char *url, const char *expected)
{
	struct strbuf out = { 0 };

	write(&out, url);
	assert_null(strstr(strbuf_text(&out), "SEC"));
	return text_differs(fact, &out, expected);
}

TEST(no_secret_is_shown_or_names_a_clone)
{
	bool differs = false;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		differs |= without_secret_differs("redacted", url_redact, rows[i].url, rows[i].shown);
		differs |= without_secret_differs("redacted twice", url_redact, rows[i].shown, rows[i].shown);
		differs |= without_secret_differs("identity", url_identity, rows[i].url, rows[i].identity);
	}
	assert_false(differs);
}

TEST(a_secret_is_not_sent_in_the_clear)
{
	struct err err;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		err.text[0] = '\0';
		if (url_check(rows[i].url, &err) != (rows[i].use == USED ? 0 : ERR_USAGE) ||
		    strstr(err.text, "SEC") ||
		    (rows[i].use == REFUSED && strncmp(err.text, rows[i].shown, strlen(rows[i].shown))))
			fail_msg("%s: \"%s\"", rows[i].url, err.text);
	}
}

/* Texts of libgit2 may quote the whole URL, its components, or decoded components. */
TEST(no_secret_is_in_the_words_of_others)
{
	static const char *const sentences[] = {
		"malformed URL '%s'",
		"cannot redirect from \"%s\" to %s: no",
		"%s",
		"GET %s/info/refs?service=git-upload-pack HTTP/1.1",
		"<%s> failed",
		"unexpected SECRET",
		"SECRET",
		"user SECRET@x has no access",
		"SECRET and SECRET",
		"(%s)",
		"x=%s",
	};
	struct strbuf text = { 0 }, out = { 0 };

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		if (!strstr(rows[i].url, "SECRET"))
			continue;
		for (size_t n = 0; n < sizeof(sentences) / sizeof(*sentences); n++) {
			const char *at, *from = sentences[n];

			strbuf_reset(&text);
			strbuf_reset(&out);
			for (; (at = strstr(from, "%s")); from = at + 2) {
				strbuf_add(&text, from, (size_t)(at - from));
				strbuf_adds(&text, rows[i].url);
			}
			strbuf_adds(&text, from);
			url_redact_text(&out, text.text, rows[i].url);
			if (strstr(rows[i].url, "SECRET%40x") && !strstr(sentences[n], "%s"))
				continue; /* only the whole word is a secret */
			if (strstr(out.text, "SEC"))
				fail_msg("\"%s\" became \"%s\"", text.text, out.text);
		}
	}
	strbuf_release(&text);
	strbuf_release(&out);
}

/* A text, the URL that it is about, and the text without secrets. */
static const struct {
	const char *text, *url, *expected;
} texts[] = {
	{ "failed to resolve address for host: Name or service not known", "https://user:SECRET@host/a",
	  "failed to resolve address for host: Name or service not known" },
	{ "SEC@RET is wrong", "https://user:SEC%40RET@host/a", "*** is wrong" },
	{ "see https://other:word@else/x, and git@host:a", "https://host/a",
	  "see https://***@else/x, and git@host:a" },
	{ "a git user", "ssh://git@host/a", "a git user" },
	{ "", "https://host/a", "" },
	{ "a a a", "https://b:a@host/a", "a a a" },
};

TEST(the_words_of_others_stay_otherwise)
{
	bool differs = false;

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct strbuf out = { 0 };

		url_redact_text(&out, texts[i].text, texts[i].url);
		differs |= text_differs(texts[i].text, &out, texts[i].expected);
	}
	assert_false(differs);
}

TEST(a_url_is_not_a_path_and_may_be_clear)
{
	static const struct {
		const char *text;
		bool is_url, is_clear;
	} names[] = {
		{ "https://example.org/driver.git", true, false },
		{ "git+ssh://example.org/driver", true, false },
		{ "git@example.org:NVIDIA/driver.git", true, false },
		{ "example.org:driver", true, false },
		{ "http://host/a", true, true },
		{ "GIT://host/a", true, true },
		{ "driver", false, false },
		{ "./example.org:driver", false, false },
		{ "/srv/git:old/driver", false, false },
		{ "../driver:", false, false },
		{ "", false, false },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (url_is_url(names[i].text) != names[i].is_url ||
		    url_is_clear(names[i].text) != names[i].is_clear)
			fail_msg("%s", names[i].text);
}
