"""Boxes of GPUs in NCCL's topology XML, which NCCL_TOPO_DUMP_FILE=topo.xml makes NCCL write.

GPUs with a rank compute.  PCI switches, CPUs, NVSwitches, network cards and the network among boxes
only forward.  Links are those that NCCL builds from such a file, with NCCL's bandwidths in GB/s;
the cost of an arc is 1 / bandwidth, so throughputs are in GB/s:

- a device to the switch or CPU around it: link_width * (speed of a lane), `_PCI_LANES`; a card
  directly inside of a cpu: `_LOCAL`;
- NVLink: count * `_NVLINKS` by `sm`, to another GPU, to the CPU, or to the one NVSwitch of a file;
- chip to chip (c2c): count * bw / 1000 between GPU and CPU;
- between the CPUs of a box: `_POWER`, `_ARM`, `_AMD`, `_INTEL`, `_ZHAOXIN` by arch, vendor, model;
- a card to the network: speed / 8000, for each of its ports.

Bandwidths of parallel links add up.  These are NCCL's estimates of what a link reaches, not the
vendor's nominal ones, and NCCL does not use all links at once.  What NCCL decides later is no part
of the file: whether a card may reach a GPU directly, and the overhead of small packets behind Intel
CPUs.  Attributes with another purpose are skipped, as NCCL skips them.

Reference: NCCL 2.30, `src/graph/topo.h` (bandwidths), `src/graph/topo.cc` (the graph).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Final, NamedTuple

from exactsched.exact.errors import InvalidInput
from exactsched.exact.exact_xml import Element, read_xml
from exactsched.model.platform import Platform

MAX_NODES: Final = 1 << 14
MAX_CPUS: Final = 256

_NVLINKS: Final = (
    *((100, Fraction("40.1")), (90, Fraction("20.6")), (87, Fraction(20)), (86, Fraction(12))),
    *((70, Fraction(20)), (60, Fraction(18)), (0, Fraction(20))),
)
"""GB/s of one NVLink, from this compute capability on (ncclTopoNVLinkBw)."""

_PCI_LANES: Final = {"2.5": 15, "5": 30, "8": 60, "16": 120, "32": 240, "64": 480}
"""GT/s to units of 100 Mb/s (kvDictPciGen)."""

_UNKNOWN_LANES: Final = 60
_UNKNOWN_WIDTH: Final = 16
_UNKNOWN_SPEED: Final = 10000  # Mb/s of a port

_LOCAL: Final = Fraction(5000)
_POWER, _ARM, _AMD = Fraction(32), Fraction(6), Fraction(16)
_ZHAOXIN, _YONGFENG = Fraction(6), Fraction(9)
_INTEL: Final = ((0xCF, Fraction(40)), (0x8F, Fraction(22)), (0x55, Fraction(10)), (0, Fraction(6)))
"""GB/s between two CPUs (ncclTopoGetInterCpuBw); of Intel's family 6 from this model on."""

_ARCHS: Final = ("x86_64", "arm64", "ppc64")
_VENDORS: Final = ("GenuineIntel", "AuthenticAMD", "CentaurHauls", "  Shanghai  ")
_GPU, _NVSWITCH, _CPU = "0x03", "0x068000", "0x068001"
"""How the class of a device begins that a link leads to."""

_LANES: Final = re.compile(r"([0-9]+(?:\.[0-9]+)?) GT/s(?: PCIe)?")
_WHOLE: Final = re.compile(r"-?(?:0[xX][0-9a-fA-F]{1,16}|[0-9]{1,18})")
_BUS: Final = re.compile(r"[0-9a-fA-F]{1,8}(?:[:.][0-9a-fA-F]{1,4}){1,3}")


