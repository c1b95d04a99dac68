"""A clone of gVisor: its trees, and the driver versions that its commits add."""
import os
import re
import subprocess

from .program import CannotRun, normal, run

SINCE = "b11efeaec"  # the first commit with today's tree of versions
ABI, PROXY = DIRS = ("pkg/abi/nvgpu", "pkg/sentry/devices/nvproxy")
VERSION_GO = PROXY + "/version.go"


def sources(tree):
    """Return {path: text} of the two packages, without tests."""
    found = {}
    for directory in DIRS:
        for where, _, names in os.walk(os.path.join(tree, directory)):
            for name in names:
                if name.endswith(".go") and not name.endswith("_test.go"):
                    path = os.path.join(where, name)
                    with open(path, encoding="utf-8") as file:
                        found[os.path.relpath(path, tree)] = file.read()
    return found


def write(tree, path, text):
    with open(os.path.join(tree, path), "w", encoding="utf-8") as file:
        file.write(text)


class Clone:
    def __init__(self, path):
        self.path = path
        self.git("rev-parse", "--git-dir")

    def git(self, *args):
        return run("git", "-C", self.path, *args).stdout

    def has(self, name):
        return subprocess.run(["git", "-C", self.path, "rev-parse", "-q", "--verify", name + "^{commit}"], capture_output=True, check=False).returncode == 0

    def export(self, commit, directories, to):
        os.makedirs(to, exist_ok=True)
        for directory in directories:
            archive = subprocess.run(["git", "-C", self.path, "archive", "--prefix=%s/" % directory, "%s:%s" % (commit, directory)],
                                     capture_output=True, check=False)
            if archive.returncode:
                raise CannotRun("%s of %s: %s" % (directory, commit, archive.stderr.decode(errors="replace").strip()))
            subprocess.run(["tar", "-x", "-C", to], input=archive.stdout, check=True)

    def versions(self, commit):
        """Return {version: (is supported, checksums)}. A node that is only a variable has (None, [])."""
        text = self.git("show", "%s:%s" % (commit, VERSION_GO))
        found = {}
        for name in re.findall(r"\bv(\d+_\d+(?:_\d+)?) :?=", text):
            found[normal(name.replace("_", "."))] = (None, [])
        for unsupported, number, rest in re.findall(r"add(Unsupported)?DriverABI\((\d+, *\d+, *\d+), *([^\n]*)", text):
            version = "%d.%02d.%02d" % tuple(int(one) for one in number.split(","))
            found[version] = (not unsupported, [digits for digits, _ in re.findall(r'"([0-9a-f]{64})"|(ChecksumNoDriver)', rest)])
        return found

    def commits(self):
        return self.git("log", "--reverse", "--no-merges", "--format=%h", "%s..HEAD" % SINCE, "--", VERSION_GO).split()

    def added(self, commit):
        """Return the (version, checksums) that a commit adds or supports. If it supports a version, nodes between are omitted."""
        before, after = self.versions(commit + "^"), self.versions(commit)
        new = {version: after[version] for version in after if after[version][0] and not before.get(version, (None,))[0]}
        if not new:
            new = {version: after[version] for version in after if after[version][0] is False and version not in before}
        return [(version, sums) for version, (_, sums) in new.items()]

    def generated(self, commit):
        """Return the commit of branch go that was made from @commit or its nearest ancestor."""
        branch = next((name for name in ("go", "origin/go") if self.has(name)), None)
        if not branch:
            raise CannotRun("%s has no branch go; fetch it, or use --no-build" % self.path)
        made = {}
        for line in self.git("log", "--first-parent", "--format=%H %P", branch).splitlines():
            words = line.split()
            if len(words) == 3:
                made[words[2]] = words[0]
        for one in self.git("rev-list", "--first-parent", "-1000", commit).split():
            if one in made:
                return made[one]
        raise CannotRun("branch go has no commit for %s or its ancestors" % commit)
