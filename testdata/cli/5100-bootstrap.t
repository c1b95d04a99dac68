#!/usr/bin/env bash
# bootstrap: the changes for a new version or one more ioctl. The tests remove parts of the demo table, and bootstrap must add them again.
. "$(dirname "$0")/lib.sh"
fixture

# edited FILE FILTER [JQ-ARGUMENT]... - write the demo table, changed by jq, to FILE
edited() {
	local file=$1 filter=$2
	shift 2
	jq "$filter" "$TABLE" "$@" >"$WORK/$file"
}

# without FILE VERSION... - write the table without these versions and the types that are named after them
without() {
	local file=$1
	shift
	edited "$file" '[$ARGS.positional[] | "_V" + split(".")[0]] as $names
		| del(.versions[] | select(.version | IN($ARGS.positional[])))
		| .types |= with_entries(select([.key | endswith($names[])] | any | not))' --args "$@"
}

it 'a version with changes'
without table.json 110.05.00 120.01.00
run bootstrap 110.05.00 --repo "$REPO" --table table.json -o out
expect_status 0
expect_err_empty
expect_out_is changes.txt
expect_file_is "$WORK/out/report.md" report.md
expect_file_is "$WORK/out/table.patch.json" table.patch.json
expect_file_is "$WORK/out/structs.go" structs.go

run bootstrap 110.05.00 --repo "$REPO" --table table.json --format json
expect_json 'has the format' '.format == "drvabi-bootstrap/1" and .version == "110.05.00" and .verdict == "node with changes" and .parent == "100.10.01"'
expect_json 'has the actions for all entries' '[.entries[] | .action] | sort == ["none", "none", "none", "none", "none", "remove", "rename", "rename", "replace", "replace", "replace", "replace"]'
expect_json 'has the added ioctls as candidates' '[.candidates[] | .name] | sort == ["DEMO_DECODER_A", "NV2080_CTRL_CMD_DEMO_GET_STATS", "NV_ESC_WAIT_OPEN_COMPLETE", "UVM_VALIDATE_VA_RANGE"]'
expect_json 'has exactly the keys of the format' 'keys == (["format", "driver", "target", "table", "table_revision", "version", "commit", "verdict", "parent", "parent_commit", "why", "proof",
	"nodes", "entries", "types", "candidates", "misplaced", "table_faults", "audit", "passed", "not_compared", "not_checked", "todo"] | sort)'
expect 'bootstrap.json equals standard output' cmp "$OUT" "$WORK/out/bootstrap.json"
run bootstrap 110.05.00 --repo "$REPO" --table table.json --format markdown
expect 'report.md equals standard output' cmp "$OUT" "$WORK/out/report.md"

it '--fail-on and --stat'
run bootstrap 110.05.00 --repo "$REPO" --table table.json --stat --fail-on read
expect_status 1
expect_out_like '^  new nodes +1$'
expect_out_like '^  entries to change +[1-9]'
run bootstrap 110.05.00 --repo "$REPO" --table "$TABLE" --fail-on node,read,handler,unread
expect_status 0
run bootstrap 110.05.00 --repo "$REPO" --table table.json --fail-on layout
expect_cannot "--fail-on: 'layout' is not a kind of work; use node, fault, read, handler, unread$"
run bootstrap 110.05.00 --repo "$REPO" --table table.json --stat --format markdown
expect_cannot '^drvabi: --stat is for --format text, not for markdown$'

it 'with the patch, the table fits'
run table merge table.json out/table.patch.json -o merged.json
expect_status 0
run verify --repo "$REPO" --table merged.json --version 110.05.00
expect_status 0

it 'a version that changes numbers'
without table.json 120.01.00
run bootstrap 120.01.00 --repo "$REPO" --table table.json -o out
expect_status 0
expect_out_is renumbers.txt
run table merge table.json out/table.patch.json -o merged.json
expect_status 0
run verify --repo "$REPO" --table merged.json --version 120.01.00
expect_status 0

