#!/usr/bin/env bash
# verify with the demo driver and its table: versions, formats and exit statuses.
. "$(dirname "$0")/lib.sh"
fixture

# faulty NAME FILTER - write the demo table with a fault to $WORK/NAME
faulty() {
	jq "$2" "$TABLE" >"$WORK/$1"
}

it 'a table that fits'
run verify --repo "$REPO" --table "$TABLE"
expect_status 0
expect_err_empty
expect_out_is pass.txt

it 'also the nodes between supported versions'
run verify --repo "$REPO" --table "$TABLE" --all-nodes
expect_status 0
expect_out_like '^ +pass +100\.10\.01 .*  between$'
expect_out_like '^ +between: a node that is not a supported version$'

it 'one version'
run verify --repo "$REPO" --table "$TABLE" --version 110.05.00
expect_status 0
expect_out_like '^ +1 of 1 version checked: 1 pass, 0 fail, 0 unavailable$'

it 'a version without a node is checked with the node that is used for it'
faulty short.json 'del(.versions[] | select(.version == "120.01.00"))'
run verify --repo "$REPO" --table short.json --version 120.01.00
expect_status 1
expect_out_like '^ +fail +120\.01\.00 '
expect_out_like '  110\.05\.00$'

it 'this is the node of its ancestor in the commit graph, also if a different node is nearer by number'
faulty branch.json 'del(.versions[] | select(.version == "110.05.00" or .version == "120.01.00"))'
for what in '--version 110.05.00' '--versions 110.05.00..110.05.00'; do
	# shellcheck disable=SC2086
	run verify --repo "$REPO" --table branch.json $what
	expect_out_like '  100\.10\.01$'
done
for command in surface pids; do
	run $command --repo "$REPO" 110.05.00 --table branch.json --format json
	expect_json "$command uses the same node" '.node == "100.10.01"'
done
run show --repo "$REPO" UVM_FREE --version 110.05.00 --table branch.json --format json
expect_json 'show uses the same node' '[.. | objects | .forwarded.node | select(.)] | unique == ["100.10.01"]'

it 'a version that the repository does not have is unavailable, which is not a fault'
faulty newer.json '.versions += [{"version": "130.00.00", "parent": "120.01.00", "supported": true}]'
run verify --repo "$REPO" --no-archive --table newer.json
expect_status 0
expect_out_like '^  - 130\.00\.00 is unavailable: not in the repository$'
expect_out_like '^  To check the unavailable versions, fetch the tags of the repository, give a$'
expect_out_like '^ +3 of 4 versions checked: 3 pass, 0 fail, 1 unavailable$'

it 'with --strict, it is a finding'
run verify --repo "$REPO" --no-archive --table newer.json --strict
expect_status 1
expect_out_like '^  - 130\.00\.00 is unavailable: not in the repository; fails the run$'
expect_out_like '^ +3 of 4 versions checked: 3 pass, 0 fail, 1 unavailable, of which 1 fails the( run)?$'
run verify --repo "$REPO" --table newer.json --fail-on unavailable
expect_status 1
run verify --repo "$REPO" --table newer.json --fail-on size
expect_status 0
run verify --repo "$REPO" --table newer.json --fail-on size --strict
expect_status 1
run verify --repo "$REPO" --table "$TABLE" --strict
expect_status 0
faulty between.json '.versions += [{"version": "130.00.00", "parent": "120.01.00", "supported": false}]'
run verify --repo "$REPO" --table between.json --strict --all-nodes
expect_status 0
expect_out_like '^ +4 of 5 versions checked: 4 pass, 0 fail, 1 unavailable$'

it 'unless it is accepted until a day'
echo 'unavailable * 130.00.00 2023-11-30 our clone has it soon' >"$WORK/until"
run SOURCE_DATE_EPOCH=1700000000 verify --repo "$REPO" --no-archive --table newer.json --strict --suppress until
expect_status 0
expect_out_like '^ +3 of 4 versions checked: 3 pass, 0 fail, 1 unavailable, of which 1 is accepted$'
expect_out_like '^  - 130\.00\.00 is unavailable: not in the repository; accepted until 2023-11-30:'
run SOURCE_DATE_EPOCH=1702000000 verify --repo "$REPO" --table newer.json --strict --suppress until
expect_status 1
expect_out_like '^ +expired +until:1  '
run SOURCE_DATE_EPOCH=1700000000 verify --repo "$REPO" --table newer.json --suppress until --write-suppress until2
expect_status 0
expect 'the line remains when the file is written again' grep -Eq '^unavailable  \*  130\.00\.00  2023-11-30  our clone has it soon$' "$WORK/until2"
echo '* * * never all of it' >"$WORK/all"
run verify --repo "$REPO" --table newer.json --strict --suppress all
expect_status 1
echo 'unavailable * 130.00.00 never all of it' >"$WORK/all"
run verify --repo "$REPO" --table newer.json --strict --suppress all
expect_cannot '^drvabi: all:1: an unavailable version cannot be accepted forever; give a date instead of .never.$'

