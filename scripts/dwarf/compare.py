"""Compare a "drvabi-abi/1" document with facts from DWARF. The differences are returned as text."""
import re

KEYWORD = re.compile(r"\b(?:struct|union|enum) ")
QUALIFIER = re.compile(r"^(?:const |volatile |restrict )+")
DIMENSIONS = re.compile(r"((?:\[\d*\])+)\Z")


def is_declarator(text):
    """Return whether a type ends with a group such as "(*)". Brackets after it are not dimensions of the type itself."""
    depth, start = 0, len(text)
    while text.endswith(")") and start and (depth or start == len(text)):
        start -= 1
        depth += {")": 1, "(": -1}.get(text[start], 0)
    return text[start:].startswith("(*")


def split_type(text):
    """"T[4][2]" -> "T", "[4][2]"; "void (*[3])(int)" -> "void (*)(int)", "[3]"."""
    inside = re.search(r"\(\*((?:\[\d*\])+)\)\(", text)
    if inside:
        return text[:inside.start(1)] + text[inside.end(1):], inside[1]
    found = DIMENSIONS.search(text)
    if not found or is_declarator(text[:found.start()]):
        return text, ""
    return text[:found.start()], found[1]


def number(value):
    return int(value, 0) if isinstance(value, str) else value


class Document:
    """A "drvabi-abi/1" document with the same members as Facts."""

    def __init__(self, document):
        self.records, self.aliases, self.enums = document["records"], document["aliases"], document["enums"]
        self.constants, self.warnings = document["constants"], document.get("warnings", [])

    def identity(self, canonical):
        """Return (declaration, dimensions) of a canonical type. The declaration is the same for all names of a record or enum."""
        base, dimensions = split_type(KEYWORD.sub("", canonical))
        plain = QUALIFIER.sub("", base)
        for named in (self.records, self.enums):
            if plain in named:
                return named[plain]["source"], dimensions
        return base, dimensions

    def canonical(self, spelled):
        """Return (declaration or canonical type, all dimensions) of a field's type."""
        base, dimensions = split_type(spelled)
        if base in self.records or base in self.enums or base not in self.aliases:
            return self.identity(spelled)
        inner, below = self.identity(self.aliases[base]["type"])
        return inner, dimensions + below

    def element_size(self, spelled):
        base = split_type(spelled)[0]
        for name in (base, QUALIFIER.sub("", base)):
            for named in (self.records, self.enums, self.aliases):
                if name in named:
                    return named[name]["size"]
        return None

    def is_array_alias(self, spelled):
        """Return whether a type has dimensions of its own on a typedef of an array. gcc's DWARF merges both."""
        base, dimensions = split_type(spelled)
        qualified = base.startswith(("const ", "volatile "))
        return (dimensions != "" or qualified) and base in self.aliases and "[" in self.aliases[base]["type"]

    def fields(self, name):
        """Return the fields without unnamed bit-fields, which gcc's DWARF does not list."""
        return [field for field in self.records[name]["fields"] or [] if field["name"] or "bit_width" not in field]


def differ(what, document, witnessed):
    return [] if document == witnessed else [f"{what} is {document}, but {witnessed} in DWARF"]


