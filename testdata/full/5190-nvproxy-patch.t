#!/usr/bin/env bash
# scripts/nvproxy-patch writes a patch of a proxy's source from the result of bootstrap. Its Go tests patch and compile a small proxy.
# shellcheck source=testdata/cli/lib.sh
. "$(dirname "$0")/../cli/lib.sh"

TOOL=$ROOT/scripts/nvproxy-patch
PATCH=$lib_scratch/nvproxy-patch
PATH=/usr/local/go/bin:$PATH # the path of Go's own releases

command -v go >/dev/null || skip_all 'nvproxy-patch is a Go program, and Go is not installed'

# in_tool COMMAND... - run a command in the module's directory, without network access
in_tool() {
	(cd "$TOOL" && GOFLAGS=-mod=mod GOPROXY=off GOCACHE="$lib_scratch/cache" GOWORK=off "$@")
}

it 'the program'
expect 'is formatted' [ -z "$(in_tool gofmt -l . ../proxysource)" ]
expect 'passes go vet' in_tool go vet .
expect 'passes its tests' in_tool go test . drvabi/proxysource
expect 'is built' in_tool go build -o "$PATCH" .
[ "$lib_failed" = 0 ] || done_testing

it 'a patch'
cp -R "$TOOL/testdata/bootstrap" "$WORK/out"
cp -R "$TOOL/testdata/tree" "$WORK/tree"
run_program "$PATCH" --tree tree out
expect_status 0
expect_out_empty
expect_err_empty
keep_file=$WORK/out/bootstrap.patch
expect 'is written into the directory of the bootstrap' [ -s "$keep_file" ]
expect 'can be applied by git apply' git -C "$WORK/tree" apply --check "$keep_file"
expect 'the tree is unchanged' diff -r "$TOOL/testdata/tree" "$WORK/tree"

it 'a complete tree'
run_program "$PATCH" --tree tree --check
expect_status 0
expect_err_empty

it 'the table of a tree'
run_program "$PATCH" --tree tree --table -o table.json
expect_status 0
expect_out_empty
expect_err_empty
run gen --lang go --table table.json 'UVM_*'
expect_status 0
expect 'can be read by drvabi' grep -q 'unsafe.Sizeof(UVM_TOY_FREE_PARAMS{})' "$OUT"
sed -i 's/nvconf.CapProfiling/nvconf.CapUnheardOf/' "$WORK/tree/pkg/sentry/devices/nvproxy/version.go"
rm "$WORK/table.json"
run_program "$PATCH" --tree tree --table -o table.json
expect_status 2
expect_err_like '^nvproxy-patch: pkg/sentry/devices/nvproxy/version\.go:[0-9]*: cannot read these capabilities'
expect 'is not written after an error' [ ! -e "$WORK/table.json" ]
sed -i 's/nvconf.CapUnheardOf/nvconf.CapProfiling/' "$WORK/tree/pkg/sentry/devices/nvproxy/version.go"

it 'a tree without the seccomp rule of an entry'
sed -i '/nvgpu.UVM_TOY_FREE), compUtil/d' "$WORK/tree/pkg/sentry/devices/nvproxy/seccomp_filters.go"
run_program "$PATCH" --tree tree --check
expect_status 1
expect 'the entry is named' grep -q 'uvm UVM_TOY_FREE: seccomp: ' "$OUT"

it 'a tree with a TODO'
sed -i 's/^\(.*ctrlHandler(\)rmControlSimple/\1TODO(drvabi)/' "$WORK/tree/pkg/sentry/devices/nvproxy/version.go"
run_program "$PATCH" --tree tree --check
expect_status 1
expect 'the line is named' grep -q '^pkg/sentry/devices/nvproxy/version\.go:[0-9]*: a TODO is left: ' "$OUT"

it 'invalid arguments'
run_program "$PATCH" --tree nowhere out
expect_status 2
expect 'the directory is not a tree' grep -q '^nvproxy-patch: nowhere has no pkg/sentry/devices/nvproxy/version.go' "$ERR"
run_program "$PATCH" out
expect_status 2
expect '--tree is required' grep -q 'tree GVISOR is missing' "$ERR"
run_program "$PATCH" --help
expect_status 0
expect 'the help explains TODO(drvabi)' grep -q 'TODO(drvabi)' "$OUT"

done_testing
