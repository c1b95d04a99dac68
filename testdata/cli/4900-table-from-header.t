#!/usr/bin/env bash
# verify of a proxy in C: its structs come from its header, and its ioctls from comments or a map file.
. "$(dirname "$0")/lib.sh"
fixture

mkdir "$WORK/include"
cat >"$WORK/include/types.h" <<'EOH'
#include <stdint.h>
typedef uint32_t NvHandle;
typedef uint32_t proxy_handle; /* the driver's profile does not know it */
typedef uint64_t user_pointer;
EOH

cat >"$WORK/proxy.h" <<'EOH'
#pragma once
#include "types.h"

/* drvabi: type proxy_handle handle */
/* drvabi: type user_pointer pointer */

#define NV_ESC_RM_CONTROL 0x2a
enum { BIND = 0x20803001 };

// drvabi: frontend NV_ESC_RM_CONTROL NVOS54_PARAMETERS struct_control compute,utility
typedef struct {
	proxy_handle client, object;
	uint32_t cmd, flags;
	user_pointer params;
	unsigned params_size;
	uint32_t status;
} struct_control;

/* drvabi: control NV2080_CTRL_CMD_DEMO_BIND=BIND NV2080_CTRL_DEMO_BIND_PARAMS bind compute */
struct bind {
	NvHandle channel, context;
	uint32_t engine;
	uint32_t flags : 31, last : 1;
};

/*
 * drvabi: uvm UVM_FREE=34 UVM_FREE_PARAMS uvm_free
 * drvabi: control NV2080_CTRL_CMD_DEMO_GET_WINDOW=0x20803003 NV2080_CTRL_DEMO_GET_WINDOW_PARAMS -
 */
struct uvm_free {
	struct { uint64_t base, length; };
	uint32_t rm_status;
	uint8_t __pad[4];
};

/* drvabi: control NV0000_CTRL_CMD_OS_UNIX_EXPORT_OBJECT=0x3d05 NV0000_CTRL_OS_UNIX_EXPORT_OBJECT_PARAMS export_object */
struct export_object {
	uint32_t type;
	union { NvHandle handles[3]; uint8_t raw[24]; };
	uint32_t flags;
};
EOH

# changed FILE SED-PROGRAM - write a copy of proxy.h, changed by sed; fail if sed changes nothing
changed() {
	sed "$2" "$WORK/proxy.h" >"$WORK/$1"
	! cmp -s "$WORK/proxy.h" "$WORK/$1" || fail "$2 changes proxy.h"
}

# verify HEADER [ARGUMENT]... - run verify at 100.10.01
verify() {
	local header=$1
	shift
	run verify --repo "$REPO" --table-from-header "$header" --version 100.10.01 "$@" -- -I include
}

it 'has no findings for a proxy that fits'
verify proxy.h
expect_status 0
expect_err_empty
expect_out_like '^ +pass +100\.10\.01 +5 +5 '
verify proxy.h --format json
expect_json 'JSON has the name of the header' '.table == "proxy.h" and .versions[0].status == "pass"'

it 'finds a field with a different width'
changed wider.h 's/unsigned params_size;/uint16_t params_size, more;/'
verify wider.h --format json
expect_status 1
expect_json 'the finding is field-type' '[.versions[0].findings[] | select(.rule == "field-type")] == [.versions[0].findings[0]]'
expect_json 'the message has both types' \
	'.versions[0].findings[0] | .path == "paramsSize" and .driver.type == "NvU32" and .proxy.type == "uint16_t"'

it 'finds a handle and a pointer that are integers in the proxy'
changed numbers.h '/drvabi: type/d'
verify numbers.h --format markdown
expect_status 1
expect_out_like 'NVOS54_PARAMETERS\.\{hClient,hObject\} is NvHandle in the driver, proxy_handle in the proxy: a handle that'
expect_out_like 'NVOS54_PARAMETERS\.params is NvP64 in the driver, user_pointer in the proxy: the driver follows it'

it "finds a number in the proxy's header that differs from the driver's"
changed number.h 's/0x2a$/0x2b/'
verify number.h
expect_status 1
expect_out_like '^ +NV_ESC_RM_CONTROL is 0x2a in the driver, 0x2b'

it 'finds a change in a later version'
run verify --repo "$REPO" --table-from-header proxy.h --version 120.01.00 -- -I include
expect_status 1
expect_out_like '^ +NV2080_CTRL_DEMO_BIND_PARAMS'

