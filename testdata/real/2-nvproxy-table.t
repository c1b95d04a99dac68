#!/usr/bin/env bash
# scripts/nvproxy-table: exports gVisor's tables from its public Go module. verify accepts the result, and it agrees with the table that was
# written by hand. This test needs the Go version of go.mod, and the Go module proxy.
#
#	DRVABI_REPO          a clone of the driver; the default is Debian's source package
#	DRVABI_SHARED_TABLE  a drvabi-proxy/1 table of nvproxy to compare with; the default is ../shared/data/nvproxy-tables.json if it exists
. "$(dirname "$0")/../cli/lib.sh"

TOOL=$ROOT/scripts/nvproxy-table
MADE=$WORK/made.json
MADE_BY=$lib_scratch/nvproxy-table
PATH=/usr/local/go/bin:$PATH # the path of Go's own releases; Debian's Go is older

command -v go >/dev/null || skip_all "nvproxy-table is a Go program, and Go is not installed; go.mod has the version"

# go_is_new_enough - return whether Go has the version in go.mod; Go before 1.21 would only print that it cannot parse the line
go_is_new_enough() {
	local asked have
	asked=$(sed -n 's/^go //p' "$TOOL/go.mod")
	have=$(cd "$TOOL" && go env GOVERSION 2>&1) || true
	have=${have#go}
	[ "$(printf '%s\n' "$asked" "$have" | sort -V | head -n 1)" = "$asked" ] && [[ $have =~ ^[0-9.]+ ]] && return
	printf 'scripts/nvproxy-table needs Go %s or newer; go env GOVERSION prints: %s\n' "$asked" "$have"
	return 1
}

# in_tool COMMAND... - run a command in the module's directory, without changes to go.mod and go.sum
in_tool() {
	(cd "$TOOL" && GOFLAGS=-mod=readonly "$@")
}

# table [NAME=VALUE]... ARGUMENT... - run the exporter
table() {
	run_program "$MADE_BY" "$@"
}

go_is_new_enough >"$WORK/said" || skip_all "$(cat "$WORK/said")"

it 'nvproxy-table'
expect 'go vet finds nothing' in_tool go vet .
expect 'go test passes' in_tool go test .
expect 'go build succeeds' in_tool go build -o "$MADE_BY" .
if [ "$lib_failed" != 0 ]; then
	done_testing
fi

it 'the exporter'
table -o -
expect_status 0
expect_err_empty
cp "$OUT" "$MADE"
expect_json 'only the root has no parent' '[.versions[] | select(.parent == null) | .version] == ["535.104.05"]'
expect_json 'main and a release branch have one parent' \
	'[.versions[] | select(.parent == "570.133.20") | .version] == ["570.172.08", "575.51.02"]'
expect_json 'nodes between supported versions are included' '[.versions[] | select(.version == "550.54.14") | .supported] == [false]'
expect_json 'every entry has a number, structs and capabilities' \
	'[.versions[].ioctls // {} | .[][] | values] | length > 400 and
	 all((.number | type) == "number" and (.structs | type) == "array" and (.caps | length) > 0)'
expect_json 'types have the roles pointer and handle' '.types.P64.role == "pointer" and .types.Handle.role == "handle"'
expect_json 'a command that the driver does not name has no constant' \
	'.versions[0].ioctls.control.UNKNOWN_CONTROL_COMMAND_80028B | .number == 8389259 and .constant == null'
expect_json 'a renumbered command is removed under one name and added under a different name' \
	'.versions[] | select(.version == "575.51.02") | .ioctls.control
	 | .NV2080_CTRL_CMD_FB_QUERY_DRAM_ENCRYPTION_STATUS == null and
	   .NV2080_CTRL_CMD_FB_QUERY_DRAM_ENCRYPTION_STATUS_V575.constant == "NV2080_CTRL_CMD_FB_QUERY_DRAM_ENCRYPTION_STATUS"'
expect_json 'the revision names the version of gVisor' '.revision == "gvisor.dev/gvisor " + $of' \
	--arg of "$(sed -n 's|^require gvisor.dev/gvisor ||p' "$TOOL/go.mod")"

expect_json 'every entry has a handler, and every handler except one has a type' \
	'[.versions[].ioctls // {} | .[][] | values | .handler] | all(.kind | type == "string") and
	 (map(select(has("type") | not).kind) == ["rmAlloc"])'
expect_json 'a handler unmarshals a struct of its entry, or nothing' \
	'[.versions[].ioctls // {} | .[][] | values | select(.handler.type) | . as $entry
	  | select(.handler.type | IN($entry.structs[].proxy) | not)] == []'
