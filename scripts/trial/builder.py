"""Build the packages nvgpu and nvproxy of a tree within gVisor's branch go.

gVisor's build makes branch go from master: a Go module that has all generated files.
The sources of the two packages are replaced by those of the trial's tree, and
go_marshal of that tree writes the marshalling code again.
"""
import os
import re
import shutil

from .gvisor import ABI, DIRS, VERSION_GO, sources
from .program import CannotRun, go, normal, run

GROUPS = (("nvgpu_abi_autogen_unsafe.go", False), ("nvgpu_unsafe_abi_autogen_unsafe.go", True))  # (output, whether its sources end in _unsafe.go)


class Builder:
    def __init__(self, clone, work):
        self.clone = clone
        self.module = os.path.join(os.path.abspath(work), "module")
        self.base = self.good = None
        self.said = ""

    def go(self, *args, status=(0,)):
        return go(*args, status=status, cwd=self.module, env=dict(os.environ, GOFLAGS="-mod=mod", GOWORK="off", GO111MODULE="on"))

    def prepare(self, commit, tree):
        """Choose a commit of branch go: that of @commit or, if it does not build with the installed Go, the last good one.

        The chosen commit must build @tree before the patch, so that the patch causes all later errors. Return false if neither does.
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
        """Build the packages. Return the errors of go_marshal or the compiler, or ""."""
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
    """Plant a wrong field in a new type or, without new types, an unknown checksum. Return (path, new text of the file, description)."""
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
        raise CannotRun("%s must add %s exactly once" % (os.path.join(tree, VERSION_GO), version))
    return VERSION_GO, text, "the checksum is TODO(drvabi)"


def wrong_field(text, name, body):
    """Rename a field that a method of the struct reads or, without methods, add a field of an undefined type. Return (struct, description)."""
    for field in re.findall(r"func \(p \*%s\) \w+\([^)]*\)[^{]*{\n\t(?:return )?p\.(\w+)" % name, text):
        wrong, count = re.subn(r"\n\t%s " % field, "\n\tWrong ", body)
        if count:
            return wrong, "%s.%s is renamed" % (name, field)
    return body[:-1] + "\tWrong uint33\n}", "%s has a field of an undefined type" % name
