#!/usr/bin/env bash
# A kernel's headers: missing basic headers, moved headers, and headers that cannot be read
. "$(dirname "$0")/lib.sh"
fresh

# profile UNIT-KEYS - write a profile
profile() {
	printf '{"format": "drvabi-profile/1", "name": "toy",
 "units": [{"name": "toy", "include": ["include"], %s}],
 "families": [{"name": "toy", "source": "ioc"}]}\n' "$1" >"$WORK/toy.json"
}

mkdir -p "$WORK/old/include/uapi" "$WORK/new/include/uapi/toy"
cat >"$WORK/old/include/uapi/toy.h" <<'C'
#include <linux/types.h>
#include <linux/ioctl.h>
#include <linux/compiler.h>
struct toy { __u64 at; void __user *where; __le32 pad; bool on; };
#define TOY_GO _IOWR('t', 1, struct toy)
C
cp "$WORK/old/include/uapi/toy.h" "$WORK/new/include/uapi/toy/toy.h"

it 'reads a driver header without the rest of the kernel'
profile '"headers": ["include/uapi/toy.h"], "basics": "linux"'
run extract --profile toy.json --dir old
expect_status 0
expect_err_empty
expect_json 'has the number and the record' '.ioctls[0].number == 3222828033 and .records.toy.size == 24 and .warnings == []'

it 'prefers the headers of the tree'
mkdir -p "$WORK/own/include/uapi" "$WORK/own/include/linux"
cp "$WORK/old/include/uapi/toy.h" "$WORK/own/include/uapi"
echo 'typedef unsigned long __u64; typedef char __le32[8]; typedef int bool;' >"$WORK/own/include/linux/types.h"
run extract --profile toy.json --dir own
expect_json 'the record has a different size' '.records.toy.size == 32'

it 'finds a header that has moved'
profile '"headers": [["include/uapi/toy.h", "include/uapi/toy/toy.h"]], "basics": "linux"'
for tree in old new; do
	run extract --profile toy.json --dir $tree
	expect_status 0
done
mkdir "$WORK/none"
run extract --profile toy.json --dir none
expect_cannot 'has no file include/uapi/toy\.h, nor include/uapi/toy/toy\.h, which unit toy of the profile reads'

it 'lists all missing types in one message'
cat >"$WORK/old/include/uapi/toy.h" <<'C'
struct toy { __u64 at; __u32 size; u8 a, b; u8 c; };
C
profile '"headers": ["include/uapi/toy.h"]'
run extract --profile toy.json --dir old
expect_cannot "include/uapi/toy\.h:1:14: unknown type name '__u64'; also missing: __u32, u8$"

it 'continues without a header that it cannot read, if the profile allows this'
cp "$WORK/new/include/uapi/toy/toy.h" "$WORK/old/include/uapi/toy.h"
echo 'struct broken { no_such_type a; };' >"$WORK/old/include/uapi/broken_inner.h"
printf '#include "broken_inner.h"\nstruct lost { int a; };\n' >"$WORK/old/include/uapi/broken.h"
profile '"headers": ["include/uapi/*.h"], "basics": "linux"'
run extract --profile toy.json --dir old
expect_cannot "broken_inner\.h:1:17: unknown type name 'no_such_type'"
profile '"headers": ["include/uapi/*.h"], "basics": "linux", "unreadable": "warning"'
run extract --profile toy.json --dir old
expect_status 0
expect_json 'the rest is extracted' '(.records | keys) == ["toy"] and (.ioctls | length) == 1'
expect_json 'each header has a warning' '(.warnings | length) == 2 and all(.warnings[]; .text | startswith("include/uapi/broken"))'
rm "$WORK/old/include/uapi/toy.h"
run extract --profile toy.json --dir old
expect_cannot "unknown type name 'no_such_type'"

done_testing
