#include "source/internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#define REDACTED "***"

enum { SECRET_MIN = 3 }; /* characters; a shorter secret is not hidden, because it occurs in any text */

/* A run of characters in another string. */
struct slice {
	const char *text;
	size_t length;
};

/*
 * The components of a URL, each of which may be empty. The separators ("://", "@") belong to no component.
 */
struct url {
	struct slice scheme;   /* "https"; empty for "host:path" */
	struct slice user;     /* the part before the "@": "name:password" */
	struct slice host;     /* host, port and path, up to the query */
	struct slice query;    /* includes the "?" */
	struct slice fragment; /* includes the "#" */
	bool misplaced;        /* @user has an invalid character; its end is a guess, and may be too late */
};

static bool slice_is(struct slice slice, const char *word)
{
	return slice.length == strlen(word) && !strncasecmp(slice.text, word, slice.length);
}

static bool slice_has(struct slice slice, const char *word)
{
	size_t length = strlen(word);

	for (size_t i = 0; i + length <= slice.length; i++)
		if (!strncasecmp(slice.text + i, word, length))
			return true;
	return false;
}

static void add_slice(struct strbuf *out, struct slice slice)
{
	strbuf_add(out, slice.text, slice.length);
}

static const char *find_char(struct slice slice, char ch)
{
	return slice.length ? memchr(slice.text, ch, slice.length) : NULL;
}

