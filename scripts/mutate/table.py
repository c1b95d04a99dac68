"""A proxy table, its entries at one version, and the scalars of its types."""
import re

from .driver import product, spelled

WIDTH = {"bool": 1, "int8": 1, "uint8": 1, "int16": 2, "uint16": 2, "int32": 4, "uint32": 4, "int64": 8, "uint64": 8}
PADDING = re.compile(r"^(_|pad(ding)?[\d_]*|)$", re.IGNORECASE)


class Scalar:
    """A scalar of a proxy's type: its offset, and the type and field that it is."""

    def __init__(self, owner, index, path, offset, spelling, padding):
        self.owner = owner  # name of the type that has the field
        self.index = index  # of the field in that type; None if the type itself is a scalar
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
        """Return the (offset, type) of all scalars that are not padding. Types with equal results are the same to the driver."""
        return [(scalar.offset, scalar.type) for scalar in self.scalars(name) if not scalar.padding]

    def node_for(self, version):
        """Return the node that is valid at a version: the version's own node, or else the newest older node."""
        key = lambda text: [int(part) for part in text.split(".")]  # noqa: E731
        if version in self.nodes:
            return self.nodes[version]
        older = [node for node in self.nodes.values() if key(node["version"]) <= key(version)]
        return max(older, key=lambda node: key(node["version"]))

    def view(self, version):
        """Return the entries at a version, {(family, name): entry}. A change to an entry changes the table."""
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
