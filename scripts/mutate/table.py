"""A proxy's table, its entries at one version, and where in a type each scalar comes from."""
import re

from .driver import product, spelled

WIDTH = {"bool": 1, "int8": 1, "uint8": 1, "int16": 2, "uint16": 2, "int32": 4, "uint32": 4, "int64": 8, "uint64": 8}
PADDING = re.compile(r"^(_|pad(ding)?[\d_]*|)$", re.IGNORECASE)


class Scalar:
    """A scalar of a proxy's type: where it is, and which field of which type put it there."""

    def __init__(self, owner, index, path, offset, spelling, padding):
        self.owner = owner  # name of the type
        self.index = index  # of its field
        self.path = path
        self.offset = offset
        self.type = spelling
        self.padding = padding


class Table:
    def __init__(self, data):
        self.data = data
        self.types = data["types"]
        self.nodes = {node["version"]: node for node in data["versions"]}
        self.flat = {}

    def size(self, spelling):
        base, dimensions = spelled(spelling)
        return (WIDTH.get(base) or self.types[base]["size"]) * product(dimensions)

    def is_scalar(self, spelling):
        base, _ = spelled(spelling)
        return base in WIDTH or "role" in self.types[base] or "alias" in self.types[base]

    def scalars(self, name):
        if name not in self.flat:
            self.flat[name] = self.walk(name, "", 0, False)
        return self.flat[name]

    def walk(self, name, path, offset, padding):
        if self.is_scalar(name):
            return [Scalar(name, None, path, offset, name, padding)]
        scalars = []
        for index, field in enumerate(self.types[name]["fields"]):
            inner = f"{path}.{field['name']}" if path else field["name"]
            pads = padding or bool(PADDING.match(field["name"]))
            base, dimensions = spelled(field["type"])
            if self.is_scalar(field["type"]):
                scalars.append(Scalar(name, index, inner, offset + field["offset"], field["type"], pads))
                continue
            for element in range(product(dimensions)):
                there = f"{inner}[{element}]" if dimensions else inner
                scalars += self.walk(base, there, offset + field["offset"] + element * self.size(base), pads)
        return scalars

    def signature(self, name):
        """What of a type a driver could tell from another: kinds at places."""
        return [(scalar.offset, scalar.type) for scalar in self.scalars(name) if not scalar.padding]

    def node_for(self, version):
        """The node that stands for a version: its own, else the newest that is not newer."""
        key = lambda text: [int(part) for part in text.split(".")]  # noqa: E731
        if version in self.nodes:
            return self.nodes[version]
        older = [node for node in self.nodes.values() if key(node["version"]) <= key(version)]
        return max(older, key=lambda node: key(node["version"]))

    def view(self, version):
        """All entries at a version: {(family, name): entry}; the entries are the table's own, to be changed in place."""
        path, node = [], self.node_for(version)
        while node:
            path.append(node)
            node = self.nodes.get(node["parent"])
        entries = {}
        for node in reversed(path):
            for family, group in node.get("ioctls", {}).items():
                for name, entry in group.items():
                    if entry is None:
                        entries.pop((family, name), None)
                    else:
                        entries[family, name] = entry
        return entries
