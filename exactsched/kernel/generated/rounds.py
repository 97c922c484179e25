"""Generated from proofs/rocq/rounds by proofs/rocq/extraction: do not edit."""

# ruff: noqa
# mypy: ignore-errors
from exactsched.kernel.runtime import add, empty, find, quotient, remainder

def xorb(b1, b2):
    return not b2 if b1 else b2


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


def flat_map(f, l):
    waiting = []
    while l:
        x, l = l
        waiting.append(x)
    else:
        result = ()
    for x in reversed(waiting):
        result = app(f(x), result)
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


def existsb(f, l):
    while l:
        a, l = l
        if f(a):
            return True
    return False


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


def ports_of(m, a):
    if m == 'Half_duplex':
        return (('Whole', a[0]), (('Whole', a[1]), ()))
    return (('Sending', a[0]), (('Receiving', a[1]), ()))


def finish(x):
    return x[2] + x[0][2]


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


def count(b, l):
    waiting = []
    while l:
        x, l = l
        waiting.append(x)
    else:
        result = 0
    for x in reversed(waiting):
        result = (1 if b(x) else 0) + result
    return result


def increasing_from(x, l):
    while l:
        y, l = l
        if not x < y:
            return False
        x = y
    return True


def increasing(l):
    if not l:
        return True
    x = l[0]
    l0 = l[1]
    return increasing_from(x, l0)


def key0(x):
    if x == 0:
        return 1
    if x > 0:
        p = x
        return 2 * p
    p_1 = -x
    return 2 * p_1 + 1


def found(t0, k, default):
    found_1 = find(k, t0)
    if found_1 is not None:
        y = found_1[0]
        return y
    return default


def value(t0, x):
    return found(t0, key0(x), 0)


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


def table_of(l):
    return of_list(map_(lambda p: (key0(fst(p)), snd(p)), l))


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


def port_key(r):
    if r[0] == 'Sending':
        v = r[1]
        return 2 * key0(v)
    if r[0] == 'Receiving':
        v_1 = r[1]
        return 2 * (2 * key0(v_1)) + 1
    v_2 = r[1]
    return 2 * (2 * key0(v_2) + 1) + 1


def arrival(st, node, packet0):
    found_1 = find(key0(node), st[1])
    if found_1 is None:
        return None
    of_node = found_1[0]
    return find(key0(packet0), of_node)


def arrive(m, node, packet0, t0):
    found_1 = find(key0(node), m)
    if found_1 is not None:
        l = found_1[0]
        of_node = l
    else:
        of_node = empty
    return add(key0(node), add(key0(packet0), t0, of_node), m)


def at_origins(p):
    return (empty, fold_right(lambda k, m: arrive(m, k[1], k[0], 0), empty, p[3]))


def free(m, st, x):
    return forallb(lambda r: found(st[0], port_key(r), 0) <= x[2], ports_of(m, x[0]))


def there(st, x):
    found_1 = arrival(st, x[0][0], x[1])
    if found_1 is None:
        return False
    t0 = found_1[0]
    return t0 <= x[2]


def after(m, st, x):
    return (fold_right(lambda r, t0: add(port_key(r), finish(x), t0), st[0], ports_of(m, x[0])), arrive(st[1], x[0][1], x[1], finish(x)))


def read(m, s, st):
    while s:
        x, s = s
        if not (0 <= x[2] and 0 < x[0][2] and free(m, st, x) and there(st, x)):
            return None
        st = after(m, st, x)
    return (st,)


def everywhere(p, st, t0):
    def step(v):
        def step_1(k):
            found_1 = arrival(st, v, k[0])
            if found_1 is None:
                return False
            u = found_1[0]
            return u <= t0
        return forallb(step_1, p[3])
    return forallb(step, p[0])


def numbered_from(i, l):
    waiting = []
    while l:
        a, l = l
        waiting.append((i, a))
        i = i + 1
    else:
        result = empty
    for i, a in reversed(waiting):
        result = add(key0(i), a, result)
    return result


def row_of(known, step, row, later):
    waiting = []
    while row:
        p, row = row
        i, packet0 = p
        found_1 = find(key0(i), known)
        if found_1 is None:
            result = None
            break
        a = found_1[0]
        waiting.append((a, packet0))
    else:
        result = (later,)
    for a, packet0 in reversed(waiting):
        if result is not None:
            s = result[0]
            result = (((a, packet0, step), s),)
        else:
            result = None
    return result


