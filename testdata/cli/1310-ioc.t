#!/usr/bin/env bash
# ioctls that are found by their encoding: macros that call _IO() and similar macros, and the fields of their numbers
. "$(dirname "$0")/lib.sh"

# toy_header - print a driver's header like those of the kernel, with macros around _IOWR()
toy_header() {
	cat <<'HEADER'
#include <linux/ioctl.h>
#define TOY_BASE 'K'
#define TOY_IOWR(nr, type) _IOWR(TOY_BASE, nr, type)
#define TOY_IO(nr) _IO(TOY_BASE, nr)
struct toy_copy { unsigned long long src, dst, size; };
struct toy_export { unsigned long long va; unsigned int fd, pad; };
#define TOY_RESET TOY_IO(0x01)
#define TOY_SET_LEVEL _IOW(TOY_BASE, 0x02, int)
#define TOY_COPY_TWO _IOW(TOY_BASE, 0x03, struct toy_copy[2])
#define TOY_COPY_AT (_IOR(TOY_BASE, 0x04, struct toy_copy *))
#define TOY_NAME(len) _IOC(_IOC_READ, TOY_BASE, 0x10, len)
#define TOY_BITS(ev, len) _IOC(_IOC_READ, TOY_BASE, 0x20 + (ev), len)
#define TOY_MESSAGE(N) _IOW(TOY_BASE, 0x40, char[(N) * 8])
#define TOY_AXIS( axis ) _IOR(TOY_BASE, 0x60 + (axis), struct toy_export)
#define TOY_LOST _IOW(TOY_BASE, 0x70, struct toy_nowhere)
#define TOY_ALIAS TOY_RESET
#define TOY_OTHER _IO('L', 0x01)
#define TOY_PLAIN 0x4b01
#define TOY_MASK(nr) ((nr) & 0xff)
HEADER
}

# ioctl_header - print the definitions of <linux/ioctl.h>
ioctl_header() {
	cat <<'HEADER'
#define _IOC(dir,type,nr,size) (((dir) << 30) | ((type) << 8) | ((nr) << 0) | ((size) << 16))
#define _IOC_TYPECHECK(t) (sizeof(t))
#define _IOC_READ 2U
#define _IO(type,nr) _IOC(0U,(type),(nr),0)
#define _IOR(type,nr,size) _IOC(2U,(type),(nr),(_IOC_TYPECHECK(size)))
#define _IOW(type,nr,size) _IOC(1U,(type),(nr),(_IOC_TYPECHECK(size)))
#define _IOWR(type,nr,size) _IOC(3U,(type),(nr),(_IOC_TYPECHECK(size)))
HEADER
}

# profile KEYS-OF-FAMILY - write a profile
profile() {
	printf '{"format": "drvabi-profile/1", "name": "toy",
 "units": [{"name": "toy", "headers": ["include/toy.h"], "include": ["include"]}],
 "families": [{"name": "toy", "source": "ioc"%s}]}\n' "$1" >"$WORK/toy.json"
}

mkdir -p "$WORK/tree/include/linux"
ioctl_header >"$WORK/tree/include/linux/ioctl.h"
toy_header >"$WORK/tree/include/toy.h"
profile ''

it 'finds all macros that call _IO() or a similar macro'
run extract --profile toy.json --dir tree
expect_status 0
expect_out_is toy.json

it "selects only ioctls of the profile's types"
profile ', "ioc": {"types": ["0x4c"]}'
run extract --profile toy.json --dir tree
expect_json 'one ioctl' '[.ioctls[].name] == ["TOY_OTHER"]'
profile ', "ioc": {"types": ["LL"]}'
run extract --profile toy.json --dir tree
expect_cannot '"LL" is not an ioctl type \(one character, or a number up to 255\)'

it 'finds ioctls in casts and parentheses'
mkdir -p "$WORK/around/include/linux"
cp "$WORK/tree/include/linux/ioctl.h" "$WORK/around/include/linux/"
cat >"$WORK/around/include/toy.h" <<'C'
#include <linux/ioctl.h>
#define MADE(nr, t) _IOW('T', nr, t)
struct a { int x; };
#define TOY_IN_BRACKETS (((_IOW('T', 1, struct a))))
#define TOY_ALIAS (TOY_IN_BRACKETS)
#define TOY_CAST (int)_IOW('T', 2, struct a)
#define TOY_CAST_TWICE ((unsigned)(long)MADE(3, struct a))
#define TOY_EXTENSION __extension__ _IOW('T', 4, struct a)
#define TOY_NOTHING_MORE (_IOW('T', 5, struct a) | 0)
#define TOY_CHOSEN (sizeof(long) == 8 ? _IOW('T', 6, struct a) : _IOW('T', 60, int))
#define TOY_OTHER_CHOSEN (sizeof(long) == 4 ? _IOW('T', 7, struct a) : _IOW('T', 70, int))
#define TOY_ANOTHER _IOW('T', 8, struct a) + 1
#define TOY_TEXT "_IOW('T', 9, struct a)"
#define TOY_SIZE _IOC_SIZE_OF(TOY_CAST)
#define _IOC_SIZE_OF(n) (((n) >> 16) & 0x3fff)
C
profile ''
run extract -v --profile toy.json --dir around
expect_status 0
expect_json 'those whose value is the ioctl' '[.ioctls[] | [.name, .ioc.nr, .params]] | sort
	== [["TOY_ALIAS", 1, "a"], ["TOY_CAST", 2, "a"], ["TOY_CAST_TWICE", 3, "a"], ["TOY_CHOSEN", 6, "a"], ["TOY_EXTENSION", 4, "a"],
	["TOY_IN_BRACKETS", 1, "a"], ["TOY_NOTHING_MORE", 5, "a"]]'