it 'a branch: the parent comes from the graph, and the node between is at the version with the change'
without table.json 100.20.02 110.05.00 120.01.00
run bootstrap 120.01.00 --repo "$REPO" --table table.json --format json
expect_json 'follows the main branch' '[.nodes[] | [.version, .parent, .supported]] == [["110.05.00", "100.10.01", false], ["120.01.00", "110.05.00", true]]'
expect_json 'a renumbered command is at its version' '[.entries[] | select(.action == "renumber") | .node] | unique == ["120.01.00"]'

it 'a version that needs only a node'
edited table.json '.versions |= [.[0] | .ioctls = {"alloc": {"NV01_ROOT": .ioctls.alloc.NV01_ROOT}}]'
run bootstrap 120.01.00 --repo "$REPO" --table table.json --exit-code
expect_status 1
expect_out_like '^  add one node: 120\.01\.00, child of 100\.10\.01; no entry changes$'
run bootstrap 120.01.00 --repo "$REPO" --table table.json
expect_status 0

it 'a version that is in the table'
run bootstrap 120.01.00 --repo "$REPO" --table "$TABLE" --exit-code
expect_status 0
expect_out_like '^  nothing to do: the table supports 120\.01\.00$'
run bootstrap 100.10.01 --repo "$REPO" --table "$TABLE" --format json
expect_json 'as a node between' '.verdict == "node only" and (.nodes[0] | .exists and .supported) and ([.todo[].what] | index("supported") == null)'
run bootstrap 100.10.01 --repo "$REPO" --table "$TABLE" -o between --sha256-arm64 none
expect_status 0
run table merge "$TABLE" between/table.patch.json
expect_status 0
expect 'no package has no checksum' grep -q '"arm64": "none"' "$WORK/between/bootstrap.json"
expect_json 'the patch sets supported' '.versions[] | select(.version == "100.10.01") | .supported'

it 'faults of the table are reported first, separately from the version'
edited table.json 'del(.versions[] | select(.version == "120.01.00")) | .types.UVM_FREE_PARAMS.fields[0].type = "uint32"'
run bootstrap 120.01.00 --repo "$REPO" --table table.json --format json
expect_json 'the fault is reported' '[.table_faults[] | [.version, .name]] | unique == [["110.05.00", "UVM_FREE"]]'
expect_json 'the entry is not replaced' '[.entries[] | select(.name == "UVM_FREE")] == []'

it 'checksums'
without table.json 120.01.00
sum=$(printf '%064d' 7)
run bootstrap 120.01.00 --repo "$REPO" --table table.json --sha256-x86_64 "$sum" --sha256-arm64 "$sum" --format json -o out
expect_json 'are in the result' '.nodes[-1].sha256 == {"x86_64": $sum, "arm64": $sum} and ([.todo[] | select(.what == "checksum")] == [])' --arg sum "$sum"
expect 'are in the patch' jq -e --arg sum "$sum" '.versions[-1].sha256.x86_64 == $sum' "$WORK/out/table.patch.json"
run bootstrap 120.01.00 --repo "$REPO" --table table.json --sha256-arm64 "${sum}0"
expect_cannot '^drvabi: --sha256-arm64 takes a SHA-256 as sha256sum prints it, 64 hexadecimal digits'
run bootstrap 120.01.00 --repo "$REPO" --table table.json --sha256-x86_64 "${sum%7}G"
expect_cannot '^drvabi: --sha256-x86_64 takes '

