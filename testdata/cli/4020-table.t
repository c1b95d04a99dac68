#!/usr/bin/env bash
# The included table, selected by its name; DRVABI_TABLE; and drvabi table merge.
. "$(dirname "$0")/lib.sh"
fixture

REAL=$ROOT/data/nvproxy.json

# patch TYPES VERSIONS - write patch.json
patch() {
	printf '{"format": "drvabi-proxy-patch/1", "types": {%s}, "versions": [%s]}\n' "$1" "$2" >"$WORK/patch.json"
}

it 'merging an empty patch'
patch '' ''
run table merge nvproxy patch.json
expect_status 0
expect_err_empty
expect_same 'gives the bytes of the included table' "$REAL" "$OUT"

it 'merging a new version'
patch '"UVM_NEW": {"size": 4, "alias": "uint32"}' \
	'{"version": "700.10", "parent": "590.48.01", "supported": true, "ioctls": {"uvm": {"UVM_FREE": null,
	  "UVM_NEW": {"number": 99, "constant": null, "caps": ["compute"], "structs": [{"driver": "UVM_NEW_PARAMS", "proxy": "UVM_NEW"}]}}}}'
run table merge nvproxy patch.json -o new.json
expect_status 0
expect_out_empty
diff "$REAL" "$WORK/new.json" | grep "^[<>]" >"$WORK/difference" || true
expect_file_is "$WORK/difference" new-version.txt
run table merge new.json patch.json
expect_same 'merging twice gives the same table' "$WORK/new.json" "$OUT"
run verify --table new.json --archive "$ROOT/data/nvidia.drvabi" --version 590.48.01 --suppress "$ROOT/data/nvproxy-accepted.txt"
expect_status 0

it 'merging with the table as output'
cp "$REAL" "$WORK/mine.json"
run table merge mine.json patch.json -o mine.json
expect_status 0
expect_same 'replaces the table' "$WORK/new.json" "$WORK/mine.json"
run table merge new.json patch.json -o patch.json
expect_cannot '^drvabi: patch\.json is an input of this run, and would be overwritten; name a different file$'

it 'a conflict'
patch '' '{"version": "590.48.01", "parent": "580.95.05", "supported": true}'
run table merge nvproxy patch.json
expect_cannot '^drvabi: patch\.json: versions\[0\]: the parent of 590\.48\.01 is 590\.44\.01 in the table, but 580\.95\.05 in the patch$'
run table merge nvproxy patch.json -o new.json
expect_cannot '^drvabi: patch\.json: versions\[0\]: '

it 'usage errors'
run table
expect_cannot '^drvabi: table can merge; see drvabi table --help$'
run table show nvproxy
expect_cannot "^drvabi: table can merge, not 'show'; see drvabi table --help$"
run table merge nvproxy
expect_cannot '^drvabi: table merge takes two files, TABLE and PATCH, not 1$'
run table merge - -
expect_cannot '^drvabi: TABLE and PATCH cannot both be standard input; name a file for one$'
run table merge nvproxy nowhere.json
expect_cannot '^drvabi: cannot open nowhere\.json: No such file or directory$'

patch '' ''
it 'a directory with the name of a table'
mkdir "$WORK/nvproxy"
run table merge nvproxy patch.json
expect_same 'is not used as a table' "$REAL" "$OUT"
rmdir "$WORK/nvproxy"

it 'a file with the name of a table'
cp "$TABLE" "$WORK/nvproxy"
run table merge nvproxy patch.json
expect_json 'is used' '.proxy == "demo proxy"'
rm "$WORK/nvproxy"

it "a user's table with the same name"
mkdir -p "$WORK/data/drvabi"
cp "$TABLE" "$WORK/data/drvabi/nvproxy.json"
run XDG_DATA_HOME="$WORK/data" table merge nvproxy patch.json
expect_json 'is used instead of the included table' '.proxy == "demo proxy"'
run XDG_DATA_HOME="$WORK/data" table merge ./nvproxy patch.json
expect_cannot '^drvabi: cannot open \./nvproxy: No such file or directory$'

it 'an unknown table'
run XDG_DATA_HOME="$WORK/data" XDG_DATA_DIRS=/nowhere:/elsewhere ranges --table nvproxies
expect_cannot "^drvabi: no table 'nvproxies' \(did you mean nvproxy\?\): no file of this name here, nor .*/data/drvabi/nvproxies\.json, .* or /elsewhere/drvabi/nvproxies\.json$"

it 'an included table'
run DRVABI_REPO= verify --table nvproxy --version 590.48.01
expect_status 0
expect_out_like '^ +pass  +590\.48\.01 '
run DRVABI_REPO= verify --table "$ROOT/data/nvproxy.json" --version 590.48.01
expect_status 1
expect_out_like '^ +fail  +590\.48\.01 '
run DRVABI_REPO= verify --table nvproxy --version 590.48.01 --suppress /dev/null
expect_status 1
run DRVABI_REPO= bootstrap 595.45.04 --table nvproxy --format json
expect_json 'the accepted findings of an included table are not faults' '.table_faults == [] and (.proof.text | any(test("nvproxy-accepted.txt accepts [0-9]+ findings")))'
run DRVABI_REPO= bootstrap 595.45.04 --table "$ROOT/data/nvproxy.json" --format json
expect_json 'the findings of a table file are faults' '.table_faults | length > 0'
run DRVABI_REPO= bootstrap 595.45.04 --table "$ROOT/data/nvproxy.json" --suppress "$ROOT/data/nvproxy-accepted.txt" --format json
expect_json 'unless they are accepted' '.table_faults == []'

it 'DRVABI_TABLE'
run_differ --repo "$REPO" --base 100.10.01 --next 110.05.00 --table "$TABLE"
keep with-option
run_differ DRVABI_TABLE="$TABLE" --repo "$REPO" --base 100.10.01 --next 110.05.00
expect_same 'gives the same as --table' "$WORK/with-option" "$OUT"
run_differ DRVABI_TABLE=nowhere --repo "$REPO" --base 100.10.01 --next 110.05.00 --table "$TABLE"
expect_same '--table has precedence' "$WORK/with-option" "$OUT"
run_differ --repo "$REPO" --base 100.10.01 --next 110.05.00
keep without
run_differ DRVABI_TABLE= --repo "$REPO" --base 100.10.01 --next 110.05.00
expect_same 'can be empty' "$WORK/without" "$OUT"
run DRVABI_TABLE=nowhere extract --repo "$REPO" 100.10.01
expect_status 0
sed 's/"driver": "nvidia"/"driver": "other"/' "$TABLE" >"$WORK/other.json"
run_differ DRVABI_TABLE=other.json --repo "$REPO" --base 100.10.01 --next 110.05.00
expect_cannot '^drvabi: other\.json is a table for the driver other, not for nvidia; DRVABI_TABLE names it; to use no table, set DRVABI_TABLE to ""$'

done_testing
