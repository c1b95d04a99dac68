/*
 * gen/client_text.c - a client as C: tables, between the two texts that are the same for all
 */
#include "gen/client_internal.h"

#include <inttypes.h>

/* As PAGE in client_tail.txt. */
enum { PAGE_ROUND = 65536 };

#ifndef GEN_DIR
#error "GEN_DIR is the directory of the program's text; the Makefile sets it"
#endif

EMBED(client_head, GEN_DIR "/client_head.txt");
EMBED(client_tail, GEN_DIR "/client_tail.txt");

/* A byte in a string of C. After an escape of fewer than three digits no digit may follow, so digits are escaped; so is '?', of trigraphs. */
static void add_byte(struct strbuf *out, uint8_t byte)
{
	if ((byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z'))
		strbuf_addch(out, (char)byte);
	else
		strbuf_addf(out, "\\%o", byte);
}

static void add_string(struct strbuf *out, const char *text)
{
	strbuf_addch(out, '"');
	for (; *text; text++) {
		if ((unsigned char)*text >= 0x20 && (unsigned char)*text < 0x7f && *text != '"' && *text != '\\' && *text != '?')
			strbuf_addch(out, *text);
		else
			strbuf_addf(out, "\\%03o", (unsigned char)*text);
	}
	strbuf_addch(out, '"');
}

static void add_bytes(struct strbuf *out, const struct sequences *bytes)
{
	enum { ON_A_LINE = 32 };
	const uint8_t *all = sequences_data(bytes);
	const size_t count = sequences_count(bytes);

	strbuf_adds(out, "static const unsigned char bytes[] =");
	for (size_t i = 0; i < count; i++) {
		if (i % ON_A_LINE == 0)
			strbuf_adds(out, i ? "\"\n\t\"" : "\n\t\"");
		add_byte(out, all[i]);
	}
	strbuf_adds(out, count ? "\";\n\n" : " \"\";\n\n");
}

static void add_names(struct strbuf *out, const struct gen_client *client)
{
	strbuf_adds(out, "static const char *const names[] = {\n");
	for (size_t i = 0; i < client->name_count; i++) {
		strbuf_addch(out, '\t');
		add_string(out, client->names[i]);
		strbuf_adds(out, ",\n");
	}
	strbuf_adds(out, "};\n\nstatic const struct descriptor descriptors[] = {\n");
	for (size_t i = 0; i < client->descriptor_count; i++) {
		strbuf_adds(out, "\t{ ");
		add_string(out, client->descriptors[i].path);
		strbuf_addf(out, ", %" PRId32 " },\n", client->descriptors[i].number);
	}
	strbuf_adds(out, client->descriptor_count ? "};\n\n" : "\t{ \"\", -1 },\n};\n\n");
}

static void add_handles(struct strbuf *out, const struct gen_client *client)
{
	strbuf_adds(out, "/* Handles that the driver chose. */\nstatic const uint32_t handles[] = {\n");
	for (size_t i = 0; i < client->handle_count; i++)
		strbuf_addf(out, "\t%#" PRIx32 ",\n", client->handles[i]);
	strbuf_adds(out, client->handle_count ? "};\n\n" : "\t0,\n};\n\n");
}

static void add_number(struct strbuf *out, uint32_t value, uint32_t special, const char *word)
{
	if (value == special)
		strbuf_adds(out, word);
	else
		strbuf_addf(out, "%" PRIu32, value);
}

static void add_blocks(struct strbuf *out, const struct gen_client *client)
{
	const struct client_block *blocks = sequences_data(client->blocks);
	const size_t count = sequences_count(client->blocks);

	strbuf_adds(out, "static const struct block blocks[] = {\n");
	for (size_t i = 0; i < count; i++) {
		strbuf_addf(out, "\t{ %" PRIu32 ", %" PRIu32 ", ", blocks[i].size, blocks[i].before);
		add_number(out, blocks[i].after, CLIENT_NOTHING, "NOTHING");
		strbuf_adds(out, ", ");
		add_number(out, blocks[i].beyond, CLIENT_UNMAPPED, "UNMAPPED");
		strbuf_adds(out, " },\n");
	}
	strbuf_adds(out, count ? "};\n\n" : "\t{ 0, 0, 0, 0 },\n};\n\n");
}

static void add_patches(struct strbuf *out, const struct gen_client *client)
{
	static const char *const words[] = {
		[CLIENT_POINTER] = "POINTER", [CLIENT_HANDLE] = "HANDLE", [CLIENT_DESCRIPTOR] = "DESCRIPTOR", [CLIENT_NEW_HANDLE] = "NEW_HANDLE",
		[CLIENT_NEW_DESCRIPTOR] = "NEW_DESCRIPTOR",
	};
	const struct client_patch *patches = sequences_data(client->patches);
	const size_t count = sequences_count(client->patches);

	strbuf_adds(out, "static const struct patch patches[] = {\n");
	for (size_t i = 0; i < count; i++)
		strbuf_addf(out, "\t{ %s, %" PRIu32 ", %" PRIu32 ", %" PRIu32 ", %" PRIu32 " },\n", words[patches[i].kind], patches[i].block,
			    patches[i].offset, patches[i].to, patches[i].detail);
	strbuf_adds(out, count ? "};\n\n" : "\t{ 0, 0, 0, 0, 0 },\n};\n\n");
}

static void add_maps(struct strbuf *out, const struct gen_client *client)
{
	const struct client_map *maps = sequences_data(client->maps);
	const size_t count = sequences_count(client->maps);

	strbuf_adds(out, "static const struct map maps[] = {\n");
	for (size_t i = 0; i < count; i++)
		strbuf_addf(out, "\t{ %#" PRIx64 ", %" PRIu64 ", %" PRIu64 ", %" PRIu32 ", %#" PRIx32 " },\n", maps[i].address, maps[i].size, maps[i].offset,
			    (uint32_t)maps[i].protection, (uint32_t)maps[i].flags);
	strbuf_adds(out, count ? "};\n\n" : "\t{ 0, 0, 0, 0, 0 },\n};\n\n");
}

static void add_steps(struct strbuf *out, const struct gen_client *client)
{
	static const char *const words[] = { [CLIENT_OPEN] = "OPEN", [CLIENT_IOCTL] = "IOCTL", [CLIENT_MAP] = "MAP" };

	strbuf_adds(out, "/* kind, patches, blocks, name, descriptor, block, patch, request, argument, ret, errno */\nstatic const struct step steps[] = {\n");
	for (size_t i = 0; i < client->step_count; i++) {
		const struct client_step *step = &client->steps[i];

		strbuf_addf(out, "\t{ %s, %zu, %zu, %" PRIu32 ", %" PRIu32 ", %" PRIu32 ", %" PRIu32 ", %#" PRIx64 ", %#" PRIx64 ", %" PRId32 ", %" PRId32 " },\n",
			    words[step->kind], step->patch_count, step->block_count, step->name, step->descriptor, step->block, step->patch, step->request,
			    step->argument, step->ret, step->error);
	}
	strbuf_adds(out, "};\n");
}

/* Within a comment: whatever a document holds, it ends nothing. */
static void add_word(struct strbuf *out, const char *text)
{
	for (; *text; text++)
		strbuf_addch(out, (unsigned char)*text < 0x20 || (unsigned char)*text > 0x7e || *text == '/' || *text == '*' ? '?' : *text);
}

static void add_origin(struct strbuf *out, const struct gen_client *client)
{
	strbuf_addf(out, "/*\n * Makes %zu calls of a trace again, as they were recorded with ", client->step_count);
	add_word(out, client->abi->driver);
	strbuf_addch(out, ' ');
	add_word(out, client->abi->version);
	strbuf_adds(out, ", ");
	add_word(out, client->abi->target);
	strbuf_adds(out, ".\n * Made by drvabi gen --lang c --client.\n *\n *\tcc -O1 -static -o client client.c\n */\n");
}

void gen_client_write(struct strbuf *out, const struct gen_client *client)
{
	add_origin(out, client);
	strbuf_adds(out, client_head);
	add_bytes(out, client->bytes);
	add_names(out, client);
	add_handles(out, client);
	add_blocks(out, client);
	add_patches(out, client);
	add_maps(out, client);
	strbuf_addf(out, "enum { ROOM = %zu, BLOCKS_MAX = %zu };\n\n", (client->room_bytes / PAGE_ROUND + 1) * PAGE_ROUND, client->blocks_max);
	add_steps(out, client);
	strbuf_adds(out, client_tail);
}
