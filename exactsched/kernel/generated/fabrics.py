"""Generated from proofs/rocq/allreduce by proofs/rocq/extraction: do not edit."""

# ruff: noqa
# mypy: ignore-errors
from exactsched.kernel.runtime import add, empty, find, gcd, quotient, repeated

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


find_ = find


put = add


none = empty


def or_zero(o):
    if o is None:
        return 0
    z0 = o[0]
    return z0


def value(p, m):
    return or_zero(find_(p, m))


def add_to(p, v, m):
    return put(p, value(p, m) + v, m)


def member(p, m):
    return find_(p, m) is not None


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
    found = find_(c, n[0])
    if found is not None:
        return n
    return (put(c, n[1], n[0]), n[1] + 1)


def number_(n, x):
    found = find_(state_code(x), n[0])
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
        found = find_(x, known)
        if found is None:
            return None
        d = found[0]
        h = max(h, d)
    return (h,)


def grow(jobs, l, known, top):
    while l:
        i, l = l
        found = find_(i, jobs)
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
        found = find_(i, jobs)
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
    found = find_(p, m)
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
    found = find_(node_code(a[1]), holding)
    if found is None:
        return 0
    l = found[0]
    found_1 = find_(node_code(a[0]), pos)
    if found_1 is not None:
        q0 = found_1[0]
        return sumZ(lambda c: 0 if holds(c, q0) else weight(c), l)
    return sumZ(weight, l)


def in_cut(pos, c, v):
    found = find_(node_code(v), pos)
    if found is None:
        return False
    q0 = found[0]
    return holds(c, q0)


def cut_ok(order, targets, pos, target_list, c):
    if not (0 <= weight(c) and 1 <= begins(c)):
        return False
    found = find_(max(1, begins(c)), order)
    if found is None:
        return False
    v = found[0]
    return member(node_code(v), targets) and in_cut(pos, c, v) or existsb(lambda a: in_cut(pos, c, a), target_list)


def node_map(l):
    return fold_left(lambda m, v: put(node_code(v), 0, m), l, none)


def row_map(l):
    return fold_left(lambda m, vx: put(node_code(fst(vx)), snd(vx), m), l, none)


def row_slot(x):
    p, b = x
    p0, a = p
    i = p0[0]
    return ((i, a), b)


def find2(o, x, m):
    found = find_(o, m)
    if found is None:
        return None
    l = found[0]
    return find_(x, l)


def put2(o, x, v, m):
    found = find_(o, m)
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
        found = find_(i, jobs)
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
    found = check_rows(s, lambda i, x: find_(i, lengths), m, r)
    if found is None:
        return None
    k = found[0]
    return (qmult(inject_Z(k), r[0]),)


def least_time(m, u):
    return qdiv(inject_Z(m), u)


def lowest(q0):
    g = gcd(q0[0], q0[1])
    return (quotient(q0[0], g), max(1, quotient(q0[1], g)))


def arrival(i, v):
    return (('Message', i), v)


def whole(b, v):
    return (('Values', b, b), v)


def desk_of(m, v):
    found = find_(node_code(v), m)
    if found is None:
        return ('Waits', ())
    d = found[0]
    return d


def gone(m, v):
    found = desk_of(m, v)
    if found[0] == 'Gone':
        return True
    return False


def new_entry(p, d, b, a, l, x):
    return ((b, a), (arc_uses(p, a), qmult(d, a[2]), l, x))


def gather_entries(p, d, b, i, l, m):
    waiting = []
    while l:
        a, l_1 = l
        found = desk_of(m, a[0])
        if found[0] == 'Gone':
            result = None
            break
        l0 = found[1]
        found_1 = desk_of(m, a[1])
        if found_1[0] == 'Gone':
            result = None
            break
        l_0 = found_1[1]
        m_1 = put(node_code(a[0]), ('Gone',), m)
        if not l_1:
            result = ((((new_entry(p, d, b, a, app(l0, l_0), whole(b, a[1])), ()), m_1), a[1]),)
            break
        m_2 = put(node_code(a[1]), ('Waits', (arrival(i, a[1]), l_0)), m_1)
        waiting.append((a, l0, i))
        i, l, m = i + 1, l_1, m_2
    else:
        result = None
    for a, l0, i in reversed(waiting):
        if result is not None:
            p0 = result[0]
            p1, root = p0
            r, last = p1
            result = ((((new_entry(p, d, b, a, l0, arrival(i, a[1])), r), last), root),)
        else:
            result = None
    return result


