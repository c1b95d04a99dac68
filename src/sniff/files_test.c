/* Tests which files of the machine are recorded in a trace, and what replay shows of them. */
#include "sniff/internal.h"
#include "abi/document_test.h"

#include <fcntl.h>
#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

/* A directory with the machine's files, the rules for the driver's files, and the last recorded files. */
struct machine {
	char root[32];
	struct file_rule file[3];
	struct device_rules rules;
	struct driver_files files;
	struct strbuf recorded;
};

static int begin(void **state)
{
	struct machine *machine = xmalloc(sizeof(*machine));

	*machine = (struct machine){ .root = "/tmp/drvabi-files-XXXXXX" };
	assert_non_null(mkdtemp(machine->root));
	snprintf(machine->file[0].path, sizeof(machine->file[0].path), "%s/nvidia*", machine->root);
	snprintf(machine->file[1].path, sizeof(machine->file[1].path), "%s/lines", machine->root);
	snprintf(machine->file[1].line, sizeof(machine->file[1].line), "nvidia");
	snprintf(machine->file[2].path, sizeof(machine->file[2].path), "%s/params", machine->root);
	machine->rules = (struct device_rules){ .files = machine->file, .file_count = 3 };
	*state = machine;
	return 0;
}

static int remove_entry(const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
	(void)st, (void)kind, (void)ftw;
	return remove(path);
}

/* Returns the path of a file of the machine, which is valid until the next call. */
static char *path_of(const struct machine *machine, const char *name)
{
	static char path[128];

	snprintf(path, sizeof(path), "%s/%s", machine->root, name);
	return path;
}

static int end(void **state)
{
	struct machine *machine = *state;

	assert_int_equal(nftw(machine->root, remove_entry, 8, FTW_DEPTH | FTW_PHYS), 0);
	files_release(&machine->files);
	free(machine);
	return 0;
}

/* Writes a file under the root, and makes its directories. @name NULL: writes nothing. */
static void write_file(const struct machine *machine, const char *name, const char *text)
{
	char *path;
	FILE *file;

	if (!name)
		return;
	path = path_of(machine, name);
	for (char *at = path + strlen(machine->root) + 1; (at = strchr(at, '/')); *at++ = '/') {
		*at = '\0';
		mkdir(path, 0755);
	}
	file = fopen(path, "we");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

/* Appends "NAME=CONTENT;" for a file, and "NAME;" for a file or directory without contents. */
static void note_file(void *data, const struct trace_message *message)
{
	struct machine *machine = data;

	assert_int_equal(message->kind, TRACE_FILE);
	strbuf_addf(&machine->recorded, "%s", message->fd_path + strlen(machine->root) + 1);
	if (message->after.bytes)
		strbuf_addf(&machine->recorded, "=%.*s", (int)message->after.size_bytes,
			    (const char *)message->after.bytes);
	strbuf_adds(&machine->recorded, ";");
}

static bool records_differ(const char *fact, struct machine *machine, const char *expected)
{
	files_record(&machine->files, &machine->rules, note_file, machine);
	return text_differs(fact, &machine->recorded, expected);
}

#define FILES_TEST(name) TEST_WITH(name, begin, end)

FILES_TEST(each_file_is_recorded_once)
{
	static const struct {
		const char *fact;
		const char *before, *before_text, *at_first; /* a file, and the text that is recorded */
		const char *after, *after_text, *at_end;     /* the same for an added or changed file */
	} rows[] = {
		{ "an added file", NULL, NULL, "",
		  "nvidia/version", "590\n", "nvidia;nvidia/version=590\n;" },
		{ "the same files", "nvidia/version", "590\n", "nvidia;nvidia/version=590\n;",
		  NULL, NULL, "" },
		{ "a changed file", "nvidia/version", "590\n", "nvidia;nvidia/version=590\n;",
		  "nvidia/version", "595\n", "" },
		{ "an added file before", "nvidia/b", "2", "nvidia;nvidia/b=2;",
		  "nvidia/a", "1", "nvidia/a=1;" },
		{ "added directories", "nvidia0", "", "nvidia0=;", "nvidia-uvm/gpus/0", "x",
		  "nvidia-uvm;nvidia-uvm/gpus;nvidia-uvm/gpus/0=x;" },
		{ "files of others", "nouveau/version", "1", "", "my/nvidia", "1", "" },
		{ "a single file", "params", "on\n", "params=on\n;", "params2", "on\n", "" },
		{ "changed lines", "lines", "  1 mem\n195 nvidia\n", "lines=195 nvidia\n;",
		  "lines", "  1 mem\n196 nvidia\n", "" },
		{ "added lines", "lines", "  1 mem\n", "", "lines", "195 nvidia\n  1 mem\n510 nvidia-uvm\n",
		  "lines=195 nvidia\n510 nvidia-uvm\n;" },
		{ "an address", "lines", "nvidia 4096 0 - Live 0xffffffffc0a8 (O)\n",
		  "lines=nvidia 4096 0 - Live 0x000000000000 (O)\n;", NULL, NULL, "" },
	};
	size_t failed = 0;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct machine *machine = *state;

		write_file(machine, rows[i].before, rows[i].before_text);
		failed += records_differ(rows[i].fact, machine, rows[i].at_first);
		write_file(machine, rows[i].after, rows[i].after_text);
		failed += records_differ(rows[i].fact, machine, rows[i].at_end);
		end(state);
		begin(state);
	}
	assert_int_equal(failed, 0);
}

