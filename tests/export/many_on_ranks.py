"""Plans of random platforms on the ranks of MPI, and by the definition: the same values."""

import pickle
import random
import sys
from fractions import Fraction

from exactsched import Platform, allgather, alltoall, broadcast, scatter
from exactsched.export import mpi
from exactsched.export.plan import plan
from exactsched.steady_state.combination import (
    order_free_allreduce,
    order_free_reduce,
    reduce_scatter,
)
from tests.export.interpreter import played, starts


def platform(drawn, count):
    """A cycle and more arcs, with costs of all kinds."""
    nodes = list(range(count))
    ends = {(node, (node + 1) % count) for node in nodes}
    ends |= {
        (a, b) for a in nodes for b in nodes if a != b and (drawn.random() < 0.4 or (b, a) in ends)
    }
    costs = {end: Fraction(drawn.randint(1, 6), drawn.randint(1, 4)) for end in sorted(ends)}
    return Platform(nodes, [(a, b, cost) for (a, b), cost in costs.items()])


def solved(seed):
    """A certificate of a collective on a random platform."""
    drawn = random.Random(seed)
    on = platform(drawn, drawn.randint(2, 6))
    ports = drawn.choice(["one-port", "half-duplex", "link"])
    free = "one-port" if ports == "half-duplex" else ports  # odd cycles are for broadcasts and sums
    first, *others = on.nodes
    sizes = {node: Fraction(drawn.randint(1, 3), drawn.randint(1, 2)) for node in on.nodes}
    asked = [
        lambda: broadcast(on, first, ports=ports),
        lambda: scatter(on, first, others, ports=free),
        lambda: alltoall(on, [(node, first, sizes[node]) for node in others], ports=free),
        lambda: alltoall(on, [(a, b) for a in on.nodes for b in on.nodes if a != b], ports=free),
        lambda: allgather(on, sizes),
        lambda: order_free_reduce(on, first, ports=ports),
        lambda: reduce_scatter(on, sizes, ports=ports),
        lambda: order_free_allreduce(on, ports=ports),
    ]
    return asked[seed % len(asked)]().certificate()


def expected(seed):
    """A plan, the elements of its parts, what every rank gives, and what it gets by definition."""
    made = plan(solved(seed), 1 + seed % 3)
    lengths = made.lengths(20)
    given = starts(made, lengths, seed)
    has = played(made, given, seed)
    ranks = range(len(made.ranks))
    gives = [[v for part in given[rank] if part is not None for v in part] for rank in ranks]
    gets = [
        [v for part, own in enumerate(has[rank]) if mpi.gets(made, part, rank) for v in own]
        for rank in ranks
    ]
    return made, lengths, gives, gets


def main(file):
    """The plans are made before: ranks that wait are never idle."""
    library, numpy = mpi.libraries()
    world = library.COMM_WORLD
    with open(file, "rb") as stored:
        plans = pickle.load(stored)
    for number, (made, lengths, gives, gets) in enumerate(plans):
        comm = world.Split(world.rank < len(made.ranks), world.rank)
        if world.rank < len(made.ranks):
            send = numpy.array(gives[comm.rank], "int64")
            recv = numpy.zeros(len(gets[comm.rank]), "int64")
            exchange = mpi.start(made, comm, send, recv, lengths)
            exchange.wait()
            exchange.free()
            assert recv.tolist() == gets[comm.rank], number
        comm.Free()
    if world.rank == 0:
        print(f"{len(plans)} plans delivered", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
