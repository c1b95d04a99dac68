#!/usr/bin/env python3
"""Compare the output of drvabi gen with the document of one version. scripts/check-gen runs this script.

usage: compare.py c|rust|python FILE DOCUMENT

FILE is the output of drvabi gen --versions for all records of DOCUMENT, the document of one version (drvabi extract). FILE's
table says which definition a record has in this version. This definition must have all fields of the record, with the same
offsets and sizes, and all bit-fields at the same bits.

  python  imports FILE, and compares its classes
  rust    parses the text of FILE: its structs, and the layout! macros with which the compiler checks them
  c       prints a program that includes FILE. It does not compile if an offset is wrong, and fails if a bit-field is wrong

One line with the number of compared items is printed (for C on standard error).
Exit status: 0 if all are equal, 1 if there is a difference.
"""
import ctypes
import importlib.util
import json
import re
import sys


class Compared:
    """The compared items and the faults that were found so far."""

    def __init__(self):
        self.records, self.fields, self.bits = set(), set(), set()
        self.faults = []

    def fault(self, text):
        self.faults.append(text)

    def equal(self, what, found, wanted):
        if found != wanted:
            self.fault(f"{what}: {found}, but {wanted} in the document")

    def __str__(self):
        return f"{len(self.records)} records, {len(self.fields)} fields, {len(self.bits)} bit-fields"


def element(type_text):
    """Return a field's type without its dimensions."""
    return re.sub(r"(\[\d*\])+$", "", type_text)


def first_bit(field):
    """Return the offset of a bit-field's first bit from the start of the record."""
    return field["bit_offset"]


# --- Python ---------------------------------------------------------------------------


