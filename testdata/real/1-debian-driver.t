#!/usr/bin/env bash
# extract and run_differ on two versions of the driver from Debian's source packages. facts.txt has sizes and offsets by gcc, roles.txt the
# roles of fields by the driver's source, and changes.txt changes between the two versions by their headers.
# shellcheck disable=SC2016 # the variables are jq's
. "$(dirname "$0")/../cli/lib.sh"

base=535.261.03
next=555.58.02
debian=${DRVABI%/*}/debian-driver
real=$ROOT/testdata/real

# have VERSION - return whether the repository has the version
have() {
	git --git-dir="$REPO" rev-parse -q --verify "refs/tags/$1" >/dev/null 2>&1
}

# each TEXT FILTER JSON - test each fact in TEXT. FILTER prints "NAME<TAB>ERROR" for $fact, a line of TEXT split into words; ERROR is empty if
# the fact is true in JSON.
each() {
	local name wrong
	jq -r --rawfile text "$1" '. as $in | $text | split("\n")[] | select(test("^[^#]")) | split(" ") as $fact | $in | '"$2" "$3" >"$WORK/each"
	expect 'the file has facts' [ -s "$WORK/each" ]
	while IFS=$'\t' read -r name wrong; do
		if [ -z "$wrong" ]; then pass "$name"; else fail "$name: $wrong"; fi
	done <"$WORK/each"
}

# counts RECORDS CONTROL ALLOC FRONTEND UVM UVM-TEST MODESET NVKMS DRM NVSWITCH NVSWITCH-CTL NVLINK - compare the numbers of records and ioctls in $OUT
counts() {
	local names='records and of ioctls in each family'
	jq -r '[(.records | length), ([.ioctls[].family] as $all | "control", "alloc", "frontend", "uvm", "uvm-test", "modeset", "nvkms", "drm",
		"nvswitch", "nvswitch-ctl", "nvlink" | . as $one | [$all[] | select(. == $one)] | length)] | join(" ")' "$OUT" >"$WORK/counts"
	echo "$*" >"$WORK/counts.wanted"
	expect "counts of $names" diff "$WORK/counts.wanted" "$WORK/counts"
}

it 'the real driver'
"$ROOT/scripts/debian-driver" "$debian" "$base" "$next" >"$WORK/fetch" 2>&1 || true
note <"$WORK/fetch"
REPO=$debian/repo
for version in "$base" "$next"; do
	expect "$version is available from Debian" have "$version"
done
have "$base" || have "$next" || {
	done_testing
	exit 1
}

for version in "$base" "$next"; do
	it "$version"
	if ! have "$version"; then
		fail 'its structs agree with gcc: the version is not available'
		continue
	fi
	run extract --no-archive --no-cache --repo "$REPO" "$version"
	expect_status 0
	expect_err_empty
	expect_json 'it has no warnings' '.warnings == []'
	keep "$version.json"
	if [ "$version" = "$base" ]; then
		counts 2871 1137 145 40 70 96 1 59 19 75 4 43
	else
		counts 3060 1216 153 41 70 97 1 63 24 96 4 43
	fi
	grep "^$version " "$real/facts.txt" >"$WORK/facts"
	expect 'facts.txt has at least 60 structs' [ "$(wc -l <"$WORK/facts")" -ge 60 ]
	each "$WORK/facts" '.records[$fact[1]] as $record | "\($fact[1])\t" + (
		if $record == null then "it does not exist"
		elif $record.size != ($fact[2] | tonumber) then "its size is \($record.size), not \($fact[2])"
		else ($fact[3:] - [$record.fields[] | "\(.name)=\(.offset)"]) | join(" ") | if . == "" then . else "not \(.)" end
		end)' "$WORK/$version.json"
	grep "^\(both\|$version\) " "$real/roles.txt" >"$WORK/roles"
	each "$WORK/roles" '.records[$fact[1]] as $record | "\($fact[1]).\($fact[2]) \($fact[3])\t" + (
		[$record.fields[]? | select(.name == $fact[2]) | .role // "-"] as $roles
		| if $roles == [] then "it does not exist" elif $roles == [$fact[3]] then "" else "its role is \($roles[0])" end)' "$WORK/$version.json"
	run extract --no-archive --no-cache --repo "$REPO" --target aarch64-linux-gnu "$version"
	expect_status 0
	expect_err_empty
	expect_json 'its structs are the same on aarch64' '(.records | map_values(.size)) == ($x[0].records | map_values(.size))' --slurpfile x "$WORK/$version.json"
	run_differ --no-archive --no-cache --repo "$REPO" --base "$version" --next "$version"
	expect_status 0
done

it 'the diff'
if ! { have "$base" && have "$next"; }; then
	fail 'the changes are found: a version is not available'
	done_testing
	exit 1
fi
run_differ --no-archive --no-cache --repo "$REPO" --base "$base" --next "$next" --format json
expect_status 1
expect_err_empty
keep diff.json
each "$real/changes.txt" 'def number: if . == "-" then null elif startswith("0x") then
		ascii_downcase[2:] | explode | reduce .[] as $digit (0; . * 16 + $digit - (if $digit > 96 then 87 else 48 end))
		else tonumber end;
	def value: if type == "object" then .size // .number else . end;
	"\($fact[:3] | join(" "))\t" + (
		[.changes[] | select(.kind == $fact[0] and (.name == $fact[1] or any(.also[]?; . == $fact[1])))] as $found
		| if $found == [] then "nothing is reported"
		elif $found[0].classes | index($fact[2]) | not then "its classes are \($found[0].classes | join(", "))"
		elif [$found[0] | .before, .after | value] != [$fact[3, 4] | number] then "from \($found[0].before | value) to \($found[0].after | value)"
		else "" end)' "$WORK/diff.json"
expect_json 'the former owner of a number is named' '[.changes[] | select(.name == "NV_ESC_RM_LOCKLESS_DIAGNOSTIC")]
	| tostring | test("NV_ESC_RM_NVLOG_CTRL")'
expect_json 'a changed record has the ioctl that carries it' '[.changes[] | select(.kind == "record" and .name == "NV2080_CTRL_PERF_GPUMON_PERFMON_UTIL_SAMPLE")
	| .reached_by[] | .name] == ["NV2080_CTRL_CMD_PERF_GET_GPUMON_PERFMON_UTIL_SAMPLES_V2"]'
expect_json 'all classes occur' '[.changes[].classes[]] | unique == ["access", "added", "flags", "growth", "layout", "name", "number", "removed", "translation", "value"]'

it 'every format, without and with the cache'
for format in text markdown json; do
	run_differ --no-archive --no-cache --jobs 2 --repo "$REPO" --base "$base" --next "$next" --format "$format"
	expect_status 1
	keep cold
	run_differ --no-archive --jobs 1 --repo "$REPO" --base "$base" --next "$next" --format "$format"
	expect_same "$format" "$OUT" "$WORK/cold"
	expect_out_like "535\\.261\\.03"
done
run show --no-archive --no-cache --repo "$REPO" --version "$next" NVOS47_PARAMETERS
expect_status 0
expect_out_like '^ +40 +4 +u32 +status +NvV32 +status$|^ +40 +4 +u32 +status '

done_testing
