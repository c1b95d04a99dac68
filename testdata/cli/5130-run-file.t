#!/usr/bin/env bash
# bootstrap --run reads a version from a .run file, and never executes the file. The files of this test have the form of makeself.
. "$(dirname "$0")/lib.sh"
fixture

# make_run FILE [KEY=VALUE]... - make $WORK/FILE from $WORK/part; the keys are version, machine, compression, skip (lines) and fault
make_run() {
	python3 - "$WORK/part" "$WORK/$1" "${@:2}" <<'PYTHON'
import bz2, gzip, io, lzma, os, subprocess, sys, tarfile
tree, out = sys.argv[1:3]
how = dict(version="120.01.00", machine="x86_64", compression="xz", skip="", fault="")
how.update(word.split("=", 1) for word in sys.argv[3:])
fault = how["fault"]
packed = io.BytesIO()
archive = tarfile.open(fileobj=packed, mode="w", format=tarfile.GNU_FORMAT)
def add(name, data=b"", kind=tarfile.REGTYPE, link="", size=None):
    info = tarfile.TarInfo(name)
    info.type, info.linkname, info.size = kind, link, len(data) if size is None else size
    archive.addfile(info, io.BytesIO(data))
add("./nvidia-installer", b"\0" * 100000)
add("./kernel/nvidia-uvm/uvm_ioctl.h", b"not this one")
for folder, folders, files in os.walk(tree):
    folders.sort()
    for name in sorted(files):
        path = os.path.join(folder, name)
        inside = "./" + os.path.relpath(path, tree)
        if fault != "empty":
            add(inside, open(path, "rb").read())
uvm = "./kernel-open/nvidia-uvm/uvm_ioctl.h"
if fault == "twice":
    add(uvm, b"#error the last one counts\n")
elif fault == "up":
    add("./kernel-open/../../etc/evil.h", b"x")
elif fault == "links":
    add("./kernel-open/nvidia-uvm/link.h", kind=tarfile.SYMTYPE, link="/etc/passwd")
    add("./kernel-open/nvidia-uvm/hard.h", kind=tarfile.LNKTYPE, link="/etc/passwd")
    add("./kernel-open/nvidia-uvm/pipe.h", kind=tarfile.FIFOTYPE)
    add("/etc/absolute.h", b"x")
elif fault == "large":
    info = tarfile.TarInfo("./kernel-open/large.h")
    info.size = 1 << 40
    packed.write(info.tobuf(tarfile.GNU_FORMAT))
archive.close()
raw = packed.getvalue()
payload = {"xz": lambda: lzma.compress(raw, check=lzma.CHECK_NONE), "gzip": lambda: gzip.compress(raw, mtime=0),
           "bzip2": lambda: bz2.compress(raw), "none": lambda: raw,
           "zstd": lambda: subprocess.run(["zstd", "-qc"], input=raw, stdout=subprocess.PIPE, check=True).stdout}[how["compression"]]()
if fault == "bomb": # one member of 64 GB, in gzip members of 64 MB each
    info = tarfile.TarInfo("./firmware")
    info.size = 1 << 36
    payload = gzip.compress(info.tobuf(tarfile.GNU_FORMAT), mtime=0) + gzip.compress(bytes(1 << 26), mtime=0) * 1024
elif fault == "cut":
    payload = payload[:len(payload) // 2]
elif fault == "damaged":
    payload = payload[:200] + bytes(byte ^ 0x55 for byte in payload[200:400]) + payload[400:]
script = f'''#! /bin/sh
CRCsum=0000000000
MD5=00000000000000000000000000000000
skip=SKIP
skip_decompress=15
size_decompress=3
label="Demo Accelerated Graphics Driver {how["version"]}"
version_string={how["version"]}
pkg_version=0
script=./nvidia-installer
TARGET_OS="Linux"
TARGET_ARCH="{how["machine"]}"
touch executed "$0.executed"
exit 0
'''.encode() + b"\x7fELF\nskip=1\n\0\xff\n" # an embedded decompressor
script = script.replace(b"SKIP", (how["skip"] or str(script.count(b"\n") + 1)).encode(), 1)
open(out, "wb").write(script + payload)
os.chmod(out, 0o755)
PYTHON
}
unpack 120.01.00 tree
mkdir "$WORK/part"
cp -R "$WORK/tree/kernel-open" "$WORK/part"
cp "$WORK/tree/src/nvidia/arch/nvalloc/unix/include/nv-ioctl.h" "$WORK/part/kernel-open/common/inc" # as in the real driver
jq 'del(.versions[] | select(.version == "120.01.00"))' "$TABLE" >"$WORK/table.json"
run DRVABI_REPO="$REPO" bootstrap 120.01.00 --dir part --table table.json --format json
keep by-dir.json
plain() {
	jq 'del(.proof, .todo) | del(.nodes[].sha256)' "$1"
}

for compression in xz gzip bzip2 zstd none; do
	it "a file, $compression"
	make_run $compression.run compression=$compression
	run DRVABI_REPO="$REPO" bootstrap --run $compression.run --table table.json --format json
	expect_status 0
	expect_err_empty
	expect 'gives the same as its kernel-open' test "$(plain "$OUT")" = "$(plain "$WORK/by-dir.json")"
	expect_json 'has the checksum of the file' '.nodes[-1].sha256 == {"x86_64": $sum, "arm64": null}' --arg sum "$(sha256sum <"$WORK/$compression.run" | cut -d' ' -f1)"
	expect "nothing was executed" test ! -e "$WORK/executed"
	expect "nothing was executed in the directory of the file" test ! -e "$WORK/$compression.run.executed"
done

it 'machine and version of the file'
make_run arm.run machine=aarch64
run DRVABI_REPO="$REPO" bootstrap --run arm.run --table table.json --format json
expect_json 'the checksum is for the other processor' '.nodes[-1].sha256.arm64 != null and .nodes[-1].sha256.x86_64 == null'
make_run newer.run version=120.05.00
run DRVABI_REPO="$REPO" bootstrap --run newer.run --table "$TABLE" --format json
expect_json 'the version is in no graph' '.version == "120.05.00" and .verdict == "unverified"'
run DRVABI_REPO="$REPO" bootstrap 120.01.00 --run newer.run --table "$TABLE"
expect_cannot '^drvabi: newer\.run has version 120\.05\.00, not 120\.01\.00$'
run DRVABI_REPO="$REPO" bootstrap --run newer.run --table "$TABLE" --sha256-x86_64 none
expect_cannot '^drvabi: the SHA-256 of newer\.run is [0-9a-f]{64}, not none$'
run DRVABI_REPO="$REPO" bootstrap --run newer.run --dir part --table "$TABLE"
expect_cannot '^drvabi: --run and --dir cannot be used together: both name the source of one version$'
make_run vax.run machine=vax
run DRVABI_REPO="$REPO" bootstrap --run vax.run --table table.json
expect_status 0
expect_err_like '^drvabi: note: vax\.run does not say whether it is for x86_64 or aarch64; its SHA-256 is [0-9a-f]{64}$'
make_run odd.run 'version=$(touch executed)'
run DRVABI_REPO="$REPO" bootstrap --run odd.run --table table.json
expect_cannot '^drvabi: odd\.run does not contain its version; name it: bootstrap VERSION --run odd\.run$'
make_run short.run version=120
run DRVABI_REPO="$REPO" bootstrap --run short.run --table table.json --add NAME
expect_cannot '^drvabi: bootstrap needs the version of short\.run: bootstrap VERSION --run short\.run$'

make_run report.md
mkdir "$WORK/out"
mv "$WORK/report.md" "$WORK/out"
run DRVABI_REPO="$REPO" bootstrap --run out/report.md --table table.json -o out
expect_cannot '^drvabi: out/report\.md is an input of this run, and would be overwritten'

it "a version in the archive that differs from the script's version"
echo TARGET_ARCH=aarch64 >"$WORK/part/kernel-open/says.h"
make_run says.run 'machine=?' compression=none
rm "$WORK/part/kernel-open/says.h"
run DRVABI_REPO="$REPO" bootstrap --run says.run --table table.json
expect_err_like '^drvabi: note: says\.run does not say whether it is for x86_64 or aarch64; its SHA-256 is [0-9a-f]{64}$'

it 'a file that changes during the run'
cp "$WORK/none.run" "$WORK/changing.run"
while touch "$WORK/changing.run"; do sleep 0.01; done &
touching=$!
run DRVABI_REPO="$REPO" bootstrap --run changing.run --table table.json
kill "$touching"
wait "$touching" 2>/dev/null || true
expect_cannot '^drvabi: changing\.run changed while it was read; run the command again$'

it "links and files outside of the archive's directory are ignored"
make_run links.run fault=links
run DRVABI_REPO="$REPO" bootstrap --run links.run --table table.json --format json
expect 'all other files are read' test "$(plain "$OUT")" = "$(plain "$WORK/by-dir.json")"

# refused WHAT PATTERN [KEY=VALUE]... - expect an error for the file
refused() {
	it "$1"
	make_run bad.run "${@:3}"
	run DRVABI_REPO="$REPO" DRVABI_PARSE_SECONDS=1 bootstrap 120.01.00 --run bad.run --table table.json
	expect_cannot "$2"
	expect "nothing was executed" test ! -e "$WORK/executed"
}
refused 'a path that leads out' '"kernel-open/\.\./\.\./etc/evil\.h" is not a path inside a driver tree' fault=up
refused 'a file that is too large' 'kernel-open/large\.h has 1099511627776 bytes' fault=large
refused 'of two files the last one counts' 'the last one counts' fault=twice
refused 'no kernel-open' '^drvabi: bad\.run: bad\.run has no kernel-open|^drvabi: bad\.run has no kernel-open' fault=empty
refused 'an archive that is cut short' 'bad\.run: its archive cannot be read: ' fault=cut
refused 'an archive that is damaged' 'bad\.run: its archive cannot be read: ' fault=damaged
refused 'an archive that takes for ever' 'takes more than 1 s of processor time' fault=bomb
refused 'a line that is not there' 'bad\.run ends, or has more than 16777216 bytes, before line 100000, ' skip=100000
refused 'a number that is none' '^drvabi: bad\.run is not a \.run file of NVIDIA: its script has no line skip=N$' skip=12x
refused 'a number without end' '^drvabi: bad\.run is not a \.run file of NVIDIA: its script has no line skip=N$' skip=99999999999999999999
refused 'a payload that is no archive' 'bad\.run: its archive cannot be read: ' skip=13

it 'files that are not .run files'
run bootstrap --run no-such.run --table "$TABLE"
expect_cannot '^drvabi: cannot open no-such\.run: No such file or directory$'
run bootstrap --run part --table "$TABLE"
expect_cannot '^drvabi: part is not a regular file$'
mkfifo "$WORK/pipe"
run bootstrap --run pipe --table "$TABLE"
expect_cannot '^drvabi: pipe is not a regular file$'
: >"$WORK/empty"
run bootstrap --run empty --table "$TABLE"
expect_cannot '^drvabi: empty is not a \.run file of NVIDIA: it does not begin with #!$'

done_testing
