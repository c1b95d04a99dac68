/*
 * The scripts as they are. CLI_DIR comes from the Makefile.
 */
#include "cli/completion.h"

#include <string.h>

#ifndef CLI_DIR
#error "CLI_DIR is the directory of the scripts; the Makefile sets it"
#endif

EMBED(completion_bash, CLI_DIR "/completion.bash");
EMBED(completion_zsh, CLI_DIR "/completion.zsh");
EMBED(completion_fish, CLI_DIR "/completion.fish");

int completion_script(const char **out, const char *shell, struct err *err)
{
	static const struct {
		const char *shell, *script;
	} scripts[] = { { "bash", completion_bash }, { "zsh", completion_zsh }, { "fish", completion_fish } };

	for (size_t i = 0; i < sizeof(scripts) / sizeof(*scripts); i++) {
		if (!strcmp(scripts[i].shell, shell)) {
			*out = scripts[i].script;
			return 0;
		}
	}
	return err_set(err, ERR_USAGE, "--completion takes one of bash|zsh|fish, not '%s'", shell);
}
