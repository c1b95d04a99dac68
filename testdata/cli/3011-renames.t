#!/usr/bin/env bash
# An ioctl that was renamed is one change, with its record and its constants; one that got another's number says whose.
. "$(dirname "$0")/lib.sh"

archive=$ROOT/data/nvidia.drvabi

it 'UCODE_COVERAGE, which is UCODE_INSTRUMENTATION since 590.44.01'
run_differ --archive "$archive" --base 580.105.08 --next 590.44.01 --record '*UCODE*' --format json
expect_status 1
expect_json 'three ioctls, two records and a constant have other names, and nothing came or went' '
	[.changes[] | select(.name | test("INSTRUMENTATION"))] | map(.classes) == [range(6) | ["name"]]'
expect_json 'the records and the constant are told with ioctls' '
	[.changes[] | select(.kind != "ioctl" and (.name | test("INSTRUMENTATION"))) | .with] | length == 3 and all(test("_CMD_UCODE_INSTRUMENTATION_"))'
run_differ --archive "$archive" --base 580.105.08 --next 590.44.01 --record '*UCODE*'
expect_out_like '^  \[name\] control NV208F_CTRL_CMD_UCODE_INSTRUMENTATION_GET_STATE$'
expect_out_like '^    ~     12  instrumentationType +NvU32 +\(renamed from covType\)$'
expect_out_like '^    constant NV208F_CTRL_UCODE_INSTRUMENTATION = 0x19 \(25\)$'
expect_out_unlike '^  \[.*(struct|constant) NV208F'
run_differ --archive "$archive" --base 580.105.08 --next 590.44.01 --record '*UCODE*' --format markdown
expect_out_like '^\| control .*_GET_STATE.*; instrumentationType renamed from covType; constant NV208F_CTRL_UCODE_INSTRUMENTATION was NV208F_CTRL_UCODE_COVERAGE'
expect_out_unlike '^#### .struct NV208F'

it 'the record alone, if only that is asked for'
run_differ --archive "$archive" --base 580.105.08 --next 590.44.01 --record NV208F_CTRL_UCODE_INSTRUMENTATION
expect_status 1
expect_out_like '^  \[name\] constant NV208F_CTRL_UCODE_INSTRUMENTATION$'
run history --archive "$archive" NV208F_CTRL_UCODE_INSTRUMENTATION_GET_STATE_PARAMS
expect_status 0
expect_out_like '^  \[name\] struct NV208F_CTRL_UCODE_INSTRUMENTATION_GET_STATE_PARAMS$'

it 'its history'
run history --archive "$archive" '*_UCODE_COVERAGE_GET_STATE*'
expect_out_like '^    constant NV208F_CTRL_UCODE_INSTRUMENTATION = 0x19 \(25\)$|^    ~     12  instrumentationType '
expect_out_unlike '^  \[name\] struct'
run history --archive "$archive" '*_UCODE_COVERAGE_GET_STATE*' --format markdown
expect_out_like '^\| control .*; instrumentationType renamed from covType'
expect_out_unlike '^\| record .*INSTRUMENTATION'

it 'the number of another'
run_differ --archive "$archive" --base 570.133.20 --next 575.51.02 --record '*_FB_*'
expect_out_like "^    the number was NV2080_CTRL_CMD_FB_GET_STATUS's \(removed\)$"
expect_out_like "NV2080_CTRL_CMD_FB_QUERY_DRAM_ENCRYPTION_INFOROM_SUPPORT's( \(now 0x20801357\))?$"
expect_out_like '\(now 0x20801357\)$'
expect_out_unlike 'the number is now'
run_differ --archive "$archive" --base 570.133.20 --next 575.51.02 --record '*_FB_*' --format json
expect_json 'in JSON' '[.changes[] | select(.number_was_now) | .number_was_now] == [545264471]'

it 'another layout is another ioctl'
run_differ --archive "$archive" --base 580.105.08 --next 590.44.01 --record '*NVLE_LIDS*' --format json
expect_json 'one went, one came' '[.changes[] | select(.kind == "ioctl") | .classes] == [["added"], ["removed"]]'

done_testing
