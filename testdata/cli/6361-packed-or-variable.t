#!/usr/bin/env bash
# Attributes after a record: those of the kernel, and words that no header defines
. "$(dirname "$0")/lib.sh"
fresh

mkdir -p "$WORK/tree"
cat >"$WORK/profile.json" <<'JSON'
{"format": "drvabi-profile/1", "name": "toy", "units": [{"name": "toy", "headers": ["toy.h"], "basics": "linux"}],
 "families": [{"name": "toy", "source": "ioc"}]}
JSON

it "the kernel's __packed"
cat >"$WORK/tree/toy.h" <<'C'
struct first { __u8 a; __u64 b; } __packed;
struct second { __u8 a; __u32 b; } __packed;
C
run extract --profile profile.json --dir tree
expect_status 0
expect_json 'both are packed' '[.records[] | [.size, .align]] == [[9, 1], [5, 1]] and .warnings == []'

it 'a word that no header defines is a variable'
cat >"$WORK/tree/toy.h" <<'C'
struct first { __u8 a; __u64 b; } TOY_PACKED;
union third { __u8 a; __u64 b; } TOY_OTHER;
struct { __u8 a; } TOY_THIRD;
C
run extract --profile profile.json --dir tree
expect_status 0
expect_json 'as in C' '.records.first.size == 16'
expect_json 'has a warning' '[.warnings[] | .place + " " + (.text | split(". ")[0])] == [
	"toy.h:1:8 struct first is declared with a variable called TOY_PACKED",
	"toy.h:2:7 union third is declared with a variable called TOY_OTHER",
	"toy.h:3:1 struct without a name is declared with a variable called TOY_THIRD"]'

it 'intended variables'
cat >"$WORK/tree/toy.h" <<'C'
#define TOY_PACKED __attribute__((packed))
struct first { __u8 a; __u64 b; } TOY_PACKED;
static const struct second { int a; } table[] = { { 1 } };
static const struct third { int a; } one = { 1 };
extern struct first other;
extern struct fourth { int a; } last;
C
run extract --profile profile.json --dir tree
expect_status 0
expect_json 'have no warning' '.records.first.size == 9 and .warnings == []'

done_testing