def schedule_of(known, step, rows):
    waiting = []
    while rows:
        row, rows = rows
        waiting.append((step, row))
        step = step + 1
    else:
        result = ((),)
    for step, row in reversed(waiting):
        if result is not None:
            later = result[0]
            result = row_of(known, step, row, later)
        else:
            result = None
    return result


def check_rounds(p, rows, t0):
    found_1 = schedule_of(numbered_from(0, p[1]), 0, rows)
    if found_1 is None:
        return False
    s = found_1[0]
    found_2 = read(p[2], s, at_origins(p))
    if found_2 is None:
        return False
    st = found_2[0]
    return everywhere(p, st, t0)


def well_formed(p):
    return forallb(lambda a: 0 < a[2] and negb(a[0] == a[1]), p[1]) and increasing(map_(lambda p0: p0[0], p[3]))


def labels_hold(p, label):
    return forallb(lambda a: value(label, a[1]) <= value(label, a[0]) + a[2], p[1]) and forallb(lambda k: value(label, k[1]) <= 0, p[3])


def price_table(o):
    return of_list(map_(lambda ry: (port_key(fst(ry)), snd(ry)), o[0]))


def inside(c, a):
    return member(a[0], c) and member(a[1], c)


def enters(c, a):
    return negb(member(a[0], c)) and member(a[1], c)


def weighted(l):
    return map_(lambda c: (set_of(c[0]), c[1]), l)


def port_prices(m, y, a):
    return total(lambda r: found(y, port_key(r), 0), ports_of(m, a))


def set_prices(odd, a):
    return total(lambda c: snd(c) if inside(fst(c), a) else 0, odd)


def cut_weights(some, a):
    return total(lambda c: snd(c) if enters(fst(c), a) else 0, some)


def size(l):
    return total(lambda x: 1, l)


def spent(o):
    return total(snd, o[0]) + total(lambda c: c[1] * quotient(size(c[0]), 2), o[1])


def needed(p, some):
    return total(lambda c: snd(c) * count(lambda k: negb(member(k[1], fst(c))), p[3]), some)


def check_occupancy(p, o, b):
    y = price_table(o)
    odd = weighted(o[1])
    some = weighted(o[2])
    label = table_of(o[3])
    known = set_of(p[0])
    if not (labels_hold(p, label) and 0 <= o[4] and forallb(lambda ry: 0 <= snd(ry), o[0]) and forallb(lambda c: 0 <= c[1], o[1]) and forallb(lambda c_1: 0 <= c_1[1] and existsb(lambda v: member(v, known), c_1[0]), o[2])):
        chosen_2 = False
    else:
        found_1 = o[1]
        if not found_1:
            def step(a):
                paid = port_prices(p[2], y, a) + set_prices(odd, a)
                return cut_weights(some, a) <= a[2] * paid and (paid == 0 or o[4] <= value(label, a[0]))
            chosen_2 = forallb(step, p[1])
        else:
            found_2 = p[2]
            if found_2 == 'Half_duplex':
                def step_1(a_1):
                    paid_1 = port_prices(p[2], y, a_1) + set_prices(odd, a_1)
                    return cut_weights(some, a_1) <= a_1[2] * paid_1 and (paid_1 == 0 or o[4] <= value(label, a_1[0]))
                chosen_2 = forallb(step_1, p[1])
            else:
                chosen_2 = False
    if not chosen_2:
        chosen_1 = False
    else:
        chosen_1 = 0 < spent(o)
    if not chosen_1:
        chosen = False
    else:
        chosen = 0 < needed(p, some)
    if not chosen:
        return False
    return (b - 1 - o[4]) * spent(o) < needed(p, some)


def at_once(arcs, c):
    inside0 = set_of(c[0])
    heads = set_of(map_(lambda a: a[1], filter_(lambda a_1: enters(inside0, a_1), arcs)))
    return forallb(lambda v: member(v, heads), c[0])


def prices_hold(m, o):
    if not (forallb(lambda ry: 0 <= snd(ry), o[0]) and forallb(lambda c: 0 <= c[1], o[1])):
        return False
    if m == 'Half_duplex':
        return True
    found_1 = o[1]
    if found_1:
        return False
    return True


