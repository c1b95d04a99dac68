"""Reduce a case while it still fails in the same way: first to fewer versions, then to fewer files, then to fewer lines.

A line is removed from every version that has it, so that the differences between the versions stay the same.
"""
import re
import time

from dwarf.facts import Failure
from generator.case import Case, DEFAULT_PROFILE, Link
from generator.judge import judge
from generator.witness import Memory, Refused


def kind_of(text):
    """Return a line of judge() without names and numbers. Lines about the same fault become equal."""
    text = re.sub(r"^\S+ ", "", text)
    text = re.sub(r"\S*/\S*|'[^']*'|\[.*?\]", "PATH", text)
    text = re.sub(r"(?<= )\S*[\d_:]\S*", "N", text)
    return text[:60]


class Reducer:
    def __init__(self, case, kind, seconds):
        self.case, self.kind, self.end, self.memory = case, kind, time.monotonic() + seconds, Memory()

    def fails(self, versions):
        try:
            return any(kind_of(text) == self.kind for text in judge(self.case.with_versions(versions), self.memory))
        except (Refused, Failure):
            return False

    def keep(self, versions):
        """Replace the versions of the case with @versions if these still fail. Return whether they do."""
        if time.monotonic() > self.end or not versions or not self.fails(versions):
            return False
        self.case = self.case.with_versions(versions)
        return True

    def fewer_versions(self):
        versions = self.case.versions
        for one in versions:
            if self.keep([one]):
                return
        for gap in range(1, len(versions)):
            for first in range(len(versions) - gap):
                if len(versions) > 2 and self.keep([versions[first], versions[first + gap]]):
                    return

    def units(self):
        """Return the parts that can be removed: (path, None) is a file, (path, line) a line of a file."""
        paths = sorted({path for _, files in self.case.versions for path in files})
        lines = []
        for path in paths:
            for _, files in self.case.versions:
                if path in files and not isinstance(files[path], Link):
                    lines += [(path, line) for line in files[path].splitlines(keepends=True) if (path, line) not in lines]
        return [(path, None) for path in paths] + lines

    def without(self, gone):
        versions = []
        for tag, files in self.case.versions:
            left = {}
            for path, content in files.items():
                if (path, None) in gone:
                    continue
                if not isinstance(content, Link):
                    content = b"".join(line for line in content.splitlines(keepends=True) if (path, line) not in gone)
                left[path] = content
            versions.append((tag, left))
        return versions

    def fewer_lines(self):
        """Try to remove halves, then quarters, … of the files and lines, until single ones cannot be removed or the time is over."""
        size = len(self.units())
        while size >= 1:
            at, removed = 0, False
            while at < len(self.units()) and time.monotonic() < self.end:
                if self.keep(self.without(set(self.units()[at:at + size]))):
                    removed = True
                else:
                    at += size
            size = size // 2 if size > 1 or not removed else 1
            if time.monotonic() > self.end:
                return

    def plain_profile(self):
        for profile in (DEFAULT_PROFILE, {**self.case.profile, "units": self.case.profile["units"][:1]}):
            before, self.case = self.case, Case(self.case.name, profile, self.case.versions)
            if self.keep(self.case.versions):
                return
            self.case = before

    def run(self):
        self.plain_profile()
        self.fewer_versions()
        self.fewer_lines()
        return self.case


def reduced(case, found, seconds=120):
    return Reducer(case, kind_of(found[0]), seconds).run()
