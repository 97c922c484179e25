"""Bang-Jensen, Frank and Jackson: splitting off switches keeps what enters every set."""

from __future__ import annotations

from fractions import Fraction

from exactsched.certificate.graphs import SplittingOff
from exactsched.exact.rational import Rational
from exactsched.graphs.splitting_off import split_off
from exactsched.instances.switches import SWITCH_NETWORKS, SwitchNetwork
from exactsched.oracles.flows_and_cuts import ALL_SETS
from exactsched.oracles.switches import fault_of_links, keeps_demands, largest_multiple
from exactsched.theorems.claim import Say, claim


@claim(
    "bang-jensen-frank-jackson.splitting-off",
    number="after Mader 1982; Bang-Jensen, Frank and Jackson, SIAM J. Discrete Math. 8 (1995)",
    instances=SWITCH_NETWORKS,
    page="splitting-off",
    implements=(
        "exactsched/graphs/splitting_off.py",
        "exactsched/graphs/switch_pairing.py",
        "exactsched/graphs/hops.py",
    ),
    judged=f"`check`; paths by definition; all sets, up to {ALL_SETS} nodes",
)
def links_around_switches(network: SwitchNetwork, say: Say) -> None:
    """Where no switch sends more than it receives, there are links (paths through switches between
    other nodes) within the capacities, of which at least the demand outside enters every nonempty
    set of nodes that are no switches, if and only if at least the demand outside enters every set
    with such a node; integer links, if capacities and demands are integers.
    """
    stated = _split_off(network, network.demands, say, spread=64)
    few = _split_off(network, network.demands, say, spread=0)
    possible = isinstance(stated, SplittingOff)
    say(nodes=network.size, switches=len(network.switches), possible=possible)
    say.require(possible == isinstance(few, SplittingOff), "links depend on how they are chosen")
    if isinstance(few, SplittingOff):
        say(links=len(few.links))
        given = (*network.capacities, *network.demands)
        if all(type(number) is int for number in given):
            whole = all(type(capacity) is int for _, capacity in few.links)
            say.require(whole, "integer capacities, but no integer links")
    if network.size > ALL_SETS:
        return
    asked = network.size, network.arcs, network.capacities, network.switches
    say.require(
        possible == keeps_demands(*asked, network.demands),
        "links although a set lacks capacity, or none although no set does",
    )
    most = largest_multiple(*asked, network.demands)
    if most is not None:
        say(multiple=most)
        tight = _split_off(network, _times(most, network), say, spread=64)
        say.require(isinstance(tight, SplittingOff), f"no links for {most} times all demands")
        above = most + Fraction(1, 10**15)
        more = _split_off(network, _times(above, network), say, spread=64)
        say.require(not isinstance(more, SplittingOff), f"links for {above} times all demands")


def _times(factor: Fraction, network: SwitchNetwork) -> tuple[Rational, ...]:
    return tuple(factor * demand for demand in network.demands)


def _split_off(
    network: SwitchNetwork, demands: tuple[Rational, ...], say: Say, *, spread: int
) -> object:
    size, arcs, capacities, switches = (
        network.size,
        network.arcs,
        network.capacities,
        network.switches,
    )
    stated = split_off(size, arcs, capacities, switches, demands, spread=spread)
    say.accepts(stated)
    if isinstance(stated, SplittingOff) and size <= ALL_SETS:
        fault = fault_of_links(size, arcs, capacities, switches, demands, stated.links)
        say.require(not fault, fault)
    return stated
