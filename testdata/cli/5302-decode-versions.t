#!/usr/bin/env bash
# The ioctl of a number: all ioctls that had it if the version is unknown, or else the ioctl of the version in the log.
. "$(dirname "$0")/lib.sh"

answers=(DRVABI_REPO= decode)

cat >"$WORK/log" <<'END'
nvproxy: unknown control command 0x20801357 (paramsSize=4)
I1122 12:00:00 NVIDIA driver version: 570.195.03
nvproxy: unknown control command 0x20801357 (paramsSize=4)
I1122 12:00:01 NVIDIA driver version: 570.195.03
nvproxy: unknown control command 0x20801357 (paramsSize=4)
I1122 12:00:02 NVIDIA driver version: 590.48.01
nvproxy: unknown control command 0x20801357 (paramsSize=4)
I1122 12:00:03 NVIDIA driver version: 999.1
nvproxy: unknown control command 0x20801357 (paramsSize=4)
END
status=NV2080_CTRL_CMD_FB_GET_STATUS
support=NV2080_CTRL_CMD_FB_QUERY_DRAM_ENCRYPTION_INFOROM_SUPPORT

it 'a number that was given to a different command'
run "${answers[@]}" --control 0x20801357 --table nvproxy
expect_out_is number.txt
run "${answers[@]}" --control 0x20801357 --format markdown
expect_out_like "^### \`$support\` or \`$status\`$"
run "${answers[@]}" --control 0x20801357 --format json
expect_json 'JSON has all names, and no single name' '.name == null and [.names[] | {name, record, versions}] == [
	{name: "'$support'", record: "NV2080_CTRL_FB_DRAM_ENCRYPTION_INFOROM_SUPPORT_PARAMS", versions: ["575.51.02..595.45.04"]},
	{name: "'$status'", record: "NV2080_CTRL_FB_GET_STATUS_PARAMS", versions: ["570.86.15..570.211.01"]}]'
run "${answers[@]}" --control 0x20801357 --format json --version 570.195.03
expect_json 'with a version, JSON has one name' '.name == "'$status'" and (has("names") | not)'
run "${answers[@]}" --control 0x20801359 --version 590.48.01
expect_out_like '^control 0x20801359 NV2080_CTRL_CMD_FB_GET_MEMORY_BOOT_TRAINING_FLAGS$'
expect_out_like 'a macro only: no table of the driver lists the command'

it 'an envelope whose command can be one of two'
run "${answers[@]}" 0xc020462a 0100d0c10200005c571380200000000000000000000000000400000000000000 --format json
expect_status 0
expect_json 'the field has both names' '.name == null and (.envelopes[0].fields[] | select(.path == "cmd").name) == "'"$support or $status"'"'

it 'an envelope whose fields moved, although its size did not change'
alloc=0100d0c10100d0c10100005c8000000000100000007f00001f00000000000000
moved='in 49 versions from 515.43.04 to 530.41.03, the record has the same size but different fields'
run "${answers[@]}" 0xc020462b "$alloc" --format json
expect_json 'the call has the note' '.notes == ["NV_ESC_RM_ALLOC: decoded as in 595.45.04; '"$moved"'"] and .status == "NV_OK"'
run "${answers[@]}" 0xc020462b "$alloc" --format json --version 530.41.03
expect_json 'the version decides' '.notes == [] and .status == "NV_ERR_INVALID_ARGUMENT"'
run "${answers[@]}" 0xc028462b "${alloc}0000000000000000" --version 595.45.04 --format json
expect_json 'a size that the version does not have is noted' '.notes[0] == "NV_ESC_RM_ALLOC: 40 bytes; in 595.45.04, the record has 48; decoded as in 530.41.03"'

it 'a log that has the version of the driver'
run "${answers[@]}" "$WORK/log" --format json
expect_status 0
expect_json 'each version is valid from its line on' -s '[.[] | .name] == [null, "'$status'", "'$status'", "'$support'", null]
	and [.[] | .version] == [null, "570.195.03", "570.195.03", "590.48.01", null]'
expect_err_like '^drvabi: note: .*/log gives the driver version as 570.195.03: the calls after that line are decoded with it$'
expect_err_like '^drvabi: note: .*/log gives the driver version as 999.1, for which there is no document: .*the size of each call.s parameters selects the version; name a different one with --version$'
expect 'each version is printed once' [ "$(grep -c 570.195.03 "$ERR")" = 1 ]
run "${answers[@]}" "$WORK/log" --format json --version 590.48.01
expect_json '--version overrides it' -s 'all(.[]; .version == "590.48.01")'
expect_err_empty

