#!/usr/bin/env bash
# decode: a parameter that is an array, with the length of the request: NV_ESC_CARD_INFO and NV_ESC_ATTACH_GPUS_TO_FD.
. "$(dirname "$0")/lib.sh"

answers=(DRVABI_REPO= decode)
zeros() {
	printf '00%.0s' $(seq "$1")
}

it '32 cards'
run "${answers[@]}" 0xc90046c8 "01$(zeros 71)0100000007$(zeros 2227)" --version 560.35.03
expect_status 0
expect_err_empty
expect_out_is cards.txt
run "${answers[@]}" 0xc90046c8 "01$(zeros 71)0100000007$(zeros 2227)" --format json
expect_json 'in all versions' '.record == "nv_ioctl_card_info_t[32]" and (.fields[] | select(.path == "[1].pci_info.domain").value) == 7 and .versions == ["515.43.04..595.45.04"]'

it 'one card is one record'
run "${answers[@]}" 0xc04846c8 "01$(zeros 71)" --format json
expect_json 'its paths have no index' '.record == "nv_ioctl_card_info_t" and .fields[0].path == "valid"'

it 'numbers of GPUs'
run "${answers[@]}" 0xc00846d4 0100000002000000 --format json
expect_json 'are scalars' '.fields[0].value == [1, 2]'

it 'a size that is not a multiple is an error'
run "${answers[@]}" 0xc04946c8 "$(zeros 73)"
expect_cannot 'no version has 73 bytes of parameters for it; nv_ioctl_card_info_t has 72$'
run "${answers[@]}" 0xc00646d4 "$(zeros 6)"
expect_cannot 'no version has 6 bytes of parameters for it; NvU32 has 4$'

it 'in a log'
mkdir -p "$DRVABI_TEST_DIR"
echo 'ioctl(3</dev/nvidiactl>, _IOC(_IOC_READ|_IOC_WRITE, 0x46, 0xc8, 0x900), 0x7ffc19671e20) = 0' >"$DRVABI_TEST_DIR/cards.log"
run "${answers[@]}" "$DRVABI_TEST_DIR/cards.log" --version 560.35.03 --format json
expect_json 'there is no note' '.record == "nv_ioctl_card_info_t[32]" and .notes == []'

done_testing
