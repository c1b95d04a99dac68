"""Generate pairs of headers that differ by known edits, with the changes that diff must report for each edit.

A driver is a few records, typedefs, enums, constants and ioctls, stored as objects and written as C. An edit changes one of them in the next
version, and returns the changes that must be reported. An expected change has an item, a field, and the possible classes of the change. It
depends only on the edit, never on diff's output.
"""
import copy

SCALARS = ["__u8", "__u16", "__u32", "__u64", "__s32", "char", "int", "unsigned long long", "_Bool", "short"]
SAME_SIZE = {"__u32": ["__s32", "int"], "__s32": ["__u32"], "int": ["__u32"], "__u64": ["__s64"], "unsigned long long": ["__s64"], "__u16": ["short"],
             "short": ["__u16"], "__u8": ["char", "_Bool"], "char": ["__u8"], "_Bool": ["__u8"]}
OTHER_SIZE = {"__u8": "__u16", "__u16": "__u64", "__u32": "__u64", "__u64": "__u32", "__s32": "__u16", "char": "__u32", "int": "__u8",
              "unsigned long long": "__u16", "_Bool": "__u32", "short": "__u8"}


class Field:
    """kind: scalar, record, pointer, typedef, enum, bits, inline (a record defined in place), or opaque (the same, without a name)"""

    def __init__(self, kind, name, type="", dims=(), body=None, width=0, union=False, align=0):
        self.kind, self.name, self.type, self.dims = kind, name, type, list(dims)
        self.body, self.width, self.union, self.align = body, width, union, align

    def text(self, indent="\t"):
        dims = "".join(f"[{one}]" for one in self.dims)
        align = f" __attribute__((aligned({self.align})))" if self.align else ""
        if self.body is not None:
            inside = "".join(field.text(indent + "\t") for field in self.body)
            return f"{indent}{'union' if self.union else 'struct'} {{\n{inside}{indent}}} {self.name}{dims}{align};\n"
        spelled = {"record": f"struct {self.type} ", "pointer": f"struct {self.type} *", "enum": f"enum {self.type} "}.get(self.kind, self.type + " ")
        return f"{indent}{spelled}{self.name}{f':{self.width}' if self.width else ''}{dims}{align};\n"


class Record:
    def __init__(self, name, fields, union=False):
        self.name, self.fields, self.union, self.align, self.packed = name, fields, union, 0, False

    def text(self):
        words = (["packed"] if self.packed else []) + ([f"aligned({self.align})"] if self.align else [])
        attributes_after = f" __attribute__(({', '.join(words)}))" if words else ""
        return f"{'union' if self.union else 'struct'} {self.name} {{\n{''.join(field.text() for field in self.fields)}}}{attributes_after};\n"


class Driver:
    """items: Record objects, and typedefs as {name, of, dims}, in the order in which they are defined"""

    def __init__(self):
        self.items, self.enums, self.constants, self.ioctls = [], {}, {}, {}

    def records(self):
        return [item for item in self.items if isinstance(item, Record)]

    def text(self):
        out = [f"struct {record.name};\n" for record in self.records() if not record.union]
        for name, values in self.enums.items():
            out.append(f"enum {name} {{ {', '.join(f'{key} = {value}' for key, value in values.items())} }};\n")
        for item in self.items:
            out.append(item.text() if isinstance(item, Record) else
                       f"typedef {item['of']}{item['name']}{''.join(f'[{one}]' for one in item['dims'])};\n")
        out += [f"#define {name} {value}\n" for name, value in self.constants.items()]
        out += [f"#define {name} _IOWR('t', {number}, {argument})\n" for name, (number, argument) in self.ioctls.items()]
        return "".join(out).replace("struct U", "union U")


