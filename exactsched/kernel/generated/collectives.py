"""Generated from proofs/rocq/Checker.v by proofs/rocq/extraction: do not edit."""

# ruff: noqa
# mypy: ignore-errors
from exactsched.kernel.runtime import add, empty, find, quotient, remainder

def negb(b):
    return not b


def fst(p):
    return p[0]


def snd(p):
    return p[1]


def length(l):
    waiting = []
    while l:
        _, l = l
        waiting.append(())
    else:
        made = 0
    for _ in reversed(waiting):
        made = made + 1
    return made


def app(l, m):
    waiting = []
    while l:
        a, l = l
        waiting.append(a)
    else:
        made = m
    for a in reversed(waiting):
        made = (a, made)
    return made


def map_(f, l):
    waiting = []
    while l:
        a, l = l
        waiting.append(a)
    else:
        made = ()
    for a in reversed(waiting):
        made = (f(a), made)
    return made


def flat_map(f, l):
    waiting = []
    while l:
        x, l = l
        waiting.append(x)
    else:
        made = ()
    for x in reversed(waiting):
        made = app(f(x), made)
    return made


def fold_left(f, l, a0):
    while l:
        b, l = l
        a0 = f(a0, b)
    return a0


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
        made = ()
    for x in reversed(waiting):
        made = (x, made)
    return made


def find_(f, l):
    while l:
        x, l = l
        if f(x):
            return (x,)
    return None


def seq(start, len_1):
    waiting = []
    while True:
        if len_1 == 0:
            made = ()
            break
        len0 = len_1 - 1
        waiting.append(start)
        start, len_1 = start + 1, len0
    for start in reversed(waiting):
        made = (start, made)
    return made


def inject_Z(x):
    return (x, 1)


def qeq_bool(x, y):
    return x[0] * y[1] == y[0] * x[1]


def qmult(x, y):
    return (x[0] * y[0], x[1] * y[1])


def qinv(x):
    found = x[0]
    if found == 0:
        return (0, 1)
    if found > 0:
        p = found
        return (x[1], p)
    p_1 = -found
    return (-x[1], p_1)


def qdiv(x, y):
    return qmult(x, qinv(y))


def item_eqb(x, y):
    if x[0] == 'Message':
        d = x[1]
        if y[0] == 'Values':
            return False
        e = y[1]
        return d == e
    k = x[1]
    m = x[2]
    if y[0] == 'Message':
        return False
    l = y[1]
    n = y[2]
    return k == l and m == n


def natural(z0):
    return (-2) * z0 - 1 if z0 < 0 else 2 * z0


def paired(a, b):
    return (a + b) * (a + b) + b


def item_code(x):
    if x[0] == 'Message':
        d = x[1]
        return 2 * natural(d)
    k = x[1]
    m = x[2]
    return 2 * paired(natural(k), natural(m)) + 1


def state_code(x):
    return max(1, 1 + paired(item_code(x[0]), natural(x[1])))


def node_code(v):
    return max(1, 1 + natural(v))


def resource_code(r):
    if r[0] == 'Sends':
        v = r[1]
        chosen = 5 * natural(v)
    elif r[0] == 'Receives':
        v_1 = r[1]
        chosen = 5 * natural(v_1) + 1
    elif r[0] == 'Port':
        v_2 = r[1]
        chosen = 5 * natural(v_2) + 2
    elif r[0] == 'Link':
        u = r[1]
        v_3 = r[2]
        chosen = 5 * paired(natural(u), natural(v_3)) + 4
    else:
        v_4 = r[1]
        chosen = 5 * natural(v_4) + 3
    part = 1 + chosen
    return max(1, part)


def arc_uses(p, a):
    if p == 'OnePort':
        return (('Sends', a[0]), (('Receives', a[1]), ()))
    if p == 'HalfDuplex':
        return (('Port', a[0]), (('Port', a[1]), ()))
    return (('Link', a[0], a[1]), ())


def transfer(p, x, size, a):
    return (arc_uses(p, a), qmult(size, a[2]), ((x, a[0]), ()), (x, a[1]))


