#!/usr/bin/env bash
# surface: the ioctls of a version, those that a proxy forwards, and those that its capabilities expose.
. "$(dirname "$0")/lib.sh"
fixture

it 'the newest version'
run surface --repo "$REPO"
expect_status 0
expect_err_empty
expect_out_is newest.txt

it 'with a table'
run surface --repo "$REPO" 100.10.01 --table "$TABLE" --family uvm
expect_status 0
expect_out_is uvm.txt

it 'filters'
run surface --repo "$REPO" 120.01.00 --family control --caller privileged -v
expect_status 0
expect_out_like '^control +0x20803004 +NV2080_CTRL_CMD_DEMO_SET_TIMEOUT$'
expect_out_unlike 'non-privileged'
run surface --repo "$REPO" 120.01.00 --name '*_GPU_GET_*'
expect_out_like '^control +0x20800101 '
expect_out_unlike 'DEMO'

it 'filter by the roles of fields'
run surface --repo "$REPO" 120.01.00 --role pid,fd
expect_status 0
expect_out_is roles.txt
run surface --repo "$REPO" 120.01.00 --role pid,fd --format json
expect_json 'every ioctl has a field with such a role' 'all(.ioctls[]; (.fields | length > 0) and all(.fields[]; .role == "pid" or .role == "fd"))'
run surface --repo "$REPO" 120.01.00 --family frontend --role pid
expect_cannot "no ioctl of nvidia 120\\.01\\.00 matches --family 'frontend' and --role 'pid' together"
run surface --repo "$REPO" 120.01.00 --role pids
expect_cannot "^drvabi: --role: 'pids' is not a role of fields; use pointer, fd, handle, pid, "

it '-v prints flags'
run surface --repo "$REPO" 120.01.00 -v --family alloc
expect_status 0
expect_out_is flags.txt

it 'lines fit into a terminal'
run surface --repo "$REPO" 120.01.00 -v --table "$TABLE"
expect 'at most 80 columns' [ "$(awk 'length > 80' "$OUT" | wc -l)" = 0 ]

it 'an entry whose ioctl the driver does not have'
jq '.versions[0].ioctls.control.GONE = {number: 1, constant: null, caps: ["video"], structs: []}' "$TABLE" >"$WORK/t.json"
run surface --repo "$REPO" 100.10.01 --table t.json --name GONE
expect_out_like '^\* control +0x1 +GONE +not in the driver'

it 'errors for removed formats print a jq filter'
for removed in surface:csv pids:csv history:csv verify:tap; do
	run "${removed%:*}" --format "${removed#*:}" --table "$TABLE"
	expect_cannot "^drvabi: --format ${removed#*:} was removed; use --format json \\| jq -r '.*'$"
	filter=$(sed "s/^[^']*'\\(.*\\)'\$/\\1/" "$ERR")
	run "${removed%:*}" --repo "$REPO" --format json --table "$TABLE"
	expect "${removed%:*}: jq accepts the filter, and it prints lines" [ "$(jq -r "$filter" "$OUT" | wc -l)" -gt 0 ]
done

it 'JSON'
run surface --repo "$REPO" 120.01.00 --table "$TABLE" --caps all --since 100.10.01 --format json
expect_status 0
expect_json 'has the format and the node' '.format == "drvabi-surface/1" and .node == "120.01.00"'
expect_json 'the additions of all capabilities are the reachable ioctls' '([.caps[].adds] | add) == ([.sets[].entries | length] | add)'
expect_json 'each entry is own or shared' 'all(.caps[]; .entries == .own + .shared)'
expect_json 'each entry has a family' 'all(.caps[]; .entries == ([.families[]] | add))'
# shellcheck disable=SC2016 # variables of jq
expect_json 'the numbers of changes add up' '
	(.caps | map({(.name): .entries}) | add) as $now
	| all(.changed_from.changes[]; (.gained | length) - (.lost | length) <= $now[.name])'
expect_json 'every capability is listed' '[.caps[].name] == ["compute", "utility", "graphics", "video", "display", "ngx", "compat32", "fabric-imex-mgmt", "profiling", "rdma"]'