def read_nccl(written: Sequence[str]) -> Platform:
    """The platform of boxes, each the text of a topology that NCCL has dumped.

    A single box has no network, and its cards are left out.  Several boxes, files or hosts in one
    file (by `host_hash`), are joined by one switch, to which each card has the speed of its ports;
    then names begin with the number of the box, as in "box1/gpu3".  Switches with one neighbor
    forward nothing and are left out.

    Raises `InvalidInput` that names line, element and rule: for what is no such topology, elements
    that are not known, attributes that are needed and missing, files without a GPU with a rank,
    ranks given twice, several ranks on a GPU or partitions of a GPU, boxes without a card.  Linear
    time and memory, but for the links among the CPUs of a box.

    >>> platform = read_nccl(['''<system version="1"><cpu numaid="0">
    ...     <pci busid="01:00.0" class="0x030200" link_speed="16 GT/s" link_width="16">
    ...         <gpu rank="0" sm="80"/></pci>
    ...     <pci busid="02:00.0" class="0x030200" link_speed="16 GT/s" link_width="8">
    ...         <gpu rank="1" sm="80"/></pci></cpu></system>'''])
    >>> [(str(arc), 1 / arc.cost) for arc in platform.arcs[1:3]], platform.switches
    ([('cpu0->gpu0', Fraction(24, 1)), ('gpu1->cpu0', Fraction(12, 1))], frozenset({'cpu0'}))
    """
    graph = _Graph()
    for number, text in enumerate(written):
        try:
            top = read_xml(text)
            if top.tag != "system":
                raise top.refused(top.tag, "NCCL's topology is a system element")
            top.choice("version", top.attribute("version"), ("1",))
            _File(graph, top)
        except InvalidInput as error:
            if len(written) == 1:
                raise
            raise InvalidInput(f"box {number}, {error.place}", error.value, error.rule) from error
    return graph.platform()


_Node = tuple[int, str]  # the number of a box, and a name in it


class _Graph:
    """The nodes of all boxes, and the bandwidths of links one way."""

    def __init__(self) -> None:
        self.boxes: list[Element] = []
        self.nodes: dict[_Node, bool] = {}  # whether it computes
        self.links: dict[tuple[_Node, _Node], Fraction] = {}
        self.ports: dict[_Node, Fraction] = {}  # of cards, to the network

    def new(self, node: _Node, element: Element, computes: bool = False) -> _Node:
        if node in self.nodes:
            raise element.refused(node[1], "a box has one node of this name")
        if len(self.nodes) >= MAX_NODES:
            raise element.refused(node[1], f"at most {MAX_NODES} nodes are read")
        self.nodes[node] = computes
        return node

    def link(self, tail: _Node, head: _Node, bandwidth: Fraction) -> None:
        if tail != head:
            self.links[tail, head] = self.links.get((tail, head), Fraction(0)) + bandwidth

    def both_ways(self, one: _Node, other: _Node, bandwidth: Fraction) -> None:
        self.link(one, other, bandwidth)
        self.link(other, one, bandwidth)

    def platform(self) -> Platform:
        several = len(self.boxes) > 1
        network = -1, "network"
        for number, element in enumerate(self.boxes if several else ()):
            if not any(box == number for box, _ in self.ports):
                raise element.refused(f"box {number}", "a box among others has a nic with a net")
        if several:
            self.nodes[network] = False
            for card, speed in self.ports.items():
                self.both_ways(card, network, speed)
        self._drop_dead_ends()

        def name(node: _Node) -> str:
            return f"box{node[0]}/{node[1]}" if several and node != network else node[1]

        ordered = sorted(self.nodes, key=lambda node: not self.nodes[node])
        arcs = [(name(tail), name(head), 1 / speed) for (tail, head), speed in self.links.items()]
        switches = [name(node) for node in ordered if not self.nodes[node]]
        return Platform(map(name, ordered), arcs, None, switches)

    def _drop_dead_ends(self) -> None:
        neighbors: dict[_Node, set[_Node]] = {node: set() for node in self.nodes}
        for tail, head in self.links:
            neighbors[tail].add(head)
            neighbors[head].add(tail)
        waiting = list(self.nodes)
        while waiting:
            node = waiting.pop()
            if node in self.nodes and not self.nodes[node] and len(neighbors[node]) < 2:
                del self.nodes[node]
                for other in neighbors[node]:
                    neighbors[other].remove(node)
                    waiting.append(other)
                    for pair in ((node, other), (other, node)):
                        self.links.pop(pair, None)


