#!/usr/bin/env bash
# verify --write-suppress writes the findings as a file for --suppress.
. "$(dirname "$0")/lib.sh"
fixture
toy=$ROOT/testdata/verify

# verify ARGUMENT... - run verify with the faulty table, on 2023-11-14
verify() {
	run SOURCE_DATE_EPOCH=1700000000 verify --repo "$REPO" --table faulty.json "$@"
}

jq '.types.IoctlSysParams.fields[0].type = "int64" | .types.IoctlRegisterFD.size = 8
	| .versions[0].ioctls.control.UNKNOWN_80028B = {"number": 8389259, "constant": null, "caps": ["compute"], "structs": []}
	| .versions += [{"version": "130.00.00", "parent": "120.01.00", "supported": true}]' "$TABLE" >"$WORK/faulty.json"

it 'findings are written'
verify --write-suppress accepted
expect_status 1
expect_err_like '^drvabi: wrote 3 suppressions to accepted; 3 of them need a reason instead of TODO$'
expect_out_like '^ +3 of 4 versions checked: 0 pass, 3 fail, 1 unavailable; 1 entry not entirely$'
expect_file_is "$WORK/accepted" accepted

it 'the written file accepts all findings, and lines without a reason are reported'
verify --suppress accepted
expect_status 0
expect_err_empty
expect_out_like '^ +3 of 4 versions checked: 3 pass, 0 fail, 1 unavailable$'
expect_out_like '^ +unexplained +accepted:[0-9]+  size  NV_ESC_REGISTER_FD  100\.20\.02\.\.120\.01\.00  never(  TODO:.*)?$'
expect 'three lines have no reason' [ "$(grep -c '^  unexplained' "$OUT")" = 3 ]
for format in json markdown junit sarif github; do
	verify --suppress accepted --format $format
	expect_status 0
	expect "$format reports this" grep -q unexplained "$OUT"
done

it 'repeated runs write the same bytes'
cp "$WORK/accepted" "$WORK/once"
verify --write-suppress accepted --jobs 1 -q
expect_err_empty
expect_same 'the file is the same' "$WORK/once" "$WORK/accepted"

it 'reasons, days and globs of used lines remain'
sed -e 's/TODO:.*/because/; s/^field-type *NV_ESC_SYS_PARAMS:memblock_size *[^ ]* *never/field-type NV_ESC_SYS* * 2030-01-01/' "$WORK/once" >"$WORK/accepted"
echo 'caps NO_SUCH * never gone' >>"$WORK/accepted"
verify --suppress accepted --write-suppress again
expect_status 0
expect_err_like '^drvabi: wrote 3 suppressions to again$'
expect_out_like '^ +unused +accepted:[0-9]+  caps  NO_SUCH  \*  never  gone$'
expect 'the unused line is removed' lib_lacks 'NO_SUCH' "$WORK/again"
expect 'the other lines remain' grep -Eq '^field-type  NV_ESC_SYS\*  \*  2030-01-01  because$' "$WORK/again"
cp "$WORK/again" "$WORK/before"
verify --suppress again --write-suppress again
expect_same 'in place, the result is the same' "$WORK/before" "$WORK/again"
expect_out_unlike '^ +unexplained'

it 'an expired line accepts nothing, so its finding is written again'
sed -i 's/2030-01-01/2020-01-01/' "$WORK/accepted"
verify --suppress accepted --write-suppress again
expect_status 1
expect_err_like '; 1 of them needs a reason instead of TODO$'
expect 'its reason is TODO' grep -Eq '^field-type  NV_ESC_SYS_PARAMS:memblock_size  100\.20\.02\.\.120\.01\.00  never  TODO' "$WORK/again"

it 'a line is valid for the compared versions only'
verify --version 110.05.00 --write-suppress one
expect 'one version' grep -Eq '^size  NV_ESC_REGISTER_FD  110\.05\.00  never  TODO' "$WORK/one"
verify --suppress one
expect_status 1
expect_out_like ': 1 pass, 2 fail'
jq '.versions[1].ioctls.frontend.NV_ESC_REGISTER_FD = null | .versions[2].ioctls.frontend.NV_ESC_REGISTER_FD = .versions[0].ioctls.frontend.NV_ESC_REGISTER_FD' \
	"$WORK/faulty.json" >"$WORK/holes.json"
run verify --repo "$REPO" --table holes.json --all-nodes --write-suppress holes
expect 'a version without the finding ends a range' [ "$(grep -c '^size ' "$WORK/holes")" = 2 ]
run verify --repo "$REPO" --table holes.json --all-nodes --suppress holes
expect_status 0

