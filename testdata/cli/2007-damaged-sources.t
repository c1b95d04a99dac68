#!/usr/bin/env bash
# What fuzzing found in headers, and the driver's own tables cut off, emptied and garbled: each is named with its place.
. "$(dirname "$0")/lib.sh"
fixture

inc=src/common/sdk/nvidia/inc
seeds=$ROOT/testdata/fuzz/seeds

unpack 110.05.00 whole
# damage FILE - of a tree in $WORK/tree that is as it was; standard input is what happens to it, a shell's text
damage() {
	rm -rf "$WORK/tree"
	cp -r "$WORK/whole" "$WORK/tree"
	(cd "$WORK/tree" && file=$1 && eval "$(cat)")
}

# refused REGEX - the tree cannot be read, and nothing is left behind
refused() {
	run extract --dir tree -o file
	expect_cannot "^drvabi: $1$"
}

# warned PLACE TEXT - the tree is read, and what is lacking is told with its place, in the document and beside it
warned() {
	run extract --dir tree -v
	expect_status 0
	expect_err_like "^drvabi: tree: $1: $2"
	# shellcheck disable=SC2016 # jq's
	expect_json 'the document says so' 'any(.warnings[]; (.place + ": " + .text) | test($it))' --arg it "^$1: $2"
}

it 'an include with a NUL byte in its path comes to an end'
for path in 'no\0where.h' 'nvtypes.h\0' '\0'; do
	damage $inc/nvos.h <<<"printf '#include \"$path\"\n' >>\$file"
	refused "tree: $inc/nvos\.h:[0-9]+:10: .*"
done

it 'a NUL byte in a macro is white space, as clang has it'
damage $inc/ctrl/ctrl2080/ctrl2080gpu.h <<<"printf '#define NV2080_CTRL_CMD_NUL 0x20801111\0+ 5\n' >>\$file"
run extract --dir tree
expect_status 0
expect_json 'nothing is cut off a body' '.constants.NV2080_CTRL_CMD_NUL == 545263894'
damage kernel-open/nvidia-uvm/uvm_ioctl.h <<<"printf '#define UVM_NUL 0x10\0+ 5\n#define UVM_NONE 0\0x10\n' >>\$file"
warned 'kernel-open/nvidia-uvm/uvm_ioctl\.h:[0-9]+' 'UVM_NONE is not an integer constant and is left out: 0 x10$'
expect_json 'the value is that of all of it' '.constants.UVM_NUL == 21'

it 'what once was a finding'
damage $inc/nvos.h <<<"cp '$seeds/scan/include-with-nul' \$file"
refused "tree: $inc/nvos\.h:[0-9]+:[0-9]+: .*"
damage $inc/nvos.h <<<"cp '$seeds/scan/nul-in-define' \$file"
refused "tree: $inc/nvos\.h:[0-9]+:[0-9]+: .*"
for seed in continued-word number-in-literal; do
	damage $inc/nvos.h <<<"cp '$seeds/scan/$seed' \$file"
	refused "tree: $inc/nvos\.h:[0-9]+:[0-9]+: .*"
done

it 'a header that libclang does not survive'
damage $inc/nvos.h <<<"cp '$seeds/extract/crash-in-clang.h' \$file"
refused "tree: ($lib_died|.*nvos\.h:[0-9]+:[0-9]+: .*)"
expect_nothing_new

methods=src/nvidia/generated/g_subdevice_nvoc.c
it 'a table of methods that is cut off'
# shellcheck disable=SC2016 # the shell's that damage() runs
cut_off='head -c $(($(stat -c %s $file) / 2)) $file >half && mv half $file'
damage $methods <<<"$cut_off"
warned "$methods:[0-9]+" 'The table of exported methods that begins here has no end\.'
it 'a table of methods with another number of values'
damage $methods <<<"sed -i 's/,/\x00/g' \$file"
warned "$methods:[0-9]+" 'This exported method is left out: '
it 'methods outside of a table'
damage $methods <<<"sed -i 's/{/(/g' \$file"
warned "$methods:[0-9]+" 'This exported method is outside of all tables'
it 'numbers that are too large'
damage $methods <<<"sed -i 's/0x[0-9a-f]*/0x99999999999999999999/g' \$file"
warned "$methods:[0-9]+" 'This exported method is left out: '

classes=src/nvidia/src/kernel/rmapi/resource_list.h
it 'a list of classes that is cut off'
damage $classes <<<"$cut_off"
warned "$classes:[0-9]+" 'This RS_ENTRY is left out: its parentheses do not close\.'
it 'a list of classes that is none'
for how in ': >$file' 'rm $file' 'rm $file && mkdir $file' 'yes | head -n 3 >$file' 'head -c 3000 /dev/zero >$file'; do
	damage $classes <<<"$how"
	warned "$classes" '.*so the ioctls of family alloc are not known\.'
done

copies=src/nvidia/src/kernel/rmapi/embedded_param_copy.c
it 'no switch over the commands that carry pointers'
for how in ': >$file' 'rm $file' 'yes | head -n 3 >$file' 'head -c 3000 /dev/zero >$file'; do
	damage $copies <<<"$how"
	warned "$copies" '.*it is not known which commands carry embedded pointers\.'
done

it 'words for the bits of flags'
for header in src/nvidia/inc/kernel/rmapi/control.h src/nvidia/src/kernel/rmapi/resource_desc_flags.h $inc/rs_access.h; do
	for how in ': >$file' 'rm $file' 'head -c 3000 /dev/zero >$file'; do
		damage $header <<<"$how"
		warned "$header" 'No header here defines names for the flags, so their bits are shown as numbers\.'
	done
	damage $header <<<"sed -i 's/[0-9][0-9]*/99999999999999999999/g' \$file"
	warned "$header:[0-9]+" 'The value of [A-Z_]* is not a set of bits, so no word is made from it\.'
done

it 'after all that'
damage $inc/nvos.h <<<:
run extract --dir tree
expect_status 0
expect_err_empty

done_testing