def number_from(i, l):
    waiting = []
    while l:
        x, l = l
        waiting.append((i, x))
        i = i + 1
    else:
        made = ()
    for i, x in reversed(waiting):
        made = ((i, x), made)
    return made


def numbered(l):
    return number_from(0, l)


def multicast(p, arcs, source, targets):
    return (map_(lambda a: transfer(p, ('Message', 0), (1, 1), a), arcs), ((('Message', 0), source), ()), map_(lambda x: (('Message', 0), x), targets))


def alltoall(p, arcs, demands):
    def step(pat):
        d, x = pat
        given = ('Message', d)
        given_1 = x[2]
        part = lambda a: transfer(p, given, given_1, a)
        return map_(part, arcs)
    part_1 = flat_map(step, numbered(demands))
    def step_1(pat_1):
        d_1, x_1 = pat_1
        return (('Message', d_1), x_1[0])
    part_2 = map_(step_1, numbered(demands))
    def step_2(pat_2):
        d_2, x_2 = pat_2
        return (('Message', d_2), x_2[1])
    part_3 = map_(step_2, numbered(demands))
    return (part_1, part_2, part_3)


def combine(c):
    return ((('Computes', c[0]), ()), c[4], ((('Values', c[1], c[2]), c[0]), ((('Values', c[2] + 1, c[3]), c[0]), ())), (('Values', c[1], c[3]), c[0]))


def indices(n):
    return map_(lambda a: a, seq(0, n))


def intervals(n):
    return flat_map(lambda k: map_(lambda m: (k, m), filter_(lambda a: k <= a, indices(n))), indices(n))


def reduction(p, arcs, size_of, steps, owners, goals):
    def step(pat):
        k, m = pat
        given = ('Values', k, m)
        given_1 = size_of(k, m)
        part = lambda a: transfer(p, given, given_1, a)
        return map_(part, arcs)
    part_1 = flat_map(step, intervals(length(owners)))
    part_2 = app(part_1, map_(combine, steps))
    def step_1(pat_1):
        i, v = pat_1
        return (('Values', i, i), v)
    part_3 = map_(step_1, numbered(owners))
    def step_2(pat_2):
        y, v_1 = pat_2
        k_1, m_1 = y
        return (('Values', k_1, m_1), v_1)
    part_4 = map_(step_2, goals)
    return (part_2, part_3, part_4)


find0 = find


put = add


none = empty


def or_zero(o):
    if o is None:
        return 0
    z0 = o[0]
    return z0


def value(p, m):
    return or_zero(find0(p, m))


def add_to(p, v, m):
    return put(p, value(p, m) + v, m)


def member(p, m):
    return find0(p, m) is not None


def sumZ(f, l):
    return fold_left(lambda s, x: s + f(x), l, 0)


def array_from(p, l, m):
    while l:
        x, l = l
        p, m = p + 1, put(p, x, m)
    return m


def array(l):
    return array_from(1, l, none)


def give_number(n, x):
    c = state_code(x)
    found = find0(c, n[0])
    if found is not None:
        return n
    return (put(c, n[1], n[0]), n[1] + 1)


def number(n, x):
    found = find0(state_code(x), n[0])
    if found is None:
        return 1
    p = found[0]
    return p


def number_task(n, k):
    return fold_left(give_number, k[2], give_number(n, k[3]))


def number_states(s):
    return fold_left(number_task, s[0], fold_left(give_number, s[2], fold_left(give_number, s[1], (none, 1))))


def job_of(n, k):
    return (map_(resource_code, k[0]), map_(lambda a: number(n, a), k[2]), number(n, k[3]))


def highest(known, l, h):
    while l:
        x, l = l
        found = find0(x, known)
        if found is None:
            return None
        d = found[0]
        h = max(h, d)
    return (h,)


def grow(jobs, l, known, top):
    while l:
        i, l = l
        found = find0(i, jobs)
        if found is None:
            return None
        k = found[0]
        found_1 = highest(known, k[1], 0)
        if found_1 is None:
            return None
        h = found_1[0]
        if member(k[2], known):
            return None
        known, top = put(k[2], h + 1, known), max(top, h + 1)
    return ((known, top),)