expect_json 'the type of a function that only one entry uses is found, also if it is inferred' \
	'[.versions[].ioctls.alloc // {} | .[] | values | .handler | select(.kind == "rmAllocChannelV570").type] | unique
	 == ["NV_CHANNEL_ALLOC_PARAMS_V570"]'

it 'the exporter, again'
table -o -
expect_same 'the output is the same' "$MADE" "$OUT"
expect_same 'the output equals the included table' "$ROOT/data/nvproxy.json" "$OUT"
table -o "$WORK/file.json"
expect_status 0
expect_out_empty
expect_same 'a file has the same bytes' "$WORK/file.json" "$MADE"

it 'the exporter, outside of the checkout'
mkdir -p "$WORK/not/there" # the exporter looks for the table two directories up
run_program /bin/sh -c "cd not/there && exec '$MADE_BY'"
expect_status 2
expect_err_like '^nvproxy-table: data/nvproxy\.json is not two directories above; '

it 'the exporter, with --api-only'
table --api-only
expect_status 2
expect_err_like '^nvproxy-table: --api-only needs -o FILE, '
table --api-only -o -
expect_status 0
cp "$OUT" "$WORK/api.json"
expect_json 'the revision states it' '.revision | endswith("(exported API only: no capabilities, parents in the order of versions)")'
expect_json 'no entry has capabilities' '[.versions[].ioctls // {} | .[][] | values | has("caps")] | any | not'

expect_json 'no entry has a handler' '[.versions[].ioctls // {} | .[][] | values | has("handler")] | any | not'

it 'the exporter, with an unknown option'
table --all
expect_status 2
expect_out_empty
expect_err_like '^nvproxy-table: .*-all$'

it 'compare'
if command -v python3 >/dev/null; then
	# compared STATUS OLD REGEX - compare the exported table with OLD
	compared() {
		run_program "$TOOL/compare" "$MADE" "$2"
		expect_status "$1"
		expect_out_like "$3"
	}

	# changed JQ-FILTER - write a changed copy of the exported table
	changed() {
		jq "$1" "$MADE" >"$WORK/changed.json"
	}

	compared 0 "$WORK/api.json" ': 0 disagreements, 0 new$'
	changed '.versions[0].ioctls.control.NV2080_CTRL_CMD_MC_GET_ARCH_INFO.number += 4096'
	compared 1 "$WORK/changed.json" '^535\.129\.03: control NV2080_CTRL_CMD_MC_GET_ARCH_INFO \(.*\): is gone$'
	changed '.versions[0].ioctls.control.NV2080_CTRL_CMD_MC_GET_ARCH_INFO.caps = ["graphics"]'
	compared 1 "$WORK/changed.json" "MC_GET_ARCH_INFO .*: capabilities: .*, and were \\['graphics'\\]$"
	changed '.versions[0].ioctls.uvm.UVM_FREE.constant = "UVM_KEEP"'
	compared 1 "$WORK/changed.json" '^535\.104\.05: uvm UVM_FREE .*: constant: UVM_FREE, and was UVM_KEEP$'
	changed '.versions[0].ioctls.uvm.UVM_FREE.structs[0].driver = "UVM_KEEP_PARAMS"'
	compared 1 "$WORK/changed.json" "UVM_FREE .*: driver structs: .*, and were \\['UVM_KEEP_PARAMS'\\]$"
	changed '.types.NVOS33_PARAMETERS.fields[2].offset += 4'
	compared 1 "$WORK/changed.json" 'NV_ESC_RM_MAP_MEMORY .*: nv_ioctl_nvos33_parameters_with_fd: Params\.'
	changed 'del(.types.P64.role)'
	compared 1 "$WORK/changed.json" ' is pointer at [0-9]+, and was '
	changed '.versions[0].ioctls.control.NV2080_CTRL_CMD_MC_GET_ARCH_INFO.number =
		.versions[0].ioctls.control.NV2080_CTRL_CMD_MC_SERVICE_INTERRUPTS.number'
	run_program "$TOOL/compare" "$MADE" "$WORK/changed.json"
	expect_status 2
	expect_out_empty
	expect_err_like '^compare: .*MC_GET_ARCH_INFO have the same number|^compare: .*MC_SERVICE_INTERRUPTS have the same number'

	shared=${DRVABI_SHARED_TABLE:-$ROOT/../shared/data/nvproxy-tables.json}
	if [ -n "${DRVABI_SHARED_TABLE:-}" ] || [ -e "$shared" ]; then
		it 'the table that was written by hand'
		compared 0 "$shared" ': 0 disagreements, '
	fi
