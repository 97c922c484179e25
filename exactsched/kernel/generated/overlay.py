"""Generated from proofs/rocq/overlay by proofs/rocq/extraction: do not edit."""

# ruff: noqa
# mypy: ignore-errors
from exactsched.kernel.runtime import add, empty, find, gcd, quotient

def negb(b):
    return not b


def fst(p):
    return p[0]


def snd(p):
    return p[1]


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


def inject_Z(x):
    return (x, 1)


def qeq_bool(x, y):
    return x[0] * y[1] == y[0] * x[1]


def qle_bool(x, y):
    return x[0] * y[1] <= y[0] * x[1]


def qplus(x, y):
    return (x[0] * y[1] + y[0] * x[1], x[1] * y[1])


def qmult(x, y):
    return (x[0] * y[0], x[1] * y[1])


def qopp(x):
    return (-x[0], x[1])


def qminus(x, y):
    return qplus(x, qopp(y))


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


def nodes(m):
    return (m[0], m[1])


def names(l):
    return map_(lambda n: n[0], l)


def pair_in(u, v, s):
    found_1 = find(key0(u), s)
    if found_1 is None:
        return False
    l = found_1[0]
    return member(v, l)


def add_pair(uv, s):
    found_1 = find(key0(fst(uv)), s)
    if found_1 is not None:
        l = found_1[0]
        l_1 = l
    else:
        l_1 = empty
    return add(key0(fst(uv)), add(key0(snd(uv)), (), l_1), s)


def pairs_of(l):
    return fold_right(add_pair, empty, l)


def known_of(m):
    found_1 = m[2]
    if found_1 is not None:
        l = found_1[0]
        chosen = (pairs_of(l),)
    else:
        chosen = None
    return (set_of(names(nodes(m))), set_of(names(m[1])), chosen)


def may_send(k, u, v):
    if not (member(u, k[0]) and member(v, k[1]) and negb(u == v)):
        return False
    found_1 = k[2]
    if found_1 is None:
        return True
    s = found_1[0]
    return pair_in(u, v, s)


def grows(k, reached, t0):
    while t0:
        p, t0 = t0
        u, v = p
        if not (member(u, reached) and negb(member(v, reached)) and may_send(k, u, v)):
            return None
        reached = add(key0(v), (), reached)
    return (reached,)


def check_tree(m, k, t0):
    found_1 = grows(k, set_of((m[0][0], ())), t0)
    if found_1 is None:
        return False
    reached = found_1[0]
    return forallb(lambda i: member(i[0], reached), m[1])


def add_to(u, n, t0):
    return add(key0(u), value(t0, u) + n, t0)


def parts_sent(ts):
    return fold_right(lambda t0, tb: fold_right(lambda a, tb0: add_to(fst(a), fst(t0), tb0), tb, snd(t0)), empty, ts)


def check_overlay(m, t0, parts, ts):
    k = known_of(m)
    sent = parts_sent(ts)
    if not (0 < parts and distinct(names(m[1]), set_of(())) and negb(member(m[0][0], k[1])) and forallb(lambda i: qle_bool(qmult(inject_Z(value(sent, i[0])), t0), qmult(inject_Z(parts), i[1])), nodes(m))):
        chosen = False
    else:
        def step(i_1):
            found_1 = i_1[3]
            if found_1 is None:
                return True
            r = found_1[0]
            return qle_bool(t0, r)
        chosen = forallb(step, m[1])
    if not chosen:
        return False
    if not ts:
        return qeq_bool(t0, (0, 1))
    return negb(qle_bool(t0, (0, 1))) and total(fst, ts) == parts and forallb(lambda t1: 0 < fst(t1) and check_tree(m, k, snd(t1)), ts)


def check_degrees(m, ts, arcs):
    used = pairs_of(arcs)
    number_1 = fold_right(lambda a, tb: add_to(fst(a), 1, tb), empty, arcs)
    return forallb(lambda t0: forallb(lambda a_1: pair_in(fst(a_1), snd(a_1), used), snd(t0)), ts) and forallb(lambda i: value(number_1, i[0]) <= i[2], nodes(m))


def check_structure(s, arcs, heights):
    if s == 'Any':
        return True
    if s == 'Acyclic':
        h = table_of(heights)
        return forallb(lambda a: value(h, fst(a)) < value(h, snd(a)), arcs)
    return distinct(map_(snd, arcs), set_of(()))


def check_reached(m, s, t0, parts, ts, arcs, heights):
    return check_overlay(m, t0, parts, ts) and check_degrees(m, ts, arcs) and check_structure(s, arcs, heights)


def number_of(l):
    return total(lambda x: 1, l)


