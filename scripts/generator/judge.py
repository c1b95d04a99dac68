"""Compare drvabi's documents of a case with gcc's facts: of each version alone, and of runs over all versions."""
import json
import os
import re
import subprocess
import tempfile

from dwarf.compare import compare, number
from generator.case import make_repository
from generator.witness import witness

DRVABI = [""]  # the program to run; set by the script


def compare_constants(document, facts):
    found = []
    values = {name: number(value) for name, value in document["constants"].items()}
    for name in sorted((values.keys() | facts.constants.keys()) - facts.unsure):
        if name not in facts.constants:
            if name not in facts.loose:
                found.append(f"constant {name}: is {values[name]}, but in gcc it is not an integer macro")
        elif name not in values:
            found.append(f"constant {name}: not extracted, but in gcc it is {sorted(facts.constants[name])[0]}")
        elif values[name] not in facts.constants[name]:
            found.append(f"constant {name}: is {values[name]}, but in gcc it is {sorted(facts.constants[name])[0]}")
    for name in sorted(facts.no_constants - values.keys() - facts.constants.keys()):
        if not any(name in warning["text"] for warning in document["warnings"]):
            found.append(f"constant {name}: not an integer, and no warning reports this")
    return found


def warned_names(document, facts):
    """Return the names of the macros whose warnings mention gcc, and whether a warning about a layout mentions gcc."""
    reported = {warning["text"].split(" ")[0] for warning in document["warnings"] if re.search(r"\bgcc\b", warning["text"])}
    macros = facts.constants.keys() | facts.no_constants | facts.unsure
    return reported & macros, bool(reported - macros)


def without_told(found, document, facts):
    """Remove differences that a warning reports. One different layout can change others, so a warning about a layout removes all differences."""
    reported, are_layouts = warned_names(document, facts)
    if are_layouts:
        return []
    return [text for text in found if not any(text.startswith(f"constant {name}:") for name in reported)]


def differences(document, facts):
    try:
        return without_told(compare(document, facts) + compare_constants(document, facts), document, facts)
    except (KeyError, TypeError, AttributeError) as error:
        return [f"the document does not have the format drvabi-abi/1: {error!r}"]


class Runner:
    """Runs drvabi in a temporary directory with the case's repository and profile."""

    def __init__(self, case, directory):
        self.directory, self.case = directory, case
        make_repository(case, f"{directory}/repo")
        with open(f"{directory}/profile.json", "w", encoding="utf-8") as out:
            json.dump(case.profile, out)

    def run(self, *arguments):
        """Run drvabi. Return the exit status, standard output and standard error. The exit status is 124 after a minute."""
        environment = {"PATH": os.environ["PATH"], "HOME": f"{self.directory}/home", "XDG_CACHE_HOME": f"{self.directory}/cache",
                       "LC_ALL": "C", "DRVABI_REPO": "/nonexistent/repository"}
        try:
            done = subprocess.run([DRVABI[0], *arguments], cwd=self.directory, env=environment, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, timeout=60)
        except subprocess.TimeoutExpired:
            return 124, b"", "timeout after a minute"
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
    """Return the differences between one document and @facts. @alone: the document that was extracted alone; None if this is that document."""
    status, output, messages = result
    where = f"{tag} {way}"
    if status:
        return [f"{where}: exit status {status}: {messages}"]
    if alone is not None and output == alone:
        return []
    try:
        document = json.loads(output)
    except ValueError as error:
        return [f"{where}: invalid JSON: {error}"]
    found = [f"{where}: {text}" for text in differences(document, facts)]
    if alone and not found:
        found = [f"{where}: the document is not the same as alone, although both agree with gcc"]
    return found


def sizes(facts):
    """Return {name: size} of the records with names. history must report changes of these sizes."""
    return {name: record["size"] for name, record in facts.records.items() if "::" not in name}


def history_differences(events, all_facts, excused=()):
    """Return the record sizes that change between two versions in gcc, but for which history has no event.

    @all_facts: (tag, Facts) in the order of versions. @excused: the tags with a warning that their layouts are clang's."""
    reported = {step["version"] for event in events for step in event.get("steps", [event])}
    found = []
    for (tag_before, before), (tag, after) in zip(all_facts, all_facts[1:]):
        if tag_before in excused or tag in excused:
            continue
        one, other = sizes(before), sizes(after)
        found += [f"{tag} history: no event for {name}, {one[name]} -> {other[name]} bytes"
                  for name in sorted(one.keys() & other.keys()) if one[name] != other[name] and tag not in reported]
    return found


def judge_history(runner, all_facts, alone):
    status, output, messages = runner.from_repository("history", "-q", "--jobs", "1", "--format", "json")
    if status:
        return [f"all history: exit status {status}: {messages}"]
    excused = {tag for tag, facts in all_facts if warned_names(json.loads(alone[tag]), facts)[1]}
    return history_differences(json.loads(output)["events"], all_facts, excused)


def judge(case, facts_of=witness):
    """Return the differences as lines "TAG alone|archive|cache|history: …". Raise Refused if a compiler rejects a version."""
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
