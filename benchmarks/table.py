"""Measures the benchmarks and writes their page, README.md.

python benchmarks/table.py [--only MODULE ...] [--stale] [--long]    measures, then writes
python benchmarks/table.py --check                                   says what is out of date
python benchmarks/table.py --prose                                   writes without measuring
python benchmarks/table.py --before COMMIT --only MODULE ...         prints before and after

The page is written after every module, so that nothing is lost if a run is interrupted; `--stale`
takes it up again.  A row that fails, or that takes over two minutes without being marked as long,
says so in its table, and the exit code is 1.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from time import process_time
from typing import Any

import age
from page import FOLDER, Figures, Stamp, compared, lines, measured, parsed, sections, written
from targets import judged

PAGE = FOLDER / "README.md"
PACKAGES = (
    "python-flint",
    "pyscipopt",
    "networkx",
    "highspy",
    "rustworkx",
    "igraph",
    "ortools",
    "pplpy",
)


def main() -> int:
    parser = argparse.ArgumentParser(
        description="Measures the benchmarks and writes their page.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog=(__doc__ or "").partition("\n\n")[2],
    )
    parser.add_argument("--only", nargs="+", metavar="MODULE", help="these modules (test_flow)")
    parser.add_argument("--stale", action="store_true", help="modules older than their code")
    parser.add_argument("--long", action="store_true", help="rows of over a minute, too")
    parser.add_argument("--check", action="store_true", help="say what is out of date")
    parser.add_argument("--prose", action="store_true", help="write without measuring")
    parser.add_argument("--before", metavar="COMMIT", help="print the figures then and now")
    asked = parser.parse_args()
    modules = [section.module for section in sections()]
    if wrong := set(asked.only or ()) - set(modules):
        parser.error(f"no such module: {', '.join(sorted(wrong))}; there are {', '.join(modules)}")
    if asked.check:
        return check(asked.only or modules)
    chosen = asked.only or modules
    if asked.stale:
        chosen = [module for module, _ in age.stale(figures(), chosen)]
    if asked.before:
        failed = [m for m in chosen if not compare(m, asked.before, long=asked.long)]
    else:
        failed = [] if asked.prose else [m for m in chosen if not measure(m, long=asked.long)]
        write(figures())
    if failed:
        print(f"failed in part: {', '.join(failed)}", file=sys.stderr)
    return bool(failed)


def figures() -> Figures:
    return parsed(PAGE.read_text(encoding="utf-8"))


def write(found: Figures) -> None:
    PAGE.write_text(written(sections(), found, judged(found)), encoding="utf-8")


def check(modules: list[str]) -> int:
    """Prints which modules are older than their code, and whether docstrings were changed."""
    found = figures()
    reasons = [f"{module}: {reason}" for module, reason in age.stale(found, modules)]
    if written(sections(), found, judged(found)) != PAGE.read_text(encoding="utf-8"):
        reasons.append("docstrings have changed: python benchmarks/table.py --prose")
    print("\n".join(reasons) or "nothing is out of date")
    return bool(reasons)


def measure(module: str, *, long: bool) -> bool:
    """Runs a module and puts its tables into the page; whether all of it passed."""
    loop, before, commit = fixed_loop(), _children(), _git("rev-parse", "--short", "HEAD")
    if _git("status", "--porcelain", "--", "exactsched", "benchmarks/*.py"):
        commit += "+"
    results, passed = run(module, FOLDER.parent, long=long)
    if not results["benchmarks"]:
        return False
    page = figures()
    tables = measured(results["benchmarks"], results["unmeasured"], page)
    others = {key: t for key, t in page.tables.items() if not key.startswith(f"{module}.")}
    page.tables = others | tables
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    page.stamps[module] = Stamp(now, commit, f"{_children() - before:.0f}", f"{loop:.3f}")
    page.machine = machine(loop)
    write(page)
    return passed


def run(module: str, tree: Path, *, long: bool) -> tuple[dict[str, Any], bool]:
    """The results of a module with the package of a tree; whether all of it passed."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "results.json"
        command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--tb=short", "-q"]
        command += [str(FOLDER / f"{module}.py"), f"--benchmark-json={path}"]
        command += ["--benchmark-quiet", *(["--long"] if long else [])]
        done = subprocess.run(command, cwd=tree, check=False)  # -m puts the tree first
        if not path.exists():
            return {"benchmarks": [], "unmeasured": []}, False
        return json.loads(path.read_text(encoding="utf-8")), done.returncode == 0


def compare(module: str, commit: str, *, long: bool) -> bool:
    """Prints seconds and whole numbers at a commit and now, where they differ; the page stays."""
    with tempfile.TemporaryDirectory() as folder:
        _git("worktree", "add", "--detach", folder, commit)
        try:
            before, _ = run(module, Path(folder), long=long)
        finally:
            _git("worktree", "remove", "--force", folder)
    now, passed = run(module, FOLDER.parent, long=long)
    print(lines(compared(before["benchmarks"], now["benchmarks"])))
    return passed


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _git(*words: str) -> str:
    done = subprocess.run(
        ["git", *words], cwd=FOLDER.parent, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def fixed_loop() -> float:
    """Seconds of a million turns of a loop, the least of three: the speed of this machine today."""
    times = []
    for _ in range(3):
        start, total = process_time(), 0
        for turn in range(10**6):
            total += turn * turn % 7
        times.append(process_time() - start)
    return min(times)


def machine(loop: float) -> str:
    """The machine of the last measurement, in one sentence each."""
    cpu = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    for line in info.read_text().splitlines() if info.exists() else ():
        if line.startswith("model name"):
            cpu = line.partition(":")[2].strip()
            break
    versions = [f"{platform.python_implementation()} {platform.python_version()}"]
    for package in PACKAGES:
        try:
            versions.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            continue
    return (
        f"Last measured on {os.cpu_count()} cores of {cpu}, {platform.system()}, with"
        f" {', '.join(versions)}. A fixed loop of a million turns took {loop:.3f} s there; every"
        " module says what it took when the module was measured, so that figures of two days can"
        " be compared."
    )


if __name__ == "__main__":
    sys.exit(main())