def real_degrees(m):
    found_1 = m[2]
    if found_1 is not None:
        l = found_1[0]
        number_1 = fold_right(lambda a, tb: add_to(fst(a), 1, tb), empty, l)
        return map_(lambda i: (i, min(i[2], value(number_1, i[0]))), nodes(m))
    return map_(lambda i_1: (i_1, i_1[2]), nodes(m))


def lowest(x):
    g = gcd(x[0], x[1])
    return (quotient(x[0], g), max(1, quotient(x[1], g)))


def qsum(l):
    waiting = []
    while l:
        x, l = l
        waiting.append(x)
    else:
        result = (0, 1)
    for x in reversed(waiting):
        result = lowest(qplus(x, result))
    return result


def full_bandwidths(full, l):
    return qsum(map_(lambda id_1: fst(id_1)[1] if member(fst(id_1)[0], full) else (0, 1), l))


def other_degrees(full, l):
    return total(lambda id_1: 0 if member(fst(id_1)[0], full) else snd(id_1), l)


def children(t0, id_1):
    b = fst(id_1)[1]
    return 0 if qle_bool(b, (0, 1)) else snd(id_1) if t0[0] <= 0 else min(snd(id_1), quotient(b[0] * t0[1] - 1, t0[0] * b[1]))


def proves(m, s, t0, why):
    ids = real_degrees(m)
    n = number_of(m[1])
    if not (distinct(names(nodes(m)), set_of(())) and 0 < n and qle_bool((0, 1), t0)):
        return False
    if why[0] == 'By_source':
        return qle_bool(m[0][1], t0)
    if why[0] == 'By_no_degree':
        if not ids:
            return False
        p = ids[0]
        d = p[1]
        return d <= 0
    if why[0] == 'By_receiver':
        i = why[1]
        def step(v):
            if not v[0] == i:
                return False
            found_1 = v[3]
            if found_1 is None:
                return False
            r = found_1[0]
            return qle_bool(r, t0)
        return existsb(step, m[1])
    if why[0] == 'By_all':
        full = why[1]
        chosen = set_of(full)
        slope = n - other_degrees(chosen, ids)
        return 0 < slope and qle_bool(full_bandwidths(chosen, ids), qmult(inject_Z(slope), t0))
    if why[0] == 'By_acyclic':
        full_1 = why[1]
        full_2 = why[2]
        b = why[3]
        d_1 = why[4]
        s1 = set_of(full_1)
        s2 = set_of(full_2)
        slope1 = n - other_degrees(s1, ids)
        slope2 = n + d_1 - other_degrees(s2, ids)
        if s == 'Acyclic':
            chosen_5 = 0 <= d_1
        else:
            chosen_5 = False
        if not chosen_5:
            chosen_4 = False
        else:
            chosen_4 = forallb(lambda id_1: fst(id_1)[0] == m[0][0] or qle_bool(b, fst(id_1)[1]) and d_1 <= snd(id_1), ids)
        if not chosen_4:
            chosen_3 = False
        else:
            chosen_3 = 0 < slope1
        if not chosen_3:
            chosen_2 = False
        else:
            chosen_2 = qle_bool(qminus(full_bandwidths(s1, ids), b), qmult(inject_Z(slope1), t0))
        if not chosen_2:
            chosen_1 = False
        else:
            chosen_1 = 0 < slope2
        if not chosen_1:
            return False
        return qle_bool(full_bandwidths(s2, ids), qmult(inject_Z(slope2), t0))
    if s == 'Tree':
        return total(lambda a: children(t0, a), ids) < n
    return False


# The types of the arguments, and the constructors of these types.
ARGUMENTS = {
    'check_overlay': [('machine',), ('q',), ('z',), ('list', ('prod', ('z',), ('list', ('prod', ('z',), ('z',)))))],
    'check_reached': [('machine',), ('structure',), ('q',), ('z',), ('list', ('prod', ('z',), ('list', ('prod', ('z',), ('z',))))), ('list', ('prod', ('z',), ('z',))), ('list', ('prod', ('z',), ('z',)))],
    'proves': [('machine',), ('structure',), ('q',), ('reason',)],
}
TYPES = {
    'machine': [('Machine', [('node',), ('list', ('node',)), ('option', ('list', ('prod', ('z',), ('z',))))])],
    'node': [('Node0', [('z',), ('q',), ('z',), ('option', ('q',))])],
    'q': [('Qmake', [('z',), ('positive',)])],
    'reason': [('By_source', []), ('By_no_degree', []), ('By_receiver', [('z',)]), ('By_all', [('list', ('z',))]), ('By_acyclic', [('list', ('z',)), ('list', ('z',)), ('q',), ('z',)]), ('By_children', [])],
    'structure': [('Any', []), ('Acyclic', []), ('Tree', [])],
}