it 'capabilities and their changes'
jq '.versions[0].ioctls.control.NV2080_CTRL_CMD_GPU_GET_INFO.caps = []' "$TABLE" >"$WORK/t.json"
run surface --repo "$REPO" 120.01.00 --table t.json --caps graphics,video,compute --since 100.10.01
expect_status 0
expect_out_is caps.txt

it 'only ioctls that capabilities expose'
run surface --repo "$REPO" 120.01.00 --table "$TABLE" --caps video --format json
expect_json 'the ioctl is listed' '[.ioctls[].caps] == [["video"]]'

it 'several versions have a report each'
run surface --repo "$REPO" --versions 100.10.01..120.01.00 --table "$TABLE" --caps all
expect_status 0
expect_out_is versions-caps.txt
run surface --repo "$REPO" --versions 110.05.00,120.01.00 --family uvm
expect_status 0
expect_out_is versions.txt
run surface --repo "$REPO" --versions 100.10.01..120.01.00 --format json
expect_json 'all requested versions are listed' '[.[].version] == ["100.10.01", "100.20.02", "110.05.00", "120.01.00"]'
run surface --repo "$REPO" --versions 100.10.01..120.01.00 --family contrl
expect_cannot "^drvabi: --family: nvidia 120\\.01\\.00 has no ioctls of a family 'contrl'"
run surface --repo "$REPO" 110.05.00 --versions 100.10.01..120.01.00
expect_cannot '^drvabi: --versions and 110\.05\.00 both name what to read; give one$'
run verify --repo "$REPO" --table "$TABLE" --caps
expect_cannot '^drvabi: verify has no option --caps: it was removed; drvabi surface --table TABLE --caps all counts'

it 'errors'
run surface --repo "$REPO" --caps graphics
expect_cannot '^drvabi: --caps can be used only with --table; add --table FILE\|NAME$'
run surface --repo "$REPO" --table "$TABLE" --caps grafics
expect_cannot "^drvabi: --caps: 'grafics' is not a capability of the driver or of .*; known: compat32, compute, .*, video"
run surface --repo "$REPO" --table "$TABLE" --caps graphics,
expect_cannot "^drvabi: --caps: '' is not a capability of the driver or of "
run surface --repo "$REPO" 120.01.00 --family contrl
expect_cannot "^drvabi: --family: nvidia 120\\.01\\.00 has no ioctls of a family 'contrl'; known: alloc, control, frontend, uvm$"
run surface --repo "$REPO" 120.01.00 --caller non-priviliged
expect_cannot "^drvabi: --caller: no ioctl of nvidia 120\\.01\\.00 has the flag 'non-priviliged'; .*non-privileged"
run surface --repo "$REPO" 120.01.00 --name UVM_FRE
expect_cannot "^drvabi: --name: no ioctl of nvidia 120\\.01\\.00 matches 'UVM_FRE'; nearest: .*UVM_FREE"
run surface --repo "$REPO" --table "$TABLE" --since 100.10.01
expect_cannot '^drvabi: --since can be used only with --caps; add --caps CAP,...$'
run surface --repo "$REPO" --table "$TABLE" --caps all --since 1.0
expect_cannot '^drvabi: --since: .* has no node 1\.0; nearest: 100\.10\.01$'
run surface --repo "$REPO" 100.10.01 110.05.00
expect_cannot '^drvabi: surface reads one version; --versions A..B reads several$'


it 'ioctls that the proxy does not forward'
run surface --repo "$REPO" 110.05.00 --table "$TABLE" --not-forwarded --format json
expect_status 0
expect_json 'are listed, without forwarded ioctls' '(.ioctls | length) > 0 and all(.ioctls[]; .forwarded == false)'
run surface --repo "$REPO" 110.05.00 --not-forwarded
expect_cannot '^drvabi: --not-forwarded can be used only with --table; add --table FILE\|NAME$'
run surface --repo "$REPO" 110.05.00 --table "$TABLE" --not-forwarded --caps all
expect_cannot '^drvabi: --not-forwarded and --caps cannot be used together: capabilities are those of forwarded ioctls$'
done_testing