it 'a summary of several versions'
run "${answers[@]}" "$WORK/log" --format summary --table nvproxy
expect_out_is summary.txt
run "${answers[@]}" "$WORK/log" --format markdown
expect_out_is summary.md

it 'a log of several versions, compared with one version'
run "${answers[@]}" "$WORK/log" --against 595.45.04 -q
expect_cannot 'has calls of the versions 570.195.03 and 590.48.01, but --against compares one version with one other; name it with --version$'
head -3 "$WORK/log" >"$WORK/one"
run "${answers[@]}" "$WORK/one" --against 595.45.04
expect_status 0
expect_out_like 'in 570.195.03'

it 'the changes that a proxy needs to forward such a number'
run DRVABI_REPO= bootstrap --add 0x20801357 --table nvproxy
expect_cannot "^drvabi: in the table's versions, 0x20801357 is the number of several ioctls: control $status in 570\.86\.15 to 570\.[0-9.]+, control $support in 575\.51\.02 to [0-9.]+; give one of these names$"
run DRVABI_REPO= bootstrap --add "$status" "$status" --table nvproxy -o add
expect_status 0
run DRVABI_REPO= table merge nvproxy add/table.patch.json
expect_status 0

it 'since when the driver has the ioctl of a number'
run DRVABI_REPO= show 0x20801357 --format json
expect_json 'the number and the command have different versions' '.words[0].items[0] | .since == ["570.86.15"] and .number_since == ["575.51.02"]'
expect_json 'the former ioctl has its last version' '.words[0].others[0] | .until == ["575.51.02"] and (has("number_since") | not)'

it 'an ioctl of DRM, which the driver finds by type and nr'
run "${answers[@]}" 0xc0146443 --version 595.45.04 --format json
expect_json 'an old size' '.name == "DRM_IOCTL_NVIDIA_GET_DEV_INFO" and
	.notes == ["20 bytes; in 595.45.04, the record has 36, and the driver answers a call of any size; decoded as in 535.288.01"]'
run "${answers[@]}" 0xc0286441 --format json
expect_json 'a size that no version has' '.name == "DRM_IOCTL_NVIDIA_GEM_IMPORT_NVKMS_MEMORY" and 
	.notes == ["40 bytes; the record has 32, and the driver answers a call of any size"]'
run "${answers[@]}" 0xc0106443 "$(printf '00%.0s' {1..16})" --format json
expect_status 0
expect_json 'its bytes are no error' '.name == "DRM_IOCTL_NVIDIA_GET_DEV_INFO" and .fields == [] and
	.notes == ["16 bytes; the record has 20 to 36, and the driver answers a call of any size"]'
run "${answers[@]}" 0xc0106443 00
expect_cannot 'no version has 1 bytes of parameters for it'
run DRVABI_REPO= show 0xc0286441 --format json
expect_json 'show finds it, too' '.words[0].items[0].name == "DRM_IOCTL_NVIDIA_GEM_IMPORT_NVKMS_MEMORY"'

it 'a record of an ioctl with a different size'
run DRVABI_REPO= show NVOS21_PARAMETERS --format json
expect_json 'is listed with this ioctl' '.words[0].items[0].carried_by == [{"family": "frontend", "name": "NV_ESC_RM_ALLOC", "number": 43, "through": []}]'

it 'a number that only an unreleased version has'
fixture
git clone -q "$REPO" "$WORK/clone"
git -C "$WORK/clone" checkout -q -b next 120.01.00
grep -rl 0x20803012 "$WORK/clone/src" | xargs sed -i s/0x20803012/0x208030ff/
git -C "$WORK/clone" -c user.name=a -c user.email=a@b commit -qam next
run decode --repo "$WORK/clone" --version next --control 0x208030ff 00
expect_cannot '^drvabi: control 0x208030ff is NV2080_CTRL_CMD_DEMO_DRAM_CHECK_STATUS, and no version has 1 bytes of parameters for it; NV2080_CTRL_DEMO_DRAM_CHECK_STATUS_PARAMS has 4 in next$'
echo 'nvproxy: unknown control command 0x208030ff (paramsSize=1)' >"$WORK/log"
run decode --repo "$WORK/clone" --version next --format json "$WORK/log"
expect_json 'a log has its name and its size' '.name == "NV2080_CTRL_CMD_DEMO_DRAM_CHECK_STATUS" and .notes == ["1 bytes; in next, the record has 4"]'

done_testing
