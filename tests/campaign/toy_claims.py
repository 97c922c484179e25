"""Claims for the tests of campaigns: they hold, fail, raise, hang and kill on purpose.

A library of its own: `verify(..., library="tests.campaign.toy_claims")` runs them in any process
that finds this file.
"""

from __future__ import annotations

import os
import signal
import time
from dataclasses import dataclass

from exactsched.instances.choices import Choices
from exactsched.theorems.claim import Bounds, Claim, Verdict, held, not_applicable, refuted


@dataclass(frozen=True, slots=True)
class Numbers:
    """A list of whole numbers."""

    listed: tuple[int, ...]


def numbers(choices: Choices, bound: int) -> Numbers:
    count = choices.between(0, bound)
    return Numbers(tuple([choices.below(100) for _ in range(count)]))


def _holds(instance: Numbers) -> Verdict:
    if not instance.listed:
        return not_applicable("an empty list")
    return held(sum=sum(instance.listed), largest=max(instance.listed))


def _sum(instance: Numbers) -> Verdict:
    total = sum(instance.listed)
    return refuted("the sum is 150 or more", sum=total) if total >= 150 else held(sum=total)


def _pair(instance: Numbers) -> Verdict:
    """Refuted from two equal numbers of at least 10 on."""
    for number in instance.listed:
        if number >= 10 and instance.listed.count(number) > 1:
            return refuted("a number is there twice", number=number)
    return held()


def _raises(instance: Numbers) -> Verdict:
    """Of two types; the simplest lists raise the other one."""
    if len(instance.listed) >= 3:
        if instance.listed[0] == 0:
            raise KeyError(0)
        raise ZeroDivisionError(f"at {object()}")
    return held()


def _hangs(instance: Numbers) -> Verdict:
    while 77 in instance.listed:
        time.sleep(0.01)
    return held()


def _dies(instance: Numbers) -> Verdict:
    if 55 in instance.listed:
        os._exit(3)
    if 66 in instance.listed:
        os.kill(os.getpid(), signal.SIGKILL)
    return held()


def _rarely_dies(instance: Numbers) -> Verdict:
    if instance.listed[:1] == (55,):
        os._exit(3)
    return held()


def _brittle(instance: Numbers) -> Verdict:
    """Simple lists that do not refute it kill the process."""
    if len(instance.listed) == 1 and instance.listed[0] >= 50:
        os._exit(3)
    return _sum(instance)


def _picky(choices: Choices, bound: int) -> Numbers:
    made = numbers(choices, bound)
    if len(made.listed) == 5:
        raise ValueError("five is refused")
    return made


def _slow(instance: Numbers) -> Verdict:
    time.sleep(0.005)
    return held(sum=sum(instance.listed))


def _nothing(choices: Choices, bound: int) -> Numbers:  # noqa: ARG001
    return Numbers(())


def _toy(name, check, *, instance=numbers, status="new", corners=(), counterexample=None) -> Claim:
    return Claim(
        id=name,
        statement=f"The toy claim {name}.",
        reference="none",
        status=status,
        page="none",
        implemented=(),
        checked_by="nobody",
        instance_type=Numbers,
        instance=instance,
        check=check,
        bounds=Bounds(8, 16, 32),
        corners=lambda: corners,
        counterexample=counterexample,
    )


CLAIMS = (
    _toy("toy.holds", _holds, corners=(Numbers(()), Numbers((1, 2, 3)))),
    _toy("toy.nothing", lambda _: held(), instance=_nothing),
    _toy("toy.sum", _sum, corners=(Numbers((149,)),)),
    _toy("toy.pair", _pair),
    _toy("toy.raises", _raises),
    _toy("toy.hangs", _hangs),
    _toy("toy.dies", _dies),
    _toy("toy.fragile", _rarely_dies),
    _toy("toy.brittle", _brittle),
    _toy("toy.picky", _sum, instance=_picky),
    _toy("toy.slow", _slow),
    _toy(
        "toy.printed",
        _sum,
        status="wrong as printed",
        counterexample=lambda: Numbers((75, 75)),
    ),
    _toy(
        "toy.misprinted",
        _holds,
        status="wrong as printed",
        counterexample=lambda: Numbers((1,)),
    ),
    _toy("toy.corner", _sum, corners=(Numbers((1,)), Numbers((100, 99)))),
)
