#!/usr/bin/env bash
# make deb and make dist: the same bytes each time, and the right files. testdata/cli/1007-install.t checks which files are installed.
. "$(dirname "$0")/../cli/lib.sh"

[ -z "${DRVABI_SAN:-}" ] || skip_all 'packages are not made from a build with sanitizers'
build=${DRVABI%/*}
CC=$(sed 's/ -.*//' "$build/.flags")
export CC # so that nothing is built again

# package GOAL FILE - build FILE twice, compare the bytes, and list its files in $WORK/packed
package() {
	for copy in first second; do
		lib_command="scripts/package $1" STATUS=0
		(cd "$ROOT" && B="${build#"$ROOT"/}" VERSION=0.9 LLVM=14 MAKE=make scripts/package "$1") >"$OUT" 2>"$ERR" || STATUS=$?
		expect_status 0
		cp "$build/$2" "$WORK/$copy"
		rm "$build/$2"
	done
	expect_same 'a second build has the same bytes' "$WORK/first" "$WORK/second"
}

it 'the package'
if command -v dpkg-shlibdeps >/dev/null; then
	package deb "drvabi_0.9_$(dpkg --print-architecture).deb"
	dpkg-deb --fsys-tarfile "$WORK/first" | tar -t | sed -n 's,^\./usr/\(.*[^/]\)$,\1,p' | LC_ALL=C sort >"$WORK/packed"
	lib_command='make install' STATUS=0
	make --no-print-directory -C "$ROOT" B="${build#"$ROOT"/}" DESTDIR="$WORK/root" PREFIX=/usr install >"$OUT" 2>"$ERR" || STATUS=$?
	expect_status 0
	{ (cd "$WORK/root/usr" && find . ! -type d -printf '%P\n') && echo share/doc/drvabi/copyright; } | LC_ALL=C sort >"$WORK/wanted-in-package"
	expect 'has the files of make install' diff "$WORK/wanted-in-package" "$WORK/packed"
	dpkg-deb --field "$WORK/first" >"$OUT"
	expect_out_like '^Version: 0\.9$'
	expect_out_like '^Depends: .*libc6 .*libgit2-'
	expect_out_like '^Recommends: libclang1-14, '
	expect_out_like 'No licence chosen\.$'
fi

it 'the tarball'
if [ -e "$ROOT/.git" ]; then
	package dist drvabi-0.9.tar.gz
	tar -tzf "$WORK/first" | sed -n 's,^drvabi-0\.9/\(.*[^/]\)$,\1,p' | LC_ALL=C sort >"$WORK/packed"
	expect 'has the files of the commit' diff <(git -C "$ROOT" ls-tree -r --name-only HEAD | LC_ALL=C sort) "$WORK/packed"
fi

done_testing
