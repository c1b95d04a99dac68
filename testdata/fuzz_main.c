/*
 * Selects the fuzz target that the program is named after. TARGETS is the list of targets: TARGET(a) TARGET(b) ...
 * libFuzzer has the main(), and calls the functions below.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define TARGET(name) int fuzz_target_##name(const uint8_t *data, size_t size);
TARGETS
#undef TARGET

static int (*chosen)(const uint8_t *data, size_t size);

#define TARGET(name) { #name, fuzz_target_##name },

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	static const struct {
		const char *name;
		int (*test_one)(const uint8_t *data, size_t size);
	} targets[] = { TARGETS };
	const char *slash = strrchr((*argv)[0], '/'), *asked = slash ? slash + 1 : (*argv)[0];

	(void)argc;
	for (size_t i = 0; i < sizeof(targets) / sizeof(targets[0]); i++)
		if (!strcmp(asked, targets[i].name))
			chosen = targets[i].test_one;
	if (!chosen) {
		fprintf(stderr, "there is no target %s\n", asked);
		exit(2);
	}
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return chosen(data, size);
}
