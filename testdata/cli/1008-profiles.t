#!/usr/bin/env bash
# Built-in profiles, a user's profile, and invalid profiles.
# shellcheck disable=SC2016 # variables of jq
. "$(dirname "$0")/lib.sh"
fixture

it 'linux-kfd, with the headers of linux-libc-dev'
if [ -e /usr/include/linux/kfd_ioctl.h ]; then
	run extract --dir /usr/include --profile linux-kfd
	expect_status 0
	keep kfd.json
	expect_json "the document has the driver's name" '.driver == "linux-kfd"'
	expect_json 'the document has an ioctl' '[.ioctls[] | select(.name == "AMDKFD_IOC_GET_VERSION") | [.family, .number, .params]]
		== [["kfd", 2148027137, "kfd_ioctl_get_version_args"]]'
	expect_json 'all ioctls have parameters' '(.ioctls | length) >= 30 and all(.ioctls[]; .params)'
	expect_json 'each parameter record is in the document' '.records as $r | all(.ioctls[]; $r[.params])'
	expect_json 'the document has a pointer' '.records.kfd_ioctl_get_process_apertures_new_args.fields[0]
		== {name: "kfd_process_device_apertures_ptr", type: "__u64", offset: 0, size: 8, role: "pointer"}'
	expect_json 'no source is outside the tree' 'all(.. | objects | .source? // empty; test("^[a-z][^:]*:[0-9]+"))'
	mkdir -p "$WORK/other/drm"
	echo '#include <linux/types.h>' >"$WORK/other/drm/drm.h"
	expect_as_compiled 'the C compiler agrees' tag '^kfd_[a-z_0-9]*$' -idirafter "$WORK/other" <<-'C'
		#include <linux/kfd_ioctl.h>
	C
	run show --dir /usr/include --profile linux-kfd AMDKFD_IOC_GET_VERSION
	expect_status 0
	run show --dir /usr/include --profile linux-kfd 0xc0504b01
	expect_status 0
	expect_err_like 'is a request of ioctl\(2\): AMDKFD_IOC_GET_VERSION'
	run_differ --base /usr/include --next /usr/include --profile linux-kfd -q
	expect_status 0
	expect_err_empty
	run extract --dir /usr/include --profile linux-kfd --target aarch64-linux-gnu
	expect_status 0
	for side in a b; do
		jq '.constants, .ioctls, (.records | with_entries(select(.key | startswith("kfd_"))))' "$OUT" >"$WORK/$side"
		cp "$WORK/kfd.json" "$OUT"
	done
	expect_same 'is the same ABI on both targets' "$WORK/a" "$WORK/b"
else
	fail 'linux-libc-dev is installed'
fi

it 'linux-drm, with the headers of libdrm-dev'
if [ -e /usr/include/libdrm/drm.h ] || [ -e /usr/include/drm/drm.h ]; then
	run extract --dir /usr/include --profile linux-drm -q
	expect_status 0
	expect_err_empty
	expect_json "the document has the driver's name" '.driver == "linux-drm"'
	expect_json 'the first ioctl of DRM' '[.ioctls[] | select(.name == "DRM_IOCTL_VERSION") | [.number, .params]] == [[3225445376, "drm_version"]]'
	expect_json 'an ioctl of one driver' '[.ioctls[] | select(.name == "DRM_IOCTL_AMDGPU_GEM_CREATE") | [.number, .params]] == [[3223348288, "drm_amdgpu_gem_create"]]'
	expect_json 'a union is marked as a union' '.records.drm_amdgpu_gem_create.is_union'
	expect_json 'there are more than 200 ioctls' '(.ioctls | length) > 200'
	jq -r '"#include <stdint.h>", ([.records[].source | sub(":.*"; "") | select(test("drm/[a-z0-9_]*drm[a-z_]*\\.h$"))] | unique
		| sort_by(test("/drm[a-z_]*\\.h$") | not)[] | "#include <\(.)>")' "$OUT" >"$WORK/includes"
	mkdir -p "$WORK/other"
	: >"$WORK/other/via_drmclient.h"
	expect_as_compiled 'the C compiler agrees' tag '^drm_[a-z_0-9]*(?<!_t)$' -I "$WORK/other" -idirafter /usr/include/libdrm <"$WORK/includes"
else
	fail 'libdrm-dev is installed'
fi

it "a user's profile"
mkdir -p "$WORK/toy/include/toy"
cat >"$WORK/toy/include/toy/ioctl.h" <<'C'
#pragma once
#include "toy/types.h"
#define TOY_VERSION 3
#define TOY_DEBUG_LEVEL 0x7
#define TOY_MAX 0x10
#define _IOC(dir, type, nr, size) (((dir) << 30) | ((size) << 16) | ((type) << 8) | (nr))
#define TOY_IOC_OPEN _IOC(1, 'T', 1, sizeof(struct toy_open))
#define TOY_IOC_CLOSE _IOC(1, 'T', 2, sizeof(struct toy_close))
struct toy_open { char *name; int fd; __u32 handle; };
struct toy_close { __u32 handle; };
C
printf '#pragma once\n%s\n' 'struct toy_inner { __u32 a; };' >"$WORK/toy/include/toy/types.h"
sed -n '/^    {$/,/^    }$/s/^    //p' "$ROOT/docs/profile.md" >"$WORK/toy.json"
run extract --dir toy --profile ./toy.json
expect_status 0
expect_err_empty
expect_out_is toy.json
run flatten --dir toy --profile toy.json --record 'toy_open'
expect_status 0
expect_out_like '^ +8 +4 +i32 +fd +int +fd$'

