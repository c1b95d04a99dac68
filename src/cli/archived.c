#include "cli/archived.h"

#include <stdlib.h>
#include <string.h>

enum { ARCHIVE_LIMIT_BYTES = 256 * 1024 * 1024 };

int archived_open(const struct archive **out, const struct cli_args *args, struct arena *arena, struct err *err)
{
	const struct archive *archive;
	struct strbuf bytes = { 0 };
	size_t target;
	int rc;

	if (!(rc = file_read(&bytes, args->archive, ARCHIVE_LIMIT_BYTES, err)))
		rc = archive_open(&archive, strbuf_text(&bytes), bytes.length, args->archive, arena, err);
	strbuf_release(&bytes);
	if (rc)
		return rc;
	if (!archive_target(&target, archive, args->target))
		return err_set(err, ERR_USAGE, "%s has no documents for %s; it has those for %s, which --target names", args->archive,
			       args->target, archive_head(archive)->targets[0]);
	*out = archive;
	return 0;
}

int archived_load(struct load_request *request, const struct archive *archive, const struct cli_args *args)
{
	struct abi **wanted;
	size_t index, target = 0;
	int rc;

	rc = archive_find(&index, archive, request->version, &request->err);
	if (rc == ERR_NOT_FOUND && request->may_lack) {
		request->lacking = true;
		return 0;
	}
	if (rc)
		return rc;
	wanted = arena_array(&request->arena, archive_head(archive)->count, sizeof(struct abi *));
	wanted[index] = &request->abi;
	archive_target(&target, archive, args->target);
	return archive_documents(wanted, archive, target, &request->arena, &request->err);
}

void archived_graph(struct source_graph *out, const struct archive *archive, struct arena *arena)
{
	const struct archive_head *head = archive_head(archive);
	struct source_version *versions = arena_array(arena, head->count + 1, sizeof(*versions));

	for (size_t i = 0; i < head->count; i++)
		versions[i] = (struct source_version){
			.name = head->versions[i].name,
			.commit = head->versions[i].commit,
			.time = head->versions[i].time,
			.parent = head->versions[i].parent == ARCHIVE_NO_PARENT ? SOURCE_NO_PARENT : head->versions[i].parent,
			.on_main = head->versions[i].on_main,
		};
	*out = (struct source_graph){ .versions = versions, .count = head->count, .main = head->main, .shallow = head->shallow };
}

int archived_documents(struct load_request *requests, const struct archive *archive, const char *target, struct arena *arena,
		       struct err *err)
{
	size_t index = 0, count = archive_head(archive)->count;
	struct abi **wanted = xmalloc((count + 1) * sizeof(*wanted));
	int rc;

	for (size_t i = 0; i < count; i++)
		wanted[i] = requests[i].skipped ? NULL : &requests[i].abi;
	archive_target(&index, archive, target);
	rc = archive_documents(wanted, archive, index, arena, err);
	free(wanted);
	return rc;
}