expect_err_like "TOY_OTHER_CHOSEN is not used as an ioctl, because it does not have the value of _IOW\\('T', 7, struct a\\)"
expect_err_like "TOY_ANOTHER is not used as an ioctl, because it does not have the value of _IOW\\('T', 8, struct a\\)"

it 'decodes numbers that are enumerators'
mkdir -p "$WORK/enum/include"
cp "$WORK/tree/include/linux/ioctl.h" "$WORK/enum/include/made.h"
cat >"$WORK/enum/include/toy.h" <<'C'
#include "made.h"
struct toy { int a; };
enum toy_ioctl { TOY_A = _IO('t', 1), TOY_B = _IOR('t', 2, struct toy), TOY_C = _IO('u', 3) };
C
cat >"$WORK/enum.json" <<'J'
{"format": "drvabi-profile/1", "name": "toy", "units": [{"name": "toy", "headers": ["include/toy.h"]}],
 "families": [{"name": "toy", "source": "enum", "enum": "toy_ioctl", "ioc": {"types": ["t"], "known_by": "nr"},
  "params": [{"ioctl": "TOY_B", "record": "toy"}]}]}
J
run extract --profile enum.json --dir enum
expect_json 'those of the type, with decoded fields' '[.ioctls[] | [.name, .params, .ioc.nr, .ioc.size, .ioc.direction]]
	== [["TOY_A", null, 1, 0, "none"], ["TOY_B", "toy", 2, 4, "read"]]'

it 'reads its own output'
profile ''
run extract --profile toy.json --dir tree
cp "$OUT" "$WORK/a.json"
run diff --base-json a.json --next-json a.json
expect_status 0
sed 's/"nr": 2,/"nr": 3,/' "$WORK/a.json" >"$WORK/b.json"
run diff --base-json a.json --next-json b.json
expect_cannot "ioc\.nr: this differs from the ioctl's number, whose nr is 2"
sed 's/"direction": "[a-z-]*"/"direction": "sideways"/' "$WORK/a.json" >"$WORK/b.json"
run diff --base-json a.json --next-json b.json
expect_cannot "ioc\.direction: this differs from the ioctl's number, whose direction is [a-z]"

# In the second version, TOY_EXPORT has the nr of TOY_COPY and a different size, and TOY_COPY has a different nr.
git_in tree init -q -b main

{ toy_header; echo '#define TOY_COPY TOY_IOWR(0x50, struct toy_copy)'; echo '#define TOY_GROW TOY_IOWR(0x52, struct toy_export)'; } >"$WORK/tree/include/toy.h"
git_in tree add . && git_in tree commit -qm one && git_in tree tag v1.0
{ toy_header; echo '#define TOY_COPY TOY_IOWR(0x51, struct toy_copy)'; echo '#define TOY_EXPORT TOY_IOWR(0x50, struct toy_export)'
	echo '#define TOY_GROW TOY_IOWR(0x52, struct toy_copy)'; } >"$WORK/tree/include/toy.h"
git_in tree commit -qam two && git_in tree tag v2.0

it 'reports that an nr has a new meaning, if the driver compares only the nr'
profile ', "ioc": {"types": ["K"], "known_by": "nr"}'
run diff --profile toy.json --repo "$WORK/tree" v1.0 v2.0
expect_status 1
expect_out_is diff.txt
run diff --profile toy.json --repo "$WORK/tree" --format markdown v1.0 v2.0
expect_out_like "nr 0x50 formerly TOY_COPY's"
run history --profile toy.json --repo "$WORK/tree"
expect_out_like "nr 0x50 formerly TOY_COPY's"

it 'compares whole numbers if the driver does'
profile ', "ioc": {"types": ["K"]}'
run diff --profile toy.json --repo "$WORK/tree" v1.0 v2.0
expect_status 1
expect_out_unlike "TOY_COPY's"

it 'gives the same results from an archive and from headers'
profile ', "ioc": {"types": ["K"], "known_by": "nr"}'
run archive write -o toy.drvabi --profile toy.json --repo "$WORK/tree"
expect_status 0
run extract --profile toy.json --no-cache --repo "$WORK/tree" v2.0
cp "$OUT" "$WORK/extracted.json"
run extract --profile toy.json --archive toy.drvabi v2.0
expect_status 0
expect 'the documents are the same' cmp "$WORK/extracted.json" "$OUT"
run extract --profile toy.json --repo "$WORK/tree" v2.0
run extract --profile toy.json --repo "$WORK/tree" v2.0
expect 'the cache gives the same document' cmp "$WORK/extracted.json" "$OUT"

done_testing