def spread_entry(p, d, b, a):
    return new_entry(p, d, b, a, (whole(b, a[0]), ()), whole(b, a[1]))


def look(arcs, l):
    waiting = []
    while l:
        i, l = l
        found = find_(i, arcs)
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


def all_gone(nodes, u, m, root):
    return forallb(lambda v: gone(m, v) or v == root, nodes) and forallb(lambda a: gone(m, a[1]) or a[1] == root, u)


def form_entries(p, nodes, blocks, arcs, i, f):
    found = find_(f[0], blocks)
    if found is None:
        return None
    b = found[0]
    found_1 = look(arcs, f[1])
    if found_1 is None:
        return None
    u = found_1[0]
    found_2 = look(arcs, f[2])
    if found_2 is None:
        return None
    d = found_2[0]
    found_3 = gather_entries(p, b[0], f[0], i, u, none)
    if found_3 is None:
        return None
    p0 = found_3[0]
    p1, root = p0
    r, m = p1
    if not all_gone(nodes, u, m, root):
        return None
    given = b[0]
    given_1 = f[0]
    part = lambda a: spread_entry(p, given, given_1, a)
    part_1 = map_(part, d)
    part_2 = app(r, part_1)
    return (part_2,)


def all_entries(p, nodes, blocks, arcs, i, forms):
    waiting = []
    while forms:
        f, forms = forms
        found = form_entries(p, nodes, blocks, arcs, i, f)
        if found is None:
            result = None
            break
        l = found[0]
        waiting.append(l)
        i = i + sumZ(lambda x: 1, l)
    else:
        result = ((),)
    for l in reversed(waiting):
        if result is not None:
            r = result[0]
            result = (app(l, r),)
        else:
            result = None
    return result


def wants_from(b, blocks):
    waiting = []
    while blocks:
        b0, blocks = blocks
        waiting.append((b, b0))
        b = b + 1
    else:
        result = ()
    for b, b0 in reversed(waiting):
        result = app(map_(lambda a, b=b: whole(b, a), b0[1]), result)
    return result


def scheme(p, nodes, arcs, blocks, forms):
    return all_entries(p, nodes, array(blocks), array(arcs), 0, forms)


def side_weight(s):
    return sumZ(weight, s[1])


def tolls(p, y, arcs):
    return map_(lambda a: (a, a[2][0] * rate(y, arc_uses(p, a))), arcs)


def back(a):
    return (a[1], a[0], a[2])


def arc_pays(holding, pos, turn, at):
    w = entered_weight(holding, pos, turn(fst(at)))
    return w == 0 or w * fst(at)[2][1] <= snd(at)


def side_ok(nodes, members, tolled, turn, r, s):
    pos = positions(1, s[0], none)
    holding = sweep(by_start(s[1]), 1, s[0], (), none)
    if not negb(member(node_code(r), pos)):
        chosen = False
    else:
        given = array(s[0])
        part = lambda a: cut_ok(given, members, pos, nodes, a)
        chosen = forallb(part, s[1])
    if not chosen:
        return False
    return forallb(lambda a_1: arc_pays(holding, pos, turn, a_1), tolled)


def root_ok(nodes, members, tolled, roots, w, r):
    found = find_(node_code(r), roots)
    if found is None:
        return False
    p = found[0]
    outs, ins = p
    return side_ok(nodes, members, tolled, back, r, outs) and side_ok(nodes, members, tolled, lambda a: a, r, ins) and w <= side_weight(outs) + side_weight(ins)


def root_map(roots):
    return fold_left(lambda m, rs: put(node_code(fst(rs)), snd(rs), m), roots, none)


def worth_of(e):
    if e[0] == 'Everywhere':
        w = e[1]
        return w
    s = e[2]
    return side_weight(s)


