"""How many times of a schedule are written out: fewer where they have hundreds of digits."""

from __future__ import annotations

from typing import Final

from exactsched.exact.errors import InvalidInput

MOST_ROUNDS: Final = 1_000_000  # of a schedule: a quarter of a gigabyte
# Their digits are written in 5 seconds.  A checker refuses a schedule of as many.
MOST_BITS: Final = 1 << 28
# Shorter numbers take a few words of memory each, whatever they are.
_SHORT: Final = 64


def most_rounds(*numbers: int) -> int:
    """How many rounds are listed whose times are about as long as the longest of these numbers.

    Together they have at most `MOST_BITS` bits.

    >>> most_rounds(3, 10**18), most_rounds(3, 10**5000)
    (1000000, 16161)
    """
    bits = max(numbers).bit_length()
    return min(MOST_ROUNDS, MOST_BITS // bits) if bits > _SHORT else MOST_ROUNDS


def refuse_long_times(count: int, *numbers: int) -> None:
    """Raises `InvalidInput` for more than `MOST_BITS` bits in this many numbers like the longest.

    >>> refuse_long_times(1000, 10**5000)
    >>> refuse_long_times(10**5, 4, 10**5000)
    Traceback (most recent call last):
    exactsched.exact.errors.InvalidInput: processors: 100000: at most 16161 of 16610 bits are listed
    """
    bits = max(numbers).bit_length()
    if bits > _SHORT and count > MOST_BITS // bits:
        rule = f"at most {MOST_BITS // bits} of {bits} bits are listed"
        raise InvalidInput("processors", count, rule)
