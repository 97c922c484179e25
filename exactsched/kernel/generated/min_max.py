"""Generated from proofs/rocq/minmax by proofs/rocq/extraction: do not edit."""

# ruff: noqa
# mypy: ignore-errors
from exactsched.kernel.runtime import add, empty, find, gcd, iterate, mem, quotient

def negb(b):
    return not b


def fst(p):
    return p[0]


def snd(p):
    return p[1]


def fold_left(f, l, a0):
    while l:
        b, l = l
        a0 = f(a0, b)
    return a0


def inject_Z(x):
    return (x, 1)


def qeq_bool(x, y):
    return x[0] * y[1] == y[0] * x[1]


def qle_bool(x, y):
    return x[0] * y[1] <= y[0] * x[1]


def qmult(x, y):
    return (x[0] * y[0], x[1] * y[1])


def qopp(x):
    return (-x[0], x[1])


def capacity(a):
    return a[2]


def cost(a):
    return a[2]


def enters(s, a):
    return s(a[1]) and negb(s(a[0]))


def leaves(s, a):
    return s(a[0]) and negb(s(a[1]))


def same(x, y):
    if x[0] == 'Left0':
        u = x[1]
        if y[0] == 'Left0':
            v = y[1]
            return u == v
        return False
    if x[0] == 'Right0':
        u_1 = x[1]
        if y[0] == 'Right0':
            v_1 = y[1]
            return u_1 == v_1
        return False
    u_2 = x[1]
    if y[0] == 'Vertex':
        v_2 = y[1]
        return u_2 == v_2
    return False


def covers(e, x):
    return same(e[0], x) or same(e[1], x)


def all_(f, l):
    return fold_left(lambda b, x: b and f(x), l, True)


def any_(f, l):
    return fold_left(lambda b, x: b or f(x), l, False)


def all_numbered(f, l):
    return snd(fold_left(lambda p, x: (fst(p) + 1, snd(p) and f(fst(p), x)), l, (0, True)))


def rev_map(f, l):
    return fold_left(lambda done, x: (f(x), done), l, ())


def rev_map_numbered(f, l):
    def step(pat, x):
        i, done = pat
        return (i + 1, (f(i, x), done))
    part = fold_left(step, l, (0, ()))
    return snd(part)


def number_(l):
    return fold_left(lambda n, x: n + 1, l, 0)


def key0(i):
    if i == 0:
        return 1
    if i > 0:
        p = i
        return 2 * p
    p_1 = -i
    return 2 * p_1 + 1


def index(l):
    def step(pat, x):
        i, t5 = pat
        return (i + 1, add(key0(i), x, t5))
    part = fold_left(step, l, (0, empty))
    return snd(part)


def find_(i, t5):
    return find(key0(i), t5)


mem_ = mem


def set_of(f, l):
    return fold_left(lambda t5, x: add(f(x), (), t5), l, empty)


def distinct(f, l):
    def step(o, x):
        if o is None:
            return None
        t5 = o[0]
        return None if mem(f(x), t5) else (add(f(x), (), t5),)
    return fold_left(step, l, (empty,))


def has(t5, i):
    return mem_(key0(i), t5)


def before(p):
    return (fst(p) - 1, (fst(p) - 1, snd(p)))


def below(n):
    return snd(iterate(n, before, (n, ())))


def common(u, q0):
    return u * quotient(q0[1], gcd(u, q0[1]))


def scaled(u, q0):
    return q0[0] * quotient(u, q0[1])


def amount(k, t5):
    found = find(k, t5)
    if found is None:
        return 0
    z0 = found[0]
    return z0


def post(key1, u, t5, r):
    z0 = scaled(u, fst(r))
    return fold_left(lambda t6, x: add(key1(x), amount(key1(x), t6) + z0, t6), snd(r), t5)


def posted(key1, rows):
    u_1 = fold_left(lambda u, r: common(u, fst(r)), rows, 1)
    return (max(1, u_1), fold_left(lambda a, b: post(key1, u_1, a, b), rows, empty))


def balance(l, k):
    return (amount(k, l[1]), l[0])


def added(f, l):
    u_1 = fold_left(lambda u, x: common(u, f(x)), l, 1)
    return (fold_left(lambda z0, x_1: z0 + scaled(u_1, f(x_1)), l, 0), max(1, u_1))


def less(x, y):
    return negb(qle_bool(y, x))