def evidence_ok(nodes, members, tolled, b, e):
    if e[0] == 'Everywhere':
        w = e[1]
        roots = e[2]
        wanted_at = node_map(b[1])
        m = root_map(roots)
        if not nodes:
            chosen_2 = True
        else:
            chosen_2 = False
        if not negb(chosen_2):
            chosen_1 = False
        else:
            chosen_1 = forallb(lambda v: member(node_code(v), wanted_at), nodes)
        if not chosen_1:
            chosen = False
        else:
            chosen = forallb(lambda at: member(node_code(fst(at)[0]), members) and member(node_code(fst(at)[1]), members), tolled)
        if not chosen:
            return False
        return forallb(lambda a: root_ok(nodes, members, tolled, m, w, a), nodes)
    r = e[1]
    s = e[2]
    return existsb(lambda v_1: v_1 == r, b[1]) and side_ok(nodes, members, tolled, back, r, s)


def total_worth(nodes, members, tolled, blocks, l, s):
    while blocks:
        b, blocks = blocks
        if not l:
            return None
        e = l[0]
        l0 = l[1]
        if not (0 < b[0][0] and evidence_ok(nodes, members, tolled, b, e)):
            return None
        l, s = l0, lowest(qplus(s, qmult(b[0], inject_Z(worth_of(e)))))
    if l:
        return None
    return (s,)


def check_worth(p, nodes, arcs, blocks, y, l):
    if not (prices_ok(y) and forallb(lambda a: 0 < a[2][0], arcs)):
        return None
    found = total_worth(nodes, node_map(nodes), tolls(p, maps_of(y), arcs), blocks, l, (0, 1))
    if found is None:
        return None
    w = found[0]
    return (qdiv(inject_Z(sum_of_prices(y)), w),) if 0 < w[0] else None


def along_forms(p, nodes, arcs, blocks, forms):
    found = scheme(p, nodes, arcs, blocks, forms)
    if found is None:
        return None
    entries = found[0]
    return ((map_(snd, entries), (), wants_from(1, blocks)),)


def check_schedule_of(p, nodes, arcs, blocks, forms, s):
    found = along_forms(p, nodes, arcs, blocks, forms)
    if found is None:
        return None
    sys = found[0]
    return check_schedule(sys, s)


def check_run_of(p, nodes, arcs, blocks, forms, m, r, y, l):
    found = along_forms(p, nodes, arcs, blocks, forms)
    if found is None:
        return None
    sys = found[0]
    found_1 = check_worth(p, nodes, arcs, blocks, y, l)
    if found_1 is None:
        return None
    u = found_1[0]
    found_2 = check_system_run(sys, m, r)
    if found_2 is None:
        return None
    k = found_2[0]
    return ((k, least_time(m, u)),) if 0 < u[0] and forallb(lambda k0: 0 < k0[1][0], sys[0]) else None


def owned(shards):
    def step(pat):
        v = pat[0]
        return (('Message', v), v)
    return map_(step, shards)


def wanted_by(members, shards):
    def step(pat):
        v = pat[0]
        return map_(lambda x: (('Message', v), x), members)
    return flat_map(step, shards)


def hops(p, v, q0, d, x, path):
    waiting = []
    while path:
        a, path0 = path
        if not path0:
            result = ((arc_uses(p, a), qmult(d, a[2]), (x, ()), (('Message', v), a[1])), ())
            break
        waiting.append((a, x))
        x, path = (('Values', v, q0), a[1]), path0
    else:
        result = ()
    for a, x in reversed(waiting):
        result = ((arc_uses(p, a), qmult(d, a[2]), (x, ()), (('Values', v, q0), a[1])), result)
    return result


def along(p, v, q0, d, path):
    if not path:
        return ()
    a = path[0]
    return hops(p, v, q0, d, (('Message', v), a[0]), path)


def forwarding(p, members, shards, paths):
    def step(pat):
        v, d = pat
        def step_1(pat0):
            q0, path = pat0
            return along(p, v, q0, d, path)
        return flat_map(step_1, numbered(paths(v)))
    part = flat_map(step, shards)
    return (part, owned(shards), wanted_by(members, shards))


