/*
 * source/url.h - URLs of repositories, which may hold secrets
 *
 * Layer L2, internal to source/. A secret is a password, a user name (a token is often
 * written as one) other than that of ssh, which is no secret, or the value of
 * a query's parameter. What a user may read is made here, and nowhere else.
 *
 *   https://user:SECRET@host/x      https://SECRET@host/x     https://host/x?private_token=SECRET
 *   user:SECRET@host:x, https://user:SEC/RET@host/x           what is no URL, but has a secret all the same
 */
#ifndef SOURCE_URL_H
#define SOURCE_URL_H

#include "base/base.h"

#include <stdbool.h>

/* url_is_url - "scheme://..." or "host:path" that is no path of this machine */
bool url_is_url(const char *repo);

/* url_is_clear - sent as it is, over http:// or git://, so that anybody on the way can read and change it */
bool url_is_clear(const char *url);

/* url_redact - append @url for messages: each secret as "***" */
void url_redact(struct strbuf *out, const char *url);

/* url_redact_text - append somebody else's words, which may quote @url, secrets of it, or other URLs */
void url_redact_text(struct strbuf *out, const char *text, const char *url);

/* url_identity - append what tells one repository from another: @url without secrets; names its clone */
void url_identity(struct strbuf *out, const char *url);

/**
 * url_check - may @url be used?
 *
 * Return: 0; ERR_USAGE if it would send a secret in the clear, or has one where none can be.
 */
int url_check(const char *url, struct err *err);

#endif