static struct slice scheme_of(const char *url)
{
	size_t length = strspn(url, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-.");

	return (struct slice){ url, length && !strncmp(url + length, "://", 3) ? length : 0 };
}

/* Checks for "host:port" whose port is not a number. Such a port may be a password. */
static bool has_bad_port(struct slice host)
{
	const char *colon = *host.text == '[' ? NULL : find_char(host, ':');

	return colon && strspn(colon + 1, "0123456789") < (size_t)(host.text + host.length - colon - 1);
}

/* Returns the length of user and password at @at, which follows "scheme://". */
static size_t user_length(struct url *url, const char *at)
{
	struct slice authority = { at, strcspn(at, "/?#") };
	const char *sign = memrchr(at, '@', authority.length);
	const char *last = strrchr(at, '@');
	size_t path = strcspn(at, "?#");

	url->misplaced = last && ((!sign && has_bad_port(authority)) || last > at + path);
	if (url->misplaced)
		sign = last;
	return sign ? (size_t)(sign - at) : 0;
}

/* Returns the length of the user in "user@host:path". ssh does not accept a password there. */
static size_t scp_user_length(struct url *url, const char *at)
{
	const char *sign = strchr(at, '@');

	if (!sign)
		return 0;
	if (memchr(at, ':', (size_t)(sign - at))) {
		url->misplaced = true;
		sign = strrchr(at, '@');
	}
	return (size_t)(sign - at);
}

static void parse_url(struct url *url, const char *text)
{
	const char *at = text;

	*url = (struct url){ .scheme = scheme_of(text) };
	if (url->scheme.length)
		at += url->scheme.length + strlen("://");
	url->user =
		(struct slice){ at, url->scheme.length ? user_length(url, at) : scp_user_length(url, at) };
	at += url->user.length;
	if (*at == '@' && (url->user.length || url->scheme.length))
		at++;
	url->host = (struct slice){ at, strcspn(at, "?#") };
	at += url->host.length;
	url->query = (struct slice){ at, strcspn(at, "#") };
	at += url->query.length;
	url->fragment = (struct slice){ at, strlen(at) };
}

static bool is_ssh(const struct url *url)
{
	return !url->scheme.length || slice_is(url->scheme, "ssh") || slice_is(url->scheme, "git+ssh") ||
	       slice_is(url->scheme, "ssh+git");
}

static bool is_clear(const struct url *url)
{
	return slice_is(url->scheme, "http") || slice_is(url->scheme, "git");
}

/* Reads the next "name=value" of a query, without its separator. Return: false at the end. */
static bool next_parameter(struct slice *name, struct slice *value, struct slice *rest)
{
	size_t length, name_length;

	if (!rest->length)
		return false;
	rest->text++;
	rest->length--;
	for (length = 0; length < rest->length && !strchr("&;", rest->text[length]); length++)
		;
	for (name_length = 0; name_length < length && rest->text[name_length] != '='; name_length++)
		;
	*name = (struct slice){ rest->text, name_length };
	*value = (struct slice){ rest->text + name_length, length - name_length };
	if (value->length) {
		value->text++;
		value->length--;
	}
	rest->text += length;
	rest->length -= length;
	return true;
}

/*
 * Checks whether the name contains a word for secrets. A parameter without a value is a secret too, because
 * its name may be a token.
 */
static bool is_secret(struct slice name, struct slice value)
{
	static const char *const words[] = { "token", "pass", "pwd",  "secret", "key",
					     "auth",  "sig",  "cred", "jwt",    "session" };

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (slice_has(name, words[i]))
			return true;
	return !value.length && name.length;
}

static bool has_secret_parameter(struct slice query)
{
	struct slice name, value;

	while (next_parameter(&name, &value, &query))
		if (is_secret(name, value))
			return true;
	return false;
}

static void add_user(struct strbuf *out, const struct url *url)
{
	const char *colon = find_char(url->user, ':');

	if (!url->user.length)
		return;
	if (url->misplaced || !is_ssh(url))
		strbuf_adds(out, REDACTED);
	else
		strbuf_add(out, url->user.text, colon ? (size_t)(colon - url->user.text) : url->user.length);
	strbuf_addch(out, '@');
}

static void add_scheme(struct strbuf *out, const struct url *url)
{
	add_slice(out, url->scheme);
	if (url->scheme.length)
		strbuf_adds(out, "://");
}

static void add_redacted_url(struct strbuf *out, const struct url *url)
{
	struct slice name, value, rest = url->query;

	add_scheme(out, url);
	add_user(out, url);
	add_slice(out, url->host);
	while (next_parameter(&name, &value, &rest)) { /* the name is hidden as well if it has no value */
		strbuf_addch(out, name.text[-1]);
		if (value.length) {
			add_slice(out, name);
			strbuf_addch(out, '=');
		}
		strbuf_adds(out, REDACTED);
	}
	if (url->fragment.length)
		strbuf_adds(out, "#" REDACTED);
}

bool url_is_url(const char *repo)
{
	size_t host = strcspn(repo, ":/");

	return scheme_of(repo).length || (host && repo[host] == ':' && repo[host + 1] && access(repo, F_OK));
}

bool url_is_clear(const char *url)
{
	struct url parsed;

	parse_url(&parsed, url);
	return is_clear(&parsed);
}

void url_redact(struct strbuf *out, const char *url)
{
	struct url parsed;

	parse_url(&parsed, url);
	add_redacted_url(out, &parsed);
}

void url_identity(struct strbuf *out, const char *url)
{
	struct slice name, value, rest;
	struct url parsed;
	char separator = '?';

	parse_url(&parsed, url);
	add_scheme(out, &parsed);
	if (is_ssh(&parsed))
		add_user(out, &parsed);
	add_slice(out, parsed.host);
	for (rest = parsed.query; next_parameter(&name, &value, &rest);) {
		if (is_secret(name, value))
			continue;
		strbuf_addch(out, separator);
		add_slice(out, name);
		strbuf_addch(out, '=');
		add_slice(out, value);
		separator = '&';
	}
}

int url_check(const char *url, struct err *err)
{
	struct strbuf shown = { 0 };
	struct url parsed;
	int rc = 0;

	parse_url(&parsed, url);
	add_redacted_url(&shown, &parsed);
	if (parsed.misplaced && !parsed.scheme.length)
		rc = err_set(
			err, ERR_USAGE,
			"%s has a password, which ssh does not accept; write ssh://user@host/path, or https://...",
			shown.text);
	else if (parsed.misplaced)
		rc = err_set(
			err, ERR_USAGE,
			"%s has a user name or password with a reserved character; write '/' as %%2F, '?' as %%3F, '#' as %%23, '@' as %%40",
			shown.text);
	else if (is_clear(&parsed) && (parsed.user.length || has_secret_parameter(parsed.query)))
		rc = err_set(
			err, ERR_USAGE,
			"%s would send a password or token unencrypted; use https://",
			shown.text);
	strbuf_release(&shown);
	return rc;
}

/* --- texts of other programs ------------------------------------------------ */

/* Words that must not be in a text. { 0 } is empty. */
struct secrets {
	struct arena arena;
	const char **list;
	size_t count, capacity;
};

static void add_secret(struct secrets *secrets, struct slice slice)
{
	if (slice.length < SECRET_MIN)
		return;
	ARRAY_GROW(secrets->list, secrets->count, secrets->capacity);
	secrets->list[secrets->count++] = arena_strndup(&secrets->arena, slice.text, slice.length);
}

static int hex_digit(char ch)
{
	return ch >= '0' && ch <= '9' ? ch - '0' : (ch | 0x20) - 'a' + 10;
}

/* Decodes percent-encoding: "%2F" becomes "/". */
static struct slice decoded(struct slice slice, struct arena *arena)
{
	char *out = arena_strndup(arena, slice.text, slice.length);
	size_t to = 0;