def load(path):
    spec = importlib.util.spec_from_file_location("generated", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def class_of(field_type):
    while hasattr(field_type, "_length_"):
        field_type = field_type._type_
    return field_type


def compare_bits(out, what, found, name, field, size):
    record = found()
    setattr(record, name, -1)
    wanted = (1 << field["bit_width"]) - 1 << first_bit(field)
    out.equal(what, bytes(record).hex(), wanted.to_bytes(size, "little").hex())
    out.bits.add(what)


def compare_class(out, document, record, found, seen):
    if (record, found) in seen:
        return
    seen.add((record, found))
    facts = document["records"][record]
    out.records.add(record)
    out.equal(f"{record}: size", ctypes.sizeof(found), facts["size"])
    types = {name: field_type for name, field_type in getattr(found, "_fields_", [])}
    anonymous = iter(getattr(found, "_anonymous_", ()))
    for field in facts["fields"]:
        what = f"{record}.{field['name']}"
        name = next(anonymous, None) if not field["name"] else field["name"]
        name = name if hasattr(found, name or "") else f"{name}_"
        if not hasattr(found, name):
            out.fault(f"{what} is missing")
        elif "bit_width" in field:
            compare_bits(out, what, found, name, field, facts["size"])
        else:
            out.fields.add((record, field["name"], field["offset"]))
            out.equal(f"{what}: offset", getattr(found, name).offset, field["offset"])
            out.equal(f"{what}: size", getattr(found, name).size, field["size"])
            inner = class_of(types[name])
            if element(field["type"]) in document["records"] and hasattr(inner, "_fields_"):
                compare_class(out, document, element(field["type"]), inner, seen)


def compare_python(out, path, document):
    generated, seen = load(path), set()
    for record in document["records"]:
        if "::" not in record:
            compare_class(out, document, record, generated.layout(record, document["version"]), seen)


# --- Rust -----------------------------------------------------------------------------

RUST_WORDS = {"u8": 1, "i8": 1, "u16": 2, "i16": 2, "u32": 4, "i32": 4, "u64": 8, "i64": 8, "f32": 4, "f64": 8,
              "*mut core::ffi::c_void": 8}


class Rust:
    """A generated Rust file, parsed into dictionaries."""

    def __init__(self, text):
        self.aliases = dict(re.findall(r"^pub type (\w+) =\s+(.*);$", text, re.M))
        self.checks = {}
        for name, size, _, body in re.findall(r"^layout! { (\w+), (\d+), (\d+), {\n?((?:    .*\n)*)} }$", text, re.M):
            self.checks[name] = (int(size), {k: int(v) for k, v in re.findall(r"^    ([\w#]+): (\d+),$", body, re.M)})
        self.accessors = {}
        for name, body in re.findall(r"^bit_fields! { (\w+), {\n((?:    .*\n)*)} }$", text, re.M):
            self.accessors[name] = {k: (storage, int(first), int(width)) for k, storage, first, width in
                                    re.findall(r"^    ([\w#]+): \w+, \w+, (\w+), (\d+), (\d+);$", body, re.M)}
        self.fields = {}
        self.remarks = {}
        for name, body in re.findall(r"^pub (?:struct|union) (\w+) {\n?((?:    .*\n)*)}$", text, re.M):
            self.fields[name] = dict(re.findall(r"^    pub ([\w#]+):\s+(.*),$", body, re.M))
            self.remarks[name] = re.findall(r"^    // (bit-fields .*)\n    pub ([\w#]+):", body, re.M)
        versions = re.search(r"^pub const VERSIONS.*?^\];$", text, re.M | re.S).group()
        self.versions = re.findall(r'^    "(.*)",$', versions, re.M)
        self.layouts = re.findall(r'record: "(\w+)", definition: "(\w+)", size: \d+, first: (\d+), last: (\d+)', text)

    def base(self, type_text):
        """Resolve aliases and arrays. Return the type of the elements and their number."""
        count = 1
        while True:
            array = re.fullmatch(r"\[(.*); (\d+)\]", type_text)
            if array:
                type_text, count = array.group(1), count * int(array.group(2))
            elif type_text in self.aliases:
                type_text = self.aliases[type_text]
            else:
                return type_text, count

    def size(self, type_text):
        base, count = self.base(type_text)
        return count * (RUST_WORDS[base] if base in RUST_WORDS else self.checks[base][0])


def spelled(name, names):
    """Return the Rust spelling of a field (NAME, r#NAME or NAME_) that is in @names, or None."""
    return next((n for n in (name, f"r#{name}", f"{name}_") if n in names), None)


def bit_fields(rust, definition):
    """Return {name: (first bit, width)} of the bit-fields in comments. If a bit-field has functions, the bits that they read are returned."""
    found, functions = {}, rust.accessors.get(definition, {})
    for remark, storage in rust.remarks[definition]:
        for name, width, first in re.findall(r"(\w+): (\d+) bits? from bit (\d+)", remark):
            function = functions.get(spelled(name, functions))
            storage, first, width = function or (storage, first, width)
            found[name] = (rust.checks[definition][1][storage] * 8 + int(first), int(width))
    return found


def compare_struct(out, document, record, rust, definition, seen):
    definition = rust.base(definition)[0]
    if (record, definition) in seen:
        return
    seen.add((record, definition))
    facts = document["records"][record]
    size, offsets = rust.checks[definition]
    out.records.add(record)
    out.equal(f"{record}: size", size, facts["size"])
    bits, anonymous = bit_fields(rust, definition), 0
    for field in facts["fields"]:
        what, name = f"{record}.{field['name']}", field["name"]
        if "bit_width" in field:
            out.bits.add(what)
            out.equal(what, bits.get(name), (first_bit(field), field["bit_width"]))
            continue
        if not name:
            name, anonymous = f"anon_{anonymous}", anonymous + 1
        name = spelled(name, offsets)
        if not name:
            out.fault(f"{what} is missing")
            continue
        out.fields.add((record, field["name"], field["offset"]))
        out.equal(f"{what}: offset", offsets[name], field["offset"])
        out.equal(f"{what}: size", rust.size(rust.fields[definition][name]), field["size"])
        inner = rust.base(rust.fields[definition][name])[0]
        if element(field["type"]) in document["records"] and inner in rust.checks:
            compare_struct(out, document, element(field["type"]), rust, inner, seen)


def compare_rust(out, path, document):
    with open(path, encoding="utf-8") as file:
        rust = Rust(file.read())
    at, seen = rust.versions.index(document["version"]), set()
    found = {record: definition for record, definition, first, last in rust.layouts if int(first) <= at <= int(last)}
    for record in document["records"]:
        if "::" in record:
            continue
        if record not in found:
            out.fault(f"{record} is missing")
        else:
            compare_struct(out, document, record, rust, found[record], seen)


# --- C --------------------------------------------------------------------------------


def c_table(text, version):
    """Return {record: definition} for a version, from the table in the file."""
    versions = re.search(r"_abi_versions\[\].*?^};$", text, re.M | re.S).group()
    at = re.findall(r'^\t"(.*)",$', versions, re.M).index(version)
    rows = re.findall(r'^\t{ "(\w+)", "(\w+)", sizeof\(\w+\), (\d+), (\d+) }', text, re.M)
    return {record: definition for record, definition, first, last in rows if int(first) <= at <= int(last)}


def c_fields(out, document, record, path, base):
    """Yield (path, offset, size, False) for each field that offsetof() accepts, and (path, first bit, width, True) for each bit-field."""
    out.records.add(record)
    for field in document["records"][record]["fields"]:
        here = path + field["name"]
        if "bit_width" in field:
            out.bits.add((record, field["name"]))
            yield here, base * 8 + first_bit(field), field["bit_width"], True
            continue
        if field["name"]:
            out.fields.add((record, field["name"], field["offset"]))
            yield here, base + field["offset"], None if field["type"].endswith("[]") else field["size"], False
        inner = element(field["type"])
        if "::" in inner and inner in document["records"]:
            here += "[0]" * field["type"][len(inner):].count("[") + "." if field["name"] else ""
            yield from c_fields(out, document, inner, here, base + field["offset"])


def compare_c(out, path, document):
    with open(path, encoding="utf-8") as file:
        found = c_table(file.read(), document["version"])
    checks = []
    print(f'#include "{path}"\n#include <stdio.h>\n#include <string.h>\n')
    for record, facts in document["records"].items():
        if "::" in record:
            continue
        if record not in found:
            out.fault(f"{record} is missing")
            continue
        name = found[record]
        print(f'_Static_assert(sizeof({name}) == {facts["size"]} && _Alignof({name}) == {facts["align"]}, "{name}");')
        for field, at, size, is_bits in c_fields(out, document, record, "", 0):
            if is_bits:
                checks.append(f"\tBITS({name}, {field}, {at}, {size});")
                continue
            print(f'_Static_assert(offsetof({name}, {field}) == {at}, "{name}.{field}");')
            if size is not None:
                print(f'_Static_assert(sizeof((({name} *)0)->{field}) == {size}, "{name}.{field}");')
    print("""
static int failed;

#define BITS(type, field, first, width) do { \\
	type record; \\
	unsigned char wanted[sizeof(record)]; \\
	memset(&record, 0, sizeof(record)); \\
	memset(wanted, 0, sizeof(wanted)); \\
	record.field = ~record.field; \\
	for (unsigned bit = (first); bit < (first) + (width); bit++) \\
		wanted[bit / 8] |= 1u << bit % 8; \\
	if (memcmp(&record, wanted, sizeof(wanted))) { \\
		printf("%s.%s\\n", #type, #field); \\
		failed = 1; \\
	} \\
} while (0)

int main(void)
{""")
    print("\n".join(checks))
    print("\treturn failed;\n}")


def main():
    language, path, document = sys.argv[1:4]
    with open(document, encoding="utf-8") as file:
        document = json.load(file)
    out = Compared()
    {"c": compare_c, "rust": compare_rust, "python": compare_python}[language](out, path, document)
    if out.faults:
        print("\n".join(out.faults[:20]), file=sys.stderr)
        return 1
    print(out, file=sys.stderr if language == "c" else sys.stdout)
    return 0


sys.exit(main())
