"""One commit of gVisor: the tree before the commit, with and without nvproxy-patch's patches, and the maintainers' tree after it."""
import json
import os
import re
import shutil

from .gvisor import DIRS, VERSION_GO, sources, write
from .program import drvabi, normal, run
from .table import Table, differences


class Trial:
    def __init__(self, clone, tool, commit, work):
        self.clone, self.tool, self.commit = clone, tool, commit
        self.work = os.path.join(os.path.abspath(work), commit)
        self.before, self.tree, self.hand = (os.path.join(self.work, name) for name in ("before", "ours", "theirs"))
        self.results = []  # the results of drvabi bootstrap
        self.said = []     # nvproxy-patch's messages about work that is left to a person
        self.unlike = []   # differences between the merged table and the table of the patched tree
        shutil.rmtree(self.work, ignore_errors=True)
        for tree, what in ((self.before, commit + "^"), (self.tree, commit + "^"), (self.hand, commit)):
            clone.export(what, DIRS, tree)

    def table(self, tree):
        path = tree + ".json"
        self.tool.table(tree, path)
        return path

    def patch(self, name, *words, caps=None):
        """Bootstrap, and apply the patch. @caps has the capabilities of added entries. With @caps, the tables are not compared."""
        out = os.path.join(self.work, name)
        self.results.append(json.loads(drvabi("bootstrap", *words, "--table", self.table(self.tree), "--format", "json", "-o", out, "-q")))
        if caps is not None:
            for entry in self.results[-1]["entries"]:
                entry["caps"] = caps.get(entry["constant"], entry["caps"])
            write(out, "bootstrap.json", json.dumps(self.results[-1]))
        path, said = self.tool.patch(self.tree, out)
        self.said += [line for line in said if line.startswith(("TODO(drvabi)", "not found"))]
        if os.path.getsize(path):
            env = dict(os.environ, GIT_CEILING_DIRECTORIES=self.work)
            run("git", "apply", "--check", path, cwd=self.tree, env=env)
            run("git", "apply", path, cwd=self.tree, env=env)
        if caps is None and (name == "add" or not any(node["exists"] for node in self.results[-1]["nodes"])):
            self.unlike += self.against_merged(out)

    def against_merged(self, out):
        """Compare the table that drvabi table merge makes with the table of the patched tree. Return the differences."""
        path = os.path.join(out, "merged.json")
        drvabi("table", "merge", self.tree + ".json", os.path.join(out, "table.patch.json"), "-o", path)
        merged, patched = Table(path), Table(self.table(self.tree))
        unlike = ["%s is in only one of the tables" % version for version in set(merged.by_number()) ^ set(patched.by_number())]
        for version, view in merged.by_number().items():
            other = patched.by_number().get(version, {})
            unlike += ["%s %s %s" % (version, *key) for key in set(view) | set(other) if merged.facts(view.get(key)) != patched.facts(other.get(key))]
        return unlike

    def add_version(self, version, sums, *words, **options):
        words = [version, *words]
        for machine, digits in zip(("x86_64", "arm64"), sums):
            words += ["--sha256-" + machine, digits] if digits else []
        self.patch(version, *words, **options)
        self.without_packages(version, sums)

    def without_packages(self, version, sums):
        """Replace the TODOs of checksums that the commit does not have with ChecksumNoDriver, as a person would."""
        text = sources(self.tree)[VERSION_GO]
        said = []
        for number, machine in enumerate(("x86_64", "aarch64")):
            todo = "TODO(drvabi) /* SHA-256 of NVIDIA-Linux-%s-%s.run */" % (machine, version)
            if not sums[number:number + 1] or not sums[number]:
                text = text.replace(todo, "ChecksumNoDriver")
                said.append("TODO(drvabi): %s: SHA-256 of NVIDIA-Linux-%s-" % (version, machine))
        self.said = [line for line in self.said if not line.startswith(tuple(said))]
        self.write(VERSION_GO, text)

    def write(self, path, text):
        write(self.tree, path, text)

    def verdict(self):
        return ", ".join("%s %s" % (result["version"], result["verdict"]) for result in self.results)

    def types(self):
        return [one["name"] for result in self.results for one in result["types"]]

    def left(self):
        """Return nvproxy-patch's messages about work that is left to a person, and the files with TODOs."""
        return self.said + ["%s has TODO(drvabi)" % path for path, text in sources(self.tree).items() if "TODO(drvabi)" in text]

    def against_hand(self, versions):
        """Return the (differences, added entries) of all @versions, as differences() does."""
        ours, hand, before = (Table(self.table(tree)) for tree in (self.tree, self.hand, self.before))
        candidates = {(one["family"], one["name"]) for result in self.results for one in result["candidates"]}
        wrong, added = [], []
        for version in map(normal, versions):
            base = ours.parent(version)
            while base and base not in before.nodes:
                base = ours.parent(base)
            more = differences(ours, hand, version, before.view(base), candidates)
            wrong, added = wrong + more[0], added + more[1]
        return wrong, added

    def hunks(self):
        """Return [(path, [(sign, line)…])]: lines that only the maintainers' tree has (+), and that only the patched tree has (-)."""
        found, path = [], ""
        options = ("--no-index", "--no-color", "--no-prefix", "-U0", "--histogram", "--ignore-space-change")
        for line in run("git", "diff", *options, "ours", "theirs", status=(0, 1), cwd=self.work).stdout.splitlines():
            if line.startswith(("--- ours/", "+++ theirs/")):
                path = line.split("/", 1)[1]
            elif line.startswith("@@"):
                found.append((path, []))
            elif line.startswith(("+", "-")) and not line.startswith(("+++ ", "--- ")):
                found[-1][1].append((line[0], " ".join(line[1:].split())))
        return [one for one in found if one[0].endswith(".go") and not one[0].endswith("_test.go")]

    def written(self):
        """Return the (path, index, line) of each line that the patches wrote."""
        found, path, at = [], "", 0
        for line in run("git", "diff", "--no-index", "--no-color", "--no-prefix", "-U0", "before", "ours", status=(0, 1), cwd=self.work).stdout.splitlines():
            hunk = re.match(r"@@ -\S+ \+(\d+)", line)
            if line.startswith("+++ ours/"):
                path = line[len("+++ ours/"):]
            elif hunk:
                at = int(hunk.group(1)) - 1
            elif line.startswith("+") and not line.startswith("+++ "):
                found.append((path, at, line[1:]))
                at += 1
        return found