def in_map(m, v):
    return member(node_code(v), m)


def sumQ(f, l):
    return fold_left(lambda s, x: lowest(qplus(s, f(x))), l, (0, 1))


def distinct(seen, l):
    while l:
        v, l = l
        if in_map(seen, v):
            return False
        seen = put(node_code(v), 0, seen)
    return True


def path_ok(members, seen, l):
    while l:
        a, l_1 = l
        if in_map(seen, a[1]):
            return False
        if not l_1:
            return in_map(members, a[1])
        b = l_1[0]
        if in_map(members, a[1]):
            return False
        if not a[1] == b[0]:
            return False
        seen, l = put(node_code(a[1]), 0, seen), l_1
    return False


def route_ok(members, l):
    if not l:
        return False
    a = l[0]
    return in_map(members, a[0]) and path_ok(members, none, l)


def routes(arcs, l):
    waiting = []
    while l:
        r, l = l
        found = look(arcs, r)
        if found is None:
            result = None
            break
        path = found[0]
        waiting.append(path)
    else:
        result = ((),)
    for path in reversed(waiting):
        if result is not None:
            paths = result[0]
            result = ((path, paths),)
        else:
            result = None
    return result


def all_routes(arcs, members, l, m):
    while l:
        p, l = l
        v, rs = p
        found = routes(arcs, rs)
        if found is None:
            return None
        paths = found[0]
        if not forallb(lambda a: route_ok(members, a), paths):
            return None
        m = put(node_code(v), paths, m)
    return (m,)


def paths_in(m, v):
    found = find_(node_code(v), m)
    if found is None:
        return ()
    l = found[0]
    return l


def potential_map(l):
    return fold_left(lambda m, vq: put(node_code(fst(vq)), snd(vq), m), l, none)


def set_maps(l):
    return map_(lambda xw: (node_map(fst(xw)), snd(xw)), l)


def weight_entered(l, a):
    return sumZ(lambda mw: snd(mw) if negb(in_map(fst(mw), a[0])) and in_map(fst(mw), a[1]) else 0, l)


def arc_fits(p, y, l, q0, a):
    fall = value(node_code(a[0]), q0) - value(node_code(a[1]), q0)
    return (weight_entered(l, a) - fall) * a[2][1] <= a[2][0] * rate(y, arc_uses(p, a))


def sets_value(shards, l):
    def outside(m):
        return sumQ(snd, filter_(lambda vd: negb(in_map(m, fst(vd))), shards))
    return sumQ(lambda mw: qmult(inject_Z(snd(mw)), outside(fst(mw))), l)


def sets_rate(p, arcs, members, shards, b):
    l = set_maps(b[1])
    q0 = potential_map(b[2])
    ms = node_map(members)
    w = sets_value(shards, l)
    if not prices_ok(b[0]):
        chosen_3 = False
    else:
        def step(mw):
            if not 0 <= snd(mw):
                return False
            given = fst(mw)
            part = lambda a: in_map(given, a)
            return existsb(part, members)
        chosen_3 = forallb(step, l)
    if not chosen_3:
        chosen_2 = False
    else:
        chosen_2 = forallb(lambda vq: 0 <= snd(vq) and negb(in_map(ms, fst(vq))), b[2])
    if not chosen_2:
        chosen_1 = False
    else:
        given_1 = maps_of(b[0])
        part_1 = lambda a_1: arc_fits(p, given_1, l, q0, a_1)
        chosen_1 = forallb(part_1, arcs)
    if not chosen_1:
        chosen = False
    else:
        chosen = 0 < w[0]
    if not chosen:
        return None
    return (qdiv(inject_Z(sum_of_prices(b[0])), w),)


def shards_worth(members, marked, tolled, shards, l, s):
    while shards:
        p, shards = shards
        v, d = p
        if not l:
            return None
        e = l[0]
        l0 = l[1]
        if not (0 < d[0] and side_ok(members, marked, tolled, lambda a: a, v, e)):
            return None
        l, s = l0, lowest(qplus(s, qmult(d, inject_Z(side_weight(e)))))
    if l:
        return None
    return (s,)