def check_last_step(p, o, last, b):
    y = price_table(o)
    odd = weighted(o[1])
    some = weighted(o[2])
    y_1 = price_table(last)
    odd_1 = weighted(last[1])
    given = p[1]
    part = lambda a_1: at_once(given, a_1)
    part_1 = filter_(part, o[2])
    once = weighted(part_1)
    known = set_of(p[0])
    return prices_hold(p[2], o) and prices_hold(p[2], last) and forallb(lambda c: 0 <= c[1] and existsb(lambda v: member(v, known), c[0]) and forallb(lambda v_1: member(v_1, known), c[0]), o[2]) and forallb(lambda a: a[2] == 1 and cut_weights(some, a) <= port_prices(p[2], y, a) + set_prices(odd, a) and cut_weights(once, a) <= port_prices(p[2], y_1, a) + set_prices(odd_1, a), p[1]) and 0 < needed(p, some) and (b - 2) * spent(o) + spent(last) < needed(p, some)


def check_distance(p, d, b):
    label = table_of(d[3])
    own = count(lambda k: k[1] == d[0], p[3])
    return member(d[1], set_of(p[0])) and negb(d[1] == d[0]) and value(label, d[0]) <= 0 and 0 <= d[2] and 0 < own and forallb(lambda a: value(label, a[1]) <= value(label, a[0]) + a[2] and (negb(a[0] == d[0]) or d[2] <= a[2]), p[1]) and b <= (own - 1) * d[2] + value(label, d[1])


def next_row(limit, last, row):
    waiting = []
    while row:
        x, row = row
        waiting.append((last, x))
        last = x
    else:
        result = (min(limit, last), ())
    for last, x in reversed(waiting):
        result = (min(limit, last + x), result)
    return result


def walks(driver, l, this, other, g):
    waiting = []
    while driver:
        _, driver = driver
        waiting.append((this, l))
        l, this, other = l + 1, other, this
    else:
        result = ()
    for this, l in reversed(waiting):
        result = (count(lambda v, this=this, l=l: value(this, v) <= l, g), result)
    return result


def chains(row, ws, most):
    waiting = []
    while row:
        x, row = row
        if not ws:
            waiting.append((0, x))
            ws = ()
            continue
        w = ws[0]
        ws0 = ws[1]
        waiting.append((1, x, w))
        ws = ws0
    else:
        result = 0
    for number, *kept in reversed(waiting):
        if number == 0:
            x, = kept
            result = min(x, most) + result
        elif number == 1:
            x, w = kept
            result = min(x, w) + result
    return result


def informed(g, row):
    return min(g[1], chains(row, g[2], g[1]))


def numbers_of(f, gs):
    return (total(f, gs), total(lambda g: f(g) if g[0][0] else 0, gs), total(lambda g_1: f(g_1) if g_1[0][1] else 0, gs), total(lambda g_2: 0 if g_2[0][1] else f(g_2), gs))


def numbers_by_round(driver, limit, row, gs):
    waiting = []
    while driver:
        _, driver = driver
        waiting.append(row)
        row = next_row(limit, 0, row)
    else:
        result = ()
    for row in reversed(waiting):
        result = (numbers_of(lambda g, row=row: informed(g, row), gs), result)
    return result


def drop(c, l):
    while l:
        _, l_1 = l
        if c <= 0:
            return l
        c, l = c - 1, l_1
    return ()


def most_transfers(m, bipartite, now, later):
    few = min(now[0], later[1])
    if m == 'Half_duplex':
        return min(few, min(later[2], later[3]) if bipartite else quotient(later[0], 2))
    return few


def no_less(m, bipartite, final, now, later, ms):
    while ms:
        x, ms = ms
        if not now:
            now0 = ()
            if not later:
                later0 = ()
                if not most_transfers(m, bipartite, final, final) <= x:
                    return False
                now, later = now0, later0
                continue
            n = later[0]
            later0_1 = later[1]
            if not most_transfers(m, bipartite, final, n) <= x:
                return False
            now, later = now0, later0_1
            continue
        n_1 = now[0]
        now0_1 = now[1]
        if not later:
            later0_2 = ()
            if not most_transfers(m, bipartite, n_1, final) <= x:
                return False
            now, later = now0_1, later0_2
            continue
        n0 = later[0]
        later0_3 = later[1]
        if not most_transfers(m, bipartite, n_1, n0) <= x:
            return False
        now, later = now0_1, later0_3
    return True


def capacity(round_1, ever, ms, time):
    waiting = []
    while ms:
        x, ms = ms
        if time <= round_1:
            result = time * x
            break
        waiting.append(x)
        time = time - round_1
    else:
        result = time * ever
    for x in reversed(waiting):
        result = round_1 * x + result
    return result


def near_nodes(c):
    return flat_map(lambda g: g[2], c[0])


def far_nodes(c):
    return flat_map(lambda g: g[2], filter_(lambda g_1: g_1[0], c[0]))


def this_side(c):
    return flat_map(lambda g: g[2], filter_(lambda g_1: g_1[1], c[0]))


