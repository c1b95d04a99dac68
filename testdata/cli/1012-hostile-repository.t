#!/usr/bin/env bash
# Repositories of a few MB that would need a GB of memory or unlimited time are rejected with the limit.
. "$(dirname "$0")/lib.sh"

MEMORY_MB=300

cat >"$lib_scratch/measured" <<'PYTHON'
#!/usr/bin/env python3
# Runs the program and writes its peak memory in kB to a file.
import os, resource, subprocess, sys
status = subprocess.call([os.environ["DRVABI"]] + sys.argv[1:])
with open(os.environ["PEAK"], "w") as file:
    print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=file)
sys.exit(status)
PYTHON
chmod +x "$lib_scratch/measured"

cat >"$lib_scratch/profile.json" <<'JSON'
{"format": "drvabi-profile/1", "name": "hostile", "units": [
	{"name": "api", "headers": ["api.h"], "optional_headers": ["class/*.h", "ctrl/*/*.h"], "include": ["."]}]}
JSON

# measured ARGUMENT... - run with the hostile profile, and check the peak memory
measured() {
	run_program "$lib_scratch/measured" DRVABI="$DRVABI" PEAK="$lib_scratch/peak" "$@" --no-cache --profile "$lib_scratch/profile.json"
	# The sanitizers keep freed memory.
	[ -n "${DRVABI_SAN:-}" ] ||
		expect "the peak memory is less than $MEMORY_MB MB" [ "$(cat "$lib_scratch/peak")" -lt $((MEMORY_MB * 1000)) ]
}

# made KIND - create a repository of this kind in $WORK/repo
made() {
	it "$1"
	rm -rf "$WORK/repo"
	expect 'the repository is created' "$ROOT/scripts/make-hostile" "$1" "$WORK/repo"
	expect 'the repository is small' [ "$(du -sk "$WORK/repo" | cut -f 1)" -lt 5000 ]
}

# hostile KIND REGEX [NAME=VALUE] - expect an error for one version of the repository
hostile() {
	# The sanitizers need too much memory for a bound.
	[ "${3:-}" != DRVABI_PARSE_MB=200 ] || [ -z "${DRVABI_SAN:-}" ] || return 0
	made "$1"
	measured ${3:+"$3"} extract --repo repo 1
	expect_cannot "^drvabi: $2"
}

# hostile_history KIND REGEX - expect an error for all versions of the repository
hostile_history() {
	made "$1"
	measured history --repo repo
	expect_cannot "^drvabi: $2"
}

hostile file 'api\.h of version 1 in repo has 524288000 bytes; the limit for a file is 33554432$'
hostile loose 'api\.h of version 1 in repo has 524288000 bytes; the limit for a file is 33554432$'
hostile link 'api\.h of version 1 in repo has 524288000 bytes; the limit for a link is 4096$'
hostile directory 'directory class of version 1 in repo has 524288000 bytes; the limit for a directory is 4194304$'
hostile root 'the root directory of version 1 in repo has 524288000 bytes; the limit for a directory is 4194304$'
hostile commit 'the commit of version 1 in repo has 524288000 bytes; the limit for a commit is 1048576$'
hostile tag 'tag 1 in repo has 524288000 bytes; the limit for a tag is 1048576$'
hostile tags '1 in repo begins a chain of more than 16 tags$'
# Without bounds, these would be read, with a GB of memory, and for several seconds.
hostile delta 'api\.h of version 1 in repo needs more memory to unpack than DRVABI_PARSE_MB allows$' DRVABI_PARSE_MB=200
hostile chain '1: reading its headers takes more than 1 s of processor time; DRVABI_PARSE_SECONDS=N allows more$' DRVABI_PARSE_SECONDS=1
hostile names 'the directories of version 1 in repo need more than 33554432 bytes of memory; the last one is ctrl/'
hostile directories 'the directories of version 1 in repo need more than 33554432 bytes of memory; the last one is ctrl/'
hostile files 'the files read from version 1 in repo have more than 100663296 bytes in total; the last one is class/'
hostile_history commit 'commit [0-9a-f]{40} in repo has 524288000 bytes; the limit for a commit is 1048576$'
hostile_history tag 'tag 1 in repo has 524288000 bytes; the limit for a tag is 1048576$'
hostile_history parents 'the tags of repo lead to more than 8388608 commits, parents of commits and merged tags$'

it 'each kind is tested'
for kind in $("$ROOT/scripts/make-hostile" --list); do
	expect "$kind" grep -Eq "^hostile(_history)? $kind " "$0"
done

done_testing
