#include "base/conditions.h"

static enum branch other_branch(enum branch branch, bool is_else)
{
	switch (branch) {
	case BRANCH_COMPILED:
	case BRANCH_PASSED:
		return BRANCH_PASSED;
	case BRANCH_SKIPPED:
		return is_else ? BRANCH_COMPILED : BRANCH_UNKNOWN;
	case BRANCH_UNKNOWN:
		break;
	}
	return BRANCH_UNKNOWN;
}

static enum branch *innermost(struct conditions *conditions)
{
	unsigned depth = conditions->depth;

	return &conditions->branch[(depth > CONDITIONS_MAX ? CONDITIONS_MAX : depth) - 1];
}

bool conditions_follow(struct conditions *conditions, struct view line, enum branch opened)
{
	struct view name;
	bool is_else, is_end;

	if (!view_cut(&line, "#") || !view_cut_name(&name, &line))
		return true;
	if (view_is(name, "if") || view_is(name, "ifdef") || view_is(name, "ifndef")) {
		conditions->depth++;
		*innermost(conditions) = opened;
		return true;
	}
	is_else = view_is(name, "else");
	is_end = view_is(name, "endif");
	if (!is_else && !is_end && !view_is(name, "elif"))
		return true;
	if (!conditions->depth)
		return false;
	if (is_end)
		conditions->depth--;
	else
		*innermost(conditions) = other_branch(*innermost(conditions), is_else);
	return true;
}

enum branch conditions_opened(struct view line)
{
	struct view name;

	if (view_cut(&line, "#") && view_cut_name(&name, &line) && view_is(name, "if") && view_is(line, "0"))
		return BRANCH_SKIPPED;
	return BRANCH_UNKNOWN;
}

enum branch conditions_branch(const struct conditions *conditions)
{
	enum branch branch = BRANCH_COMPILED;

	for (unsigned i = 0; i < conditions->depth && i < CONDITIONS_MAX; i++) {
		if (conditions->branch[i] == BRANCH_SKIPPED || conditions->branch[i] == BRANCH_PASSED)
			return BRANCH_SKIPPED;
		if (conditions->branch[i] == BRANCH_UNKNOWN)
			branch = BRANCH_UNKNOWN;
	}
	return branch;
}
