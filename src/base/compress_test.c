/* Tests of frames of zstd, packed and unpacked whole, in pieces and in files. */
#include "base/fixture_test.h"

enum { SIZE = 3 * 1000 * 1000 };

/* Bytes that can be compressed, but not to a tiny size. */
static uint8_t bytes[SIZE];

static int make_bytes(void **state)
{
	for (uint32_t i = 0; i < SIZE; i++)
		bytes[i] = (uint8_t)((i * 2654435761u >> 28) + i / 1000);
	return 0;
}

TEST(a_frame_unpacks_to_what_was_packed_and_to_no_other_size)
{
	uint8_t *got = xmalloc(SIZE + 1);
	struct strbuf packed = { 0 };

	assert_int_equal(compress_append(&packed, bytes, SIZE, 3, NULL), 0);
	assert_true(packed.length < SIZE);
	assert_true(compress_recognise((uint8_t *)packed.text, packed.length));
	assert_int_equal(compress_unpacked_bytes(packed.text, packed.length), SIZE);
	assert_true(compress_unpack(got, SIZE, packed.text, packed.length));
	assert_memory_equal(got, bytes, SIZE);
	assert_false(compress_unpack(got, SIZE + 1, packed.text, packed.length));
	assert_false(compress_unpack(got, SIZE - 1, packed.text, packed.length));
	strbuf_release(&packed);
	free(got);
}

TEST(what_is_no_frame_has_no_size)
{
	assert_int_equal(compress_unpacked_bytes("no frame at all", 15), UINT64_MAX);
	assert_false(compress_recognise((const uint8_t *)"no frame at all", 15));
	assert_false(compress_recognise((const uint8_t *)"\x28\xb5\x2f", 3));
}

/*
 * Unpacks @packed in pieces of @bite bytes, each into a buffer of @room bytes, and checks that the result is
 * the beginning of the bytes. Return: the number of bytes that were unpacked.
 */
static size_t unpack_in_bites(const struct strbuf *packed, size_t bite, size_t room, bool *whole)
{
	const uint8_t *at = (const uint8_t *)packed->text, *const end = at + packed->length;
	struct compress_stream *stream = compress_stream_new();
	uint8_t *out = xmalloc(room);
	size_t all = 0, got = 1;

	while (at < end || got) {
		const uint8_t *to = (size_t)(end - at) < bite ? end : at + bite;

		assert_int_equal(compress_stream_next(&got, stream, out, room, &at, to, NULL), 0);
		assert_true(got || at == to);
		assert_memory_equal(out, bytes + all, got);
		all += got;
	}
	*whole = compress_stream_is_whole(stream);
	compress_stream_free(stream);
	free(out);
	return all;
}

TEST(a_stream_unpacks_in_bites_of_any_size)
{
	static const size_t bites[] = { 1, 7, 1000, SIZE }, rooms[] = { 1000, 3, 65536, SIZE };
	struct strbuf packed = { 0 };
	bool whole;

	assert_int_equal(compress_append(&packed, bytes, SIZE, 3, NULL), 0);
	for (int i = 0; i < 4; i++) {
		assert_int_equal(unpack_in_bites(&packed, bites[i], rooms[i], &whole), SIZE);
		assert_true(whole);
	}
	packed.length--;
	unpack_in_bites(&packed, 1000, 1000, &whole);
	assert_false(whole);
	strbuf_release(&packed);
}

/* Flushed data can be unpacked before the frame ends. */
TEST(a_frame_can_be_made_piece_by_piece)
{
	static const size_t pieces[] = { 0, 1, 1000, 0, 200 * 1000, 7 };
	struct compress_packer *packer = compress_packer_new(1);
	struct strbuf packed = { 0 };
	size_t all = 0;
	bool whole;

	assert_non_null(packer);
	for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
		assert_int_equal(compress_packer_add(&packed, packer, bytes + all, pieces[i], COMPRESS_NOW,
						     NULL),
				 0);
		all += pieces[i];
		assert_int_equal(unpack_in_bites(&packed, 1000, 1000, &whole), all);
		assert_false(whole && all);
	}
	assert_int_equal(compress_packer_add(&packed, packer, bytes + all, SIZE - all, COMPRESS_LATER, NULL),
			 0);
	assert_true(unpack_in_bites(&packed, 1000, 1000, &whole) >= all);
	assert_int_equal(compress_packer_add(&packed, packer, NULL, 0, COMPRESS_END, NULL), 0);
	assert_int_equal(unpack_in_bites(&packed, 1000, 1000, &whole), SIZE);
	assert_true(whole);
	compress_packer_free(packer);
	strbuf_release(&packed);
}