def is_node(n, v):
    return 0 <= v and v < n[0]


def check_network(n):
    return 0 < n[0] and all_(lambda a: is_node(n, a[0]) and is_node(n, a[1]) and qle_bool((0, 1), a[2]), n[1])


def entering_capacity(n, s):
    return added(lambda a: capacity(a) if enters(s, a) else (0, 1), n[1])


def amounts_fit(arc_of, f):
    found = distinct(lambda p: key0(fst(p)), f)
    if found is None:
        return False
    def step(p_1):
        found_1 = find_(fst(p_1), arc_of)
        if found_1 is None:
            return False
        a = found_1[0]
        return qle_bool((0, 1), snd(p_1)) and qle_bool(snd(p_1), capacity(a))
    return all_(step, f)


def transfers(arc_of, f):
    def step(rows, p):
        found = find_(fst(p), arc_of)
        if found is not None:
            a = found[0]
            return ((snd(p), (a[1], ())), ((qopp(snd(p)), (a[0], ())), rows))
        return rows
    return fold_left(step, f, ())


def check_maximum_flow(n, source, sink, flow, cut, value):
    given = set_of(key0, cut)
    def s(a_1):
        return has(given, a_1)
    f = rev_map_numbered(lambda i, x: (i, x), flow)
    arc_of = index(n[1])
    if not (check_network(n) and is_node(n, source) and is_node(n, sink) and s(source) and negb(s(sink)) and qeq_bool(added(lambda a: capacity(a) if leaves(s, a) else (0, 1), n[1]), value) and amounts_fit(arc_of, f)):
        return False
    gains = posted(key0, transfers(arc_of, f))
    return all_(lambda v: v == source or v == sink or qeq_bool(balance(gains, key0(v)), (0, 1)), below(n[0])) and qeq_bool(balance(gains, key0(sink)), value)


def check_root_cut(n, root, cut, value):
    given = set_of(key0, cut)
    def s(a):
        return has(given, a)
    if not negb(s(root)):
        chosen = False
    else:
        if not cut:
            chosen = False
        else:
            v = cut[0]
            chosen = is_node(n, v)
    if not chosen:
        return False
    return qeq_bool(entering_capacity(n, s), value)


def check_inflow(x, arc_of, value, finished, v, f):
    if not amounts_fit(arc_of, f):
        return False
    rows = transfers(arc_of, f)
    gains = posted(key0, rows)
    if not qle_bool(value, balance(gains, key0(v))):
        return False
    def step(r):
        found = snd(r)
        if not found:
            return True
        w = found[0]
        return w == v or has(finished, w) or qeq_bool(balance(gains, key0(w)), (0, 1))
    return all_(step, rows)


def check_inflows(n, root, flows, value):
    arc_of = index(n[1])
    good, finished = fold_left(lambda s, r: (fst(s) and is_node(n, fst(r)) and check_inflow(n, arc_of, value, snd(s), fst(r), snd(r)), add(key0(fst(r)), (), snd(s))), flows, (True, set_of(key0, (root, ()))))
    return good and all_(lambda a: has(finished, a), below(n[0]))


def check_minimum_root_cut(n, root, cut, flows, value):
    return check_network(n) and is_node(n, root) and check_root_cut(n, root, cut, value) and check_inflows(n, root, flows, value)


def children(c, v):
    found = find_(v, c)
    if found is None:
        return ()
    l = found[0]
    return l


def hang(arc_of, o, i):
    if o is None:
        return None
    p = o[0]
    heads, c = p
    found = find_(i, arc_of)
    if found is None:
        return None
    a = found[0]
    return None if has(heads, a[1]) else ((add(key0(a[1]), (), heads), add(key0(a[0]), (a[1], children(c, a[0])), c)),)


def search(c, s, x):
    found = fst(s)
    if not found:
        return s
    v = found[0]
    rest = found[1]
    return (fold_left(lambda stack, w: (w, stack), children(c, v), rest), add(key0(v), (), snd(s)))


def check_branching(arc_of, nodes, roots, t5):
    found = fold_left(lambda a, b: hang(arc_of, a, b), t5, ((set_of(key0, roots), empty),))
    if found is None:
        return False
    p = found[0]
    c = p[1]
    s = fold_left(lambda a_1, b_1: search(c, a_1, b_1), t5, fold_left(lambda a_2, b_2: search(c, a_2, b_2), roots, (roots, empty)))
    given = snd(s)
    part = lambda a_3: has(given, a_3)
    return all_(part, nodes)


