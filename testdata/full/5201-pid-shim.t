#!/usr/bin/env bash
# drvabi gen --pid-shim c writes code that translates pids. The LD_PRELOAD shim in docs/pid-shim includes that code.
. "$(dirname "$0")/../cli/lib.sh"
fixture

archive=$ROOT/data/nvidia.drvabi
strict=(-std=gnu11 -Wall -Wextra -Wshadow -Werror -I "$WORK")

# shim ARGUMENT... - run gen --pid-shim c on the real driver
shim() {
	run gen --pid-shim c --archive "$archive" "$@"
}

it 'every release'
shim --versions ..
expect_status 0
expect_err_empty
cp "$OUT" "$WORK/pids.h"
cp "$OUT" "$WORK/pids.c"
for cc in gcc clang clang-14; do
	command -v "$cc" >/dev/null || continue
	expect "compiles alone: $cc" "$cc" "${strict[@]}" -pedantic -std=c99 -c "$WORK/pids.c" -o "$WORK/pids.o"
	expect "compiles as C11: $cc" "$cc" "${strict[@]}" -O2 -c "$WORK/pids.c" -o "$WORK/pids.o"
done
if command -v g++ >/dev/null; then
	expect 'compiles as C++' g++ -std=c++11 -Wall -Wextra -Werror -pedantic -x c++ -c "$WORK/pids.c" -o "$WORK/pids.o"
else
	pass 'compiles as C++ # SKIP g++ is not installed'
fi
shim --versions ..
expect_same 'the output is the same each time' "$WORK/pids.h" "$OUT"
expect 'the test of the shim compiles' gcc "${strict[@]}" -g -fsanitize=address,undefined -fno-sanitize-recover=all \
	"$ROOT/testdata/cli/c/pid_shim_test.c" -o "$WORK/test"
lib_runs() {
	[ "$("$WORK/test")" = "$(grep -c '^	{ DRVABI_PIDS_' "$WORK/pids.h") entries" ]
}
expect 'random, extreme and short buffers are translated, under ASan' lib_runs

it 'a fault in the table'
sed 's/count < room ? count : room/count/' "$OUT" >"$WORK/pids.h"
gcc "${strict[@]}" -w -g -fsanitize=address "$ROOT/testdata/cli/c/pid_shim_test.c" -o "$WORK/faulty"
lib_finds() {
	! "$WORK/faulty"
}
expect 'without a bound, the test fails' lib_finds

it 'the shim'
cp "$OUT" "$WORK/pids.h"
cp "$ROOT/docs/pid-shim/preload.c" "$WORK"
driver=$ROOT/testdata/cli/c/pid_shim_driver.c
expect 'compiles' gcc "${strict[@]}" -shared -fPIC -O2 -o "$WORK/preload.so" "$WORK/preload.c" -ldl
gcc -shared -fPIC -DDRIVER -o "$WORK/driver.so" "$driver"
gcc -o "$WORK/program" "$driver"
printf '1001 7\n1002 8\n' >"$WORK/map"

# prints RELEASE CONVERTS TEXT - compare the output of the program and the driver under the shim. If CONVERTS is not empty, the driver converts the
# pids that it writes.
prints() {
	local said
	said=$(env ${2:+CONVERTS=1} DRVABI_PID_MAP="$WORK/map" DRVABI_PID_DRIVER="$1" LD_PRELOAD="$WORK/preload.so:$WORK/driver.so" \
		"$WORK/program" | tr '\n' ';')
	expect "${1:-an unknown release}: $said" [ "$said" = "$3" ]
}
prints 535.104.05 '' 'program: 7 8;driver: asked for 1001;program: asked for 7;'
REFUSES=1 prints 535.104.05 '' 'program: 1001 1001;program: asked for 1001;'
prints 550.54.14 yes 'program: 7 8;driver: asked for 1001;program: asked for 7;'
prints 590.48.01 yes 'program: 7 8;driver: asked for 7;program: asked for 7;'
prints '' '' 'program: 1001 1002;driver: asked for 1001;program: asked for 1001;'

it 'one version'
shim --version 590.48.01
expect_status 0
expect_out_is 590.h
run gen --pid-shim c --repo "$REPO" --version 120.01.00
expect_cannot 'no ioctl has a pid that a shim can translate; drvabi pids lists all pids$'

it 'invalid arguments'
shim --lang go
expect_cannot '\-\-pid-shim and --lang cannot be used together: a shim has only one form$'
shim --table table.json
expect_cannot '\-\-pid-shim and --table cannot be used together: a shim has only one form$'
shim 'UVM_*'
expect_cannot "takes no names; leave 'UVM_\*' out$"
run gen --pid-shim cobol
expect_cannot "takes c, not 'cobol'$"
run gen --pid-shim c --profile linux-drm --repo "$REPO" --version 120.01.00 -q
expect_status 2
run extract --archive "$archive" 590.48.01
sed 's/"version": "590.48.01"/"version": "main"/' "$OUT" >"$WORK/main.json"
run gen --pid-shim c --json main.json
expect_cannot "'main' is not a release, so the pids that its driver converts are unknown"
sed -e 's/"version": "main"/"version": "590.48.01"/' -e 's/NV2080_CTRL_CMD_GPU_GET_PIDS"/x*\/ int y; \/*"/' "$WORK/main.json" >"$WORK/hostile.json"
run gen --pid-shim c --json hostile.json
expect_status 0
cp "$OUT" "$WORK/hostile.c"
expect 'a hostile name is a comment' gcc "${strict[@]}" -c "$WORK/hostile.c" -o "$WORK/hostile.o"
expect_out_unlike '\*/ int y;'

done_testing
