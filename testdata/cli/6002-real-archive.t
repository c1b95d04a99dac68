#!/usr/bin/env bash
# The archive of the real driver that comes along: what it holds, and that it answers without a repository.
. "$(dirname "$0")/lib.sh"

archive=$ROOT/data/nvidia.drvabi

it 'its versions'
run archive list "$archive" --format json
expect_status 0
expect_json 'are those that the documentation says' '.versions | length == 193 and .[0].version == "515.43.04" and .[-1].version == "595.45.04"'
expect_json 'are told with commit, time and branch' 'all(.versions[]; (.commit | test("^[0-9a-f]{40}$")) and .time > 1651363200)'
expect_json 'follow one first version' '[.versions[] | select(.parent == null).version] == ["515.43.04"]'
expect 'are counted in data/README.md' grep -q '193 public releases' "$ROOT/data/README.md"

it 'it is small'
expect 'less than 2 MB' [ "$(wc -c <"$archive")" -lt 2000000 ]

it 'it holds nothing of the machine that made it'
run extract --archive "$archive" 590.48.01
expect_status 0
expect_err_empty
expect_out_unlike '"/|/tmp/|/home/|https?://'

it 'the commands that 575.51.02 renumbered'
run diff --archive "$archive" 570.133.20 575.51.02 --record '*DRAM_ENCRYPTION*' --format json
expect_status 1
expect_json 'are found' '[.changes[] | select(.classes | index("number")).name] == ["NV2080_CTRL_CMD_FB_QUERY_DRAM_ENCRYPTION_INFOROM_SUPPORT", "NV2080_CTRL_CMD_FB_QUERY_DRAM_ENCRYPTION_STATUS"]'

it 'a record that everybody knows'
run flatten --archive "$archive" --version 550.54.14 --record NVOS54_PARAMETERS --format json
expect_json 'is as the driver has it' '.records.NVOS54_PARAMETERS.size == 32'

done_testing
