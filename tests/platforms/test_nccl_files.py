"""NCCL's topologies: links and bandwidths by hand, boxes that are joined, what is refused."""

from __future__ import annotations

from fractions import Fraction

import pytest

from exactsched import allgather
from exactsched.check import check
from exactsched.cli import main
from exactsched.exact.errors import InvalidInput
from exactsched.model.platform import Platform
from exactsched.platforms import nccl_files
from exactsched.platforms.files import load_platform, read_platform
from exactsched.platforms.nccl_files import read_nccl

GEN4 = 'link_speed="16.0 GT/s PCIe" link_width="16"'
INTEL = 'arch="x86_64" vendor="GenuineIntel" familyid="6" modelid="106"'


def pci(bus: str, inside: str, kind: str = "0x060400", link: str = GEN4) -> str:
    return f'<pci busid="{bus}" class="{kind}" {link}>{inside}</pci>\n'


def gpu(bus: str, rank: int, links: str = "", sm: int = 80, link: str = GEN4) -> str:
    inside = f'<gpu dev="{rank}" sm="{sm}" rank="{rank}" gdr="1">{links}</gpu>'
    return pci(bus, inside, "0x030200", link)


def nic(bus: str, *speeds: int, link: str = GEN4) -> str:
    ports = "".join(
        f'<net name="mlx5_{dev}" dev="{dev}" speed="{speed}" port="1" net="1" gin="1"/>'
        for dev, speed in enumerate(speeds)
    )
    return pci(bus, f"<nic>{ports}</nic>", "0x020000", link)


def cpu(number: int, inside: str, more: str = INTEL) -> str:
    return f'<cpu numaid="{number}" affinity="ff" {more}>\n{inside}</cpu>\n'


def system(*cpus: str) -> str:
    return f'<system version="1">\n{"".join(cpus)}</system>\n'


def nvlink(target: str, count: int, kind: str = "0x068000") -> str:
    return f'<nvlink target="{target}" count="{count}" tclass="{kind}"/>'


def speeds(platform: Platform) -> dict[str, Fraction]:
    return {str(arc): 1 / arc.cost for arc in platform.arcs}


TO_SWITCHES = nvlink("0000:d0:00.0", 5) + nvlink("fffffff:ff:ff.0", 7)
BOX = system(
    cpu(
        0,
        pci("0000:10:00.0", gpu("0000:11:00.0", 0, TO_SWITCHES) + gpu("0000:12:00.0", 1))
        + nic("0000:13:00.0", 200000),
    ),
    cpu(1, gpu("0000:21:00.0", 2, TO_SWITCHES) + gpu("0000:22:00.0", 3, TO_SWITCHES)),
)


def test_the_links_of_a_box():
    platform = read_nccl([BOX])
    assert platform.nodes == (
        *("gpu0", "gpu1", "gpu2", "gpu3"),
        *("cpu0", "pci-0000:10:00.0", "cpu1", "nvswitch"),
    )
    assert platform.switches == frozenset(platform.nodes[4:])
    expected = {
        **dict.fromkeys([("gpu0", "pci-0000:10:00.0"), ("gpu1", "pci-0000:10:00.0")], 24),
        **dict.fromkeys([("pci-0000:10:00.0", "cpu0"), ("gpu2", "cpu1"), ("gpu3", "cpu1")], 24),
        ("cpu0", "cpu1"): 10,
        **{(f"gpu{rank}", "nvswitch"): 12 * 20 for rank in (0, 2, 3)},
    }
    both = expected | {(head, tail): speed for (tail, head), speed in expected.items()}
    assert speeds(platform) == {f"{tail}->{head}": speed for (tail, head), speed in both.items()}


def joined(*texts: str) -> dict[str, Fraction]:
    return speeds(read_nccl(texts))


@pytest.mark.parametrize(
    ("sm", "one_link"),
    [
        *((52, "20"), (60, "18"), (70, "20"), (75, "20"), (80, "20"), (86, "12")),
        *((87, "20"), (89, "20"), (90, "20.6"), (100, "40.1"), (120, "40.1")),
    ],
)
def test_nvlinks_by_the_capability_of_the_gpu(sm, one_link):
    pair = [
        gpu("01:00.0", 0, nvlink("02:00.0", 3, "0x030200"), sm),
        gpu("02:00.0", 1, nvlink("0000:01:00.0", 1, "0x030000") + nvlink("0:9:0.0", 2, "0x03"), sm),
    ]
    found = joined(system(cpu(0, "".join(pair))))
    assert found["gpu0->gpu1"] == 3 * Fraction(one_link)
    assert found["gpu1->gpu0"] == Fraction(one_link)  # the third GPU is not there