def compare_field(document, field, witnessed):
    name = field["name"] or "(unnamed)"
    is_bits = "bit_width" in field
    offset = field["bit_offset"] if is_bits else 8 * field["offset"]
    found = differ(f"{name}: bit offset", offset, witnessed["offset"])
    if is_bits:
        found += differ(f"{name}: byte of the bit offset", field["offset"], field["bit_offset"] // 8)
    found += differ(f"{name}: measured in", "bits" if is_bits else "bytes", witnessed["unit"])
    found += differ(f"{name}: size in bits", field["bit_width"] if is_bits else 8 * field["size"], witnessed["size"])
    if not document.is_array_alias(field["type"]):
        found += differ(f"{name}: type", field["type"], witnessed["type"])
        found += differ(f"{name}: element size", document.element_size(field["type"]), witnessed["element"])
    found += differ(f"{name}: dims", field.get("dims"), witnessed["dims"])
    found += differ(f"{name}: canonical type", document.canonical(field["type"]), document.identity(witnessed["canonical"]))
    return found


def compare_fields(document, name, witnessed):
    fields = document.fields(name)
    ours, theirs = [field["name"] for field in fields], [field["name"] for field in witnessed]
    if ours != theirs:
        lost = [name for name in theirs if name not in ours]
        more = [name for name in ours if name not in theirs]
        return [f"has {len(ours)} members, but {len(theirs)} in DWARF; not extracted: {lost}; not in DWARF: {more}"]
    return [text for field, other in zip(fields, witnessed) for text in compare_field(document, field, other)]


def compare_record(document, facts, name):
    record, witnessed = document.records[name], facts.records[name]
    found = differ("kind", "union" if record["is_union"] else "struct", witnessed["kind"])
    found += differ("size", record["size"], witnessed["size"])
    if witnessed["align"] is not None:
        found += differ("alignment", record["align"], witnessed["align"])
    return found + compare_fields(document, name, facts.fields[name])


def compare_alias(document, facts, name):
    alias, witnessed = document.aliases[name], facts.aliases[name]
    ours, theirs = document.identity(alias["type"]), document.identity(witnessed["canonical"])
    if theirs[1] and QUALIFIER.sub("", ours[0]) == theirs[0]:
        theirs = ours  # "const row", where row is a typedef of an array: C makes the elements const, but DWARF only the array
    found = differ("canonical type", ours, theirs)
    if witnessed["size"]:  # void and functions have no size
        found += differ("size", alias["size"], witnessed["size"])
    return found


def compare_enum(document, facts, name):
    one, witnessed = document.enums[name], facts.enums[name]
    values = {key: number(value) for key, value in one["values"].items()}
    found = differ("type", one["type"], witnessed["canonical"]) + differ("size", one["size"], witnessed["size"])
    for key in sorted(values.keys() | witnessed["values"].keys()):
        found += differ(f"value {key}", values.get(key), witnessed["values"].get(key))
    return found


def compare_names(kind, ours, theirs, excused, optional):
    found = [f"{kind} {name}: not extracted" for name in sorted(theirs - ours - optional)]
    return found + [f"{kind} {name}: not in DWARF" for name in sorted(ours - theirs - excused)]


def compare_loose(document, loose):
    """Compare the enumerators of enums without a name. drvabi names such an enum after its first enumerator, "::FIRST_t"."""
    found = {name: number(value) for name, value in document.constants.items() if name in loose}
    for name, enum in document.enums.items():
        if name.startswith("::"):
            found.update({key: number(value) for key, value in enum["values"].items()})
    return [text for name in sorted(found.keys() | loose.keys())
            for text in differ(f"enumerator {name}: value", found.get(name), loose.get(name))]


def excused_names(document, facts, kind):
    """Return the names that can be in the document, but need not be in DWARF."""
    if kind == "enum":
        return {name for name in document.enums if name.startswith("::")}
    if kind == "alias":  # typedefs of the compiler's own headers differ between compilers; enums are aliases, too
        enums = {name for name in document.aliases if QUALIFIER.sub("", name) in document.enums}
        below_typedef = {name for name in document.aliases if QUALIFIER.sub("", name) in document.aliases.keys() - {name}}
        return enums | below_typedef | set(facts.builtins)
    return set()


def optional_names(document, facts):
    """Return the names that the document need not have.

    They include the element types of typedefs of arrays: gcc's DWARF merges such a typedef with the dimensions of a field."""
    return set(facts.optional) | {split_type(alias["type"])[0] for alias in document.aliases.values() if "[" in alias["type"]}


def compare(document, facts):
    """Return all differences. Each begins with the kind and name of the item."""
    document = Document(document)
    found = []
    for kind, ours, theirs, one in (("record", document.records, facts.records, compare_record),
                                    ("alias", document.aliases, facts.aliases, compare_alias),
                                    ("enum", document.enums, facts.enums, compare_enum)):
        found += compare_names(kind, ours.keys(), theirs.keys(), excused_names(document, facts, kind), optional_names(document, facts))
        for name in sorted(ours.keys() & theirs.keys()):
            found += [f"{kind} {name}: {text}" for text in one(document, facts, name)]
    found += compare_loose(document, facts.loose)
    for name in facts.conflicts:
        if not any(name in warning["text"] for warning in document.warnings):
            found.append(f"{name}: two units define it differently, and no warning reports this")
    return found
