#include "decode/lifetime.h"

#include "call/call.h"
#include "history/history.h"

/* Does a version have it? A version that cannot be read has what its nearest readable ancestor has. */
static bool has(const struct history_graph *graph, long version, const char *family, uint64_t number)
{
	while (version >= 0 && !graph->versions[version].abi)
		version = graph->versions[version].parent;
	return version >= 0 && call_find(graph->versions[version].abi, family, number);
}

static void list(struct strbuf *out, const struct history_graph *graph, const char *family, uint64_t number, bool wanted, const char *first)
{
	const char *before = first;

	for (size_t v = 0; v < graph->version_count; v++) {
		if (has(graph, (long)v, family, number) != wanted || has(graph, graph->versions[v].parent, family, number) == wanted)
			continue;
		strbuf_addf(out, "%s%s", before, graph->versions[v].version);
		before = ", ";
	}
}

void decode_lifetime_text(struct strbuf *out, const struct history_graph *graph, const char *family, uint64_t number)
{
	list(out, graph, family, number, true, "");
	list(out, graph, family, number, false, "; until ");
}