@pytest.mark.parametrize(
    ("processor", "speed"),
    [
        ('arch="ppc64"', 32),
        ('arch="arm64" vendor="any"', 6),
        ('arch="x86_64" vendor="AuthenticAMD" familyid="25" modelid="1"', 16),
        ('arch="x86_64" vendor="GenuineIntel" familyid="6" modelid="79"', 6),
        ('arch="x86_64" vendor="GenuineIntel" familyid="6" modelid="85"', 10),
        ('arch="x86_64" vendor="GenuineIntel" familyid="6" modelid="0x8f"', 22),
        ('arch="x86_64" vendor="GenuineIntel" familyid="6" modelid="207"', 40),
        ('arch="x86_64" vendor="GenuineIntel" familyid="15" modelid="207"', 6),
        ('arch="x86_64" vendor="CentaurHauls" familyid="7" modelid="59"', 6),
        ('arch="x86_64" vendor="  Shanghai  " familyid="7" modelid="91"', 9),
    ],
)
def test_between_cpus(processor, speed):
    text = system(cpu(0, gpu("01:00.0", 0)), cpu(-1, gpu("02:00.0", 1), processor))
    found = joined(text)
    assert (found["cpu0->cpu-1"], found["cpu-1->cpu0"]) == (10, speed)


@pytest.mark.parametrize(
    ("link", "speed"),
    [
        ('link_speed="2.5 GT/s PCIe" link_width="8"', Fraction(3, 2)),
        ('link_speed="5.0 GT/s PCIe" link_width="4"', Fraction(3, 2)),
        ('link_speed="8 GT/s" link_width="16"', 12),
        ('link_speed="16 GT/s" link_width="8"', 12),
        ('link_speed="32.0 GT/s PCIe" link_width="16"', 48),
        ('link_speed="64.0 GT/s PCIe" link_width="16"', 96),
        ('link_speed="" link_width="0"', 12),
        ('link_speed="Unknown speed" link_width=""', 12),
    ],
)
def test_pci_links(link, speed):
    found = joined(system(cpu(0, gpu("01:00.0", 0, link=link) + gpu("02:00.0", 1))))
    assert found["gpu0->cpu0"] == found["cpu0->gpu0"] == speed


def test_gpus_on_their_cpu_by_nvlink_and_chip_to_chip():
    """Parallel links add up: 24 over PCI, 3 * 20 over NVLink, 2 * 9.5 chip to chip."""
    links = nvlink("any", 3, "0x068001") + '<c2c bw="9500" count="2"/>'
    found = joined(system(cpu(0, gpu("01:00.0", 0, links) + gpu("02:00.0", 1))))
    assert found["gpu0->cpu0"] == found["cpu0->gpu0"] == 24 + 60 + 19
    assert found["gpu1->cpu0"] == 24


def broadcom(level: int, inside: str, device: str = "0xc030", kind: str = "") -> str:
    said = f'vendor="0x1000" device="{device}" subsystem_vendor="0x1000"'
    said += f' subsystem_device="{kind or f"0x{level}004"}"'
    return pci(f"0{level}:00.0", inside, link=f"{said} {GEN4}")


@pytest.mark.parametrize(
    ("outer", "inner", "levels"),
    [
        (("0xc030", ""), ("0xc030", ""), 1),
        (("0xc010", "0xa001"), ("0xc010", "0xa002"), 1),
        (("0xc030", ""), ("0xc010", "0xa002"), 2),
        (("0xc030", ""), ("0xc030", "0x0004"), 2),
        (("0xc031", ""), ("0xc031", ""), 2),
    ],
)
def test_a_switch_that_shows_two_levels_is_one(outer, inner, levels):
    inside = gpu("11:00.0", 0) + gpu("12:00.0", 1)
    both = broadcom(0, broadcom(1, inside, *inner) + gpu("13:00.0", 2), *outer)
    platform = read_nccl([system(cpu(0, both))])
    assert len(platform.switches) == levels
    around = "pci-00:00.0" if levels == 1 else "pci-01:00.0"
    assert speeds(platform)[f"gpu0->{around}"] == 24


def test_links_between_pci_switches():
    one = pci("01:00.0", '<pcilink target="02:00.0"/>' + gpu("11:00.0", 0) + gpu("12:00.0", 1))
    other = pci("02:00.0", '<pcilink target="09:00.0"/>' + gpu("21:00.0", 2) + gpu("22:00.0", 3))
    found = joined(system(cpu(0, one + other)))
    assert found["pci-01:00.0->pci-02:00.0"] == 5000
    assert "pci-02:00.0->pci-01:00.0" not in found


def test_a_switch_has_two_levels_at_most():
    inside = gpu("11:00.0", 0) + gpu("12:00.0", 1)
    third = broadcom(2, inside, kind="0x1005")
    platform = read_nccl([system(cpu(0, broadcom(0, broadcom(1, third) + gpu("13:00.0", 2))))])
    assert platform.switches == {"pci-00:00.0", "pci-02:00.0"}


