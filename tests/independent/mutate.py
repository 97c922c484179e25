"""Random changes of JSON documents. The same generator of random numbers gives the same changes."""

import copy
import json
from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

Place = tuple[Any, Any]  # a list and an index, or an object and a name

WORDS = (
    *("series", "run", "none", "tree", "dag", "any", "acyclic", "one-port", "half-duplex", "link"),
    *("broadcast", "alltoall", "reduction", "allgather", "allreduce", "summation", "cuts"),
    *("distances", "potentials", "split-on-node", "split-on-cycle", "overlay", "rounds"),
    *("logp-schedule", "logp-cycles", "logp-rounds", "logp-buffered", "send", "used", "chosen"),
    *("series-around-cycle", "series-by-symmetry"),
)


def places(value: Any) -> list[Place]:
    """Every place of a document that holds a value."""
    found: list[Place] = []
    stack = [value]
    while stack:
        node = stack.pop()
        if isinstance(node, dict | list):
            for key in node if isinstance(node, dict) else range(len(node)):
                found.append((node, key))
                stack.append(node[key])
    return found


def number(value: Fraction) -> int | str:
    """A number as documents write it."""
    whole = value.denominator == 1
    return value.numerator if whole and abs(value) < 2**53 else str(value)


def is_number(value: Any) -> bool:
    if isinstance(value, bool):
        return False
    digits = isinstance(value, str) and value.strip("-0123456789") in ("", "/")
    return isinstance(value, int) or (digits and any(c.isdigit() for c in value))


def _calculated(random: Random, value: int | str) -> Any:
    x = Fraction(value)
    choices: list[Callable[[], Fraction]] = [
        lambda: x + 1,
        lambda: x - 1,
        lambda: 2 * x,
        lambda: x / 2,
        lambda: -x,
        lambda: Fraction(0),
        lambda: Fraction(x.numerator + random.choice((-1, 1)), x.denominator),
        lambda: Fraction(x.numerator, max(1, x.denominator + random.choice((-1, 1)))),
        lambda: x + Fraction(random.choice((-1, 1)), random.choice((2, 3, 7))),
        lambda: Fraction(random.choice((1, 2, 3, 5, 10**6, 10**18, 2**53, 2**61 - 1))),
    ]
    return number(random.choice(choices)())


def _spelled(random: Random, value: int | str) -> Any:
    """The same number as a value of another kind."""
    forms = [str(value), float(Fraction(value)) if len(str(value)) < 18 else 0.5, bool(value)]
    forms += [f"{value}/1", f" {value}", f"+{value}", f"0{value}", None, [value], f"{value}.0"]
    twice = Fraction(value) * 2
    forms += [f"{twice.numerator}/{2 * Fraction(value).denominator}", f"{value}\n"]
    return random.choice(forms)


def _listed(random: Random, value: list[Any]) -> None:
    action = random.randrange(7)
    k = random.randrange(len(value)) if value else 0
    if not value:
        value.append(random.choice((0, [], {}, "", None)))
    elif action == 0:
        del value[k]
    elif action == 1:
        value.insert(k, copy.deepcopy(value[k]))
    elif action == 2:
        other = random.randrange(len(value))
        value[k], value[other] = value[other], value[k]
    elif action == 3:
        random.shuffle(value)
    elif action == 4:
        value.append(copy.deepcopy(value[k]))
        if is_number(value[-1]) and random.random() < 0.5:
            value[-1] = _calculated(random, value[-1])
    elif action == 5:
        value.insert(random.randrange(len(value) + 1), value.pop(k))
    else:
        value.clear()


def _named(random: Random, value: dict[str, Any]) -> None:
    action = random.randrange(3)
    names = list(value)
    if action == 0 and names:
        del value[random.choice(names)]
    elif action == 1 and len(names) > 1:
        one, other = random.sample(names, 2)
        value[one], value[other] = value[other], value[one]
    else:
        value[random.choice(["", "extra", *names]) + "_"] = 0


