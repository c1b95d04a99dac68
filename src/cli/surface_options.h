/*
 * cli/surface_options.h - what the options of surface select
 *
 * Layer L6.
 */
#ifndef CLI_SURFACE_OPTIONS_H
#define CLI_SURFACE_OPTIONS_H

#include "cli/cli.h"
#include "store/store.h"
#include "verify/verify.h"

/* One run of surface. */
struct surface_run {
	const struct cli_args *args;
	struct store_request request;
	struct table table;
	struct table_view view, base;  /* with --table; with --since */
	unsigned roles;                /* with --role: bits of 1u << enum abi_role */
	struct profile_strings wanted; /* with --caps */
	struct caps caps;
	struct caps_since since;
	struct surface surface;
};

/**
 * surface_options_read - sets @wanted, @caps and @since of a run whose document, and table if any, are loaded
 *
 * Return: 0; ERR_NOT_FOUND if one of the options matches nothing, with what is near.
 */
int surface_options_read(struct surface_run *run, struct err *err);

/* surface_options_check - is anything selected? Return: 0, also for a driver without ioctls; ERR_NOT_FOUND. */
int surface_options_check(const struct surface_run *run, struct err *err);

#endif
