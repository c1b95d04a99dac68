"""Plant faults in a document, one at a time, and check that the comparison finds each of them."""
import copy
import re

from dwarf.compare import compare, number, split_type


def first_field(document, wanted):
    for name, record in sorted(document["records"].items()):
        for field in record["fields"] or []:
            if wanted(field):
                return record, field
    return None, None


def plant_in_field(wanted, change):
    def plant(document):
        record, field = first_field(document, wanted)
        if field:
            change(record, field)
        return field is not None
    return plant


def plant_in_first(section, change):
    def plant(document):
        name = next((name for name in sorted(document[section]) if document[section][name].get("values", True)), None)
        if name:
            change(document[section], name)
        return name is not None
    return plant


def swap_dimensions(_, field):
    base, dimensions = split_type(field["type"])
    field["type"] = base + "".join(reversed(re.findall(r"\[\d*\]", dimensions)))


def is_plain(field):
    return "bit_width" not in field and "[" not in field["type"] and field["name"]


def is_table(field):
    sizes = re.findall(r"\[(\d+)\]", split_type(field["type"])[1])
    return len(sizes) == 2 and sizes[0] != sizes[1]


def grown(key):
    return lambda section, name: section[name].update({key: section[name][key] + 1})


def change_value(section, name):
    values = section[name]["values"]
    key = sorted(values)[0]
    values[key] = number(values[key]) + 1


FAULTS = {
    "offset of a field": plant_in_field(is_plain, lambda _, field: field.update(offset=field["offset"] + 1)),
    "size of a field": plant_in_field(is_plain, lambda _, field: field.update(size=field["size"] + 1)),
    "name of a field": plant_in_field(is_plain, lambda _, field: field.update(name=field["name"] + "x")),
    "a field lost": plant_in_field(is_plain, lambda record, field: record["fields"].remove(field)),
    "a field twice": plant_in_field(is_plain, lambda record, field: record["fields"].append(field)),
    "sign of a field": plant_in_field(lambda field: field["type"] in ("NvU32", "unsigned int"),
                                      lambda _, field: field.update(type="int")),
    "dimensions swapped": plant_in_field(is_table, swap_dimensions),
    "a dimension lost": plant_in_field(is_table, lambda _, field: field.update(type=re.sub(r"\[\d+\]\Z", "", field["type"]))),
    "dims lost": plant_in_field(lambda field: "dims" in field, lambda _, field: field.pop("dims")),
    "dims of a field that is not an array": plant_in_field(is_plain, lambda _, field: field.update(dims=[1])),
    "dims in a different order": plant_in_field(lambda field: field.get("dims", [])[::-1] != field.get("dims", []),
                                            lambda _, field: field["dims"].reverse()),
    "dims without the last": plant_in_field(lambda field: len(field.get("dims", [])) > 1, lambda _, field: field["dims"].pop()),
    "dims that give T[] a length": plant_in_field(lambda field: field.get("dims", [0])[0] is None,
                                                  lambda _, field: field.update(dims=[0] + field["dims"][1:])),
    "width of a bit-field": plant_in_field(lambda field: "bit_width" in field,
                                           lambda _, field: field.update(bit_width=field["bit_width"] + 1)),
    "position of a bit-field": plant_in_field(lambda field: "bit_width" in field,
                                              lambda _, field: field.update(bit_offset=field["bit_offset"] ^ 1)),
    "a flexible array of length 0": plant_in_field(lambda field: field["type"].endswith("[]"),
                                                   lambda _, field: field.update(type=field["type"][:-2] + "[0]")),
    "size of a record": plant_in_first("records", grown("size")),
    "alignment of a record": plant_in_first("records", grown("align")),
    "struct for union": plant_in_first("records", lambda section, name: section[name].update(is_union=not section[name]["is_union"])),
    "a record lost": plant_in_first("records", lambda section, name: section.pop(name)),
    "a record that is not in DWARF": plant_in_first("records", lambda section, name: section.update({name + "_x": section[name]})),
    "size of an alias": plant_in_first("aliases", grown("size")),
    "type of an alias": plant_in_first("aliases", lambda section, name: section[name].update(type="wchar_t")),
    "an alias lost": plant_in_first("aliases", lambda section, name: section.pop(name)),
    "an enum lost": plant_in_first("enums", lambda section, name: section.pop(name)),
    "an enumerator's value": plant_in_first("enums", change_value),
    "an enumerator lost": plant_in_first("enums", lambda section, name: section[name]["values"].popitem()),
}

SAMPLE = """
typedef unsigned int NvU32; typedef NvU32 row_t[8];
enum colour { RED = -1, GREEN };
typedef struct A_tag { NvU32 a; NvU32 t[4][2]; struct { NvU32 x; union { int y; void *z; }; } e[3]; row_t rows[2]; } A;
typedef volatile struct { NvU32 lo:3, hi:29; NvU32 tail[]; } B;
union U { enum colour c; void (*call)(int, const char *); struct A_tag *a; };
"""


def document_of(facts):
    """Return the document that drvabi should extract, according to @facts."""
    def field(one):
        base = {"name": one["name"], "type": one["type"], "offset": one["offset"] // 8}
        if one["unit"] == "bits":
            return {**base, "bit_offset": one["offset"], "bit_width": one["size"]}
        return {**base, "size": one["size"] // 8, **({"dims": list(one["dims"])} if one["dims"] else {})}

    aliases = {name: {"type": alias["canonical"], "size": alias["size"]} for name, alias in facts.aliases.items()}
    records = {name: {"fields": [field(one) for one in facts.fields[name]], "size": record["size"],
                      "align": record["align"] or 1, "is_union": record["kind"] == "union", "source": name.replace("_tag", "")}
               for name, record in facts.records.items()}
    enums = {name: {"type": enum["canonical"], "size": enum["size"], "values": enum["values"], "source": name}
             for name, enum in facts.enums.items()}
    return {"records": records, "aliases": aliases, "enums": enums, "constants": {}}


def self_test(subjects):
    """Plant each fault in each (label, document, facts). Return the numbers of checks that passed and failed."""
    passed = failed = 0
    for label, document, facts in subjects:
        for text in compare(document, facts)[:10]:
            print(f"{label}: before any fault: {text}")
            failed += 1
        excused = set(facts.builtins) | document["enums"].keys()
        for fault, plant in FAULTS.items():
            mutant = copy.deepcopy(document)
            mutant["aliases"] = {name: alias for name, alias in mutant["aliases"].items() if name not in excused}
            if not plant(mutant):
                print(f"{label}: {fault}: the document has no item for this fault")
                failed += label == "sample"
            elif compare(mutant, facts):
                passed += 1
            else:
                print(f"{label}: {fault}: not found")
                failed += 1
    return passed, failed
