"""Generate a random tree of headers, and further versions that each differ from the previous one by one edit."""
import os
import random
import re
import subprocess
import tempfile

from generator import headers
from generator.case import Case, DEFAULT_PROFILE, Link, unpack
from generator.headers import File, Writer
from generator.witness import CLANG, GCC, Refused, Unit

WHERE = re.compile(r"^(?:In file included from|\s+from) ([^:\n]+):(\d+)|^([^:\n ]+):(\d+):(?:\d+:)? (?:fatal )?error:", re.M)


def bytes_of_tree(tree):
    return {path: file if isinstance(file, Link) else file.bytes() for path, file in tree.items()}


def errors(tree, profile):
    """Return the places (path, line) of the first error and of the includes that lead to it, the error first; [] if both compilers accept the tree."""
    with tempfile.TemporaryDirectory(prefix="chance-") as directory:
        files = bytes_of_tree(tree)
        for one in profile["units"]:
            try:
                unit = Unit(one, files, directory)
            except Refused:
                return [("", 0)]
            for compiler in (GCC, CLANG):
                status, _, messages = unit.compile(compiler, "", "-fsyntax-only")
                if status:
                    places = []
                    for found in WHERE.finditer(messages):
                        places.append((os.path.normpath(found[1] or found[3]), int(found[2] or found[4])))
                        if found[3]:
                            break
                    return places[::-1] or [("", 0)]
    return []


def chunk_at(file, line):
    """Return the index of the chunk that contains a line."""
    for index, text in enumerate(file.chunks):
        line -= text.count("\n")
        if line <= 0:
            return index
    return len(file.chunks) - 1


def repaired(tree, profile, rng):
    """Remove the chunks that the compilers reject. Return the tree, or None if it still has errors."""
    for _ in range(60):
        places = errors(tree, profile)
        if not places:
            return tree
        known = [(path, line) for path, line in places if path in tree and not isinstance(tree[path], Link) and len(tree[path].chunks) > 1]
        if not known:
            return None
        path, line = known[0]
        index = chunk_at(tree[path], line)
        if re.match(r"\s*#\s*(ifndef|if|endif|ifdef|else)", tree[path].chunks[index]) and tree[path].chunks[index].count("\n") <= 3:
            path = rng.choice([one for one in sorted(tree) if not isinstance(tree[one], Link) and len(tree[one].chunks) > 1])
            index = rng.randrange(len(tree[path].chunks))
        del tree[path].chunks[index]
    return None


def profile_by_chance(rng):
    profile = {**DEFAULT_PROFILE}
    if rng.random() < 0.15:
        unit = {**profile["units"][0], "define": ["FROM_PROFILE=3", "HAVE_1"], "prologue": ["typedef unsigned long from_prologue;"]}
        profile["units"] = [unit]
    if rng.random() < 0.1:
        profile["units"] = [{**profile["units"][0], "optional_headers": ["api/a*.h", "inc/common.h", "none/*.h"],
                             "stand_ins": [{"path": "inc/later1.h", "text": "#define STAND_IN 1\nstruct stand_in { int a; };\n"}]}]
    if rng.random() < 0.12:
        profile["units"] = profile["units"] + [{"name": "other", "headers": ["other/*.h"], "include": ["inc", "api"]}]
    if rng.random() < 0.2:
        profile["constants"] = [{"name": "K_*", "value": "^[^x]*$"}, {"name": "K_*", "file": "inc/*"}]
    return profile


def base_lines(w):
    """Return the lines of inc/base.h, which almost all headers include: all of its types, and some of its macros."""
    return [line for line in headers.BASE.splitlines(keepends=True)
            if "typedef" in line or "helpers" in w.oddities or w.maybe(0.9) and not re.search("__LINE__|__COUNTER__", line)]


