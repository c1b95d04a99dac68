"""Facts about layouts, and how to read them from the output of layout.c."""
import re
import shlex
import subprocess


class Failure(Exception):
    """The check cannot be done; the text is the error message."""


def run(command, **options):
    """Return the output of a command. Raise Failure with its first error message if it fails."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, **options)
    except OSError as error:
        raise Failure(f"cannot run {command[0]}: {error.strerror}") from error
    if done.returncode:
        words = done.stderr.decode(errors="replace").strip().splitlines()
        first = next((line for line in words if "error" in line), words[-1] if words else "no message")
        raise Failure(f"{shlex.join(command[:4])} … failed with status {done.returncode}: {first}")
    return done.stdout


class Facts:
    """records: name -> {kind, size, align}, fields: name -> [field], aliases: name -> {canonical, size},
    enums: name -> {canonical, size, values}. Offsets and sizes of fields are in bits."""

    def __init__(self):
        self.records, self.fields, self.aliases, self.enums = {}, {}, {}, {}
        self.builtins = []   # typedefs of the compiler's own headers
        self.loose = {}      # enumerators of enums that have no name
        self.optional = []   # names that a document need not have
        self.conflicts = []  # names that two units define differently

    def leave_to_choice(self, needed):
        """Make all names optional that are not in @needed, which has the facts of this unit without the declarations of some headers."""
        for ours, theirs in ((self.records, needed.records), (self.aliases, needed.aliases), (self.enums, needed.enums)):
            self.optional += [name for name in ours if name not in theirs]
        self.loose = needed.loose

    def count(self):
        names = [name for name in self.records if "::" not in name]
        return len(names), sum(len(self.fields[name]) for name in names)


def dims_of(text):
    """Convert "[][8]" to [None, 8], and "-" to None."""
    if text == "-":
        return None
    return [int(digits) if digits else None for digits in re.findall(r"\[(\d*)\]", text)]


def same_member(one, other):
    return {**one, "canonical": ""} == {**other, "canonical": ""}


def read_unit(lines):
    """Parse the lines of layout.c. Return Facts and {record: C expression}."""
    facts, expressions, numbered = Facts(), {}, {}
    for line in lines.splitlines():
        what, *rest = line.split("\t")
        if what == "record":
            one = {"kind": rest[1], "size": int(rest[2]), "align": None}
            if facts.records.setdefault(rest[0], one) != one:
                facts.conflicts.append(rest[0])  # struct x and typedef ... x
            facts.fields.setdefault(rest[0], [])
            expressions.setdefault(rest[0], rest[3])
        elif what == "field":
            one = {"name": rest[2], "offset": int(rest[3]), "size": int(rest[4]), "unit": rest[5],
                   "type": rest[6], "canonical": rest[7], "element": int(rest[8]), "dims": dims_of(rest[9])}
            if not same_member(numbered.setdefault(rest[0], {}).setdefault(int(rest[1]), one), one):
                facts.conflicts.append(rest[0])
        elif what == "alias":
            facts.aliases[rest[0]] = {"canonical": rest[1], "size": int(rest[2]), "why": rest[3]}
        elif what == "enum":
            if rest[0]:
                facts.enums[rest[0]] = {"canonical": rest[1], "size": int(rest[2]), "values": {}}
        elif what == "value":
            (facts.enums[rest[0]]["values"] if rest[0] else facts.loose)[rest[1]] = int(rest[2])
        elif what == "builtin":
            facts.builtins.append(rest[0])
        # the remaining lines are "orphan": an unnamed record that is only the type of a variable has no name to compare
    for name, fields in numbered.items():
        facts.fields[name] = [fields[index] for index in sorted(fields)]
    return facts, expressions


def merge(all_facts):
    """Merge the facts of several units. If two units define a name differently, keep the first definition and add a conflict."""
    merged = Facts()
    for facts in all_facts:
        for name, fields in facts.fields.items():
            known = merged.fields.setdefault(name, fields)
            same = merged.records.setdefault(name, facts.records[name]) == facts.records[name] and known == fields
            if not same and "::" not in name:
                merged.conflicts.append(name)
        for one, other in ((merged.aliases, facts.aliases), (merged.enums, facts.enums)):
            for name, value in other.items():
                if {**one.setdefault(name, value), "why": 0} != {**value, "why": 0}:
                    merged.conflicts.append(name)
        merged.builtins += facts.builtins
        merged.optional += facts.optional
        merged.loose.update(facts.loose)
        merged.conflicts += facts.conflicts
    needed = {name for facts in all_facts for known in (facts.records, facts.aliases, facts.enums) for name in known
              if name not in facts.optional}
    merged.optional = [name for name in merged.optional if name not in needed]
    return merged