def gentle(random: Random, document: Any) -> None:
    """Other numbers, or a change of a list, below a random member: the structure mostly stays."""
    member = random.choice([name for name in document if name not in ("format", "version", "kind")])
    below = places({member: document[member]})
    lists = [c[k] for c, k in below if isinstance(c[k], list)]
    numbers = [(c, k) for c, k in below if is_number(c[k])]
    if lists and random.random() < 0.25:
        _listed(random, random.choice(lists))
    elif numbers and random.random() < 0.1:  # all numbers by the same factor
        factor = random.choice((Fraction(2), Fraction(1, 2), Fraction(3)))
        for container, key in numbers:
            container[key] = number(Fraction(container[key]) * factor)
    elif numbers and random.random() < 0.2:
        (one, i), (other, k) = random.choice(numbers), random.choice(numbers)
        one[i], other[k] = other[k], one[i]
    elif numbers:
        container, key = random.choice(numbers)
        container[key] = _calculated(random, container[key])
    elif isinstance(document[member], bool):
        document[member] = not document[member]


def wild(random: Random, document: Any) -> None:
    """Any change at a random place; a place near the top is as likely as all those below it."""
    everywhere = places(document)
    member = random.choice(list(document))
    below = places(document[member]) or [(document, member)]
    container, key = random.choice(random.choice((everywhere, below, [(document, member)])))
    value = container[key]
    if random.random() < 0.2:  # a value from elsewhere, mostly of the same type
        others = [other for c, k in everywhere if (other := c[k]) is not value]
        alike = [other for other in others if type(other) is type(value)]
        others = alike if alike and random.random() < 0.9 else others
        container[key] = copy.deepcopy(random.choice(others)) if others else None
    elif isinstance(value, list):
        _listed(random, value)
    elif isinstance(value, dict):
        _named(random, value)
    elif isinstance(value, bool):
        container[key] = random.choice((not value, not value, int(value), str(value).lower()))
    elif is_number(value):
        container[key] = (_calculated if random.random() < 0.7 else _spelled)(random, value)
    elif isinstance(value, str):
        texts = [c[k] for c, k in everywhere if isinstance(c[k], str)]
        container[key] = random.choice((random.choice(texts), random.choice(WORDS), value + "x"))
    else:
        container[key] = random.choice((0, [], {}, "", False))


def symmetric(random: Random, document: Any) -> None:
    """Another automorphism, one less, or a route in two parts: most keep the rules."""
    images, routes = document["automorphisms"], document["routes"]
    nodes = range(len(document["problem"]["platform"]["nodes"]))
    action = random.randrange(6)
    if action == 0:
        images.insert(random.randrange(len(images) + 1), list(nodes))
    elif action == 1 and images:
        one, other = random.choice(images), random.choice(images)
        images.append([one[k] for k in other])
    elif action == 2 and images:
        k = random.randrange(len(images))
        images[k] = [images[k].index(v) for v in nodes]  # its inverse
    elif action == 3 and images:
        k = random.randrange(len(images))
        images[k] = [images[k][v] for v in images[k]]  # its square: perhaps smaller orbits
    elif action == 4:
        route = random.choice(routes)
        routes.append([*route[:2], number(Fraction(route[2]) / 3), list(route[3])])
        route[2] = number(Fraction(route[2]) * 2 / 3)
    else:
        other = random.sample(nodes, len(nodes))
        images.append(other)


def mutant(random: Random, text: str) -> str:
    """A document with one to three changes."""
    document = json.loads(text)
    if document["kind"] == "series-by-symmetry" and random.random() < 0.2:
        symmetric(random, document)
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        if document:
            (gentle if random.random() < 0.7 and len(document) > 3 else wild)(random, document)
    changed = json.dumps(document)
    if random.random() < 0.005:  # a member that is there twice
        changed = changed.replace("{", '{"format": "exactsched", ', 1)
    return changed
