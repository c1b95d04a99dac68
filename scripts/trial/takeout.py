"""Remove lines of the five places from a tree, one at a time, and check that nvproxy-patch --check names the missing item.

An entry has lines at five places: its constant and its types in pkg/abi/nvgpu, its handler and its info in version.go, and its seccomp rule.
"""
import os
import re

from .gvisor import ABI, VERSION_GO, sources, write
from .table import Table


class TakeOut:
    def __init__(self, tool, tree):
        self.tool, self.tree = tool, tree
        self.path = tree + ".out.json"
        table = self.table()
        self.whole = forwarded(table)
        self.entries = {name for _, _, name, _ in self.whole}
        self.types = set(table.types)
        self.count, self.unnamed, self.names_only = 0, [], 0

    def table(self):
        self.tool.table(self.tree, self.path)
        return Table(self.path)

    def name(self, path, line):
        """Return (the name that --check must report, the replacement of the line), or None if the line is not at one of the five places."""
        if path == VERSION_GO:
            entry = re.match(r"\s*(?:delete\()?(?:abi|info|structs)\.\w+(?:\[|, )nvgpu\.(\w+)[\])]", line) or re.match(r"\s+nvgpu\.(\w+):", line)
            return (entry.group(1), "") if entry else None
        struct = re.match(r"type (\w+) ", line)
        if struct:
            return (struct.group(1), line.replace(struct.group(1), "unused", 1)) if path.startswith(ABI) and struct.group(1) in self.types else None
        other = re.match(r"\s+(\w+)\s+= (?:0x)?[0-9a-fA-F]+\b", line) if path.startswith(ABI) else re.match(r"\s*{?seccomp\.\w+\(.*?nvgpu\.(\w+)", line)
        return (other.group(1), "") if other and other.group(1) in self.entries and (path.startswith(ABI) or path.endswith("seccomp_filters.go")) else None

    def lines(self, lines):
        """Test each of @lines, (path, index, text)."""
        texts = sources(self.tree)
        for path, at, line in lines:
            if self.name(path, line):
                self.line(path, at, line, texts[path])

    def line(self, path, at, line, text):
        wanted, instead = self.name(path, line)
        rest = text.split("\n")
        rest[at:at + 1] = [instead] if instead else []
        write(self.tree, path, "\n".join(rest))
        if any(re.search(r"\b%s\b" % wanted, said) for said in self.tool.check(self.tree)):
            self.count += 1
        elif path == VERSION_GO and forwarded(self.table()) == self.whole:
            self.names_only += 1  # the line only renames the driver's struct in an info, and no other place has this name
        else:
            self.count += 1
            self.unnamed.append("%s: %s" % (os.path.basename(path), line.strip()))
        write(self.tree, path, text)

    def text(self):
        names = "; %d infos only change a name" % self.names_only if self.names_only else ""
        return "%d lines taken out, each is named%s" % (self.count, names)


def forwarded(table):
    """Return {(version, family, entry, the proxy's types)} of all entries of a table."""
    return {(version, family, name, tuple(one["proxy"] for one in entry["structs"]))
            for version in table.nodes for (family, name), entry in table.view(version).items()}


def all_lines(tree):
    return [(path, at, line) for path, text in sources(tree).items() for at, line in enumerate(text.split("\n"))]
