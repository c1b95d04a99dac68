"""Programs that a trial runs: git, go, drvabi."""
import json
import os
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class CannotRun(Exception):
    """It could not be done, and why."""


def run(*args, status=(0,), cwd=None, env=None):
    try:
        done = subprocess.run(args, capture_output=True, text=True, errors="replace", check=False, cwd=cwd, env=env)
    except OSError as problem:
        raise CannotRun("%s: %s" % (args[0], problem.strerror)) from problem
    if done.returncode not in status:
        raise CannotRun("%s: %s" % (" ".join(args[:6]), done.stderr.strip()[-500:] or "exit status %d" % done.returncode))
    return done


def drvabi(*args):
    return run(os.environ.get("DRVABI", os.path.join(ROOT, "build", "drvabi")), *args).stdout


def go(*args, **options):
    return run(os.environ.get("GO", "go"), *args, **options)


def normal(version):
    """565.77 is 565.77.00."""
    numbers = [int(number) for number in (version.split(".") + ["0"])[:3]]
    return "%d.%02d.%02d" % tuple(numbers)


def released():
    """The versions that drvabi has, by their normal spelling."""
    return {normal(one["version"]): one["version"] for one in json.loads(drvabi("archive", "list", "--format", "json"))["versions"]}


class Tool:
    """nvproxy-patch, built once."""

    def __init__(self, work):
        self.path = os.path.join(os.path.abspath(work), "nvproxy-patch")
        go("build", "-o", self.path, ".", cwd=os.path.join(ROOT, "scripts", "nvproxy-patch"), env=dict(os.environ, GOFLAGS="", GOWORK="off"))

    def table(self, tree, path):
        run(self.path, "--tree", tree, "--table", "-o", path)

    def check(self, tree):
        """What --check finds, but the TODOs: patch() has said them."""
        done = run(self.path, "--tree", tree, "--check", status=(0, 1))
        return [line for line in done.stdout.splitlines() if ": a TODO is left: " not in line] if done.returncode else []

    def patch(self, tree, directory):
        """The patch's path, and what it says of what it could not write."""
        path = os.path.join(directory, "bootstrap.patch")
        return path, run(self.path, "--tree", tree, "-o", path, directory, status=(0, 1)).stderr.splitlines()