class Expected:
    """A change that must be reported. It has the kind @kind, one of @names, one of @classes, and a field with one of @paths."""

    def __init__(self, edit, kind, names, paths=(), classes=(), align=None):
        self.edit, self.kind, self.names, self.paths, self.classes, self.align = edit, kind, set(names), set(paths), set(classes), align

    def is_reported_by(self, change):
        if change["kind"] != self.kind or not self.names & {change["name"], change.get("base_name"), *change.get("also", [])}:
            return False
        if self.align and not change["before"]["align"] < self.align <= change["after"]["align"]:
            return False
        fields = [field for field in change.get("fields", []) if not self.paths or self.paths & {(field.get(side) or {}).get("path") for side in ("before", "after")}]
        if self.paths and not fields and not {"added", "removed"} & set(change["classes"]):
            return False
        classes = {one for field in fields for one in field["classes"]} if self.paths else set(change["classes"])
        return not self.classes or bool(self.classes & (classes | ({"added", "removed"} & set(change["classes"]))))

    def __str__(self):
        return f"{self.edit}: a change of {self.kind} {' or '.join(sorted(self.names))}" + \
            (f", field {' or '.join(sorted(self.paths))}" if self.paths else "") + (f", of class {' or '.join(sorted(self.classes))}" if self.classes else "")


# --- a random driver

class Maker:
    def __init__(self, random):
        self.random, self.count, self.driver = random, 0, Driver()

    def name(self, stem):
        self.count += 1
        return f"{stem}{self.count}"

    def dims(self, least=0):
        return [self.random.randint(2, 5) for _ in range(self.random.choice([least, 1, 1, 2, 3]) or least)]

    def field(self, depth=0, bits=True, holder=None):
        """Return a random field. Its type is defined before the record @holder, if there is one."""
        known = self.driver.items[:self.driver.items.index(holder)] if holder else self.driver.items
        records, typedefs = [item for item in known if isinstance(item, Record)], [item for item in known if isinstance(item, dict)]
        kind = self.random.choices(["scalar", "array", "record", "pointer", "typedef", "enum", "bits", "inline", "opaque"],
                                   [6, 4, 3, 3, 2, 1, 2 if bits else 0, 2 if depth < 2 else 0, 1 if depth < 2 else 0])[0]
        name = self.name("f")
        if kind == "array":
            return Field("scalar", name, self.random.choice(SCALARS), self.dims(1))
        if kind == "record" and records:
            return Field("record", name, self.random.choice(records).name, self.random.choice([[], [], self.dims(1)]))
        if kind == "pointer" and records:
            return Field("pointer", name, self.random.choice(records).name, self.random.choice([[], [], self.dims(1)]))
        if kind == "typedef" and typedefs:
            return Field("typedef", name, self.random.choice(typedefs)["name"], self.random.choice([[], [], self.dims(1)]))
        if kind == "enum":
            return Field("enum", name, self.random.choice(list(self.driver.enums)))
        if kind == "bits":
            return Field("bits", name, self.random.choice(["__u32", "__u64", "__u8"]), width=self.random.randint(1, 7))
        if kind in ("inline", "opaque"):
            body = [self.field(depth + 1) for _ in range(self.random.randint(1, 3))]
            return Field(kind, name if kind == "inline" else "", dims=self.random.choice([[], self.dims(1)]) if kind == "inline" else [],
                         body=body, union=self.random.random() < 0.3)
        return Field("scalar", name, self.random.choice(SCALARS))

    def most(self, fields):
        """Return an upper bound of the size of @fields in bytes, for a record without an alignment attribute."""
        known = {item.name: item for item in self.driver.items if isinstance(item, Record)}
        typedefs = {item["name"]: item for item in self.driver.items if isinstance(item, dict)}
        total = 0
        for field in fields:
            body = field.body if field.body is not None else known[field.type].fields if field.kind == "record" else None
            size = 8 if body is None else self.most(body)
            for one in field.dims + (typedefs[field.type]["dims"] if field.kind == "typedef" else []):
                size *= one
            total += size
        return total

    def make(self):
        driver, random = self.driver, self.random
        for _ in range(2):
            driver.enums[self.name("e")] = {self.name("E"): random.randint(0, 9) + 10 * i for i in range(random.randint(2, 4))}
        for _ in range(random.randint(4, 9)):
            if driver.records() and random.random() < 0.3:
                pointer = random.random() < 0.5
                driver.items.append({"name": self.name("t"), "of": f"struct {random.choice(driver.records()).name} *" if pointer else random.choice(SCALARS) + " ",
                                     "dims": [] if pointer else self.dims(1)})
            union = random.random() < 0.15
            record = Record(self.name("U" if union else "r"), [self.field() for _ in range(random.randint(1, 7))], union)
            record.packed = random.random() < 0.15
            driver.items.append(record)
        driver.constants = {self.name("K_"): random.randint(0, 1000) for _ in range(3)}
        small = [record for record in driver.records() if self.most(record.fields) < 1 << 14] # the size field of an ioctl number has 14 bits
        for record in random.sample(small, min(2, len(small))):
            driver.ioctls[self.name("T_")] = (self.count % 200, f"struct {record.name}")
        for argument in random.sample(["unsigned[5]", "int[2][3]", "__u64", "struct %s *" % driver.records()[0].name], 2):
            driver.ioctls[self.name("T_")] = (self.count % 200, argument)
        return driver


