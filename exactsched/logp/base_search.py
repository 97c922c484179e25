"""Find the partitions of `base_partitions.txt` again, by integer programming: a minute or two.

python -m exactsched.logp.base_search > base_partitions.txt
"""

from __future__ import annotations

from collections.abc import Iterator

from exactsched.logp.base_partitions import Key, line_of
from exactsched.logp.counts import fibonacci
from exactsched.logp.partition_program import partition_by_program


def main() -> None:
    """A line for every base case that the program solves."""
    for key in _two_letters():
        latency, depth, processors, spare, balls = key
        for lost in range(1, 7):
            found = partition_by_program(
                latency, depth, processors, lost=lost, spare=spare, balls=balls
            )
            if found is not None:
                print(line_of(key, found), flush=True)
            if found is not None or balls is None:
                break


def _least(processors: int) -> int:
    return next(depth for depth in range(processors + 1) if fibonacci(2, depth) >= processors)


def _two_letters() -> Iterator[Key]:
    """The least depths, and those on which the induction rests (`two_letters`)."""
    for processors in range(2, 46):
        yield 2, _least(processors), processors, None, None
    for depth, least, most in ((8, 13, 27), (9, 21, 44), (10, 72, 72)):
        for processors in range(least, most + 1):
            yield 2, depth, processors, 1, 2


if __name__ == "__main__":
    main()