def part_height(jobs, known, targets, l, top):
    while l:
        s, l = l
        w, tasks = s
        if not 0 <= w:
            return None
        found = grow(jobs, tasks, known, top)
        if found is None:
            return None
        p = found[0]
        made, h = p
        if not forallb(lambda x, made=made: member(x, made), targets):
            return None
        top = h
    return (top,)


def parts_height(n, jobs, known, b, l, top):
    while l:
        p, l = l
        targets, structures = p
        if not sumZ(fst, structures) == b:
            return None
        found = part_height(jobs, known, map_(lambda a: number(n, a), targets), structures, top)
        if found is None:
            return None
        h = found[0]
        top = h
    return (top,)


def mark(n, h, l, m):
    return fold_left(lambda m0, x: put(number(n, x), h, m0), l, m)


def add_structure(m, t0):
    return fold_left(lambda m0, i: add_to(i, fst(t0), m0), snd(t0), m)


def sent(parts):
    return fold_left(lambda m, q0: fold_left(add_structure, snd(q0), m), parts, none)


def slots_fit(jobs, period, l, free, lasted):
    while l:
        s, l = l
        p, b = s
        i, a = p
        found = find0(i, jobs)
        if found is None:
            return None
        k = found[0]
        if not (0 <= a and a < b and b <= period and forallb(lambda r, free=free, a=a: value(r, free) <= a, k[0])):
            return None
        free, lasted = fold_left(lambda m, r_1, b=b: put(r_1, b, m), k[0], free), add_to(i, b - a, lasted)
    return (lasted,)


def long_enough(tick, needed, lasted, p, l):
    while l:
        k, l = l
        if not (0 < k[1][0] and k[1][0] * value(p, needed) * tick[1] <= value(p, lasted) * tick[0] * k[1][1]):
            return False
        p = p + 1
    return True


def check_schedule(s, s0):
    n = number_states(s)
    jobs = array(map_(lambda a: job_of(n, a), s[0]))
    found = s0[2]
    if not found:
        b = 0
    else:
        p = found[0]
        l = p[1]
        b = sumZ(fst, l)
    known = mark(n, 0, s[1], none)
    targets = fold_left(lambda m, q0: mark(n, 0, fst(q0), m), s0[2], known)
    if not (0 < s0[1][0] and 0 < s0[0][0] and 0 < b and forallb(lambda x: member(number(n, x), targets), s[2])):
        return None
    found_1 = parts_height(n, jobs, known, b, s0[2], 0)
    if found_1 is None:
        return None
    h = found_1[0]
    ticks = quotient(s0[0][0] * s0[1][1], s0[0][1] * s0[1][0])
    found_2 = slots_fit(jobs, ticks, s0[3], none, none)
    if found_2 is None:
        return None
    lasted = found_2[0]
    return ((qdiv(inject_Z(b), s0[0]), qmult(inject_Z(h), s0[0])),) if long_enough(s0[1], sent(s0[2]), lasted, 1, s[0]) else None


def price_map(l):
    return fold_left(lambda m, ry: put(resource_code(fst(ry)), snd(ry), m), l, none)


def odd_map(ry):
    return (fold_left(lambda m, r: put(resource_code(r), 0, m), fst(ry), none), snd(ry))


def maps_of(y):
    return (price_map(y[0]), map_(odd_map, y[1]))


def prices_ok(y):
    return forallb(lambda ry: 0 <= snd(ry), y[0]) and forallb(lambda ry_1: 0 <= snd(ry_1), y[1])


def sum_of_prices(y):
    return sumZ(snd, y[0]) + sumZ(lambda ry: quotient(length(fst(ry)), 2) * snd(ry), y[1])


def rate_of_two(m, r, s):
    c = resource_code(r)
    d = resource_code(s)
    return value(c, m[0]) if c == d else value(c, m[0]) + value(d, m[0]) + sumZ(lambda oy: (snd(oy) if member(d, fst(oy)) else 0) if member(c, fst(oy)) else 0, m[1])


def rate(m, l):
    if not l:
        return 0
    r = l[0]
    l0 = l[1]
    if not l0:
        return value(resource_code(r), m[0])
    s = l0[0]
    return rate_of_two(m, r, s)


