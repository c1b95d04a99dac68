#!/usr/bin/env bash
# Completion of commands, options and values in bash, zsh and fish. The candidates come from the parser's tables.
. "$(dirname "$0")/lib.sh"
fixture

archive=$ROOT/data/nvidia.drvabi
mapfile -t commands < <("$DRVABI" --help | sed -n 's/^  \([a-z][a-z]*\)  .*/\1/p')

# complete WORD... - write the candidates for these words to $OUT; standard error must be empty
complete() {
	run DRVABI_REPO= DRVABI_ARCHIVE="$archive" help --complete -- "$@"
	expect_status 0
	expect_err_empty
}

# offered WHAT "CANDIDATE CANDIDATE..." WORD... - pass if the candidates are these, in this order
offered() {
	local what=$1 wanted=$2
	shift 2
	complete "$@"
	cut -f 1 "$OUT" | paste -sd ' ' >"$WORK/candidates"
	expect "$what: ${*: -1}" diff <(printf '%s\n' "$wanted" | sed '/^$/d') <(sed '/^$/d' "$WORK/candidates")
}

# offered_all WHAT "CANDIDATE..." WORD... - the same, in any order
offered_all() {
	complete "${@:3}"
	expect "$1: ${*: -1}" diff <(tr ' ' '\n' <<<"$2" | sort) <(cut -f 1 "$OUT" | sort)
}

it 'commands'
offered_all all "${commands[*]} --help --version" drvabi ''
offered 'those that begin so' 'history help' drvabi h
offered 'with a path before it' 'verify' ./build/drvabi ver
expect 'have descriptions' grep -q $'^verify\ta proxy' "$OUT"
offered 'of help, and its topics' 'extract explain environment' drvabi help e
offered 'rules and classes to explain' 'code caps' drvabi explain c
offered 'none' '' drvabi nosuch ''
offered 'none' '' drvabi
offered 'none' ''

it 'options'
for command in "${commands[@]}"; do
	run "$command" --help
	sed -n '/^\(Common o\|O\)ptions:/,/^$/s/^  \(-., \)\{0,1\}\(--[a-z0-9_-]*\).*/\2/p' "$OUT" | paste -sd ' ' >"$WORK/options"
	offered_all "$command has those of its help" "$(cat "$WORK/options")" drvabi "$command" --
done
offered 'after one dash' '--base --base-json' drvabi diff --ba
offered 'not after --' ':file' drvabi extract --input x -- --ba
offered 'run_differ has those of diff' '--version --versions --verbose' run_differ --ver

it 'values'
offered 'formats of the command' 'text json' drvabi surface --format ''
offered 'after an equals sign' '--format=json --format=junit' drvabi verify --format=j
offered 'colours' 'auto always' drvabi diff --color a
offered 'targets' 'aarch64-linux-gnu' drvabi diff --target aa
offered 'criteria' 'table strict' drvabi ranges --criterion ''
offered 'profiles and files' 'linux-drm linux-kfd linux-kvm linux-v4l2 linux-vfio :file' drvabi diff --profile l
offered 'rules' 'field-type' drvabi verify --fail-on field-t
offered 'rules of a list' 'number,field-type' drvabi verify --fail-on number,field-t
offered 'classes' 'translation,layout' drvabi diff --class translation,l
offered 'families' 'uvm uvm-test' drvabi surface --family u
offered 'tables and files' 'nvproxy :file' drvabi verify --table n
offered 'languages' 'go c rust python' drvabi gen --lang ''
offered 'of the shim' 'c' drvabi gen --pid-shim ''
offered 'styles' 'plain nvproxy' drvabi gen --style ''
offered 'when a workload is ended' 'instant report' drvabi sniff --enforce ''
offered 'forms of a trace' 'drvabi gvisor' drvabi sniff --wire ''
offered 'shells' 'bash zsh fish' drvabi help --completion ''
offered 'files' ':file' drvabi diff -o ''
offered 'directories' ':directory' drvabi diff --dir x
offered 'none of a number' '' drvabi diff --jobs ''
offered 'none of a flag' '' drvabi diff --quiet=

