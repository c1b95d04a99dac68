#!/usr/bin/env bash
# surface lists parameters that are arrays of scalars with the C type that show prints
. "$(dirname "$0")/lib.sh"
fresh

mkdir -p "$WORK/tree"
printf '{"format": "drvabi-profile/1", "name": "toy", "units": [{"name": "toy", "headers": ["toy.h"], "basics": "linux"}],
 "families": [{"name": "toy", "source": "ioc"}]}\n' >"$WORK/toy.json"
cat >"$WORK/tree/toy.h" <<'C'
struct toy { int b; };
#define TOY_RECORD _IOW('t', 1, struct toy)
#define TOY_ARRAY _IOW('t', 2, unsigned int[6])
#define TOY_SCALAR _IOW('t', 3, int)
#define TOY_PLANE _IOR('t', 4, int[2][4])
#define TOY_NONE _IO('t', 5)
#define TOY_LENGTH(len) _IOC(_IOC_READ, 't', 6, len)
#define TOY_NAME(n) _IOR('t', 7, char[(n) * 8])
C

it 'have their type and size'
run surface --profile toy.json --dir tree
expect_status 0
expect_out_like '^toy .* TOY_ARRAY  unsigned int\[6\], 24 bytes$'
expect_out_like '^toy .* TOY_PLANE  int\[2\]\[4\], 32 bytes$'

it "have no size if it depends on the macro's parameters"
expect_out_like '^toy .* TOY_NAME\(n\)  char\[\], any size$'

it 'other ioctls do not change'
expect_out_like '^toy .* TOY_RECORD  toy, 4 bytes$'
expect_out_like '^toy .* TOY_SCALAR  int, 4 bytes$'
expect_out_like '^toy .* TOY_NONE  no parameters$'
expect_out_like '^toy .* TOY_LENGTH\(len\)  parameters not known'

it 'are an argument in JSON, as in the document'
run surface --profile toy.json --dir tree --format json
expect_status 0
expect_json 'the list is complete' '[.ioctls[] | [.name, .params, .argument, .params_size]] | sort == [
	["TOY_ARRAY", null, "unsigned int[6]", 24], ["TOY_LENGTH(len)", null, null, null], ["TOY_NAME(n)", null, "char[]", 0],
	["TOY_NONE", null, null, null], ["TOY_PLANE", null, "int[2][4]", 32], ["TOY_RECORD", "toy", null, 4], ["TOY_SCALAR", "int", null, 4]]'

done_testing
