#!/usr/bin/env bash
# ioctls that _IOC() makes with the size of a record, as in Xen
. "$(dirname "$0")/lib.sh"
fresh

mkdir -p "$WORK/tree"
cat >"$WORK/toy.json" <<'JSON'
{"format": "drvabi-profile/1", "name": "toy", "units": [{"name": "toy", "headers": ["toy.h"], "basics": "linux"}],
 "families": [{"name": "toy", "source": "ioc"}]}
JSON
cat >"$WORK/tree/toy.h" <<'C'
struct toy { __u64 a, b; };
typedef struct toy toy_t;
#define TOY_IOC(nr, type) _IOC(_IOC_READ, 't', nr, sizeof(type))
#define TOY_DIRECT _IOC(_IOC_NONE, 't', 1, sizeof(struct toy))
#define TOY_THROUGH TOY_IOC(2, toy_t)
#define TOY_SCALAR TOY_IOC(3, __u32)
#define TOY_MORE _IOC(_IOC_WRITE, 't', 4, sizeof(struct toy) + 4)
#define TOY_NUMBER _IOC(_IOC_WRITE, 't', 5, 16)
#define TOY_VALUE _IOC(_IOC_WRITE, 't', 6, sizeof(struct toy) * 2)
#define TOY_SIZE_T _IOR('t', 7, sizeof(struct toy))
#define TOY_ALIAS TOY_DIRECT
#define TOY_LENGTH(n) _IOC(_IOC_READ, 't', 8, n)
#define TOY_ARRAY _IOR('t', 9, struct toy[2])
typedef toy_t toys[2];
#define TOY_ARRAYS _IOR('t', 10, toys[3])
#define TOY_UNNAMED _IOW('t', 11, struct { void *p; })
#define TOY_INDEX(n) _IOC(_IOC_READ, 't', 16 + (n), sizeof(struct toy))
C

it 'have this record as their parameters'
run extract --profile toy.json --dir tree
expect_status 0
expect_json 'all of them' '[.ioctls[] | {(.name): .params}] | add == {
	"TOY_ALIAS": "toy", "TOY_ARRAY": "toy", "TOY_ARRAYS": "toy_t", "TOY_DIRECT": "toy", "TOY_INDEX(n)": "toy", "TOY_LENGTH(n)": null, "TOY_MORE": "toy", "TOY_NUMBER": null,
	"TOY_SCALAR": "unsigned int", "TOY_SIZE_T": "unsigned long", "TOY_THROUGH": "toy", "TOY_UNNAMED": null, "TOY_VALUE": null}'
expect_json "a size that differs from the record's size, or without a type, has a warning" '[.warnings[].text | capture("number of (?<name>[^ ]*)").name] ==
	["TOY_MORE", "TOY_NUMBER", "TOY_VALUE", "TOY_UNNAMED"]'
run surface --profile toy.json --dir tree
expect_out_like 'TOY_MORE +toy, 16 bytes, but 20 in the number'
expect_out_like 'TOY_VALUE +parameters not known'
expect_out_like 'TOY_LENGTH\(n\) +parameters not known'
expect_out_like 'TOY_ARRAYS +toys\[3\], 96 bytes'

done_testing
