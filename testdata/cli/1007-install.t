#!/usr/bin/env bash
# make install installs the right files, and they work in their place. testdata/full/1011-packages.t makes packages of them.
. "$(dirname "$0")/lib.sh"

[ -z "${DRVABI_SAN:-}" ] || skip_all 'the installation is not tested in a build with sanitizers'
fixture

build=${DRVABI%/*}
compiler=$(sed 's/ -.*//' "$build/.flags")

# make_install - install into $WORK/a root, with the compiler of this build, so that nothing is built again. The checkout can be in a
# directory with a space in its name, where make does not accept a build directory.
make_install() {
	lib_command='make install' STATUS=0
	CC=$compiler make --no-print-directory -C "$ROOT" B="${build#"$ROOT"/}" DESTDIR="$WORK/a root" PREFIX=/opt/drvabi install >"$OUT" 2>"$ERR" || STATUS=$?
	expect_status 0
	(cd "$WORK/a root" && find . ! -type d -printf '%M %P\n' | LC_ALL=C sort -k 2) >"$WORK/files"
}

# wanted - list the files that make install must install
wanted() {
	echo '-rwxr-xr-x opt/drvabi/bin/drvabi'
	echo 'lrwxrwxrwx opt/drvabi/bin/run_differ'
	echo 'lrwxrwxrwx opt/drvabi/bin/driver_ast_parser'
	for command in drvabi run_differ driver_ast_parser drvabi-flatten $("$DRVABI" --help | sed -n 's/^  \([a-z][a-z]*\)  .*/drvabi-\1/p'); do
		echo "-rw-r--r-- opt/drvabi/share/man/man1/$command.1"
	done
	echo '-rwxr-xr-x opt/drvabi/lib/drvabi/libdrvabi-preload.so'
	echo '-rw-r--r-- opt/drvabi/share/bash-completion/completions/drvabi'
	echo 'lrwxrwxrwx opt/drvabi/share/bash-completion/completions/run_differ'
	echo '-rw-r--r-- opt/drvabi/share/fish/vendor_completions.d/drvabi.fish'
	echo 'lrwxrwxrwx opt/drvabi/share/fish/vendor_completions.d/run_differ.fish'
	echo '-rw-r--r-- opt/drvabi/share/zsh/site-functions/_drvabi'
	echo '-rw-r--r-- opt/drvabi/share/drvabi/nvidia.drvabi'
	echo '-rw-r--r-- opt/drvabi/share/drvabi/nvproxy-accepted.txt'
	echo '-rw-r--r-- opt/drvabi/share/drvabi/nvproxy.json'
	echo '-rwxr-xr-x opt/drvabi/share/drvabi/nvproxy-patch/nvproxy-patch'
	echo 'lrwxrwxrwx opt/drvabi/bin/nvproxy-patch'
	(cd "$ROOT/scripts" && printf -- '-rw-r--r-- opt/drvabi/share/drvabi/%s\n' $(ls {nvproxy-patch,proxysource}/{go.mod,*.go} | grep -v _test))
	(cd "$ROOT/docs" && find . -type f -printf '-rw-r--r-- opt/drvabi/share/doc/drvabi/%P\n')
}

it 'make install'
make_install
wanted | LC_ALL=C sort -k 2 >"$WORK/wanted"
expect 'installs the program and a page for each command' diff "$WORK/wanted" "$WORK/files"

it 'the installed program'
run_program "$WORK/a root/opt/drvabi/bin/drvabi" --version
expect_status 0
run_program "$WORK/a root/opt/drvabi/bin/run_differ" --repo "$REPO" --base 100.10.01 --next 110.05.00
expect_status 1
expect_err_empty
keep installed
run_differ --repo "$REPO" --base 100.10.01 --next 110.05.00
expect_same 'prints the same as the built program' "$OUT" "$WORK/installed"

it 'the documents that the manual pages name'
for document in $("$DRVABI" --help | sed -n 's/^  \([a-z][a-z]*\)  .*/\1/p' | xargs -n 1 "$DRVABI" help | grep -o 'docs/[a-z/-]*\.md' | sort -u); do
	expect "$document is installed" [ -f "$WORK/a root/opt/drvabi/share/doc/drvabi/${document#docs/}" ]
done

it 'nvproxy-patch'
patch=$WORK/a\ root/opt/drvabi/share/drvabi/nvproxy-patch
if command -v go >/dev/null; then
	# Go compiles its library in half a minute, so tests share its cache, and only make check-full builds the program.
	mkdir -p "$DRVABI_TEST_DIR/gocache"
	expect 'every package that it imports is installed' env -C "$patch" GOCACHE="$DRVABI_TEST_DIR/gocache" GOPROXY=off GOWORK=off go list -deps .
	if in_full; then
		run_program "$WORK/a root/opt/drvabi/bin/nvproxy-patch" GOCACHE="$DRVABI_TEST_DIR/gocache" GOPROXY=off --tree "$ROOT/scripts/nvproxy-patch/testdata/tree" --check
		expect_status 0
		expect_err_empty
	fi
fi
run_program "$WORK/a root/opt/drvabi/bin/nvproxy-patch" PATH="$WORK" --help
expect_status 2
expect_err_like '^nvproxy-patch: Go is not installed; install Go 1\.19 or later$'

it 'completion'
share=$WORK/a\ root/opt/drvabi/share
for shell in bash:bash-completion/completions/run_differ zsh:zsh/site-functions/_drvabi fish:fish/vendor_completions.d/run_differ.fish; do
	run help --completion "${shell%%:*}"
	expect_same "of ${shell%%:*} is the same as help prints" "$OUT" "$share/${shell#*:}"
done

it 'the manual'
for page in "$WORK"/a\ root/opt/drvabi/share/man/man1/*.1; do
	name=${page##*/}
	case $name in
	driver_ast_parser.1) expect "$name points to drvabi-extract.1" grep -qx '\.so man1/drvabi-extract\.1' "$page" ;;
	run_differ.1) expect "$name points to drvabi-diff.1" grep -qx '\.so man1/drvabi-diff\.1' "$page" ;;
	*) expect "$name has a title" grep -q "^\\.TH \"${name%.1}\" \"1\"" "$page" ;;
	esac
