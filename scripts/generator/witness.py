"""Read gcc's facts about one version, according to a profile: records, aliases and enums from DWARF, and the integer macros.

To evaluate macros, lines "enum { probe = (MACRO) };" are added after the headers. Macros that gcc rejects there are not
integers. The values of the others are written to an array, and are read from the assembly that gcc generates.
"""
import fnmatch
import os
import re
import subprocess
import tempfile

from dwarf.facts import Facts, Failure, merge, run
from dwarf.gcc import glob_in, witness_unit
from generator.case import unpack

GCC = os.environ.get("GCC_X86_64", "gcc")
CLANG = os.environ.get("CLANG", "clang-14")
DIALECT = ["-std=gnu11", "-ffreestanding", "-w", "-nostdinc"]
UCN = re.compile(r"\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))")
MARKER = re.compile(r'# \d+ "((?:[^"\\]|\\.)*)"')
DIRECTIVE = re.compile(r"#(define|undef) ((?:[^\s(\\]|\\[uU][0-9a-fA-F]+)+)(\(?) ?(.*)")
own_headers = {}


def compiler_headers(compiler):
    """Return the directory of the compiler's own headers."""
    if compiler not in own_headers:
        directory = run([compiler, "-print-file-name=include"]).decode().strip()
        if not os.path.isabs(directory):
            raise Failure(f"{compiler} -print-file-name=include does not print the directory of its own headers")
        own_headers[compiler] = directory
    return own_headers[compiler]


class Refused(Exception):
    """A compiler rejects the headers."""


