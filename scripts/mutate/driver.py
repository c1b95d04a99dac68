"""The facts in a driver's ABI document that planting faults needs, read without any code of drvabi."""
import re

SPELLED = re.compile(r"^(.*?)((?:\[\d*\])*)$")
PADDING = re.compile(r"^_*(padding|pad|reserved|rsvd|unused)[\d_]*$", re.IGNORECASE)


def spelled(text):
    """Split the spelling of a field's type. Return (base, dimensions)."""
    base, brackets = SPELLED.match(text).groups()
    return base, [int(number or 0) for number in re.findall(r"\[(\d*)\]", brackets)]


def product(numbers):
    result = 1
    for number in numbers:
        result *= number
    return result


def last_name(path):
    return re.sub(r"\[\d*\]$", "", path.rsplit(".", 1)[-1])


def plain(name):
    """Return the last component of a name without underscores, in lower case, to compare names of two languages."""
    return last_name(name).replace("_", "").lower()


class Leaf:
    """A scalar of a record. Each element of an array of records has its own scalars, and so has each member of a union."""

    def __init__(self, path, offset, field, hidden):
        self.path = path
        self.offset = offset
        self.type = field["type"]
        self.role = field.get("role", "")
        self.hidden = hidden  # inside a union or an array of records
        self.is_bitfield = "bit_width" in field

    def is_padding(self):
        return bool(PADDING.match(last_name(self.path)))

    def is_special(self):
        """Return true for a pointer or a file descriptor of the application. A proxy does not translate the kernel's own addresses."""
        if self.role == "kernel-pointer":
            return False
        return self.role in ("pointer", "fd") or self.type.endswith("*") or self.path.lower().endswith("fd")


class Driver:
    def __init__(self, document):
        self.records = document["records"]
        self.aliases = document["aliases"]
        self.constants = document["constants"]
        self.ioctls = {}
        for ioctl in document["ioctls"]:
            self.ioctls.setdefault((ioctl["family"], ioctl["number"]), ioctl)
        self.flat = {}

    def record_of(self, base):
        """Resolve a name through typedefs, also of arrays. Return (name of the record or None, dimensions)."""
        dimensions = []
        for _ in range(64):
            if base in self.records:
                return base, dimensions
            alias = self.aliases.get(base)
            if not alias or alias["type"] == base:
                return None, dimensions
            base, more = spelled(alias["type"])
            dimensions += more
        return None, dimensions

    def leaves(self, name):
        if name not in self.flat:
            self.flat[name] = self.walk(name, "", 0, False)
        return self.flat[name]

    def walk(self, name, path, offset, hidden):
        leaves = []
        for field in self.records[name]["fields"]:
            inner = f"{path}.{field['name']}" if path and field["name"] else path or field["name"]
            base, dimensions = spelled(field["type"])
            record, more = self.record_of(base)
            below = hidden or self.records[name]["is_union"]
            if not record:
                leaves.append(Leaf(inner, offset + field["offset"], field, below))
                continue
            dimensions += more
            size = self.records[record]["size"]
            for index in range(product(dimensions)):
                there = f"{inner}[{index}]" if dimensions else inner
                leaves += self.walk(record, there, offset + field["offset"] + index * size, below or bool(dimensions))
        return leaves

    def has(self, name):
        return name in self.records or name in self.aliases

    def source(self, name):
        """Return where a record is declared, which is equal for all names of one declaration."""
        return self.records[name].get("source") if name in self.records else name

    def witness(self, family, entry):
        """Return the parameter record of an entry, from the driver's tables or from the convention of names; None if unknown."""
        ioctl = self.ioctls.get((family, entry["number"]))
        if ioctl:
            return ioctl.get("params")
        name = (entry["constant"] or "").replace("_CTRL_CMD_", "_CTRL_", 1) + "_PARAMS"
        return name if name in self.records else None
