#include "report/decode.h"

#include "abi/abi.h"
#include "report/wrap.h"

void report_trace_event_text(struct strbuf *out, const struct report_trace_event *event, const struct report_style *style)
{
	struct wrap line;

	wrap_begin(&line, out, style, 0, 4);
	wrap_word(&line, INK_HEAD, 0, "%s", event->is_map ? "mmap" : "open");
	wrap_word(&line, INK_NONE, 1, "%s", event->path);
	if (event->is_map)
		wrap_word(&line, INK_NONE, 1, "%llu bytes at offset 0x%llx, protection %llu, flags 0x%llx", (unsigned long long)event->size_bytes,
			  (unsigned long long)event->offset, (unsigned long long)event->protection, (unsigned long long)event->map_flags);
	else
		wrap_word(&line, INK_NONE, 1, "flags 0x%llx", (unsigned long long)event->open_flags);
	if (event->is_map && event->ret >= 0)
		wrap_word(&line, INK_NONE, 1, "= 0x%llx", (unsigned long long)event->address);
	else
		wrap_word(&line, INK_NONE, 1, "= %lld", (long long)event->ret);
	wrap_end(&line);
}

void report_trace_event_json(struct strbuf *out, const struct report_trace_event *event)
{
	struct json_writer json = { .out = out, .compact = true };

	json_open_object(&json);
	json_key_string(&json, "kind", event->is_map ? "mmap" : "open");
	json_key_string(&json, "path", event->path);
	json_key(&json, "ret");
	json_number(&json, abi_number_signed(event->ret));
	if (event->is_map) {
		json_key_unsigned(&json, "address", event->address);
		json_key_unsigned(&json, "size", event->size_bytes);
		json_key_unsigned(&json, "protection", event->protection);
		json_key_unsigned(&json, "flags", event->map_flags);
		json_key_unsigned(&json, "offset", event->offset);
	} else {
		json_key_unsigned(&json, "flags", event->open_flags);
	}
	json_close_object(&json);
	json_end(&json);
}
