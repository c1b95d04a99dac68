"""All faults that can be planted in a table at one version, and the rules that must find them.

The following changes are not planted, because a table with such a change is as
correct as before, or because the driver's source cannot show that it is wrong:

  - a change of the proxy's padding, or padding in place of a field that the
    driver names reserved or padding
  - a new name for a field, if no other field of the struct has this name: the
    proxy chooses its names (an exchange of the names of two fields is a fault)
  - an exchange of two adjacent fields of one type, if their names differ from
    the driver's
  - a different width or sign of an integer that holds bit-fields, if it still
    covers them: the C compiler chooses the width of their unit
  - a different struct in an entry for which the driver states none: no table
    of the driver has the entry, and no record has the conventional name
  - a typedef in place of its tag, or the reverse
  - a different number for an entry without a macro in the table, if the driver
    has no method with its name either
  - passing on a struct unread, if it has no pointer or file descriptor: the
    struct is simple
"""
import copy

from .driver import plain, product, spelled
from .table import WIDTH

LAYOUT = {"size", "field-offset", "field-type", "field-missing", "padding-overlap", "not-simple"}


class Fault:
    """A fault: how to plant it, and the entries and rules of the expected finding."""

    def __init__(self, kind, what, entries, rules, plant):
        self.kind = kind
        self.what = what
        self.entries = entries  # the finding must be at one of these (family, name)
        self.rules = rules      # and by one of these rules
        self.plant = plant      # changes the table in place


class Use:
    """A scalar of a proxy's type in an entry at a version, and the driver's scalars at the same offset."""

    def __init__(self, entry, scalar, leaves):
        self.entry = entry
        self.scalar = scalar
        self.leaves = leaves


