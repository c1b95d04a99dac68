"""A case: a few versions of a small driver, as a text file and as a git repository.

The text lists the files of one version after the other. A version inherits all files of the previous version that it does not list:

    # what the case shows
    --- 1.0 api/a.h
    struct params {
    #include "fields.h"
    };
    --- 1.0 inc/fields.h
    int a;
    --- 1.1 inc/fields.h
    long a;
    --- 1.2 api/b.h -> a.h          a symbolic link
    --- 1.3 api/b.h (deleted)

Bytes that are not printable text are written as hexadecimal numbers, ⟦EF BB BF⟧. A line that ends in ⟦-⟧ has no newline.
A file called "profile" is not in the tree: it is drvabi's profile for the case. Without it, DEFAULT_PROFILE is used.
"""
import json
import os
import re

from dwarf.facts import Failure, run

DEFAULT_PROFILE = {
    "format": "drvabi-profile/1",
    "name": "chance",
    "units": [{"name": "all", "headers": ["api/*.h"], "include": ["api", "inc"]}],
    "constants": [{"name": "K_*"}],
}
HEAD = re.compile(r"--- (?:(profile)|(\S+) (\S+?)(?: -> (\S+)| (\(deleted\)))?)\Z")
RAW = re.compile(r"⟦([0-9A-F ]+)⟧")
CONTROL = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]")


class Link(str):
    """The target of a symbolic link. In a version's files, it takes the place of the bytes of a file."""


class Case:
    """name; profile: an object as in docs/profile.md; versions: a list of (tag, {path: bytes or Link})"""

    def __init__(self, name, profile, versions):
        self.name, self.profile, self.versions = name, profile, versions

    def with_versions(self, versions):
        return Case(self.name, self.profile, versions)


def bytes_of(text):
    parts = RAW.split(text.replace("⟦-⟧\n", ""))
    parts[0::2] = [part.encode() for part in parts[0::2]]
    parts[1::2] = [bytes.fromhex(part) for part in parts[1::2]]
    return b"".join(parts)


def hexed(raw):
    return ("⟦" + raw.hex(" ").upper() + "⟧").encode()


def text_of(content):
    """Return the text that bytes_of() converts to @content."""
    content = CONTROL.sub(lambda found: hexed(found[0]), content)
    content = content.replace(b"\xef\xbb\xbf", hexed(b"\xef\xbb\xbf"))
    try:
        text = content.decode()
    except UnicodeDecodeError:
        text = re.sub(rb"[\x80-\xff]+", lambda found: hexed(found[0]), content).decode()
    return text if text.endswith("\n") or not text else text + "⟦-⟧\n"


def read_case(path):
    with open(path, encoding="utf-8", newline="") as source:
        lines = source.read().split("\n")
    name, profile, versions, files, body = os.path.basename(path), None, [], {}, None

    def finish():
        nonlocal profile
        if body is None:
            return
        text = "".join(line + "\n" for line in body[1:])
        if body[0] == "profile":
            profile = json.loads(text)
        else:
            files[body[0]] = bytes_of(text)

    for number, line in enumerate(lines[:-1] if lines[-1] == "" else lines, 1):
        head = HEAD.match(line)
        if body is None and line.startswith("# ") and number == 1:
            name = line[2:]
        elif head:
            finish()
            _, tag, file, target, deleted = head.groups()
            body = ["profile"] if head[1] else [file]
            if tag and (not versions or versions[-1][0] != tag):
                files = dict(files)
                versions.append((tag, files))
            if target or deleted:
                body = None
                files.pop(file, None)
                if target:
                    files[file] = Link(target)
        elif body is not None:
            body.append(line)
        elif line and not line.startswith("#"):
            raise Failure(f"{path}:{number}: text outside of a file; a file begins with --- VERSION PATH")
    finish()
    return Case(name, profile or DEFAULT_PROFILE, versions)


def write_case(case, out):
    out.write(f"# {case.name}\n")
    if case.profile != DEFAULT_PROFILE:
        out.write("--- profile\n" + json.dumps(case.profile, indent=1) + "\n")
    before = {}
    for tag, files in case.versions:
        for path in sorted(before.keys() | files.keys()):
            now = files.get(path)
            if now == before.get(path) and isinstance(now, Link) == isinstance(before.get(path), Link):
                continue
            if now is None:
                out.write(f"--- {tag} {path} (deleted)\n")
            elif isinstance(now, Link):
                out.write(f"--- {tag} {path} -> {now}\n")
            else:
                out.write(f"--- {tag} {path}\n{text_of(now)}")
        before = files


def import_stream(versions):
    """Yield the input of git fast-import: a commit and a tag for each version."""
    mark = 0
    for tag, files in versions:
        mark += 1
        yield f"commit refs/heads/main\nmark :{mark}\ncommitter Chance <chance@example.org> {978307200 + 86400 * mark} +0000\n".encode()
        yield f"data {len(tag.encode())}\n{tag}\n".encode()
        if mark > 1:
            yield f"from :{mark - 1}\n".encode()
        yield b"deleteall\n"
        for path, content in sorted(files.items()):
            mode = "120000" if isinstance(content, Link) else "100644"
            raw = content.encode() if isinstance(content, Link) else content
            yield f"M {mode} inline {path}\ndata {len(raw)}\n".encode() + raw + b"\n"
        yield f"reset refs/tags/{tag}\nfrom :{mark}\n\n".encode()


def make_repository(case, directory):
    run(["git", "init", "-q", "--template=", "--bare", "-b", "main", directory])
    run(["git", "-C", directory, "fast-import", "--quiet", "--force"], input=b"".join(import_stream(case.versions)))


def unpack(files, directory):
    """Write @files to @directory. Each gets a different time: with #pragma once, gcc takes two files with equal text and time for the same file."""
    for age, (path, content) in enumerate(sorted(files.items())):
        path = os.path.join(directory, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if isinstance(content, Link):
            os.symlink(content, path)
        else:
            with open(path, "wb") as out:
                out.write(content)
            os.utime(path, (1000000000 + age, 1000000000 + age))
