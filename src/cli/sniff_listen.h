/*
 * cli/sniff_listen.h - drvabi sniff --listen SOCKET
 *
 * Layer L6.
 */
#ifndef CLI_SNIFF_LISTEN_H
#define CLI_SNIFF_LISTEN_H

#include "cli/sniff_log.h"

/* sniff_listen_run - take what gVisor's hook sends, until a signal, or with --once until all who connected have gone. Return: 0; ERR_IO. */
int sniff_listen_run(struct sniff_log *log, struct err *err);

#endif
