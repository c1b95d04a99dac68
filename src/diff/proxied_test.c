/* Tests what a proxy does with each changed item, the work that the change means, and the totals. */
#include "diff/fixture_test.h"

/* The proxy has a type for READ, no type for UNREAD, and a type for one of the two records of CMD_BOTH. */
static const char table[] = "CMD_BOTH 3 FIRST:- SECOND:Second macro=-; CMD_READ 1 READ:Read macro=-; "
			    "CMD_UNREAD 2 UNREAD:- macro=-";

#define IOCTLS "ioctl CMD_READ 1 READ ioctl CMD_UNREAD 2 UNREAD ioctl CMD_OTHER 9 OTHER "

static const struct diff_fact facts[] = {
	{ "a record for which the proxy has a type is read",
	  IOCTLS "struct READ 4 { NvU32 a@0 }", IOCTLS "struct READ 8 { NvU32 a@0; NvU32 b@4 }",
	  "record READ growth in CMD_READ; read/read by CMD_READ; b added growth\n"
	  "totals: changes 1 records 1 read 1 entries 1 read entries 1" },
	{ "a record for which the proxy has no type is unread",
	  IOCTLS "struct UNREAD 4 { NvU32 a@0 }", IOCTLS "struct UNREAD 8 { NvU32 a@0; NvU32 b@4 }",
	  "record UNREAD growth in CMD_UNREAD; unread/unread by CMD_UNREAD; b added growth\n"
	  "totals: changes 1 records 1 entries 1" },
	{ "a record of an ioctl that is not forwarded has no use",
	  IOCTLS "struct OTHER 4 { NvU32 a@0 }", IOCTLS "struct OTHER 8 { NvU32 a@0; NvU32 b@4 }",
	  "record OTHER growth in CMD_OTHER; none/none; b added growth\n"
	  "totals:" },
	{ "a record inside a read record is read",
	  IOCTLS "struct INNER 4 { NvU32 a@0 } struct READ 8 { INNER i@0; NvU32 z@4 }",
	  IOCTLS "struct INNER 8 { NvU32 a@0; NvU32 b@4 } struct READ 12 { INNER i@0+8; NvU32 z@8 }",
	  "record READ layout because of INNER in CMD_READ; read/read by CMD_READ; i resized layout; "
	  "z moved layout\n"
	  "record INNER growth in CMD_READ:READ.INNER; read/read by CMD_READ; b added growth\n"
	  "totals: changes 2 records 2 read 2 entries 1 read entries 1" },
	{ "a record inside a read and an unread record is read",
	  IOCTLS "struct INNER 4 { NvU32 a@0 } struct READ 4 { INNER i@0 } struct UNREAD 4 { INNER i@0 }",
	  IOCTLS "struct INNER 4 { NvS32 a@0 } struct READ 4 { INNER i@0 } struct UNREAD 4 { INNER i@0 }",
	  "record INNER layout in CMD_READ:READ.INNER, CMD_UNREAD:UNREAD.INNER; read/read by CMD_READ, "
	  "CMD_UNREAD; a retyped layout\n"
	  "totals: changes 1 records 1 read 1 entries 2 read entries 1" },
	{ "a record is not read if a read record only points to it",
	  IOCTLS "alias INNER~* INNER~* 8 struct INNER 4 { NvU32 a@0 } "
		 "struct READ 8 { INNER~* p@0+8 } struct UNREAD 4 { INNER i@0 }",
	  IOCTLS "alias INNER~* INNER~* 8 struct INNER 4 { NvS32 a@0 } "
		 "struct READ 8 { INNER~* p@0+8 } struct UNREAD 4 { INNER i@0 }",
	  "record INNER layout in CMD_READ:READ.INNER, CMD_UNREAD:UNREAD.INNER; unread/unread by CMD_READ, "
	  "CMD_UNREAD; a retyped layout\n"
	  "totals: changes 1 records 1 entries 2" },
	{ "each record of an entry has its own use",
	  "struct FIRST 4 { NvU32 a@0 } struct SECOND 4 { NvU32 a@0 }",
	  "struct FIRST 8 { NvU32 a@0; NvU32 b@4 } struct SECOND 8 { NvU32 a@0; NvU32 b@4 }",
	  "record SECOND growth; read/read by CMD_BOTH; b added growth\n"
	  "record FIRST growth; unread/unread by CMD_BOTH; b added growth\n"
	  "totals: changes 2 records 2 read 1 entries 1 read entries 1" },
	{ "a read record with a new name is still read",
	  "ioctl CMD_READ 1 READ struct READ 16 { NvU32 a@0; NvU32 b@4; NvU32 c@8; NvU32 d@12 }",
	  "ioctl CMD_READ 1 READ_V2 struct READ_V2 16 { NvU32 a@0; NvU32 b@4; NvU32 c@8; NvU32 d@12 }",
	  "ioctl CMD_READ name; read/read by CMD_READ\n"
	  "record READ_V2 was READ name in CMD_READ; read/read by CMD_READ\n"
	  "totals: changes 2 records 1 read 1 renamed 1 entries 1 read entries 1" },
	{ "a pointer that was added to an unread record needs a handler",
	  IOCTLS "struct UNREAD 8 { NvU64 a@0 }", IOCTLS "struct UNREAD 16 { NvU64 a@0; NvP64 p@8 pointer }",
	  "record UNREAD translation|growth in CMD_UNREAD; unread/handler by CMD_UNREAD for p pointer; "
	  "p added translation|growth\n"
	  "totals: changes 1 records 1 handlers 1 entries 1" },
	{ "a handle that was added to an unread record needs nothing",
	  IOCTLS "struct UNREAD 4 { NvU32 a@0 }", IOCTLS "struct UNREAD 8 { NvU32 a@0; NvHandle h@4 handle }",
	  "record UNREAD translation|growth in CMD_UNREAD; unread/unread by CMD_UNREAD; "
	  "h added translation|growth\n"
	  "totals: changes 1 records 1 entries 1" },
	{ "a pid that moved was not added",
	  IOCTLS "struct UNREAD 4 { NvU32 pid@0 pid }",
	  IOCTLS "struct UNREAD 8 { NvU32 a@0; NvU32 pid@4 pid }",
	  "record UNREAD translation|layout in CMD_UNREAD; unread/unread by CMD_UNREAD; a added layout; "
	  "pid moved translation|layout\n"
	  "totals: changes 1 records 1 entries 1" },
	{ "a pid that was renamed was not added",
	  IOCTLS "struct UNREAD 4 { NvU32 processId@0 pid }", IOCTLS "struct UNREAD 4 { NvU32 procId@0 pid }",
	  "record UNREAD name in CMD_UNREAD; unread/unread by CMD_UNREAD; procId renamed name was processId\n"
	  "totals: changes 1 records 1 entries 1" },
	{ "a record that was added inside a changed record has no use",
	  IOCTLS "struct READ 4 { NvU32 a@0 }",
	  IOCTLS "struct NEW 4 { NvU32 n@0 } struct READ 8 { NvU32 a@0; NEW n@4 }",
	  "record READ growth in CMD_READ; read/read by CMD_READ; n added growth\n"
	  "record NEW added inside READ in CMD_READ:READ.NEW; none/unread by CMD_READ\n"
	  "totals: changes 2 records 1 read 1 entries 1 read entries 1" },
	{ "records that the proxy reads come first, whatever their classes",
	  IOCTLS "struct READ 4 { NvU32 a@0 } struct UNREAD 8 { NvU32 a@0; NvHandle h@4 handle }",
	  IOCTLS "struct READ 8 { NvU32 a@0; NvU32 b@4 } struct UNREAD 8 { NvHandle h@0 handle; NvU32 a@4 }",
	  "record READ growth in CMD_READ; read/read by CMD_READ; b added growth\n"
	  "record UNREAD translation|layout in CMD_UNREAD; unread/unread by CMD_UNREAD; "
	  "h moved translation|layout; a moved layout\n"
	  "totals: changes 2 records 2 read 1 entries 2 read entries 1" },
	{ "the totals count changed records and those of them that are read, but not added records",
	  IOCTLS "struct READ 4 { NvU32 a@0 } struct UNREAD 8 { NvU64 a@0 } struct OTHER 4 { NvU32 a@0 }",
	  IOCTLS "struct READ 8 { NvU32 a@0; NEW n@4 } struct NEW 4 { NvU32 n@0 } "
		 "struct UNREAD 16 { NvU64 a@0; NvP64 p@8 pointer } struct OTHER 8 { NvU32 a@0; NvU32 b@4 }",
	  "record READ growth in CMD_READ; read/read by CMD_READ; n added growth\n"
	  "record UNREAD translation|growth in CMD_UNREAD; unread/handler by CMD_UNREAD for p pointer; "
	  "p added translation|growth\n"
	  "record NEW added inside READ in CMD_READ:READ.NEW; none/unread by CMD_READ\n"
	  "record OTHER growth in CMD_OTHER; none/none; b added growth\n"
	  "totals: changes 3 records 2 read 1 handlers 1 entries 2 read entries 1" },
	{ "the totals count all changes, even if none is selected",
	  "only OTHER_* " IOCTLS "struct READ 4 { NvU32 a@0 }",
	  IOCTLS "struct READ 8 { NvU32 a@0; NvU32 b@4 }",
	  "totals: changes 1 records 1 read 1 entries 1 read entries 1" },
	{ "ioctls that were removed or have a different number are counted",
	  "ioctl CMD_READ 1 - ioctl CMD_UNREAD 2 -", "ioctl CMD_READ 5 -",
	  "ioctl CMD_READ number; read/read by CMD_READ\n"
	  "ioctl CMD_UNREAD removed; unread/read by CMD_UNREAD\n"
	  "totals: changes 2 removed 1 renumbered 1 entries 2 read entries 2" },
	{ "a pid needs a handler unless the driver converts it, once for the struct that the table names",
	  IOCTLS "struct INNER 4 { NvU32 a@0 } struct UNREAD 4 { INNER i@0 }",
	  IOCTLS "struct INNER 12 { NvU32 a@0; NvU32 pid@4 pid; NvU32 converted@8 pid } "
		 "struct UNREAD 12 { INNER i@0+12 }",
	  "record UNREAD translation|growth because of INNER in CMD_UNREAD; unread/handler by CMD_UNREAD for "
	  "i.pid pid; i resized translation|growth\n"
	  "record INNER translation|growth in CMD_UNREAD:UNREAD.INNER; unread/unread by CMD_UNREAD; pid added "
	  "translation|growth; converted added translation|growth\n"
	  "totals: changes 2 records 2 handlers 1 entries 1" },
	{ "an ioctl that the proxy passes through by number is forwarded, and its number counts",
	  "ioctl GOES 0x8001 P ioctl COMES 0x13 - ioctl STAYS 0x8005 - struct P 4 { NvU32 a@0 }",
	  "ioctl GOES 0x11 P ioctl COMES 0x8003 - ioctl STAYS 0x8006 - struct P 4 { NvU32 a@0 }",
	  "ioctl COMES number; unread/read passed as passed\n"
	  "ioctl GOES number; unread/read passed was passed\n"
	  "ioctl STAYS number; unread/unread passed was passed passed as passed\n"
	  "totals: changes 3 renumbered 2" },
	{ "a pointer in parameters that the proxy passes through by number needs a handler",
	  "ioctl LEGACY 0x8001 P struct P 8 { NvU64 a@0 }",
	  "ioctl LEGACY 0x8001 P struct P 16 { NvU64 a@0; NvP64 p@8 pointer }",
	  "record P translation|growth in LEGACY; unread/handler for p pointer; p added translation|growth\n"
	  "totals: changes 1 records 1 handlers 1" },
};

DIFF_TEST(uses_and_sections)
{
	CHECK(facts, table);
}
