"""Builds a tree's two packages within gVisor's branch go, which has all that is generated.

branch go is made of master by gVisor's own build: a Go module with the files that
generators wrote. Of its two packages only these files are left; the sources are the
trial's, and the marshalling code is written anew, by go_marshal of the trial's tree.
"""
import os
import re
import shutil

from .gvisor import ABI, DIRS, VERSION_GO, sources
from .program import CannotRun, go, normal, run

GROUPS = (("nvgpu_abi_autogen_unsafe.go", False), ("nvgpu_unsafe_abi_autogen_unsafe.go", True))  # files whose name ends in _unsafe.go go apart


class Builder:
    def __init__(self, clone, work):
        self.clone = clone
        self.module = os.path.join(os.path.abspath(work), "module")
        self.base = self.good = None
        self.said = ""

    def go(self, *args, status=(0,)):
        return go(*args, status=status, cwd=self.module, env=dict(os.environ, GOFLAGS="-mod=mod", GOWORK="off", GO111MODULE="on"))

    def prepare(self, commit, tree):
        """Branch go as of a commit, or as of the last one, where that does not build with the Go that is here; False if neither does.

        Either must build the tree as it is before a patch, so that what is said of a patched tree is the patch's doing.
        """
        nearest = self.clone.generated(commit)
        for base in (nearest, self.good):
            if base and self.builds(base, commit, tree):
                self.good = base
                return True
        return False

    def builds(self, base, commit, tree):
        if base != self.base:
            self.unpack(base)
        self.clone.export(commit, ("tools/go_marshal", "tools/constraintutil"), self.module)
        self.go("build", "-o", "go_marshal", "./tools/go_marshal")
        self.said = self.build(tree)
        return not self.said

    def unpack(self, base):
        shutil.rmtree(self.module, ignore_errors=True)
        self.clone.export(base, ("pkg",), self.module)
        for name in ("go.mod", "go.sum"):
            with open(os.path.join(self.module, name), "w", encoding="utf-8") as file:
                file.write(self.clone.git("show", "%s:%s" % (base, name)))
        self.remove(self.clone.git("ls-tree", "-r", "--name-only", base + "^2", "--", *DIRS).split())
        self.base = base

    def remove(self, paths):
        for path in paths:
            path = os.path.join(self.module, path)
            if os.path.exists(path):
                os.remove(path)

    def build(self, tree):
        """What go_marshal or the compiler says against it; "" if the packages are built."""
        files = sources(tree)
        for path, text in files.items():
            path = os.path.join(self.module, path)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        said = self.marshal(files) or self.go("build", *("./" + directory for directory in DIRS), status=(0, 1)).stderr
        self.remove(files)
        return said

    def marshal(self, files):
        for output, unsafe in GROUPS:
            chosen = sorted(path for path in files if os.path.dirname(path) == ABI and path.endswith("_unsafe.go") == unsafe)
            tests = ["-output_test=" + os.devnull, "-output_test_unconditional=" + os.devnull]
            done = run("./go_marshal", "-pkg=nvgpu", "-output=" + os.path.join(ABI, output), *tests, "--", *chosen, cwd=self.module, status=(0, 1, 2))
            if done.returncode:
                return "go_marshal: " + done.stderr
        return ""


def with_fault(tree, types, version):
    """(path, text, what) of a file with a wrong field of one of the new types, or, where there is none, with an unknown checksum."""
    files = sources(tree)
    for path, text in files.items():
        for name in types:
            body = re.search(r"type %s struct {.*?\n}" % name, text, re.S)
            if body:
                wrong, what = wrong_field(text, name, body.group(0))
                return path, text.replace(body.group(0), wrong), what
    major, minor, patch = (int(number) for number in normal(version).split("."))
    text, count = re.subn(r"(DriverABI\(%d, *0?%d, *0?%d, )[^,]*" % (major, minor, patch), r"\1TODO(drvabi)", files[VERSION_GO])
    if count != 1:
        raise CannotRun("%s does not add %s once" % (os.path.join(tree, VERSION_GO), version))
    return VERSION_GO, text, "the checksum is TODO(drvabi)"


def wrong_field(text, name, body):
    """A struct whose field has another name than a method of it reads; without methods, with a field of no type."""
    for field in re.findall(r"func \(p \*%s\) \w+\([^)]*\)[^{]*{\n\t(?:return )?p\.(\w+)" % name, text):
        wrong, count = re.subn(r"\n\t%s " % field, "\n\tWrong ", body)
        if count:
            return wrong, "%s.%s has another name" % (name, field)
    return body[:-1] + "\tWrong uint33\n}", "%s has a field without a type" % name
