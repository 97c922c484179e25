"""What chunks hold, as symbols, and what a collective wants them to hold."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from exactsched.exact.errors import Malformed


class Value(NamedTuple):
    """The sum of the chunks `chunk` of the inputs of some gpus, one bit for each."""

    chunk: int
    gpus: int


# A chunk that is no such sum: why not.
Content = Value | str
EMPTY: Final = "nothing was written there"


# What has to be in the output of a gpu at a chunk, if a third gpu is the root.
_Wanted = Callable[[int, int, int], Value]


class Collective(NamedTuple):
    """The lengths of both buffers, where one lies in the other, and what has to be in the output.

    - `inputs`, `outputs`: chunks of a gpu
    - `input_at`, `output_at`: of gpu r, in a call in place
    - `wanted`: of gpu r, at chunk k
    """

    name: str
    inputs: int
    outputs: int
    input_at: Callable[[int], int]
    output_at: Callable[[int], int]
    wanted: _Wanted


COLLECTIVES: Final = ("allgather", "reducescatter", "allreduce", "broadcast", "alltoall")


def collective_named(name: str, gpus: int, chunks: int, place: str) -> Collective:
    """One of `COLLECTIVES` for a whole vector of some chunks; `place` is that of their number.

    Raises `Malformed` where the chunks do not divide among the gpus.
    """
    everyone = (1 << gpus) - 1
    each, rest = divmod(chunks, gpus)
    if rest and name not in ("allreduce", "broadcast"):
        rule = f"this counts the chunks of all {gpus} gpus, so {gpus} divides it"
        raise Malformed(place, chunks, rule)

    def start(_: int) -> int:
        return 0

    def own(gpu: int) -> int:
        return gpu * each

    wanted: dict[str, _Wanted] = {
        "allgather": lambda _, k, __: Value(k % each, 1 << k // each),
        "reducescatter": lambda gpu, k, _: Value(gpu * each + k, everyone),
        "allreduce": lambda _, k, __: Value(k, everyone),
        "broadcast": lambda _, k, root: Value(k, 1 << root),
        "alltoall": lambda gpu, k, _: Value(gpu * each + k % each, 1 << k // each),
    }
    return Collective(
        name,
        each if name == "allgather" else chunks,
        each if name == "reducescatter" else chunks,
        own if name == "allgather" else start,
        own if name == "reducescatter" else start,
        wanted[name],
    )


def added(one: Content, other: Content) -> Content:
    """The sum of two contents, or why it is none.

    >>> added(Value(3, 0b01), Value(3, 0b10))
    Value(chunk=3, gpus=3)
    >>> added(Value(3, 0b01), Value(3, 0b11))
    'what gpu 0 has was added twice'
    """
    if isinstance(one, str):
        return one
    if isinstance(other, str):
        return other
    if one.chunk != other.chunk:
        return f"chunk {one.chunk} was added to chunk {other.chunk}"
    if one.gpus & other.gpus:
        return f"what gpu {_bits(one.gpus & other.gpus)[0]} has was added twice"
    return Value(one.chunk, one.gpus | other.gpus)


def _bits(mask: int) -> list[int]:
    return list(_bit_numbers(mask))


def _bit_numbers(mask: int) -> Iterator[int]:
    while mask:
        yield (mask & -mask).bit_length() - 1
        mask &= mask - 1


def told(value: Value) -> str:
    """A value in a message.

    >>> told(Value(3, 0b100)), told(Value(3, 0b101))
    ('chunk 3 of gpu 2', 'the sum of chunk 3 of the 2 gpus 0, 2')
    """
    gpus = _bits(value.gpus)
    if len(gpus) == 1:
        return f"chunk {value.chunk} of gpu {gpus[0]}"
    some = ", ".join(map(str, gpus[:4])) + (f", ..., {gpus[-1]}" if len(gpus) > 4 else "")
    return f"the sum of chunk {value.chunk} of the {len(gpus)} gpus {some}"