def holds(c, p):
    p0 = c[0]
    b, e = p0
    return b <= p and p < e


weight = snd


def begins(c):
    return fst(fst(c))


def ends(c):
    return snd(fst(c))


def bucket(m, p):
    found = find0(p, m)
    if found is None:
        return ()
    l = found[0]
    return l


def by_start(cuts):
    def step(m, c):
        p = max(1, begins(c))
        return put(p, (c, bucket(m, p)), m)
    return fold_left(step, cuts, none)


def sweep(starts, p, l, open_1, m):
    while l:
        v, l = l
        here = fold_left(lambda h, c: (c, h), bucket(starts, p), filter_(lambda c_1, p=p: p < ends(c_1), open_1))
        p, open_1, m = p + 1, here, put(node_code(v), here, m)
    return m


def positions(p, l, m):
    while l:
        v, l = l
        p, m = p + 1, put(node_code(v), p, m)
    return m


def entered_weight(holding, pos, a):
    found = find0(node_code(a[1]), holding)
    if found is None:
        return 0
    l = found[0]
    found_1 = find0(node_code(a[0]), pos)
    if found_1 is not None:
        q0 = found_1[0]
        return sumZ(lambda c: 0 if holds(c, q0) else weight(c), l)
    return sumZ(weight, l)


def pays(p, m, holding, pos, a, time):
    w = entered_weight(holding, pos, a)
    return w == 0 or w * time[1] <= time[0] * rate(m, arc_uses(p, a))


def in_cut(pos, c, v):
    found = find0(node_code(v), pos)
    if found is None:
        return False
    q0 = found[0]
    return holds(c, q0)


def cut_ok(order, targets, pos, target_list, c):
    if not (0 <= weight(c) and 1 <= begins(c)):
        return False
    found = find0(max(1, begins(c)), order)
    if found is None:
        return False
    v = found[0]
    return member(node_code(v), targets) and in_cut(pos, c, v) or existsb(lambda a: in_cut(pos, c, a), target_list)


def node_map(l):
    return fold_left(lambda m, v: put(node_code(v), 0, m), l, none)


def quotient_(y, w):
    return (qdiv(inject_Z(y), inject_Z(w)),) if 0 < w else None


def check_cuts(p, arcs, source, targets, b):
    y = maps_of(b[0])
    pos = positions(1, b[1], none)
    holding = sweep(by_start(b[2]), 1, b[1], (), none)
    if not (prices_ok(b[0]) and negb(member(node_code(source), pos))):
        chosen_1 = False
    else:
        given = array(b[1])
        given_1 = node_map(targets)
        part = lambda a_1: cut_ok(given, given_1, pos, targets, a_1)
        chosen_1 = forallb(part, b[2])
    if not chosen_1:
        chosen = False
    else:
        chosen = forallb(lambda a: 0 < a[2][0] and pays(p, y, holding, pos, a, a[2]), arcs)
    if not chosen:
        return None
    return quotient_(sum_of_prices(b[0]), sumZ(weight, b[2]))


def row_map(l):
    return fold_left(lambda m, vx: put(node_code(fst(vx)), snd(vx), m), l, none)


def row_ok(rated, sr):
    if not value(node_code(fst(sr)), snd(sr)) <= 0:
        return False
    def step(ar):
        a, r = ar
        return (value(node_code(a[1]), snd(sr)) - value(node_code(a[0]), snd(sr))) * a[2][1] <= a[2][0] * r
    return forallb(step, rated)


def demand_ok(unit, rows, d):
    return 0 < d[2][0] and remainder(unit, d[2][1]) == 0 and find0(node_code(d[0]), rows) is not None


def demand_value(unit, rows, d):
    found = find0(node_code(d[0]), rows)
    if found is None:
        return 0
    r = found[0]
    return d[2][0] * quotient(unit, d[2][1]) * value(node_code(d[1]), r)