else
	pass 'comparison # SKIP python3 is not installed'
fi

it 'verify, with the included suppressions'
for table in "$MADE" "${shared:-}"; do
	[ -e "$table" ] || continue
	run verify --archive "$ROOT/data/nvidia.drvabi" --table "$table" --all-nodes --suppress "$ROOT/data/nvproxy-accepted.txt"
	expect_status 0
	expect_out_like '^ +[1-9][0-9]* of [0-9]+ versions checked: [1-9][0-9]* pass, 0 fail, [0-9]+ unavailable$'
	expect_out_unlike '^(unexplained|expired|not checked)'
	[ "$table" != "$MADE" ] || expect_out_unlike '^unused'
done

# gVisor e6e1ecbdc replaced the info of an entry but not its handler, and the parity test did not find it. scripts/nvproxy-table/README.md makes
# the same change in gVisor's source.
it 'a handler of the old version'
jq '.versions |= map(if .version == "550.40.07"
	then .ioctls.frontend.NV_ESC_RM_UNMAP_MEMORY_DMA.handler.type = "NVOS47_PARAMETERS" else . end)' "$MADE" >"$WORK/forgotten.json"
run verify --archive "$ROOT/data/nvidia.drvabi" --suppress "$ROOT/data/nvproxy-accepted.txt" --table "$WORK/forgotten.json" --version 550.90.12 --format json
expect_status 1
expect_json 'there is one finding' '[.versions[0].findings[] | .rule, .entry] == ["handler", "NV_ESC_RM_UNMAP_MEMORY_DMA"]'

# gVisor 69b0b745e fixed this: rmAllocSimple forwarded a file descriptor unchanged. The parity test did not find it.
it 'a descriptor that is not translated'
jq '.versions |= map(if .ioctls.alloc.NV_MEMORY_MULTICAST_FABRIC? then .ioctls.alloc.NV_MEMORY_MULTICAST_FABRIC.handler |= (.kind = "rmAllocSimple" | .fields = []) else . end)' "$MADE" >"$WORK/descriptor.json"
run verify --archive "$ROOT/data/nvidia.drvabi" --suppress "$ROOT/data/nvproxy-accepted.txt" --table "$WORK/descriptor.json" --version 550.90.12 --format json
expect_status 1
expect_json 'there is one finding' '[.versions[0].findings[] | .rule, .entry, .path] == ["as-is", "NV_MEMORY_MULTICAST_FABRIC", "pOsEvent"]'

# a_driver - set driver to a repository with the version 535.261.03
a_driver() {
	driver=${DRVABI_REPO:-}
	[ -z "$driver" ] || return 0
	driver=${DRVABI%/*}/debian-driver/repo
	"$ROOT/scripts/debian-driver" "${driver%/repo}" >"$lib_scratch/said" 2>&1 || {
		cat "$lib_scratch/said"
		return 1
	}
}

# the rules that gVisor's parity test checks
PARITY=number,missing-record,size,field-offset,field-type,field-missing,caps

it 'verify'
a_driver >"$WORK/said" && had=yes || had=
expect 'the driver is available' [ -n "$had" ]
[ -n "$had" ] || note <"$WORK/said"
if [ -n "$had" ]; then
	run verify --no-archive --no-cache --repo "$driver" --table "$MADE" --version 535.261.03 --fail-on "$PARITY" --format json
	expect_status 0
	expect_json 'the version was checked' '[.versions[] | .version, .status] | .[0] == "535.261.03" and .[1] != "unavailable"'

	it 'verify: a node between supported versions forwards a command that 550.90.07 and 560.28.03 added'
	run verify --no-archive --no-cache --repo "$driver" --table "$MADE" --version 555.58.02 --fail-on "$PARITY" --format json
	if [ "$STATUS" = 2 ]; then
		expect_one_line_error 'no version 555\.58\.02' # only Debian experimental has or had it
	else
		expect_status 1
		expect_json 'the findings are those of the command' '[.versions[0].findings[] | select(.rule | IN($of | split(",")[])) | .rule, .entry]
			== ["number", "NV_CONF_COMPUTE_CTRL_CMD_GPU_GET_KEY_ROTATION_STATE",
			    "missing-record", "NV_CONF_COMPUTE_CTRL_CMD_GPU_GET_KEY_ROTATION_STATE"]' --arg of "$PARITY"
	fi
fi

done_testing
