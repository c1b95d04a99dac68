#include "decode/read_cudest.h"

#include "decode/lines_internal.h"

#include <string.h>

enum { PARAMS, TARGET, PARAMS_AFTER, TARGET_AFTER };
enum {
	WORD = 4,
	CONTROL = 0x2a, CONTROL_BYTES = 32, POINTER_AT = 16, LENGTH_AT = 24, /* the call that the shim follows, as it does */
	UVM_BYTES = 0x3000,             /* what stands in UVM_INITIALIZE where other requests have a size */
	DUMP_BYTES_MAX = 1024 * 1024,   /* RMAPI_PARAM_COPY_MAX_PARAMS_SIZE of the driver */
	FOREIGN_MAX = 16,
};

/* Blanks, tabs and escape sequences that colour what follows. */
static void skip_blank(struct rest *rest)
{
	for (;;) {
		struct rest sequence;

		rest_skip_any(rest, " \t\r");
		sequence = *rest;
		if (!rest_skip_word(&sequence, "\033["))
			return;
		rest_skip_any(&sequence, "0123456789;");
		if (!rest_skip_word(&sequence, "m"))
			return;
		*rest = sequence;
	}
}

static bool is_control(const struct cudest *cudest)
{
	return cudest->number == CONTROL && cudest->size_bytes == CONTROL_BYTES;
}

static uint64_t field(const struct cudest *cudest, size_t offset, size_t size)
{
	uint64_t value = 0;

	for (size_t i = size; i-- > 0;)
		value = value << 8 | (uint8_t)strbuf_text(&cudest->dumps[PARAMS].bytes)[offset + i];
	return value;
}

static bool is_whole(const struct cudest *cudest, size_t dump, uint64_t size_bytes)
{
	return !cudest->dumps[dump].is_broken && cudest->dumps[dump].bytes.length >= size_bytes;
}

/* How long what the parameters point to is. Return: false if there is nothing, or that is not known. */
static bool target_bytes(uint64_t *out, const struct cudest *cudest)
{
	if (!is_control(cudest) || !is_whole(cudest, PARAMS, CONTROL_BYTES))
		return false;
	*out = field(cudest, LENGTH_AT, 8);
	return *out <= DUMP_BYTES_MAX;
}

/* Words up to something else. */
static void read_words(struct cudest *cudest, struct rest *rest)
{
	struct cudest_dump *dump = &cudest->dumps[cudest->current];
	uint64_t word;

	for (;;) {
		struct rest next;

		skip_blank(rest);
		next = *rest;
		if (!rest_skip_word(&next, "0x") || !rest_hex(&word, &next) || next.at - rest->at != 2 + 2 * WORD)
			return;
		*rest = next;
		dump->is_broken |= dump->bytes.length >= DUMP_BYTES_MAX;
		for (size_t i = 0; i < WORD && !dump->is_broken; i++)
			strbuf_addch(&dump->bytes, (char)(word >> 8 * i));
	}
}

/* "0x0010" before the words of a further line. */
static bool read_offset(struct cudest *cudest, struct rest *rest)
{
	struct cudest_dump *dump = &cudest->dumps[cudest->current];
	uint64_t offset;

	if (!rest_skip_word(rest, "0x") || !rest_hex(&offset, rest))
		return false;
	dump->is_broken |= offset != dump->bytes.length;
	read_words(cudest, rest);
	return true;
}

static bool read_result(struct cudest *cudest, struct rest *rest)
{
	if (cudest->has_result || !rest_skip_word(rest, "RESULT: ") || !rest_signed(&cudest->ret, rest))
		return false;
	cudest->has_result = true;
	cudest->current = PARAMS_AFTER;
	read_words(cudest, rest);
	return true;
}

static bool read_method(struct cudest *cudest, struct rest *rest)
{
	uint64_t object, command;

	if (!rest_skip_word(rest, "GPU method 0x") || !rest_hex(&object, rest) || !rest_skip_word(rest, ":") || !rest_hex(&command, rest))
		return false;
	cudest->current = cudest->has_result ? TARGET_AFTER : TARGET;
	read_words(cudest, rest);
	return true;
}

