"""Run the programs that a trial needs: git, go, drvabi and nvproxy-patch."""
import json
import os
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class CannotRun(Exception):
    """An error that ends the script."""


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
    """Return a version with three numbers: 565.77.00 for 565.77."""
    numbers = [int(number) for number in (version.split(".") + ["0"])[:3]]
    return "%d.%02d.%02d" % tuple(numbers)


def released():
    """Return {normal spelling: version} of all versions in the archive."""
    return {normal(one["version"]): one["version"] for one in json.loads(drvabi("archive", "list", "--format", "json"))["versions"]}


class Tool:
    """nvproxy-patch, which is built when the object is created."""

    def __init__(self, work):
        self.path = os.path.join(os.path.abspath(work), "nvproxy-patch")
        go("build", "-o", self.path, ".", cwd=os.path.join(ROOT, "scripts", "nvproxy-patch"), env=dict(os.environ, GOFLAGS="", GOWORK="off"))

    def table(self, tree, path):
        run(self.path, "--tree", tree, "--table", "-o", path)

    def check(self, tree):
        """Return the findings of --check, without TODOs, which patch() returns."""
        done = run(self.path, "--tree", tree, "--check", status=(0, 1))
        return [line for line in done.stdout.splitlines() if ": a TODO is left: " not in line] if done.returncode else []

    def patch(self, tree, directory):
        """Write a patch. Return its path, and the messages about parts that could not be written."""
        path = os.path.join(directory, "bootstrap.patch")
        return path, run(self.path, "--tree", tree, "-o", path, directory, status=(0, 1)).stderr.splitlines()
