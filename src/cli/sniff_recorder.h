/*
 * cli/sniff_recorder.h - what a recorder that follows no call itself tells: the call is followed by what was recorded
 *
 * Layer L6. Observers of the rooms listen and preload; their data is a struct sniff_log.
 */
#ifndef CLI_SNIFF_RECORDER_H
#define CLI_SNIFF_RECORDER_H

#include "decode/decode.h"

#include <stdbool.h>

/**
 * sniff_recorder_message - a whole message
 * @log: a struct sniff_log
 *
 * What the call is, is told by the bytes before it, or, if these were not recorded, by those after it.
 *
 * Return: false if the workload is to end.
 */
bool sniff_recorder_message(void *log, const struct trace_message *message);

/* sniff_recorder_loss - a sentence about calls that were not recorded, which --quiet does not leave out */
void sniff_recorder_loss(void *log, const char *sentence);

#endif
