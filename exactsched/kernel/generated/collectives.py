"""Generated from proofs/rocq/Checker.v, RunChecker.v and RestrictedChecker.v by proofs/rocq/extraction: do not edit."""

# ruff: noqa
# mypy: ignore-errors
from exactsched.kernel.runtime import add, empty, find, gcd, lcm, quotient, remainder, repeated

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
        result = 0
    for _ in reversed(waiting):
        result = result + 1
    return result


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


def of_nat(n):
    waiting = []
    while True:
        if n == 0:
            result = 1
            break
        x = n - 1
        if x == 0:
            result = 1
            break
        waiting.append(())
        n = x
    for _ in reversed(waiting):
        result = result + 1
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
        result = ()
    for x in reversed(waiting):
        result = (x, result)
    return result


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
            result = ()
            break
        len0 = len_1 - 1
        waiting.append(start)
        start, len_1 = start + 1, len0
    for start in reversed(waiting):
        result = (start, result)
    return result


def inject_Z(x):
    return (x, 1)


def qle_bool(x, y):
    return x[0] * y[1] <= y[0] * x[1]


def qplus(x, y):
    return (x[0] * y[1] + y[0] * x[1], x[1] * y[1])


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
        result = ()
    for i, x in reversed(waiting):
        result = ((i, x), result)
    return result


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


def number_(n, x):
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
    return (map_(resource_code, k[0]), map_(lambda a: number_(n, a), k[2]), number_(n, k[3]))


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
        found = part_height(jobs, known, map_(lambda a: number_(n, a), targets), structures, top)
        if found is None:
            return None
        h = found[0]
        top = h
    return (top,)


def mark(n, h, l, m):
    return fold_left(lambda m0, x: put(number_(n, x), h, m0), l, m)


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
    if not (0 < s0[1][0] and 0 < s0[0][0] and 0 < b and forallb(lambda x: member(number_(n, x), targets), s[2])):
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
            result = l
            break
        x_1 = l_1[0]
        l_0 = l_1[1]
        waiting.append((x, x_1))
        l, l_1 = l0, l_0
    else:
        result = map_(lambda a: -a, l_1)
    for x, x_1 in reversed(waiting):
        result = (x - x_1, result)
    return result


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


def row_slot(x):
    p, b = x
    p0, a = p
    i = p0[0]
    return ((i, a), b)


def find2(o, x, m):
    found = find0(o, m)
    if found is None:
        return None
    l = found[0]
    return find0(x, l)


def put2(o, x, v, m):
    found = find0(o, m)
    if found is not None:
        l = found[0]
        chosen = l
    else:
        chosen = none
    part = put(x, v, chosen)
    return put(o, part, m)


def ready(known, made, o, a, x):
    if member(x, known):
        return True
    found = find2(o, x, made)
    if found is None:
        return False
    t0 = found[0]
    return t0 <= a


def causal(jobs, duration, tick, known, l, worked, made):
    while l:
        r, l = l
        p, b = r
        p0, a = p
        i, o = p0
        found = find0(i, jobs)
        if found is None:
            return None
        k = found[0]
        found_1 = duration(i, o)
        if found_1 is None:
            return None
        d = found_1[0]
        if not forallb(lambda a_1, made=made, o=o, a=a: ready(known, made, o, a, a_1), k[1]):
            return None
        found_2 = find2(o, i, worked)
        if found_2 is not None:
            we = found_2[0]
            chosen = we
        else:
            chosen = (0, 0)
        w, e = chosen
        w_1 = w + (b - a)
        e_1 = max(e, b)
        if qle_bool(d, qmult(inject_Z(w_1), tick)):
            found_3 = find2(o, k[2], made)
            if found_3 is not None:
                made_1 = made
            else:
                made_1 = put2(o, k[2], e_1, made)
        else:
            made_1 = made
        worked, made = put2(o, i, (w_1, e_1), worked), made_1
    return (made,)


def all_made(known, made, wanted, m):
    def step(ob):
        o, b = ob
        return (o + 1, b and forallb(lambda x: member(x, known) or find2(o, x, made) is not None, wanted))
    part = repeated(step, (1, True), m)
    return snd(part)


def check_rows(s, duration, m, r):
    n = number_states(s)
    jobs = array(map_(lambda a: job_of(n, a), s[0]))
    known = mark(n, 0, s[1], none)
    makespan = fold_left(lambda t0, x: max(t0, snd(x)), r[1], 0)
    found = slots_fit(jobs, makespan, map_(row_slot, r[1]), none, none)
    if found is None:
        return None
    found_1 = causal(jobs, duration, r[0], known, r[1], none, none)
    if found_1 is None:
        return None
    made = found_1[0]
    return (makespan,) if 0 < r[0][0] and all_made(known, made, map_(lambda a_1: number_(n, a_1), s[2]), m) else None