it 'a file that is not a profile'
run extract --repo "$REPO" --profile windows 110.05.00
expect_cannot "^drvabi: no profile 'windows'; the built-in profiles are aws-neuron, habanalabs, linux-drm, linux-kfd, linux-kvm, linux-v4l2, linux-vfio, nvidia; the name of a file must contain a dot or a slash$"
run extract --repo "$REPO" --profile ./nowhere.json 110.05.00
expect_cannot '^drvabi: cannot open \./nowhere\.json: No such file or directory$'
run extract --repo "$REPO" --profile . 110.05.00
expect_cannot '^drvabi: cannot read \.: Is a directory$'
run DRVABI_REPO= extract --profile linux-kfd 1
expect_cannot '^drvabi: the profile linux-kfd names no public repository; give --repo PATH or --dir PATH$'
run extract --repo "$REPO" --profile linux-kfd 110.05.00
expect_cannot '^drvabi: version 110\.05\.00 has no file linux/kfd_ioctl\.h, nor .*, which unit kfd of the profile reads; is this the right tree'

# malformed SED-SCRIPT REGEX - change the nvidia profile with the script, and expect an error
malformed() {
	sed "$1" "$ROOT/src/extract/profiles/nvidia.json" >"$WORK/p.json"
	expect "the script changed the profile: $1" lib_differs "$ROOT/src/extract/profiles/nvidia.json" "$WORK/p.json"
	run extract --repo "$REPO" --profile ./p.json 110.05.00
	expect_cannot "^drvabi: \\./p\\.json:$2$"
	run_differ --repo "$REPO" --base 100.10.01 --next 110.05.00 --profile ./p.json
	expect_cannot "^drvabi: \\./p\\.json:$2$"
}

lib_differs() {
	! cmp -s "$1" "$2"
}

it 'an error in a profile is reported with its place'
malformed 's/drvabi-profile\/1/drvabi-profile\/2/' ' format: expected "drvabi-profile/1", found "drvabi-profile/2"'
malformed '/"format": "drvabi-profile/d' ' the key "format" is missing'
malformed '3i "name": "twice",' ' the key "name" appears twice in one object'
malformed '0,/"name": "nvidia"/s//"name": 5/' ' name: expected a string, found an integer'
malformed '0,/"headers"/s//"haeders"/' ' units\[0\]\.haeders: unknown key'
malformed '0,/"src\/common/s//"..\/src\/common/' ' units\[0\]\.headers\[0\]: "\.\./src/.*" is not a path inside a tree .*'
malformed '0,/"src\/common/s//"\/src\/common/' ' units\[0\]\.headers\[0\]: "/src/.*" is not a path inside a tree .*'
malformed '0,/"role": "pointer"/s//"role": "pointy"/' ' roles\[[0-9]*\]\.role: "pointy" is not a role .*'
malformed '0,/"value": "/s//"value": "(/' ' constants\[[0-9]*\]\.value: not an extended regular expression: .*'
malformed '0,/"source": "nvoc"/s//"source": "magic"/' ' families\[0\]\.source: "magic" is not a source of ioctls .*'
malformed 's/"include": \[/"include": [["x"],/' ' units\[0\]\.include\[0\]: expected an object or a string, found an array'
malformed '$d' "[0-9]*:1: .*found the end of the text"
malformed '2s/,$//' "3:2: .*expected ',' or '}', found '\"'"
malformed '$a x' "[0-9]*:1: expected the end of the text, found 'x'"
malformed '1s/^/\xff/' "1:1: expected a value, found byte 0xff"

it 'a profile of random bytes'
head -c 200000 /dev/zero | tr '\0' '[' >"$WORK/p.json"
run extract --repo "$REPO" --profile ./p.json 110.05.00
expect_cannot '^drvabi: \./p\.json:1:65: nested more than 64 levels deep$'
: >"$WORK/p.json"
run extract --repo "$REPO" --profile ./p.json 110.05.00
expect_cannot '^drvabi: \./p\.json:1:1: expected a value, found the end of the text$'
echo '{"format": "drvabi-profile/1", "name": "x", "units": []}' >"$WORK/p.json"
run extract --repo "$REPO" --profile ./p.json 110.05.00
expect_cannot '^drvabi: \./p\.json: units: a profile needs at least one unit$'
run extract --repo "$REPO" --profile /dev/full 110.05.00
expect_cannot '^drvabi: /dev/full is larger than [0-9]* bytes; is it the right file\?$'

done_testing