def check_within_capacities(n, p):
    used = posted(key0, p)
    return all_numbered(lambda i, a: qle_bool(balance(used, key0(i)), capacity(a)), n[1])


def check_root_sets(n, roots):
    def step(rd):
        found = fst(rd)
        if not found:
            return False
        return all_(lambda a: is_node(n, a), fst(rd)) and qle_bool((0, 1), snd(rd))
    return all_(step, roots)


def check_meets(n, roots, factor, b):
    arc_of = index(n[1])
    root_set_of = index(roots)
    nodes = below(n[0])
    def step(b0):
        if not less((0, 1), fst(snd(b0))):
            return False
        found = find_(fst(b0), root_set_of)
        if found is None:
            return False
        p = found[0]
        r = p[0]
        return check_branching(arc_of, nodes, r, snd(snd(b0)))
    if not all_(step, b):
        chosen = False
    else:
        chosen = check_within_capacities(n, rev_map(snd, b))
    if not chosen:
        return False
    met = posted(key0, rev_map(lambda b0_1: (fst(snd(b0_1)), (fst(b0_1), ())), b))
    return all_numbered(lambda k, rd: qeq_bool(balance(met, key0(k)), qmult(factor, snd(rd))), roots)


def demand(roots, s):
    return added(lambda rd: (0, 1) if any_(s, fst(rd)) else snd(rd), roots)


def some_node(n, nodes):
    if not nodes:
        return False
    v = nodes[0]
    return is_node(n, v)


def check_branching_packing(n, roots, b):
    return check_network(n) and check_root_sets(n, roots) and check_meets(n, roots, (1, 1), b)


def check_unmet_demand(n, roots, nodes, entered0, needed):
    given = set_of(key0, nodes)
    def s(a):
        return has(given, a)
    return check_network(n) and check_root_sets(n, roots) and some_node(n, nodes) and qeq_bool(entering_capacity(n, s), entered0) and qeq_bool(demand(roots, s), needed) and less(entered0, needed)


def check_concurrent_branching_packing(n, roots, b, nodes, value):
    given = set_of(key0, nodes)
    def s(a):
        return has(given, a)
    if not (check_network(n) and check_root_sets(n, roots) and some_node(n, nodes) and check_meets(n, roots, value, b)):
        return False
    needed = demand(roots, s)
    return less((0, 1), needed) and qeq_bool(entering_capacity(n, s), qmult(value, needed))


def check_arborescence_decomposition(n, root, trees, cut, value):
    arc_of = index(n[1])
    nodes = below(n[0])
    return check_network(n) and is_node(n, root) and all_(lambda p: less((0, 1), fst(p)) and check_branching(arc_of, nodes, (root, ()), snd(p)), trees) and check_within_capacities(n, trees) and qeq_bool(added(fst, trees), value) and check_root_cut(n, root, cut, value)


def start(c):
    return fst(fst(c))


def stop(c):
    return snd(fst(c))


def in_interval(c, p):
    if p is None:
        return False
    p0 = p[0]
    return start(c) <= p0 and p0 < stop(c)


def total_of(t5):
    if t5[0] == 'Empty':
        return 0
    w = t5[1]
    return w


def low(t5):
    if t5[0] == 'Empty':
        return ('Empty',)
    l = t5[2]
    return l


def high(t5):
    if t5[0] == 'Empty':
        return ('Empty',)
    h = t5[3]
    return h


def fits(ws, k):
    while ws:
        h, ws = ws
        if k < h:
            continue
        k = k - h
    return k == 0


def put(ws, k, w, t5):
    waiting = []
    while ws:
        h, ws = ws
        if k < h:
            waiting.append((0, t5))
            t5 = low(t5)
            continue
        waiting.append((1, t5))
        k, t5 = k - h, high(t5)
    else:
        result = ('Fork', total_of(t5) + w, ('Empty',), ('Empty',))
    for number, *kept in reversed(waiting):
        if number == 0:
            t5, = kept
            result = ('Fork', total_of(t5) + w, result, high(t5))
        elif number == 1:
            t5, = kept
            result = ('Fork', total_of(t5) + w, low(t5), result)
    return result