it 'a line for versions that are not compared is not unused'
verify --version 120.01.00 --suppress one
expect_status 1
expect_out_unlike '^ +unused'
verify --version 120.01.00 --suppress one --format json
expect_json 'JSON has the state untried' '[.suppressions[].state] | unique == ["untried"]'
echo 'size NV_ESC_REGISTER_FD 999.9 never of no version at all' >"$WORK/nowhere"
verify --version 120.01.00 --suppress nowhere
expect_out_like '^ +unused +nowhere:1  '

it 'without findings, the file has no lines'
run verify --repo "$REPO" --table "$TABLE" --write-suppress none
expect_status 0
expect_err_like '^drvabi: wrote 0 suppressions to none$'
expect 'the file has only comments' lib_lacks '^[^#]' "$WORK/none"

it 'names with characters that have a meaning in a glob, in a line, or on a terminal'
run extract --dir "$toy" --profile "$toy/profile.json" -o toy.json
e='.versions[0].ioctls.control'
for name in 'A*?[x]\y' 'B b	c' $'C\n* * * never all' $'D\x1b[31m\u202e' '# E'; do
	jq --arg name "$name" "del($e.NV0000_CTRL_CMD_TOY_OLD) | ${e}[\$name] = ($e.TOY_CMD_QUERY | .caps = [\"x\\n* * * never y\"]) | del($e.TOY_CMD_QUERY)" "$toy/table.json" >"$WORK/t.json"
	run verify --json toy.json --table t.json --version 1.0 --write-suppress hostile
	expect_status 1
	expect 'the file has two lines' [ "$(grep -vc '^#' "$WORK/hostile")" = 2 ]
	expect 'the lines are printable text' lib_lacks '[^ -~]' "$WORK/hostile"
	run verify --json toy.json --table t.json --version 1.0 --suppress hostile
	expect_status 0
	expect_out_like '^ +pass .* 1 +[0-9]+$'
	jq "del($e.NV0000_CTRL_CMD_TOY_OLD) | $e.ABxyz = ($e.TOY_CMD_QUERY | .caps = [\"x\"])" "$toy/table.json" >"$WORK/t.json"
	run verify --json toy.json --table t.json --version 1.0 --suppress hostile
	expect_status 1
done
jq "${e}[\"\"] = ($e.TOY_CMD_QUERY | .caps = [\"x\"])" "$toy/table.json" >"$WORK/t.json"
run verify --json toy.json --table t.json --version 1.0 --write-suppress hostile2
expect_cannot '^drvabi: a suppression file cannot have a line for an entry without a name; name the entry in the table$'
jq '.versions[0].version = "1 0" | .versions |= .[:1] | '"$e.TOY_CMD_QUERY.caps = [\"x\"]" "$toy/table.json" >"$WORK/t.json"
run verify --dir "$toy" --profile "$toy/profile.json" --table t.json --version '1 0' --write-suppress hostile2
expect_cannot "^drvabi: a line of a suppression file cannot contain the version '1 0'; rename it in the table, or with --version\$"

it 'a file that cannot be written'
verify --write-suppress nowhere/at/all
expect_cannot 'nowhere/at/all'
verify --write-suppress /dev/full
expect_cannot '/dev/full'
verify --write-suppress both -o both
expect_cannot '^drvabi: --write-suppress and -o name the same file, both; give two files$'

it 'inputs are not overwritten'
ln -s faulty.json "$WORK/link.json"
cp "$WORK/faulty.json" "$WORK/before"
verify --write-suppress link.json
expect_cannot '^drvabi: link\.json is an input of this run, and would be overwritten; name a different file$'
verify --format json -o link.json
expect_cannot '^drvabi: link\.json is an input of this run, and would be overwritten; name a different file$'
verify --suppress again -o again
expect_cannot '^drvabi: again is an input of this run, and would be overwritten; name a different file$'
cp "$WORK/again" "$WORK/input"
INPUT=$WORK/input run verify --repo "$REPO" --table "$TABLE" -o input
expect_cannot '^drvabi: input is standard input and would be overwritten; name a different file$'
expect_same 'the suppression file is not changed' "$WORK/again" "$WORK/input"
expect_same 'the table is not changed' "$WORK/before" "$WORK/faulty.json"

it 'the included suppression file matches the included table'
run verify --repo "$REPO" --table "$TABLE" --suppress "$ROOT/data/nvproxy-accepted.txt" --format json
expect_status 0
expect_json 'the file is read, and all lines have a reason' '.suppressions | length > 0 and all(.reason | startswith("TODO") | not)'

done_testing
