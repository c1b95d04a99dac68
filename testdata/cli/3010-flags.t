#!/usr/bin/env bash
# Flags and rights: changes to the words that decide who may call an ioctl have the class access, and others the class flags.
. "$(dirname "$0")/lib.sh"
fixture

# with_flags NAME FLAGS RIGHTS - print $WORK/as-it-is.json with these flags and rights of the ioctl NAME
with_flags() {
	jq --arg name "$1" --arg flags "$2" --arg rights "$3" '.ioctls |= map(if .name != $name then . else
		.flags = ($flags | split(" ")) | if $rights == "" then del(.access) else .access = $rights end end)' "$WORK/as-it-is.json"
}

# compared WAS IS [OPTION...] - compare two lists of flags of an ioctl that the demo proxy forwards; rights follow a slash
compared() {
	with_flags NV0000_CTRL_CMD_SYSTEM_GET_CPU_INFO "${1%/*}" "$(printf %s "$1" | sed -n 's,.*/,,p')" >"$WORK/was.json"
	with_flags NV0000_CTRL_CMD_SYSTEM_GET_CPU_INFO "${2%/*}" "$(printf %s "$2" | sed -n 's,.*/,,p')" >"$WORK/is.json"
	shift 2
	run diff --base-json "$WORK/was.json" --next-json "$WORK/is.json" --table "$TABLE" "$@"
	expect_status 1
	expect_err_empty
}

run extract --repo "$REPO" 120.01.00
keep as-it-is.json

it 'a changed privilege is printed as the difference'
compared 'cacheable privileged' 'cacheable non-privileged'
expect_out_like '^  \[access\] control NV0000_CTRL_CMD_SYSTEM_GET_CPU_INFO '
expect_out_like '^    access: privileged -> non-privileged$'
expect_out_unlike 'cacheable'
expect_out_unlike 'only in flags'

it 'other flags are counted'
compared 'cacheable non-privileged' 'no-gpus-lock non-privileged'
expect_out_like '^1 forwarded ioctl changed only in flags that are not privileges \(-v lists them\)$'
expect_out_unlike '\[flags\]'
compared 'cacheable non-privileged' 'no-gpus-lock non-privileged' -v
expect_out_like '^  \[flags\] control NV0000_CTRL_CMD_SYSTEM_GET_CPU_INFO '
expect_out_like '^    flags: \+no-gpus-lock -cacheable$'
compared 'cacheable non-privileged' 'no-gpus-lock non-privileged' --format markdown
expect_out_like '^1 ioctl changed only in flags that are not privileges\.$'

it 'both, with rights'
compared 'cacheable kernel-privileged' 'internal no-gpus-lock/debug,nice'
expect_out_like '^  \[access, flags\] '
expect_out_like '^    access: kernel-privileged -> internal \+right debug \+right nice$'
expect_out_like '^    flags: \+no-gpus-lock -cacheable$'
compared 'cacheable kernel-privileged' 'internal no-gpus-lock/debug,nice' --format markdown
expect_out_like ', access: kernel-privileged -> internal \+right debug \+right nice, flags: \+no-gpus-lock -cacheable(;| \|)'

it 'JSON has everything'
compared 'cacheable kernel-privileged/nice' 'internal no-gpus-lock/debug' --format json
expect_json 'has each list' '.changes | length == 1 and (.[0] | .classes == ["access", "flags"]
	and .access_added == ["internal"] and .access_removed == ["kernel-privileged"]
	and .rights_added == ["debug"] and .rights_removed == ["nice"]
	and .flags_added == ["no-gpus-lock"] and .flags_removed == ["cacheable"])'
expect_json 'both classes are counted' '.summary.classes | .access == 1 and .flags == 1 and .value == 0'

it 'on a terminal, control characters in flags are escaped'
compared 'non-privileged' $'non-privileged wei\033[31mrd' -v
expect_out_like '^    flags: \+wei\\x1b\[31mrd$'

it 'NVIDIA, 550.54.14 to 570.86.15'
run diff --archive "$ROOT/data/nvidia.drvabi" 550.54.14 570.86.15 --format json
expect_status 1
expect_json 'four privileges change, among 243 changes of flags' '.summary.classes | .access == 4 and .flags == 243'
expect_json 'a command without a method has no privilege' '.changes[] | select(.name == "NV2080_CTRL_CMD_BUS_GET_INFO") | .classes == ["flags"]'

done_testing