/* A few bytes hold 1 GB of zeros, but each call unpacks at most as much as fits into the buffer. */
TEST(a_bomb_takes_no_memory)
{
	struct compress_stream *stream = compress_stream_new();
	uint8_t *zeros = calloc(1, 1 << 24), out[4096];
	struct strbuf packed = { 0 };
	struct rusage before, after;
	const uint8_t *at, *end;
	size_t got = 1, all = 0;

	for (int i = 0; i < 64; i++)
		assert_int_equal(compress_append(&packed, zeros, 1 << 24, 3, NULL), 0);
	getrusage(RUSAGE_SELF, &before);
	for (at = (uint8_t *)packed.text, end = at + packed.length; at < end || got; all += got)
		assert_int_equal(compress_stream_next(&got, stream, out, sizeof(out), &at, end, NULL), 0);
	getrusage(RUSAGE_SELF, &after);
	assert_int_equal(all, 1 << 30);
	assert_true(after.ru_maxrss - before.ru_maxrss < 20 * 1024);
	compress_stream_free(stream);
	strbuf_release(&packed);
	free(zeros);
}

TEST(damage_is_found_and_stays)
{
	struct compress_stream *stream = compress_stream_new();
	static const char damaged[] =
		"\x28\xb5\x2f\xfd\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff";
	const uint8_t *at = (const uint8_t *)damaged, *end = at + 18;
	uint8_t out[10];
	size_t got;

	assert_int_equal(compress_stream_next(&got, stream, out, 10, &at, end, &err), ERR_FORMAT);
	assert_int_equal(compress_stream_next(&got, stream, out, 10, &at, end, &err), ERR_FORMAT);
	compress_stream_free(stream);
}

TEST_IN_DIR(a_file_is_replaced_by_one_frame_of_its_bytes)
{
	static const size_t sizes[] = { SIZE, 0 };

	for (int i = 0; i < 2; i++) {
		struct strbuf packed = { 0 };
		bool whole;

		assert_int_equal(file_write_atomic(path, bytes, sizes[i], NULL), 0);
		assert_int_equal(chmod(path, 0640), 0);
		assert_int_equal(compress_file(path, NULL), 0);
		assert_int_equal(state_of(path).st_mode & 07777, 0640);
		assert_int_equal(file_read(&packed, path, SIZE, NULL), 0);
		assert_true(!sizes[i] || packed.length < sizes[i]);
		assert_true(compress_recognise((uint8_t *)packed.text, packed.length));
		assert_int_equal(unpack_in_bites(&packed, SIZE, SIZE, &whole), sizes[i]);
		assert_true(whole);
		strbuf_release(&packed);
	}
}

TEST_IN_DIR(a_file_stays_if_the_disk_is_full)
{
	struct strbuf after = { 0 };
	struct rlimit before;
	int rc;

	assert_int_equal(file_write_atomic(path, bytes, SIZE, NULL), 0);
	before = begin_limit(1000);
	rc = compress_file(path, &err);
	end_limit(before);
	assert_int_equal(rc, ERR_IO);
	assert_non_null(strstr(err.text, ": File too large"));
	assert_non_null(strstr(err.text, "/f; the file is unchanged: cannot write "));
	assert_int_equal(file_read(&after, path, SIZE, NULL), 0);
	assert_int_equal(after.length, SIZE);
	assert_memory_equal(after.text, bytes, SIZE);
	strbuf_release(&after);
}

TEST_IN_DIR(what_is_no_file_of_its_own_is_refused)
{
	assert_int_equal(file_write_atomic(path, bytes, SIZE, NULL), 0);
	assert_int_equal(compress_file("/dev/null", &err), ERR_IO);
	assert_string_equal(err.text,
			    "cannot compress /dev/null; the file is unchanged: it is not a regular file");
	assert_int_equal(compress_file(dir, &err), ERR_IO);
	assert_int_equal(compress_file(beside("g"), &err), ERR_IO);
	assert_int_equal(link(path, other), 0);
	assert_int_equal(compress_file(other, &err), ERR_IO);
	unlink(other);
}

TEST_GROUP(make_bytes, NULL)
