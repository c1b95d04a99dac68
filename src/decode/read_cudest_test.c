/*
 * Tests of the reader for libcudest's dumps. testdata/decode/libcudest.txt has real output of libcudest. A
 * row has lines, and the calls that they report (struct lines_fact).
 */
#include "decode/fixture_test.h"

#define ALLOC                                                                                                \
	"ioctl 2b, 32-byte param, fd 3\t0xc1d00001 0x00000000 0x00000005 0x00000006 \n"                      \
	"0x0010\t\t\t\t0x00000000 0x00000000 0x00000000 0x00000000 \n"
#define ALLOC_AFTER                                                                                          \
	"RESULT: 0\t\t\t0xc1d00001 0x00000000 0x00000005 0x00000006 \n"                                      \
	"0x0010\t\t\t\t0x00000000 0x00000000 0x00000000 0x00000022 \n"
#define ALLOC_BYTES " before 0100d0c100000000050000000600000000000000000000000000000000000000"
#define ALLOC_BYTES_AFTER " after 0100d0c100000000050000000600000000000000000000000000000022000000"
#define CONTROL                                                                                              \
	"0xc1d00001 0x5c000002 0x20802068 0x00000000 \n"                                                     \
	"0x0010\t\t\t\t0xbfe84040 0x000055a2 0x00000004 0x00000000 \n"
#define CONTROL_BYTES "0100d0c10200005c68208020000000004040e8bfa25500000400000000000000"
#define LINES_20 "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20\n"

/* In libcudest's pages, the first line has no words, and no dump follows RESULT. */
#define PAGE_CALL                                                                                            \
	"ioctl 2a, 32-byte param, fd 3\n0xc1d04277 0x5c000002 0x20800110 0x00000000\n"                       \
	"0x0010 0x73be4970 0x00007fff 0x00000014 0x00000000\nGPU method 0x5c000002:20800110\n"
#define PAGE_NAME "0x00000000 0x6f466547 0x20656372 0x20535447\n0x0010 0x4d303633\n"
#define PAGE_ZERO "0x00000000 0x00000000 0x00000000 0x00000000\n0x0010 0x00000000\n"
#define PAGE_AFTER                                                                                           \
	"RESULT: 0\n0xc1d04277 0x5c000002 0x20800110 0x00000000\n"                                           \
	"0x0010 0x73be4970 0x00007fff 0x00000014 0x00000000\n**************MODIFICATION FROM CALL\n"
#define PAGE_BYTES "7742d0c10200005c10018020000000007049be73ff7f00001400000000000000"
#define PAGE_MEMORY " memory 0x7fff73be4970[20]"
#define NAME_BYTES "000000004765466f72636520475453203336304d" /* "\0\0\0\0GeForce GTS 360M" */
#define NAME_BEFORE " before " PAGE_BYTES PAGE_MEMORY " before " NAME_BYTES
#define NAME_AFTER                                                                                           \
	" before " PAGE_BYTES " after " PAGE_BYTES PAGE_MEMORY                                               \
	" before 0000000000000000000000000000000000000000 after " NAME_BYTES

static const char page[] = PAGE_CALL PAGE_NAME "RESULT: 0\n" PAGE_CALL PAGE_ZERO PAGE_AFTER
	"GPU method 0x5c000002:20800110\n" PAGE_NAME PAGE_CALL PAGE_ZERO PAGE_AFTER PAGE_NAME;