def above(ws, x, t5):
    waiting = []
    while ws:
        h, ws = ws
        if x < h:
            waiting.append(t5)
            t5 = low(t5)
            continue
        x, t5 = x - h, high(t5)
    else:
        result = total_of(t5) if x < 0 else 0
    for t5 in reversed(waiting):
        result = result + total_of(high(t5))
    return result


def widths(n, w, done):
    while True:
        if n > 1 and n % 2 == 1:
            n0 = n // 2
            n, w, done = n0, 2 * w, (w, done)
            continue
        if n % 2 == 0:
            n0_1 = n // 2
            n, w, done = n0_1, 2 * w, (w, done)
            continue
        return (w, done)


def bucket(b, s):
    found = find_(s, b)
    if found is None:
        return ()
    l = found[0]
    return l


def buckets(u, cuts):
    return fold_left(lambda b, c: add(key0(start(c)), ((stop(c), scaled(u, snd(c))), bucket(b, start(c))), b), cuts, empty)


def advance(ws, b, s, x):
    t5_1 = fold_left(lambda t5, e: put(ws, fst(e), snd(e), t5), bucket(b, s[0]), s[1])
    return (s[0] + 1, t5_1, add(key0(s[0]), t5_1, s[2]))


def swept(order, cuts):
    u_1 = fold_left(lambda u, c: common(u, snd(c)), cuts, 1)
    ws = widths(max(1, fold_left(lambda n, x: n + 1, order, 1)), 1, ())
    given = buckets(u_1, cuts)
    part = lambda a, b: advance(ws, given, a, b)
    part_1 = fold_left(part, order, (0, ('Empty',), empty))[2]
    return (u_1, ws, part_1)


def starts_before(s, p, x):
    found = find_(p, s[2])
    if found is None:
        return None
    t5 = found[0]
    return (above(s[1], x, t5),)


def entered(s, t5, h):
    if h is None:
        return ((0, 1),)
    p = h[0]
    found = starts_before(s, p, p)
    if found is None:
        return None
    all_1 = found[0]
    if t5 is not None:
        q0 = t5[0]
        found_1 = starts_before(s, min(p, q0), max(p, q0))
        if found_1 is None:
            return None
        both = found_1[0]
        return ((all_1 - both, max(1, s[0])),)
    return ((all_1, max(1, s[0])),)


def check_intervals(s, cuts):
    return all_(lambda c: 0 <= start(c) and fits(s[1], stop(c)), cuts)


def places(order):
    return snd(fold_left(lambda s, v: (fst(s) + 1, add(key0(v), fst(s), snd(s))), order, (0, empty)))


def set_of_cut(place, c, v):
    return in_interval(c, find_(v, place))


def check_price(n, t5):
    chosen = set_of(key0, t5)
    return added(lambda q0: q0, rev_map_numbered(lambda i, a: cost(a) if has(chosen, i) else (0, 1), n[1]))


def check_cuts(n, root, order, cuts):
    place = places(order)
    node_of = index(order)
    s = swept(order, cuts)
    found = find_(root, place)
    if found is not None:
        chosen_1 = False
    else:
        def step(c):
            if not less((0, 1), snd(c)):
                return False
            found_1 = find_(start(c), node_of)
            if found_1 is None:
                return False
            v = found_1[0]
            return is_node(n, v) and set_of_cut(place, c, v)
        chosen_1 = all_(step, cuts)
    if not chosen_1:
        chosen = False
    else:
        chosen = check_intervals(s, cuts)
    if not chosen:
        return False
    def step_1(a):
        found_2 = entered(s, find_(a[0], place), find_(a[1], place))
        if found_2 is None:
            return False
        w = found_2[0]
        return qle_bool(w, cost(a))
    return all_(step_1, n[1])


def check_minimum_cost_arborescence(n, root, t5, order, cuts, value):
    return check_network(n) and is_node(n, root) and check_branching(index(n[1]), below(n[0]), (root, ()), t5) and qeq_bool(check_price(n, t5), value) and check_cuts(n, root, order, cuts) and qeq_bool(added(snd, cuts), value)


def vertex_key(x):
    if x[0] == 'Left0':
        u = x[1]
        return 2 * (2 * key0(u))
    if x[0] == 'Right0':
        v = x[1]
        return 2 * (2 * key0(v) + 1)
    v_1 = x[1]
    return 2 * key0(v_1) + 1


