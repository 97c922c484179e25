"""Campaigns on toy claims, for the tests of campaigns."""

from __future__ import annotations

import json
import os
import time
from functools import cache
from pathlib import Path

from exactsched.campaign import verify

LIBRARY = "tests.campaign.toy_claims"
HARMLESS = ["toy.holds", "toy.sum", "toy.raises", "toy.printed", "toy.corner"]


def run(claims, **asked):
    asked = {"executor": "serial", "library": LIBRARY} | asked
    return verify(claims, **asked)


def results(report):
    """All of a report but the time that it took."""
    document = report.document()
    del document["microseconds"]
    return document


def counts(report, claim, size="small"):
    return dict(report.tallies[claim, size].counts)


@cache
def undisturbed():
    """A report of harmless claims by one process that nobody interrupts."""
    return run(HARMLESS, instances=250, sizes=("small", "medium"))


def children_of(pid):
    """The processes that a process has started, by their numbers."""
    listed = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rpartition(")")[2].split()
        except OSError:  # it ended meanwhile
            continue
        if int(fields[1]) == pid:
            listed.append(int(status.parent.name))
    return listed


def mutilated(document, *path):
    """The document without a member, or with another value there."""
    *before, name, value = path
    changed = json.loads(json.dumps(document))
    inner = changed
    for step in before:
        inner = inner[step]
    inner[name] = value
    return changed


def leave_behind(seconds):
    """Ends this process, but not the one that it has started."""
    if os.fork() == 0:
        time.sleep(seconds)
        os._exit(0)
    os._exit(3)