def test_a_link_inside_of_a_switch_is_none():
    inner = '<pcilink target="00:00.0"/>' + gpu("11:00.0", 0) + gpu("12:00.0", 1)
    switch = broadcom(0, broadcom(1, inner) + gpu("13:00.0", 2))
    assert len(joined(system(cpu(0, switch)))) == 2 * 3


def test_what_is_not_used_is_left_out():
    """Devices without a rank, a port in use or anything behind them, and the cards of one box."""
    idle = (
        pci("03:00.0", '<gpu dev="7" sm="80"/>', "0x030200")
        + pci("04:00.0", pci("05:00.0", ""))
        + pci("06:00.0", "<nic><net name='x' speed='1000'/></nic>", "0x020000")
        + nic("07:00.0", 1000)
    )
    pair = gpu("01:00.0", 0) + gpu("02:00.0", 1)
    extended = system(cpu(0, pair + idle), cpu(1, pci("08:00.0", nic("09:00.0", 1000))))
    assert read_nccl([extended]) == read_nccl([system(cpu(0, pair))])


def test_dead_ends_behind_each_other_are_left_out():
    assert read_nccl([system(cpu(0, ""), cpu(1, gpu("01:00.0", 0)))]).nodes == ("gpu0",)


# Several boxes.

SMALL = system(cpu(0, gpu("01:00.0", 0) + gpu("02:00.0", 1) + nic("03:00.0", 100000, 40000)))


def test_boxes_are_joined_by_the_ports_of_their_cards():
    two = [SMALL, SMALL.replace('speed="40000"', 'speed="-1"')]
    found = joined(*two)
    assert found["box0/nic-03:00.0->network"] == found["network->box0/nic-03:00.0"] == 17.5
    assert found["box1/nic-03:00.0->network"] == 12.5 + 1.25  # 10 Gb/s where the speed is unknown
    assert found["box1/gpu1->box1/cpu0"] == 24
    assert len(found) == 2 * (3 + 1) * 2


def test_ports_that_are_not_for_the_network_are_left_out():
    text = SMALL.replace('dev="1" speed="40000" port="1" net="1"', 'dev="1" speed="1" net="0"')
    assert joined(text, text)["box0/nic-03:00.0->network"] == 12.5


def test_a_card_inside_of_a_cpu_is_at_once_at_it():
    card = '<nic><net name="eth0" dev="0" speed="8000"/></nic><nic><net dev="1" speed="800"/></nic>'
    text = system(cpu(0, gpu("01:00.0", 0) + card))
    found = joined(text, text)
    assert found["box0/cpu0->box0/nic-cpu0"] == 5000
    assert found["box0/nic-cpu0->network"] == Fraction(11, 10)


def test_hosts_in_one_file_are_boxes_and_share_their_nvswitch():
    links = nvlink("any", 1)
    hosts = [
        cpu(0, gpu("01:00.0", k, links) + nic("02:00.0", 8000), f'{INTEL} host_hash="0x{k}"')
        for k in range(2)
    ]
    found = joined(system(*hosts))
    assert found["box0/gpu0->box0/nvswitch"] == found["box0/nvswitch->box1/gpu1"] == 20
    assert "box0/cpu0->box1/cpu0" not in found


def test_an_allgather_over_two_boxes_is_proved_optimal():
    """Four shards enter the other box over its card: 24 GB/s by PCI, 25 by network.

    A GPU without NVLinks receives 7 shards over 24 GB/s of PCI.
    """
    for box, throughput in (
        (BOX.replace('rank="1" gdr="1">', f'rank="1">{TO_SWITCHES}'), 6),
        (BOX, Fraction(24, 7)),
    ):
        solution = allgather(read_nccl([box, box]), ports="link")
        assert solution.throughput == throughput
        proved = check(solution.certificate())
        assert (proved.throughput, proved.bound) == (throughput, throughput)


def test_files_by_name(tmp_path, capsys):
    one, other = tmp_path / "one.xml", tmp_path / "other.topology"
    one.write_text(SMALL, encoding="utf-8")
    other.write_text(BOX, encoding="utf-8")
    assert read_platform(one) == read_nccl([SMALL])
    assert load_platform(f"{one}:2") == read_nccl([SMALL, SMALL])
    assert load_platform(f"{one},{other}:2") == read_nccl([SMALL, BOX, BOX])
    certificate = tmp_path / "two.json"
    assert main(["allgather", f"{one}:2", "-o", str(certificate)]) == 0
    assert main(["check", str(certificate)]) == 0
    # 24 into a GPU, for three shards; 17.5 over the network, for two, is more.
    assert capsys.readouterr().out.count("throughput 8 proved optimal") == 2


