#!/usr/bin/env bash
# -o FILE: links, files that are not regular, modes, and temporary files.
# shellcheck disable=SC2016 # variables of an inner shell
. "$(dirname "$0")/lib.sh"
fixture

words=(extract --repo "$REPO" 110.05.00)
run "${words[@]}"
expect_status 0
keep whole

# in_work SETTING... COMMAND... - like run, for any command. Returns its status, and does not redirect its output.
in_work() {
	lib_list
	lib_before=$lib_listing
	STATUS=0
	(cd "$WORK" && exec env XDG_CACHE_HOME="$WORK/cache" HOME="$WORK/home" LC_ALL=C "$@") || STATUS=$?
}

# writes NAME - pass if the program writes the whole output to NAME
writes() {
	run "${words[@]}" -o "$1"
	expect_status 0
	expect_err_empty
	expect_out_empty
	expect_same "$1 has the whole output" "$WORK/$1" "$WORK/whole"
}

# old NAME - create a file with old text
old() {
	printf 'old\n' >"$WORK/$1"
}

is_old() {
	expect "$1 is not changed" [ "$(cat "$WORK/$1")" = old ]
}

it 'a symbolic link'
mkdir "$WORK/elsewhere"
old elsewhere/real
ln -s real "$WORK/elsewhere/near"
ln -s elsewhere/near "$WORK/link"
writes link
expect 'the link remains' [ "$(readlink "$WORK/link")" = elsewhere/near ]
expect 'the second link remains' [ "$(readlink "$WORK/elsewhere/near")" = real ]
expect_same 'its target is written' "$WORK/elsewhere/real" "$WORK/whole"
expect 'no other file is created' [ "$(find "$WORK/elsewhere" | wc -l)" = 3 ]
ln -sf "$WORK/elsewhere/real" "$WORK/link"
old elsewhere/real
writes link
expect 'a link with an absolute path remains' [ -L "$WORK/link" ]

it 'a dangling link'
ln -s elsewhere/new "$WORK/dangling"
writes dangling
expect 'remains a link' [ -L "$WORK/dangling" ]
expect_same 'and its target is created' "$WORK/elsewhere/new" "$WORK/whole"
ln -s nowhere/new "$WORK/astray"
run "${words[@]}" -o astray
expect_cannot '^drvabi: cannot write astray, which links to nowhere/new: No such file or directory$'
run "${words[@]}" -o missing/file
expect_cannot '^drvabi: cannot write missing/file: No such file or directory$'

it 'a loop of links'
ln -s round "$WORK/about"
ln -s about "$WORK/round"
run "${words[@]}" -o round
expect_cannot '^drvabi: cannot write round: Too many levels of symbolic links$'

it 'a directory'
run "${words[@]}" -o elsewhere
expect_cannot '^drvabi: cannot write elsewhere: it is a directory$'
run "${words[@]}" -o elsewhere/
expect_cannot '^drvabi: cannot write elsewhere/: it is a directory$'
run "${words[@]}" -o elsewhere/real/
expect_cannot '^drvabi: cannot write elsewhere/real/: Not a directory$'
run "${words[@]}" -o missing/
expect_cannot '^drvabi: cannot write missing/: No such file or directory$'
ln -s elsewhere "$WORK/folder"
run "${words[@]}" -o folder
expect_cannot '^drvabi: cannot write folder, which links to elsewhere: it is a directory$'

it 'a device'
run "${words[@]}" -o /dev/null
expect_status 0
expect 'remains a device' [ -c /dev/null ]
ln -s /dev/null "$WORK/null"
run "${words[@]}" -o null
expect_status 0
expect 'also through a link' [ -L "$WORK/null" ]
if mknod "$WORK/device" c 1 3 2>/dev/null && : >"$WORK/device" 2>/dev/null; then
	run "${words[@]}" -o device
	expect_status 0
	expect 'a device that root could replace remains' [ -c "$WORK/device" ]
else
	pass 'a device that root could replace # SKIP this machine cannot create a device'
fi

it 'a named pipe'
mkfifo "$WORK/fifo"
cat "$WORK/fifo" >"$WORK/read" &
run "${words[@]}" -o fifo
wait $!
expect_status 0
expect 'remains a pipe' [ -p "$WORK/fifo" ]
expect_same 'and has the whole output' "$WORK/read" "$WORK/whole"

