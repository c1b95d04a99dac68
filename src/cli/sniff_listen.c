#include "cli/sniff_listen.h"

#include "cli/output.h"
#include "cli/sniff_recorder.h"
#include "sniff/sniff.h"

static void started(void *data)
{
	const struct sniff_log *log = data;

	sniff_log_begin(data, sniff_target());
	output_note(log->args, "listening; run the workload with GVISOR_IOCTL_SNIFFER_SOCKET_PATH=%s", log->args->listen);
}

int sniff_listen_run(struct sniff_log *log, struct err *err)
{
	const struct listen_options options = { .path = log->args->listen, .until_gone = log->args->once };
	const struct listen_observer observer = { .started = started, .message = sniff_recorder_message, .note = sniff_recorder_loss, .data = log };

	return listen_run(&options, &observer, err);
}
