#!/usr/bin/env bash
# Errors of the set-up scripts. These tests use no network.
. "$(dirname "$0")/lib.sh"

install_deps() {
	run_program "$ROOT/scripts/install-deps" "$@"
}

it 'install-deps: an unknown set'
install_deps everything
expect_status 2
expect_err_like "^install-deps: unknown set 'everything'; the sets are build, check, deb, dwarf and bench$"

it 'install-deps: LLVM is not a number'
install_deps LLVM=new build
expect_status 2
expect_err_like "^install-deps: LLVM is 'new'; it must be a number"

it 'install-deps: the libclang that LLVM selects'
install_deps LLVM=19 --list build check
expect_status 0
expect_out_like '^libclang-19-dev$'
expect_out_like '^libclang-rt-19-dev$'
expect_out_unlike '@|libclang-14'

it 'install-deps: docs/dependencies.md has the table of packages'
install_deps LLVM=14 --table
expect_status 0
while read -r line; do
	grep -Fqx -- "$line" "$ROOT/docs/dependencies.md" || printf '%s\n' "$line"
done <"$OUT" >"$WORK/lacking" 2>"$WORK/why"
expect 'no line is missing' diff /dev/null "$WORK/lacking"

it 'install-deps: a system that is not Debian'
mkdir "$WORK/bin"
for name in sh sed awk cat; do
	ln -s "$(command -v "$name")" "$WORK/bin/$name"
done
install_deps PATH="$WORK/bin" LLVM=14 build
expect_status 2
expect_err_like '^install-deps: this is not Debian \(no apt-get\); install the contents of these packages: gcc .*libgit2-dev'

it 'install-deps: without root and sudo'
printf '#!/bin/sh\nexit 1\n' >"$WORK/bin/dpkg-query"
printf '#!/bin/sh\necho 1000\n' >"$WORK/bin/id"
cp "$WORK/bin/dpkg-query" "$WORK/bin/apt-get"
chmod +x "$WORK"/bin/*-* "$WORK/bin/id"
install_deps PATH="$WORK/bin" LLVM=14 dwarf
expect_status 2
expect_err_like '^install-deps: these packages are missing.* as root, run: apt-get install --no-install-recommends libdw-dev '

it 'check-setup: errors and help'
for words in somewhere '--mirror' '--suite bookworm nowhere'; do
	# shellcheck disable=SC2086 # words
	run_program "$ROOT/scripts/check-setup" $words
	expect_status 2
	expect_out_empty
done
expect_err_like "^check-setup: unknown case 'nowhere'; the cases are root, user and package$"
run_program "$ROOT/scripts/check-setup" --help
expect_status 0
expect_out_like '^usage: scripts/check-setup '

fuzz() {
	run_program "$ROOT/scripts/fuzz" LLVM=14 "$@"
}

it 'fuzz: the list of targets'
fuzz --list
expect_status 0
for file in "$ROOT"/testdata/fuzz/*.c; do
	name=${file##*/}
	expect_out_like "^${name%.c} +[a-z]"
done
fuzz --help
expect_status 0
expect_out_like '^usage: scripts/fuzz '

it 'fuzz: errors'
fuzz --seconds soon
expect_status 2
expect_err_like '^fuzz: --seconds needs a number of seconds$'
fuzz --quickly
expect_status 2
expect_err_like '^fuzz: unknown option --quickly; --help lists the options$'
fuzz nothing
expect_status 2
expect_err_like '^fuzz: unknown target nothing; --list lists the targets$'
fuzz scan --
expect_status 2
expect_err_like '^fuzz: -- must follow the name of one target$'

# debian_driver SOURCES-DIR DIR VERSION... - run debian-driver with the source lists of SOURCES-DIR
debian_driver() {
	printf 'Dir::Etc::sourcelist "/nonexistent";\nDir::Etc::sourceparts "%s";\n' "$WORK/$1" >"$WORK/apt.conf"
	shift
	run_program "$ROOT/scripts/debian-driver" APT_CONFIG="$WORK/apt.conf" "$@"
}

if ! command -v apt-config >/dev/null; then
	done_testing
	exit 0
fi

it 'debian-driver: no Debian mirror is configured'
mkdir "$WORK/none"
printf 'deb http://driver.invalid/linux bookworm stable\ndeb [trusted=yes] cdrom:disk bookworm main\n' >"$WORK/none/a.list"
debian_driver none out
expect_status 2
expect_err_like '^debian-driver: this machine.s apt has no Debian mirror'

it 'nvidia-user-space: no Debian mirror is configured, so it is skipped'
run_program "$ROOT/scripts/nvidia-user-space" APT_CONFIG="$WORK/apt.conf" programs
expect_status 77
expect_err_like '^nvidia-user-space: this machine.s apt has no Debian mirror'

it 'debian-driver: a mirror that does not exist'
mkdir "$WORK/lists"
cat >"$WORK/lists/a.list" <<'LIST'
# deb http://comment.invalid/debian bookworm main
deb http://security.invalid/debian-security bookworm-security main
deb [arch=amd64 signed-by=/some/key.gpg] file:/nonexistent/debian bookworm main contrib # repeated below
deb-src file:/nonexistent/debian bookworm main
LIST
cat >"$WORK/lists/b.sources" <<'SOURCES'
Types: deb
URIs: file:/nonexistent/other
Suites: trixie trixie-updates
Components: main contrib
 non-free
Signed-By:
 first line of a key
 .
 last line of a key

Enabled: no
Types: deb
URIs: http://disabled.invalid/debian
Suites: trixie
Components: main
SOURCES
debian_driver lists out
expect_status 2
expect_err_like '^debian-driver: no 535\.261\.03: .* \(apt-get update: '
expect_err_like '^debian-driver: no 555\.58\.02: '
expect_err_like '^debian-driver: none of these versions could be fetched'
expect_file_is "$WORK/out/apt/wanted.sources" derived.sources
expect 'no repository is created' [ ! -e "$WORK/out/repo" ]

it 'nvidia-user-space: a mirror that does not exist'
run_program "$ROOT/scripts/nvidia-user-space" APT_CONFIG="$WORK/apt.conf" programs
expect_status 77
expect_err_like '^nvidia-user-space: the mirror.s bookworm lists no nvidia-smi in non-free \(apt-get update: '
expect 'no programs are installed' [ ! -e "$WORK/programs/version" ]

it 'debian-driver: a repository that the script did not create'
mkdir -p "$WORK/mine/repo"
debian_driver lists mine
expect_status 2
expect_err_like '^debian-driver: .*/mine/repo exists and was not made by this script'

it 'debian-driver: a directory that cannot be created'
debian_driver lists /dev/null/out
expect_status 2
expect_err_like '^debian-driver: cannot make the directory /dev/null/out$'

done_testing