def check_shards_bound(p, arcs, members, shards, y, l):
    if not (prices_ok(y) and forallb(lambda a: 0 < a[2][0], arcs) and distinct(none, map_(fst, shards))):
        return None
    found = shards_worth(members, node_map(members), tolls(p, maps_of(y), arcs), shards, l, (0, 1))
    if found is None:
        return None
    w = found[0]
    return (qdiv(inject_Z(sum_of_prices(y)), w),) if 0 < w[0] else None


def check_forwarding_bound(p, arcs, members, shards, b):
    return sets_rate(p, arcs, members, shards, b) if forallb(lambda a: 0 < a[2][0], arcs) and forallb(lambda vd: 0 < snd(vd)[0], shards) and distinct(none, map_(fst, shards)) else None


def along_paths(p, arcs, members, shards, paths):
    found = all_routes(array(arcs), node_map(members), paths, none)
    if found is None:
        return None
    m = found[0]
    return (forwarding(p, members, shards, lambda a: paths_in(m, a)),)


def check_shards_schedule(p, arcs, members, shards, paths, s):
    found = along_paths(p, arcs, members, shards, paths)
    if found is None:
        return None
    sys = found[0]
    return check_schedule(sys, s)


def run_along(p, arcs, members, shards, paths, m, r, bound):
    found = along_paths(p, arcs, members, shards, paths)
    if found is None:
        return None
    sys = found[0]
    if bound is None:
        return None
    u = bound[0]
    found_1 = check_system_run(sys, m, r)
    if found_1 is None:
        return None
    k = found_1[0]
    return ((k, least_time(m, u)),) if 0 < u[0] else None


def check_shards_run(p, arcs, members, shards, paths, m, r, y, l):
    return run_along(p, arcs, members, shards, paths, m, r, check_shards_bound(p, arcs, members, shards, y, l))


def check_forwarding_run(p, arcs, members, shards, paths, m, r, b):
    return run_along(p, arcs, members, shards, paths, m, r, check_forwarding_bound(p, arcs, members, shards, b))


def start_of(l):
    if not l:
        return 0
    a = l[0]
    return a[0]


def end_of(l):
    while l:
        a, l0 = l
        if not l0:
            return a[1]
        l = l0
    return 0


def halt(c, h, v):
    return (('Values', c, -h), v)


def arc_near(unit, members, u, row0, tolled):
    a, z0 = tolled
    def grows(x):
        return (value(node_code(a[1]), row0) - x) * a[2][1] <= unit * z0
    return grows(0) if a[0] == u else in_map(members, a[0]) or grows(value(node_code(a[0]), row0))


def links_of(unit, members, marked, tolled, starts, rows):
    waiting = []
    while starts:
        u, starts = starts
        if not rows:
            result = None
            break
        r = rows[0]
        rows0 = rows[1]
        row0 = row_map(r)
        if not (forallb(lambda v, row0=row0: 0 <= value(node_code(v), row0), members) and forallb(lambda a, u=u, row0=row0: arc_near(unit, marked, u, row0, a), tolled)):
            result = None
            break
        waiting.append((u, row0))
        rows = rows0
    else:
        if not rows:
            result = ((),)
        else:
            result = None
    for u, row0 in reversed(waiting):
        if result is not None:
            l = result[0]
            result = (app(map_(lambda v_1, u=u, row0=row0: ((u, v_1, (1, unit)), value(node_code(v_1), row0)), members), l),)
        else:
            result = None
    return result


def check_carried_worth(p, members, arcs, blocks, y, unit, rows, l):
    marked = node_map(members)
    if not (prices_ok(y) and forallb(lambda a: 0 < a[2][0], arcs)):
        return None
    found = links_of(unit, members, marked, tolls(p, maps_of(y), arcs), members, rows)
    if found is None:
        return None
    links = found[0]
    found_1 = total_worth(members, marked, links, blocks, l, (0, 1))
    if found_1 is None:
        return None
    w = found_1[0]
    return (qdiv(inject_Z(sum_of_prices(y)), w),) if 0 < w[0] else None


