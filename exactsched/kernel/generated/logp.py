"""Generated from proofs/rocq/logp by proofs/rocq/extraction: do not edit."""

# ruff: noqa
# mypy: ignore-errors
from exactsched.kernel.runtime import add, empty, find, quotient

def negb(b):
    return not b


def fst(p):
    return p[0]


def snd(p):
    return p[1]


def app(l, m):
    waiting = []
    while l:
        a, l = l
        waiting.append(a)
    else:
        result = m
    for a in reversed(waiting):
        result = (a, result)
    return result


def map_(f, l):
    waiting = []
    while l:
        a, l = l
        waiting.append(a)
    else:
        result = ()
    for a in reversed(waiting):
        result = (f(a), result)
    return result


def fold_right(f, a0, l):
    waiting = []
    while l:
        b, l = l
        waiting.append(b)
    else:
        result = a0
    for b in reversed(waiting):
        result = f(b, result)
    return result


def forallb(f, l):
    while l:
        a, l = l
        if not f(a):
            return False
    return True


def filter_(f, l):
    waiting = []
    while l:
        x, l = l
        if f(x):
            waiting.append(x)
            continue
    else:
        result = ()
    for x in reversed(waiting):
        result = (x, result)
    return result


def total(f, l):
    waiting = []
    while l:
        x, l = l
        waiting.append(x)
    else:
        result = 0
    for x in reversed(waiting):
        result = f(x) + result
    return result


def key0(x):
    if x == 0:
        return 1
    if x > 0:
        p = x
        return 2 * p
    p_1 = -x
    return 2 * p_1 + 1


def of_list(l):
    waiting = []
    while l:
        p, l = l
        k, y = p
        waiting.append((k, y))
    else:
        result = empty
    for k, y in reversed(waiting):
        result = add(k, y, result)
    return result


def set_of(l):
    return fold_right(lambda x, s: add(key0(x), (), s), empty, l)


def member(x, s):
    return find(key0(x), s) is not None


def distinct(l, seen):
    while l:
        x, l = l
        if not negb(member(x, seen)):
            return False
        seen = add(key0(x), (), seen)
    return True


def delay(c):
    return c[1] + 2 * c[2]


def period(c):
    return max(c[3], c[2])


def sane(c):
    return 0 < c[1] and 0 <= c[2] and 0 < c[3]


def held(h, q, i):
    found = find(key0(q), h)
    if found is None:
        return None
    t0 = found[0]
    return find(key0(i), t0)


def hold(h, q, i, time):
    found = find(key0(q), h)
    if found is not None:
        t0 = found[0]
        t0_1 = t0
    else:
        t0_1 = empty
    found_1 = find(key0(i), t0_1)
    if found_1 is not None:
        return h
    return add(key0(q), add(key0(i), time, t0_1), h)


def held_at_start(l):
    return fold_right(lambda qi, h: hold(h, fst(qi), snd(qi), 0), empty, l)


def flows(c, known, rows, h):
    while rows:
        r, rows = rows
        if not (member(r[0], known) and member(r[1], known) and negb(r[0] == r[1]) and 0 <= r[3]):
            chosen = False
        else:
            found = held(h, r[0], r[2])
            if found is not None:
                t0 = found[0]
                chosen = t0 <= r[3]
            else:
                chosen = False
        if not chosen:
            return None
        h = hold(h, r[1], r[2], r[3] + delay(c))
    return (h,)


def one_by_one(events, free):
    while events:
        e, events = events
        found = find(key0(e[0]), free)
        if found is not None:
            t0 = found[0]
            chosen = t0 <= e[1]
        else:
            chosen = True
        if not chosen:
            return False
        free = add(key0(e[0]), e[1] + e[2], free)
    return True


def merge_upto(steps, l, l_1):
    waiting = []
    while steps:
        _, steps = steps
        if not l:
            result = l_1
            break
        e = l[0]
        l0 = l[1]
        if not l_1:
            result = l
            break
        e_1 = l_1[0]
        l0_1 = l_1[1]
        if e[1] <= e_1[1]:
            waiting.append((0, e))
            l = l0
            continue
        waiting.append((1, e_1))
        l_1 = l0_1
    else:
        result = app(l, l_1)
    for number, *kept in reversed(waiting):
        if number == 0:
            e, = kept
            result = (e, result)
        elif number == 1:
            e_1, = kept
            result = (e_1, result)
    return result


def merge(l, l_1):
    return merge_upto(app(l, l_1), l, l_1)


def sends_of(width, rows):
    return map_(lambda r: (r[0], r[3], width), rows)