def check_system_run(s, m, r):
    lengths = array(map_(lambda t0: t0[1], s[0]))
    found = check_rows(s, lambda i, x: find0(i, lengths), m, r)
    if found is None:
        return None
    k = found[0]
    return (qmult(inject_Z(k), r[0]),)


def least_time(m, u):
    return qdiv(inject_Z(m), u)


def check_run(q0, m, r, b):
    found = check_system_run(system_of(q0), m, r)
    if found is None:
        return None
    k = found[0]
    found_1 = check_bound(q0, b)
    if found_1 is None:
        return None
    u = found_1[0]
    return ((k, least_time(m, u)),) if 0 < u[0] else None


def size_ok(unit, z0):
    return 0 < z0[0] and remainder(unit, z0[1]) == 0


def scaled_size(unit, z0):
    return z0[0] * quotient(unit, z0[1])


def check_packet_bound(p, arcs, source, targets, sizes, b):
    c = b[0]
    y = maps_of(c[0])
    pos = positions(1, c[1], none)
    holding = sweep(by_start(c[2]), 1, c[1], (), none)
    startup = sweep(by_start(b[1]), 1, c[1], (), none)
    at = array(c[1])
    marked = node_map(targets)
    y0 = sum_of_prices(c[0])
    if not (prices_ok(c[0]) and negb(member(node_code(source), pos)) and forallb(lambda a_1: cut_ok(at, marked, pos, targets, a_1), c[2]) and forallb(lambda a_2: cut_ok(at, marked, pos, targets, a_2), b[1])):
        chosen_2 = False
    else:
        given = b[2]
        part = lambda a_3: size_ok(given, a_3)
        chosen_2 = forallb(part, sizes)
    if not chosen_2:
        chosen_1 = False
    else:
        def step(al):
            a, latency = al
            return 0 < a[2][0] and 0 <= latency[0] and pays(p, y, holding, pos, a, a[2]) and pays(p, y, startup, pos, a, latency)
        chosen_1 = forallb(step, arcs)
    if not chosen_1:
        chosen = False
    else:
        chosen = 0 < y0
    if not chosen:
        return None
    given_1 = b[2]
    part_1 = lambda a_4: scaled_size(given_1, a_4)
    part_2 = sumZ(part_1, sizes)
    part_3 = part_2 * sumZ(weight, c[2])
    part_4 = part_3 + length(sizes) * b[2] * sumZ(weight, b[1])
    part_5 = inject_Z(part_4)
    part_6 = qdiv(part_5, inject_Z(b[2] * y0))
    return (part_6,)


def whole_row(arcs, duration, tick, x):
    p, b = x
    p0, a = p
    i, o = p0
    found = find0(i, arcs)
    if found is None:
        return False
    p1 = found[0]
    latency = p1[1]
    found_1 = duration(i, o)
    if found_1 is None:
        return False
    d = found_1[0]
    return latency[0] <= 0 or qle_bool(d, qmult(inject_Z(b - a), tick))


def check_packet_run(p, arcs, source, targets, sizes, r, b):
    size = array(sizes)
    late = array(arcs)
    def duration(i, o):
        found = find0(i, late)
        if found is None:
            return None
        p0 = found[0]
        a, latency = p0
        found_1 = find0(o, size)
        if found_1 is None:
            return None
        z0 = found_1[0]
        return (qplus(latency, qmult(z0, a[2])),)
    found_2 = check_rows(multicast(p, map_(fst, arcs), source, targets), duration, of_nat(length(sizes)), r)
    if found_2 is None:
        return None
    k = found_2[0]
    found_3 = check_packet_bound(p, arcs, source, targets, sizes, b)
    if found_3 is None:
        return None
    l = found_3[0]
    if not 0 < length(sizes):
        chosen = False
    else:
        given = r[0]
        part = lambda a_1: whole_row(late, duration, given, a_1)
        chosen = forallb(part, r[1])
    if not chosen:
        return None
    return ((qmult(inject_Z(k), r[0]), l),)


def count_from(p, l):
    waiting = []
    while l:
        x, l = l
        waiting.append((p, x))
        p = p + 1
    else:
        result = ()
    for p, x in reversed(waiting):
        result = ((p, x), result)
    return result


def set_of(l):
    return fold_left(lambda m, i: put(i, 0, m), l, none)


def drop(gone, l):
    return filter_(lambda ia: negb(member(fst(ia), gone)), l)


