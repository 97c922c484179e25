"""What every chunk of every buffer holds in the end, if no two steps race for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from exactsched.exact.errors import Malformed, Rejected
from exactsched.export.msccl.document import (
    READS_SOURCE,
    RECEIVES,
    SENDS,
    WRITES,
    Algorithm,
    Buffer,
    Step,
)
from exactsched.export.msccl.events import Events
from exactsched.export.msccl.races import Clocks, Use, unordered
from exactsched.export.values import (
    COLLECTIVES,
    EMPTY,
    Collective,
    Content,
    Value,
    added,
    collective_named,
    told,
)

# Larger than any offset, so that the buffers of a gpu do not touch.
_SPAN: Final = 1 << 32
_NAMES: Final = {"i": "input", "o": "output", "s": "scratch"}


def collective_of(algorithm: Algorithm) -> Collective:
    """The collective that an algorithm says it is.

    Raises `Malformed` for another one, for chunks that do not divide among the gpus, and for
    buffers that are longer than the executor's.
    """
    chunks = algorithm.chunks
    name = _NAMED.get(algorithm.collective)
    if name is None:
        rule = f"verified are {', '.join(COLLECTIVES)}"
        raise Malformed("algo, coll", algorithm.collective, rule)
    found = collective_named(name, len(algorithm.gpus), chunks, "algo, nchunksperloop")
    for number, gpu in enumerate(algorithm.gpus):
        for attribute, declared, most in (
            ("i_chunks", gpu.inputs, found.inputs),
            ("o_chunks", gpu.outputs, found.outputs),
        ):
            if declared > most:
                rule = f"this buffer of an {name} of {chunks} chunks has {most}"
                raise Malformed(f"gpu {number}, {attribute}", declared, rule)
    return found


_NAMED: Final = {name: name for name in COLLECTIVES} | {"reduce_scatter": "reducescatter"}


def refuse_wrong_contents(
    algorithm: Algorithm, events: Events, order: Sequence[int], *, in_place: bool
) -> int:
    """Plays all steps in an order that the plan allows: every allowed order gives the same.

    Returns the gpu that a broadcast comes from, or 0.  Raises `Rejected` for a race, and where an
    output does not hold what the collective wants.
    """
    return _Player(algorithm, events, order, in_place=in_place).play()


class _Player:
    def __init__(
        self, algorithm: Algorithm, events: Events, order: Sequence[int], *, in_place: bool
    ) -> None:
        self._collective = collective_of(algorithm)
        self._gpus = len(algorithm.gpus)
        self._events = events
        self._order = order
        self._in_place = in_place
        self._written: dict[int, Content] = {}
        # The last step that wrote a chunk, and those that have read it since.
        self._writer: dict[int, int] = {}
        self._readers: dict[int, list[int]] = {}
        self._clocks = Clocks(events, order)
        self._asked: dict[Use, None] = {}

    def play(self) -> int:
        under_way: dict[int, list[Content]] = {}
        for event in self._order:
            self._run(event, under_way)
        race = unordered(self._events, self._order, list(self._asked))
        if race is not None:
            place = self._events.place(race.later)
            verb = "writes" if race.writes else "reads"
            rule = f"race: {self._events.place(race.earlier)} {verb} it too; wait for its end"
            raise Rejected(place, race.chunk, rule)
        return self._judge()

    def _run(self, event: int, under_way: dict[int, list[Content]]) -> None:
        step = self._events.steps[event]
        kind, gpu, count = step.kind, self._events.gpu[event], step.size
        source, target = self._at(gpu, *step.source), self._at(gpu, *step.target)
        self._refuse_overlap(event, step, source, target)
        values: list[Content] = []
        if kind in RECEIVES:
            values = under_way.pop(self._events.sender[event])
        if kind in READS_SOURCE:
            values = self._combined(values, self._read(event, source, count))
        if kind == "re":
            values = self._combined(self._read(event, target, count), values)
        if kind in SENDS:
            under_way[event] = values
        # A copy onto itself, as of an input that is the output, changes nothing.
        if kind in WRITES and not (kind == "cpy" and source == target):
            self._write(event, target, values)

    def _refuse_overlap(self, event: int, step: Step, source: int, target: int) -> None:
        apart = abs(source - target)
        if step.kind in READS_SOURCE and step.kind in WRITES and 0 < apart < step.size:
            rule = "the source and the target of a step are apart or the same"
            raise Rejected(self._events.place(event), apart, rule)

    def _combined(self, some: list[Content], others: list[Content]) -> list[Content]:
        return list(map(added, some, others)) if some else others

    def _read(self, event: int, start: int, count: int) -> list[Content]:
        values = []
        for chunk in range(start, start + count):
            writer = self._writer.get(chunk)
            if writer is not None:
                self._ask(writer, True, event, chunk)
            self._readers.setdefault(chunk, []).append(event)
            values.append(self._content(chunk))
        return values

    def _write(self, event: int, start: int, values: list[Content]) -> None:
        for chunk, value in enumerate(values, start):
            for reader in self._readers.pop(chunk, ()):
                self._ask(reader, False, event, chunk)
            writer = self._writer.get(chunk)
            if writer is not None:
                self._ask(writer, True, event, chunk)
            self._writer[chunk] = event
            self._written[chunk] = value

    def _ask(self, earlier: int, writes: bool, later: int, chunk: int) -> None:
        if earlier != later and not self._clocks.ended(earlier, later):
            self._asked[Use(earlier, writes, later, self._shown(chunk))] = None

    def _at(self, gpu: int, buffer: Buffer, offset: int) -> int:
        """The chunk among those of all gpus; in place, input and output share their chunks."""
        base = 4 * gpu * _SPAN + offset
        if buffer == "s":
            return base + 2 * _SPAN
        if self._in_place:
            found = self._collective
            return base + (found.input_at(gpu) if buffer == "i" else found.output_at(gpu))
        return base + (_SPAN if buffer == "o" else 0)

    def _shown(self, chunk: int) -> str:
        offset = chunk % _SPAN
        buffer = "ios"[chunk // _SPAN % 4]
        if buffer == "i" and self._in_place:
            return f"chunk {offset} of the buffer"
        return f"chunk {offset} of the {_NAMES[buffer]}"

    def _content(self, chunk: int) -> Content:
        found = self._written.get(chunk)
        if found is not None:
            return found
        gpu, within = divmod(chunk, 4 * _SPAN)
        offset = within - (self._collective.input_at(gpu) if self._in_place else 0)
        if 0 <= offset < self._collective.inputs:
            return Value(offset, 1 << gpu)
        return EMPTY

    def _judge(self) -> int:
        root = self._root()
        for gpu in range(self._gpus):
            for k in range(self._collective.outputs):
                held = self._content(self._at(gpu, "o", k))
                wanted = self._collective.wanted(gpu, k, root)
                if held != wanted:
                    value = held if isinstance(held, str) else told(held)
                    place = f"gpu {gpu}, chunk {k} of the output"
                    if self._in_place:
                        place += ", in place"
                    raise Rejected(place, value, f"at the end it is {told(wanted)}")
        return root

    def _root(self) -> int:
        """Of a broadcast: the gpu that the first one has its chunk from."""
        if self._collective.name != "broadcast":
            return 0
        held = self._content(self._at(0, "o", 0))
        return 0 if isinstance(held, str) else (held.gpus & -held.gpus).bit_length() - 1