# --- edits: each changes an item that no other edit has changed. Return the changes that must be reported, or None if nothing was changed

def places(fields, prefix=""):
    """Yield (list of fields, index, path prefix) for each field, including fields of records that are defined in place."""
    for index, field in enumerate(fields):
        yield fields, index, prefix
        if field.body is not None:
            yield from places(field.body, prefix + (field.name + "[]" * len(field.dims) + "." if field.name else ""))


class Edits:
    def __init__(self, maker, driver):
        self.maker, self.random, self.driver = maker, maker.random, driver
        self.taken = set()

    def record(self, wanted=lambda record: True):
        free = [record for record in self.driver.records() if record.name not in self.taken and wanted(record)]
        record = self.random.choice(free) if free else None
        if record:
            self.taken.add(record.name)
        return record

    def place(self, wanted):
        """Find a record that no edit has changed, with a field that @wanted accepts. Return the record and the field's place, or None values."""
        record = self.record(lambda record: any(wanted(fields[index]) for fields, index, _ in places(record.fields)))
        if not record:
            return None, None, None, None
        fields, index, prefix = self.random.choice([one for one in places(record.fields) if wanted(one[0][one[1]])])
        return record, fields, index, prefix

    def typedef(self, wanted):
        free = [item for item in self.driver.items if isinstance(item, dict) and item["name"] not in self.taken and wanted(item)]
        item = self.random.choice(free) if free else None
        if item:
            self.taken.add(item["name"])
        return item

    def users(self, name):
        """Return (record, path) for each field whose type is the typedef @name."""
        return [(record, prefix + fields[index].name) for record in self.driver.records() for fields, index, prefix in places(record.fields)
                if fields[index].kind == "typedef" and fields[index].type == name]

    def rename(self):
        record, fields, index, prefix = self.place(lambda field: field.name and field.kind != "inline")
        if record:
            old, fields[index].name = fields[index].name, self.maker.name("g")
            return [Expected("rename", "record", [record.name], [prefix + old, prefix + fields[index].name])]

    def move(self):
        record = self.record(lambda record: not record.union and len(record.fields) > 1)
        if record:
            i, j = self.random.sample(range(len(record.fields)), 2)
            record.fields[i], record.fields[j] = record.fields[j], record.fields[i]
            # Because of padding, one of the two can keep its offset. A field without a name, or one reported by its members, has no path to expect.
            paths = [field.name for field in (record.fields[i], record.fields[j]) if field.name and field.kind != "inline"]
            return [Expected("move", "record", [record.name], paths if len(paths) == 2 else [], {"layout", "translation"})]

    def insert(self):
        record, fields, index, prefix = self.place(lambda field: True)
        if record:
            fields.insert(index, Field("scalar", self.maker.name("n"), self.random.choice(SCALARS), self.random.choice([[], [3]])))
            return [Expected("insert", "record", [record.name], [prefix + fields[index].name], {"layout", "growth"})]

    def grow(self):
        record = self.record()
        if record:
            record.fields.append(self.maker.field(2, False, record))
            return [Expected("grow", "record", [record.name], [record.fields[-1].name], {"layout", "growth", "translation"})]

    def remove(self):
        record, fields, index, prefix = self.place(lambda field: field.name and field.kind != "inline")
        if record and len(fields) > 1:
            return [Expected("remove", "record", [record.name], [prefix + fields.pop(index).name], {"layout", "translation"})]

    def retype(self):
        record, fields, index, prefix = self.place(lambda field: field.kind == "scalar")
        if record:
            field = fields[index]
            field.type = self.random.choice([*SAME_SIZE[field.type], OTHER_SIZE[field.type]])
            return [Expected("retype", "record", [record.name], [prefix + field.name], {"layout", "name"})]

    def widen(self):
        record, fields, index, prefix = self.place(lambda field: field.kind == "bits")
        if record:
            fields[index].width += 1
            return [Expected("widen a bit-field", "record", [record.name], [prefix + fields[index].name], {"layout"})]

    def dims(self):
        record, fields, index, prefix = self.place(lambda field: len(set(field.dims)) > 1 or field.dims == [4])
        if record:
            field = fields[index]
            field.dims = self.random.choice([field.dims[::-1] if field.dims != field.dims[::-1] else [field.dims[0] * field.dims[1], *field.dims[2:]],
                                             [field.dims[0] * field.dims[1], *field.dims[2:]]]) if len(field.dims) > 1 else [2, 2]
            return [Expected("dimensions", "record", [record.name], [prefix + field.name], {"layout"})]

    def lengthen(self):
        record, fields, index, prefix = self.place(lambda field: field.dims)
        if record:
            fields[index].dims[self.random.randrange(len(fields[index].dims))] += 1
            return [Expected("length", "record", [record.name], [prefix + fields[index].name], {"layout"})]

    def wrap(self):
        record, fields, index, prefix = self.place(lambda field: field.kind not in ("bits", "opaque", "inline"))
        if record:
            field, more = fields[index], Field("scalar", self.maker.name("w"), "__u64")
            name = self.random.choice(["", self.maker.name("u")])
            fields[index] = Field("inline" if name else "opaque", name, body=[field, more], union=True)
            inside = prefix + (name + "." if name else "")
            reported = [Expected("wrap in a union", "record", [record.name], [inside + more.name], {"layout", "growth"})]
            return reported + ([Expected("wrap in a union", "record", [record.name], [prefix + field.name, inside + field.name])] if name else [])

    def align(self):
        record = self.record()
        if record:
            record.align = 64
            return [Expected("align", "record", [record.name], align=64)]

    def align_field(self):
        record, fields, index, prefix = self.place(lambda field: field.kind in ("scalar", "pointer"))
        if record:
            fields[index].align = 128
            if record.packed and fields is not record.fields:  # an inner record in a packed one is not aligned; it grows, perhaps beside a larger member
                return []
            return [Expected("align a field", "record", [record.name], align=None if record.packed else 128)]

    def retarget(self):
        record, fields, index, prefix = self.place(lambda field: field.kind == "pointer")
        others = [other.name for other in self.driver.records() if record and other.name != fields[index].type]
        if record and others:
            fields[index].type = self.random.choice(others)
            return [Expected("retarget", "record", [record.name], [prefix + fields[index].name], {"translation"})]

    def change_typedef(self):
        item = self.typedef(lambda item: item["dims"] or item["of"].endswith("*"))
        before = [(record.name, path) for record, path in self.users(item["name"])] if item else []
        if not item or self.taken & {name for name, _ in before}:
            return None
        if item["dims"]:
            item["dims"] = item["dims"][::-1] if item["dims"] != item["dims"][::-1] else [*item["dims"][:-1], item["dims"][-1] + 1]
        else:
            earlier = [other.name for other in self.driver.records() if f"struct {other.name} *" != item["of"]]
            if not earlier:
                return None
            item["of"] = f"struct {self.random.choice(earlier)} *"
        classes = {"layout"} if item["dims"] else {"translation"}
        self.taken |= {name for name, _ in before}
        return [Expected("typedef", "alias", [item["name"]], [], classes)] + \
            [Expected("typedef", "record", [name], [path], classes) for name, path in before]

    def rename_record(self):
        record = self.record(lambda record: not record.union)
        if record:
            old, new = record.name, self.maker.name("s")
            record.name = new
            self.taken.add(new)
            for other in self.driver.records():
                for fields, index, _ in places(other.fields):
                    if fields[index].kind in ("record", "pointer") and fields[index].type == old:
                        fields[index].type = new
            for item in self.driver.items:
                if isinstance(item, dict) and item["of"] == f"struct {old} *":
                    item["of"] = f"struct {new} *"
            for name, (number, argument) in self.driver.ioctls.items():
                words = argument.split(" ")
                if words[:2] == ["struct", old]:
                    self.driver.ioctls[name] = number, " ".join(["struct", new, *words[2:]])
            return [Expected("rename a record", "record", [old, new])]

    def enum(self):
        name = self.random.choice(list(self.driver.enums))
        if name in self.taken:
            return None
        self.taken.add(name)
        values = self.driver.enums[name]
        key = self.random.choice(list(values))
        what = self.random.choice(["value", "rename", "remove", "add"])
        if what == "value":
            values[key] += 100
        elif what == "add":
            values[self.maker.name("E")] = 77
        else:
            value = values.pop(key)
            if what == "rename":
                values[self.maker.name("E")] = value
        return [Expected(f"enumerator: {what}", "enum", [name], [], {"value", "name"})] if values else None

    def constant(self):
        free = [name for name in self.driver.constants if name not in self.taken]
        if free:
            name = self.random.choice(free)
            self.taken.add(name)
            if self.random.random() < 0.3:
                del self.driver.constants[name]
                return [Expected("remove a constant", "constant", [name], [], {"removed"})]
            self.driver.constants[name] += 1
            return [Expected("constant", "constant", [name], [], {"value"})]

    def ioctl(self):
        name = self.random.choice(list(self.driver.ioctls))
        number, argument = self.driver.ioctls[name]
        if name in self.taken:
            return None
        self.taken.add(name)
        other = {"unsigned[5]": "char[20]", "int[2][3]": "int[6]", "__u64": f"struct {self.driver.records()[0].name} *"}.get(argument)
        if argument.endswith("*"):
            other = self.random.choice(["__u64", "__u32[2]"])
        if not other or self.random.random() < 0.3:
            self.driver.ioctls[name] = number + 20, argument
            return [Expected("number", "ioctl", [name], [], {"number"})]
        self.driver.ioctls[name] = number, other
        return [Expected("argument", "ioctl", [name], [], {"translation"} if "*" in other + argument else {"layout"})]

    def add_record(self):
        record = Record(self.maker.name("a"), [self.maker.field(2) for _ in range(2)])
        self.driver.items.append(record)
        self.taken.add(record.name)
        return [Expected("add a record", "record", [record.name], [], {"added"})]


