"""A proxy table, and the differences between two tables at a version."""
import json

from .program import normal

WIDTHS = {"uint8": 1, "uint16": 2, "uint32": 4, "uint64": 8, "int8": 1, "int16": 2, "int32": 4, "int64": 8}


class Table:
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            data = json.load(file)
        self.types = data["types"]
        self.nodes = {node["version"]: node for node in data["versions"]}

    def parent(self, version):
        return self.nodes[version]["parent"]

    def view(self, version):
        """Return the entries at a version, {(family, name): entry}."""
        if not version:
            return {}
        entries = dict(self.view(self.parent(version)))
        for family, changed in self.nodes[version].get("ioctls", {}).items():
            entries.update({(family, name): entry for name, entry in changed.items()})
        return {key: entry for key, entry in entries.items() if entry}

    def size(self, name):
        return WIDTHS.get(name) or self.types[name]["size"]

    def scalars(self, spelling, at=0, role=""):
        """Return {offset: (type, role)} for all scalars except padding."""
        name, *dimensions = spelling.split("[")
        count = 1
        for one in dimensions:
            count *= int(one.rstrip("]"))
        found = {}
        for index in range(count):
            self.add_scalars(found, name, at + index * self.size(name), role)
        return found

    def add_scalars(self, found, name, at, role):
        if name in WIDTHS:
            found[at] = (name, role)
            return
        kind = self.types[name]
        role = kind.get("role", "") or role
        if "alias" in kind:
            found.update(self.scalars(kind["alias"], at, role))
        for field in kind.get("fields", []):
            if field["name"] != "_" and not field["name"].lower().startswith("pad"):
                found.update(self.scalars(field["type"], at + field["offset"], role))

    def structs(self, entry):
        """Return the driver's structs of an entry, each with the layout of the proxy's type, or None if the struct is unread."""
        return [(one["driver"], one["proxy"] and (self.size(one["proxy"]), self.scalars(one["proxy"]))) for one in entry["structs"]]

    def facts(self, entry):
        return entry and (entry["number"], entry["constant"], sorted(entry["caps"]), self.structs(entry))

    def by_number(self):
        """Return {normal spelling: entries} of all versions."""
        return {normal(version): self.view(version) for version in self.nodes}

    def text(self, entry):
        return " ".join("%s as %s" % (one["driver"], "%s (%d bytes)" % (one["proxy"], self.size(one["proxy"])) if one["proxy"] else "bytes") for one in entry["structs"])


def differences(ours, hand, version, base, candidates):
    """Compare two tables at a version. @base is the view of the parent.

    Return the differences as lines, and the entries that were added by hand as (names, line).
    """
    wrong, added = [], []
    a, b = ours.view(version), hand.view(version)
    for key in sorted(set(a) | set(b)):
        label = "%s %s %s: " % (version, *key)
        if key not in a:
            if key in base:
                wrong.append(label + "removed by the patch only")
            else:
                names = [key[1]] + [one["proxy"] for one in b[key]["structs"] if one["proxy"]]
                added.append((names, label + ("a candidate" if key in candidates else "not a candidate, because the driver has it at the parent")))
        elif key not in b:
            wrong.append(label + ("removed by hand only" if key in base else "added by the patch only"))
        elif a[key]["number"] != b[key]["number"]:
            wrong.append(label + "0x%x by the patch, 0x%x by hand" % (a[key]["number"], b[key]["number"]))
        elif ours.structs(a[key]) != hand.structs(b[key]):
            wrong.append(label + "%s by the patch, %s by hand" % (ours.text(a[key]), hand.text(b[key])))
        elif a[key]["caps"] != b[key]["caps"]:
            wrong.append(label + "%s by the patch, %s by hand" % (",".join(a[key]["caps"]), ",".join(b[key]["caps"])))
    return wrong, added