def common(arcs):
    return fold_left(lambda d, a: lcm(d, a[2][1]), arcs, 1)


def scaled_cost(d, a):
    return a[2][0] * quotient(d, a[2][1])


def rounded(d, arcs, b):
    y = sum_of_prices(b[0])
    w = sumZ(weight, b[2])
    g_1 = fold_left(lambda g, a: gcd(g, scaled_cost(d, a)), arcs, 0)
    n = -quotient(-(w * d), y * g_1)
    found = b[0][1]
    if not found:
        return (qdiv(inject_Z(d), inject_Z(n * g_1)),) if 0 < y and 0 < g_1 and 0 < n and forallb(lambda a_1: remainder(d, a_1[2][1]) == 0, arcs) else quotient_(y, w)
    return quotient_(y, w)


def larger(a, b):
    return b if qle_bool(a, b) else a


def check_leaf(kind, p, d, source, targets, l, b):
    arcs = map_(snd, l)
    found = check_cuts(p, arcs, source, targets, b)
    if found is None:
        return None
    u = found[0]
    if kind == 'OneTree':
        return rounded(d, arcs, b)
    return (u,)


def node_cases(v, l, gone):
    if not (forallb(lambda m: forallb(lambda ia: snd(ia)[1] == v if member(fst(ia), m) else True, l), gone) and forallb(lambda ia_1: existsb(lambda m_1: negb(member(fst(ia_1), m_1)), gone) if snd(ia_1)[1] == v else True, l)):
        return False
    if gone:
        return True
    return False


def walk(arc_map, v, cycle):
    while cycle:
        i, cycle = cycle
        found = find0(i, arc_map)
        if found is None:
            return None
        a = found[0]
        if not a[0] == v:
            return None
        v = a[1]
    return (v,)


def closed(arc_map, cycle):
    if not cycle:
        return False
    i = cycle[0]
    found = find0(i, arc_map)
    if found is None:
        return False
    a = found[0]
    found_1 = walk(arc_map, a[0], cycle)
    if found_1 is None:
        return False
    v = found_1[0]
    return v == a[0]


def check_split(kind, p, arc_map, d, source, targets, l, b):
    if b[0] == 'OfCuts':
        b0 = b[1]
        return check_leaf(kind, p, d, source, targets, l, b0)
    if b[0] == 'SplitOnNode':
        v = b[1]
        cases = b[2]
        if kind == 'Acyclic':
            return None
        if not node_cases(v, l, map_(lambda c: set_of(fst(c)), cases)):
            return None
        def go(cs):
            waiting = []
            while cs:
                p0, cs = cs
                w, b0_1 = p0
                found = check_split(kind, p, arc_map, d, source, targets, drop(set_of(w), l), b0_1)
                if found is None:
                    result = None
                    break
                u = found[0]
                waiting.append(u)
            else:
                result = ((0, 1),)
            for u in reversed(waiting):
                if result is not None:
                    t0 = result[0]
                    result = (larger(u, t0),)
                else:
                    result = None
            return result
        return go(cases)
    cycle = b[1]
    cases_1 = b[2]
    if kind == 'OneTree':
        return None
    if not (closed(arc_map, cycle) and forallb(lambda i: existsb(lambda c_1: i == fst(c_1), cases_1), cycle)):
        return None
    def go_1(cs_1):
        waiting = []
        while cs_1:
            p0_1, cs_1 = cs_1
            i_1, b0_2 = p0_1
            found_1 = check_split(kind, p, arc_map, d, source, targets, drop(put(i_1, 0, none), l), b0_2)
            if found_1 is None:
                result = None
                break
            u_1 = found_1[0]
            waiting.append(u_1)
        else:
            result = ((0, 1),)
        for u_1 in reversed(waiting):
            if result is not None:
                t0_1 = result[0]
                result = (larger(u_1, t0_1),)
            else:
                result = None
        return result
    return go_1(cases_1)


def check_restricted_bound(kind, p, arcs, source, targets, b):
    return check_split(kind, p, array(arcs), common(arcs), source, targets, count_from(1, arcs), b)


def pick(arc_map, l):
    waiting = []
    while l:
        i, l = l
        found = find0(i, arc_map)
        if found is None:
            result = None
            break
        a = found[0]
        waiting.append(a)
    else:
        result = ((),)
    for a in reversed(waiting):
        if result is not None:
            r = result[0]
            result = ((a, r),)
        else:
            result = None
    return result


def heads_differ(l, seen):
    while l:
        a, l = l
        if member(node_code(a[1]), seen):
            return False
        seen = put(node_code(a[1]), 0, seen)
    return True