it 'one more ioctl'
edited table.json 'del(.versions[].ioctls.uvm.UVM_VALIDATE_VA_RANGE) | del(.types.UVM_VALIDATE_VA_RANGE_PARAMS)'
run bootstrap --add UVM_VALIDATE_VA_RANGE 0x20803030 --repo "$REPO" --table table.json -o out
expect_status 0
expect_out_is add.txt
run table merge table.json out/table.patch.json -o merged.json
expect_status 0
run verify --repo "$REPO" --table merged.json --all-nodes
expect_status 0
run bootstrap --add UVM_VALIDATE_VA_RANGE --repo "$REPO" --table table.json --format json
expect_json 'is added at the first version that has it' '[.entries[] | [.name, .node, .action, .type]] == [["UVM_VALIDATE_VA_RANGE", "110.05.00", "add", "UVM_VALIDATE_VA_RANGE_PARAMS"]] and .parent == null'

it 'a new version and one more ioctl in one run'
jq 'del(.versions[] | select(.version == "110.05.00" or .version == "120.01.00"))' "$WORK/table.json" >"$WORK/older.json"
run bootstrap 110.05.00 --add UVM_VALIDATE_VA_RANGE --repo "$REPO" --table older.json -o out
expect_status 0
run bootstrap 110.05.00 --add UVM_VALIDATE_VA_RANGE --repo "$REPO" --table older.json --format json
expect_json 'the result has both' '([.entries[] | select(.action == "add") | [.name, .node]] == [["UVM_VALIDATE_VA_RANGE", "110.05.00"]]) and .parent == "100.10.01" and ([.entries[].action] | index("replace"))'
run table merge older.json out/table.patch.json -o merged.json
expect_status 0
run verify --repo "$REPO" --table merged.json --version 110.05.00
expect_status 0
run bootstrap 110.05.00 --add --repo "$REPO" --table older.json
expect_cannot '^drvabi: --add needs names or numbers of ioctls$'

it 'capabilities are written only if they are given'
edited unlisted.json 'del(.versions[].ioctls.frontend["NV_ESC_SYS_PARAMS", "NV_ESC_CARD_INFO"])'
run bootstrap --add NV_ESC_SYS_PARAMS --repo "$REPO" --table unlisted.json --caps video
expect_out_like '^    \{seccomp\.EqualTo\(frontendIoctlCmd\(nvgpu\.NV_ESC_SYS_PARAMS, [1-9][0-9]*\)\), nvconf\.CapVideo\},$'
expect_out_like '^  - whether any code of the driver handles an added ioctl of frontend$'
run bootstrap --add NV_ESC_CARD_INFO --repo "$REPO" --table unlisted.json --caps video
expect_out_like '^    \{seccomp\.MaskedEqual\(notIocSizeMask, frontendIoctlCmd\(nvgpu\.NV_ESC_CARD_INFO, 0\)\), nvconf\.CapVideo\},$'
run bootstrap --add UVM_VALIDATE_VA_RANGE --repo "$REPO" --table table.json --caps video,graphics,video --format json
expect_status 0
expect_json 'are sorted, without duplicates' '[.entries[0].caps, .candidates[0].caps] == [["graphics", "video"], ["graphics", "video"]] and .candidates[0].evidence == "given with --caps"'
run bootstrap --add UVM_VALIDATE_VA_RANGE --repo "$REPO" --table table.json --caps compute,vidoe
expect_cannot "--caps takes some of the capabilities [a-z0-9, -]+, not 'compute,vidoe'$"

it 'if a file of the directory cannot be written, no file changes'
mkdir -p "$WORK/mixed/structs.go"
echo old >"$WORK/mixed/report.md"
without table.json 120.01.00
run bootstrap 120.01.00 --repo "$REPO" --table table.json -o mixed
expect_cannot '^drvabi: mixed/structs\.go is not a regular file'
expect 'the old report remains' grep -qx old "$WORK/mixed/report.md"
expect 'no other file is written' test ! -e "$WORK/mixed/bootstrap.json"
run bootstrap 120.01.00 --repo "$REPO" --table table.json -o table.json
expect_cannot '^drvabi: (table\.json is an input of this run.*|table\.json is not a directory)'
cp "$WORK/table.json" "$WORK/mixed/bootstrap.json"
rmdir "$WORK/mixed/structs.go"
run bootstrap 120.01.00 --repo "$REPO" --table mixed/bootstrap.json -o mixed
expect_cannot '^drvabi: mixed/bootstrap\.json is an input of this run, and would be overwritten'
run bootstrap 120.01.00 --repo "$REPO" --table table.json -o no/such/dir
expect_cannot '^drvabi: cannot make the directory no/such/dir: No such file or directory'