	for (size_t i = 0; i < slice.length; i++) {
		if (out[i] == '%' && i + 2 < slice.length && isxdigit((unsigned char)out[i + 1]) &&
		    isxdigit((unsigned char)out[i + 2])) {
			out[to++] = (char)(hex_digit(out[i + 1]) << 4 | hex_digit(out[i + 2]));
			i += 2;
		} else {
			out[to++] = out[i];
		}
	}
	out[to] = '\0';
	return (struct slice){ out, strlen(out) };
}

/* Adds a secret as it is written in the URL, and in decoded form. */
static void add_both(struct secrets *secrets, struct slice slice)
{
	add_secret(secrets, slice);
	if (find_char(slice, '%'))
		add_secret(secrets, decoded(slice, &secrets->arena));
}

/*
 * Adds all parts between separators of a URL, together and one by one, because it is unknown which part is
 * the secret.
 */
static void add_words(struct secrets *secrets, struct slice slice)
{
	add_both(secrets, slice);
	for (size_t i = 0, length; i < slice.length; i += length + 1) {
		for (length = 0; i + length < slice.length && !strchr(":/?#@", slice.text[i + length]);
		     length++)
			;
		add_both(secrets, (struct slice){ slice.text + i, length });
	}
}

/* Orders secrets for replace(): if a short secret were first, the rest of a longer one would be shown. */
static int order_longest_first(const void *a, const void *b)
{
	size_t left = strlen(*(const char *const *)a), right = strlen(*(const char *const *)b);

	return left < right   ? 1
	       : left > right ? -1
			      : strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Appends @text with every secret replaced. */
static void replace(struct strbuf *out, const char *text, const struct secrets *secrets)
{
	while (*text) {
		size_t i = 0;

		while (i < secrets->count && strncmp(text, secrets->list[i], strlen(secrets->list[i])))
			i++;
		if (i < secrets->count) {
			strbuf_adds(out, REDACTED);
			text += strlen(secrets->list[i]);
		} else {
			strbuf_addch(out, *text++);
		}
	}
}

/*
 * Appends @text with the secrets of every "scheme://..." replaced, also of URLs that come from a redirection
 * or from git's configuration.
 */
static void redact_urls(struct strbuf *out, const char *text)
{
	struct strbuf url = { 0 };

	while (*text) {
		size_t length = strcspn(text, " \t\n'\"<>");

		if (length) {
			size_t start = 0;

			while (start < length && !scheme_of(text + start).length)
				start++;
			strbuf_add(out, text, start);
			strbuf_reset(&url);
			strbuf_add(&url, text + start, length - start);
			if (start < length)
				url_redact(out, url.text);
		} else {
			strbuf_addch(out, *text);
			length = 1;
		}
		text += length;
	}
	strbuf_release(&url);
}

void url_redact_text(struct strbuf *out, const char *text, const char *url)
{
	struct secrets secrets = { .count = 0 };
	struct slice name, value, rest;
	struct strbuf without = { 0 };
	struct url parsed;
	struct slice user;
	const char *colon;

	parse_url(&parsed, url);
	user = parsed.user;
	if (parsed.misplaced)
		add_words(&secrets, user);
	if ((colon = find_char(user, ':'))) {
		add_both(&secrets,
			 (struct slice){ colon + 1, (size_t)(user.text + user.length - colon - 1) });
		user.length = (size_t)(colon - user.text);
	}
	if (!is_ssh(&parsed))
		add_both(&secrets, user);
	for (rest = parsed.query; next_parameter(&name, &value, &rest);)
		add_both(&secrets, value.length ? value : name);
	if (parsed.fragment.length)
		add_both(&secrets, (struct slice){ parsed.fragment.text + 1, parsed.fragment.length - 1 });
	if (secrets.count)
		qsort(secrets.list, secrets.count, sizeof(*secrets.list), order_longest_first);
	replace(&without, text, &secrets);
	redact_urls(out, strbuf_text(&without));
	strbuf_release(&without);
	free(secrets.list);
	arena_release(&secrets.arena);
}
