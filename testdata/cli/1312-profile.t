#!/usr/bin/env bash
# drvabi profile: a first profile for a tree, and the built-in profiles
. "$(dirname "$0")/lib.sh"
fresh

mkdir -p "$WORK/driver/src/toy/uapi" "$WORK/driver/src/common"
cat >"$WORK/driver/src/toy/uapi/toy_ioctl.h" <<'C'
#include <linux/types.h>
#include <common/sizes.h>
#include "toy_types.h"
#include <other/package.h>
#define TOY_BASE 0xA1
#define TOY_IOWR(nr, type) _IOWR(TOY_BASE, nr, type)
#define TOY_MAP TOY_IOWR(1, struct toy_map)
#define TOY_SYNC \
	TOY_IOWR(2, \
		struct toy_map)
#define TOY_RESET (_IO(TOY_BASE, 3))
#define TOY_NOT_ONE(x) ((x) + 1)
#define TOY_VALUE TOY_NOT_ONE(3)
C
echo 'struct toy_map { __u64 buffer_ptr; __s32 fd; char name[TOY_SIZE]; };' >"$WORK/driver/src/toy/uapi/toy_types.h"
echo '#define TOY_SIZE 16' >"$WORK/driver/src/common/sizes.h"
echo 'static long toy_ioctl(unsigned cmd) { return table[_IOC_NR(cmd)](cmd); }' >"$WORK/driver/src/toy/main.c"

it 'a first profile'
run profile init --dir driver
expect_status 0
expect_out_is toy.json
expect_err_is unsure.txt

it 'the first profile works after the missing parts are added'
cp "$OUT" "$WORK/toy.json"
run surface --profile toy.json --dir driver
expect_cannot "'other/package\.h' file not found"
mkdir -p "$WORK/driver/src/other"
: >"$WORK/driver/src/other/package.h"
run profile init --dir driver -o toy.json -q
expect_status 0
expect_err_empty
run surface --profile toy.json --dir driver
expect_status 0
expect_err_empty
expect_out_is surface.txt

it 'a table, but no repository'
echo '{"format": "drvabi-proxy/1", "proxy": "mine", "revision": "1", "driver": "toy", "types": {}, "versions": [{"version": "v1", "parent": null,
 "supported": true, "ioctls": {"toy": {"TOY_RESET": {"number": 41219, "constant": "TOY_RESET", "caps": [], "structs": []}}}}]}' >"$WORK/mine.json"
cp -r "$WORK/driver" "$WORK/after"
echo '#define TOY_NEW TOY_IOWR(4, struct toy_map)' >>"$WORK/after/src/toy/uapi/toy_ioctl.h"
run DRVABI_REPO= diff ./driver ./after --profile toy.json --table mine.json
expect_status 1
expect_err_like 'the first node, v1, is used'
run DRVABI_REPO= bootstrap v2 --dir after --profile toy.json --table mine.json
expect_cannot "bootstrap compares v2 with the versions of the table's nodes; name a repository that has them with --repo PATH$"

it "a kernel's include/uapi"
mkdir -p "$WORK/kernel/include/uapi/linux" "$WORK/kernel/drivers"
printf '#define A_GO _IO(0x12, 1)\n#define B_GO _IOR(0x13, 2, int)\n#define C_GO _IOC(_IOC_READ, 1, 2, 3)\n' >"$WORK/kernel/include/uapi/linux/a.h"
echo '#define INSIDE _IO(1, 1)' >"$WORK/kernel/drivers/inside.h"
run profile init --dir kernel
expect_status 0
expect_json 'only headers for user space' '.units[0].headers == ["include/uapi/linux/a.h"]'
expect_json 'no types, because some are unknown' '.families[0].ioc | has("types") | not'
expect_err_like 'unknown: the types of some ioctls'

