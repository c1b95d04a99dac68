#!/usr/bin/env bash
# decode with a call as arguments: too few bytes, an address that is given twice, the output of xxd -i, and --.
. "$(dirname "$0")/lib.sh"

answers=(DRVABI_REPO= decode)
control='010000000200000010018020000000000020000000000000 8400000000000000'
mkdir -p "$DRVABI_TEST_DIR"

it 'too few bytes at an address'
run "${answers[@]}" 0xc020462a "$control" 0x2000=01000000414243 --version 590.48.01 --format json
expect_status 0
expect_json 'cause the same note as in a trace' '.name == "NV2080_CTRL_CMD_GPU_GET_NAME_STRING" and .notes == ["7 of 132 bytes were recorded"]
	and [.fields[] | [.path, .value, .count, .missing]] == [["gpuNameStringFlags", 1, null, null], ["gpuNameString.unicode", [16961], 1, 63]]'
run "${answers[@]}" 0xc020462a "$control" 0x2000=010000 --version 590.48.01 --format json
expect_json 'a field that is not complete is not printed' '.fields == [] and .notes == ["3 of 132 bytes were recorded"]'
run "${answers[@]}" 0xc020462a "$control" 0x2000=0000000047656e75696e65 --version 590.48.01
expect_status 0
expect_out_like '^    gpuNameString.ascii = "Genuine" [(]57 not recorded[)]$'
run "${answers[@]}" --uvm 77 '00601c0000000000 00000000 00000000' "0x1c6000=$(printf 'ab%.0s' $(seq 40))" --version 580.82.09 --format json
expect_json 'also at a pointer' '.pointers[0].recorded == 40 and .pointers[0].note == "40 of 4112 bytes were recorded"'

it 'an address that is given twice'
run "${answers[@]}" 0xc020462a "$control" 0x2000=01 0x2000=02 --version 590.48.01
expect_cannot 'the bytes at 0x2000 are given twice; give them once$'

it 'an address that no pointer has'
run "${answers[@]}" 0xc020462a "$control" 0x3000=01 --version 590.48.01
expect_status 0
expect_err_like '^drvabi: note: this call has no pointer to 0x3000 that the driver follows$'

it 'the output of xxd -i'
{ head -c 4 /dev/zero && printf 'NVIDIA H200' && head -c 117 /dev/zero; } >"$DRVABI_TEST_DIR/name.bin"
run "${answers[@]}" --control 0x20800110 "$(xxd -i "$DRVABI_TEST_DIR/name.bin")" --version 590.48.01 --format json
expect_status 0
expect_json 'is read as bytes' '(.fields[] | select(.path == "gpuNameString.ascii").value) == "NVIDIA H200"'
run "${answers[@]}" 0xc020462a "$control" "0x2000=$(xxd -i "$DRVABI_TEST_DIR/name.bin")" --version 590.48.01 --format json
expect_json 'also at an address' '(.fields[] | select(.path == "gpuNameString.ascii").value) == "NVIDIA H200"'
run "${answers[@]}" --control 0x20800110 'here=01' --version 590.48.01
expect_cannot "'here' is not an address$"

it 'a device below another root, or shown by its number'
cat >"$WORK/paths" <<'END'
ioctl(4</run/nvidia/driver/dev/nvidiactl>, 0xc030462b, 0x7ffc19671e20) = 0
ioctl(4</dev/char/195:255<char 195:255>>, 0xc030462b, 0x7ffc19671e20) = 1
ioctl(4</run/nvidia/driver/dev/nvidia-uvm<char 511:0>>, FIBMAP, 0x7ffc19671e20) = 2
ioctl(4</tmp/dev/nvidiactl<char 1:3>>, 0xc030462b, 0x7ffc19671e20) = 3
END
run "${answers[@]}" paths --format json
expect_status 0
expect_json 'is recognized' '[.family, .number, .ret] | IN(["frontend", 43, 0], ["frontend", 43, 1], ["uvm", 1, 2])'
expect 'the number of another device excludes it' [ "$(wc -l <"$OUT")" = 3 ]
expect_err_empty

it 'ioctls that are not decoded'
cat >"$WORK/others" <<'END'
ioctl(3</dev/nvidiactl>, 0xc030462b, 0x7ffc19671e20) = 0
ioctl(4</srv/gpu>, 0xc030462b, 0x7ffc19671e20) = 0
ioctl(5</srv/gpu1>, 0xc030462b, 0x7ffc19671e20) = 0
ioctl(5</srv/file>, FIGETBSZ, 0x7ffc19671e20) = 0
Unknown ioctl: path=/dev/nvidia-caps/nvidia-cap2 request=0x1 [nr=0x1] => ret=0
Unknown ioctl: path=/dev/kvm request=0xae01 [nr=0x1] => ret=0
END
run "${answers[@]}" others --format json
expect_status 0
expect_err_like "^drvabi: note: others: the files of 2 ioctls with requests like the driver's, such as /srv/gpu, are not recognized as devices"
expect_err_like '^drvabi: note: others: the ioctls of devices such as /dev/nvidia-caps/nvidia-cap2 are in no document, so 1 ioctl is not decoded$'

it 'two dashes'
run "${answers[@]}" -- "$DRVABI_TEST_DIR/name.bin"
expect_cannot 'decode takes no arguments after --'

done_testing