def check_distances(p, arcs, demands, b):
    y = maps_of(b[0])
    rows = map_(lambda sr: (fst(sr), row_map(snd(sr))), b[2])
    by_source = fold_left(lambda m, sr_1: put(node_code(fst(sr_1)), snd(sr_1), m), rows, none)
    rated = map_(lambda a: (a, rate(y, arc_uses(p, a))), arcs)
    if not (prices_ok(b[0]) and forallb(lambda a_1: 0 < a_1[2][0], arcs) and forallb(lambda a_2: row_ok(rated, a_2), rows)):
        chosen = False
    else:
        given = b[1]
        part = lambda a_3: demand_ok(given, by_source, a_3)
        chosen = forallb(part, demands)
    if not chosen:
        return None
    given_1 = b[1]
    part_1 = lambda a_4: demand_value(given_1, by_source, a_4)
    part_2 = sumZ(part_1, demands)
    return quotient_(sum_of_prices(b[0]) * b[1], part_2)


def entry(i, l):
    while l:
        x, l = l
        if i == 0:
            return x
        i = i - 1
    return 0


def minus(l, l_1):
    waiting = []
    while l:
        x, l0 = l
        if not l_1:
            made = l
            break
        x_1 = l_1[0]
        l_0 = l_1[1]
        waiting.append((x, x_1))
        l, l_1 = l0, l_0
    else:
        made = map_(lambda a: -a, l_1)
    for x, x_1 in reversed(waiting):
        made = (x - x_1, made)
    return made


def vector(m, x):
    found = find0(state_code(x), m)
    if found is None:
        return ()
    l = found[0]
    return l


def gain(m, k):
    return sumZ(lambda a: max(0, a), fold_left(lambda l, x: minus(l, vector(m, x)), k[2], vector(m, k[3])))


def fits(k):
    found = k[3][0]
    if found[0] == 'Message':
        chosen = True
    else:
        a = found[1]
        b = found[2]
        chosen = a <= b
    if not chosen:
        return False
    found_1 = k[2]
    if not found_1:
        return False
    x = found_1[0]
    l = found_1[1]
    if not l:
        return item_eqb(x[0], k[3][0])
    y = l[0]
    l0 = l[1]
    if l0:
        return False
    found_2 = x[0]
    if found_2[0] == 'Message':
        return False
    a_1 = found_2[1]
    b_1 = found_2[2]
    found_3 = y[0]
    if found_3[0] == 'Message':
        return False
    c = found_3[1]
    d = found_3[2]
    found_4 = k[3][0]
    if found_4[0] == 'Message':
        return False
    e = found_4[1]
    f = found_4[2]
    return a_1 == e and b_1 + 1 == c and d == f and a_1 <= b_1 and c <= d


def goal_values(m, i, l, s):
    while l:
        x, l = l
        i, s = i + 1, s + entry(i, vector(m, x))
    return s


def check_potentials(s, b):
    y = maps_of(b[0])
    m_1 = fold_left(lambda m, xl: put(state_code(fst(xl)), snd(xl), m), b[1], none)
    return quotient_(sum_of_prices(b[0]), goal_values(m_1, 0, s[2], 0)) if prices_ok(b[0]) and forallb(lambda x: forallb(lambda p: p <= 0, vector(m_1, x)), s[1]) and forallb(lambda k: 0 < k[1][0] and fits(k) and gain(m_1, k) * k[1][1] <= k[1][0] * rate(y, k[0]), s[0]) else None


def size_in(usual, sizes, k, m):
    found = find_(lambda r: fst(fst(r)) == k and snd(fst(r)) == m, sizes)
    if found is not None:
        r_1 = found[0]
        return snd(r_1)
    return usual


def system_of(q0):
    if q0[0] == 'Multicast':
        p = q0[1]
        arcs = q0[2]
        source = q0[3]
        targets = q0[4]
        return multicast(p, arcs, source, targets)
    if q0[0] == 'Alltoall':
        p_1 = q0[1]
        arcs_1 = q0[2]
        demands = q0[3]
        return alltoall(p_1, arcs_1, demands)
    p_2 = q0[1]
    arcs_2 = q0[2]
    usual = q0[3]
    sizes = q0[4]
    steps = q0[5]
    owners = q0[6]
    goals = q0[7]
    return reduction(p_2, arcs_2, lambda a, b: size_in(usual, sizes, a, b), steps, owners, goals)


