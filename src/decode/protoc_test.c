/*
 * Tests with Google's protoc: for a call in gVisor's message, it writes the same bytes as trace_pack().
 */
#include "decode/fixture_test.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

enum { CALLS = 500, BYTES_MAX = 300 };

/* gVisor's message with four fields, and a list of these messages, so that one run of protoc is enough. */
static const char schema[] =
	"syntax = \"proto3\";\n"
	"message Call { string fd_path = 1; uint64 request = 2; int32 ret = 3; bytes arg_data = 4; }\n"
	"message All { repeated Call call = 1; }\n";

struct folder {
	char dir[64], schema[80];
};

static int make_folder(void **state)
{
	struct folder *folder = calloc(1, sizeof(*folder));

	snprintf(folder->dir, sizeof(folder->dir), "/tmp/drvabi-protoc-test.XXXXXX");
	if (!mkdtemp(folder->dir))
		return -1;
	snprintf(folder->schema, sizeof(folder->schema), "%s/gvisor.proto", folder->dir);
	*state = folder;
	return file_write_atomic(folder->schema, schema, sizeof(schema) - 1, NULL);
}

static int remove_folder(void **state)
{
	struct folder *folder = *state;

	unlink(folder->schema);
	rmdir(folder->dir);
	free(folder);
	return 0;
}

/* Runs protoc. Return: the exit status; 127 if protoc is not installed. */
static int protoc(const struct folder *folder, const char *what, int in, int out)
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		dup2(in, 0);
		dup2(out, 1);
		execlp("protoc", "protoc", "-I", folder->dir, what, folder->schema, (char *)NULL);
		_exit(127);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WEXITSTATUS(status);
}

/* Returns numbers of every length, and sometimes 0; they are the same in every run. */
static uint64_t some_number(void)
{
	static uint64_t state = 1;

	state = state * 6364136223846793005u + 1442695040888963407u;
	return state >> 60 == 0 ? 0 : state * 2654435761u >> (state >> 58);
}

struct some_calls {
	struct trace_message call[CALLS];
	char path[CALLS][32];
	uint8_t bytes[CALLS][BYTES_MAX];
};

static struct some_calls *some_calls(void)
{
	static const char *const devices[] = { "/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/nvidia0" };
	struct some_calls *all = calloc(1, sizeof(*all));

	for (int i = 0; i < CALLS; i++) {
		struct trace_message *call = &all->call[i];

		*call = a_call; /* the other fields must not be written */
		snprintf(all->path[i], sizeof(all->path[i]), "%s", devices[i % 3]);
		for (int k = 0; k < BYTES_MAX; k++)
			all->bytes[i][k] = (uint8_t)some_number();
		call->fd_path = all->path[i];
		call->request = some_number();
		call->ret = (int32_t)some_number();
		call->after = (struct trace_bytes){ i % 7 ? all->bytes[i] : NULL,
						    i % 7 ? some_number() % BYTES_MAX : 0 };
	}
	return all;
}

static void add_text(struct strbuf *out, const struct trace_message *call)
{
	strbuf_addf(out, "call { fd_path: \"%s\" request: %llu ret: %d arg_data: \"", call->fd_path,
		    (unsigned long long)call->request, call->ret);
	for (size_t i = 0; i < call->after.size_bytes; i++)
		strbuf_addf(out, "\\%03o", call->after.bytes[i]);
	strbuf_adds(out, "\" }\n");
}

/* The expected output of protoc: each message is field 1 of All. */
static void add_packed(struct strbuf *out, const struct trace_message *call)
{
	struct strbuf packed = { 0 };

	trace_pack(&packed, call, TRACE_WIRE_GVISOR);
	strbuf_addch(out, '\x0a');
	varint_put(out, packed.length - 8);
	strbuf_add(out, packed.text + 8, packed.length - 8);
	strbuf_release(&packed);
}

static void protoc_encodes_a_call_as_we_do(void **state)
{
	struct some_calls *all = some_calls();
	struct strbuf text = { 0 }, want = { 0 }, got = { 0 };
	const int out = file_of("", 0);
	char path[32];
	int in, rc;

	for (int i = 0; i < CALLS; i++) {
		add_text(&text, &all->call[i]);
		add_packed(&want, &all->call[i]);
	}
	in = file_of(text.text, text.length);
	rc = protoc(*state, "--encode=All", in, out);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", out);
	assert_int_equal(file_read(&got, path, 1 << 24, NULL), 0);
	if (rc != 127) {
		assert_int_equal(rc, 0);
		assert_int_equal(got.length, want.length);
		assert_memory_equal(got.text, want.text, want.length);
	}
	close(in);
	close(out);
	strbuf_release(&text);
	strbuf_release(&want);
	strbuf_release(&got);
	free(all);
	if (rc == 127)
		skip(); /* protoc is not installed */
}

static void what_gvisors_wire_carries_is_read_again(void **state)
{
	struct some_calls *all = some_calls();
	static struct trace_message fields[CALLS]; /* the four fields of the calls */
	static const struct trace_message *wanted[CALLS];
	struct strbuf stream = { 0 };

	for (int i = 0; i < CALLS; i++) {
		const struct trace_message *call = &all->call[i];

		trace_pack(&stream, call, TRACE_WIRE_GVISOR);
		fields[i] = (struct trace_message){ .kind = TRACE_IOCTL, .fd_path = call->fd_path, .fd = -1,
						    .request = call->request, .ret = call->ret,
						    NO_HEADER };
		if (call->after.size_bytes)
			fields[i].after = call->after;
		wanted[i] = &fields[i];
	}
	assert_reads(reader_of(&stream), wanted, CALLS);
	strbuf_release(&stream);
	free(all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(protoc_encodes_a_call_as_we_do, make_folder, remove_folder),
		cmocka_unit_test(what_gvisors_wire_carries_is_read_again),
	};

	return cmocka_run_group_tests_name("trace protoc", tests, NULL, NULL);
}
