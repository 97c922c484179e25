"""The figures with numbers: 1 (one item), 2 (k items), 5 (with buffers), 6 (summation)."""

from __future__ import annotations

from collections import Counter

from exactsched.certificate.logp_messages import listed
from exactsched.exact.rational import to_json
from exactsched.instances.figures import COUNTS, FACTORS, Count, Factor
from exactsched.logp.broadcast import broadcast, broadcast_tree
from exactsched.logp.buffered import buffered_items
from exactsched.logp.items import broadcast_items
from exactsched.logp.summation import summation_within
from exactsched.model.machine import LogP
from exactsched.simulation.logp import simulate_logp
from exactsched.simulation.logp_buffered import receptions
from exactsched.theorems.claim import Say, claim

_PLAYED = 60  # items or additional steps of a schedule that is played


@claim(
    "karp1993.fig1",
    number="figure 1",
    instances=FACTORS,
    page="logp-broadcast",
    implements=("exactsched/logp/broadcast.py",),
    judged="`check`; `simulate_logp`; the printed labels",
)
def one_item_for_eight(asked: Factor, say: Say) -> None:
    """For P = 8, L = 6 c, o = 2 c, g = 4 c the labels of the optimal broadcast tree are 0, 10 c,
    14 c, 18 c, 20 c, 22 c, 24 c, 24 c; the root has the children 10 c, 14 c, 18 c and 22 c. (Figure
    1: c = 1.)
    """
    c = asked.factor
    machine = LogP(6 * c, 2 * c, 4 * c, 8)
    tree, stated = broadcast_tree(machine), broadcast(machine)
    labels = [label * tree.tick / c for label in tree.labels]
    children = [label for label, up in zip(labels, tree.parents, strict=True) if up == 0]
    say(labels=[to_json(label) for label in labels])
    say.require(labels == [0, 10, 14, 18, 20, 22, 24, 24], "other labels")
    say.require(children[-4:] == [10, 14, 18, 22], "the root has other children")
    say.require(say.accepts(stated).optimal, "it is not proved to be optimal")
    say.require(simulate_logp(stated).time == 24 * c, "played, it takes another time")


@claim(
    "karp1993.fig2",
    number="figure 2",
    instances=COUNTS,
    page="logp-items",
    implements=("exactsched/logp/items.py",),
    judged="`check`; receptions counted from the messages",
)
def items_for_ten(asked: Count, say: Say) -> None:
    """For L = 3 and P = 10 a broadcast of k >= 8 items takes k + 7 steps, the bound of theorem 3.1:
    15 for the 8 items of figure 2. The 9 processors have received k* = 2 items each by step 9, and
    from step 10 on each receives an item in every step.
    """
    k = 8 + asked.more
    stated = broadcast_items(3, 10, k)
    proved = say.accepts(stated)
    say(items=k, time=int(stated.time))
    say.require(proved.optimal and stated.time == k + 7, "it does not take k + 7 steps")
    if asked.more > _PLAYED:
        return
    arrived: Counter[tuple[int, int]] = Counter()
    for _, receiver, _, start in listed(stated).messages:
        arrived[receiver, start + 3] += 1
    early = Counter(receiver for receiver, step in arrived if step <= 9)
    say.require(sorted(early.values()) == [2] * 9, "some processor has not 2 items by step 9")
    late = Counter(step for _, step in arrived if step > 9)
    say.require(late == dict.fromkeys(range(10, k + 8), 9), "some processor receives nothing")


@claim(
    "karp1993.fig5",
    number="figure 5",
    instances=COUNTS,
    page="logp-buffered",
    implements=("exactsched/logp/buffered.py",),
    judged="`check`; receptions one by one",
)
def buffered_items_for_fourteen(asked: Count, say: Say) -> None:
    """For L = 3 and P - 1 = 13 a single-sending broadcast of k >= 14 items, where messages may
    wait, takes k + 10 steps: 24 for the 14 items of figure 5. Some messages wait, none for more
    than a step.
    """
    k = 14 + asked.more
    stated = buffered_items(3, 14, k)
    proved = say.accepts(stated)
    say(items=k, time=int(stated.time))
    say.require(proved.optimal and stated.time == k + 10, "it does not take k + 10 steps")
    if asked.more > _PLAYED:
        return
    rows = receptions(stated)
    say.require(max(row.step for row in rows) == k + 10, "the last reception is at another time")
    each = Counter(row.receiver for row in rows)
    say.require(sorted(each.values()) == [k] * 13, "some processor does not receive all items")
    waits = {row.step - row.start - 3 for row in rows}
    say.require(waits == {0, 1}, "no message waits, or one for more than a step")


@claim(
    "karp1993.fig6",
    number="figure 6",
    instances=COUNTS,
    page="logp-summation",
    implements=("exactsched/logp/summation.py",),
    judged="`check`; `simulate_logp`; the printed starts of messages",
)
def sum_of_eight(asked: Count, say: Say) -> None:
    """For P = 8, L = 5, g = 4, o = 2 the most operands that are added within t >= 28 steps are
    79 + 8 (t - 28): 79 for the t = 28 of figure 6, whose messages start at 18, 14, 10, 8, 6, 4, 4.
    A step more is a step more at each of the eight processors.
    """
    machine, time = LogP(5, 2, 4, 8), 28 + asked.more
    stated = summation_within(machine, time)
    proved = say.accepts(stated)
    say(operands=stated.count, time=time)
    say.require(proved.optimal, "it is not proved to be the most")
    say.require(stated.count == 79 + 8 * asked.more, "another number of operands")
    starts = sorted(start * stated.tick - asked.more for *_, start in stated.messages)
    say.require(starts == [4, 4, 6, 8, 10, 14, 18], "messages start at other times")
    if asked.more <= _PLAYED:
        played = simulate_logp(stated, values=lambda p, i: ((p, i),))
        added = len(set(played.results[0])) == len(played.results[0]) == stated.count
        say.require(added, "played, it does not add every operand once")