it 'a tree or a document of a version with a tag gives the same, except for the origin'
jq 'del(.versions[] | select(.version == "120.01.00"))' "$TABLE" >"$WORK/short.json"
unpack 120.01.00 tree
run extract 120.01.00 --repo "$REPO"
keep 120.json
run bootstrap 120.01.00 --repo "$REPO" --table short.json --format json
keep by-tag.json
plain() {
	jq 'del(.commit, .proof) | del(.nodes[].commit)' "$1"
}
plain "$WORK/by-tag.json" >"$WORK/plain.json"
like_by_tag() {
	expect_status 0
	plain "$OUT" >"$WORK/got.json"
	expect_same "$1" "$WORK/got.json" "$WORK/plain.json"
}
run DRVABI_REPO="$REPO" bootstrap 120.01.00 --dir tree --table short.json --format json
like_by_tag 'a tree'
expect_json 'the origin is the tree' '.commit == "" and any(.proof.text[]; contains("(the tree in tree)"))'
run DRVABI_REPO="$REPO" bootstrap 120.01.00 --json 120.json --table short.json --format json
like_by_tag 'a document'
rm -rf "$WORK/cache"
run DRVABI_REPO="$REPO" bootstrap 120.01.00 --dir tree --table short.json
run cache
expect_out_like '^  documents +1 ' # of the versions, only the parent node was read

printf 'NVIDIA_VERSION = 120.01.00\n' >"$WORK/tree/version.mk"
run DRVABI_REPO="$REPO" bootstrap 120.01.00 --dir tree --table short.json --format json
like_by_tag 'a tree that says its version'
expect 'there is no note' [ -z "$(grep version.mk "$ERR")" ]
printf '\nNVIDIA_VERSION = 110.05.00\n' >"$WORK/tree/version.mk"
run DRVABI_REPO="$REPO" bootstrap 120.01.00 --dir tree --table short.json --format json
expect_err_like '^drvabi: note: tree is read as version 120\.01\.00, but its version\.mk says 110\.05\.00$'
expect_json 'the proof has the version of version.mk' 'any(.proof.text[]; contains("(the tree in tree, whose version.mk says 110.05.00)"))'
run verify --dir tree --version 120.01.00 --table "$TABLE"
expect_err_like '^drvabi: note: tree is read as version 120\.01\.00, but its version\.mk says 110\.05\.00$'
rm "$WORK/tree/version.mk"

it 'a tree without a method table: the first sentence counts the commands that left it'
cp -R "$WORK/tree" "$WORK/unlisted"
rm "$WORK/unlisted/src/nvidia/generated/g_subdevice_nvoc.c"
run DRVABI_REPO="$REPO" bootstrap 120.01.01 --dir unlisted --table "$TABLE" --fail-on unread
expect_status 1
expect_out_like '^  add one node: 120\.01\.01, child of 120\.01\.00; no entry changes, but 14 ioctls$'
expect_out_like '^  to review \(see TODO\), 14 of which no table of the driver lists any longer$'
expect 'each has a TODO, and only that' [ "$(grep -c 'DEMO_BIND\|GPU_GET_INFO' "$OUT")" = 2 ]