class _Gpu(NamedTuple):
    """A GPU, the CPU that it hangs on, its capability and its element."""

    node: _Node
    cpu: _Node
    sm: int
    element: Element


class _File:
    """A file, as it adds its boxes to the graph; all of its NVSwitches are one node."""

    def __init__(self, graph: _Graph, top: Element) -> None:
        self.graph = graph
        self.nvswitch = len(graph.boxes), "nvswitch"
        self.gpus: dict[tuple[int, int], _Gpu] = {}
        self.switches: dict[tuple[int, int], _Node] = {}
        self.between_switches: list[tuple[_Node, Element]] = []
        hosts: dict[str, tuple[int, dict[_Node, Element]]] = {}
        for element in top.children("cpu"):
            host = element.attributes.get("host_hash", "")
            if host not in hosts:
                hosts[host] = len(graph.boxes), {}
                graph.boxes.append(element)
            self._cpu(element, *hosts[host])
        if not self.gpus:
            rule = "no gpu has a rank: read is a file that NCCL dumps, not one that it is given"
            raise top.refused(top.tag, rule)
        for gpu in self.gpus.values():
            for part in gpu.element.children("nvlink", "c2c"):
                self._link_of_gpu(part, gpu)
        for switch, part in self.between_switches:
            other = self.switches.get((switch[0], _bus(part, "target")))
            if other:
                graph.link(switch, other, _LOCAL)

    def _cpu(self, element: Element, box: int, others: dict[_Node, Element]) -> None:
        cpu = self.graph.new((box, f"cpu{_whole(element, 'numaid')}"), element)
        if len(others) == MAX_CPUS:
            raise element.refused(cpu[1], f"a box has at most {MAX_CPUS} CPUs")
        for other, its in others.items():
            self.graph.link(cpu, other, _between_cpus(element))
            self.graph.link(other, cpu, _between_cpus(its))
        others[cpu] = element
        for part in element.children("pci", "nic"):
            if part.tag == "pci":
                self._pci(part, cpu, cpu, 0)
            else:
                self._card(part, (box, f"nic-{cpu[1]}"), cpu, _LOCAL)

    def _pci(self, element: Element, around: _Node, cpu: _Node, generation: int) -> None:
        """A device and what is behind it; `generation` is that of the switch around it."""
        bandwidth = _pci_bandwidth(element)
        box, bus = cpu[0], _bus(element, "busid")
        name = element.attributes["busid"]
        parts = element.children("pci", "gpu", "nic", "pcilink")
        for part in parts:
            if part.tag == "nic":
                self._card(part, (box, f"nic-{name}"), around, bandwidth)
            elif part.tag == "gpu" and "rank" in part.attributes:
                if (box, bus) in self.gpus:
                    raise part.refused(name, "several ranks on a GPU are not read")
                if part.attributes.get("mlopart", "-1") != "-1":
                    rule = "partitions of a GPU are not read"
                    raise part.refused(part.attributes["mlopart"], rule)
                gpu = self.graph.new((box, f"gpu{_whole(part, 'rank')}"), part, computes=True)
                self.gpus[box, bus] = _Gpu(gpu, cpu, _whole(part, "sm"), part)
                self.graph.both_ways(gpu, around, bandwidth)
        if not any(part.tag == "pci" for part in parts):
            return
        if generation and _generation(element, 1) == generation:
            # It shows two levels of switches, but forwards between all ports at full speed.
            switch, generation = around, 0
        else:
            switch, generation = (box, f"pci-{name}"), _generation(element, 0)
            self.graph.new(switch, element)
            self.graph.both_ways(switch, around, bandwidth)
        self.switches[box, bus] = switch
        for part in parts:
            if part.tag == "pci":
                self._pci(part, switch, cpu, generation)
            elif part.tag == "pcilink":
                self.between_switches.append((switch, part))

    def _card(self, element: Element, card: _Node, around: _Node, bandwidth: Fraction) -> None:
        speed = Fraction(0)
        for port in element.children("net"):
            # Without a number it is not in use; some ports are for other purposes only.
            if "dev" in port.attributes and port.attributes.get("net", "1") != "0":
                given = _whole(port, "speed", 0)
                speed += Fraction(given if given > 0 else _UNKNOWN_SPEED, 8000)
        if not speed:
            return
        if card not in self.graph.nodes:
            self.graph.new(card, element)
            self.graph.both_ways(card, around, bandwidth)
        self.graph.ports[card] = self.graph.ports.get(card, Fraction(0)) + speed

    def _link_of_gpu(self, element: Element, gpu: _Gpu) -> None:
        count = _whole(element, "count")
        if count <= 0:
            raise element.refused(count, "a link is there at least once")
        if element.tag == "c2c":
            speed = _whole(element, "bw")
            if speed <= 0:
                raise element.refused(speed, "bw is positive")
            self.graph.both_ways(gpu.node, gpu.cpu, Fraction(count * speed, 1000))
            return
        bandwidth = count * next(speed for least, speed in _NVLINKS if gpu.sm >= least)
        kind = element.attribute("tclass")
        if kind.startswith(_CPU):
            self.graph.both_ways(gpu.node, gpu.cpu, bandwidth)
        elif kind.startswith(_NVSWITCH):
            self.graph.nodes.setdefault(self.nvswitch, False)
            self.graph.both_ways(gpu.node, self.nvswitch, bandwidth)
        elif kind.startswith(_GPU):
            # The other one lists the way back.  It may have no rank.
            other = self.gpus.get((gpu.node[0], _bus(element, "target")))
            if other:
                self.graph.link(gpu.node, other.node, bandwidth)
        else:
            rule = f"NVLinks lead to a GPU ({_GPU}...), an NVSwitch ({_NVSWITCH}) or a CPU ({_CPU})"
            raise element.refused(kind, rule)


