/*
 * cli/sniff_log.h - what becomes of the calls that sniff sees
 *
 * Layer L6. Each message is written to the trace, counted, and with -v told. At the end there is a summary. All that a person reads goes to
 * standard error: standard output is the workload's.
 */
#ifndef CLI_SNIFF_LOG_H
#define CLI_SNIFF_LOG_H

#include "cli/lineage.h"
#include "decode/decode.h"
#include "sniff/sniff.h"

/* --enforce */
enum sniff_enforce { SNIFF_ENFORCE_NOT, SNIFF_ENFORCE_INSTANT, SNIFF_ENFORCE_REPORT };

struct sniff_log {
	const struct cli_args *args;
	enum sniff_enforce enforce;
	enum trace_wire wire;
	bool is_json;

	struct lineage lineage;
	struct store_request document;  /* of the driver's version */
	struct store_request against;   /* with --against */
	struct table table;
	struct decode_scope scope;
	struct sniff_judge judge;
	struct use_rules rules;
	struct arena arena;

	struct sniff_use use;
	struct decode_seen *seen;       /* with --against */
	struct decode_handles *handles; /* of calls that are told */
	struct decode_memo *memo;       /* the same; what the summary holds outlives one */
	struct file_writer file;        /* the trace */
	int fd;                         /* of @file; -1: there is no trace */
	bool was_there;                 /* the trace's file, before */
	struct strbuf scratch;
	struct compress_packer *packer; /* if the trace is compressed as it is written */
	struct strbuf packed;
	bool has_losses;                /* some calls were not recorded, and that was said */
	bool has_failed;                /* the trace cannot be written any more; @why */
	struct err why;
};

/**
 * sniff_log_load - the documents, and the table that calls are judged by
 * @log:  zeroed but for args, enforce, wire and is_json; sniff_log_release() is due, also after an error
 * @version: of the driver
 */
int sniff_log_load(struct sniff_log *log, const char *version, struct err *err);

/* sniff_log_open - the file of -o, if there is one; it is not changed before sniff_log_begin(). */
int sniff_log_open(struct sniff_log *log, struct err *err);

/* sniff_log_begin - the workload runs: the trace is empty, and gets its header. */
void sniff_log_begin(struct sniff_log *log, const char *target);

/* sniff_log_give_up - the workload did not begin: a file that was not there before is no more. */
void sniff_log_give_up(struct sniff_log *log);

/* sniff_log_message - Return: false if the workload is to end. */
bool sniff_log_message(struct sniff_log *log, const struct trace_message *message, const struct call *chain, size_t chain_count);

/* sniff_log_pack - --compress compresses what sniff_log_bytes() writes at once, and not the whole file at the end. Before sniff_log_begin(). */
void sniff_log_pack(struct sniff_log *log);

/* sniff_log_bytes - whole messages as a trace has them; they are not counted. */
void sniff_log_bytes(struct sniff_log *log, const void *bytes, size_t size_bytes);

/* sniff_log_loss - a finished sentence about calls that were not recorded. */
void sniff_log_loss(struct sniff_log *log, const char *sentence);

/* sniff_log_is_unsupported - was there an ioctl that the table's proxy does not support? */
bool sniff_log_is_unsupported(const struct sniff_log *log);

/* sniff_log_is_refused - was there one that the proxy lacks, and the driver refused in the same words? */
bool sniff_log_is_refused(const struct sniff_log *log);

/* sniff_log_end - the summary. Return: 0; ERR_IO if the trace is not whole. */
int sniff_log_end(struct sniff_log *log, struct err *err);

void sniff_log_release(struct sniff_log *log);

#endif
