"""Compile the driver's headers with gcc, for each header tree in a repository, and read the layouts."""
import gzip
import hashlib
import io
import json
import os
import re
import tarfile
import tempfile

from dwarf.facts import Facts, Failure, merge, read_unit, run

HERE = os.path.dirname(os.path.abspath(__file__))

# The translation units. The first two are those of gVisor's sources.go, plus all nv-ioctl*.h and UVM's test ioctls. The
# others are one for each of NVIDIA's other devices. The lists are not read from drvabi's profile, so that a header that is
# missing there is found. "before" is the text before the includes. "empty" are headers of Linux that the driver uses only
# for their macros. The declarations of "context" headers count only if other headers use them.
SDK = "src/common/sdk/nvidia/inc"
UNIX = "src/nvidia/arch/nvalloc/unix/include"
OPEN = "kernel-open/common/inc"
UVM = "kernel-open/nvidia-uvm"
KMS = "src/nvidia-modeset/interface"
DRM = "kernel-open/nvidia-drm"
SWITCH = "src/common/nvswitch/interface"
LINK = "src/common/nvlink/interface"
UNITS = [
    {"name": "rm",
     "headers": [f"{SDK}/nvos.h", f"{UNIX}/nv_escape.h", f"{UNIX}/nv-ioctl*.h",
                 f"{UNIX}/nv-unix-nvos-params-wrappers.h", f"{SDK}/class/*.h", f"{SDK}/ctrl/*.h",
                 f"{SDK}/ctrl/*/*.h", f"{SDK}/alloc/*.h", f"{OPEN}/nv-ioctl-numa.h"],
     "include": [SDK, "src/common/shared/inc", UNIX, OPEN]},
    {"name": "uvm",
     "headers": [f"{UVM}/uvm_ioctl.h", f"{UVM}/uvm_linux_ioctl.h", f"{UVM}/uvm_test_ioctl.h"],
     "context": [f"{OPEN}/nv_uvm_types.h"],
     "include": [OPEN]},
    {"name": "modeset",
     "headers": [f"{KMS}/nvkms-ioctl.h", f"{KMS}/nvkms-api.h"],
     "include": [SDK, "src/common/shared/inc", "src/common/unix/common/inc", OPEN]},
    {"name": "drm", "before": "#include <stdint.h>\n",
     "headers": [f"{DRM}/nvidia-drm-ioctl.h", f"{DRM}/nv_drm_common_ioctl.h"],
     "empty": ["drm/drm.h"],
     "include": []},
    {"name": "nvswitch", "before": "#include <stddef.h>\n#include <nvtypes.h>\n",
     "headers": ["kernel-open/nvidia/ioctl_nvswitch.h", f"{SWITCH}/ctrl_dev_nvswitch.h"],
     "include": [SDK, OPEN]},
    {"name": "nvlink",
     "headers": [f"{LINK}/nvlink_lib_ctrl.h"],
     "include": [SDK]},
]
# The paths that the units read. Only these are unpacked, and their git object ids identify a header tree.
PATHS = [SDK, "src/common/shared/inc", UNIX, OPEN,
         f"{UVM}/uvm_ioctl.h", f"{UVM}/uvm_linux_ioctl.h", f"{UVM}/uvm_types.h", f"{UVM}/uvm_test_ioctl.h",
         KMS, "src/common/unix/common/inc", f"{DRM}/nvidia-drm-ioctl.h", f"{DRM}/nv_drm_common_ioctl.h",
         "kernel-open/nvidia/ioctl_nvswitch.h", "kernel-open/nvidia/ioctl_common_nvswitch.h", SWITCH, LINK]

COMPILERS = {"x86_64-linux-gnu": os.environ.get("GCC_X86_64", "gcc"),
             "aarch64-linux-gnu": os.environ.get("GCC_AARCH64", "aarch64-linux-gnu-gcc")}
FLAGS = ["-gdwarf-5", "-fno-eliminate-unused-debug-types", "-fno-eliminate-unused-debug-symbols",
         "-ffreestanding", "-std=gnu11", "-w"]


def hash_of(*names, more=b""):
    """Return a hash of @more and of the files @names in this directory."""
    digest = hashlib.sha256(more)
    for name in names:
        with open(f"{HERE}/{name}", "rb") as source:
            digest.update(source.read())
    return digest.hexdigest()[:16]


def compile_reader(directory):
    """Return the path of the compiled layout.c. It is compiled again only if layout.c has changed."""
    path = f"{directory}/layout-{hash_of('layout.c')}"
    if not os.path.exists(path):
        partial = f"{path}.{os.getpid()}"
        run(["gcc", "-O2", "-Wall", "-Wextra", "-D_GNU_SOURCE", "-o", partial, f"{HERE}/layout.c", "-ldw"])
        os.replace(partial, path)
    return path


