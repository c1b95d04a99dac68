#include "source/git.h"

#include <string.h>

bool clone_is_url(const char *repo)
{
	return strstr(repo, "://");
}

int clone_open(struct source *source, const char *url, struct err *err)
{
	(void)url;
	return err_set(err, ERR_NOT_FOUND, "%s is a URL; clone it with git and give the clone with --repo PATH", source->shown);
}

int clone_fetch(struct source *source, struct err *err)
{
	return err_set(err, ERR_GIT, "%s cannot be fetched from", source->shown);
}
