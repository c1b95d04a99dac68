#!/usr/bin/env bash
# Missing headers, missing includes, and headers that are not C are reported with their place, in git and in directories.
. "$(dirname "$0")/lib.sh"
fixture

inc=src/common/sdk/nvidia/inc
git_in . clone -q "$REPO" clone
git_in clone checkout -q --detach 110.05.00

# libclang's messages differ between releases, so only the place and the name are tested.
# refused WHAT REGEX - expect an error for the tree in $WORK/clone, as files and as a commit
refused() {
	it "$1"
	run extract --dir clone
	expect_cannot "^drvabi: $2$"
	# The sanitizers are slow, and the same code reads the tree for each command.
	if [ -z "${DRVABI_SAN:-}" ] || in_full; then
		run flatten --dir clone --record 'NVOS*' -o file
		expect_cannot "^drvabi: $2$"
		git_in clone add -A
		git_in clone commit -q -m "$1"
		git_in clone tag -f broken >/dev/null
		run_differ --repo clone --base 110.05.00 --next broken
		expect_cannot '^drvabi: .*broken.*$'
		run_differ --repo clone --base broken --next 110.05.00 --format json -o file
		expect_cannot "^drvabi: .*broken.*$"
	fi
	git_in clone checkout -q -f --detach 110.05.00
	git_in clone clean -qfdx
}

header=$WORK/clone/$inc/nvos.h

echo '#include "nowhere.h"' >>"$header"
refused 'an include that is missing' "clone: $inc/nvos\\.h:[0-9]+:10: .*nowhere\\.h.*"
sed -i '1i #include <nvtypes_of_another_tree.h>' "$header"
refused 'one in angle brackets' "clone: $inc/nvos\\.h:1:10: .*nvtypes_of_another_tree\\.h.*"
sed -i '1i #include <stdio.h>' "$header"
refused "one that only this machine has" "clone: $inc/nvos\\.h:1:10: .*stdio\\.h.*"
echo '#include "nvos.h"' >>"$header"
refused 'one without end' "clone: $inc/nvos\\.h:[0-9]+:10: .*"

echo 'struct broken { int a' >>"$header"
refused 'a record that does not end' "clone: $inc/nvos\\.h:[0-9]+:[0-9]+: .*"
echo 'struct broken { nosuchtype a; };' >>"$header"
refused 'a type that nobody defines' "clone: $inc/nvos\\.h:[0-9]+:17: .*nosuchtype.*"
echo 'struct self { struct self a; };' >>"$header"
refused 'a record that contains itself' "clone: $inc/nvos\\.h:[0-9]+:[0-9]+: .*self.*"
echo 'struct big { char a[0x7fffffffffffffff]; };' >>"$header"
refused 'an array that is too large' "clone: $inc/nvos\\.h:[0-9]+:[0-9]+: .*"
echo '#error this header is not for you' >>"$header"
refused 'an #error' "clone: $inc/nvos\\.h:[0-9]+:2: .*this header is not for you.*"
echo '#if 1' >>"$header"
refused 'an #if that does not end' "clone: $inc/nvos\\.h:[0-9]+:2: .*"
printf 'int x = ' >>"$header"
head -c 100000 /dev/zero | tr '\0' '(' >>"$header"
refused 'a hundred thousand brackets' "clone: $inc/nvos\\.h:[0-9]+.*"
seq 1 5000 | sed 's/.*/\xfe\xed&(/' >>"$header"
refused 'no C at all' "clone: $inc/nvos\\.h:[0-9]+:.*"
: >"$header"
refused 'a header that is empty' "clone: .*:[0-9]+:[0-9]+: .*"
rm "$header"
refused 'a header that is missing' "version clone has no file $inc/nvos\\.h, which unit rm of the profile reads; is this the right tree for the profile\\?"
rm "$header"
mkdir "$header"
: >"$header/file"
refused 'a directory in its place' "version clone has no file $inc/nvos\\.h, which unit rm of the profile reads; is this the right tree for the profile\\?"
ln -sf /etc/passwd "$header"
refused 'a link that leaves the tree' "$inc/nvos\\.h in clone is a link that leaves the tree \\(to /etc/passwd\\); only links inside the tree are followed"
ln -sf nvos.h "$header"
refused 'a link to itself' "cannot read $inc/nvos\\.h in clone: Too many levels of symbolic links"

it 'a header of this machine is not read'
echo '#include "/usr/include/stdio.h"' >>"$header"
run extract --dir clone
expect_cannot '^drvabi: .*clone.*'
git_in clone checkout -q -f --detach 110.05.00
mkdir "$WORK/outside"
echo 'struct outside { int a; };' >"$WORK/outside/outside.h"
echo '#include "../../../../../../outside/outside.h"' >>"$header"
run extract --dir clone
expect_cannot '^drvabi: .*clone.*'
run extract --no-cache --dir "$WORK/clone"
expect_cannot '^drvabi: .*clone.*'
git_in clone checkout -q -f --detach 110.05.00

it 'a pipe among the headers'
rm "$header"
mkfifo "$header"
run extract --dir clone
expect_cannot "^drvabi: $inc/nvos\\.h is listed in version clone but cannot be read$"
rm "$header"
git_in clone checkout -q -f --detach 110.05.00

it 'a header that this user may not read is not reported as missing'
plain=(env)
[ "$(id -u)" != 0 ] || plain=(setpriv --inh-caps=-all --bounding-set=-all)
chmod 000 "$WORK/clone/$inc"
if ! "${plain[@]}" true 2>/dev/null || "${plain[@]}" ls "$WORK/clone/$inc" >/dev/null 2>&1; then
	pass 'not tested: root rights cannot be dropped here # SKIP'
	chmod 755 "$WORK/clone/$inc"
else
	run_program "${plain[@]}" "$DRVABI" extract --dir clone
	expect_cannot "^drvabi: cannot read $inc/[a-z]*\\.h in clone: Permission denied$"
	chmod 755 "$WORK/clone/$inc"
	chmod 000 "$WORK/clone/.git"
	run_program "${plain[@]}" "$DRVABI" show NVOS54_PARAMETERS --no-archive --repo clone
	expect_cannot '^drvabi: cannot read the git repository clone: Permission denied$'
	chmod 755 "$WORK/clone/.git"
fi

it 'the original tree can still be read'
run_differ --repo clone --base 110.05.00 --next 110.05.00
expect_status 0

done_testing
