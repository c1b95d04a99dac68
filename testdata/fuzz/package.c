/* package - read a .run file: its script, and the tar archive after it */
#include "lib/fuzz.h"

#include "source/source.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* check_head - check the script's values. Each must be one line, because a pipe transmits them as lines. */
static void check_head(const struct package_head *head, size_t size)
{
	const size_t length = strlen(head->sha256);

	MUST(length == 64 && strspn(head->sha256, "0123456789abcdef") == length);
	MUST(!strpbrk(head->version, "\n\"/ ") && !strpbrk(head->machine, "\n\"/ "));
	MUST(head->payload_at && head->payload_at < size);
}

/* check_tree - check that all files of @tree are in kernel-open and can be read */
static void check_tree(struct tree *tree)
{
	const char **paths = NULL;
	size_t count = 0;
	struct err err = { "" };

	MUST_SAY(!tree->ops->glob(tree, "kernel-open/*", &paths, &count, &err), &err);
	MUST_SAY(!tree->ops->glob(tree, "kernel-open/*/*", &paths, &count, &err), &err);
	for (size_t i = 0; i < count; i++) {
		const char *text;
		size_t size;

		MUST(!strncmp(paths[i], "kernel-open/", strlen("kernel-open/")) && !strstr(paths[i], "/../"));
		MUST_SAY(!tree->ops->read(tree, paths[i], &text, &size, &err), &err);
		MUST(!text[size]);
	}
	free(paths);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const int fd = memfd_create("package", MFD_CLOEXEC);
	struct arena arena = { 0 };
	struct package_head head;
	struct err err = { "" };
	struct tree *tree;
	char path[32];
	int head_rc, rc;

	MUST(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (!(head_rc = package_head(&head, path, &arena, &err)))
		check_head(&head, size);
	else
		fuzz_sentence(&err);
	if (!(rc = source_package(&tree, path, &err))) {
		MUST(!head_rc);
		check_tree(tree);
		tree->ops->free(tree);
	} else {
		MUST_SAY(rc == ERR_FORMAT || rc == ERR_LIMIT || rc == ERR_NOT_FOUND || rc == ERR_USAGE, &err);
		fuzz_sentence(&err);
	}
	arena_release(&arena);
	close(fd);
	return 0;
}