static const struct lines_fact facts[] = {
	{ "parameters before and after the call",
	  ALLOC ALLOC_AFTER "\n",
	  "4: frontend 0x2b[32] = 0" ALLOC_BYTES ALLOC_BYTES_AFTER },
	{ "the memory at the pointer in the parameters of a control",
	  "ioctl 2a, 32-byte param, fd 3\t" CONTROL "GPU method 0x5c000002:20802068\t0x00000000 \n"
	  "RESULT: 0\t\t\t" CONTROL "GPU method 0x5c000002:20802068\t0x00000008 \n\n",
	  "6: frontend 0x2a[32] = 0 before " CONTROL_BYTES " after " CONTROL_BYTES
	  " memory 0x55a2bfe84040[4] before 00000000 after 08000000" },
	{ "colours do not matter",
	  "ioctl c9, 4-byte param, fd 3\t\033[1m\033[32m0xc1d00001 \033[0m\n"
	  "\033[1m\033[34mRESULT: 0\033[0m\t\t\t\033[1m\033[32m0xc1d00002 \033[0m\n\n",
	  "2: frontend 0xc9[4] = 0 before 0100d0c1 after 0200d0c1" },
	{ "a call that failed has nothing after it",
	  ALLOC "RESULT: -1\n\n",
	  "3: frontend 0x2b[32] = -1" ALLOC_BYTES },
	{ "0x10 is not a word",
	  "ioctl 2a, 32-byte param, fd 3\t0xc1d00001 0x5c000002 0x20800112 0x00000000 \n"
	  "0x0010\t\t\t\t0x10 0x00000000 0x00000000 0x00000000 \n",
	  "end: frontend 0x2a[32]" },
	/* The shim does not end a line in which it printed no words. */
	{ "parameters of no bytes",
	  "ioctl 2a, 32-byte param, fd 3\t0xc1d00001 0x5c000002 0x20800112 0x00000000 \n"
	  "0x0010\t\t\t\t0x00000010 0x00000000 0x00000000 0x00000000 \n"
	  "GPU method 0x5c000002:20800112\tRESULT: 0\t\t\t0xc1d00001 0x5c000002 0x20800112 0x00000000 \n"
	  "0x0010\t\t\t\t0x00000010 0x00000000 0x00000000 0x00000056 \n"
	  "LENGTH MODIFIED BY CALL!\t(ret: 0x56)\n"
	  "GPU method 0x5c000002:20800112\t\n"
	  "ioctl 22, 0-byte param, fd 4\tRESULT: 0\t\t\t\n" ALLOC ALLOC_AFTER "\n",
	  "6: frontend 0x2a[32] = 0"
	  " before 0100d0c10200005c120180200000000010000000000000000000000000000000"
	  " after 0100d0c10200005c120180200000000010000000000000000000000056000000\n"
	  "11: frontend 0x2b[32] = 0" ALLOC_BYTES ALLOC_BYTES_AFTER },
	{ "a call of uvm has no size",
	  "ioctl 1, 12288-byte param, fd 4\t0x00000000 \nRESULT: -1\n\n",
	  "2: uvm 0x30000001 = -1" },
	{ "a dump with a missing line has no bytes",
	  "ioctl 2b, 48-byte param, fd 3\t0xc1d00001 0x00000000 0x00000005 0x00000006 \n"
	  "0x0020\t\t\t\t0x00000000 0x00000000 0x00000000 0x00000000 \n"
	  "RESULT: -1\n\n",
	  "4: frontend 0x2b[48] = -1" },
	{ "other lines can be between the lines of a call",
	  "x\n" ALLOC "the program says this\nnvproxy: unknown uvm ioctl 29 = 0x1d\n" ALLOC_AFTER "\n",
	  "5: uvm 0x1d\n"
	  "7: frontend 0x2b[32] = 0" ALLOC_BYTES ALLOC_BYTES_AFTER },
	{ "a call without a result is reported where another begins",
	  ALLOC ALLOC ALLOC_AFTER,
	  "3: frontend 0x2b[32]" ALLOC_BYTES "\n"
	  "6: frontend 0x2b[32] = 0" ALLOC_BYTES ALLOC_BYTES_AFTER },
	{ "a call without a result is reported after 17 other lines",
	  ALLOC LINES_20,
	  "19: frontend 0x2b[32]" ALLOC_BYTES },
	{ "a call without a result is reported at the end",
	  ALLOC,
	  "end: frontend 0x2b[32]" ALLOC_BYTES },
	{ "a page without dumps after the call",
	  PAGE_CALL PAGE_NAME "RESULT: 0\n",
	  "end: frontend 0x2a[32] = 0" NAME_BEFORE },
	{ "a page with dumps after the call",
	  page,
	  "8: frontend 0x2a[32] = 0" NAME_BEFORE "\n"
	  "20: frontend 0x2a[32] = 0" NAME_AFTER "\n"
	  "32: frontend 0x2a[32] = 0" NAME_AFTER },
	{ "the bytes before an ellipsis are recorded",
	  PAGE_CALL "0x00000000 0x6f466547 … RESULT: 0\n\n",
	  "6: frontend 0x2a[32] = 0 before " PAGE_BYTES PAGE_MEMORY " before 000000004765466f" },
	{ "an ellipsis after a line with missing words leaves no bytes",
	  PAGE_CALL "0x00000000 0x6f466547\n0x0010 0x4d303633 … RESULT: 0\n\n",
	  "7: frontend 0x2a[32] = 0 before " PAGE_BYTES PAGE_MEMORY },
};

TEST(the_calls_are_those_of_the_facts)
{
	check_lines(facts, COUNT(facts), NULL, NULL, false);
}

TEST(a_dump_is_never_longer_than_the_driver_reads)
{
	struct strbuf text = { 0 }, calls = { 0 };

	strbuf_adds(&text, "ioctl 2a, 32-byte param, fd 3\t0xc1d00001 0x5c000002 0x20802068 0x00000000 \n"
			   "0x0010\t\t\t\t0xbfe84040 0x000055a2 0xfffffff0 0x000000ff \n"
			   "GPU method 0x5c000002:20802068\t");
	for (size_t i = 0; i < 400 * 1024; i++)
		strbuf_adds(&text, "0x00000000 ");
	strbuf_adds(&text, "\nRESULT: -1\n\n");
	print_lines(&calls, NULL, NULL, text.text, false);
	assert_false(text_differs("1.6 MB of words", &calls,
				  "4: frontend 0x2a[32] = -1 before "
				  "0100d0c10200005c68208020000000004040e8bfa2550000f0ffffffff000000"));
	strbuf_release(&text);
}

TEST(blanks_can_replace_the_ends_of_lines)
{
	char text[sizeof(page)];
	const struct lines_fact whole = { "a page in one line", text,
					  "1: frontend 0x2a[32] = 0" NAME_BEFORE "\n"
					  "1: frontend 0x2a[32] = 0" NAME_AFTER "\n"
					  "1: frontend 0x2a[32] = 0" NAME_AFTER },
				cut = { "a line that ends before the first result", text,
					"end: frontend 0x2a[32]" NAME_BEFORE };

	memcpy(text, page, sizeof(page));
	for (char *at = text; (at = strchr(at, '\n'));)
		*at = ' ';
	check_lines(&whole, 1, NULL, NULL, false);
	*strstr(text, "RESULT: 0") = '\0';
	check_lines(&cut, 1, NULL, NULL, false);
}
