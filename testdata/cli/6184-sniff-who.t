#!/usr/bin/env bash
# drvabi sniff --who: the library that made a call, and the function of the library that the program called.
. "$(dirname "$0")/lib.sh"
. "$ROOT/testdata/sniff/lib.sh"
cd "$WORK" || exit
sniff_or_skip
"$SNIFF/with-zero-devices" true || skip_all 'this machine cannot create device files for the test'

options=(--archive "$ARCHIVE" --table "$ROOT/data/nvproxy.json" --version 590.48.01)
cat >api.c <<'API'
#include <sys/ioctl.h>
static __attribute__((noinline)) int ask(int fd)
{
	char argument[32] = { 0 };
	return ioctl(fd, 0xc020462a, argument) + 1;
}
__attribute__((noinline)) int api_inner(int fd)
{
	return ask(fd) + 1;
}
int api_call(int fd)
{
	return api_inner(fd) + 1;
}
API
cat >main.c <<'MAIN'
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/ioctl.h>
int main(int count, char **words)
{
	const int fd = open("/dev/nvidiactl", O_RDWR);
	char argument[32] = { 0 };
	ioctl(fd, 0xc020462a, argument);
	for (int i = 1; i < count; i++) {
		int (*call)(int) = (int (*)(int))dlsym(dlopen(words[i], RTLD_NOW), "api_call");
		if (!call)
			return 2;
		call(fd);
		call(fd);
	}
	return 0;
}
MAIN
"${CC:-cc}" -O2 -fno-optimize-sibling-calls -fPIC -shared -s api.c -o libfirst.so.1
cp libfirst.so.1 'a, second.so'
"${CC:-cc}" -O2 main.c -o main

# callers TRACE - print the caller of each ioctl
callers() {
	run decode --archive "$ARCHIVE" --format json "$1"
	jq -r 'select(.family) | .caller // "unknown"' "$OUT" | tr '\n' ';'
}

for option in -q --survive; do
	it "a program and two stripped libraries that are loaded later, $option"
	run_program "$SNIFF/with-zero-devices" "$DRVABI" sniff "${options[@]}" "$option" --who -o trace -- ./main ./libfirst.so.1 './a, second.so'
	expect_status 0
	expect 'each call has its caller' [ "$(callers trace)" = 'main main;libfirst.so.1 api_call;libfirst.so.1 api_call;a__second.so api_call;a__second.so api_call;' ]
done

it 'the summary'
run_program "$SNIFF/with-zero-devices" "$DRVABI" sniff "${options[@]}" --who -- ./main ./libfirst.so.1
expect_err_like '^  called by +main main, libfirst.so.1 api_call$'
run decode --archive "$ARCHIVE" --format summary trace
expect_out_like '^  called by +main main, libfirst.so.1 api_call, a__second.so api_call$'
run decode --archive "$ARCHIVE" trace
expect_out_like '^  by +fd [0-9]+ /dev/nvidiactl, process [0-9]+, libfirst.so.1 api_call'

it 'without --who'
run_program "$SNIFF/with-zero-devices" "$DRVABI" sniff "${options[@]}" -q -o trace -- ./main ./libfirst.so.1
expect 'no call has a caller' [ "$(callers trace)" = 'unknown;unknown;unknown;' ]

it '--who with options that do not trace'
for way in --preload '--listen socket'; do
	# shellcheck disable=SC2086 # words
	run sniff "${options[@]}" --who $way -- true
	expect_status 2
done

done_testing