it 'the included data is also considered'
run verify --repo "$REPO" --table newer.json --format json
expect_json 'the data does not have the version' '.versions[3].reason | test("^not in the repository, and not in the data \\(as of 20[0-9-]+\\)$")'
faulty data.json '.versions += [{"version": "590.48.01", "parent": "120.01.00", "supported": true}]'
run verify --repo "$REPO" --table data.json --format json
expect_json 'the data has the version' '.versions[3] | .status == "unavailable" and (.reason | test("^not in the repository, but in the data \\(as of 20[0-9-]+\\)$"))'

it 'no available version is an error'
faulty other.json '.versions = [{"version": "999.1", "parent": null, "supported": true, "ioctls": {}}]'
run verify --repo "$REPO" --no-archive --table other.json
expect_cannot "^drvabi: other\.json: none of its 1 versions could be checked: they are not in the repository; is this a table for the driver\?$"

it 'the message names the archive if the version is read from an archive'
run archive write --repo "$REPO" -o all.drvabi
run verify --archive all.drvabi --table newer.json
expect_status 0
expect_out_like '^  - 130\.00\.00 is unavailable: not in the archive all\.drvabi \(as of 20[0-9-]+\)$'
run DRVABI_ARCHIVE=all.drvabi verify --table newer.json --format json
expect_json 'also in JSON' '.versions[3].reason | test("^not in the archive all.drvabi \\(as of 20[0-9-]+\\)$")'
run verify --archive all.drvabi --table other.json
expect_cannot '^drvabi: other\.json: none of its 1 versions could be checked: they are not in the archive all\.drvabi \(as of '

it 'names with characters that have a meaning in a format'
name=$'bad\n|name#.drvabi'
cp "$WORK/all.drvabi" "$WORK/$name"
run verify --archive "$name" --table newer.json
expect_out_like '^  - 130\.00\.00 is unavailable: not in the archive bad\\x0a\|name#\.drvabi \(as of'
run verify --archive "$name" --table newer.json --format markdown
expect_out_like '^- 130\.00\.00 is unavailable: not in the archive bad\\\\x0a\\\|name#\.drvabi \(as of [0-9-]+\)$'

it 'a requested version that does not exist'
run verify --repo "$REPO" --table "$TABLE" --version 120.99.00
expect_cannot 'no version 120\.99\.00 in REPO|no version 120\.99\.00 in '
run verify --repo "$REPO" --table "$TABLE" --version 1.0
expect_cannot "has no node for 1\.0 or one of its ancestors; its oldest node is 100\.10\.01: name that version or a newer one$"

it 'a table without supported versions'
faulty none.json '.versions[].supported = false'
run verify --repo "$REPO" --table none.json
expect_cannot '^drvabi: none\.json has no supported version; --all-nodes checks the unsupported ones$'

it 'a table of a different driver'
faulty driver.json '.driver = "toy"'
run verify --repo "$REPO" --table driver.json
expect_cannot '^drvabi: driver\.json is a table for the driver toy, not for nvidia$'

it 'faults'
faulty faulty.json '
	.types.IoctlSysParams.fields[0].type = "int64"
	| .types.IoctlRegisterFD.size = 8
	| .versions[0].ioctls.control.UNKNOWN_80028B = {"number": 8389259, "constant": null, "caps": ["compute"], "structs": []}
	| .versions[0].ioctls.control.UNKNOWN_80028C = {"number": 8389260, "constant": null, "caps": ["graphic"], "structs": []}
	| (.versions[0].ioctls.control.NV2080_CTRL_CMD_GPU_GET_INFO) |= (.number = 545259779 | .caps += ["graphic"])
	| .versions += [{"version": "130.00.00", "parent": "120.01.00", "supported": true}]'
printf '%s\n' '# looked at' 'size NV_ESC_REGISTER_FD ..110.05.00 2030-01-01 of no use' \
	'caps * * 2001-01-01 long ago' 'sign* NV_ESC_SYS_PARAMS * never no such rule' >"$WORK/bad"
sed -e '/sign/d' "$WORK/bad" >"$WORK/accepted"
echo 'field-type NO_SUCH_ENTRY * never unused' >>"$WORK/accepted"
for format in text json markdown junit sarif github; do
	run SOURCE_DATE_EPOCH=1700000000 verify --repo "$REPO" --no-archive --table faulty.json --suppress accepted --format "$format"
	expect_status 1
	expect_err_empty
	sed -i 's/^     "version": "[0-9.]*",$/     "version": "OURS",/' "$OUT"
	expect_out_is "faulty.$format"
done