it 'a tree of a version that is in no graph: the parent comes from the number, with a TODO'
run DRVABI_REPO="$REPO" bootstrap 125.00.01 --dir tree --table short.json --format json
expect_status 0
expect_json 'the node has this parent' '.parent == "110.05.00" and .nodes[-1].version == "125.00.01"'
expect_json 'the reason is given' '.why | startswith("125.00.01 is not in a commit graph; according to its number, it follows 120.01.00. ")'
expect_json 'a TODO asks to confirm the parent' 'any(.todo[]; .what == "parent" and (.why | startswith("confirm that 125.00.01 descends from 120.01.00")))'
run DRVABI_REPO="$REPO" bootstrap 105.01.00 --dir tree --table short.json --format json
expect_json 'older versions follow the main branch' '.parent == "100.10.01"'
run DRVABI_REPO="$REPO" bootstrap 100.30.00 --dir tree --table short.json --format json
expect_json 'or their release' '.parent == "100.20.02" and (.why | startswith("100.30.00 is not in a commit graph; according to its number, it follows 100.20.02. "))'
run DRVABI_REPO="$REPO" bootstrap --dir tree --table short.json
expect_cannot '^drvabi: bootstrap needs a version'
run DRVABI_REPO="$REPO" bootstrap 125.00.01 --json 120.json --table short.json
expect_cannot '^drvabi: 120\.json has version 120\.01\.00, not 125\.00\.01$'
run DRVABI_REPO="$REPO" bootstrap --add UVM_FREE --dir tree --table short.json
expect_cannot '^drvabi: bootstrap needs the version of tree: bootstrap VERSION --dir tree$'

it 'accepted faults of the table'
jq '.versions[0].ioctls.uvm.UVM_FREE.number = 99' "$WORK/short.json" >"$WORK/faulty.json"
mkdir "$WORK/judged"
echo 'number UVM_FREE * never the number of another driver' >"$WORK/judged/accepted.txt"
run bootstrap 120.01.00 --repo "$REPO" --table faulty.json --suppress judged/accepted.txt --format json
expect_status 0
expect_json 'are not reported, and the proof names the file without its directory' '.table_faults == [] and any(.proof.text[]; endswith(", accepted.txt accepts 1 finding."))'

it 'a tree that has only kernel-open'
# part_of TREE - copy its kernel-open to $WORK/part, with the header that the real driver's kernel-open has
part_of() {
	rm -rf "${WORK:?}/part"
	mkdir "$WORK/part"
	cp -R "$WORK/$1/kernel-open" "$WORK/part"
	cp "$WORK/$1/src/nvidia/arch/nvalloc/unix/include/nv-ioctl.h" "$WORK/part/kernel-open/common/inc"
}
without table.json 110.05.00 120.01.00
unpack 110.05.00 old
part_of old
run DRVABI_REPO="$REPO" bootstrap 110.05.00 --table table.json --format json
keep by-tag.json
run DRVABI_REPO="$REPO" bootstrap 110.05.00 --dir part --table table.json --format json
keep part.json
expect_status 0
expect_json 'the families of the part are compared' '.proof.entries > 0 and (.entries | length) > 0 and ([.not_compared[] | .family] | unique) == ["alloc", "control", "frontend"]'
expect_json 'the findings are those of the whole tree' '[.not_compared[] | .name] as $open
	| .entries == [$tag[0].entries[] | select(.name | IN($open[]) | not)]
	and .candidates == [$tag[0].candidates[] | select(.family | IN("uvm", "frontend"))]' --slurpfile tag "$WORK/by-tag.json"
expect_json 'the result lists the entries that were not checked' 'any(.not_checked[]; test("^[0-9]+ of [0-9]+ entries of the table \\(alloc [0-9]+, control [0-9]+, frontend [0-9]+\\), which are declared in src: "))'
run extract --dir part -o part-abi.json
run DRVABI_REPO="$REPO" bootstrap 110.05.00 --json part-abi.json --table table.json --format json
expect 'its document gives the same' test "$(jq -c '.entries, .not_compared' "$OUT")" = "$(jq -c '.entries, .not_compared' "$WORK/part.json")"

