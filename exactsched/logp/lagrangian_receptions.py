"""Which processors add up a sum when additions do not fill the time between receptions exactly.

Times are integers, an addition takes `unit` of them, and time runs backwards: the next event
happens earlier.  Every message has a price.  A recurrence over times finds the best tree for a
price, and a descent finds the least price that allows few enough messages.  Proofs:
proofs/logp-summation.md.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush

from exactsched.exact.errors import InvalidInput
from exactsched.logp.listing import MOST_BITS

# Ten times as many as 100,000 processors with latencies of up to 1000 were seen to need.
MOST_STATES = 300_000
# More than there are messages, so that fewer of them decide where additions are equal.
_MANY = 1 << 64

# After a reception: (additions, from its start to the next event, how much earlier it was sent).
Wait = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Adding:
    """The machine in ticks, and what may follow a reception: the last of all, and any other."""

    latency: int
    overhead: int
    period: int  # the gap, or a reception and an addition
    unit: int
    last: tuple[Wait, ...] = field(init=False)
    other: tuple[Wait, ...] = field(init=False)

    def __post_init__(self) -> None:
        arrival = self.latency + self.overhead
        filled, idle = divmod(self.period - self.overhead, self.unit)
        waits = [(filled, self.period)]
        if idle:
            waits.append((filled + 1, self.overhead + (filled + 1) * self.unit))
        alone = self.overhead + self.unit
        object.__setattr__(self, "last", ((1, alone, alone + arrival),))
        object.__setattr__(self, "other", tuple((n, t, t + arrival) for n, t in waits))

    def waits(self, receives: bool) -> tuple[Wait, ...]:
        """What may follow the reception before: `receives` if another one comes after it."""
        return self.other if receives else self.last


@dataclass(slots=True)
class Adder:
    """A processor sends its sum at `send` (the result is complete then); `waits` go backwards.

    Before the last wait it adds from 0 to `free`.
    """

    send: int
    parent: int
    free: int
    waits: list[Wait]


@dataclass(frozen=True, slots=True)
class Priced:
    """The best tree within a time if a message costs `price` additions."""

    adding: Adding
    time: int
    allowed: int  # messages
    price: int
    value: int  # additions, less the prices; the largest possible
    messages: int  # as few as this value allows
    choices: dict[int, Wait]
    states: set[int]
    limits: tuple[int, int]  # up to which no reception is worth its price

    @property
    def operands(self) -> int:
        """No tree with as many messages as are allowed adds more."""
        return 1 + self.price * self.allowed + self.value

    def rises(self) -> set[int]:
        """The later times at which `value` may be larger; it is not before the first of them.

        Another addition fits before some event, or some reception becomes worth its price.
        """
        unit, time = self.adding.unit, self.time
        times = {time + unit - (state >> 1) % unit for state in self.states}
        margins = [(self.limits[state & 1] - (state >> 1)) for state in self.states]
        return times | {time + margin + 1 for margin in margins if margin >= 0}

    def falls(self) -> set[int]:
        """The earlier times before which `value` may be smaller, and this time."""
        unit, time = self.adding.unit, self.time
        return {time - (state >> 1) % unit for state in self.states}

    def chosen(self) -> list[Adder]:
        """The processors, with their parents before them; 0 has the result."""
        adders = [Adder(self.time, -1, self.time, [])]
        for number, adder in enumerate(adders):  # which grows
            while wait := self.choices.get(2 * adder.free + bool(adder.waits)):
                _receive(adders, number, wait)
        return adders


def priced(adding: Adding, time: int, allowed: int, price: int) -> Priced:
    """The largest number of additions, less the price for every message, and where it is reached.

    The states are 2 t for who sends at t, 2 t + 1 for who has a reception that starts at t.  No
    message is worth its price where, in real numbers, it adds less.
    """
    latency, overhead, unit = adding.latency, adding.overhead, adding.unit
    enough = latency + 2 * overhead + price * unit
    limits = (enough + overhead + unit, enough + adding.period)
    order: list[int] = []
    most = min(MOST_STATES, MOST_BITS // time.bit_length()) if time else MOST_STATES
    seen = {2 * time}
    waiting = [-2 * time]
    while waiting:
        state = -heappop(waiting)
        if state >> 1 <= limits[state & 1]:
            continue
        order.append(state)
        if len(order) > most:
            raise InvalidInput("time", time, f"more than {most} times of receptions")
        for _, earlier, sent in adding.waits(bool(state & 1)):
            for follows in (state - 2 * earlier | 1, (state | 1) - 2 * sent - 1):
                if follows not in seen:
                    seen.add(follows)
                    heappush(waiting, -follows)
    worth = {state: (state >> 1) // unit * _MANY for state in seen}
    choices: dict[int, Wait] = {}
    charge = price * _MANY + 1
    for state in reversed(order):
        best = worth[state]
        for wait in adding.waits(bool(state & 1)):
            additions, earlier, sent = wait
            rest = worth[state - 2 * earlier | 1] + worth[(state | 1) - 2 * sent - 1]
            if additions * _MANY - charge + rest > best:
                best = additions * _MANY - charge + rest
                choices[state] = wait
        worth[state] = best
    value = -(-worth[2 * time] // _MANY)
    messages = value * _MANY - worth[2 * time]
    return Priced(adding, time, allowed, price, value, messages, choices, seen, limits)


def least_priced(adding: Adding, time: int, allowed: int, guess: int) -> Priced:
    """The best tree for the price, from a guess, for which `operands`, a convex bound, is least."""
    best = priced(adding, time, allowed, max(guess, 0))
    while (other := priced(adding, time, allowed, best.price + 1)).operands < best.operands:
        best = other
    while best.price:
        other = priced(adding, time, allowed, best.price - 1)
        if other.operands >= best.operands:
            break
        best = other
    return best


def adders_for(found: Priced, operands: int) -> list[Adder]:
    """Processors that add up `operands` operands, or fewer if the heuristic finds no more (rare).

    If only one wait is possible it is: adding processors where that brings most is optimal, as
    later ones never bring more.  Otherwise that begins with the best trees for a price.
    """
    adding, allowed = found.adding, found.allowed
    begun = [[Adder(found.time, -1, found.time, [])]]
    if len(adding.other) > 1:
        dearer = priced(adding, found.time, allowed, found.price + 1)
        begun = [tree.chosen() for tree in (found, dearer) if tree.messages <= allowed]
    best: list[Adder] = []
    for adders in begun:
        _extend(adding, adders, allowed + 1, operands)
        if not best or operands_of(adding, best) < min(operands, operands_of(adding, adders)):
            best = adders
    return best


def operands_of(adding: Adding, adders: list[Adder]) -> int:
    """One more than there are additions."""
    return 1 + sum(
        adder.free // adding.unit + sum(additions for additions, *_ in adder.waits)
        for adder in adders
    )


def _extend(adding: Adding, adders: list[Adder], processors: int, operands: int) -> None:
    """Lets more processors take part, always where that adds most, until there is enough."""
    lacking = operands - operands_of(adding, adders)
    waiting = [step for number in range(len(adders)) for step in _steps(adding, adders, number)]
    heapify(waiting)
    while waiting and len(adders) < processors and lacking > 0:
        loss, _, number, wait = heappop(waiting)
        lacking += loss
        _receive(adders, number, wait)
        for one in (number, len(adders) - 1):
            for step in _steps(adding, adders, one):
                heappush(waiting, step)


def _receive(adders: list[Adder], number: int, wait: Wait) -> None:
    """One processor more, who is received before the others that `number` receives."""
    adder = adders[number]
    sent = adder.free - wait[2]
    adders.append(Adder(sent, number, sent, []))
    adder.waits.append(wait)
    adder.free -= wait[1]


def _steps(adding: Adding, adders: list[Adder], number: int) -> list[tuple[int, int, int, Wait]]:
    """One reception more, before the others, if it is worth it: (- what it adds, ...)."""
    free = adders[number].free
    steps = [
        (-gain, wait[2] - free, number, wait)
        for wait in adding.waits(bool(adders[number].waits))
        if free >= wait[2] and (gain := _gain(adding, free, wait)) > 0
    ]
    return [min(steps)] if steps else []


def _gain(adding: Adding, free: int, wait: Wait) -> int:
    """How many additions more there are if a processor free until then receives and waits so."""
    additions, earlier, sent = wait
    unit = adding.unit
    return additions + (free - earlier) // unit + (free - sent) // unit - free // unit


def shorten(adding: Adding, adders: list[Adder], surplus: int) -> tuple[list[Adder], int]:
    """Leaves out who sends first, while that is no more than the surplus, and what is left of it.

    The processors come in the order of their sends, the last one first.
    """
    order = sorted(range(len(adders)), key=lambda number: -adders[number].send)
    while len(order) > 1:
        # Whoever sends first receives nothing, and is received before the others.
        parent = adders[adders[order[-1]].parent]
        wait = parent.waits[-1]
        gain = _gain(adding, parent.free + wait[1], wait)
        if gain > surplus:
            break
        surplus -= gain
        parent.free += wait[1]
        parent.waits.pop()
        order.pop()
    place = {number: position for position, number in enumerate(order)}
    kept = [adders[number] for number in order]
    for adder in kept[1:]:
        adder.parent = place[adder.parent]
    return kept, surplus
