/* source/url.c - recognizes URLs of repositories, and hides their secrets in messages */
#include "source/internal.h"

#include <unistd.h>

#define REDACTED "***"

enum { SECRET_MIN = 3 }; /* characters; a shorter secret is not hidden, because it occurs in any text */

/*
 * The components of a URL, each of which may be empty. The separators ("://", "@") belong to no component.
 */
struct url {
	struct view scheme;   /* "https"; empty for "host:path" */
	struct view user;     /* the part before the "@": "name:password" */
	struct view host;     /* host, port and path, up to the query */
	struct view query;    /* includes the "?" */
	struct view fragment; /* includes the "#" */
	bool misplaced;        /* @user has an invalid character; its end is a guess, and may be too late */
};

/* Compares a view with @word, ignoring case. */
static bool view_is_word(struct view view, const char *word)
{
	return view.length == strlen(word) && !strncasecmp(view.at, word, view.length);
}

/* Checks whether @view contains @word, ignoring case. */
static bool view_has_word(struct view view, const char *word)
{
	size_t length = strlen(word);

	for (size_t i = 0; i + length <= view.length; i++)
		if (!strncasecmp(view.at + i, word, length))
			return true;
	return false;
}

static void add_view(struct strbuf *out, struct view view)
{
	strbuf_add(out, view.at, view.length);
}

static const char *find_char(struct view view, char ch)
{
	return view.length ? memchr(view.at, ch, view.length) : NULL;
}