part_of tree
run DRVABI_REPO="$REPO" bootstrap 120.05.00 --dir part --table "$TABLE" --format json
expect_json 'without changes, the verdict is unverified' '.verdict == "unverified" and .entries == [] and [.nodes[].version] == ["120.05.00"]'
run DRVABI_REPO="$REPO" bootstrap 120.01.00 --dir part --table "$TABLE" --stat
expect_out_like '^  nothing to do: the table supports 120\.01\.00; [0-9]+ of [0-9]+ entries were compared$'
sed -i '/UVM_FREE /d' "$WORK/part/kernel-open/nvidia-uvm/uvm_ioctl.h"
run DRVABI_REPO="$REPO" bootstrap 120.05.00 --dir part --table "$TABLE" --format json -q
expect_json 'an ioctl that an existing header does not define is removed' '[.entries[] | [.name, .action]] == [["UVM_FREE", "remove"]]'

it 'errors'
run bootstrap 120.01.00 --repo "$REPO"
expect_cannot '^drvabi: bootstrap needs the proxy.s table: --table FILE, or --table nvproxy'
run bootstrap --repo "$REPO" --table "$TABLE"
expect_cannot '^drvabi: bootstrap needs a version, or --add with names or numbers of ioctls$'
run bootstrap 110.05.00 120.01.00 --repo "$REPO" --table "$TABLE"
expect_cannot '^drvabi: bootstrap takes one version, but got 2 arguments$'
run bootstrap 120.01.01 --repo "$REPO" --table "$TABLE"
expect_cannot '120\.01\.01 .*nearest: .*120\.01\.00.*; according to its number, it follows node 120\.01\.00; only its source \(--dir TREE\) can confirm this'
run bootstrap --add --repo "$REPO" --table "$TABLE"
expect_cannot '^drvabi: --add needs names or numbers of ioctls$'
run bootstrap --add NV_ESC_RM_FRE --repo "$REPO" --table "$TABLE"
expect_cannot 'an ioctl NV_ESC_RM_FRE.*nearest: .*NV_ESC_RM_FREE'
run bootstrap --add 0x12345678 --repo "$REPO" --table "$TABLE"
expect_cannot 'the number 0x12345678'
run bootstrap --add NV_ESC_RM_FREE --repo "$REPO" --table "$TABLE"
expect_cannot 'already forwards frontend NV_ESC_RM_FREE'
edited table.json '.driver = "other"'
run bootstrap 120.01.00 --repo "$REPO" --table table.json
expect_cannot 'is a table for the driver other, not for nvidia'
edited table.json '.versions |= [.[] | select(.version == "120.01.00") | .parent = null]'
run bootstrap 110.05.00 --repo "$REPO" --table table.json
expect_cannot 'no ancestor of 110\.05\.00 in the driver.s commit graph is a node of table\.json, whose oldest node is 120\.01\.00'
it 'a repository without a release of the table, and a version that could follow one'
git clone -q --mirror "$REPO" "$WORK/some.git"
git -C "$WORK/some.git" tag -d 110.05.00 >/dev/null
jq 'del(.versions[] | select(.version == "120.01.00"))' "$TABLE" >"$WORK/older.json"
run bootstrap 120.01.00 --repo some.git --table older.json --format json
expect_status 0
expect_json 'the TODO names the release' '[.todo[] | select(.what == "parent") | .why]
	== ["confirm that 120.01.00 descends from 100.10.01 and not from 110.05.00, which is in the table, but neither in the data nor in a named repository"]'
run verify --repo some.git --table older.json --version 120.01.00 --format json
expect_json 'verify uses the node of this release' '.versions[0].node == "110.05.00"'
expect_err_like 'note: node 110\.05\.00 is used, because its number is the nearest; the repository does not have that version, so it is unknown whether 120\.01\.00 descends from it'

done_testing