it 'reads the lines of a map file'
changed bare.h '/drvabi:/d'
grep -o 'drvabi:[^*]*' "$WORK/proxy.h" | cut -d: -f2- >"$WORK/proxy.map"
verify bare.h --map proxy.map
expect_status 0
expect_out_like '^ +pass +[0-9.]+ +5 +5 '
printf '# of header and file both\ncontrol NV2080_CTRL_CMD_DEMO_SET_TIMEOUT=0x20803004 NV2080_CTRL_DEMO_SET_TIMEOUT_PARAMS -\n' >"$WORK/more.map"
verify proxy.h --map more.map
expect_status 0
expect_out_like '^ +pass +[0-9.]+ +6 +6 '

it 'accepts a document instead of a repository'
run extract --repo "$REPO" 100.10.01
keep 100.json
run verify --json 100.json --table-from-header proxy.h --version 100.10.01 -- -I include
expect_status 0

it 'uses the layout of the target'
verify proxy.h --target aarch64-linux-gnu
expect_status 0

it 'rejects malformed lines'
changed bad.h 's/uvm UVM_FREE=34 .*/uvm UVM_FREE=34/'
verify bad.h
expect_cannot 'bad\.h:27: expected FAMILY CONSTANT DRIVER_STRUCT PROXY_STRUCT \[CAP,\.\.\.\], found fewer words$'
printf '\n\nuvm UVM_FREE=34 UVM_FREE_PARAMS uvm_fre\n' >"$WORK/bad.map"
verify bare.h --map bad.map
expect_cannot 'bad\.map:3: bare\.h defines no type uvm_fre$'
printf 'frontend NV_ESC_RM_ALLOC NVOS21_PARAMETERS -\n' >"$WORK/bad.map"
verify bare.h --map bad.map
expect_cannot 'bad\.map:1: bare\.h has no macro or enumerator NV_ESC_RM_ALLOC .* write NV_ESC_RM_ALLOC=NUMBER$'
printf 'mail NV_ESC_RM_ALLOC NVOS21_PARAMETERS -\n' >"$WORK/bad.map"
verify bare.h --map bad.map
expect_cannot "bad\.map:1: unknown family 'mail'; the profile nvidia has "

it 'reports errors in the header'
verify bare.h
expect_cannot 'bare\.h does not list the ioctls that it forwards: '
verify nowhere.h
expect_cannot 'nowhere\.h'
run verify --repo "$REPO" --table-from-header proxy.h --version 100.10.01
expect_cannot "^drvabi: .*types\.h"
changed broken.h 's/struct bind {/struct bind /'
verify broken.h
expect_cannot 'broken\.h:[0-9]+:[0-9]+: '
printf 'a\0b' >"$WORK/binary.h"
verify binary.h
expect_cannot 'binary\.h: .* NUL byte'
verify proxy.h --map nowhere.map
expect_cannot 'nowhere\.map'

it 'reports options that cannot be used together'
run verify --repo "$REPO" --table-from-header proxy.h
expect_cannot 'table-from-header needs --version'
run verify --repo "$REPO" --table-from-header proxy.h --table "$TABLE" --version 100.10.01
expect_cannot '--table and --table-from-header cannot be used together: both name a proxy$'
run verify --repo "$REPO" --table "$TABLE" --map proxy.map
expect_cannot 'map can be used only with --table-from-header'
run verify --repo "$REPO" --table "$TABLE" -- -I include
expect_cannot 'clang after -- can be used only with --table-from-header'


it 'checks several versions'
run verify --repo "$REPO" --table-from-header proxy.h --versions 100..120 --format json -- -I include
expect_json 'all versions use the node of the oldest version' '[.versions[] | [.version, .node]] | map(.[1]) | unique == ["100.10.01"]'
expect_json 'there are at least three versions' '.versions | length > 2'
run ranges --repo "$REPO" --table-from-header proxy.h --version 100.10.01 -- -I include
expect_status 0
expect_out_like '100\.10\.01'
run ranges --repo "$REPO" --table-from-header proxy.h
expect_cannot 'needs --version VERSION'
run verify --table-from-header proxy.h 100.10.01
expect_cannot "verify takes no '100\.10\.01'; --version 100\.10\.01 checks one version\$"
run ranges --repo "$REPO" --table "$TABLE" --version 100.10.01
expect_cannot 'ranges reads every version; --version is for --table-from-header$'
it 'an array of 4,096 records, each with a union of records'
export DRVABI_REPO=
"$DRVABI" gen --lang c --version 590.48.01 NV00FE_CTRL_SUBMIT_OPERATIONS_PARAMS >"$WORK/large.h"
cat >>"$WORK/large.h" <<'EOH'
/* drvabi: control NV00FE_CTRL_CMD_SUBMIT_OPERATIONS=16646401 NV00FE_CTRL_SUBMIT_OPERATIONS_PARAMS NV00FE_CTRL_SUBMIT_OPERATIONS_PARAMS compute */
EOH
expect 'is compared in seconds' timeout 30 "$DRVABI" verify --table-from-header "$WORK/large.h" --version 590.48.01

done_testing