def tour(p, d, c, h, first, last, x, l):
    waiting = []
    while l:
        a, l_1 = l
        waiting.append((a, h, l_1))
        h, l = h + 1, l_1
    else:
        result = ()
    for a, h, l_1 in reversed(waiting):
        if h == 0:
            chosen = first
        else:
            chosen = (halt(c, h, a[0]), ())
        if not l_1:
            chosen_1 = last
        else:
            chosen_1 = ()
        part = app(chosen, chosen_1)
        if not l_1:
            chosen_2 = x
        else:
            chosen_2 = halt(c, h + 1, a[1])
        part_1 = (arc_uses(p, a), qmult(d, a[2]), part, chosen_2)
        result = (part_1, result)
    return result


def needed_at(v, k):
    return filter_(lambda x: x[1] == v, k[2])


def tour_of(p, c, e):
    e0, l = e
    k = e0[1]
    return tour(p, k[1], c, 0, needed_at(start_of(l), k), needed_at(end_of(l), k), k[3], l)


def tours(p, c, l):
    waiting = []
    while l:
        e, l = l
        waiting.append((c, e))
        c = c + 1
    else:
        result = ()
    for c, e in reversed(waiting):
        result = app(tour_of(p, c, e), result)
    return result


def link_of(l):
    return (start_of(l), end_of(l), (1, 1))


def with_ways(entries, ways):
    waiting = []
    while entries:
        e, entries = entries
        p, k = e
        b, a = p
        if not ways:
            result = None
            break
        l = ways[0]
        ways0 = ways[1]
        if not (a[0] == start_of(l) and a[1] == end_of(l) and qeq_bool(a[2], (1, 1))):
            result = None
            break
        waiting.append((b, a, k, l))
        ways = ways0
    else:
        if not ways:
            result = ((),)
        else:
            result = None
    for b, a, k, l in reversed(waiting):
        if result is not None:
            r = result[0]
            result = (((((b, a), k), l), r),)
        else:
            result = None
    return result


def pick_ways(table, l):
    waiting = []
    while l:
        i, l = l
        found = find_(i, table)
        if found is None:
            result = None
            break
        w = found[0]
        waiting.append(w)
    else:
        result = ((),)
    for w in reversed(waiting):
        if result is not None:
            r = result[0]
            result = ((w, r),)
        else:
            result = None
    return result


def along_ways(p, members, arcs, blocks, paths, forms):
    found = routes(array(arcs), paths)
    if found is None:
        return None
    table = found[0]
    given = node_map(members)
    part = lambda a: route_ok(given, a)
    if not forallb(part, table):
        return None
    found_1 = scheme(p, members, map_(link_of, table), blocks, forms)
    if found_1 is None:
        return None
    entries = found_1[0]
    found_2 = pick_ways(array(table), flat_map(lambda f: app(f[1], f[2]), forms))
    if found_2 is None:
        return None
    ways = found_2[0]
    found_3 = with_ways(entries, ways)
    if found_3 is None:
        return None
    l = found_3[0]
    return ((tours(p, 0, l), (), wants_from(1, blocks)),)


def check_carried_schedule(p, members, arcs, blocks, paths, forms, s):
    found = along_ways(p, members, arcs, blocks, paths, forms)
    if found is None:
        return None
    sys = found[0]
    return check_schedule(sys, s)


def check_carried_run(p, members, arcs, blocks, paths, forms, m, r, y, unit, rows, l):
    found = along_ways(p, members, arcs, blocks, paths, forms)
    if found is None:
        return None
    sys = found[0]
    found_1 = check_carried_worth(p, members, arcs, blocks, y, unit, rows, l)
    if found_1 is None:
        return None
    u = found_1[0]
    found_2 = check_system_run(sys, m, r)
    if found_2 is None:
        return None
    k = found_2[0]
    return ((k, least_time(m, u)),) if 0 < u[0] and forallb(lambda k0: 0 < k0[1][0], sys[0]) else None


