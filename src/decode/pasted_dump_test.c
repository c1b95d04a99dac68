/*
 * Tests of dumps after the line of a call: does the dump have the call's bytes? A row has lines, and the
 * calls that they report (struct lines_fact). If the dump belongs to the call, the call has "before".
 */
#include "decode/fixture_test.h"

#define CALL(size) "nvproxy: unknown control command 0x20800110 (paramsSize=" size ")\n"
#define DUMP "00000000  4e 56 49 44 49 41                                 |NVIDIA|\n"
#define DUMP_16 "00000000  4e 41 4e 41 4e 41 4e 41  4e 41 4e 41 4e 41 4e 41  |NANANANANANANANA|\n"
#define FOUND(size) "control 0x20800110[" size "]"
#define JOINED FOUND("6") " before 4e5649444941"

static const struct lines_fact facts[] = {
	{ "a dump of hexdump -C is joined", CALL("6") DUMP "00000006\n", "end: " JOINED },
	{ "hexdump's last line can be missing", CALL("6") DUMP, "end: " JOINED },
	{ "a dump of hexdump is joined", CALL("6") "0000000 564e 4449 4149\n0000006\n", "end: " JOINED },
	{ "a dump of xxd is joined",
	  CALL("6") "00000000: 4e56 4944 4941                           NVIDIA\nsomething else\n",
	  "3: " JOINED },
	{ "a dump of xxd with blanks before its offsets is joined",
	  CALL("18") "  00000000: 4e56 4944 4941 4e56 4944 4941 4e56 4944  NVIDIANVIDIANVID\r\n"
		     "  00000010: 4941  IA\r\n",
	  "end: " FOUND("18") " before 4e56494449414e56494449414e5649444941" },
	{ "a dump with a repeated line is joined", CALL("32") DUMP_16 "*\n00000020\n",
	  "end: " FOUND("32") " before 4e414e414e414e414e414e414e414e414e414e414e414e414e414e414e414e41" },
	{ "the call is reported where its dump ends", CALL("6") DUMP "00000006\nfour\nfive\n", "4: " JOINED },
	{ "a call without a dump is reported at the next line", CALL("6") "two\nthree\n", "2: " FOUND("6") },
	{ "a dump that is larger than the parameters is not joined", CALL("5") DUMP, "end: " FOUND("5") },
	{ "a dump that is smaller than the parameters is not joined", CALL("7") DUMP, "end: " FOUND("7") },
	{ "a call without parameters is not held", CALL("0") DUMP, "1: " FOUND("0") },
	{ "a call with an unknown size is not held", "nvproxy: unknown control command 0x20800110\n" DUMP,
	  "1: control 0x20800110" },
	{ "an empty line separates a dump from its call", CALL("6") "\n" DUMP, "2: " FOUND("6") },
	{ "another line separates a dump from its call", CALL("6") "another line\n" DUMP, "2: " FOUND("6") },
	{ "a word before the offset is not a dump", CALL("6") "I1122 20:00:00 " DUMP, "2: " FOUND("6") },
	{ "an empty line separates the lines of a dump",
	  CALL("18") "00000000  4e 56 49 44 49 41 4e 56  49 44 49 41 4e 56 49 44  |NVIDIANVIDIANVID|\n\n"
		     "00000010  49 41  |IA|\n",
	  "3: " FOUND("18") },
	{ "a dump is of the last call before it, even if only the first has its size",
	  CALL("6") CALL("8") DUMP, "2: " FOUND("6") "\n" "end: " FOUND("8") },
	{ "a dump is of the last call before it", CALL("8") CALL("6") DUMP CALL("6"),
	  "2: " FOUND("8") "\n" "4: " JOINED "\n" "end: " FOUND("6") },
	{ "a dump that does not begin at offset 0 is not joined",
	  CALL("6") "00000010  4e 56 49 44 49 41                                 |NVIDIA|\n",
	  "2: " FOUND("6") },
	{ "a dump with a missing line is not joined", CALL("34") DUMP_16 "00000020  4e 41  |NA|\n",
	  "end: " FOUND("34") },
	{ "a dump that ends with a star is not joined", CALL("32") DUMP_16 "*\n", "end: " FOUND("32") },
	{ "a dump with other letters than digits is not joined", CALL("6") "00000000  4e 56 49 44 zz 41\n",
	  "end: " FOUND("6") },
	{ "a dump does not begin with a star", CALL("6") "*\n00000006\n", "2: " FOUND("6") },
	{ "a line of xxd does not belong to a dump of hexdump",
	  CALL("12") "00000000  4e 56 49 44 49 41 |NVIDIA|\n00000006: 4e56 4944 4941  NVIDIA\n",
	  "3: " FOUND("12") },
	{ "a dump with a line after its end is not joined", CALL("6") DUMP "00000006\n00000006  4e\n",
	  "end: " FOUND("6") },
	{ "two dumps are not one", CALL("12") DUMP DUMP, "3: " FOUND("12") },
	{ "of two dumps, the first is joined", CALL("6") DUMP DUMP, "3: " JOINED },
};

TEST(the_dumps_that_belong_to_a_call_are_joined)
{
	check_lines(facts, COUNT(facts), NULL, NULL, false);
}

TEST(a_pause_ends_the_wait)
{
	static const char line[] = "nvproxy: unknown control command 0x20800110 (paramsSize=6)",
			  dump[] = "00000000  4e 56 49 44 49 41";
	struct strbuf calls = { 0 };
	struct lines_printer printer = { &calls, 1 };
	struct decode_lines *lines = decode_lines_new(
		NULL, NULL, &(struct decode_sink){ .found = print_call, .data = &printer });

	assert_int_equal(decode_lines_read(lines, line, strlen(line), NULL), 0);
	assert_true(decode_lines_is_waiting(lines));
	assert_int_equal(decode_lines_skip(lines, "x\n", 2), 0);
	assert_int_equal(decode_lines_flush(lines, NULL), 0);
	printer.line = 2;
	assert_int_equal(decode_lines_read(lines, dump, strlen(dump), NULL), 0);
	assert_int_equal(decode_lines_end(lines, NULL), 0);
	decode_lines_free(lines);
	assert_false(text_differs("one call, before the dump", &calls, "1: control 0x20800110[6]"));
}