it 'descriptors'
for name in /dev/stdout /dev/fd/1 /proc/self/fd/1; do
	in_work "$DRVABI" "${words[@]}" -o "$name" 2>"$ERR" | cat >"$WORK/piped"
	expect_err_empty
	expect_same "$name is a pipe" "$WORK/piped" "$WORK/whole"
	old log
	in_work "$DRVABI" "${words[@]}" -o "$name" 2>"$ERR" >>"$WORK/log"
	expect_status 0
	{ echo old && cat "$WORK/whole"; } >"$WORK/both"
	expect_same "$name is a file that is appended to" "$WORK/log" "$WORK/both"
	in_work "$DRVABI" "${words[@]}" -o "$name" 2>"$ERR" >/dev/full
	expect_status 2
	expect_one_line_error "^drvabi: cannot write $name: No space left on device\$"
done
ln -s /dev/fd/3 "$WORK/three"
old log
in_work "$DRVABI" "${words[@]}" -o three 3>>"$WORK/log" 2>"$ERR"
expect_status 0
expect_same 'a link to a descriptor' "$WORK/log" "$WORK/both"
in_work "$DRVABI" "${words[@]}" -o /dev/stderr 2>"$WORK/said"
expect_same '/dev/stderr' "$WORK/said" "$WORK/whole"
in_work "$DRVABI" "${words[@]}" -o /dev/stdout >&- 2>"$ERR"
expect_status 2
expect_one_line_error '^drvabi: cannot write /dev/stdout: Bad file descriptor$'
run "${words[@]}" -o /dev/fd/99
expect_cannot '^drvabi: cannot write /dev/fd/99: Bad file descriptor$'

it 'a terminal'
if script -qec true /dev/null </dev/null >/dev/null 2>&1; then
	for name in /dev/tty /dev/stdout; do
		in_work TERM=xterm script -qec "'$DRVABI' show --repo '$REPO' --color always NV_CHANNEL_ALLOC_PARAMS -o $name" /dev/null </dev/null >"$OUT" 2>"$ERR"
		expect_status 0
		expect_out_like 'NV_CHANNEL_ALLOC_PARAMS'
		in_work script -qec "'$DRVABI' archive write --no-cache --repo '$REPO' 110.05.00 -o $name" /dev/null </dev/null >"$OUT" 2>"$ERR"
		expect "$name gets no control characters" env LC_ALL=C bash -c '! tr -d "\r\n\t" <"$1" | grep -aq "[[:cntrl:]]"' - "$OUT"
	done
else
	pass 'not tested: script(1) is not installed # SKIP'
fi

it 'the mode of the file'
for mode in 600 640 666 755; do
	old file
	chmod "$mode" "$WORK/file"
	umask 077
	writes file
	expect "mode $mode is kept" [ "$(stat -c %a "$WORK/file")" = "$mode" ]
done
for mask in 022:644 077:600 027:640; do
	rm "$WORK/file"
	umask "${mask%:*}"
	writes file
	expect "a new file, umask ${mask%:*}" [ "$(stat -c %a "$WORK/file")" = "${mask#*:}" ]
done
umask 022

it 'several names for one file'
old one
ln "$WORK/one" "$WORK/two"
run "${words[@]}" -o one
expect_cannot '^drvabi: cannot write one: it has several names \(hard links\), .*; remove it, or name another file$'
is_old one
is_old two
run sniff --repo "$REPO" --version 110.05.00 -o one -- true
expect_cannot '^drvabi: cannot write one: it has several names'
is_old two

it 'an access list'
old listed
if setfacl -m u:1234:r "$WORK/listed" 2>/dev/null; then
	run "${words[@]}" -o listed
	expect_cannot '^drvabi: cannot write listed: it has an access list or attributes, which would be lost; remove it, or name another file$'
	is_old listed
else
	pass 'not tested: setfacl is missing, or the file system has no access lists # SKIP'
fi

it 'the output exceeds the file size limit'
old file
lib_command='drvabi extract -o FILE, with ulimit -f 8'
for name in fresh file; do
	lib_list
	lib_before=$lib_listing STATUS=0
	(cd "$WORK" && ulimit -c 0 && ulimit -f 8 && exec env XDG_CACHE_HOME="$WORK/cache" "$DRVABI" "${words[@]}" --no-cache -o $name >"$OUT" 2>"$ERR") || STATUS=$?
	expect_cannot "^drvabi: cannot write $name: File too large\$"
done
is_old file
lib_command='drvabi extract >FILE, with ulimit -f 8' STATUS=0
(cd "$WORK" && ulimit -c 0 && ulimit -f 8 && exec env XDG_CACHE_HOME="$WORK/cache" "$DRVABI" "${words[@]}" --no-cache >short 2>"$ERR") || STATUS=$?
expect_status 2
expect_one_line_error '^drvabi: cannot write to standard output: File too large$'

it 'a name of the maximum length'
long=$(printf '%0255d' 0)
writes "$long"
writes "$long"

