/*
 * cli/bootstrap_files.h - what bootstrap writes into a directory
 *
 * Layer L6.
 */
#ifndef CLI_BOOTSTRAP_FILES_H
#define CLI_BOOTSTRAP_FILES_H

#include "bootstrap/bootstrap.h"
#include "cli/cli.h"

/**
 * bootstrap_files_write - report.md, table.patch.json, structs.go and bootstrap.json, all or none
 * @dir: is made if there is none; what else is in it stays
 *
 * Return: 0; ERR_USAGE if one of them is what this run reads; ERR_IO: then all are as they were before.
 */
int bootstrap_files_write(const char *dir, const struct bootstrap *bootstrap, struct err *err);

#endif