it 'several reports in one run'
run SOURCE_DATE_EPOCH=1700000000 verify --repo "$REPO" --no-archive --table faulty.json --suppress accepted \
	--report junit=a.xml --report github=b,c=d --report json=e.json
expect_status 1
expect_out_is faulty.text
for report in 'a.xml junit' b,c=d\ github e.json\ json; do
	run SOURCE_DATE_EPOCH=1700000000 verify --repo "$REPO" --no-archive --table faulty.json --suppress accepted --format "${report#* }"
	expect_same "${report#* } is the same as --format prints" "$OUT" "$WORK/${report% *}"
done
for report in junit junit= junit=- =a 'nothing=a' 'text|json=a' ''; do
	run verify --table faulty.json --report "$report"
	expect_cannot '^drvabi: --report (takes FORMAT=FILE, where FORMAT is one of text\|.*, not |is empty; it takes FORMAT=FILE)'
done
run verify --table faulty.json --report junit=a.xml --report sarif=./a.xml
expect_cannot '^drvabi: --report and --report name the same file, \./a\.xml; give two files$'
run verify --table faulty.json --report junit=a.xml -o a.xml
expect_cannot '^drvabi: -o and --report name the same file, a\.xml; give two files$'
run verify --repo "$REPO" --table faulty.json --report json=faulty.json
expect_cannot '^drvabi: faulty\.json is an input of this run, and would be overwritten'

it 'workflow commands of GitHub in the names of a table'
jq '.versions[0].ioctls.control."a%0A\n::error file=x,line=1::b" = {"number": 8389259, "constant": null, "caps": ["gra%phic"], "structs": []}' "$TABLE" >"$WORK/100%, a::b"$'\n'".json"
run verify --repo "$REPO" --no-archive --table "100%, a::b"$'\n'".json" --version 110.05.00 --format github
expect_status 1
expect_out_is hostile.github

it 'a report in a file'
run verify --repo "$REPO" --table faulty.json -o report.txt
expect_status 1
expect_out_empty
expect 'the report is in the file' grep -q '^  3 of 4 versions checked: 0 pass, 3 fail, 1 unavailable; 2 entries not entirely$' "$WORK/report.txt"

it 'the same bytes with any number of jobs, and from the cache'
run verify --repo "$REPO" --table faulty.json --format json
keep once
run verify --repo "$REPO" --table faulty.json --format json --jobs 1 --no-cache
expect_same 'one job, no cache' "$OUT" "$WORK/once"
run verify --repo "$REPO" --table faulty.json --format json --jobs 7
expect_same 'seven jobs' "$OUT" "$WORK/once"

it 'findings that --fail-on omits'
run verify --repo "$REPO" --table faulty.json --fail-on not-simple,missing-record
expect_status 0
expect_out_like '^ +pass +110\.05\.00 .* 0 of [0-9]+ '
expect_out_like '^  size '
run verify --repo "$REPO" --table faulty.json --fail-on not-simple,size
expect_status 1
run verify --repo "$REPO" --table faulty.json --fail-on sizes
expect_cannot "^drvabi: --fail-on: unknown rule 'sizes'; the rules are number, reused-number, .*, caps, kernel-pointer, unavailable\$"

it 'options that cannot be used together'
run verify --repo "$REPO"
expect_cannot "^drvabi: verify needs the proxy's table: --table FILE, or --table nvproxy"
run verify --table "$TABLE" 110.05.00
expect_cannot "^drvabi: verify takes no '110\.05\.00'; --version 110\.05\.00 checks one version\$"
run verify --repo "$REPO" --table "$TABLE" --all-nodes --version 110.05.00
expect_cannot '^drvabi: --all-nodes and --version cannot be used together: both name what to check$'
run verify --dir "$ROOT/testdata/demo/100.10.01" --table "$TABLE"
expect_cannot '^drvabi: --dir can be used only with --version; add --version VERSION$'

it 'a directory'
run verify --dir "$ROOT/testdata/demo/100.10.01" --table "$TABLE" --version 100.10.01
expect_status 0
expect_out_like '^ +pass +100\.10\.01 '

it 'a full disk'
run verify --repo "$REPO" --table "$TABLE" -o /dev/full
expect_status 2
expect_one_line_error '/dev/full'


it '--versions'
run verify --repo "$REPO" --table "$TABLE" --versions 110..120 --format json
expect_json 'these versions are checked' '[.versions[].version] == ["110.05.00", "120.01.00"]'
run verify --repo "$REPO" --table "$TABLE" --versions 100.10.01,120 --format json
expect_json 'the listed versions are checked' '[.versions[].version] == ["100.10.01", "120.01.00"]'
run verify --repo "$REPO" --table "$TABLE" --versions 110..120 --all-nodes
expect_cannot '^drvabi: --versions and --all-nodes cannot be used together: both name what to read$'
done_testing
