#!/usr/bin/env bash
# Changes that earlier versions of diff did not report: exchanged dimensions, pointer targets, arguments of ioctls, alignments.
. "$(dirname "$0")/lib.sh"
fresh

mkdir -p "$WORK/a" "$WORK/b"
printf '{"format": "drvabi-profile/1", "name": "toy", "units": [{"name": "toy", "headers": ["toy.h"], "basics": "linux"}],
 "families": [{"name": "toy", "source": "ioc"}]}\n' >"$WORK/toy.json"
cat >"$WORK/a/toy.h" <<'C'
struct in { __u32 a; };
struct other { __u32 b; };
typedef __u32 grid_t[2][3];
typedef struct in *in_p;
struct dims { __u32 plain[2][3]; struct in records[2][3]; grid_t named; __u32 flat[6]; struct { __u16 x; } unnamed[2][3]; };
struct points { struct in *p; in_p named; };
struct aligned_one { __u32 a, b; };
enum stored { STORED_A = 1 };
#define DIMS _IOWR('t', 1, struct dims)
#define CHARS _IOWR('t', 2, unsigned[5])
#define POINTER _IOWR('t', 3, struct in *)
#define FLAT _IOWR('t', 4, int[2][3])
#define UNTYPED _IOC(_IOC_READ, 't', 5, 24)
C
sed -e '/struct dims/s/\[2\]\[3\]/[3][2]/g; s/flat\[6\]/flat[2][3]/; s/grid_t\[2\]\[3\]/grid_t[3][2]/' -e 's/struct in \*/struct other */' -e 's/a, b; };/a, b; } __attribute__((aligned(8)));/' \
	-e 's/STORED_A = 1/STORED_A = 1, STORED_B = -1/' -e 's/unsigned\[5\]/char[20]/; s/3, struct other \*/3, struct in[2]/; s/int\[2\]\[3\]/int[6]/; s/24)/32)/' "$WORK/a/toy.h" >"$WORK/b/toy.h"

it 'diff reports each change'
run diff --base ./a --next ./b --profile ./toy.json -q
expect_status 1
expect_out_is diff.txt
run diff --base ./a --next ./b --profile ./toy.json -q --format markdown
expect_out_is diff.md
run diff --base ./a --next ./b --profile ./toy.json -q --format json
expect_json 'JSON has the arguments' '[.changes[] | select(.name == "POINTER") | .before.ioc.argument, .after.ioc.argument] == ["in *", "in[2]"]'
expect_json 'JSON has the alignment' '[.changes[] | select(.name == "aligned_one") | .before.align, .after.align] == [4, 8]'

it 'history and blame report the same'
git_in a init -q -b main
git_in a add . && git_in a commit -qm one && git_in a tag 1.0
cp "$WORK/b/toy.h" "$WORK/a/toy.h"
git_in a add . && git_in a commit -qm two && git_in a tag 2.0
run history dims --profile ./toy.json --repo "$WORK/a" --no-archive -q
expect_out_like '^ *~ +0 +plain +__u32\[3\]\[2\] +\(was __u32\[2\]\[3\]\)$'
run blame dims --profile ./toy.json --repo "$WORK/a" --no-archive -q --format json
expect_json 'each field changed in 2.0' '([.lines[] | .version] | unique) == ["2.0"] and ([.lines[] | .op] | unique) == ["retyped"]'

it 'random pairs of headers' # testdata/full/3022-chance-edits.t has more
expect 'each known edit is reported, with a fixed seed' "$ROOT/scripts/chance-edits" --seed 23 --count 20
expect 'with a new seed each time' "$ROOT/scripts/chance-edits" --count 15

done_testing