EDITS = ["rename", "move", "insert", "grow", "remove", "retype", "widen", "dims", "dims", "lengthen", "wrap", "wrap", "align", "align_field", "retarget",
         "change_typedef", "change_typedef", "rename_record", "enum", "constant", "ioctl", "ioctl", "add_record"]


def pair_by_chance(random):
    """Return two drivers and the list of changes that must be reported."""
    maker = Maker(random)
    base = maker.make()
    next_one = copy.deepcopy(base)
    maker.driver = next_one
    edits, expected, renamed = Edits(maker, next_one), [], False
    for _ in range(random.randint(1, 5)):
        name = random.choice(EDITS)
        if name == "rename_record" and renamed:
            continue
        before = copy.deepcopy(next_one.__dict__)
        reported = getattr(edits, name)()
        if reported is None:
            next_one.__dict__.update(before)
        else:
            expected += reported
        renamed |= name == "rename_record" and reported is not None
    return base, next_one, expected


def untouched(base, next_one):
    """Return the names of the records that are the same in both drivers, including all types that they contain."""
    def parts(driver):
        texts = {}
        for item in driver.items:
            name = item.name if isinstance(item, Record) else item["name"]
            texts[name] = item.text() if isinstance(item, Record) else str(item)
        texts.update({name: str(sorted(values)) + str(values) for name, values in driver.enums.items()})
        return texts

    def needs(driver, name, seen):
        if name in seen:
            return seen
        seen.add(name)
        for item in driver.items:
            if isinstance(item, Record) and item.name == name:
                for fields, index, _ in places(item.fields):
                    if fields[index].type and fields[index].kind != "pointer":
                        needs(driver, fields[index].type, seen)
        return seen

    was, now = parts(base), parts(next_one)
    return [record.name for record in next_one.records()
            if all(was.get(name) == now.get(name) for name in needs(next_one, record.name, set()))]
