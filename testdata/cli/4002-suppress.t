#!/usr/bin/env bash
# The suppression file: the findings that a line accepts, and reports about lines that accept nothing.
. "$(dirname "$0")/lib.sh"
fixture

jq '.types.IoctlSysParams.fields[0].type = "int64"' "$TABLE" >"$WORK/faulty.json"

# suppress LINE... - run verify with these lines, on 2023-11-14
suppress() {
	printf '%s\n' "$@" >"$WORK/accepted"
	run SOURCE_DATE_EPOCH=1700000000 verify --repo "$REPO" --table faulty.json --suppress accepted
}

it 'a line for all versions'
suppress 'field-type NV_ESC_SYS_PARAMS * never the sign does not matter here'
expect_status 0
expect_out_like '^ +fail .* 1 +0$|^ +pass .* 0 +1 +0$'
expect_out_like '^ +3 of 3 versions checked: 3 pass, 0 fail, 0 unavailable$'

it 'a glob and any rule'
suppress '* NV_ESC_SYS* * never any'
expect_status 0

it 'comments, empty lines, spaces, and CRLF line ends'
suppress '' '   # a comment' $'\t* NV_ESC_SYS*   *\tnever   any reason at all  \r'
expect_status 0

it 'one version'
suppress 'field-type NV_ESC_SYS_PARAMS 110.05.00 never x'
expect_status 1
expect_out_like ': 2 pass|: 1 pass, 2 fail'
expect_out_like '^ +pass +110\.05\.00 .* 0 +1 +0$'

it 'a range without an end'
suppress 'field-type NV_ESC_SYS_PARAMS 110.05.00.. never x'
expect_status 1
expect_out_like '^ +fail +100\.20\.02'
expect_out_like ': 2 pass, 1 fail'

it 'a range without a start'
suppress 'field-type NV_ESC_SYS_PARAMS ..110.05.00 never x'
expect_status 1
expect_out_like '^ +fail +120\.01\.00'
expect_out_like ': 2 pass, 1 fail'

it 'versions are compared as numbers'
suppress 'field-type NV_ESC_SYS_PARAMS 99.0..1000.1 never x'
expect_status 0

it 'a line with a different rule does not match'
suppress 'size NV_ESC_SYS_PARAMS * never x'
expect_status 1
expect_out_like '^ +unused +accepted:1  size  NV_ESC_SYS_PARAMS  \*  never  x$'

it 'an unused line is reported, and does not cause failure'
suppress 'field-type NV_ESC_SYS_PARAMS * never x' 'caps NO_SUCH * never gone'
expect_status 0
expect_out_like '^ +unused +accepted:2  caps  NO_SUCH  \*  never  gone$'

it 'a line is valid on its last day'
suppress 'field-type NV_ESC_SYS_PARAMS * 2023-11-14 x'
expect_status 0

it 'on the next day, it accepts nothing and causes failure'
suppress 'field-type NV_ESC_SYS_PARAMS * 2023-11-13 x'
expect_status 1
expect_out_like '^ +expired +accepted:1  field-type  NV_ESC_SYS_PARAMS  \*  2023-11-13  x$'
expect_out_like ': 0 pass, 3 fail'

it 'an expired line causes failure even without findings'
suppress 'field-type NV_ESC_SYS_PARAMS * never x' 'caps NO_SUCH * 2023-01-01 gone'
expect_status 1
expect_out_like '^ +3 of 3 versions checked: 3 pass, 0 fail'
expect_out_like '^ +expired +accepted:2  '

# refused REGEX LINE - expect an error for the line
refused() {
	it "refused: $2"
	suppress '# first' "$2"
	expect_cannot "^drvabi: accepted:2: $1"
}
refused 'a line must be RULE ENTRY VERSIONS EXPIRES REASON; this line has no entry$' 'caps'
refused 'a line must be RULE ENTRY VERSIONS EXPIRES REASON; this line has no versions$' 'caps X'
refused 'a line must be RULE ENTRY VERSIONS EXPIRES REASON; this line has no expiry$' 'caps X *'
refused 'a line must be RULE ENTRY VERSIONS EXPIRES REASON; this line has no reason$' 'caps X * never'
refused "unknown rule 'capz'; the rules are number, " 'capz X * never x'
refused "'2023-1-1' is not a date; write YYYY-MM-DD, or never$" 'caps X * 2023-1-1 x'
refused "'2023-01-011' is not a date" 'caps X * 2023-01-011 x'
refused 'the date 2023-02-29 does not exist$' 'caps X * 2023-02-29 x'
refused 'the date 2023-10-40 does not exist$' 'caps X * 2023-10-40 x'
refused 'the range 3\.1\.\.2\.9 ends before it begins$' 'caps X 3.1..2.9 never x'

it 'a file that does not exist'
run verify --repo "$REPO" --table faulty.json --suppress nowhere
expect_cannot 'nowhere'

it 'a file that is not text'
printf 'caps X * never x\0y\n' >"$WORK/accepted"
run verify --repo "$REPO" --table faulty.json --suppress accepted
expect_cannot '^drvabi: accepted: this is not a text file: it has a NUL byte at offset 16$'

it 'an invalid day'
run SOURCE_DATE_EPOCH=yesterday verify --repo "$REPO" --table faulty.json --suppress /dev/null
expect_cannot "^drvabi: SOURCE_DATE_EPOCH is 'yesterday'; it must be a number of seconds since 1970$"

done_testing
