#!/usr/bin/env bash
# Further devices of a driver: commands that are enumerators, and dispatch in their source.
. "$(dirname "$0")/lib.sh"
fresh

mkdir -p "$WORK/a/kms" "$WORK/a/drm" "$WORK/a/rm"
cat >"$WORK/a/kms/api.h" <<'C'
#include "inner.h"
enum KmsCommand { KMS_FLIP, KMS_MODE, KMS_OLD, KMS_COUNT };
struct KmsFlipParams { unsigned long long pHead; struct inner i; };
struct KmsModeParams { int fd; };
C
echo 'struct inner { int a; }; struct of_the_kernel { void *p; };' >"$WORK/a/kms/inner.h"
cat >"$WORK/a/kms/kms.c" <<'C'
#define ENTRY(cmd, func) [cmd] = { func, sizeof(struct Kms##func##Params) }
	ENTRY(KMS_FLIP, Flip), /* ENTRY(KMS_OLD, Old), */
	ENTRY(KMS_MODE, Mode),
C
cat >"$WORK/a/drm/ioctl.h" <<'C'
#include <drm.h>
struct toy_map { unsigned int handle; };
#define DRM_TOY_MAP DRM_IOWR(0x40 + 1, struct toy_map)
#define DRM_TOY_LOCK DRM_IOWR(0x40 + 2, struct toy_map)
C
echo 'DRM_IOCTL_DEF_DRV(TOY_MAP, toy_map_ioctl, DRM_RENDER_ALLOW | DRM_MASTER),' >"$WORK/a/drm/drv.c"
printf '#define RM_OPEN 1\nstruct RM_OPEN_PARAMS { int a; };\n' >"$WORK/a/rm/rm.h"
cat >"$WORK/profile.json" <<'J'
{"format": "drvabi-profile/1", "name": "toy",
 "units": [
  {"name": "rm", "headers": ["rm/rm.h"]},
  {"name": "kms", "headers": [], "optional_headers": ["kms/api.h"], "context": ["kms/inner.h"]},
  {"name": "drm", "headers": [], "optional_headers": ["drm/ioctl.h"], "include": ["drm"], "stand_ins": [
   {"path": "drm/drm.h", "expected": true, "text": "#define DRM_IOWR(nr, t) (3U << 30 | sizeof(t) << 16 | 'd' << 8 | (nr))\n"}]}],
 "families": [
  {"name": "rm", "source": "constants", "unit": "rm", "match": ["RM_*"], "params": [{"record": "\\0_PARAMS"}]},
  {"name": "kms", "source": "enum", "enum": "KmsCommand", "except": ["KMS_COUNT"],
   "routes": {"files": ["kms/*.c"], "calls": [{"name": "ENTRY", "ioctl": "\\1", "record": "Kms\\2Params"}]}},
  {"name": "drm", "source": "constants", "unit": "drm", "match": ["DRM_TOY_*"], "flags": ["toy"],
   "routes": {"files": ["drm/drv.c"], "calls": [{"name": "DRM_IOCTL_DEF_DRV", "ioctl": "DRM_\\1", "words": "\\3", "prefix": "DRM_"}]},
   "params": [{"name_regex": "^DRM_(TOY_.*)$", "record": "\\l1"}, {"regex": "struct ([a-z_]+)", "record": "\\1"}]}]}
J

it 'the surface'
run surface -v --dir a --profile profile.json
expect_status 0
expect_err_empty
expect_out_is surface.txt

it 'the document'
run extract --dir a --profile profile.json
expect_status 0
expect_err_empty
keep a.json
expect_json 'an enumerator is a constant' '.constants.KMS_OLD == 2 and (.constants | has("KMS_COUNT") | not)'
expect_json 'only records that user space uses are in the document' '(.records | has("inner")) and (.records | has("of_the_kernel") | not)'

it 'a driver without these devices'
mkdir -p "$WORK/none"
cp -r "$WORK/a/rm" "$WORK/none"
run extract --dir none --profile profile.json
expect_status 0
expect_err_empty
expect_json 'has one ioctl' '[.ioctls[].name] == ["RM_OPEN"]'

it 'a moved header'
cp -r "$WORK/a" "$WORK/moved"
mv "$WORK/moved/kms/api.h" "$WORK/moved/kms/interface.h"
run extract --dir moved --profile profile.json -v
expect_status 0
expect_err_like '^drvabi: moved: kms/kms\.c: This file answers ioctls of family kms, but the headers that the profile lists define no ioctls of this family\.$'

it 'a call in an unknown form'
cp -r "$WORK/a" "$WORK/forms"
sed -i 's/ENTRY(KMS_MODE, Mode)/ENTRY_OF_USER(KMS_MODE, Mode)/' "$WORK/forms/kms/kms.c"
echo 'DRM_TOY_DEF(TOY_LOCK, toy_lock_ioctl, 0),' >>"$WORK/forms/drm/drv.c"
run extract --dir forms --profile profile.json
expect_json 'has a warning' '[.warnings[] | [.place, (.text | split(",")[0])]] == [["drm/drv.c:2", "DRM_TOY_LOCK is mentioned here"], ["kms/kms.c:3", "KMS_MODE is mentioned here"]]'
expect_json 'not-dispatched is only set for the ioctl without a call' '[.ioctls[] | select(.flags | index("not-dispatched")).name] == ["KMS_OLD"]'

it 'a table without entries of these families'
cat >"$WORK/table.json" <<'J'
{"format": "drvabi-proxy/1", "proxy": "toy proxy", "revision": "1", "driver": "toy", "types": {},
 "versions": [{"version": "1.0", "parent": null, "supported": true, "ioctls": {"rm": {
  "RM_OPEN": {"number": 1, "constant": "RM_OPEN", "caps": ["compute"], "structs": []}}}}]}
J
sed -i 's/{ int fd; }/{ int fd; int more; }/; s/KMS_OLD, //' "$WORK/a/kms/api.h"
sed -i 's/RM_OPEN 1/RM_OPEN 1\n#define RM_CLOSE 2/' "$WORK/a/rm/rm.h"
run extract --dir a --profile profile.json
jq '.version = "1.1"' "$OUT" >"$WORK/b.json"
jq '.version = "1.0"' "$WORK/a.json" >"$WORK/base.json"
run diff --base-json base.json --next-json b.json --table table.json
expect_status 1
expect_out_is diff.txt
run diff --base-json base.json --next-json b.json --table table.json -v
expect_status 1
expect_out_like '^  \[growth\] struct KmsModeParams  4 -> 8 bytes$'

done_testing
