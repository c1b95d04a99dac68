#!/usr/bin/env bash
# Faults in headers that fuzzing found, and truncated, emptied or garbled tables of the driver, are reported with their place.
. "$(dirname "$0")/lib.sh"
fixture

inc=src/common/sdk/nvidia/inc
seeds=$ROOT/testdata/fuzz/seeds

unpack 110.05.00 whole
# damage FILE - run the shell code on standard input for FILE, in a new tree in $WORK/tree
damage() {
	rm -rf "$WORK/tree"
	cp -r "$WORK/whole" "$WORK/tree"
	(cd "$WORK/tree" && file=$1 && eval "$(cat)")
}

# refused REGEX - expect an error for the tree
refused() {
	run extract --dir tree -o file
	expect_cannot "^drvabi: $1$"
}

# warned PLACE TEXT - pass if the tree is read with a warning, on standard error and in the document
warned() {
	run extract --dir tree -v
	expect_status 0
	expect_err_like "^drvabi: tree: $1: $2"
	# shellcheck disable=SC2016 # variables of jq
	expect_json 'the document has the warning' 'any(.warnings[]; (.place + ": " + .text) | test($it))' --arg it "^$1: $2"
}

it 'an include with a NUL byte in its path'
for path in 'no\0where.h' 'nvtypes.h\0' '\0'; do
	damage $inc/nvos.h <<<"printf '#include \"$path\"\n' >>\$file"
	refused "tree: $inc/nvos\.h:[0-9]+:10: .*"
done

it 'a NUL byte in a macro is white space, as in clang'
damage $inc/ctrl/ctrl2080/ctrl2080gpu.h <<<"printf '#define NV2080_CTRL_CMD_NUL 0x20801111\0+ 5\n' >>\$file"
run extract --dir tree
expect_status 0
expect_json 'the body of the macro is complete' '.constants.NV2080_CTRL_CMD_NUL == 545263894'
damage kernel-open/nvidia-uvm/uvm_ioctl.h <<<"printf '#define UVM_NUL 0x10\0+ 5\n#define UVM_NONE 0\0x10\n' >>\$file"
warned 'kernel-open/nvidia-uvm/uvm_ioctl\.h:[0-9]+' 'UVM_NONE is not an integer constant and is left out: 0 x10$'
expect_json 'the value is that of the whole body' '.constants.UVM_NUL == 21'

it 'faults that fuzzing found'
damage $inc/nvos.h <<<"cp '$seeds/scan/include-with-nul' \$file"
refused "tree: $inc/nvos\.h:[0-9]+:[0-9]+: .*"
damage $inc/nvos.h <<<"cp '$seeds/scan/nul-in-define' \$file"
refused "tree: $inc/nvos\.h:[0-9]+:[0-9]+: .*"
for seed in continued-word number-in-literal; do
	damage $inc/nvos.h <<<"cp '$seeds/scan/$seed' \$file"
	refused "tree: $inc/nvos\.h:[0-9]+:[0-9]+: .*"
done

it 'a header that crashes libclang'
damage $inc/nvos.h <<<"cp '$seeds/extract/crash-in-clang.h' \$file"
refused "tree: ($lib_died|.*nvos\.h:[0-9]+:[0-9]+: .*)"
expect_nothing_new

methods=src/nvidia/generated/g_subdevice_nvoc.c
it 'a truncated method table'
# shellcheck disable=SC2016 # variables of the shell that damage() runs
cut_off='head -c $(($(stat -c %s $file) / 2)) $file >half && mv half $file'
damage $methods <<<"$cut_off"
warned "$methods:[0-9]+" 'The table of exported methods that begins here has no end\.'
it 'a method table with a different number of values'
damage $methods <<<"sed -i 's/,/\x00/g' \$file"
warned "$methods:[0-9]+" 'This exported method is left out: '
it 'methods outside of a table'
damage $methods <<<"sed -i 's/{/(/g' \$file"
warned "$methods:[0-9]+" 'This exported method is outside of all tables'
it 'a missing, an empty and a cut file of a class that the driver uses'
# shellcheck disable=SC2016 # variables of the shell that damage() runs
declared='printf "extern const struct NVOC_CLASS_DEF __nvoc_class_def_Subdevice;\n" >${file%.c}.h'
# shellcheck disable=SC2016
for how in 'rm $file' ': >$file'; do
	damage $methods <<<"$declared; $how"
	warned "$methods" 'This file is missing or incomplete, .* class Subdevice, .*; ioctls of family control may be missing\.'
done
damage $methods <<<"sed -i '1i extern const struct NVOC_EXPORT_INFO __nvoc_export_info_Subdevice;' \$file"
warned "$methods" 'A class of this file has no complete NVOC_EXPORT_INFO; ioctls may be missing\.'
it 'a record that UVM copies is missing'
damage kernel-open/nvidia-uvm/uvm_ioctl.h <<<"sed -i s/UVM_FREE_PARAMS/UVM_FREED_PARAMS/ \$file"
warned 'kernel-open/nvidia-uvm/uvm_ioctl\.h:[0-9]+' 'UVM_FREE takes a UVM_FREE_PARAMS, which no header of the profile declares\.'
it 'numbers that are too large'
damage $methods <<<"sed -i 's/0x[0-9a-f]*/0x99999999999999999999/g' \$file"
warned "$methods:[0-9]+" 'This exported method is left out: '

classes=src/nvidia/src/kernel/rmapi/resource_list.h
it 'a truncated list of classes'
damage $classes <<<"$cut_off"
warned "$classes:[0-9]+" 'This RS_ENTRY is left out: its parentheses do not close, or enclose a directive\.'
it 'a file that is not a list of classes'
for how in ': >$file' 'rm $file' 'rm $file && mkdir $file' 'yes | head -n 3 >$file' 'head -c 3000 /dev/zero >$file'; do
	damage $classes <<<"$how"
	warned "$classes" '.*so the ioctls of family alloc are unknown\.'
done

copies=src/nvidia/src/kernel/rmapi/embedded_param_copy.c
it 'the switch over commands with pointers is missing'
for how in ': >$file' 'rm $file' 'yes | head -n 3 >$file' 'head -c 3000 /dev/zero >$file'; do
	damage $copies <<<"$how"
	warned "$copies" '.*it is unknown which commands carry embedded pointers\.'
done

it 'names for the bits of flags'
for header in src/nvidia/inc/kernel/rmapi/control.h src/nvidia/src/kernel/rmapi/resource_desc_flags.h $inc/rs_access.h; do
	for how in ': >$file' 'rm $file' 'head -c 3000 /dev/zero >$file'; do
		damage $header <<<"$how"
		warned "$header" 'No header here defines names for the flags, so their bits are shown as numbers\.'
	done
	damage $header <<<"sed -i 's/[0-9][0-9]*/99999999999999999999/g' \$file"
	warned "$header:[0-9]+" 'The value of [A-Z_]* is not a set of bits, so no flag is made from it\.'
done

it 'the original tree can still be read'
damage $inc/nvos.h <<<:
run extract --dir tree
expect_status 0
expect_err_empty

done_testing
