"""What a driver's document says, as far as a planted fault needs it: read without any of drvabi's own code."""
import re

SPELLED = re.compile(r"^(.*?)((?:\[\d*\])*)$")
PADDING = re.compile(r"^_*(padding|pad|reserved|rsvd|unused)[\d_]*$", re.IGNORECASE)


def spelled(text):
    """A type as fields spell it. Return: (base, dimensions)."""
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
    """A name without what two languages write differently."""
    return last_name(name).replace("_", "").lower()


class Leaf:
    """A scalar of a record: arrays of records are written out, members of unions stand side by side."""

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
        """A pointer or a descriptor of the application's; an address of the kernel's own is nothing to translate."""
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
        """The record that a name means, through typedefs of arrays too. Return: (record's name or None, dimensions)."""
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
        """Where a record is declared; equal for all names of one declaration."""
        return self.records[name].get("source") if name in self.records else name

    def witness(self, family, entry):
        """What the driver itself says that an entry takes: its tables, or the custom of names; None if neither does."""
        ioctl = self.ioctls.get((family, entry["number"]))
        if ioctl:
            return ioctl.get("params")
        name = (entry["constant"] or "").replace("_CTRL_CMD_", "_CTRL_", 1) + "_PARAMS"
        return name if name in self.records else None
