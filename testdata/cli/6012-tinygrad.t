#!/usr/bin/env bash
# The Python for two real releases, and for their range, has the sizes and offsets of tinygrad (testdata/gen/tinygrad).
. "$(dirname "$0")/lib.sh"

facts=$ROOT/testdata/gen/tinygrad.txt
archive=$ROOT/data/nvidia.drvabi
[ -e "$archive" ] || skip_all 'the archive does not exist'

cat >"$WORK/facts.py" <<'PYTHON'
import ctypes, importlib, sys

module, version, facts = sys.argv[1:]
generated = importlib.import_module(module)
records = fields = 0
for line in open(facts):
    if line.startswith("#") or line.split()[0] != version:
        continue
    _, record, size, *members = line.split()
    found = generated.layout(record, version)
    records += 1
    if ctypes.sizeof(found) != int(size):
        sys.exit(f"{record} of {version} has {ctypes.sizeof(found)} bytes, not {size}")
    for member in members:
        name, place = member.split("=")
        field = getattr(found, name)
        fields += 1
        if f"{field.offset}+{field.size}" != place:
            sys.exit(f"{record}.{name} of {version} is at {field.offset}+{field.size}, not {place}")
print(version, records, "records", fields, "fields")
PYTHON
mapfile -t records < <(grep -v '^#' "$facts" | cut -d ' ' -f 2 | sort -u)

# same MODULE RANGE VERSION... - pass if the Python has the facts of each VERSION
same() {
	local module=$1 range=$2 version
	shift 2
	run gen --lang python --archive "$archive" --versions "$range" "${records[@]}" -o "$module.py"
	expect_status 0
	for version; do
		expect "$version: the same as in tinygrad" facts "$module" "$version"
	done
}

facts() {
	(cd "$WORK" && python3 -B facts.py "$1" "$2" "$facts")
}

it 'one version'
same one 570.86.16..570.86.16 570.86.16
same next 580.105.08..580.105.08 580.105.08

it 'a range'
same both 570.86.16..580.105.08 570.86.16 580.105.08
expect 'different layouts have separate definitions' [ "$(grep -c '^class NVOS46_PARAMETERS' "$WORK/both.py")" = 2 ]
expect 'equal layouts have one definition' [ "$(grep -c '^class NVOS54_PARAMETERS' "$WORK/both.py")" = 1 ]

it 'a wrong fact'
wrong_fact() {
	sed 's/\(NVOS54_PARAMETERS .*params=\)16/\112/' "$ROOT/testdata/gen/tinygrad.txt" >"$WORK/wrong.txt"
	! cmp -s "$WORK/wrong.txt" "$ROOT/testdata/gen/tinygrad.txt" && ! facts=$WORK/wrong.txt facts both 570.86.16 2>/dev/null
}
expect 'causes an error' wrong_fact

done_testing