def receptions_of(c, width, rows):
    return map_(lambda r: (r[1], r[3] + c[2] + c[1], width), rows)


def check_schedule(c, ps, given, wanted, rows, t0):
    if not sane(c):
        chosen_2 = False
    else:
        found = flows(c, set_of(ps), rows, held_at_start(given))
        if found is not None:
            h = found[0]
            def step(qi):
                found_1 = held(h, fst(qi), snd(qi))
                if found_1 is None:
                    return False
                u = found_1[0]
                return u <= t0
            chosen_2 = forallb(step, wanted)
        else:
            chosen_2 = False
    if not chosen_2:
        chosen_1 = False
    else:
        chosen_1 = one_by_one(sends_of(c[3], rows), empty)
    if not chosen_1:
        chosen = False
    else:
        chosen = one_by_one(receptions_of(c, c[3], rows), empty)
    if not chosen:
        return False
    return one_by_one(merge(sends_of(c[2], rows), receptions_of(c, c[2], rows)), empty)


def sent_by(g, s, labels):
    waiting = []
    while labels:
        p, labels = labels
        l, n = p
        if not l <= s:
            result = 0
            break
        waiting.append((n, l))
    else:
        result = 0
    for n, l in reversed(waiting):
        result = n * (quotient(s - l, g) + 1) + result
    return result


def complete(d, g, others, all_1, so_far, last, rest):
    while rest:
        p, rest = rest
        l, n = p
        if not (last < l and 0 < n and 1 + sent_by(g, l - 1 - d, all_1) <= so_far):
            return False
        so_far, last = so_far + n, l
    return others <= so_far


def check_broadcast_bound(c, ps, source, items, labels, b):
    others = total(lambda q: 0 if q == source else 1, ps)
    s = b - delay(c)
    if not (sane(c) and distinct(ps, set_of(())) and distinct(items, set_of(()))):
        return False
    if b <= 0:
        return True
    if not labels:
        return False
    p = labels[0]
    rest = labels[1]
    l, n = p
    return l == 0 and n == 1 and complete(delay(c), period(c), others, labels, 1, 0, rest) and 0 < others and 0 < total(lambda x: 1, items) and sent_by(period(c), s - 1, labels) < others * total(lambda x_1: 1, items)


def check_receptions_bound(c, given, wanted, q, items, b):
    have = set_of(map_(snd, filter_(lambda qi: fst(qi) == q, given)))
    want = set_of(map_(snd, filter_(lambda qi_1: fst(qi_1) == q, wanted)))
    return sane(c) and distinct(items, set_of(())) and forallb(lambda i: member(i, want) and negb(member(i, have)), items) and 0 < total(lambda x: 1, items) and b <= delay(c) + (total(lambda x_1: 1, items) - 1) * period(c)


def carried(h, ps, r):
    def step(v):
        found = held(h, r[0], v)
        if found is not None:
            u = found[0]
            chosen = u <= r[3]
        else:
            chosen = False
        if not chosen:
            return False
        return negb(r[2] == 1 and v == r[0])
    return filter_(step, ps)


def receive(h, q, time, values):
    while values:
        v, values = values
        found = held(h, q, v)
        if found is not None:
            return None
        h = hold(h, q, v, time)
    return (h,)


def reduces(c, known, ps, last, rows, h):
    while rows:
        r, rows = rows
        if not (member(r[0], known) and member(r[1], known) and negb(r[0] == r[1]) and last <= r[3]):
            return None
        found = receive(h, r[1], r[3] + delay(c), carried(h, ps, r))
        if found is None:
            return None
        h0 = found[0]
        last, h = r[3], h0
    return (h,)


def check_allreduce(c, ps, rows, t0):
    if not sane(c):
        chosen_2 = False
    else:
        found = reduces(c, set_of(ps), ps, 0, rows, held_at_start(map_(lambda q: (q, q), ps)))
        if found is not None:
            h = found[0]
            def step(q_1):
                def step_1(v):
                    found_1 = held(h, q_1, v)
                    if found_1 is None:
                        return False
                    u = found_1[0]
                    return u <= t0
                return forallb(step_1, ps)
            chosen_2 = forallb(step, ps)
        else:
            chosen_2 = False
    if not chosen_2:
        chosen_1 = False
    else:
        chosen_1 = one_by_one(sends_of(c[3], rows), empty)
    if not chosen_1:
        chosen = False
    else:
        chosen = one_by_one(receptions_of(c, c[3], rows), empty)
    if not chosen:
        return False
    return one_by_one(merge(sends_of(c[2], rows), receptions_of(c, c[2], rows)), empty)


