#!/usr/bin/env bash
# A renamed ioctl is one change, with its record and constants. An ioctl with the number of another ioctl names that ioctl.
. "$(dirname "$0")/lib.sh"

archive=$ROOT/data/nvidia.drvabi

it 'UCODE_COVERAGE, which is UCODE_INSTRUMENTATION since 590.44.01'
run_differ --archive "$archive" --base 580.105.08 --next 590.44.01 --record '*UCODE*' --format json
expect_status 1
expect_json 'three ioctls, two records and a constant are renamed; nothing is added or removed' '
	[.changes[] | select(.name | test("INSTRUMENTATION"))] | map(.classes) == [range(6) | ["name"]]'
expect_json 'the records and the constant are printed with the ioctls' '
	[.changes[] | select(.kind != "ioctl" and (.name | test("INSTRUMENTATION"))) | .with] | length == 3 and all(test("_CMD_UCODE_INSTRUMENTATION_"))'
run_differ --archive "$archive" --base 580.105.08 --next 590.44.01 --record '*UCODE*'
expect_out_like '^  \[name\] control NV208F_CTRL_CMD_UCODE_INSTRUMENTATION_GET_STATE$'
expect_out_like '^    ~     12  instrumentationType +NvU32 +\(renamed from covType\)$'
expect_out_like '^    constant NV208F_CTRL_UCODE_INSTRUMENTATION = 0x19 \(25\)$'
expect_out_unlike '^  \[.*(struct|constant) NV208F'
run_differ --archive "$archive" --base 580.105.08 --next 590.44.01 --record '*UCODE*' --format markdown
expect_out_like '^\| control .*_GET_STATE.*; instrumentationType renamed from covType; constant NV208F_CTRL_UCODE_INSTRUMENTATION was NV208F_CTRL_UCODE_COVERAGE'
expect_out_unlike '^#### .struct NV208F'

it 'only the record is requested'
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

it 'the number of a different ioctl'
run_differ --archive "$archive" --base 570.133.20 --next 575.51.02 --record '*_FB_*'
expect_out_like "^    the number was NV2080_CTRL_CMD_FB_GET_STATUS's \(removed\)$"
expect_out_like "NV2080_CTRL_CMD_FB_QUERY_DRAM_ENCRYPTION_INFOROM_SUPPORT's( \(now 0x20801357\))?$"
expect_out_like '\(now 0x20801357\)$'
expect_out_unlike 'the number is now'
run_differ --archive "$archive" --base 570.133.20 --next 575.51.02 --record '*_FB_*' --format json
expect_json 'in JSON' '[.changes[] | select(.number_was_now) | .number_was_now] == [545264471]'

it 'a different layout is a different ioctl'
run_differ --archive "$archive" --base 580.105.08 --next 590.44.01 --record '*NVLE_LIDS*' --format json
expect_json 'one is removed, one is added' '[.changes[] | select(.kind == "ioctl") | .classes] == [["added"], ["removed"]]'

done_testing