class Unit:
    """One translation unit of a profile, in a subdirectory of @directory."""

    def __init__(self, unit, files, directory):
        directory = f"{directory}/{unit['name']}"
        stand_ins = {one["path"]: one["text"].encode() for one in unit.get("stand_ins", [])}
        os.makedirs(directory)
        unpack({**stand_ins, **files}, directory)
        headers = []
        if not all(glob_in(files, pattern) for pattern in unit["headers"]):
            raise Refused("the tree does not have a header of the profile")
        for pattern in unit["headers"] + unit.get("optional_headers", []):
            headers += [name for name in glob_in(files, pattern) if name not in headers]
        defines = [f"#define {one.replace('=', ' ', 1) if '=' in one else one + ' 1'}\n" for one in unit.get("define", [])]
        self.text = "".join(defines) + "".join(line + "\n" for line in unit.get("prologue", []))
        self.text += "".join(f'#include "{name}"\n' for name in headers)
        self.directory, self.include = directory, [f"-I{path}" for path in unit.get("include", [])]

    def flags(self, compiler):
        return [*DIALECT, *self.include, "-isystem", compiler_headers(compiler), "-idirafter", LIBC]

    def compile(self, compiler, more_text, *options):
        """Compile the unit with @more_text appended. Return the exit status, standard output and standard error."""
        done = subprocess.run([compiler, *self.flags(compiler), *options, "-x", "c", "-"], input=(self.text + more_text).encode(),
                              cwd=self.directory, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        return done.returncode, done.stdout.decode(errors="surrogateescape"), done.stderr.decode(errors="replace")


def plain(name):
    return UCN.sub(lambda found: chr(int(found[1] or found[2], 16)), name)


def macros_of(unit):
    """Return {name: (body, file)} of the macros without parameters that are defined at the end of the unit."""
    status, output, messages = unit.compile(GCC, "", "-E", "-dD")
    if status:
        raise Failure(messages.strip().split("\n")[0])
    files, file = {}, ""
    for line in output.split("\n"):
        marker = MARKER.match(line)
        found = DIRECTIVE.match(line)
        if marker:
            file = os.path.normpath(marker[1])  # "api/./../inc/x.h" is the tree's inc/x.h
        elif found and found[1] == "define":
            files[plain(found[2])] = file
    macros = {}
    for line in unit.compile(GCC, "", "-E", "-dM")[1].split("\n"):
        found = DIRECTIVE.match(line)
        if found and not found[3]:
            name = plain(found[2])
            macros[name] = (found[4], files.get(name, ""))
    return macros


def is_wanted(rules, name, body, file):
    for rule in rules:
        if fnmatch.fnmatchcase(name, rule["name"]) and not any(fnmatch.fnmatchcase(name, one) for one in rule.get("except", [])) and \
           fnmatch.fnmatchcase(file, rule.get("file", "*")) and re.search(rule.get("value", ""), body):
            return True
    return False


def is_expression(expansion):
    """Return whether the brackets of an expansion are balanced, without ";" outside of them. Other expansions would break the code that evaluates them."""
    closing = {")": "(", "]": "[", "}": "{"}
    open_ones = []
    for token in re.findall(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'|<:|:>|<%|%>|.', expansion):
        token = {"<:": "[", ":>": "]", "<%": "{", "%>": "}"}.get(token, token)
        if token in ("(", "[", "{"):
            open_ones.append(token)
        elif token in closing and (not open_ones or open_ones.pop() != closing[token]):
            return False
        elif token == ";" and not open_ones:
            return False
    return not open_ones and expansion.strip() != ""


def expansions(unit, names, blank_lines=0):
    text = "\n" * blank_lines + "".join(f"\ndrvabi_probe {index} @ {name} @" for index, name in enumerate(names)) + "\n"
    status, output, messages = unit.compile(GCC, text, "-E", "-P")
    if status:
        return {}
    found = dict(re.findall(r"drvabi_probe (\d+) @(.*?)@\s*(?=drvabi_probe|\Z)", output, re.S))
    return {name: found.get(str(index), "").strip() for index, name in enumerate(names)}


def by_line(unit, names):
    """Return the macros whose expansion depends on the line of their use. They have no single value."""
    one, other = expansions(unit, names), expansions(unit, names, 1)
    return {name for name in names if one.get(name) != other.get(name)}


def values_of(unit, names):
    """Return {name: value} of the macros that are integers."""
    expanded = expansions(unit, names)
    names = [name for name in names if is_expression(expanded.get(name, name))]
    first = unit.text.count("\n") + 1
    while names:
        probes = "".join(f"enum {{ drvabi_probe_{index} = ({name}) }};\n" for index, name in enumerate(names))
        table = "__typeof__(1ULL) drvabi_values[] = {\n" + "".join(f"({name}), ({name}) < 0,\n" for name in names) + "};\n"
        status, output, messages = unit.compile(GCC, probes + table, "-S", "-o", "-", "-ftrack-macro-expansion=0", "-fmax-errors=0")
        if not status:
            numbers = quads(output[output.index("drvabi_values:"):])
            return {name: signed(numbers[2 * index], numbers[2 * index + 1]) for index, name in enumerate(names)}
        lines = {int(line) for line in re.findall(r"<stdin>:(\d+):\d+: (?:fatal )?error:", messages)}
        bad = {line - first for line in lines if first <= line < first + len(names)} or {line - first - len(names) - 1 for line in lines}
        left = [name for index, name in enumerate(names) if index not in bad]
        if len(left) == len(names):
            if len(names) == 1:
                return {}
            return {name: value for one in names for name, value in values_of(unit, [one]).items()}
        names = left
    return {}


def quads(assembly):
    """Return the 64-bit numbers of the array in @assembly. gcc writes a run of zeros as ".zero BYTES"."""
    numbers = []
    for what, number in re.findall(r"\t\.(quad|xword|zero)\t(-?\d+)", assembly):
        numbers += [int(number)] if what != "zero" else [0] * (int(number) // 8)
    return numbers


def signed(value, is_negative):
    value &= (1 << 64) - 1
    return value - (1 << 64) if is_negative else value


def layouts_of(unit):
    try:
        return witness_unit(GCC, READER[0], unit.text, unit.flags(GCC), unit.directory)
    except Failure as error:
        if "No DWARF information" not in str(error):
            raise
        return Facts()  # no header declares anything


def witness(files, profile):
    """Return gcc's Facts about a tree. Raise Refused if gcc or clang rejects it.

    The Facts have three more members: constants is {name: set of values}, no_constants has the names of the macros that are
    not integers, and unsure those of the macros that depend on the line of their use."""
    with tempfile.TemporaryDirectory(prefix="chance-") as directory:
        all_facts, constants, wrong, unsure = [], {}, set(), set()
        for one in profile["units"]:
            unit = Unit(one, files, directory)
            for compiler in (GCC, CLANG):
                status, _, messages = unit.compile(compiler, "", "-fsyntax-only")
                if status:
                    raise Refused(f"{compiler}: " + next((line for line in messages.split("\n") if "error" in line), "?"))
            all_facts.append(layouts_of(unit))
            rules = profile.get("constants", [])
            wanted = sorted(name for name, (body, file) in macros_of(unit).items() if body and is_wanted(rules, name, body, file))
            unsure |= by_line(unit, wanted)
            values = values_of(unit, wanted)
            for name in wanted:
                if name in values:
                    constants.setdefault(name, set()).add(values[name])
                else:
                    wrong.add(name)
        facts = merge(all_facts)
        facts.constants = {name: values for name, values in constants.items() if name not in unsure}
        facts.no_constants, facts.unsure = wrong - unsure, unsure
        return facts


LIBC = f"{os.path.dirname(os.path.abspath(__file__))}/libc"  # gcc's <limits.h> includes the C library's; an empty file is sufficient
READER = []  # the path of the compiled dwarf/layout.c; set by the script


class Memory:
    """A cache of the results of witness()."""

    def __init__(self):
        self.answers = {}

    def __call__(self, files, profile):
        key = repr((sorted((path, type(content).__name__, content) for path, content in files.items()), profile))
        if key not in self.answers:
            try:
                self.answers[key] = witness(files, profile)
            except (Refused, Failure) as error:
                self.answers[key] = error
        if isinstance(self.answers[key], Exception):
            raise self.answers[key]
        return self.answers[key]