# The types of the arguments, and the constructors of these types.
ARGUMENTS = {
    'check_shards_bound': [('ports',), ('list', ('arc',)), ('list', ('z',)), ('list', ('prod', ('z',), ('q',))), ('price_list',), ('list', ('side',))],
    'check_shards_schedule': [('ports',), ('list', ('arc',)), ('list', ('z',)), ('list', ('prod', ('z',), ('q',))), ('list', ('prod', ('z',), ('list', ('list', ('positive',))))), ('periodic',)],
    'check_shards_run': [('ports',), ('list', ('arc',)), ('list', ('z',)), ('list', ('prod', ('z',), ('q',))), ('list', ('prod', ('z',), ('list', ('list', ('positive',))))), ('positive',), ('run',), ('price_list',), ('list', ('side',))],
    'check_worth': [('ports',), ('list', ('z',)), ('list', ('arc',)), ('list', ('block',)), ('price_list',), ('list', ('evidence',))],
    'check_schedule_of': [('ports',), ('list', ('z',)), ('list', ('arc',)), ('list', ('block',)), ('list', ('form',)), ('periodic',)],
    'check_run_of': [('ports',), ('list', ('z',)), ('list', ('arc',)), ('list', ('block',)), ('list', ('form',)), ('positive',), ('run',), ('price_list',), ('list', ('evidence',))],
    'check_forwarding_bound': [('ports',), ('list', ('arc',)), ('list', ('z',)), ('list', ('prod', ('z',), ('q',))), ('set_bound',)],
    'check_forwarding_run': [('ports',), ('list', ('arc',)), ('list', ('z',)), ('list', ('prod', ('z',), ('q',))), ('list', ('prod', ('z',), ('list', ('list', ('positive',))))), ('positive',), ('run',), ('set_bound',)],
    'check_carried_worth': [('ports',), ('list', ('z',)), ('list', ('arc',)), ('list', ('block',)), ('price_list',), ('positive',), ('list', ('list', ('prod', ('z',), ('z',)))), ('list', ('evidence',))],
    'check_carried_schedule': [('ports',), ('list', ('z',)), ('list', ('arc',)), ('list', ('block',)), ('list', ('list', ('positive',))), ('list', ('form',)), ('periodic',)],
    'check_carried_run': [('ports',), ('list', ('z',)), ('list', ('arc',)), ('list', ('block',)), ('list', ('list', ('positive',))), ('list', ('form',)), ('positive',), ('run',), ('price_list',), ('positive',), ('list', ('list', ('prod', ('z',), ('z',)))), ('list', ('evidence',))],
}
TYPES = {
    'arc': [('Arc', [('z',), ('z',), ('q',)])],
    'block': [('Block', [('q',), ('list', ('z',))])],
    'evidence': [('Everywhere', [('z',), ('list', ('prod', ('z',), ('prod', ('side',), ('side',))))]), ('AtRoot', [('z',), ('side',)])],
    'form': [('Form', [('positive',), ('list', ('positive',)), ('list', ('positive',))])],
    'item': [('Message', [('z',)]), ('Values', [('z',), ('z',)])],
    'periodic': [('Periodic', [('q',), ('q',), ('list', ('prod', ('list', ('state',)), ('list', ('prod', ('z',), ('list', ('positive',)))))), ('list', ('prod', ('prod', ('positive',), ('z',)), ('z',)))])],
    'ports': [('OnePort', []), ('HalfDuplex', []), ('Links', [])],
    'price_list': [('PriceList', [('list', ('prod', ('resource',), ('z',))), ('list', ('prod', ('list', ('resource',)), ('z',)))])],
    'q': [('Qmake', [('z',), ('positive',)])],
    'resource': [('Sends', [('z',)]), ('Receives', [('z',)]), ('Port', [('z',)]), ('Link', [('z',), ('z',)]), ('Computes', [('z',)])],
    'run': [('Run', [('q',), ('list', ('prod', ('prod', ('prod', ('positive',), ('positive',)), ('z',)), ('z',)))])],
    'set_bound': [('SetBound', [('price_list',), ('list', ('prod', ('list', ('z',)), ('z',))), ('list', ('prod', ('z',), ('z',)))])],
    'side': [('Side', [('list', ('z',)), ('list', ('prod', ('prod', ('z',), ('z',)), ('z',)))])],
    'state': [('At', [('item',), ('z',)])],
}
