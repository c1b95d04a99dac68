#!/usr/bin/env bash
# blame: the version that last changed each field of a record.
. "$(dirname "$0")/lib.sh"
fixture

it 'a record'
run blame --repo "$REPO" NV0000_CTRL_OS_UNIX_EXPORT_OBJECT_PARAMS
expect_status 0
expect_err_empty
expect_out_is record.txt

it 'a field, at an older version'
run blame --repo "$REPO" NV2080_CTRL_PERF_GET_SAMPLE_PARAMS.sample --version 110.05.00
expect_status 0
expect_out_is field.txt

it 'an ioctl'
run blame --repo "$REPO" NV2080_CTRL_CMD_DEMO_SET_TIMEOUT --version 100.20.02
expect_status 0
expect_out_like '^[0-9a-f]{12} \(100\.20\.02 2022-09-01 +12\) NvU32 retries$'
expect_out_like '^    \(added; also at 110\.05\.00\)$'
expect_out_unlike '^[0-9a-f^]* \(110\.05\.00'

it 'a renamed record'
run blame --repo "$REPO" NV_DEMO_FENCE_ALLOC_PARAMS
expect_status 0
expect_out_like '^\^[0-9a-f]{11} \(100\.10\.01 '

it 'a name that the newest version does not have'
run blame --repo "$REPO" NV2080_CTRL_PERF_RESET_LIMIT_PARAMS
expect_status 0
expect_out_like '^NV2080_CTRL_PERF_RESET_LIMIT_PARAMS: not in 120\.01\.00; this is 100\.20\.02, the$'
expect_out_like '^\^[0-9a-f]{11} \(100\.10\.01 '
run blame --repo "$REPO" NV2080_CTRL_PERF_RESET_LIMIT_PARAMS --version 120.01.00
expect_cannot "nvidia 120\.01\.00 has no record called 'NV2080_CTRL_PERF_RESET_LIMIT_PARAMS'"

it 'JSON'
run blame --repo "$REPO" NV0000_CTRL_OS_UNIX_EXPORT_OBJECT_PARAMS --format json
expect_json 'has a line for each field' '
	.format == "drvabi-blame/1" and .version == "120.01.00"
	and ([.lines[] | select(.path == "fd") | [.version, .date, .op, .boundary]] == [["110.05.00", "2022-05-01", "added", false]])'
expect_json 'has the record size' '.size.size == 36 and .size.before == 32 and .size.version == "110.05.00"'

it 'errors'
run blame --repo "$REPO"
expect_cannot 'blame takes one record or ioctl, NAME, NUMBER or NAME\.FIELD'
run blame --repo "$REPO" NO_SUCH_RECORD
expect_cannot "nvidia 120\.01\.00 has no record called 'NO_SUCH_RECORD'"
run blame --repo "$REPO" NVOS54_PARAMTERS
expect_cannot "no record called 'NVOS54_PARAMTERS', and no ioctl with this name that has parameters; nearest: .*NVOS54_PARAMETERS"
run blame --repo "$REPO" NVOS54_PARAMETERS.hclint
expect_cannot "NVOS54_PARAMETERS has no field 'hclint' at 120\.01\.00; nearest: hClient$"
run blame --repo "$REPO" NVOS54_PARAMETERS.nothing
expect_cannot "NVOS54_PARAMETERS has no field 'nothing' at 120\.01\.00"
run blame --repo "$REPO" NV0000_CTRL_OS_UNIX_EXPORT_OBJECT_PARAMS.fd --version 100.10.01
expect_cannot "NV0000_CTRL_OS_UNIX_EXPORT_OBJECT_PARAMS has no field 'fd' at 100\\.10\\.01; --version 120\\.01\\.00 has it$"
run history --repo "$REPO" NVOS54_PARAMETERS.hClient
expect_cannot 'NVOS54_PARAMETERS\.hClient is a field, not a version; drvabi blame NVOS54_PARAMETERS\.hClient says'
run blame --repo "$REPO" NVOS54_PARAMETERS --version 1.2
expect_cannot 'no tag 1\.2 in .*the newest is 120\.01\.00'

done_testing