def is_held(h, q, i):
    return held(h, q, i) is not None


def all_lack(have, want, m, ps, lacking):
    while ps:
        q, ps = ps
        if not lacking:
            return False
        items = lacking[0]
        lacking0 = lacking[1]
        if not (distinct(items, set_of(())) and m <= total(lambda x: 1, items) and forallb(lambda i, q=q: is_held(want, q, i) and negb(is_held(have, q, i)), items)):
            return False
        lacking = lacking0
    return True


def check_overheads_bound(c, ps, given, wanted, lacking, m, d, b):
    return sane(c) and distinct(ps, set_of(())) and 0 < total(lambda x: 1, ps) and 0 <= d and d < m and all_lack(held_at_start(given), held_at_start(wanted), m, ps, lacking) and b <= delay(c) + (m - 1) * period(c) + min(period(c), c[2] - abs(c[1] + c[2] - d * period(c)))


def additions_of(c, adds):
    return map_(lambda a: (a[0], a[1], a[2] * c[0]), adds)


def check_summation(c, ps, r, rows, adds, t0, n):
    known = set_of(ps)
    one = c[0]
    when = of_list(map_(lambda x: (key0(x[0]), x[3]), rows))
    def complete0(q, time):
        if q == r:
            return time <= t0
        found = find(key0(q), when)
        if found is None:
            return False
        u = found[0]
        return time <= u
    return sane(c) and member(r, known) and forallb(lambda x_1: member(x_1[0], known) and member(x_1[1], known) and negb(x_1[0] == x_1[1]) and negb(x_1[0] == r) and 0 <= x_1[3] and complete0(x_1[1], x_1[3] + delay(c) + one), rows) and forallb(lambda a: member(a[0], known) and 0 <= a[1] and 0 < a[2] and complete0(a[0], a[1] + a[2] * one), adds) and distinct(map_(lambda r0: r0[0], rows), set_of(())) and one_by_one(receptions_of(c, c[3], rows), empty) and one_by_one(merge(merge(sends_of(c[2], rows), receptions_of(c, c[2] + one, rows)), additions_of(c, adds)), empty) and n == 1 + total(lambda x_2: 1, rows) + total(lambda a_1: a_1[2], adds)


def backwards(c):
    return (c[0], delay(c) + c[0], 0, max(c[3], c[2] + c[0]))


def left_until(k, labels):
    return total(lambda ln: snd(ln) * max(0, k - fst(ln)), labels)


def check_summation_bound(c, ps, labels, t0, n):
    b = backwards(c)
    if not (sane(c) and distinct(ps, set_of(()))):
        return False
    if not labels:
        return False
    p = labels[0]
    rest = labels[1]
    l, k = p
    return l == 0 and k == 1 and complete(delay(b), period(b), total(lambda x: 1, ps), labels, 1, 0, rest) and c[0] + t0 + left_until(t0 - c[2], rest) < (n + 1) * c[0]


# The types of the arguments, and the constructors of these types.
ARGUMENTS = {
    'check_schedule': [('clock',), ('list', ('z',)), ('list', ('prod', ('z',), ('z',))), ('list', ('prod', ('z',), ('z',))), ('list', ('row',)), ('z',)],
    'check_broadcast_bound': [('clock',), ('list', ('z',)), ('z',), ('list', ('z',)), ('list', ('prod', ('z',), ('z',))), ('z',)],
    'check_receptions_bound': [('clock',), ('list', ('prod', ('z',), ('z',))), ('list', ('prod', ('z',), ('z',))), ('z',), ('list', ('z',)), ('z',)],
    'check_overheads_bound': [('clock',), ('list', ('z',)), ('list', ('prod', ('z',), ('z',))), ('list', ('prod', ('z',), ('z',))), ('list', ('list', ('z',))), ('z',), ('z',), ('z',)],
    'check_allreduce': [('clock',), ('list', ('z',)), ('list', ('row',)), ('z',)],
    'check_summation': [('clock',), ('list', ('z',)), ('z',), ('list', ('row',)), ('list', ('added',)), ('z',), ('z',)],
    'check_summation_bound': [('clock',), ('list', ('z',)), ('list', ('prod', ('z',), ('z',))), ('z',), ('z',)],
}
TYPES = {
    'added': [('Added', [('z',), ('z',), ('z',)])],
    'clock': [('Clock', [('positive',), ('z',), ('z',), ('z',)])],
    'row': [('Row', [('z',), ('z',), ('z',), ('z',)])],
}