def test_names_of_joined_files_that_are_refused(tmp_path):
    one, graph = tmp_path / "one.xml", tmp_path / "graph.xml"
    one.write_text(SMALL.replace("numaid", "number"), encoding="utf-8")
    graph.write_text("<graphml/>", encoding="utf-8")
    for name, message in (
        (f"{one}:2", r"one\.xml:2: box 0, line 2, cpu: .*: the attribute \"numaid\" is missing"),
        (f"{one}:0", "a number behind a file says how many boxes"),
        (f"{one},{graph}", r"graph\.xml: 'graphml': only topologies that NCCL has dumped"),
        (f"{one},{tmp_path}/no.xml", "no such file"),
        (f"{graph}:2:2", "no such file"),
    ):
        with pytest.raises(InvalidInput, match=message):
            load_platform(name)


ONE = gpu("01:00.0", 0)
REFUSED = {
    "not-a-system": ("<systems/>", "line 1, systems: 'systems': NCCL's topology is a system"),
    "version": (SMALL.replace('version="1"', 'version="2"'), "version is 1, others are not read"),
    "without-version": (SMALL.replace('version="1"', ""), '"version" is missing'),
    "without-gpus": (system(cpu(0, nic("01:00.0", 1))), "line 1, system: .*no gpu has a rank"),
    "unknown-element": (system(cpu(0, "<gin/>")), "line 3, gin: .*not understood inside cpu"),
    "gpu-in-a-cpu": (system(cpu(0, '<gpu rank="0"/>')), "line 3, gpu: .*not understood inside cpu"),
    "numaid": (SMALL.replace('numaid="0"', 'numaid="x"'), "line 2, cpu: 'x': numaid is a whole"),
    "cpu-twice": (system(cpu(0, ONE), cpu(0, "")), "line 5, cpu: 'cpu0': a box has one node of"),
    "arch": (
        system(cpu(0, ONE, 'arch="riscv"'), cpu(1, "")),
        "line 2, cpu: 'riscv': arch is x86_64 or arm64 or ppc64",
    ),
    "vendor": (
        system(cpu(0, ONE), cpu(1, "", 'arch="x86_64" vendor="me"')),
        "line 5, cpu: 'me': vendor is GenuineIntel or",
    ),
    "busid": (SMALL.replace("02:00.0", "two"), "line 4, pci: 'two': busid is the number of a"),
    "link-speed": (SMALL.replace("16.0 GT/s", "7 GT/s"), "line 3, pci: .*link_speed is 2.5, 5, 8"),
    "link-speed-missing": (SMALL.replace("link_speed", "s"), '"link_speed" is missing'),
    "link-width": (SMALL.replace('width="16"', 'width="-4"'), "link_width is not negative"),
    "rank": (SMALL.replace('rank="1"', 'rank="one"'), "line 4, gpu: 'one': rank is a whole number"),
    "rank-twice": (SMALL.replace('rank="1"', 'rank="0"'), "line 4, gpu: 'gpu0': a box has one"),
    "ranks-on-a-gpu": (SMALL.replace('02:00.0"', '01:00.0"'), "several ranks on a GPU"),
    "partitions": (SMALL.replace("<gpu", '<gpu mlopart="1"'), "line 3, gpu: '1': partitions of a"),
    "sm": (SMALL.replace(' sm="80"', ""), '"sm" is missing'),
    "nvlink-to-a-card": (
        system(cpu(0, gpu("1:0", 0, nvlink("2:0", 1, "0x02")))),
        "NVLinks lead",
    ),
    "nvlink-target": (
        system(cpu(0, gpu("1:0", 0, nvlink("x", 1, "0x03")))),
        "target is the",
    ),
    "nvlink-count": (system(cpu(0, gpu("1:0", 0, nvlink("2:0", 0)))), "there at least once"),
    "c2c": (system(cpu(0, gpu("1:0", 0, '<c2c bw="0" count="1"/>'))), "line 3, c2c: 0: bw is pos"),
    "entity": ('<!DOCTYPE system [<!ENTITY x "y">]>' + SMALL, "entities are not expanded"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refusals_name_line_element_and_rule(name):
    written, message = REFUSED[name]
    with pytest.raises(InvalidInput, match=message):
        read_nccl([written])


def test_boxes_among_others_have_a_card():
    with pytest.raises(InvalidInput, match="line 2, cpu: 'box 1': a box among others has a nic"):
        read_nccl([SMALL, system(cpu(0, ONE))])


def test_limits(monkeypatch):
    monkeypatch.setattr(nccl_files, "MAX_CPUS", 1)
    with pytest.raises(InvalidInput, match="a box has at most 1 CPUs"):
        read_nccl([BOX])
    monkeypatch.setattr(nccl_files, "MAX_NODES", 3)
    with pytest.raises(InvalidInput, match="at most 3 nodes are read"):
        read_nccl([SMALL])