FILES_TEST(a_secret_file_has_no_contents_and_a_link_its_target)
{
	struct machine *machine = *state;

	write_file(machine, "nvidia/secret", "text");
	assert_int_equal(chmod(path_of(machine, "nvidia/secret"), 0640), 0);
	assert_int_equal(symlink("../nowhere", path_of(machine, "nvidia-link")), 0);
	assert_false(records_differ("both", machine, "nvidia;nvidia/secret;nvidia-link=../nowhere;"));
}

FILES_TEST(lines_of_the_trace_replace_those_of_the_machine)
{
	static const struct {
		const char *name, *machine, *trace, *expected;
	} rows[] = {
		{ "lines", "", "195 nvidia\n", "195 nvidia\n" },
		{ "lines", "  1 mem\n", "195 nvidia\n", "195 nvidia\n  1 mem\n" },
		{ "lines", "Character devices:\n  1 mem\n", "195 nvidia\n",
		  "Character devices:\n195 nvidia\n  1 mem\n" },
		{ "lines", "Character devices:\n  1 mem\n196 nvidia\n", "195 nvidia\n",
		  "Character devices:\n195 nvidia\n  1 mem\n" },
		{ "lines", "Character devices:\n  1 mem\n196 nvidia\n", "", "Character devices:\n  1 mem\n" },
		{ "lines", "ext4 4096 1 - Live 0x12\n", "nvidia 1 0 - Live 0x0\n",
		  "nvidia 1 0 - Live 0x0\next4 4096 1 - Live 0x00\n" },
		{ "params", "old", "new", "new" }, /* all lines are the driver's */
	};
	const struct machine *machine = *state;
	size_t failed = 0;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct driver_file file = { .content = { (const uint8_t *)rows[i].trace,
							 strlen(rows[i].trace) } };
		struct strbuf content = { 0 };

		write_file(machine, rows[i].name, rows[i].machine);
		file.path = path_of(machine, rows[i].name);
		file_add_content(&content, &file, &machine->rules);
		failed += text_differs(rows[i].machine, &content, rows[i].expected);
	}
	assert_int_equal(failed, 0);
}

TEST(a_path_is_the_drivers_if_only_the_driver_creates_it)
{
	static const struct file_rule file[] = {
		{ .path = "/proc/driver/nvidia*" }, { .path = "/dev/dri*", .module = "nvidia" },
		{ .path = "/proc/devices", .line = "nvidia" }, { .path = "/sys/nvidia" },
	};
	static const struct device_rules rules = { .files = file, .file_count = 4 };
	static const struct {
		const char *path;
		bool expected;
	} rows[] = {
		{ "/proc/driver/nvidia", true }, { "/proc/driver/nvidia-uvm/gpus", true },
		{ "/proc/driver/rtc", false },   { "/dev/dri/card0", false },
		{ "/proc/devices", false },      { "/sys/nvidia", true },
		{ "/sys/nvidia2", false },       { "", false },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (file_is_drivers(&rules, rows[i].path) != rows[i].expected)
			fail_msg("%s: not %d", rows[i].path, rows[i].expected);
}

FILES_TEST(a_directory_lists_its_entries_and_not_theirs)
{
	static const char *const paths[] = { "/proc/driver/nvidia", "/proc/driver/nvidia/gpus",
					     "/proc/driver/nvidia/gpus/0", "/proc/driver/nvidia-uvm",
					     "/proc/driver/nvidia/version" };
	struct trace_message message = { .kind = TRACE_FILE };
	struct driver_files *files = &((struct machine *)*state)->files;
	struct strbuf got = { 0 };

	for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++) {
		message.fd_path = paths[i];
		assert_true(files_add(files, &message));
		assert_false(files_add(files, &message));
	}
	for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++) {
		strbuf_addf(&got, "%s:", paths[i]);
		for (const struct driver_file *at = NULL; (at = files_child(files, paths[i], at));)
			strbuf_addf(&got, " %s", at->path);
		strbuf_addch(&got, '\n');
	}
	assert_false(text_differs("the directories' entries", &got,
				  "/proc/driver/nvidia: "
				  "/proc/driver/nvidia/gpus /proc/driver/nvidia/version\n"
				  "/proc/driver/nvidia/gpus: /proc/driver/nvidia/gpus/0\n"
				  "/proc/driver/nvidia/gpus/0:\n"
				  "/proc/driver/nvidia-uvm:\n"
				  "/proc/driver/nvidia/version:\n"));
}