def check_graph(e):
    return all_(lambda e0: negb(same(e0[0], e0[1])) and less((0, 1), e0[2]), e)


def check_bipartite(e):
    def step(e0):
        found = e0[0]
        if found[0] == 'Left0':
            found_1 = e0[1]
            if found_1[0] == 'Right0':
                return True
            return False
        return False
    return all_(step, e)


def ends_of(edge_of, m):
    def step(o, i):
        if o is None:
            return None
        l = o[0]
        found = find_(i, edge_of)
        if found is None:
            return None
        e = found[0]
        return ((e[0], (e[1], l)),)
    return fold_left(step, m, ((),))


def check_matching(edge_of, m):
    found = ends_of(edge_of, m)
    if found is None:
        return False
    l = found[0]
    return distinct(vertex_key, l) is not None


def check_decomposition(e, d, value):
    edge_of = index(e)
    if not all_(lambda p: less((0, 1), fst(p)) and check_matching(edge_of, snd(p)), d):
        chosen = False
    else:
        served = posted(key0, d)
        chosen = all_numbered(lambda i, e0: qeq_bool(balance(served, key0(i)), e0[2]), e)
    if not chosen:
        return False
    return qeq_bool(added(fst, d), value)


def check_load(e, value):
    loads = posted(vertex_key, rev_map(lambda e0: (e0[2], (e0[0], (e0[1], ()))), e))
    if not e:
        return qeq_bool((0, 1), value)
    return any_(lambda e0_1: qeq_bool(balance(loads, vertex_key(e0_1[0])), value) or qeq_bool(balance(loads, vertex_key(e0_1[1])), value), e)


def check_matching_decomposition(e, d, value):
    return check_graph(e) and check_bipartite(e) and check_decomposition(e, d, value) and check_load(e, value)


def check_edge_coloring(e, classes, colors):
    return check_graph(e) and check_bipartite(e) and check_decomposition(e, rev_map(lambda c: (inject_Z(fst(c)), snd(c)), classes), inject_Z(colors)) and check_load(e, inject_Z(colors))


def check_witness(e, s, value):
    if not s:
        return False
    x = s[0]
    l = s[1]
    if not l:
        return qeq_bool(added(lambda e0: e0[2] if covers(e0, x) else (0, 1), e), value)
    found = distinct(vertex_key, s)
    if found is None:
        return False
    members = found[0]
    n = number_(s)
    k = quotient(n, 2)
    def member(x0):
        return mem_(vertex_key(x0), members)
    def is_inside(e0_1):
        return member(e0_1[0]) and member(e0_1[1])
    return n == 2 * k + 1 and 0 < k and qeq_bool(added(lambda e0_2: e0_2[2] if is_inside(e0_2) else (0, 1), e), qmult(value, inject_Z(k)))


def check_fractional_edge_coloring(e, d, witness, value):
    return check_graph(e) and check_decomposition(e, d, value) and check_witness(e, witness, value)


def vector(v):
    return posted(key0, rev_map(lambda e: (snd(e), (fst(e), ())), v))


def at(l, i):
    return amount(key0(i), l[1])


def multiple(z0, q0):
    return (q0[0] * z0, q0[1])


def over(l, q0):
    return multiple(l[0], q0)


def check_well_posed(p):
    n = number_(p[0])
    def is_variable(j):
        return 0 <= j and j < n
    return all_(lambda r: all_(lambda e: is_variable(fst(e)), r[0]), p[1]) and all_(is_variable, p[3])


def check_point(p, o, x):
    equal0 = set_of(key0, p[2])
    def step(i, r):
        left = added(lambda e: multiple(at(x, fst(e)), snd(e)), r[0])
        return qeq_bool(left, over(x, o(r[1]))) if has(equal0, i) else qle_bool(left, over(x, o(r[1])))
    if not all_numbered(step, p[1]):
        return False
    return all_(lambda j: 0 <= at(x, j), p[3])


def reaches(p, x):
    return added(lambda q0: q0, rev_map_numbered(lambda j, c: multiple(at(x, j), c), p[0]))


def times_row(z0, r, done):
    return fold_left(lambda l, e: ((multiple(z0, snd(e)), (fst(e), ())), l), r[0], done)


def priced(p, y):
    return posted(key0, snd(fold_left(lambda s, r: (fst(s) + 1, times_row(at(y, fst(s)), r, snd(s))), p[1], (0, ()))))