def check_bound(q0, b):
    if q0[0] == 'Multicast':
        p = q0[1]
        arcs = q0[2]
        source = q0[3]
        targets = q0[4]
        if b[0] == 'ByCuts':
            b0 = b[1]
            return check_cuts(p, arcs, source, targets, b0)
        if b[0] == 'ByDistances':
            return None
        b0_1 = b[1]
        return check_potentials(system_of(q0), b0_1)
    if q0[0] == 'Alltoall':
        p_1 = q0[1]
        arcs_1 = q0[2]
        demands = q0[3]
        if b[0] == 'ByCuts':
            return None
        if b[0] == 'ByDistances':
            b0_2 = b[1]
            return check_distances(p_1, arcs_1, demands, b0_2)
        b0_3 = b[1]
        return check_potentials(system_of(q0), b0_3)
    if b[0] == 'ByPotentials':
        b0_4 = b[1]
        return check_potentials(system_of(q0), b0_4)
    return None


def check(q0, s, b):
    found = check_schedule(system_of(q0), s)
    if found is None:
        return None
    p = found[0]
    t0, c = p
    found_1 = check_bound(q0, b)
    if found_1 is None:
        return None
    u = found_1[0]
    return ((t0, c),) if qeq_bool(u, t0) else None


# The types of the arguments, and the constructors of these types.
ARGUMENTS = {
    'check': [('problem',), ('periodic',), ('bound',)],
    'check_schedule': [('system',), ('periodic',)],
    'check_bound': [('problem',), ('bound',)],
    'system_of': [('problem',)],
}
TYPES = {
    'arc': [('Arc', [('z',), ('z',), ('q',)])],
    'bound': [('ByCuts', [('cut_bound',)]), ('ByDistances', [('distance_bound',)]), ('ByPotentials', [('potential_bound',)])],
    'cut_bound': [('CutBound', [('price_list',), ('list', ('z',)), ('list', ('prod', ('prod', ('z',), ('z',)), ('z',)))])],
    'demand': [('Demand', [('z',), ('z',), ('q',)])],
    'distance_bound': [('DistanceBound', [('price_list',), ('positive',), ('list', ('prod', ('z',), ('list', ('prod', ('z',), ('z',)))))])],
    'item': [('Message', [('z',)]), ('Values', [('z',), ('z',)])],
    'periodic': [('Periodic', [('q',), ('q',), ('list', ('prod', ('list', ('state',)), ('list', ('prod', ('z',), ('list', ('positive',)))))), ('list', ('prod', ('prod', ('positive',), ('z',)), ('z',)))])],
    'ports': [('OnePort', []), ('HalfDuplex', []), ('Links', [])],
    'potential_bound': [('PotentialBound', [('price_list',), ('list', ('prod', ('state',), ('list', ('z',))))])],
    'price_list': [('PriceList', [('list', ('prod', ('resource',), ('z',))), ('list', ('prod', ('list', ('resource',)), ('z',)))])],
    'problem': [('Multicast', [('ports',), ('list', ('arc',)), ('z',), ('list', ('z',))]), ('Alltoall', [('ports',), ('list', ('arc',)), ('list', ('demand',))]), ('Reduction', [('ports',), ('list', ('arc',)), ('q',), ('list', ('prod', ('prod', ('z',), ('z',)), ('q',))), ('list', ('step',)), ('list', ('z',)), ('list', ('prod', ('prod', ('z',), ('z',)), ('z',)))])],
    'q': [('Qmake', [('z',), ('positive',)])],
    'resource': [('Sends', [('z',)]), ('Receives', [('z',)]), ('Port', [('z',)]), ('Link', [('z',), ('z',)]), ('Computes', [('z',)])],
    'state': [('At', [('item',), ('z',)])],
    'step': [('Step', [('z',), ('z',), ('z',), ('z',), ('q',)])],
    'system': [('System', [('list', ('task',)), ('list', ('state',)), ('list', ('state',))])],
    'task': [('Task', [('list', ('resource',)), ('q',), ('list', ('state',)), ('state',)])],
}