def allowed_ok(kind, source, used, ranks):
    if kind == 'OneTree':
        return heads_differ(used, put(node_code(source), 0, none))
    m = row_map(ranks)
    return forallb(lambda a: value(node_code(a[0]), m) < value(node_code(a[1]), m), used)


def check_restricted_schedule(kind, p, arcs, source, targets, used, ranks, s):
    found = pick(array(arcs), used)
    if found is None:
        return None
    l = found[0]
    return check_schedule(multicast(p, l, source, targets), s) if allowed_ok(kind, source, l, ranks) else None


# The types of the arguments, and the constructors of these types.
ARGUMENTS = {
    'check_schedule': [('system',), ('periodic',)],
    'check_bound': [('problem',), ('bound',)],
    'system_of': [('problem',)],
    'check_run': [('problem',), ('positive',), ('run',), ('bound',)],
    'check_packet_run': [('ports',), ('list', ('prod', ('arc',), ('q',))), ('z',), ('list', ('z',)), ('list', ('q',)), ('run',), ('packet_bound',)],
    'check_restricted_schedule': [('restriction',), ('ports',), ('list', ('arc',)), ('z',), ('list', ('z',)), ('list', ('positive',)), ('list', ('prod', ('z',), ('z',))), ('periodic',)],
    'check_restricted_bound': [('restriction',), ('ports',), ('list', ('arc',)), ('z',), ('list', ('z',)), ('proof',)],
}
TYPES = {
    'arc': [('Arc', [('z',), ('z',), ('q',)])],
    'bound': [('ByCuts', [('cut_bound',)]), ('ByDistances', [('distance_bound',)]), ('ByPotentials', [('potential_bound',)])],
    'cut_bound': [('CutBound', [('price_list',), ('list', ('z',)), ('list', ('prod', ('prod', ('z',), ('z',)), ('z',)))])],
    'demand': [('Demand', [('z',), ('z',), ('q',)])],
    'distance_bound': [('DistanceBound', [('price_list',), ('positive',), ('list', ('prod', ('z',), ('list', ('prod', ('z',), ('z',)))))])],
    'item': [('Message', [('z',)]), ('Values', [('z',), ('z',)])],
    'packet_bound': [('PacketBound', [('cut_bound',), ('list', ('prod', ('prod', ('z',), ('z',)), ('z',))), ('positive',)])],
    'periodic': [('Periodic', [('q',), ('q',), ('list', ('prod', ('list', ('state',)), ('list', ('prod', ('z',), ('list', ('positive',)))))), ('list', ('prod', ('prod', ('positive',), ('z',)), ('z',)))])],
    'ports': [('OnePort', []), ('HalfDuplex', []), ('Links', [])],
    'potential_bound': [('PotentialBound', [('price_list',), ('list', ('prod', ('state',), ('list', ('z',))))])],
    'price_list': [('PriceList', [('list', ('prod', ('resource',), ('z',))), ('list', ('prod', ('list', ('resource',)), ('z',)))])],
    'problem': [('Multicast', [('ports',), ('list', ('arc',)), ('z',), ('list', ('z',))]), ('Alltoall', [('ports',), ('list', ('arc',)), ('list', ('demand',))]), ('Reduction', [('ports',), ('list', ('arc',)), ('q',), ('list', ('prod', ('prod', ('z',), ('z',)), ('q',))), ('list', ('step',)), ('list', ('z',)), ('list', ('prod', ('prod', ('z',), ('z',)), ('z',)))])],
    'proof': [('OfCuts', [('cut_bound',)]), ('SplitOnNode', [('z',), ('list', ('prod', ('list', ('positive',)), ('proof',)))]), ('SplitOnCycle', [('list', ('positive',)), ('list', ('prod', ('positive',), ('proof',)))])],
    'q': [('Qmake', [('z',), ('positive',)])],
    'resource': [('Sends', [('z',)]), ('Receives', [('z',)]), ('Port', [('z',)]), ('Link', [('z',), ('z',)]), ('Computes', [('z',)])],
    'restriction': [('OneTree', []), ('Acyclic', [])],
    'run': [('Run', [('q',), ('list', ('prod', ('prod', ('prod', ('positive',), ('positive',)), ('z',)), ('z',)))])],
    'state': [('At', [('item',), ('z',)])],
    'step': [('Step', [('z',), ('z',), ('z',), ('z',), ('q',)])],
    'system': [('System', [('list', ('task',)), ('list', ('state',)), ('list', ('state',))])],
    'task': [('Task', [('list', ('resource',)), ('q',), ('list', ('state',)), ('state',)])],
}
