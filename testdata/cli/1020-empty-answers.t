#!/usr/bin/env bash
# A requested item that does not exist causes exit status 2. A result that is empty for other reasons causes a note.
# No version silently replaces another version.
. "$(dirname "$0")/lib.sh"
fixture

# noted REGEX - pass if the exit status is 0 and standard error is one note
noted() {
	expect_status 0
	expect_one_line_error "^drvabi: note: $1\$"
}

it 'filters that together select nothing'
for format in text json; do
	run surface --repo "$REPO" 120.01.00 --family uvm --caller privileged --format $format
	expect_cannot "^drvabi: no ioctl of nvidia 120\\.01\\.00 matches --family 'uvm' and --caller 'privileged' together, although each alone matches some ioctls$"
done
run surface --repo "$REPO" 120.01.00 --table "$TABLE" --family uvm --name 'NV*' --caps video
expect_cannot "matches --family 'uvm' and --name 'NV\\*' and --caps 'video' together"

it 'a capability that exposes no ioctl'
run surface --repo "$REPO" 120.01.00 --table "$TABLE" --caps compat32
expect_cannot '^drvabi: --caps: demo proxy exposes nothing under compat32 at its node 120\.01\.00; known: compute, .*video$'
run surface --repo "$REPO" 120.01.00 --table "$TABLE" --caps compat32,video
expect_status 0
expect_out_like '^compat32 +0 '
jq '.versions[0].ioctls.control.NV2080_CTRL_CMD_GPU_GET_INFO.caps = ["display"]
	| .versions[-1].ioctls.control.NV2080_CTRL_CMD_GPU_GET_INFO = null' "$TABLE" >"$WORK/lost.json"
run surface --repo "$REPO" 120.01.00 --table lost.json --caps display --since 100.10.01
expect_status 0
expect_out_like '^  display \+0 -1$'
jq '.versions = [{version: "100.10.01", parent: null, supported: true, ioctls: {}}]' "$TABLE" >"$WORK/empty.json"
run surface --repo "$REPO" 120.01.00 --table empty.json --caps all
expect_cannot '^drvabi: --caps: demo proxy exposes nothing under any capability at its node 100\.10\.01; none are known$'

it 'types that the package nvgpu declares'
run gen --repo "$REPO" --version 120.01.00 --lang go --style nvproxy NvHandle
noted "gVisor's package nvgpu already declares the requested types"

it 'a driver without ioctls'
run extract --repo "$REPO" 120.01.00
jq '.name = "bare" | del(.families)' "$ROOT/src/extract/profiles/nvidia.json" >"$WORK/bare.json"
run surface --repo "$REPO" 120.01.00 --profile ./bare.json
noted 'bare 120\.01\.00 has no ioctls that its profile knows of'

it 'a document without records'
run extract --repo "$REPO" 120.01.00
jq '.records = {} | .ioctls = [] | .aliases = {} | .enums = {}' "$OUT" >"$WORK/none.json"
for format in text json; do
	run flatten none.json --format $format
	noted 'nvidia 120\.01\.00 has no records'
	run flatten none.json --format $format -q
	expect_status 0
	expect_err_empty
done

it 'a history without changes'
run history --repo "$REPO" NVOS54_PARAMETERS
expect_status 0
expect_err_empty
run history --repo "$REPO" --table "$TABLE" NV2080_CTRL_CMD_DEMO_GET_STATS
noted 'demo proxy forwards none of the items that changed in 1 of the 3 releases; leave --table out to see these releases'
run history --repo "$REPO" --table empty.json
noted 'demo proxy forwards none of the items that changed in 3 of the 3 releases; leave --table out to see these releases'

it 'a table without entries to check'
run verify --repo "$REPO" --table empty.json
expect_cannot '^drvabi: empty\.json forwards nothing in the versions to check, so nothing was checked$'
run ranges --repo "$REPO" --table empty.json
expect_cannot '^drvabi: empty\.json forwards nothing at any of its nodes, so it cannot be compared with versions$'
jq '.versions |= map(.ioctls |= with_entries(if .key == "control" then .key = "contrl" else . end))' "$TABLE" >"$WORK/family.json"
run verify --repo "$REPO" --table family.json
expect_cannot "^drvabi: family\\.json has entries of the family 'contrl', but the driver has no such family; known: alloc, control, frontend, uvm$"

it 'an archive that already has all versions'
run archive write --repo "$REPO" -o all.drvabi
run archive write --repo "$REPO" --add all.drvabi
noted 'all\.drvabi has every tag of the repository; nothing was added'
expect_out_empty
run archive list all.drvabi --target aarch64-linux-gnu
expect_cannot '^drvabi: archive list shows all targets of all\.drvabi; leave --target out$'

it 'the name of an ioctl also selects its records'
run_differ --repo "$REPO" --base 110.05.00 --next 120.01.00 --record NV2080_CTRL_CMD_DEMO_GET_OWNER
expect_status 1
expect_out_like '^  \[translation, layout\] struct NV2080_CTRL_DEMO_GET_OWNER_PARAMS'

it 'a node that the table does not have'
run surface --repo "$REPO" 120.01.00 --table "$TABLE" --caps all --since 110.05.01
expect_cannot '^drvabi: --since: .* has no node 110\.05\.01; nearest: 110\.05\.00$'
run surface --repo "$REPO" 120.01.00 --table "$TABLE" --caps all --since 999.1
expect_cannot '^drvabi: --since: .* has no node 999\.1; nearest: .*120\.01\.00$'
run surface --repo "$REPO" 100.10.01 --table "$TABLE" --caps all --since 120.01.00
noted '--since 120\.01\.00 has a higher number than 100\.10\.01'

it 'a node that is used for a version'
run diff --repo "$REPO" main 120.01.00 --table "$TABLE"
noted '.*table\.json has no node main; node 120\.01\.00 is used instead'
jq '.versions = [.versions[0] | .version = "110.05.00"]' "$TABLE" >"$WORK/later.json"
run surface --repo "$REPO" 100.10.01 --table later.json
noted 'neither 100\.10\.01 nor one of its ancestors has a node in later\.json; the first node, 110\.05\.00, is used'
run surface --repo "$REPO" 120.01.00 --table later.json
expect_status 0
expect_err_empty
expect_out_like '\(node 110\.05\.00\)'
run verify --repo "$REPO" --table later.json --version 120.01.00
expect_out_like '  110\.05\.00$'
expect_err_empty
run verify --repo "$REPO" --table later.json --version 120.01.00 --format junit
expect_one_line_error '^drvabi: note: later\.json has no node 120\.01\.00; node 110\.05\.00 is used instead$'
run history --repo "$REPO" --table later.json
noted '2 of 4 versions are older than all nodes of later\.json; its first node, 110\.05\.00, is used for them'

it 'a document has one version'
run extract --repo "$REPO" 110.05.00 -o document.json
run show --json document.json --version 120.01.00 NVOS54_PARAMETERS
expect_cannot "^drvabi: document\\.json is the document of one version; leave '120\\.01\\.00' out$"

it 'an unknown tag'
run blame --repo "$REPO" NVOS54_PARAMETERS --version 110.06
expect_cannot '^drvabi: no tag 110\.06 in .*; history compares tags, and the newest is 120\.01\.00'

done_testing
