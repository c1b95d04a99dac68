#!/usr/bin/env bash
# Versions in which all files that are read are equal are read once, also if other files change
. "$(dirname "$0")/lib.sh"
fresh

mkdir -p "$WORK/tree/include/uapi/linux" "$WORK/tree/kernel"
cat >"$WORK/kfd.h" <<'C'
#include <linux/ioctl.h>
#include <linux/extra.h>
struct kfd_args { __u64 buffer_ptr; };
#define AMDKFD_IOC_GO _IOWR('K', 0x01, struct kfd_args)
C
cp "$WORK/kfd.h" "$WORK/tree/include/uapi/linux/kfd_ioctl.h"
echo '#include <asm/extra.h>' >"$WORK/tree/include/uapi/linux/extra.h"
mkdir -p "$WORK/tree/x86_64-linux-gnu/asm"
mkdir -p "$WORK/tree/aarch64-linux-gnu/asm"
echo '#define AMDKFD_IOC_EXTRA _IO(0x4b, 2)' | tee "$WORK/tree/x86_64-linux-gnu/asm/extra.h" >"$WORK/tree/aarch64-linux-gnu/asm/extra.h"
git_in tree init -q -b main
# Each release changes a file that is not read. 10 and 20 change the driver's header, and 15 adds a file at a path that was searched before.
for release in $(seq 1 30); do
	echo "int release = $release;" >"$WORK/tree/include/uapi/linux/other.h"
	echo "int release = $release;" >"$WORK/tree/kernel/main.c"
	case $release in
	10 | 20) echo "#define AMDKFD_IOC_MORE$release _IO('K', $release)" >>"$WORK/tree/include/uapi/linux/kfd_ioctl.h" ;;
	15) mkdir "$WORK/tree/include/uapi/asm"; echo '#define AMDKFD_IOC_EXTRA _IO(0x4b, 3)' >"$WORK/tree/include/uapi/asm/extra.h" ;;
	esac
	git_in tree add . && git_in tree commit -qm "$release" && git_in tree tag "v$release"
done

it 'only trees that differ are read'
run history --profile linux-kfd --repo "$WORK/tree" --jobs 1 -v --no-cache
expect_status 0
expect_err_like '^drvabi: 26 of 30 trees have the same contents as a different tree in all files that are read$'
expect_out_is history.txt

it 'each version has the same document as alone'
for version in v1 v9 v10 v14 v15 v19 v20 v30; do
	run archive write -o all.drvabi --profile linux-kfd --repo "$WORK/tree" --jobs 1
	expect_status 0
	run extract --profile linux-kfd --archive all.drvabi "$version"
	cp "$OUT" "$WORK/among.json"
	run extract --profile linux-kfd --repo "$WORK/tree" --no-cache --no-archive "$version"
	expect "$version" cmp "$WORK/among.json" "$OUT"
done

it 'with the maximum number of processes'
run history --profile linux-kfd --repo "$WORK/tree" --jobs 4 --no-cache -v
expect_status 0
expect_out_is history.txt

done_testing
