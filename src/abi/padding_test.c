/* Tests of the names of unused bytes. */
#include "abi/fixture_test.h"

static void a_name_is_one_for_padding(void **state)
{
	static const struct {
		const char *fact;
		bool (*is_padding)(const char *name);
		const char *names[5], *others[5];
	} rows[] = {
		{ "a word in front is enough for diff", padding_in_diff,
		  { "reserved", "params.rsvd_0", "__reserved_flags", "e[].Reserved_0x960", "Dummy[2]" },
		  { "padlinkMask", "reservedSorMask", "reserved.size" } },
		{ "a field of the driver is padding by its whole name", padding_of_driver,
		  { "pad0", "s.Reserved_1", "__rsvd" }, { "reserved_flags", "dummy", "padlink" } },
		{ "a proxy has its own words", padding_of_proxy,
		  { "_", "Pad0", "padding_1" }, { "Reserved", "Padlock" } },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		for (size_t k = 0; k < 5 && rows[i].names[k]; k++)
			if (!rows[i].is_padding(rows[i].names[k]))
				fail_msg("%s: %s", rows[i].fact, rows[i].names[k]);
		for (size_t k = 0; k < 5 && rows[i].others[k]; k++)
			if (rows[i].is_padding(rows[i].others[k]))
				fail_msg("%s: not %s", rows[i].fact, rows[i].others[k]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(a_name_is_one_for_padding) };

	return cmocka_run_group_tests(tests, NULL, release_arena);
}