def work(p, fars, far_set, quickest):
    return total(lambda x: 1, p[3]) * total(lambda a: value(quickest, a), fars) - total(lambda k: value(quickest, k[1]) if member(k[1], far_set) else 0, p[3])


def check_counting(p, c, b):
    known = set_of(p[0])
    near_set = set_of(near_nodes(c))
    far_set = set_of(far_nodes(c))
    this = set_of(this_side(c))
    quickest = table_of(c[5])
    evens = table_of(c[3])
    odds = table_of(c[4])
    origins = set_of(c[2])
    gs = map_(lambda g: (g, size(g[2]), walks(c[8], 0, evens, odds, g[2])), c[0])
    limit = 1 + size(near_nodes(c))
    final = numbers_of(lambda p0: p0[1], gs)
    rows = numbers_by_round(c[8], limit, (size(c[2]), ()), gs)
    ever = most_transfers(p[2], c[1], final, final)
    return distinct(far_nodes(c), empty) and forallb(lambda v: member(v, known) and 0 <= value(quickest, v), far_nodes(c)) and forallb(lambda k: member(k[1], origins) and value(evens, k[1]) <= 0, p[3]) and 0 < c[6] and 0 <= c[7] and forallb(lambda a: c[6] <= a[2] and a[2] <= c[7] * c[6] and value(odds, a[1]) <= value(evens, a[0]) + 1 and value(evens, a[1]) <= value(odds, a[0]) + 1 and (negb(member(a[1], far_set)) or value(quickest, a[1]) <= a[2] and member(a[0], near_set) and (negb(c[1]) or xorb(member(a[0], this), member(a[1], this)))), p[1]) and no_less(p[2], c[1], final, rows, drop(c[7], rows), c[8]) and (b <= 0 or capacity(c[6], ever, c[8], b - 1) < work(p, far_nodes(c), far_set, quickest))


def proves(p, why, b):
    if why[0] == 'By_nothing':
        return b <= 0
    if why[0] == 'By_occupancy':
        o = why[1]
        return well_formed(p) and check_occupancy(p, o, b)
    if why[0] == 'By_last_step':
        o_1 = why[1]
        last = why[2]
        return well_formed(p) and check_last_step(p, o_1, last, b)
    if why[0] == 'By_distance':
        d = why[1]
        return well_formed(p) and check_distance(p, d, b)
    c = why[1]
    return well_formed(p) and check_counting(p, c, b)


def check_bound(p, why, before_rounding, divisor, b):
    return proves(p, why, before_rounding) and 0 < divisor and forallb(lambda a: remainder(a[2], divisor) == 0, p[1]) and b <= quotient(before_rounding + divisor - 1, divisor) * divisor


# The types of the arguments, and the constructors of these types.
ARGUMENTS = {
    'check_rounds': [('problem',), ('list', ('list', ('prod', ('z',), ('z',)))), ('z',)],
    'check_bound': [('problem',), ('proof',), ('z',), ('z',), ('z',)],
}
TYPES = {
    'arc': [('Arc', [('z',), ('z',), ('z',)])],
    'counting': [('Counting', [('list', ('group',)), ('bool',), ('list', ('z',)), ('list', ('prod', ('z',), ('z',))), ('list', ('prod', ('z',), ('z',))), ('list', ('prod', ('z',), ('z',))), ('z',), ('z',), ('list', ('z',))])],
    'farthest': [('Farthest', [('z',), ('z',), ('z',), ('list', ('prod', ('z',), ('z',)))])],
    'group': [('Group', [('bool',), ('bool',), ('list', ('z',))])],
    'occupancy': [('Occupancy', [('list', ('prod', ('port',), ('z',))), ('list', ('weighted_set',)), ('list', ('weighted_set',)), ('list', ('prod', ('z',), ('z',))), ('z',)])],
    'packet': [('Packet', [('z',), ('z',)])],
    'port': [('Sending', [('z',)]), ('Receiving', [('z',)]), ('Whole', [('z',)])],
    'port_model': [('Half_duplex', []), ('One_port', [])],
    'problem': [('Problem', [('list', ('z',)), ('list', ('arc',)), ('port_model',), ('list', ('packet',))])],
    'proof': [('By_nothing', []), ('By_occupancy', [('occupancy',)]), ('By_last_step', [('occupancy',), ('occupancy',)]), ('By_distance', [('farthest',)]), ('By_counting', [('counting',)])],
    'weighted_set': [('Weighted', [('list', ('z',)), ('z',)])],
}