it 'ioctls that are enumerators'
mkdir "$WORK/enums"
cat >"$WORK/enums/e.h" <<'C'
#define E_MAP(nr) (_IOWR('e', nr, int))
#define E_MACRO _IO('e', 1)
#define enum_of(x) { NOT_THIS = _IO('e', x) }
enum e_ioctls {
	E_FIRST = _IOR('e', 2, int), /* E_COMMENT = _IO('e', 9) */
#ifdef MORE
	E_SECOND = (E_MAP(3)),
#endif
	E_SIZE = sizeof(int), E_OTHER = 5, E_LAST
};
enum e_ioctls e_variable;
static inline int e(int cmd) { return (cmd = _IO('e', 8)); }
C
run profile init --dir enums
expect_status 0
expect_err_like '^drvabi: note: 1 ioctl was found in the text of 1 header; '
expect_err_like '^drvabi: note: not in the profile: enumerators with numbers of ioctls \(E_FIRST, E_SECOND\); such ioctls need a family with "source": "enum" and the name of their enum$'
sed -i '/E_MACRO/d' "$WORK/enums/e.h"
run profile init --dir enums
expect_cannot 'defines ioctls as macros, but enumerators have numbers of ioctls, such as E_FIRST; write a profile whose family has "source": "enum"$'

it 'a version in a repository'
git_in driver init -q -b main
git_in driver add . && git_in driver commit -qm one && git_in driver tag v1.0
echo '#define TOY_MORE TOY_IOWR(4, int)' >>"$WORK/driver/src/toy/uapi/toy_ioctl.h"
git_in driver commit -qam two && git_in driver tag v2.0
for version in '' v2.0 v1.0; do
	run profile init --repo "$WORK/driver" ${version:+--version "$version"}
	expect_status 0
	expect_err_like "$([ "$version" = v1.0 ] && echo 3 || echo 4) ioctls were found in the text of 1 header"
done

it 'errors'
mkdir "$WORK/none"
run profile init --dir none
expect_cannot 'no header of .* defines ioctls'
run profile init
expect_cannot 'profile init needs a tree: --dir PATH or --repo PATH'
run profile init --dir driver --version 1
expect_cannot '--version and --dir cannot be used together: a tree has no versions$'
run profile init x --dir driver
expect_cannot "profile init does not take '"
run profile
expect_cannot 'profile can init, list or show; see drvabi profile --help$'
run profile make
expect_cannot "profile can init, list or show, not 'make'"
run profile show
expect_cannot 'profile show prints one profile; name it'
run profile show nowhere
expect_cannot "no profile 'nowhere' is built in; drvabi profile list lists the built-in profiles"

it 'built-in profiles'
run profile list
expect_status 0
expect_out_like '^linux-kfd +AMD'
run profile show linux-kfd
expect 'show prints the file' cmp "$ROOT/src/extract/profiles/linux-kfd.json" "$OUT"

it "a planted fault is found"
expect "the check finds all planted faults" env DRVABI="$DRVABI" "$ROOT/scripts/check-linux" --self-test

it 'all profiles of Linux read /usr/include, and gcc agrees'
for profile in habanalabs linux-kfd linux-kvm linux-v4l2 linux-vfio; do
	expect "$profile" env DRVABI="$DRVABI" "$ROOT/scripts/check-linux" "$profile"
done

it 'lines that end in a carriage return, as in clang'
mkdir "$WORK/cr"
printf '#define X_A 0x10 // struct a\r#define X_B 0x20 // nothing\rstruct a { int x; };\r' >"$WORK/cr/x.h"
echo '{"format": "drvabi-profile/1", "name": "cr", "description": "", "repository": null, "constants": [], "roles": [],
 "units": [{"name": "x", "headers": ["x.h"], "include": ["."]}],
 "families": [{"name": "x", "source": "constants", "match": ["X_*"], "params": [{"regex": "struct ([a-z]+)", "record": "\\1"}]}]}' >"$WORK/cr.json"
run extract --profile cr.json --dir cr
expect_status 0
expect_json 'a comment ends with its line' '[.ioctls[] | [.name, .params]] == [["X_A", "a"], ["X_B", null]]'

done_testing
