#include "cli/sniff_listen.h"

#include "cli/output.h"
#include "cli/sniff_chain.h"
#include "listen/listen.h"
#include "sniff/sniff.h"

static void started(void *data)
{
	const struct sniff_log *log = data;

	sniff_log_begin(data, sniff_target());
	output_note(log->args, "listening; run the workload with GVISOR_IOCTL_SNIFFER_SOCKET_PATH=%s", log->args->listen);
}

static bool message(void *data, const struct trace_message *message_)
{
	struct sniff_log *log = data;
	struct call chain[CALL_DEPTH_MAX];
	const size_t count = sniff_chain_of(chain, message_, log->judge.abi);

	return sniff_log_message(log, message_, chain, count);
}

static void note(void *data, const char *sentence)
{
	const struct sniff_log *log = data;

	output_note(log->args, "%s", sentence);
}

int sniff_listen_run(struct sniff_log *log, struct err *err)
{
	const struct listen_options options = { .path = log->args->listen, .until_gone = log->args->once };
	const struct listen_observer observer = { .started = started, .message = message, .note = note, .data = log };

	return listen_run(&options, &observer, err);
}
