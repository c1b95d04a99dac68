#!/usr/bin/env bash
# The ABI document: it is complete, and has the same bytes however it was made.
# shellcheck disable=SC2016 # variables of jq
. "$(dirname "$0")/lib.sh"
fixture

it 'a version'
run extract --repo "$REPO" 110.05.00
expect_status 0
expect_err_empty
expect_out_is 110.05.00.json
keep one.json
expect_json 'the keys are those of drvabi-abi/1' 'keys_unsorted == ["format", "driver", "version", "commit", "target",
	"records", "aliases", "enums", "constants", "ioctls", "warnings"]'
expect_json 'names are sorted' 'all(.records, .aliases, .enums, .constants; keys_unsorted == (keys_unsorted | sort))'
expect_json 'ioctls are sorted by family and number' '[.ioctls[] | [.family, .number]] | . == sort'
expect_json 'every family has ioctls' '[.ioctls[].family] | unique == ["alloc", "control", "frontend", "uvm"]'
expect_json 'every source is a place in the tree' 'all(.. | objects | .source? // empty; test("^(src|kernel-open)/[^:]*:[0-9]+"))'
expect_json 'the parameter record of every ioctl is in the document' '. as $d | all(.ioctls[] | .params // empty; $d.records[.] or $d.aliases[.])'
expect_json 'no field ends after its record' 'all(.records[] | .size as $s | .fields[] | select(.size) | .offset + .size <= $s; .)'
expect_json 'no type has a path, a place or the word struct' \
	'all((.records[].fields[].type), (.records, .aliases | keys[]); test("/|\\.h|anonymous|unnamed|^(struct|union|enum) ") | not)'

it 'the C compiler'
unpack 110.05.00 tree
jq -r '[.records[].source | sub(":.*"; "")] | unique[] | select(startswith("src/common/sdk"))
	| "#include \"\(.)\""' "$OUT" >"$WORK/includes"
jq '.records |= with_entries(select(.value.source | startswith("src/common/sdk")))' "$WORK/one.json" >"$OUT"
include=(-I "$WORK/tree" -I "$WORK/tree/src/common/sdk/nvidia/inc" -I "$WORK/tree/kernel-open/common/inc" -I "$WORK/tree/src/common/shared/inc")
expect_as_compiled 'lays out every record likewise' typedef '^NV[A-Za-z0-9_]*$' "${include[@]}" <"$WORK/includes"

it 'repeated runs with any number of jobs'
for jobs in 1 2 8; do
	run extract --repo "$REPO" --no-cache --jobs "$jobs" 110.05.00
	expect_same "--jobs $jobs" "$OUT" "$WORK/one.json"
done

it 'a different directory and user'
cp -r "$REPO" "$WORK/a repository.git"
run HOME=/nonexistent USER=nobody TZ=Asia/Tokyo LC_ALL=de_DE.UTF-8 LANG=tr_TR.UTF-8 CPATH=/usr/include C_INCLUDE_PATH=/usr/include \
	extract --repo 'a repository.git' --no-cache 110.05.00
expect_status 0
expect_same 'the result is the same' "$OUT" "$WORK/one.json"
run XDG_CACHE_HOME="$WORK/a cache" extract --repo 'a repository.git' 110.05.00
expect_same 'the result is the same with spaces in all paths' "$OUT" "$WORK/one.json"

it 'aarch64'
run extract --repo "$REPO" --target aarch64-linux-gnu 110.05.00
expect_status 0
expect_json 'is the target' '.target == "aarch64-linux-gnu"'
sed 's/aarch64-linux-gnu/x86_64-linux-gnu/' "$OUT" >"$WORK/arm.json"
expect_same 'has the same document of the demo driver' "$WORK/arm.json" "$WORK/one.json"
run diff --base-json one.json --next-json one.json --target aarch64-linux-gnu
expect_cannot '^drvabi: one\.json is a document for x86_64-linux-gnu; leave --target aarch64-linux-gnu out$'
run show --json one.json --profile linux-drm DEMO_INFO
expect_cannot '^drvabi: one\.json is a document of the driver [a-z]+; leave --profile linux-drm out$'
run extract --repo "$REPO" --target aarch64-linux-gnu 110.05.00 -o arm.json
run diff --base-json one.json --next-json arm.json
expect_cannot '^drvabi: 110\.05\.00 is for x86_64-linux-gnu and 110\.05\.00 is for aarch64-linux-gnu; only documents for the same target can be compared$'

it 'a layout that depends on the target'
sed -i '$i typedef struct {\n#ifdef __aarch64__\nNvU64 first;\n#endif\n__WCHAR_TYPE__ last;\n} NVOS_DEMO_TARGET;' \
	"$WORK/tree/src/common/sdk/nvidia/inc/nvos.h"
run flatten --dir tree --record NVOS_DEMO_TARGET
expect_status 0
expect_out_like '^ +0 +4 +i32 +last +int$'
run flatten --dir tree --record NVOS_DEMO_TARGET --target aarch64-linux-gnu
expect_status 0
expect_out_like '^ +8 +4 +u32 +last +unsigned int$'

it 'extraction with warnings'
unpack 110.05.00 tree
rm "$WORK/tree/src/nvidia/generated/g_subdevice_nvoc.c"
rm "$WORK"/tree/src/nvidia/generated/*
run extract --dir tree
expect_status 0
expect_err_like '^drvabi: tree: [0-9]+ warnings? from extraction; details with -v$'
expect_json 'has the warnings in the document' '.warnings | length > 0'
run extract -v --dir tree
expect_err_like '^drvabi: tree: .*nvoc'
run extract -q --dir tree
expect_status 0
expect_err_empty

it 'a part of the tree'
unpack 110.05.00 whole
mkdir "$WORK/part"
cp -R "$WORK/whole/kernel-open" "$WORK/part"
cp "$WORK/whole/src/nvidia/arch/nvalloc/unix/include/nv-ioctl.h" "$WORK/part/kernel-open/common/inc" # as in the real driver
run extract --dir whole
keep whole.json
run extract --dir part
expect_status 0
expect_err_empty
expect_json 'absent lists the missing part' '.absent == ["src"]'
keep part.json
expect 'all that it has is the same as for the whole tree' jq -e -s '
	def plain: del(.. | .source?);
	(.[0] | plain) as $whole | (.[1] | plain)
	| .records.nv_ioctl_sys_params_t and all(.records | to_entries[]; .value == $whole.records[.key])
	and ([.ioctls[].family] | unique) == ["frontend", "uvm"]
	and ([$whole.ioctls[] | select(.family == "uvm")] == [.ioctls[] | select(.family == "uvm")])
	and all(.ioctls[]; . as $one | any($whole.ioctls[]; . == $one))' "$WORK/whole.json" "$WORK/part.json"
mv "$WORK"/part/kernel-open/* "$WORK/part"
rmdir "$WORK/part/kernel-open"
run extract --dir part
expect_status 0
expect "the document does not depend on the directory's name" cmp "$OUT" "$WORK/part.json"
rm -r "$WORK/part/common"
run extract --dir part
expect_cannot 'has no file kernel-open/common/inc/nv-ioctl-numbers.h, which unit rm of the profile reads'
run show --json part.json UVM_FREE
expect_cannot '^drvabi: part\.json is the document of a part of a tree, without src; only drvabi bootstrap accepts such a document$'
run flatten --dir part --record UVM_FREE_PARAMS
expect_cannot 'has no file src/common/sdk/nvidia/inc/nvos.h'

done_testing
