#!/usr/bin/env bash
# drvabi sniff --replay: what a program that looks for the driver finds of device files, and what it does not find.
. "$(dirname "$0")/lib.sh"
. "$ROOT/testdata/sniff/lib.sh"
workload
cd "$WORK" || exit
sniff_or_skip

replay=(sniff --archive "$ROOT/data/nvidia.drvabi" --table "$ROOT/data/nvproxy.json" --replay basic.trace)
logged basic basic
# shellcheck disable=SC2086 # flags
for kind in dynamic static; do
	flags=-Wall
	[ "$kind" = dynamic ] || flags='-Wall -static'
	"${CC:-cc}" -D_GNU_SOURCE $flags "$ROOT/testdata/cli/c/device_paths.c" -o "$kind"
done

it 'device files, by all system calls'
for options in '' --survive; do
	for kind in dynamic static; do
		# shellcheck disable=SC2086 # no option, or one
		run "${replay[@]}" $options -q -- "./$kind"
		expect_status 0
		expect_out_empty
	done
done

it 'a directory does not list them'
# shellcheck disable=SC2016 # the shell is the command
run "${replay[@]}" -q -- bash -c 'for file in /dev/nvidia*; do echo "$file"; done'
expect_status 0
[ -e /dev/nvidiactl ] || expect_out_like '^/dev/nvidia\*$'

it 'what the driver says of itself is not in a trace'
if [ ! -e /proc/driver/nvidia ]; then
	run "${replay[@]}" -- cat /proc/driver/nvidia/version
	expect_status 1
	expect_err_like '^drvabi: note: process [0-9]+ opens /proc/driver/nvidia/version, which the trace does not name$'
	expect_err_like 'cat: /proc/driver/nvidia/version: No such file or directory$'
	run "${replay[@]}" -- cat /proc/driver/nvidia/params
	expect_err_like '^drvabi: note: process [0-9]+ opens /proc/driver/nvidia/params, which the trace does not name$'
fi
run "${replay[@]}" -q -- cmp /proc/devices /proc/devices
expect_status 0

done_testing