done

it 'make install again'
make_install
expect 'changes nothing' diff "$WORK/wanted" "$WORK/files"

it 'the version'
if [ -e "$ROOT/.git" ]; then
	version=$("$DRVABI" --version | sed 's/.* //;q')
	expect 'only the Makefile has the version' [ "$(git -C "$ROOT" grep -lwF "$version" -- ':!CHANGELOG.md')" = Makefile ]
fi

it 'hardening of the program'
elf=$WORK/elf
LC_ALL=C readelf --wide --file-header --program-headers --dynamic --dyn-syms "$DRVABI" >"$elf"
expect 'the program is position-independent' grep -Eq '^ *Type: +DYN ' "$elf"
expect 'the program is marked as PIE' grep -Eq '\(FLAGS_1\) .*\bPIE\b' "$elf"
expect 'relocations are read-only' grep -Eq '^ *GNU_RELRO ' "$elf"
expect 'all relocations are done before the program starts' grep -Eq '\(FLAGS_1\) .*\bNOW\b' "$elf"
expect 'the stack is not executable' grep -Eq '^ *GNU_STACK .* RW +0x' "$elf"
expect 'the stack is protected' grep -q ' __stack_chk_fail@' "$elf"
expect 'copies are checked if CFLAGS optimize' grep -q ' __memcpy_chk@' "$elf"
case $("${CC:-cc}" -dumpmachine) in
x86_64-*)
	LC_ALL=C readelf --wide --notes "${DRVABI%/*}/cli/main.o" >"$WORK/notes"
	expect 'jumps and returns are protected' grep -Eq 'x86 feature: IBT, SHSTK$' "$WORK/notes"
	;;
esac

it 'the build with sanitizers, if CC and CFLAGS are on the command line of make check'
make --no-print-directory -n -C "$ROOT" SAN=1 CC=gcc CFLAGS=-O0 B=build-none build-none/base/memory.o >"$WORK/commands" 2>&1
expect 'uses clang and the sanitizers' grep -Eq '^clang-[0-9]+ .* -fsanitize=address,undefined .*src/base/memory\.c' "$WORK/commands"

done_testing
