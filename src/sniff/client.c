#include "sniff/client.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void damage(struct client *client, const struct client_room *room, const char *why)
{
	struct strbuf sentence = { 0 };

	strbuf_addf(&sentence, "process %ld does not send what gVisor's hook sends, and is ignored from byte %" PRIu64 " on: %s", (long)client->pid,
		    client->offset_bytes, why);
	room->observer->note(room->observer->data, sentence.text);
	strbuf_release(&sentence);
	strbuf_release(&client->pending);
	client->is_damaged = true;
}

/* Whatever else the message claims, it is not gVisor's to say. */
static bool pass_on(const struct client *client, const struct client_room *room, const struct trace_message *got)
{
	const struct trace_message message = {
		.kind = TRACE_IOCTL, .fd_path = got->fd_path, .fd = -1, .request = got->request, .ret = got->ret, .after = got->after,
		.pid = (uint32_t)client->pid, .version = "", .target = "", .command = "",
	};

	return room->observer->message(room->observer->data, &message);
}

/* Passes on what is whole of these bytes, and remembers the rest. */
static void take_all(struct client *client, struct client_room *room, const uint8_t *at, const uint8_t *end)
{
	const uint8_t *from = at;
	struct trace_message message;
	struct err err;
	int rc;

	while ((rc = trace_take(&message, room->unpacker, &at, end, CLIENT_MESSAGE_MAX, &err)) == 1) {
		if (message.kind != TRACE_IOCTL || !*message.fd_path) {
			damage(client, room, "a message that is no ioctl of a device");
			return;
		}
		client->offset_bytes += (uint64_t)(at - from);
		from = at;
		if (!pass_on(client, room, &message)) {
			room->is_ended = true;
			return;
		}
	}
	if (rc < 0) {
		damage(client, room, err.text);
		return;
	}
	strbuf_reset(&client->pending);
	strbuf_add(&client->pending, at, (size_t)(end - at));
}

bool client_read(struct client *client, struct client_room *room)
{
	const size_t before = client->pending.length;
	ssize_t got;

	if (before)
		memcpy(room->bytes, client->pending.text, before);
	do
		got = read(client->fd, room->bytes + before, CLIENT_READ_BYTES);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return errno == EAGAIN;
	if (got && !client->is_damaged)
		take_all(client, room, room->bytes, room->bytes + before + got);
	return got > 0;
}

void client_close(struct client *client)
{
	close(client->fd);
	strbuf_release(&client->pending);
}
