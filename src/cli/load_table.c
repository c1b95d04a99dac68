#include "cli/load_table.h"

#include "cli/load.h"
#include "cli/load_header.h"
#include "cli/nearby.h"
#include "cli/output.h"
#include "abi/abi.h"

#include <string.h>
#include <sys/stat.h>

static bool is_file(const char *path)
{
	struct stat st;

	return !stat(path, &st) && !S_ISDIR(st.st_mode);
}

/* A word such as "nvproxy", which may be the name of a table that comes along. A file's name says what it is. */
static bool is_table_name(const char *name)
{
	size_t length = strlen(name);

	return *name != '.' && strcmp(name, "-") && !strchr(name, '/') && (length < 5 || strcmp(name + length - 5, ".json"));
}

static int no_such_table(const char *name, const struct data_paths *paths, struct err *err)
{
	struct strbuf places = { 0 };
	int rc;

	for (size_t i = 0; i < paths->count; i++)
		strbuf_addf(&places, "%s%s", !i ? "" : i + 1 < paths->count ? ", " : " or ", paths->path[i]);
	rc = err_set(err, ERR_NOT_FOUND, "no table '%s': no file of this name here, nor %s", name, strbuf_text(&places));
	strbuf_release(&places);
	return rc;
}

int load_table_find(const char **out, const char *name, const struct cli_args *args, struct arena *arena, struct err *err)
{
	const struct data_surroundings surroundings = data_surroundings(arena);
	struct data_paths paths;

	*out = name;
	if (!is_table_name(name))
		return 0;
	data_paths(&paths, name, ".json", &surroundings, arena);
	for (size_t i = 0; i < paths.count; i++) {
		if (!is_file(paths.path[i]))
			continue;
		if (is_file(name))
			output_note(args, "the table %s is the file of this name here, not %s; --table %s names that one", name, paths.path[i],
				    paths.path[i]);
		else
			*out = paths.path[i];
		return 0;
	}
	return is_file(name) ? 0 : no_such_table(name, &paths, err);
}

int load_table_file(struct table *out, const char *path, struct arena *arena, struct err *err)
{
	struct strbuf file = { 0 };
	int rc;

	rc = file_read(&file, path, TABLE_LIMIT_BYTES, err);
	if (!rc)
		rc = json_read_table(out, strbuf_text(&file), file.length, path, arena, err);
	strbuf_release(&file);
	return rc;
}

int load_table(struct table *out, const struct cli_args *args, struct arena *arena, struct err *err)
{
	if (args->table_from_header)
		return load_header_table(out, args, arena, err);
	return load_table_file(out, args->table, arena, err);
}

int load_table_for(struct table *out, const char *driver, const struct cli_args *args, struct arena *arena, struct err *err)
{
	struct table table;
	int rc;

	if ((rc = load_table(&table, args, arena, err)))
		return rc;
	if (strcmp(table.driver, driver))
		return err_set(err, ERR_USAGE, "%s is a table for the driver %s, not for %s%s", table.path, table.driver, driver,
			       args->table_of_environment ? "; DRVABI_TABLE names it, and may be empty" : "");
	*out = table;
	return 0;
}

/* A note if another node stands for @version. Reports name the node of a release themselves. */
static void note_node(const struct table *table, const struct table_node *node, const char *version, const struct cli_args *args)
{
	if (!table_nearest_node(table, version))
		output_note(args, "all nodes of %s are newer than %s; its first, %s, is used for it", table->path, version, node->version);
	else if (strcmp(node->version, version) && !nearby_are_releases(node->version, version))
		output_note(args, "%s has no node %s; %s is used for it", table->path, version, node->version);
}

int load_table_view(struct table_view *view, struct table *table, const struct abi *abi, const struct cli_args *args,
		    struct arena *arena, struct err *err)
{
	const struct table_node *node;
	int rc;

	if ((rc = load_table_for(table, abi->driver, args, arena, err)))
		return rc;
	node = table_nearest_node(table, abi->version);
	if (!node)
		node = &table->nodes[0];
	note_node(table, node, abi->version, args);
	table_view_at(view, table, node, arena);
	return 0;
}