def _between_cpus(element: Element) -> Fraction:
    arch = element.choice("arch", element.attribute("arch"), _ARCHS)
    if arch != "x86_64":
        return _ARM if arch == "arm64" else _POWER
    vendor = element.choice("vendor", element.attribute("vendor"), _VENDORS)
    if vendor == "AuthenticAMD":
        return _AMD
    family, model = _whole(element, "familyid"), _whole(element, "modelid")
    if vendor == "GenuineIntel":
        known = model if family == 6 else 0
        return next(speed for least, speed in _INTEL if known >= least)
    return _YONGFENG if (family, model) == (7, 0x5B) else _ZHAOXIN


def _pci_bandwidth(element: Element) -> Fraction:
    written = element.attribute("link_speed").strip()
    match = _LANES.fullmatch(written)
    lane = _PCI_LANES.get(match[1].removesuffix(".0") if match else "")
    if lane is None and written and not written.startswith("Unknown"):
        rule = f"link_speed is {', '.join(_PCI_LANES)} GT/s, or empty where it is not known"
        raise element.refused(written, rule)
    width = _whole(element, "link_width") if element.attribute("link_width") else 0
    if width < 0:
        raise element.refused(width, "link_width is not negative")
    return Fraction((width or _UNKNOWN_WIDTH) * (lane or _UNKNOWN_LANES), 80)


def _generation(element: Element, level: int) -> int:
    """The PCI generation of a switch of Broadcom that shows itself in two levels, or 0."""
    names = ("vendor", "device", "subsystem_vendor", "subsystem_device")
    vendor, device, maker, kind = (_whole(element, name, 0) for name in names)
    if (vendor, device, maker, kind >> 12) == (0x1000, 0xC010, 0x1000, 0xA):
        return 4
    if (vendor, device, maker, kind >> 12) == (0x1000, 0xC030, 0x1000, level):
        return 5
    return 0


def _whole(element: Element, name: str, default: int | None = None) -> int:
    if default is not None and name not in element.attributes:
        return default
    written = element.attribute(name)
    if not _WHOLE.fullmatch(written):
        raise element.refused(written, f"{name} is a whole number")
    return int(written, 16 if "x" in written.lower() else 10)


def _bus(element: Element, name: str) -> int:
    """The number of a device, which is written with more or fewer zeros."""
    written = element.attribute(name)
    if not _BUS.fullmatch(written):
        raise element.refused(written, f'{name} is the number of a device, as in "0000:0f:00.0"')
    return int(re.sub("[:.]", "", written), 16)
