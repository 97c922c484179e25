"""Round numbers for axes."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor, log10


def round_times(span: Fraction) -> tuple[Fraction, ...]:
    """Times for an axis from 0 to `span`, both included: four to twelve equal steps if possible.

    >>> [str(time) for time in round_times(Fraction(9, 4))]
    ['0', '1/4', '1/2', '3/4', '1', '5/4', '3/2', '7/4', '2', '9/4']
    >>> [int(time) for time in round_times(Fraction(1725))]
    [0, 200, 400, 600, 800, 1000, 1200, 1400, 1725]
    """
    step = _round_step(span)
    times = [step * index for index in range(floor(span / step) + 1)]
    if times[-1] != span:
        if span - times[-1] < step * Fraction(7, 10):
            times.pop()
        times.append(span)
    return tuple(times)


def _round_step(span: Fraction) -> Fraction:
    """A round number, a twelfth or so of the span; a unit fraction if that divides a short span."""
    power = power_of_ten(span)
    factors = (Fraction(1, 5), Fraction(1, 2), Fraction(1), Fraction(2))
    fitting = [power * factor for factor in factors if 4 <= span / (power * factor) <= 12]
    dividing = [step for step in fitting if (span / step).denominator == 1]
    for denominator in (1, 2):
        for step in dividing:
            if step.denominator == denominator:
                return step
    if span < 12:
        for parts in range(4, 13):
            if (span / parts).numerator == 1 and (span / parts).denominator <= 12:
                return span / parts
    return fitting[0]


def power_of_ten(value: Fraction) -> Fraction:
    """The largest power of ten that is at most a positive value.

    >>> power_of_ten(Fraction(999)), power_of_ten(Fraction(1, 1000))
    (Fraction(100, 1), Fraction(1, 1000))
    """
    # From the number of bits to a power of ten near the value, then exactly.
    bits = value.numerator.bit_length() - value.denominator.bit_length()
    power = Fraction(10) ** (bits * 3 // 10)
    while power > value:
        power /= 10
    while 10 * power <= value:
        power *= 10
    return power


def round_numbers(top: int, count: int) -> tuple[int, ...]:
    """0, the top, and round numbers between them, which keep away from the top.

    >>> round_numbers(32, 5), round_numbers(7, 8), round_numbers(231, 8)
    ((0, 10, 20, 32), (0, 1, 2, 3, 4, 5, 6, 7), (0, 50, 100, 150, 231))
    """
    step = 1
    while top > step * count:
        size = 10 ** (len(str(step)) - 1)
        step = next(size * factor for factor in (2, 5, 10) if size * factor > step)
    return (*(number for number in range(0, top, step) if 3 * (top - number) >= 2 * step), top)


def excess_scale(excess: Fraction) -> tuple[Fraction, Fraction]:
    """The height of an axis above 1 and its step: 1, 2 or 5 times a power of ten, 3 to 7 steps."""
    if excess == 0:
        return Fraction(1), Fraction(1, 5)
    step = power_of_ten(excess) / 10
    for factor in (2, 5, 10, 20):
        if excess / (step * factor) <= 6:
            step *= factor
            break
    return ceil(excess / step) * step, step


def logarithm(value: Fraction | int) -> float:
    """The logarithm to base 10 of a positive rational of any size."""
    return log10(value.numerator) - log10(value.denominator)