def alignments(compiler, unit_text, expressions, include, directory):
    """Return {name: _Alignof()} of all expressions, read from the assembly of an array."""
    wanted = [(name, text) for name, text in sorted(expressions.items()) if text != "-"]
    if not wanted:
        return {}
    text = unit_text + "unsigned long drvabi_alignments[] = {\n"
    text += "".join(f"_Alignof({expression}),\n" for _, expression in wanted) + "};\n"
    assembly = run([compiler, "-w", "-ffreestanding", "-std=gnu11", "-S", "-o", "-", "-x", "c", *include, "-"],
                   input=text.encode(), cwd=directory).decode()
    values = re.findall(r"\.(?:quad|xword)\s+(\d+)", assembly[assembly.index("drvabi_alignments:"):])
    if len(values) != len(wanted):
        raise Failure(f"gcc's assembly has {len(values)} alignments instead of {len(wanted)}")
    return {name: int(value) for (name, _), value in zip(wanted, values)}


def witness_unit(compiler, reader, unit_text, include, directory, context=()):
    """Compile one translation unit, and return its Facts."""
    with tempfile.NamedTemporaryFile(suffix=".o", dir=directory) as built:
        run([compiler, *FLAGS, "-c", "-o", built.name, "-x", "c", *include, "-"], input=unit_text.encode(), cwd=directory)
        facts, expressions = read_unit(run([reader, built.name]).decode())
        if context:
            facts.leave_to_choice(read_unit(run([reader, built.name, *context]).decode())[0])
    for name, align in alignments(compiler, unit_text, expressions, include, directory).items():
        facts.records[name]["align"] = align
    return facts


def glob_in(files, pattern):
    """Return the files that match @pattern. As in the shell, '*' does not match '/'."""
    regex = re.compile(re.escape(pattern).replace(r"\*", "[^/]*") + r"\Z")
    return sorted(name for name in files if regex.match(name))


def unpack(repo, tag, present, directory):
    """Unpack the paths @present of a tag to @directory. Return the names of the files."""
    archive = run(["git", "-C", repo, "archive", "--format=tar", tag, "--", *present])
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        members = [member for member in tar.getmembers() if member.isfile()]
        for member in members:
            path = os.path.join(directory, member.name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as out:
                out.write(tar.extractfile(member).read())
    return [member.name for member in members]


def write_empty(path):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "xb"):
        pass


def witness(repo, tag, present, target, reader):
    """Return the merged Facts of all units of a tag."""
    with tempfile.TemporaryDirectory(prefix="check-dwarf-") as directory:
        files = unpack(repo, tag, present, directory)
        units = []
        for unit in UNITS:
            headers = [name for pattern in unit["headers"] for name in glob_in(files, pattern)]
            text = unit.get("before", "") + "".join(f'#include "{name}"\n' for name in headers)
            include = ["-I."] + [f"-I{path}" for path in unit["include"]]
            for name in unit.get("empty", []):
                write_empty(os.path.join(directory, name))
            units.append(witness_unit(COMPILERS[target], reader, text, include, directory, unit.get("context", ())))
        return merge(units)


def cached_witness(repo, case, target, reader, cache):
    """Return the Facts of a case from the cache. Compile and cache them if there is no valid entry."""
    about = hash_of("gcc.py", "facts.py", "layout.c", more=run([COMPILERS[target], "--version"]))
    path = f"{cache}/{case['id']}-{target}-{about}.json.gz"
    facts = Facts()
    try:
        with gzip.open(path, "rt") as entry:
            facts.__dict__.update(json.load(entry))
        return facts
    except (OSError, EOFError, ValueError):
        facts = witness(repo, case["tags"][0], case["present"], target, reader)
    partial = f"{path}.{os.getpid()}"
    with gzip.open(partial, "wt", compresslevel=1) as entry:
        json.dump(facts.__dict__, entry)
    os.replace(partial, path)
    return facts


def tags_of(repo):
    return run(["git", "-C", repo, "tag", "--list", "--sort=version:refname"]).decode().split()


def cases_of(repo, tags):
    """Group tags that have the same header tree. Return a list of {id, tags, present}."""
    wanted = "".join(f"{tag}:{path}\n" for tag in tags for path in PATHS)
    lines = run(["git", "-C", repo, "cat-file", "--batch-check"], input=wanted.encode()).decode().splitlines()
    cases = {}
    for index, tag in enumerate(tags):
        ids = [line.split()[0] if not line.endswith(" missing") else "" for line in lines[index * len(PATHS):][:len(PATHS)]]
        if not any(ids):
            raise Failure(f"{tag} in {repo} is not a version of this driver: it has none of the driver's headers")
        key = hashlib.sha256(" ".join(ids).encode()).hexdigest()[:24]
        present = [path for path, one in zip(PATHS, ids) if one]
        cases.setdefault(key, {"id": key, "tags": [], "present": present})["tags"].append(tag)
    return list(cases.values())