def check_multipliers(p, o, y):
    equal0 = set_of(key0, p[2])
    free = set_of(key0, p[3])
    sums = priced(p, y)
    return all_numbered(lambda i, x: has(equal0, i) or 0 <= at(y, i), p[1]) and all_numbered(lambda j, c: qle_bool(over(y, o(c)), balance(sums, key0(j))) if has(free, j) else qeq_bool(over(y, o(c)), balance(sums, key0(j))), p[0])


def bound(p, y):
    return added(lambda q0: q0, rev_map_numbered(lambda i, r: multiple(at(y, i), r[1]), p[1]))


def check_linear_optimum(p, primal, dual, value):
    x = vector(primal)
    y = vector(dual)
    return check_well_posed(p) and check_point(p, lambda q0: q0, x) and check_multipliers(p, lambda q0_1: q0_1, y) and qeq_bool(reaches(p, x), over(x, value)) and qeq_bool(bound(p, y), over(y, value))


def check_linear_infeasibility(p, multipliers):
    y = vector(multipliers)
    return check_well_posed(p) and check_multipliers(p, lambda x: (0, 1), y) and less(bound(p, y), (0, 1))


def check_linear_unboundedness(p, point, ray):
    x = vector(point)
    d = vector(ray)
    return check_well_posed(p) and check_point(p, lambda q0: q0, x) and check_point(p, lambda x_1: (0, 1), d) and less((0, 1), reaches(p, d))


# The types of the arguments, and the constructors of these types.
ARGUMENTS = {
    'check_maximum_flow': [('network',), ('z',), ('z',), ('list', ('q',)), ('list', ('z',)), ('q',)],
    'check_minimum_root_cut': [('network',), ('z',), ('list', ('z',)), ('list', ('prod', ('z',), ('list', ('prod', ('z',), ('q',))))), ('q',)],
    'check_branching_packing': [('network',), ('list', ('prod', ('list', ('z',)), ('q',))), ('list', ('prod', ('z',), ('prod', ('q',), ('list', ('z',)))))],
    'check_unmet_demand': [('network',), ('list', ('prod', ('list', ('z',)), ('q',))), ('list', ('z',)), ('q',), ('q',)],
    'check_concurrent_branching_packing': [('network',), ('list', ('prod', ('list', ('z',)), ('q',))), ('list', ('prod', ('z',), ('prod', ('q',), ('list', ('z',))))), ('list', ('z',)), ('q',)],
    'check_arborescence_decomposition': [('network',), ('z',), ('list', ('prod', ('q',), ('list', ('z',)))), ('list', ('z',)), ('q',)],
    'check_minimum_cost_arborescence': [('network',), ('z',), ('list', ('z',)), ('list', ('z',)), ('list', ('prod', ('prod', ('z',), ('z',)), ('q',))), ('q',)],
    'check_edge_coloring': [('list', ('edge',)), ('list', ('prod', ('z',), ('list', ('z',)))), ('z',)],
    'check_matching_decomposition': [('list', ('edge',)), ('list', ('prod', ('q',), ('list', ('z',)))), ('q',)],
    'check_fractional_edge_coloring': [('list', ('edge',)), ('list', ('prod', ('q',), ('list', ('z',)))), ('list', ('vertex',)), ('q',)],
    'check_linear_optimum': [('program',), ('list', ('prod', ('z',), ('q',))), ('list', ('prod', ('z',), ('q',))), ('q',)],
    'check_linear_infeasibility': [('program',), ('list', ('prod', ('z',), ('q',)))],
    'check_linear_unboundedness': [('program',), ('list', ('prod', ('z',), ('q',))), ('list', ('prod', ('z',), ('q',)))],
}
TYPES = {
    'arc': [('Arc', [('z',), ('z',), ('q',)])],
    'edge': [('Edge', [('vertex',), ('vertex',), ('q',)])],
    'network': [('Network', [('z',), ('list', ('arc',))])],
    'program': [('Program', [('list', ('q',)), ('list', ('row',)), ('list', ('z',)), ('list', ('z',))])],
    'q': [('Qmake', [('z',), ('positive',)])],
    'row': [('Row', [('list', ('prod', ('z',), ('q',))), ('q',)])],
    'vertex': [('Left0', [('z',)]), ('Right0', [('z',)]), ('Vertex', [('z',)])],
}