/* Has everything been printed that the shim prints of this call? */
static bool is_done(const struct cudest *cudest)
{
	uint64_t target;

	if (!cudest->has_result)
		return false;
	if (cudest->ret)
		return true;
	if (!is_whole(cudest, PARAMS_AFTER, cudest->size_bytes))
		return false;
	if (!is_control(cudest))
		return true;
	return cudest->current == TARGET_AFTER && target_bytes(&target, cudest) && is_whole(cudest, TARGET_AFTER, target);
}

bool cudest_begin(struct cudest *cudest, struct rest line)
{
	uint64_t number, size_bytes, fd;

	if (!rest_skip_past(&line, "ioctl ") || !rest_hex(&number, &line) || !rest_skip_word(&line, ", ") || !rest_number(&size_bytes, &line) ||
	    !rest_skip_word(&line, "-byte param, fd ") || !rest_number(&fd, &line) || number > 0xff || size_bytes > 0x3fff)
		return false;
	for (size_t i = 0; i < CUDEST_DUMPS; i++) {
		strbuf_reset(&cudest->dumps[i].bytes);
		cudest->dumps[i].is_broken = false;
	}
	cudest->is_open = true;
	cudest->number = number;
	cudest->size_bytes = size_bytes;
	cudest->has_result = false;
	cudest->current = PARAMS;
	cudest->foreign = 0;
	read_words(cudest, &line);
	return true;
}

enum cudest_line cudest_line(struct cudest *cudest, struct rest line)
{
	bool is_mine = false;

	skip_blank(&line);
	if (!rest_length(&line) && cudest->has_result)
		return CUDEST_DONE; /* the empty line that ends a call */
	while (rest_length(&line) && (read_method(cudest, &line) || read_result(cudest, &line) || read_offset(cudest, &line)))
		is_mine = true;
	if (is_done(cudest))
		return CUDEST_DONE;
	if (is_mine || rest_skip_word(&line, "LENGTH MODIFIED BY CALL!")) {
		cudest->foreign = 0;
		return CUDEST_MORE;
	}
	return cudest->has_result || ++cudest->foreign > FOREIGN_MAX ? CUDEST_LOST : CUDEST_FOREIGN;
}

static const uint8_t *bytes_of(const struct cudest *cudest, size_t dump, uint64_t size_bytes)
{
	return is_whole(cudest, dump, size_bytes) ? (const uint8_t *)strbuf_text(&cudest->dumps[dump].bytes) : NULL;
}

bool cudest_end(struct decode_line *out, struct cudest *cudest)
{
	struct decode_line found = { .family = "frontend", .number = cudest->number, .has_size = true, .size_bytes = cudest->size_bytes,
				     .has_ret = cudest->has_result, .ret = cudest->ret };
	uint64_t target;

	cudest->is_open = false;
	if (!cudest->size_bytes)
		return false;
	if (cudest->size_bytes == UVM_BYTES) {
		*out = (struct decode_line){ .family = "uvm", .number = (uint64_t)UVM_BYTES << 16 | cudest->number,
					     .has_ret = cudest->has_result, .ret = cudest->ret };
		return true;
	}
	found.before = bytes_of(cudest, PARAMS, cudest->size_bytes);
	found.after = cudest->has_result && !cudest->ret ? bytes_of(cudest, PARAMS_AFTER, cudest->size_bytes) : NULL;
	if (target_bytes(&target, cudest) && target)
		found.blocks[found.block_count++] = (struct decode_block){
			.address = field(cudest, POINTER_AT, 8), .size_bytes = target,
			.before = bytes_of(cudest, TARGET, target),
			.after = found.after ? bytes_of(cudest, TARGET_AFTER, target) : NULL,
		};
	*out = found;
	return true;
}

void cudest_release(struct cudest *cudest)
{
	for (size_t i = 0; i < CUDEST_DUMPS; i++)
		strbuf_release(&cudest->dumps[i].bytes);
}
