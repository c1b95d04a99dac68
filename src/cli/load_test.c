/* Tests of the inputs that options name, and of invalid names. */
#include "cli/cli.h"
#include "abi/document_test.h"

#include <unistd.h>

/* A struct cli_args with the given members, as cli_parse() sets them. */
#define NAMED(...) (&(struct cli_args){ .arena = &arena, __VA_ARGS__ })
#define LOAD_TEST(name) TEST_WITH(name, begin_test, end_test)

static struct arena arena;
static struct err err;
static char path[160]; /* the path of a file that the test has written */

static int begin_test(void **state)
{
	const char *temp = getenv("TMPDIR");

	err = (struct err){ "" };
	snprintf(path, sizeof(path), "%s/drvabi-XXXXXX", temp && strlen(temp) < 100 ? temp : "/tmp");
	close(mkstemp(path));
	return 0;
}

static int end_test(void **state)
{
	unlink(path);
	arena_release(&arena);
	return 0;
}

LOAD_TEST(a_profile_has_a_built_in_name_or_is_a_file)
{
	struct profile profile;

	assert_int_equal(load_profile(&profile, NAMED(.profile = "nvidia"), &err), 0);
	assert_string_equal(profile.name, "nvidia");
	assert_int_equal(load_profile(&profile, NAMED(.profile = "nvidla"), &err), ERR_NOT_FOUND);
	assert_string_equal(err.text, "no profile 'nvidla'; the built-in profiles are aws-neuron, "
				      "habanalabs, linux-drm, linux-kfd, linux-kvm, linux-v4l2, linux-vfio, "
				      "nvidia; the name of a file must contain a dot or a slash");
	assert_int_equal(load_profile(&profile, NAMED(.profile = "./none.json"), &err), ERR_NOT_FOUND);
	assert_string_equal(err.text, "cannot open ./none.json: No such file or directory");
}

/* The table has one node, 2.0, and the document is of version 1.0, which is older. */
LOAD_TEST(the_first_node_of_a_table_is_used_for_a_version_that_is_older_than_all)
{
	static const char text[] =
		"{\"format\": \"drvabi-proxy/1\", \"proxy\": \"p\", \"revision\": \"r\", "
		"\"driver\": \"nvidia\", \"types\": {}, \"versions\": [{\"version\": \"2.0\", "
		"\"parent\": null, \"supported\": true, \"ioctls\": {}}]}";
	struct abi abi = { .driver = "nvidia", .version = "1.0" };
	const struct cli_args *args = NAMED(.table = path, .json = "-", .quiet = true);
	struct history_graph graph = { 0 };
	struct table table = { 0 };
	struct table_view view;
	char expected[256];

	assert_int_equal(file_write_atomic(path, text, strlen(text), &err), 0);
	assert_int_equal(load_table_view(&view, &table, &graph, &abi, args, &err), 0);
	assert_string_equal(table.proxy, "p");
	assert_string_equal(view.node->version, "2.0");

	table = (struct table){ 0 };
	abi.driver = "toy";
	assert_int_equal(load_table_view(&view, &table, &graph, &abi, args, &err), ERR_USAGE);
	snprintf(expected, sizeof(expected), "%s is a table for the driver nvidia, not for toy", path);
	assert_string_equal(err.text, expected);
}

LOAD_TEST(a_document_has_no_version_beside_it)
{
	struct store_request request = { .json = "a.json", .version = "1.0" };

	assert_int_equal(load_documents(&request, 1, NAMED(.profile = "nvidia"), &err),
			 ERR_USAGE);
	assert_string_equal(err.text, "a.json is the document of one version; leave '1.0' out");
}
