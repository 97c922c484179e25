"""How many processors a broadcast can reach, and how soon: counting without a tree.

A node of the universal optimal broadcast tree (Karp, Sahay, Santos and Schauser 1993, definition
2.3) is a word of *hops* to the first child, worth L + 2 o, and *waits* for the next sibling, worth
max(g, o), that does not start with a wait.  Such words are counted by binomials.  Proofs:
proofs/logp-broadcast.md.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb, gcd

from flint import fmpz, fmpz_poly

from exactsched.exact.arguments import checked_integer, over_common_denominator
from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import MAX_DIGITS, exact
from exactsched.model.machine import LogP

MAX_BITS = MAX_DIGITS * 3321 // 1000  # of a result; a digit is worth 3.3219 bits


def fibonacci(L: int, i: int) -> int:  # noqa: N803
    """The generalized Fibonacci number f_i = f_(i-1) + f_(i-L), with f_0 = ... = f_(L-1) = 1.

    It is P(i; L, 0, 1), how many processors are reached in i steps of the postal model (theorem
    2.2).  L is a positive, i a non-negative integer.  f_i grows like r^i, where r > 1 is the root
    of r^L = r^(L-1) + 1: between 2^(i/L) and 2^i, about i ln(L) / (2.3 L) digits for large L.

    Raises `InvalidInput` for other arguments, and where f_i has more than `MAX_BITS` bits.

    Complexity: as `reached`, so O(L) numbers of the length of the result are multiplied as a
    polynomial, O(log i) times, or O(i / L) binomials are added up.
    Reference: Karp, Sahay, Santos and Schauser 1993, definition 2.5.

    >>> [fibonacci(3, i) for i in range(9)], fibonacci(10**18, 2 * 10**18 - 1)
    ([1, 1, 1, 2, 3, 4, 6, 9, 13], 1000000000000000001)
    """
    latency = checked_integer(L, 1, "L", "the latency of the postal model is a positive integer")
    index = checked_integer(i, 0, "i", "an index is an integer, 0 or more")
    return _writable_count(latency, 1, index, "i")


def reached(machine: LogP, t: object) -> int:
    """P(t; L, o, g), the largest number of processors that a broadcast reaches within time t.

    t is an exact number, 0 or more; the number of processors of the machine plays no part.  With
    D = L + 2 o and G = max(g, o) it is the sum over a >= 0, a D <= t, of
    C(floor((t - a D) / G) + a, a): the nodes a hops below the root with labels of at most t.

    Raises `InvalidInput` for other t, and for results of more than `MAX_BITS` bits.

    Complexity: at most log2 P(t) + O(1) binomials, so 60 for 10^18, or, where max(D, G) is small
    (as integers without a common divisor, below the number of binomials), O(log t) multiplications
    of polynomials of that degree.  Reference: Karp, Sahay, Santos and Schauser 1993, definition
    2.2 and theorem 2.1; proofs/logp-broadcast.md.

    >>> machine = LogP(6, 2, 4, 1)
    >>> [reached(machine, t) for t in (9, 10, 14, 18, 20, 22, 24)]
    [1, 2, 3, 4, 5, 6, 8]
    """
    time = exact(t, "t")
    if time < 0:
        raise InvalidInput("t", time, "a time is 0 or more")
    (hop, wait), unit = over_common_denominator([machine.delay, machine.period])
    return _writable_count(hop, wait, time * unit // 1, "t")


def broadcast_time(machine: LogP) -> Fraction:
    """B(P; L, o, g), the least time in which one item can be broadcast to all P processors.

    It is the label of the P-th node of the universal tree in the order of labels: the least t with
    P(t) >= P.  With D = L + 2 o, G = max(g, o), X = max(D, G) and Y = min(D, G) it is c X + f Y for
    a whole c < C, where C <= log2 P + 1 is the least with P(C X) >= P, and a whole f < P: for every
    c a bisection finds the least f.  P may be any positive integer, 10^18 say, and L, o and g may
    have thousands of digits.

    Complexity: O(log P) counts of at most log2 P + O(1) binomials.
    Reference: Karp, Sahay, Santos and Schauser 1993, theorem 2.1.

    >>> broadcast_time(LogP(6, 2, 4, 8)), broadcast_time(LogP(3, 0, 1, 10**18))
    (Fraction(24, 1), Fraction(110, 1))
    """
    if machine.P == 1:
        return Fraction(0)
    (hop, wait), unit = over_common_denominator([machine.delay, machine.period])
    step = gcd(hop, wait)
    return Fraction(_least_reaching(machine.P, hop // step, wait // step) * step, unit)


def _least_reaching(size: int, hop: int, wait: int) -> int:
    """The least time in which `size` > 1 processors are reached.

    Each of P(t - X) sends once more within X, so P(t) >= 2 P(t - X), and 2^c are reached in c X.
    The nodes with c and fewer than f of the other steps come before: there are fewer than P.
    """
    large, small = max(hop, wait), min(hop, wait)
    few, enough = 0, size.bit_length()  # times in units of `large`
    while enough - few > 1:
        middle = (few + enough) // 2
        if _count(hop, wait, middle * large) < size:
            few = middle
        else:
            enough = middle
    few, enough = few * large, enough * large
    # The largest c first: what is left between `few` and `enough` is then no more than `small`.
    for begin in range(few, -1, -large):
        low = (few - begin) // small
        high = min((enough - begin - 1) // small, size - 1) + 1
        while high - low > 1:
            middle = (low + high) // 2
            time = begin + middle * small
            if _count(hop, wait, time) < size:
                low, few = middle, time
            else:
                high, enough = middle, time
    return enough


def _writable_count(hop: int, wait: int, time: int, place: str) -> int:
    """As `_count`, refused where the result would be too long to be written."""
    refusal = InvalidInput(place, time, f"the result has more than {MAX_BITS} bits")
    # Twice as many hops each time: one of them is near the largest of the binomials.
    hops = 1
    while hops * hop <= time:
        ratio = ((time - hops * hop) // wait + hops) // hops
        if hops * (ratio.bit_length() - 1) >= MAX_BITS:  # C(n, a) >= (n / a)^a
            raise refusal
        hops *= 2
    count = _count(hop, wait, time)
    if count.bit_length() > MAX_BITS:
        raise refusal
    return count


def _count(hop: int, wait: int, time: int) -> int:
    """How many nodes have labels a hop + b wait <= time; the cheapest of three ways."""
    step = gcd(hop, wait)
    hop, wait, time = hop // step, wait // step, time // step
    order = max(hop, wait)
    if order * order < time:
        return _by_recurrence(hop, wait, time)
    if hop >= wait:
        return sum(comb((time - a * hop) // wait + a, a) for a in range(time // hop + 1))
    return 1 + sum(comb((time - b * wait) // hop + b, b + 1) for b in range(time // wait + 1))


def _by_recurrence(hop: int, wait: int, time: int) -> int:
    """N(t) = N(t - wait) + N(t - hop), for t >= wait, by the power x^t modulo its polynomial.

    Modulo x^m = x^(m - wait) + x^(m - hop), m = max(hop, wait), the power is a polynomial of degree
    below m; where it has x^i, N(t) has N(i).
    """
    order = max(hop, wait)
    falls = (wait, hop)
    power = [fmpz(1)]
    for bit in f"{time:b}":
        power = (fmpz_poly(power) ** 2).coeffs()
        if bit == "1":
            power.insert(0, fmpz(0))
        while len(power) > order:
            top = power.pop()
            for fall in falls:
                power[len(power) - fall] += top
    first: list[int] = []
    for t in range(order):
        before = 1 if t < wait else first[t - wait]
        first.append(before + (first[t - hop] if t >= hop else 0))
    return int(sum(number * count for number, count in zip(power, first, strict=False)))
