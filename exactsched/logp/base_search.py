"""Find the partitions of `base_partitions.txt` again, by integer programming: some minutes.

python -m exactsched.logp.base_search > base_partitions.txt
"""

from __future__ import annotations

from exactsched.logp.base_partitions import line_of
from exactsched.logp.counts import fibonacci
from exactsched.logp.letter_exchange import partition_by_exchange
from exactsched.logp.partition_program import partition_by_program
from exactsched.logp.partition_series import base_cases


def main() -> None:
    """A line for every base case that the explicit rule does not solve and the program does."""
    for latency in range(3, 65):
        for depth, dropped, spare, balls in base_cases(latency):
            if latency % 2 == 0 and (depth, dropped) == (2 * latency, 0):
                continue
            if partition_by_exchange(latency, depth, dropped, spare, balls) is None:
                count = fibonacci(latency, depth) - dropped
                found = partition_by_program(latency, depth, count, spare=spare, balls=balls)
                key = (latency, depth, count, spare, balls)
                print(line_of(key, found) if found else f"none for {key}", flush=True)


if __name__ == "__main__":
    main()
