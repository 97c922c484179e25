"""Campaigns.

What the machinery costs, how well processes are used, instances per second.

Why these: a claim that does nothing leaves nothing but the machinery; edge coloring, the trees of
LogP machines and their words are the small claims of which 10^5 instances should take a minute.
"""

from __future__ import annotations

import resource
from time import perf_counter

import pytest

from exactsched.campaign import verify

KONIG = ("konig.edge-coloring", "exactsched.theorems.classical.matchings")
LOGP_TREES = (
    "karp1993.thm2.1",
    "exactsched.theorems.karp1993.section_2_theorems_2_1_and_2_2_broadcast",
)
WORDS = ("karp1993.thm3.3", "exactsched.theorems.karp1993.section_3_2_theorem_3_3_continuous")


def processor_seconds():
    """Of this process and of those of its children that have ended."""
    whose = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    used = [resource.getrusage(who) for who in whose]
    return sum(one.ru_utime + one.ru_stime for one in used)


def measured(claim, library, *, instances, executor="process", jobs=2, size="small"):
    """A campaign with the seconds of processors, the seconds of the clock, and those of checks."""
    processors, clock = processor_seconds(), perf_counter()
    report = verify(
        [claim], instances=instances, sizes=(size,), executor=executor, jobs=jobs, library=library
    )
    processors, clock = processor_seconds() - processors, perf_counter() - clock
    assert not report.wrong()
    checks = sum(tally.microseconds for tally in report.tallies.values()) / 10**6
    return processors, clock, checks


@pytest.mark.parametrize("executor", ["serial", "process"])
def test_machinery(benchmark, executor):
    """`each`: milliseconds of processors for an instance of which nothing is to be checked."""
    instances = 50_000
    asked = {"instances": instances, "executor": executor}
    processors, _, _ = benchmark.pedantic(
        measured, ("toy.nothing", "tests.campaign.toy_claims"), asked, rounds=1
    )
    benchmark.extra_info.update(each=1000 * processors / instances)


@pytest.mark.parametrize("jobs", [1, 2])
def test_use_of_processes(benchmark, jobs):
    """`busy`: how many of the processes were checking, on average from the start to the end.

    The rest is starting, waiting for blocks, and the end, when some have none.  Unlike the ratio of
    two times it does not depend on what else the machine does; `clock` is that time.
    """
    asked = {"instances": 40_000, "jobs": jobs}
    _, clock, checks = benchmark.pedantic(measured, KONIG, asked, rounds=1)
    benchmark.extra_info.update(busy=checks / clock, clock=clock)


@pytest.mark.parametrize(
    ("claim", "library"),
    [KONIG, LOGP_TREES, WORDS],
)
def test_small_claims(benchmark, claim, library):
    """`each`: milliseconds of a processor; `minute`: the number that two would do in a minute."""
    instances = 10_000
    processors, _, _ = benchmark.pedantic(
        measured, (claim, library), {"instances": instances}, rounds=1
    )
    each = processors / instances
    benchmark.extra_info.update(each=1000 * each, minute=round(120 / each))