class Faults:
    def __init__(self, table, driver, version):
        self.table = table
        self.driver = driver
        self.version = version
        self.view = table.view(version)
        self.uses = {}      # (type, field) -> [Use]
        self.reached = {}   # type -> {(family, name)}
        self.inner = set()  # types that other types contain
        for key, entry in self.view.items():
            for one in entry["structs"]:
                if one["proxy"] and driver.has(one["driver"]):
                    self.note_uses(key, one)
        for name in table.types:
            for field in table.types[name].get("fields", []):
                self.inner.add(spelled(field["type"])[0])

    def note_uses(self, key, one):
        record, _ = self.driver.record_of(one["driver"])
        there = {}
        for scalar in self.driver.leaves(record) if record else []:
            there.setdefault(scalar.offset, []).append(scalar)
        for scalar in self.table.scalars(one["proxy"]):
            self.reached.setdefault(scalar.owner, set()).add(key)
            self.uses.setdefault((scalar.owner, scalar.index), []).append(Use(key, scalar, there.get(scalar.offset, [])))
        self.reached.setdefault(one["proxy"], set()).add(key)

    # --- entries ------------------------------------------------------------

    def entry_fault(self, kind, key, what, rules, **changes):
        def plant(table):
            table.view(self.version)[key].update(copy.deepcopy(changes))
        return Fault(kind, f"{key[0]} {key[1]}: {what}", {key}, rules, plant)

    def has_method(self, key, entry):
        tail = plain(key[1]).split("ctrlcmd", 1)[-1]
        ioctl = self.driver.ioctls.get((key[0], entry["number"]))
        return bool(ioctl) and plain(ioctl["name"]).split("ctrlcmd", 1)[-1] == tail

    def numbers(self):
        taken = sorted((family, number) for family, number in self.driver.ioctls)
        for key, entry in self.view.items():
            if not entry["constant"] and not self.has_method(key, entry):
                continue
            for number in (entry["number"] ^ 1, entry["number"] + 0x10):
                yield self.entry_fault("number", key, f"number {entry['number']:#x} is {number:#x}", {"number", "reused-number"},
                                       number=number)
            other = next((number for family, number in taken if family == key[0] and number > entry["number"]), None)
            if other:
                yield self.entry_fault("reused number", key, f"number {entry['number']:#x} is {other:#x}, of a different ioctl", {"reused-number"},
                                       number=other)
            if entry["constant"]:
                yield self.entry_fault("macro", key, "the macro is misspelled", {"number"}, constant=entry["constant"] + "X")

    def caps(self):
        for key, entry in self.view.items():
            for word in ("graphic", "Compute", "all"):
                yield self.entry_fault("capability", key, f"'{word}' is added to the capabilities", {"caps"}, caps=entry["caps"] + [word])

    def handlers(self):
        """Handlers that unmarshal a type that the entry does not have."""
        names = sorted(self.table.types)
        for key, entry in self.view.items():
            read = {one["proxy"] for one in entry["structs"]}
            for other in [name for name in names if name not in read][:2] if "handler" in entry else []:
                yield self.entry_fault("handler", key, f"the handler unmarshals {other}", {"handler"},
                                       handler={**entry["handler"], "type": other})

    def with_struct(self, key, index, **changes):
        structs = copy.deepcopy(self.view[key]["structs"])
        structs[index].update(changes)
        return structs

    def struct_fault(self, kind, key, index, what, rules, **changes):
        return self.entry_fault(kind, key, what, rules, structs=self.with_struct(key, index, **changes))

    def other_records(self, name):
        """Return up to three records that differ from @name: the next ones by name, and a distant one."""
        names = sorted(self.driver.records)
        start = names.index(name) if name in names else 0
        picked = []
        for step in (1, 2, 3, 5, 8, 13, 400):
            other = names[(start + step) % len(names)]
            if "::" not in other and self.driver.source(other) != self.driver.source(name) and other not in picked:
                picked.append(other)
        return picked[:3]

    def driver_signature(self, name):
        record, _ = self.driver.record_of(name)
        if not record:
            return None
        return self.driver.records[record]["size"], [(scalar.offset, scalar.type) for scalar in self.driver.leaves(record)]

    def wrong_structs(self):
        for key, entry in self.view.items():
            for index, one in enumerate(entry["structs"]):
                yield self.struct_fault("wrong struct", key, index, f"{one['driver']} is misspelled", {"missing-record"},
                                        driver=one["driver"] + "X")
                for other in self.other_records(one["driver"]):
                    if one["proxy"] and self.driver_signature(other) == self.driver_signature(one["driver"]):
                        continue
                    if not one["proxy"] and not self.driver.witness(key[0], entry):
                        continue
                    yield self.struct_fault("wrong struct", key, index, f"{one['driver']} is {other}", LAYOUT | {"surface"}, driver=other)

    def wrong_types(self):
        names = sorted(self.table.types)
        for key, entry in self.view.items():
            for index, one in enumerate(entry["structs"]):
                if not one["proxy"] or not self.driver.has(one["driver"]):
                    continue
                for step in (1, 7):
                    other = names[(names.index(one["proxy"]) + step) % len(names)]
                    if self.table.signature(other) == self.table.signature(one["proxy"]):
                        continue
                    yield self.struct_fault("wrong type", key, index, f"{one['driver']} is read as {other}", LAYOUT, proxy=other)

    def called_simple(self):
        for key, entry in self.view.items():
            for index, one in enumerate(entry["structs"]):
                record, _ = self.driver.record_of(one["driver"])
                if one["proxy"] and record and any(scalar.is_special() for scalar in self.driver.leaves(record)):
                    yield self.struct_fault("called simple", key, index, f"{one['driver']} is passed on unread", {"not-simple"},
                                            proxy=None)

    def hidden_records(self):
        """Return the records whose pointers and file descriptors are all inside unions or arrays of records."""
        found, seen = [], set()
        for name in sorted(self.driver.records):
            special = [scalar for scalar in self.driver.leaves(name) if scalar.is_special()] if "::" not in name else []
            if special and all(scalar.hidden for scalar in special) and self.driver.source(name) not in seen:
                seen.add(self.driver.source(name))
                found.append(name)
        return found

    def hidden_pointers(self):
        simple = [(key, index) for key, entry in self.view.items() for index, one in enumerate(entry["structs"]) if not one["proxy"]]
        for at, name in enumerate(self.hidden_records()):
            for turn in range(3):
                key, index = simple[(at * 3 + turn) % len(simple)]
                yield self.struct_fault("hidden pointer", key, index, f"takes {name}, passed on unread", {"not-simple"}, driver=name)

    # --- types --------------------------------------------------------------

    def type_fault(self, kind, name, what, rules, change):
        def plant(table):
            change(table.types[name])
        return Fault(kind, f"{name}: {what}", self.reached[name], rules, plant)

    def field_fault(self, kind, owner, index, rules, **changes):
        field = self.table.types[owner]["fields"][index]
        what = ", ".join(f"{field['name']}'s {key} {field.get(key)} is {value}" for key, value in changes.items())
        return self.type_fault(kind, owner, what, rules, lambda one: one["fields"][index].update(changes))

    def fields(self):
        """Yield (type, index, field, uses) for each field that is a scalar or an array of scalars, except padding."""
        for (name, index), uses in sorted(self.uses.items(), key=str):
            if index is not None and not any(use.scalar.padding for use in uses):
                yield name, index, self.table.types[name]["fields"][index], uses

    def room_behind(self, name, index):
        fields = self.table.types[name]["fields"]
        end = fields[index]["offset"] + self.table.size(fields[index]["type"])
        return (fields[index + 1]["offset"] if index + 1 < len(fields) else self.table.types[name]["size"]) - end

    def widths(self):
        for name, index, field, uses in self.fields():
            base, dimensions = spelled(field["type"])
            brackets = field["type"][len(base):]
            if base not in WIDTH or self.is_unit(uses):
                continue
            sign, bits = base.rstrip("0123456789"), 8 * WIDTH[base]
            if bits > 8:
                yield self.field_fault("width", name, index, LAYOUT, type=f"{sign}{bits // 2}{brackets}")
            if bits < 64 and self.room_behind(name, index) >= WIDTH[base] * product(dimensions):
                yield self.field_fault("width", name, index, LAYOUT, type=f"{sign}{bits * 2}{brackets}")

    def signs(self):
        for name, index, field, uses in self.fields():
            base, _ = spelled(field["type"])
            other = base[1:] if base.startswith("uint") else "u" + base
            if base in WIDTH and other in WIDTH and not self.is_unit(uses):
                yield self.field_fault("sign", name, index, {"field-type"}, type=other + field["type"][len(base):])

    def lengths(self):
        for name, fields in ((name, one.get("fields", [])) for name, one in sorted(self.table.types.items())):
            for index, field in enumerate(fields):
                base, dimensions = spelled(field["type"])
                if name not in self.reached or not dimensions or not self.is_met(name, index, base):
                    continue
                rest = "".join(f"[{number}]" for number in dimensions[1:])
                if dimensions[0] > 1:
                    yield self.field_fault("array length", name, index, LAYOUT, type=f"{base}[{dimensions[0] - 1}]{rest}")
                    yield self.field_fault("array length", name, index, LAYOUT, type=base)
                if self.room_behind(name, index) >= self.table.size(base + rest):
                    yield self.field_fault("array length", name, index, LAYOUT, type=f"{base}[{dimensions[0] + 1}]{rest}")

    def is_met(self, name, index, base):
        """Return true if a type in use has the field, and neither the field nor a field around it is padding."""
        if (name, index) in self.uses:
            return not any(use.scalar.padding for use in self.uses[name, index])
        return base in self.reached

    def lost_fields(self):
        for name, index, field, uses in self.fields():
            yield self.type_fault("lost field", name, f"{field['name']} is missing", LAYOUT,
                                  lambda one, at=index: one["fields"].pop(at))
            if any(use.leaves and not any(scalar.is_padding() for scalar in use.leaves) for use in uses):
                yield self.field_fault("lost field", name, index, LAYOUT, name="Pad99")

    def is_unit(self, uses):
        """Return true if the driver has only bit-fields at the offset of each use."""
        return all(use.leaves and all(scalar.is_bitfield for scalar in use.leaves) for use in uses)

    def is_named_alike(self, uses):
        return any(plain(scalar.path) == plain(use.scalar.path) for use in uses for scalar in use.leaves)

    def offsets(self):
        for name, index, field, uses in self.fields():
            fields = self.table.types[name]["fields"]
            if index + 1 == len(fields):
                continue
            after = fields[index + 1]
            moved = field["offset"] + self.table.size(after["type"])
            if after["offset"] == field["offset"] + self.table.size(field["type"]) and after["type"] != field["type"]:
                yield self.type_fault("offset", name, f"{field['name']} is after {after['name']}", LAYOUT,
                                      lambda one, at=index, to=moved: exchange(one["fields"], at, to))
            later = self.uses.get((name, index + 1), [])
            if (after["type"] == field["type"] and self.table.is_scalar(field["type"]) and self.is_named_alike(uses) and
                    self.is_named_alike(later) and plain(after["name"]) != plain(field["name"])):
                yield self.type_fault("offset", name, f"{field['name']} and {after['name']} are exchanged", {"field-offset"},
                                      lambda one, at=index: rename(one["fields"], at))

    def shifts(self):
        """Move a field and all that follow by 8 bytes, in a type that is 8 bytes larger."""
        for name, index, field, _ in self.fields():
            if name not in self.inner:
                yield self.type_fault("offset", name, f"{field['name']} and all following fields are moved by 8 bytes", LAYOUT,
                                      lambda one, at=index: shift(one, at, 8))

    def sizes(self):
        for name in sorted(self.reached):
            one = self.table.types[name]
            if name in self.inner or "fields" not in one:
                continue
            yield self.type_fault("size", name, f"size {one['size']} is {one['size'] + 8}", {"size"},
                                  lambda one: one.update(size=one["size"] + 8))
            last = one["fields"][-1] if one["fields"] else None
            if last and last["offset"] + self.table.size(last["type"]) < one["size"]:
                yield self.type_fault("size", name, f"size {one['size']} is one byte less", {"size"},
                                      lambda one: one.update(size=one["size"] - 1))

    def roles(self):
        for name, index, field, _ in self.fields():
            base, _ = spelled(field["type"])
            brackets = field["type"][len(base):]
            role = self.table.types.get(base, {}).get("role")
            size = self.table.size(base)
            if role == "pointer":
                yield self.field_fault("pointer as integer", name, index, {"field-type"}, type=f"uint{8 * size}{brackets}")
            elif role:
                yield self.field_fault("handle as integer", name, index, {"field-type"}, type=f"uint{8 * size}{brackets}")
            for other, one in self.table.types.items():
                if not role and one.get("role") and one["size"] == size and base in WIDTH:
                    yield self.field_fault(f"integer as {one['role']}", name, index, {"field-type"}, type=other + brackets)

    def bools(self):
        for name, index, field, _ in self.fields():
            if spelled(field["type"])[0] == "uint8":
                yield self.field_fault("integer as bool", name, index, {"field-type"}, type=field["type"].replace("uint8", "bool"))

    def all(self):
        for generate in (self.numbers, self.caps, self.handlers, self.wrong_structs, self.wrong_types, self.called_simple,
                         self.hidden_pointers, self.widths, self.signs, self.lengths, self.lost_fields, self.offsets, self.shifts, self.sizes, self.roles,
                         self.bools):
            yield from generate()


def exchange(fields, at, moved):
    """Exchange field @at with the next field. Field @at gets the offset @moved."""
    first, second = fields[at], fields[at + 1]
    second["offset"], first["offset"] = first["offset"], moved
    fields[at], fields[at + 1] = second, first


def rename(fields, at):
    fields[at]["name"], fields[at + 1]["name"] = fields[at + 1]["name"], fields[at]["name"]


def shift(one, at, by):
    for field in one["fields"][at:]:
        field["offset"] += by
    one["size"] += by
