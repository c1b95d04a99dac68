#include "bootstrap/lists.h"

#include <stdlib.h>

void lists_audit(struct boot *boot, struct bootstrap_audit one)
{
	struct boot_lists *lists = boot->lists;

	ARRAY_GROW(lists->audit, lists->audit_count, lists->audit_capacity);
	lists->audit[lists->audit_count++] = one;
}

void lists_todo(struct boot *boot, struct bootstrap_todo one)
{
	struct boot_lists *lists = boot->lists;

	ARRAY_GROW(lists->todo, lists->todo_count, lists->todo_capacity);
	lists->todo[lists->todo_count++] = one;
}

void lists_not_checked(struct boot *boot, const char *text)
{
	struct boot_lists *lists = boot->lists;

	ARRAY_GROW(lists->not_checked, lists->not_checked_count, lists->not_checked_capacity);
	lists->not_checked[lists->not_checked_count++] = text;
}

void lists_proof(struct boot *boot, const char *text)
{
	struct boot_lists *lists = boot->lists;

	ARRAY_GROW(lists->proof, lists->proof_count, lists->proof_capacity);
	lists->proof[lists->proof_count++] = text;
}

void lists_finish(struct boot *boot)
{
	struct boot_lists *lists = boot->lists;
	struct bootstrap *out = &boot->out;

	out->audit = arena_memdup(boot->arena, lists->audit, lists->audit_count * sizeof(*lists->audit));
	out->audit_count = lists->audit_count;
	out->todo = arena_memdup(boot->arena, lists->todo, lists->todo_count * sizeof(*lists->todo));
	out->todo_count = lists->todo_count;
	out->not_checked = arena_memdup(boot->arena, lists->not_checked, lists->not_checked_count * sizeof(*lists->not_checked));
	out->not_checked_count = lists->not_checked_count;
	out->proof.text = arena_memdup(boot->arena, lists->proof, lists->proof_count * sizeof(*lists->proof));
	out->proof.text_count = lists->proof_count;
}

void lists_release(struct boot_lists *lists)
{
	free(lists->audit);
	free(lists->todo);
	free(lists->not_checked);
	free(lists->proof);
}