it 'versions'
offered 'of the archive' '590.44.01 590.48.01' run_differ --base 590.
offered 'as words' '590.44.01 590.48.01' drvabi diff 580.95.05 590.
offered 'after two dots' '580.95.05..590.44.01 580.95.05..590.48.01' run_differ 580.95.05..590.
offered 'or directories' ':directory' drvabi diff ./x
run DRVABI_ARCHIVE= help --complete -- drvabi diff --repo "$REPO" --base 1
cut -f 1 "$OUT" | LC_ALL=C sort >"$WORK/tags"
git --git-dir="$REPO" tag | grep '^1' | LC_ALL=C sort >"$WORK/wanted"
expect_same 'of the repository of --repo' "$WORK/tags" "$WORK/wanted"
run archive write --repo "$REPO" 100.10.01 -o one.drvabi
offered 'of an archive that is named' '100.10.01' drvabi diff --archive one.drvabi --base 1
offered 'none out of an archive that is none' '' drvabi diff --archive nowhere --base 1
mkfifo "$WORK/fifo"
offered 'none out of a pipe, which is not waited for' '' drvabi diff --archive fifo --base 1
run DRVABI_REPO=https://nowhere.invalid/x.git help --complete -- drvabi diff --base 590.4
expect_status 0
expect 'a URL is not accessed' lib_lacks . "$ERR"
offered 'words of cache' 'prune' drvabi cache p
offered 'and of archive' 'write list' drvabi archive ''
offered 'a file to list' ':file' drvabi archive list ''

it 'names'
offered 'of the newest version' 'UVM_FREE_PARAMS UVM_FREE' drvabi show UVM_FR
offered 'for --record' 'UVM_FREE_PARAMS UVM_FREE' drvabi diff --record UVM_FR
offered 'not by one letter' '' drvabi show N
cp "$DRVABI" "$WORK/alone"
run_program "$WORK/alone" DRVABI_REPO= XDG_DATA_DIRS=/nonexistent help --complete -- drvabi show UVM_FR
expect_status 0
expect_out_empty
expect 'without an archive, nothing is cloned' [ ! -e "$WORK/cache/drvabi/repos" ]

it 'a tag with shell code in its name'
git clone -q --bare "$REPO" "$WORK/odd.git"
# shellcheck disable=SC2016 # the name
git --git-dir="$WORK/odd.git" tag '1$(touch${IFS}x)' 110.05.00
git --git-dir="$WORK/odd.git" tag '1;x' 110.05.00
run DRVABI_ARCHIVE= help --complete -- drvabi diff --repo odd.git --base 1
expect_out_like '^110\.05\.00$'
expect_out_unlike '[;({]'

it 'bash'
run help --completion bash
expect_status 0
keep drvabi.bash
expect 'the script has valid syntax' bash -n "$WORK/drvabi.bash"
# replies "REPLY REPLY..." WORD... - pass if bash offers these replies
replies() {
	local wanted=$1
	shift
	lib_command="TAB after: $*"
	# shellcheck disable=SC2016 # a variable of the inner shell
	(cd "$WORK" && env -u DRVABI_REPO DRVABI_ARCHIVE="$archive" bash --norc -euc '. ./drvabi.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _drvabi
		printf "%s\n" "${COMPREPLY[@]}"' - "$@") >"$OUT" 2>"$ERR" || true
	expect "$*" diff <(printf '%s\n' "$wanted") <(paste -sd ' ' "$OUT")
	expect_err_empty
}
mkdir "$WORK/dir"
: >"$WORK/dir file"
replies 'verify' "$DRVABI" ver
replies '590.44.01 590.48.01' "$RUN_DIFFER" --base 590.
replies 'json' "$RUN_DIFFER" --format = j
replies 'text json markdown' "$RUN_DIFFER" --format =
replies '--format' "$DRVABI" diff --for
replies 'dir file' "$DRVABI" flatten 'dir f'
replies 'dir' "$DRVABI" extract --dir di
replies 'dir' "$DRVABI" extract --dir = di
replies '' "$DRVABI" nosuch x
replies '' /nonexistent/drvabi x

for shell in zsh fish; do
	it "$shell"
	run help --completion "$shell"
	expect_status 0
	keep "drvabi.$shell"
	if command -v "$shell" >/dev/null; then
		expect 'the script has valid syntax' "$shell" -n "$WORK/drvabi.$shell"
	else
		pass "it is not installed # SKIP"
	fi
done
if command -v fish >/dev/null; then
	lib_command='TAB in fish'
	(cd "$WORK" && env -u DRVABI_REPO HOME="$WORK/home" DRVABI_ARCHIVE="$archive" PATH="${DRVABI%/*}:$PATH" fish --no-config -c '. drvabi.fish
		complete -C "drvabi verify --format=j"; complete -C "run_differ --base 590.4"; complete -C "drvabi flatten dir"') >"$OUT" 2>"$ERR" || true
	expect 'offers the same candidates' diff <(printf '%s\n' --format=json --format=junit 590.44.01 590.48.01 'dir file' dir/ | LC_ALL=C sort) <(sed 's/\t.*//' "$OUT" | LC_ALL=C sort)
fi

it 'an unknown shell'
run help --completion tcsh
expect_cannot "^drvabi: --completion takes one of bash\\|zsh\\|fish, not 'tcsh'$"

done_testing
