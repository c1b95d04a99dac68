"""Does drvabi say of a case what gcc says: of each version alone, and out of one run over all of them?"""
import json
import os
import re
import subprocess
import tempfile

from dwarf.compare import compare, number
from generator.case import make_repository
from generator.witness import witness

DRVABI = [""]  # the program; set by whoever begins


def compare_constants(document, facts):
    found = []
    values = {name: number(value) for name, value in document["constants"].items()}
    for name in sorted((values.keys() | facts.constants.keys()) - facts.unsure):
        if name not in facts.constants:
            if name not in facts.loose:
                found.append(f"constant {name}: is {values[name]}, and to gcc no integer macro")
        elif name not in values:
            found.append(f"constant {name}: not extracted, to gcc it is {sorted(facts.constants[name])[0]}")
        elif values[name] not in facts.constants[name]:
            found.append(f"constant {name}: is {values[name]}, to gcc it is {sorted(facts.constants[name])[0]}")
    for name in sorted(facts.no_constants - values.keys() - facts.constants.keys()):
        if not any(name in warning["text"] for warning in document["warnings"]):
            found.append(f"constant {name}: is no integer, and no warning says so")
    return found


def told_names(document, facts):
    """What warnings say gcc sees in another way: constants, and whether layouts are among it, of which one changes others."""
    told = {warning["text"].split(" ")[0] for warning in document["warnings"] if re.search(r"\bgcc\b", warning["text"])}
    macros = facts.constants.keys() | facts.no_constants | facts.unsure
    return told & macros, bool(told - macros)


def without_told(found, document, facts):
    told, are_layouts = told_names(document, facts)
    if are_layouts:
        return []
    return [text for text in found if not any(text.startswith(f"constant {name}:") for name in told)]


def differences(document, facts):
    try:
        return without_told(compare(document, facts) + compare_constants(document, facts), document, facts)
    except (KeyError, TypeError, AttributeError) as error:
        return [f"the document does not have the form of drvabi-abi/1: {error!r}"]


class Runner:
    """Runs drvabi in a directory of its own."""

    def __init__(self, case, directory):
        self.directory, self.case = directory, case
        make_repository(case, f"{directory}/repo")
        with open(f"{directory}/profile.json", "w", encoding="utf-8") as out:
            json.dump(case.profile, out)

    def run(self, *arguments):
        """Return: exit status, output, messages. A run of over a minute counts as failed."""
        environment = {"PATH": os.environ["PATH"], "HOME": f"{self.directory}/home", "XDG_CACHE_HOME": f"{self.directory}/cache",
                       "LC_ALL": "C", "DRVABI_REPO": "/nonexistent/repository"}
        try:
            done = subprocess.run([DRVABI[0], *arguments], cwd=self.directory, env=environment, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, timeout=60)
        except subprocess.TimeoutExpired:
            return 124, b"", "no end after a minute"
        return done.returncode, done.stdout, done.stderr.decode(errors="replace").strip()

    def from_repository(self, *arguments):
        return self.run(*arguments, "--no-archive", "--profile", "./profile.json", "--repo", "repo")

    def alone(self, tag):
        return self.from_repository("extract", "--no-cache", "-q", tag)

    def archived(self, tag):
        return self.run("extract", "-q", "--profile", "./profile.json", "--archive", "all.drvabi", tag)

    def cached(self, tag):
        return self.from_repository("extract", "-q", tag)


def judge_output(way, tag, result, facts, alone):
    """One document, and where it is from."""
    status, output, messages = result
    where = f"{tag} {way}"
    if status:
        return [f"{where}: exit status {status}: {messages}"]
    if alone is not None and output == alone:
        return []
    try:
        document = json.loads(output)
    except ValueError as error:
        return [f"{where}: is no JSON: {error}"]
    found = [f"{where}: {text}" for text in differences(document, facts)]
    if alone and not found:
        found = [f"{where}: is another document than alone, though gcc agrees with both"]
    return found


def sizes(facts):
    """What history must report: the size of each record that has a name."""
    return {name: record["size"] for name, record in facts.records.items() if "::" not in name}


def history_differences(events, all_facts, excused=()):
    """Each step on which gcc gives a record another size must have an event. @all_facts: (tag, Facts) in the order of versions; of those
    that are @excused a warning says that their layouts are clang's."""
    told = {step["version"] for event in events for step in event.get("steps", [event])}
    found = []
    for (tag_before, before), (tag, after) in zip(all_facts, all_facts[1:]):
        if tag_before in excused or tag in excused:
            continue
        one, other = sizes(before), sizes(after)
        found += [f"{tag} history: says nothing of {name}, {one[name]} -> {other[name]} bytes"
                  for name in sorted(one.keys() & other.keys()) if one[name] != other[name] and tag not in told]
    return found


def judge_history(runner, all_facts, alone):
    status, output, messages = runner.from_repository("history", "-q", "--jobs", "1", "--format", "json")
    if status:
        return [f"all history: exit status {status}: {messages}"]
    excused = {tag for tag, facts in all_facts if told_names(json.loads(alone[tag]), facts)[1]}
    return history_differences(json.loads(output)["events"], all_facts, excused)


def judge(case, facts_of=witness):
    """All that is wrong, as lines "TAG alone|archive|cache: …". Refused if a compiler does not accept a version."""
    all_facts = [(tag, facts_of(files, case.profile)) for tag, files in case.versions]
    found = []
    with tempfile.TemporaryDirectory(prefix="chance-") as directory:
        runner = Runner(case, directory)
        alone = {}
        for tag, facts in all_facts:
            result = runner.alone(tag)
            alone[tag] = result[1]
            found += judge_output("alone", tag, result, facts, None)
        if len(all_facts) > 1:
            status, _, messages = runner.from_repository("archive", "write", "--no-cache", "-q", "--jobs", "1", "-o", "all.drvabi")
            if status:
                return found + [f"all archive: exit status {status}: {messages}"]
            found += judge_history(runner, [(tag, facts) for tag, facts in all_facts if alone[tag]], alone)
            for tag, facts in all_facts:
                found += judge_output("archive", tag, runner.archived(tag), facts, alone[tag])
                found += judge_output("cache", tag, runner.cached(tag), facts, alone[tag])
    return found
