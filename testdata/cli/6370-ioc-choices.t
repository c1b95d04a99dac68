#!/usr/bin/env bash
# ioctls whose macros choose between other macros, such as SIOCGSTAMP and LPSETTIMEOUT
. "$(dirname "$0")/lib.sh"
fresh

mkdir -p "$WORK/tree"
# profile KEYS-OF-FAMILY [KEYS-OF-UNIT]
profile() {
	printf '{"format": "drvabi-profile/1", "name": "toy", "units": [{"name": "toy", "headers": ["toy.h"], "basics": "linux"%s}],
 "families": [{"name": "toy", "source": "ioc"%s}]}\n' "${2-}" "$1" >"$WORK/toy.json"
}
cat >"$WORK/tree/made.h" <<'C'
struct toy_elsewhere { __u64 e; };
#define ELSEWHERE _IOW('t', 9, struct toy_elsewhere)
#define ELSEWHERE_TOO _IOW('t', 10, struct toy_elsewhere)
C
cat >"$WORK/tree/toy.h" <<'C'
#include "made.h"
struct toy { __u64 a, b; };
struct toy_two { __u64 a, b; };
struct toy_other { __u32 c; };
struct toy_unused { __u32 d; };
struct toy_time { long seconds, parts; };
#define TOY_OLD 0x060f
#define TOY_NEW _IOW(0x6, 0x0f, struct toy)
#define TOY_SMALL _IOW(0x6, 0x0f, struct toy_other)
#define TOY_TIME ((sizeof(struct toy_time)) == 8 ? TOY_OLD : TOY_NEW)
#define TOY_TIME_OLD (sizeof(long) > sizeof(struct toy_time) ? \
	TOY_NEW : TOY_OLD)
#define TOY_TIME_MADE (sizeof(long) == 8 ? TOY_SMALL : TOY_NEW)
#define TOY_MIXED (sizeof(long) == 4 ? _IOR('t', 2, struct toy_unused) : TOY_NEW)
#define TOY_THROUGH TOY_TIME
#define TOY_BEHIND_CAST (unsigned)TOY_THROUGH
#define TOY_CAST (int)_IO('t', 3)
#define TOY_CAST_ALIAS TOY_CAST
#define TOY_NOWHERE (sizeof(struct nowhere) == 8 ? TOY_OLD : TOY_NEW)
#define TOY_NEITHER (TOY_NEW + (TOY_SMALL & 0))
#define TOY_NEXT (TOY_NEW + 1)
#define TOY_CIRCLE TOY_CIRCLE
#define TOY_TO (TOY_FRO + 0)
#define TOY_FRO (TOY_TO | 0)
#define TOY_NUMBERS (TOY_OLD | TOY_OLD)
#define TOY_NR (_IOC_NR(TOY_NEW) + 0)
#define TOY_SIZE sizeof(TOY_NEW)
#define TOY_LINE (__LINE__ + 0)
#define TOY_TEXT "TOY_NEW"
#define TOY_FAR (sizeof(long) == 8 ? ELSEWHERE : TOY_OLD)
#define TOY_FAR_NOT (sizeof(long) == 4 ? ELSEWHERE_TOO : TOY_OLD)
#define TOY_FAR_CALL (sizeof(long) == 4 ? _IOR('t', 11, struct toy_elsewhere) : TOY_OLD)
C

it 'are the ioctl with the same value'
profile ', "match": ["TOY_*"]'
run extract -v --profile toy.json --dir tree
expect_status 0
expect_json 'all of them, with parameters' '[.ioctls[] | {(.name): [.number, .params]}] | add == {
	"TOY_BEHIND_CAST": [1074791951, "toy"], "TOY_CAST": [29699, null], "TOY_CAST_ALIAS": [29699, null],
	"TOY_FAR": [1074295817, "toy_elsewhere"], "TOY_MIXED": [1074791951, "toy"], "TOY_NEITHER": [1074791951, "toy"],
	"TOY_NEW": [1074791951, "toy"], "TOY_SMALL": [1074005519, "toy_other"], "TOY_THROUGH": [1074791951, "toy"],
	"TOY_TIME": [1074791951, "toy"], "TOY_TIME_MADE": [1074005519, "toy_other"]}'

it 'cause a warning if no ioctl has their value'
cp "$ERR" "$WORK/err"
expect_err_like 'toy\.h:11: TOY_TIME_OLD is not used as an ioctl, because it does not have the value of TOY_NEW$'
expect_err_like 'TOY_NEXT is not used as an ioctl, because it does not have the value of TOY_NEW$'
expect_err_like 'TOY_FAR_NOT is not used as an ioctl, because it does not have the value of ELSEWHERE_TOO$'
expect_err_like 'TOY_FAR_CALL is not used as an ioctl, because'

it 'cause a warning if they have no value'
expect_err_like 'toy\.h:19: TOY_NOWHERE is left out: it is not an integer constant, so it may not have the value of TOY_NEW$'

it 'no other macro causes a warning'
expect 'there are five warnings' test "$(grep -c . "$WORK/err")" = 5

it 'do not add types of an ioctl that is not chosen'
profile ', "match": ["TOY_FAR_NOT", "TOY_FAR_CALL"]' ', "context": ["made.h"]'
run extract -v --profile toy.json --dir tree
expect_status 0
expect_err_like 'TOY_FAR_NOT is not used as an ioctl, because it does not have the value of ELSEWHERE_TOO$'
expect_err_like "TOY_FAR_CALL is not used as an ioctl, because it does not have the value of _IOR\\('t', 11, struct toy_elsewhere\\)$"
expect_json 'no ioctl, and no record' '.ioctls == [] and (.records | has("toy_elsewhere") | not)'
profile ', "match": ["TOY_FAR"]' ', "context": ["made.h"]'
run extract -v --profile toy.json --dir tree
expect_json 'the type of the chosen ioctl is added' '[.ioctls[].params] == ["toy_elsewhere"] and (.records | has("toy_elsewhere"))'

done_testing
