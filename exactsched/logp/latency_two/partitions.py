"""Partitions for the latency 2, found by integer programming.

They are certificates: a line of `two_partitions.txt` holds the latency, the spare letter and the
blocks, the root's last, and `Partition.is_valid` replays it.
`python -m exactsched.logp.partition_program` finds them again.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from exactsched.logp.block_partition import Block, Partition

# L, depth, processors, and the spare letter and the balls of the root's block if prescribed
Key = tuple[int, int, int, int | None, int | None]


def stored_partition(key: Key) -> Partition | None:
    """The stored partition for a tree, or None.

    >>> partition = stored_partition((2, 8, 13, 1, 2))
    >>> partition.is_valid(), partition.spare
    (True, 1)
    """
    return _stored().get(key)


def stored_partitions() -> dict[Key, Partition]:
    """All of them.

    >>> all(partition.is_valid() for partition in stored_partitions().values())
    True
    """
    return dict(_stored())


def line_of(key: Key, partition: Partition) -> str:
    """The partition in text; a prescribed number is said by a star.

    >>> line_of((3, 3, 2, None, 2), Partition(3, 3, (Block(3, 1, ()),), 0))
    '3 0 * 3.1.'
    """
    prescribed = ("*" if key[4] is not None else "") + ("!" if key[3] is not None else "")
    blocks = [
        f"{block.index}.{block.children}.{','.join(map(str, block.letters))}"
        for block in partition.blocks
    ]
    return " ".join([str(partition.L), str(partition.spare), prescribed or "-", *blocks])


@cache
def _stored() -> dict[Key, Partition]:
    lines = files("exactsched.logp").joinpath("two_partitions.txt").read_text().splitlines()
    return dict(map(_read, lines))


def _read(line: str) -> tuple[Key, Partition]:
    latency, spare, prescribed, *blocks = line.split()
    partition = Partition(int(latency), 0, tuple(map(_block, blocks)), int(spare))
    depth = partition.blocks[-1].index
    partition = Partition(int(latency), depth, partition.blocks, int(spare))
    key = (
        partition.L,
        depth,
        partition.processors,
        partition.spare if "!" in prescribed else None,
        partition.blocks[-1].balls if "*" in prescribed else None,
    )
    return key, partition


def _block(text: str) -> Block:
    index, children, letters = text.split(".")
    return Block(int(index), int(children), tuple(map(int, filter(None, letters.split(",")))))