def tree_by_chance(rng, profile):
    files = {}
    w = Writer(rng, files)
    files["inc/base.h"] = File(["#ifndef INC_BASE_H\n#define INC_BASE_H\n", *base_lines(w), "#endif\n"])
    paths = [f"api/{one}.h" for one in rng.sample(["a", "b", "c", "dev-1", "e_2", "ü", "Z"], rng.randint(2, 4))]
    paths += [f"inc/{one}.h" for one in rng.sample(["common", "types", "x"], rng.randint(0, 2))]
    if len(profile["units"]) > 1:
        paths.append("other/o.h")
    # headers in inc first: the others include them, and use their declarations
    for path in sorted(paths, key=lambda path: (not path.startswith("inc"), path)):
        files[path] = File([])
        count = rng.randint(2, 7)
        chunks = [w.include("inc/base.h", path.split("/")[0])] if rng.random() < 0.9 else []
        for other in sorted(files):
            if other in paths and other != path and rng.random() < (0.5 if other.startswith("inc") else 0.15):
                chunks.append(w.include(other, path.split("/")[0]))
        chunks += [headers.chunk(w) for _ in range(count)]
        files[path] = w.new_file(headers.guarded(w, path, chunks))
    if rng.random() < 0.06:
        files["api/y.h"] = Link(rng.choice([path for path in paths if path.startswith("api")]).split("/")[1])
    if rng.random() < 0.08:
        one, other = sorted(path for path in paths if path.startswith("api"))[:2]
        files[one].chunks.append(f"struct {w.record()} {{ int begun;\n")
        files[other].chunks.insert(0, "int ended; };\n")
    return w


# --- edits: each changes, adds, removes or renames one file of a tree. Return a true value, or a false value if nothing was changed

def some_file(w, wanted=lambda file: True):
    paths = [path for path, file in sorted(w.files.items()) if not isinstance(file, Link) and file.chunks and wanted(file)]
    return w.choice(paths) if paths else None


def some_chunk(w, pattern):
    """Return a random (file, index of a chunk) that @pattern matches, or (None, None)."""
    path = some_file(w, lambda file: re.search(pattern, file.text()))
    if not path:
        return None, None
    file = w.files[path]
    found = [index for index, text in enumerate(file.chunks) if re.search(pattern, text)]
    return (file, w.choice(found)) if found else (None, None)


def replace_one(w, pattern, replacement):
    file, index = some_chunk(w, pattern)
    if file is None:
        return None
    found = w.choice(list(re.finditer(pattern, file.chunks[index])))
    text = file.chunks[index]
    file.chunks[index] = text[:found.start()] + replacement(found) + text[found.end():]
    return True


def change_number(w):
    return replace_one(w, r"(?<![\w.'])\d(?![\w.'])", lambda found: str((int(found[0]) + w.random.randint(1, 6)) % 10))


def change_type(w):
    return replace_one(w, r"\b(u8|u16|u32|u64|int|char|short|long)\b(?= )", lambda found: w.choice(["u8", "u16", "u32", "u64", "int", "char", "short"]))


def change_fragment(w):
    """Change a file that contains fields, which a different file includes inside a struct."""
    path = some_file(w, lambda file: re.match(r"\w[^#]*;\n", file.text()))
    if not path:
        return None
    file = w.files[path]
    file.chunks = w.choice([[file.text() + f"u64 {w.name('more')};\n"], [f"char {w.name('more')};\n" + file.text()], [w.fields(2)]])
    return path


def add_chunk(w):
    file = w.files[some_file(w)]
    file.chunks.insert(w.random.randint(0, len(file.chunks)), headers.chunk(w))
    return True


def remove_chunk(w):
    path = some_file(w, lambda file: len(file.chunks) > 1)
    file = w.files[path] if path else None
    if file:
        del file.chunks[w.random.randrange(len(file.chunks))]
    return path


def move_chunk(w):
    path = some_file(w, lambda file: len(file.chunks) > 2)
    if not path:
        return None
    file = w.files[path]
    text = file.chunks.pop(w.random.randrange(len(file.chunks)))
    other = w.files[some_file(w)] if w.maybe(0.5) else file
    other.chunks.insert(w.random.randint(0, len(other.chunks)), text)
    return path


def remove_line(w):
    file = w.files[some_file(w)]
    lines = file.text().splitlines(keepends=True)
    if len(lines) < 2:
        return None
    del lines[w.random.randrange(len(lines))]
    file.chunks = lines
    return True