static struct view scheme_of(const char *url)
{
	size_t length = strspn(url, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-.");

	return (struct view){ url, length && !strncmp(url + length, "://", 3) ? length : 0 };
}

/* Checks for "host:port" whose port is not a number. Such a port may be a password. */
static bool has_bad_port(struct view host)
{
	const char *colon = *host.at == '[' ? NULL : find_char(host, ':');

	return colon && strspn(colon + 1, "0123456789") < (size_t)(host.at + host.length - colon - 1);
}

/*
 * Returns the length of user and password at @at, which follows "scheme://". libgit2, curl and git end them
 * before the first '/', '?' or '#'. So a name or password with such a character becomes a part of the host
 * or path, where an '@' is rare, but valid. The text before the last '@' is hidden if it can be a password,
 * which follows a ':' that does not begin a port. In this case, sets url->misplaced.
 */
static size_t user_length(struct url *url, const char *at)
{
	const struct view authority = { at, strcspn(at, "/?#") };
	const char *path = at + authority.length, *query = path + strcspn(path, "?#");
	const char *sign = memrchr(at, '@', authority.length), *last = strrchr(path, '@');
	const char *host = sign ? sign + 1 : at;

	if (view_is_word(url->scheme, "file") && (!authority.length || view_is_word(authority, "localhost")))
		return 0; /* a path on this machine */
	url->misplaced = last && (last > query || memchr(at, ':', (size_t)(host - at)) ||
				  has_bad_port((struct view){ host, (size_t)(path - host) }) ||
				  memchr(path, ':', (size_t)(last - path)));
	if (url->misplaced)
		sign = last;
	return sign ? (size_t)(sign - at) : 0;
}

/*
 * Returns the length of the user in "user@host:path". Sets url->misplaced if the user may have a password,
 * which ssh does not accept: "user:password@host:path", or "user@domain:password@host:path".
 */
static size_t scp_user_length(struct url *url, const char *at)
{
	const char *sign = strchr(at, '@'), *last = strrchr(at, '@');

	if (!sign)
		return 0;
	url->misplaced = memchr(at, ':', (size_t)(sign - at)) || (last > sign && strchr(last, ':'));
	return (size_t)((url->misplaced ? last : sign) - at);
}

/* Splits a URL into views of @text. A text without "://" is parsed as "user@host:path". */
static void parse_url(struct url *url, const char *text)
{
	const char *at = text;

	*url = (struct url){ .scheme = scheme_of(text) };
	if (url->scheme.length)
		at += url->scheme.length + strlen("://");
	url->user =
		(struct view){ at, url->scheme.length ? user_length(url, at) : scp_user_length(url, at) };
	at += url->user.length;
	if (*at == '@' && (url->user.length || url->scheme.length))
		at++;
	url->host = (struct view){ at, strcspn(at, "?#") };
	at += url->host.length;
	url->query = (struct view){ at, strcspn(at, "#") };
	at += url->query.length;
	url->fragment = (struct view){ at, strlen(at) };
}

static bool is_ssh(const struct url *url)
{
	return !url->scheme.length || view_is_word(url->scheme, "ssh") || view_is_word(url->scheme, "git+ssh") ||
	       view_is_word(url->scheme, "ssh+git");
}

static bool is_clear(const struct url *url)
{
	return view_is_word(url->scheme, "http") || view_is_word(url->scheme, "git");
}

/* Reads the next "name=value" of a query, without its separator. Return: false at the end. */
static bool next_parameter(struct view *name, struct view *value, struct view *rest)
{
	const char *at = rest->at + 1;

	if (!rest->length)
		return false;
	*name = (struct view){ at, strcspn(at, "=&;#") };
	at += name->length + (at[name->length] == '=');
	*value = (struct view){ at, strcspn(at, "&;#") };
	at += value->length;
	*rest = (struct view){ at, (size_t)(rest->at + rest->length - at) };
	return true;
}

/*
 * Checks whether the name contains a word for secrets. A parameter without a value is a secret too, because
 * its name may be a token.
 */
static bool is_secret(struct view name, struct view value)
{
	static const char *const words[] = { "token", "pass", "pwd",  "secret", "key",
					     "auth",  "sig",  "cred", "jwt",    "session" };

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (view_has_word(name, words[i]))
			return true;
	return !value.length && name.length;
}

static bool has_secret_parameter(struct view query)
{
	struct view name, value;

	while (next_parameter(&name, &value, &query))
		if (is_secret(name, value))
			return true;
	return false;
}

/*
 * Adds the user of an ssh URL, without the password. The user of any other URL may be a secret, so it is
 * hidden.
 */
static void add_user(struct strbuf *out, const struct url *url)
{
	const char *colon = find_char(url->user, ':');

	if (!url->user.length)
		return;
	if (url->misplaced || !is_ssh(url))
		strbuf_adds(out, REDACTED);
	else
		strbuf_add(out, url->user.at, colon ? (size_t)(colon - url->user.at) : url->user.length);
	strbuf_addch(out, '@');
}

static void add_scheme(struct strbuf *out, const struct url *url)
{
	add_view(out, url->scheme);
	if (url->scheme.length)
		strbuf_adds(out, "://");
}

/* Adds the URL, with "***" instead of secrets. The fragment and all values of the query count as secrets. */
static void add_redacted_url(struct strbuf *out, const struct url *url)
{
	struct view name, value, rest = url->query;

	add_scheme(out, url);
	add_user(out, url);
	add_view(out, url->host);
	while (next_parameter(&name, &value, &rest)) { /* the name is hidden as well if it has no value */
		strbuf_addch(out, name.at[-1]);
		if (value.length) {
			add_view(out, name);
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
	struct view name, value, rest;
	struct url parsed;
	char separator = '?';

	parse_url(&parsed, url);
	add_scheme(out, &parsed);
	if (is_ssh(&parsed))
		add_user(out, &parsed);
	add_view(out, parsed.host);
	for (rest = parsed.query; next_parameter(&name, &value, &rest);) {
		if (is_secret(name, value))
			continue;
		strbuf_addch(out, separator);
		add_view(out, name);
		strbuf_addch(out, '=');
		add_view(out, value);
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
	const struct view *list;
	size_t count;
};

/* Adds a text that replace_secrets() hides, unless it is very short. @view must outlive @secrets. */
static void add_secret(struct secrets *secrets, struct view view)
{
	struct view *list;

	if (view.length < SECRET_MIN)
		return;
	secrets->list = list = arena_room(&secrets->arena, secrets->list, secrets->count, sizeof(*list));
	list[secrets->count++] = view;
}

static int hex_digit(char ch)
{
	return ch >= '0' && ch <= '9' ? ch - '0' : (ch | 0x20) - 'a' + 10;
}

/* Returns a copy of @view in @arena, without percent-encoding: "%2F" becomes "/". */
static struct view decoded(struct view view, struct arena *arena)
{
	char *out = arena_strndup(arena, view.at, view.length);
	size_t to = 0;

	for (size_t i = 0; i < view.length; i++) {
		if (out[i] == '%' && i + 2 < view.length && isxdigit((unsigned char)out[i + 1]) &&
		    isxdigit((unsigned char)out[i + 2])) {
			out[to++] = (char)(hex_digit(out[i + 1]) << 4 | hex_digit(out[i + 2]));
			i += 2;
		} else {
			out[to++] = out[i];
		}
	}
	out[to] = '\0';
	return (struct view){ out, strlen(out) };
}

/* Adds a secret as it is written in the URL, and in decoded form. */
static void add_with_decoded(struct secrets *secrets, struct view view)
{
	add_secret(secrets, view);
	if (find_char(view, '%'))
		add_secret(secrets, decoded(view, &secrets->arena));
}

/*
 * Adds all parts between separators of a URL, together and one by one, because it is unknown which part is
 * the secret.
 */
static void add_words(struct secrets *secrets, struct view view)
{
	add_with_decoded(secrets, view);
	for (size_t i = 0, length; i < view.length; i += length + 1) {
		for (length = 0; i + length < view.length && !strchr(":/?#@", view.at[i + length]);
		     length++)
			;
		add_with_decoded(secrets, (struct view){ view.at + i, length });
	}
}

/* Appends @text with every secret replaced: the longest, if several begin at one place. */
static void replace_secrets(struct strbuf *out, const char *text, const struct secrets *secrets)
{
	for (size_t longest; *text; text += longest ? longest : 1) {
		longest = 0;
		for (size_t i = 0; i < secrets->count; i++)
			if (secrets->list[i].length > longest &&
			    !strncmp(text, secrets->list[i].at, secrets->list[i].length))
				longest = secrets->list[i].length;
		if (longest)
			strbuf_adds(out, REDACTED);
		else
			strbuf_addch(out, *text);
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
	struct view name, value, rest;
	struct strbuf without = { 0 };
	struct url parsed;
	struct view user;
	const char *colon;

	parse_url(&parsed, url);
	user = parsed.user;
	if (parsed.misplaced) /* it is unknown where the user and the password end */
		add_words(&secrets, user);
	if ((colon = find_char(user, ':'))) {
		add_with_decoded(&secrets,
				 (struct view){ colon + 1, (size_t)(user.at + user.length - colon - 1) });
		user.length = (size_t)(colon - user.at);
	}
	if (!is_ssh(&parsed))
		add_with_decoded(&secrets, user);
	for (rest = parsed.query; next_parameter(&name, &value, &rest);)
		add_with_decoded(&secrets, value.length ? value : name);
	if (parsed.fragment.length)
		add_with_decoded(&secrets,
				 (struct view){ parsed.fragment.at + 1, parsed.fragment.length - 1 });
	replace_secrets(&without, text, &secrets);
	redact_urls(out, strbuf_text(&without));
	strbuf_release(&without);
	arena_release(&secrets.arena);
}