# A new file gets its name in one step. A file that replaces another file has a temporary name for a moment, and only
# SIGKILL could leave it behind. So this test has no old file for SIGKILL.
it 'a killed run'
mkdir "$WORK/killed"
files_killed() {
	local file
	for file in "$WORK"/killed/*; do
		[ "$file" = "$WORK/killed/file" ] || [ ! -e "$file" ] || { echo "there is $file"; return 1; }
	done
}
is_whole_or() {
	files_killed || return 1
	cmp -s "$WORK/killed/file" "$WORK/whole" || [ "$(cat "$WORK/killed/file" 2>/dev/null)" = "$1" ]
}
# kill_at SIGNAL MILLISECONDS - start the program, and kill it after this time
kill_at() {
	(
		cd "$WORK" || exit 99
		env XDG_CACHE_HOME="$WORK/cache" "$DRVABI" "${words[@]}" -o killed/file &
		sleep "$(printf '0.%03d' "$2")"
		kill -"$1" $! || true
		wait $! || true
	) >/dev/null 2>&1
}
for signal in KILL TERM HUP; do
	before='' bad=''
	for moment in 0 2 4 6 8 10 12 14 16 18 20 25 30 35 40 50 60 80; do
		rm -f "$WORK"/killed/*
		[ $signal = KILL ] || old killed/file
		[ $signal = KILL ] || before=old
		kill_at $signal $moment
		is_whole_or "$before" >/dev/null || bad="$bad $moment"
	done
	expect "after SIG$signal at 18 moments, the file is whole or unchanged, and no other file exists" [ -z "$bad" ]
done

it 'without root rights'
plain=()
[ "$(id -u)" != 0 ] || plain=(setpriv --inh-caps=-all --bounding-set=-all)
old file
mkdir "$WORK/closed"
old closed/file
old closed/shut
chmod a-w "$WORK/closed/shut" "$WORK/closed"
if ! "${plain[@]}" true 2>/dev/null || "${plain[@]}" touch "$WORK/closed/x" 2>/dev/null; then
	pass 'not tested: root rights cannot be dropped here # SKIP'
else
	in_work "${plain[@]}" "$DRVABI" "${words[@]}" -o closed/new >"$OUT" 2>"$ERR"
	expect_cannot '^drvabi: cannot write closed/new: Permission denied$'
	in_work "${plain[@]}" "$DRVABI" "${words[@]}" -o closed/shut >"$OUT" 2>"$ERR"
	expect_cannot '^drvabi: cannot write closed/shut: Permission denied$'
	is_old closed/shut
	in_work "${plain[@]}" "$DRVABI" "${words[@]}" -o closed/file >"$OUT" 2>"$ERR"
	expect_cannot '^drvabi: cannot write closed/file: Permission denied$'
	is_old closed/file
	chmod a-w "$WORK/file"
	in_work "${plain[@]}" "$DRVABI" "${words[@]}" -o file >"$OUT" 2>"$ERR"
	expect_cannot '^drvabi: cannot write file: Permission denied$'
	is_old file
fi
chmod u+w "$WORK/closed" "$WORK/file"

it 'a file of a different user'
if [ "$(id -u)" = 0 ] && chown 65534:65534 "$WORK/file" 2>/dev/null; then
	chmod 640 "$WORK/file"
	writes file
	expect 'keeps its owner if root writes it' [ "$(stat -c %u:%g:%a "$WORK/file")" = 65534:65534:640 ]
	chmod 666 "$WORK/file"
	old file
	in_work "${plain[@]}" "$DRVABI" "${words[@]}" -o file >"$OUT" 2>"$ERR"
	expect_cannot '^drvabi: cannot write file: it belongs to another user or group, .*; remove it, or name another file$'
	is_old file
	mkdir -m 1777 "$WORK/shared"
	chown 1:1 "$WORK/shared"
	old target
	ln -s ../target "$WORK/shared/trap"
	chown -h 65534:65534 "$WORK/shared/trap"
	mkdir "$WORK/theirs"
	ln -s ../target "$WORK/theirs/trap"
	chown -h 65534:65534 "$WORK/theirs/trap" "$WORK/theirs"
	for trap in shared/trap theirs/trap; do
		for command in extract decode sniff; do
			case $command in
			extract) run "${words[@]}" -o $trap ;;
			decode) run decode --repo "$REPO" --version 110.05.00 --control 0x20803001 -o $trap ;;
			sniff) run sniff --repo "$REPO" --version 110.05.00 -o $trap -- true ;;
			esac
			expect_cannot "^drvabi: cannot write $trap: it is a symbolic link of another user\$"
		done
	done
	is_old target
else
	pass 'not tested: only root can change the owner of a file # SKIP'
fi

# apart COMMAND - run sh -c COMMAND in a mount namespace, with mounts at $WORK/disk and /proc
apart() {
	local namespaces=-m
	[ "$(id -u)" = 0 ] || namespaces=-rm
	unshare $namespaces env WORK="$WORK" DRVABI="$DRVABI" REPO="$REPO" XDG_CACHE_HOME="$WORK/cache" LC_ALL=C sh -c "$1"
}

it 'a full disk'
mkdir "$WORK/disk"
if apart "mount -t tmpfs none '$WORK/disk' && mount -t tmpfs none /proc" 2>/dev/null; then
	cat >"$WORK/script" <<-'END'
		set -e
		cd "$WORK"
		mount -t tmpfs -o size=8k none disk
		echo old >disk/file
		for name in new file; do
			status=0
			"$DRVABI" extract --no-cache --repo "$REPO" 110.05.00 -o disk/$name 2>&1 || status=$?
			echo "status $status"
		done
		ls -A disk
		cat disk/file
	END
	cat >"$WORK/expected" <<-'END'
		drvabi: cannot write disk/new: No space left on device
		status 2
		drvabi: cannot write disk/file: No space left on device
		status 2
		file
		old
	END
	apart 'sh "$WORK/script"' >"$OUT" 2>&1 || true
	expect 'files on a full disk are not changed' diff "$WORK/expected" "$OUT"

	it 'a read-only file system'
	cat >"$WORK/script" <<-'END'
		cd "$WORK"
		mount -t tmpfs none disk
		echo old >disk/file
		mount --bind disk disk
		mount -o remount,bind,ro disk
		for name in new file; do
			"$DRVABI" extract --repo "$REPO" 110.05.00 -o disk/$name 2>&1 || echo "status $?"
		done
	END
	cat >"$WORK/expected" <<-'END'
		drvabi: cannot write disk/new: Read-only file system
		status 2
		drvabi: cannot write disk/file: Read-only file system
		status 2
	END
	apart 'sh "$WORK/script"' >"$OUT" 2>&1 || true
	expect 'files on it are not changed' diff "$WORK/expected" "$OUT"

	it 'a file that is a mount point'
	old mounted
	old below
	lib_list
	STATUS=0 lib_before=$lib_listing
	apart 'cd "$WORK" && mount --bind below mounted && exec "$DRVABI" extract --repo "$REPO" 110.05.00 -o mounted' >"$OUT" 2>"$ERR" || STATUS=$?
	expect_cannot '^drvabi: cannot write mounted: it is a mount point, which cannot be replaced; redirect standard output to it$'
	is_old below
	is_old mounted
	mkdir "$WORK/four"
	old four/structs.go
	STATUS=0
	apart 'cd "$WORK" && mount --bind below four/structs.go && exec "$DRVABI" bootstrap 120.01.00 --repo "$REPO" --table "'$TABLE'" -o four' >"$OUT" 2>"$ERR" || STATUS=$?
	lib_label='one of four files is a mount point'
	expect_status 2
	expect_one_line_error '^drvabi: cannot write four/structs\.go: it is a mount point, .*; already replaced: four/report\.md, four/table\.patch\.json$'
	is_old below
	expect 'no temporary file is left' [ "$(ls -A "$WORK/four" | tr '\n' ' ')" = 'report.md structs.go table.patch.json ' ]

	# The sanitizers read /proc.
	if [ -z "${DRVABI_SAN:-}" ]; then
		it 'systems without unnamed temporary files'
		run flatten whole --format json
		keep flat
		for name in new old; do
			apart 'cd "$WORK" && mount -t tmpfs none /proc && exec "$DRVABI" flatten whole --format json -o fresh-1' >"$OUT" 2>"$ERR" || STATUS=$?
			expect_err_empty
			expect_same "a $name file is written" "$WORK/fresh-1" "$WORK/flat"
			[ $name = old ] || old fresh-1
		done
		lib_list
		expect 'and no other file is created' [ "$(grep -c fresh-1 <<<"$lib_listing")" = 1 ]
	fi
else
	pass 'not tested: file systems cannot be mounted here # SKIP'
fi

it 'archive write'
ln -s elsewhere/archive "$WORK/of"
run archive write --repo "$REPO" 100.10.01 -o of
expect_status 0
expect 'follows links' [ -L "$WORK/of" ]
chmod 600 "$WORK/elsewhere/archive"
run archive write --repo "$REPO" --add of
expect_status 0
expect 'also with --add' [ -L "$WORK/of" ]
expect 'and keeps the mode' [ "$(stat -c %a "$WORK/elsewhere/archive")" = 600 ]

expect 'no temporary file remains' [ -z "$(cd "$WORK" && find . -name '*.tmp')" ]
done_testing
