#include "bootstrap/bootstrap.h"

const char *bootstrap_verdict_name(enum bootstrap_verdict verdict)
{
	switch (verdict) {
	case BOOTSTRAP_NOTHING: return "nothing";
	case BOOTSTRAP_NODE_ONLY: return "node only";
	case BOOTSTRAP_CHANGES: return "node with changes";
	}
	return "";
}

const char *bootstrap_action_name(enum bootstrap_action action)
{
	switch (action) {
	case BOOTSTRAP_NONE: return "none";
	case BOOTSTRAP_REPLACE: return "replace";
	case BOOTSTRAP_REMOVE: return "remove";
	case BOOTSTRAP_RENUMBER: return "renumber";
	case BOOTSTRAP_RENAME: return "rename";
	case BOOTSTRAP_ADD: return "add";
	}
	return "";
}

const char *bootstrap_site_name(enum bootstrap_site site)
{
	switch (site) {
	case BOOTSTRAP_HANDLER: return "handler";
	case BOOTSTRAP_INFO: return "info";
	case BOOTSTRAP_STRUCT: return "struct";
	case BOOTSTRAP_CONSTANT: return "constant";
	case BOOTSTRAP_SECCOMP: return "seccomp";
	}
	return "";
}

const char *bootstrap_doubt_name(enum bootstrap_doubt doubt)
{
	switch (doubt) {
	case BOOTSTRAP_POINTER: return "pointer";
	case BOOTSTRAP_FD: return "fd";
	case BOOTSTRAP_PID: return "pid";
	case BOOTSTRAP_MAYBE_POINTER: return "maybe-pointer";
	case BOOTSTRAP_COUNT_TIMES_SIZE: return "count-times-size";
	}
	return "";
}
