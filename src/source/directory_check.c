#include "source/directory_check.h"

#include <string.h>

static bool is_directory(const git_tree_entry *entry)
{
	return git_tree_entry_filemode(entry) == GIT_FILEMODE_TREE;
}

/* git's order: the name of a directory is compared as if a slash ended it (base_name_compare() in git's tree-walk). */
static int compare(const git_tree_entry *a, const git_tree_entry *b)
{
	const char *left = git_tree_entry_name(a), *right = git_tree_entry_name(b);
	size_t a_length = strlen(left), b_length = strlen(right), common = a_length < b_length ? a_length : b_length;
	int order = memcmp(left, right, common);
	unsigned char a_next = (unsigned char)left[common], b_next = (unsigned char)right[common];

	if (order)
		return order;
	if (!a_next && is_directory(a))
		a_next = '/';
	if (!b_next && is_directory(b))
		b_next = '/';
	return (a_next > b_next) - (a_next < b_next);
}

/* Is there a file before the directory at @index that has its name? What stands between the two begins with that name. */
static bool is_file_too(const git_tree *directory, size_t index)
{
	const char *name = git_tree_entry_name(git_tree_entry_byindex(directory, index));
	size_t length = strlen(name);

	while (index--) {
		const char *before = git_tree_entry_name(git_tree_entry_byindex(directory, index));

		if (strncmp(before, name, length))
			return false;
		if (!before[length])
			return true;
	}
	return false;
}

/* What is wrong with the entry at @index; NULL: nothing. */
static const char *fault_of(const git_tree *directory, size_t index)
{
	const git_tree_entry *entry = git_tree_entry_byindex(directory, index);
	const char *name = git_tree_entry_name(entry);
	int order;

	if (!*name)
		return "has no name";
	if (!strcmp(name, ".") || !strcmp(name, "..") || strchr(name, '/'))
		return "is no file name";
	order = index ? compare(git_tree_entry_byindex(directory, index - 1), entry) : -1;
	if (order > 0)
		return "does not stand in git's order";
	return !order || (is_directory(entry) && is_file_too(directory, index)) ? "stands there twice" : NULL;
}

int directory_check(const git_tree *directory, const char *path, const char *version, const char *shown, struct err *err)
{
	size_t count = git_tree_entrycount(directory);

	for (size_t i = 0; i < count; i++) {
		const char *fault = fault_of(directory, i);

		if (fault)
			return err_set(err, ERR_GIT, "the %s%s of version %s in %s is damaged: its entry '%s' %s; git fsck says more",
				       *path ? "directory " : "root directory", path, version, shown,
				       git_tree_entry_name(git_tree_entry_byindex(directory, i)), fault);
	}
	return 0;
}
