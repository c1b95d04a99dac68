#!/usr/bin/env bash
# libclang is loaded only when headers are read. Without libclang, everything else works, and reading headers is an error.
. "$(dirname "$0")/lib.sh"

[ -z "${DRVABI_SAN:-}" ] || skip_all 'a program with a different libclang is linked without sanitizers'
fixture
build=${DRVABI%/*}
include=$(sed -n 's/.* -isystem \([^ ]*\) .*/\1/p' "$build/.flags")

# lacking NAME - link drvabi with NAME as the file name of libclang
lacking() {
	"${CC:-cc}" -std=gnu11 -D_GNU_SOURCE -I"$ROOT/src" -isystem "$include" -DLIBCLANG_DIR='"/nonexistent"' -DLIBCLANG_NAME="\"$1\"" \
		"$ROOT/src/extract/libclang.c" "$build/cli/main.o" "$build/libdrvabi.a" -pthread -lgit2 -lcjson -lxxhash -lzstd -lz -lprotobuf-c -lnettle \
		-o "$WORK/drvabi" && ln -sf drvabi "$WORK/run_differ"
}

# lacking_run NAME ARGUMENT... - run this program under one of its names
lacking_run() {
	local name=$1
	shift
	run_program "$WORK/$name" DRVABI_REPO= "$@"
}

it 'reading documents'
run_differ LD_DEBUG=files --archive "$ROOT/data/nvidia.drvabi" --base 570.133.20 --next 575.51.02 -q
expect_status 1
expect 'the loader lists the libraries' grep -q 'libgit2' "$ERR"
expect 'libclang is not loaded' [ "$(grep -c 'libclang' "$ERR")" = 0 ]
expect 'libarchive is not loaded' [ "$(grep -c 'libarchive' "$ERR")" = 0 ]

it 'reading headers'
run_differ --repo "$REPO" --base 100.10.01 --next 120.01.00 --format json
expect_status 1
keep here.json
run_differ LD_DEBUG=files --repo "$REPO" --base 100.10.01 --next 120.01.00 --format json
expect_same 'the cache gives the same documents' "$OUT" "$WORK/here.json"
expect 'and libclang is not loaded' [ "$(grep -c 'libclang' "$ERR")" = 0 ]

it 'a machine without libclang'
expect 'the program is built' lacking libclang-none.so
lacking_run run_differ --archive "$ROOT/data/nvidia.drvabi" --base 570.133.20 --next 575.51.02 -q
expect_status 1
expect_err_empty
lacking_run run_differ --no-cache --repo "$REPO" --base 100.10.01 --next 120.01.00
expect_status 2
expect_out_empty
expect_one_line_error '^drvabi: libclang, which reads the headers, cannot be loaded: libclang-none\.so: '
lacking_run drvabi --version
expect_status 0
expect_out_like '^libraries  libclang, which reads the headers, cannot be loaded: libclang-none\.so: '

it 'libclang in a different directory'
expect 'the program is built' lacking "$(basename "$(readlink -f "${include%/include}/lib/libclang.so")")"
lacking_run run_differ --no-cache --repo "$REPO" --base 100.10.01 --next 120.01.00 --format json
expect_status 1
expect_err_empty
expect_same 'gives the same document' "$OUT" "$WORK/here.json"

it 'a different library with the name of libclang'
expect 'the program is built' lacking libz.so.1
lacking_run run_differ --no-cache --repo "$REPO" --base 100.10.01 --next 120.01.00
expect_status 2
expect_one_line_error '^drvabi: libclang is not the one that this program was built for: .*clang_'

done_testing