def shift_lines(w):
    file = w.files[some_file(w)]
    file.chunks.insert(w.choice([0, len(file.chunks) // 2]), w.choice(["\n", "/* one\n more */\n", "// more\n", "#define OTHER_%d\n" % w.number()]))
    return True


def change_ends(w):
    file = w.files[some_file(w)]
    before = file.eol, file.bom, file.is_open
    what = w.choice(["eol", "bom", "open"])
    if what == "eol":
        file.eol = w.choice(["\n", "\r\n", "\r", "mixed"])
    elif what == "bom":
        file.bom = not file.bom
    else:
        file.is_open = not file.is_open
    return before != (file.eol, file.bom, file.is_open)


def include_more(w):
    file = w.files[some_file(w)]
    text = w.choice([headers.own_header(w), w.include(w.choice(sorted(w.files)))])
    file.chunks.insert(w.random.randint(0, len(file.chunks)), text)
    return True


def include_less(w):
    return replace_one(w, r"(?m)^#include [^\n]*\n", lambda found: w.choice(["", "\n"]))


def change_helper(w):
    path = some_file(w)
    w.files[path].chunks.insert(w.random.randint(0, len(w.files[path].chunks)), w.choice([headers.redefined, headers.undone, headers.evil, headers.flag, headers.pack_end])(w))
    return path


def define_flag(w):
    names = sorted({name for file in w.files.values() if not isinstance(file, Link) for name in re.findall(r"(?:ifdef|ifndef|defined\()\s*(\w+)", file.text())})
    if not names:
        return None
    file = w.files[some_file(w)]
    file.chunks.insert(w.random.randint(0, len(file.chunks)), f"#{w.choice(['undef', 'define', 'define'])} {w.choice(names)}\n")
    return True


def rename_file(w):
    paths = [path for path in sorted(w.files) if path.startswith("api/") and path.count("/") == 1]
    if len(paths) < 2:
        return None
    w.files[w.choice(["api/0.h", "api/m.h", "api/zz.h"])] = w.files.pop(w.choice(paths))
    return True


def remove_file(w):
    paths = [path for path in sorted(w.files) if path.startswith("api/") and path.count("/") == 1]
    return w.files.pop(w.choice(paths)) is not None if len(paths) > 1 else None


def add_file(w):
    path = w.choice([f"api/n{w.number()}.h", *[f"inc/{name}" for name in w.missing], f"api/sub/base.h", "api/base.h"])
    if path in w.files:
        return None
    if path.endswith("/base.h"):
        w.files[path] = File(['#include "../inc/base.h"\n' if path.count("/") == 1 else '#include "../../inc/base.h"\n', headers.plain_struct(w)])
    else:
        w.files[path] = File(headers.guarded(w, path, [headers.chunk(w) for _ in range(2)]))
    return True


def link_file(w):
    paths = [path for path in sorted(w.files) if path.startswith("api/") and path.count("/") == 1 and not isinstance(w.files[path], Link)]
    w.files[w.choice(["api/l.h", "api/0l.h"])] = Link(w.choice(paths).split("/")[1]) if paths else Link("a.h")
    return True


def change_pragma(w):
    return replace_one(w, r"(?<=pack\()(push, )?\d", lambda found: (found[1] or "") + w.choice("1248"))


def change_attribute(w):
    return replace_one(w, r"\bPACKED\b|__attribute__\(\(packed\)\)|END_PACKED|END_STRUCT|\bALIGNED\(\w+\)",
                       lambda found: w.choice(["", "PACKED", "ALIGNED(8)"]) if not found[0].startswith("END") else w.choice(["END_STRUCT", "END_PACKED"]))


EDITS = {change_number: 8, change_type: 8, change_fragment: 6, add_chunk: 6, remove_chunk: 4, move_chunk: 3, remove_line: 3, shift_lines: 4, change_ends: 3,
         include_more: 3, include_less: 3, change_helper: 4, define_flag: 3, rename_file: 1, remove_file: 1, add_file: 3, link_file: 1, change_pragma: 2, change_attribute: 3}


def copied(files):
    return {path: file if isinstance(file, Link) else file.copy() for path, file in files.items()}


def edited(w, profile):
    """Apply a random edit that both compilers accept to w.files. Return the name of the edit, or None if none was found."""
    before = w.files
    old = bytes_of_tree(before)
    for _ in range(25):
        w.files = copied(before)
        edit = w.random.choices(list(EDITS), EDITS.values())[0]
        if edit(w) and bytes_of_tree(w.files) != old and not errors(w.files, profile):
            return edit.__name__
    w.files = before
    return None


def case_by_chance(seed, number):
    """Return case @number of @seed, which is always the same; None if it could not be generated."""
    for attempt in range(20):
        rng = random.Random(f"{seed}/{number}/{attempt}")
        profile = profile_by_chance(rng)
        w = tree_by_chance(rng, profile)
        repaired_tree = repaired(w.files, profile, rng)
        if repaired_tree is None:
            continue
        versions, edits = [("1.0", bytes_of_tree(w.files))], []
        for minor in range(1, rng.randint(3, 6)):
            edit = edited(w, profile)
            if not edit:
                break
            edits.append(edit)
            versions.append((f"1.{minor}", bytes_of_tree(w.files)))
        return Case(f"seed {seed}, case {number}: {', '.join(edits)}", profile, versions)
    return None
