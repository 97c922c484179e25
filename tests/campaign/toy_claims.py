"""Claims for the tests of campaigns: they hold, fail, raise, hang and kill on purpose.

A library of its own: `verify(..., library="tests.campaign.toy_claims")` runs them in any process
that finds this file.
"""

from __future__ import annotations

import os
import signal
import time
from dataclasses import dataclass
from functools import partial

from exactsched.instances.choices import Choices
from exactsched.instances.instance_type import Bounds, Instances
from exactsched.theorems.claim import Say, claim


@dataclass(frozen=True, slots=True)
class Numbers:
    """A list of whole numbers."""

    listed: tuple[int, ...]


def numbers(choices: Choices, bound: int) -> Numbers:
    count = choices.between(0, bound)
    return Numbers(tuple([choices.below(100) for _ in range(count)]))


def _picky(choices: Choices, bound: int) -> Numbers:
    made = numbers(choices, bound)
    if len(made.listed) == 5:
        raise ValueError("five is refused")
    return made


def _nothing(choices: Choices, bound: int) -> Numbers:  # noqa: ARG001
    return Numbers(())


BOUNDS = Bounds(8, 16, 32)
toy = partial(
    claim,
    instances=Instances(Numbers, numbers, BOUNDS),
    number="none",
    page="none",
    judged="nobody",
    statement="A claim that is a toy.",
)


@toy("toy.misprinted", counterexample=lambda: Numbers((1,)))
@toy("toy.holds", status="new", corners=lambda: (Numbers(()), Numbers((1, 2, 3))))
def _holds(instance: Numbers, say: Say) -> None:
    if not instance.listed:
        say.not_applicable("an empty list")
    say(sum=sum(instance.listed), largest=max(instance.listed))


@toy("toy.nothing", status="new", instances=Instances(Numbers, _nothing, BOUNDS))
def _always(instance: Numbers, say: Say) -> None:
    pass


@toy("toy.picky", status="new", instances=Instances(Numbers, _picky, BOUNDS))
@toy("toy.corner", status="new", corners=lambda: (Numbers((1,)), Numbers((100, 99))))
@toy("toy.printed", counterexample=lambda: Numbers((75, 75)))
@toy("toy.sum", status="new", corners=lambda: (Numbers((149,)),))
def _sum(instance: Numbers, say: Say) -> None:
    total = sum(instance.listed)
    say(sum=total)
    say.require(total < 150, "the sum is 150 or more")


@toy("toy.pair", status="new")
def _pair(instance: Numbers, say: Say) -> None:
    """Refuted from two equal numbers of at least 10 on."""
    for number in instance.listed:
        if number >= 10 and instance.listed.count(number) > 1:
            say(number=number)
            say.refute("a number is there twice")


@toy("toy.raises", status="new")
def _raises(instance: Numbers, _: Say) -> None:
    """Of two types; the simplest lists raise the other one."""
    if len(instance.listed) >= 3:
        if instance.listed[0] == 0:
            raise KeyError(0)
        raise ZeroDivisionError(f"at {object()}")


@toy("toy.hangs", status="new")
def _hangs(instance: Numbers, _: Say) -> None:
    while 77 in instance.listed:
        time.sleep(0.01)


@toy("toy.dies", status="new")
def _dies(instance: Numbers, _: Say) -> None:
    if 55 in instance.listed:
        os._exit(3)
    if 66 in instance.listed:
        os.kill(os.getpid(), signal.SIGKILL)


@toy("toy.fragile", status="new")
def _rarely_dies(instance: Numbers, _: Say) -> None:
    if instance.listed[:1] == (55,):
        os._exit(3)


@toy("toy.brittle", status="new")
def _brittle(instance: Numbers, say: Say) -> None:
    """Simple lists that do not refute it kill the process."""
    if len(instance.listed) == 1 and instance.listed[0] >= 50:
        os._exit(3)
    _sum(instance, say)


@toy("toy.slow", status="new")
def _slow(instance: Numbers, say: Say) -> None:
    time.sleep(0.005)
    say(sum=sum(instance.listed))
