"""A certificate as one HTML page: pictures, tables, and the bound explained in words."""

from __future__ import annotations

from fractions import Fraction
from html import escape
from itertools import islice

from exactsched.certificate import (
    Bound,
    BroadcastCertificate,
    EnterBranching,
    Leaf,
    PeriodicSchedule,
    RunCertificate,
    SeriesCertificate,
)
from exactsched.drawing.key import Key, key_of
from exactsched.drawing.lettering import counted, listed, printable, short
from exactsched.drawing.picture import chart_panel, graph_panel, headline
from exactsched.drawing.platform_graph import arc_name
from exactsched.drawing.timeline import bars
from exactsched.platform import Arc
from exactsched.problem import Broadcast
from exactsched.schedule import depths, steps

_MOST_TREES = 60
_MOST_STEPS = 60
_MOST_TRANSFERS = 200
_MOST_ARCS = 60
_DIGITS = 40

_STYLE = """
:root{--ink:#1d2733;--soft:#5b6775;--rule:#d5dbe3;--paper:#fff;--ground:#f6f7f9;--accent:#0072b2}
@media(prefers-color-scheme:dark){:root{--ink:#e6eaf0;--soft:#a3afbf;--rule:#3a4553;--paper:#1b222c;
--ground:#12171e;--accent:#56b4e9}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.6 Inter,"Helvetica Neue",
Helvetica,Arial,sans-serif}
main{max-width:72rem;margin:0 auto;padding:2.5rem 1.25rem 4rem}
h1{font-size:1.75rem;line-height:1.25;margin:0 0 .25rem;overflow-wrap:anywhere}
h2{font-size:1.15rem;margin:2.5rem 0 .75rem}
p{max-width:44rem;margin:.5rem 0;overflow-wrap:anywhere}
.result{font-size:1.15rem;color:var(--accent);font-weight:600}
.soft{color:var(--soft);font-size:.9rem}
.scroll{overflow-x:auto;border:1px solid var(--rule);border-radius:8px}
figure{margin:1rem 0;background:#fff}
figure svg{display:block;margin:0 auto}
table{border-collapse:collapse;width:100%;background:var(--paper);font-size:.9rem;
font-variant-numeric:tabular-nums}
th,td{text-align:left;vertical-align:top;padding:.45rem .8rem;border-bottom:1px solid var(--rule)}
th{font-weight:600;color:var(--soft);white-space:nowrap}
tr:last-child td{border-bottom:0}
td.n{white-space:nowrap}
.swatch{display:inline-block;width:.9em;height:.9em;border-radius:3px;margin-right:.55em;
vertical-align:-.1em}
code{font:0.9em ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;background:var(--rule);
padding:.1em .35em;border-radius:4px}
"""


def html_document(certificate: BroadcastCertificate) -> str:
    """One self-contained document: no script, nothing loaded from elsewhere."""
    key = key_of(certificate)
    title, result = headline(certificate)
    chart = chart_panel(certificate, key)
    parts = [f"<h1>{escape(title)}</h1>", f'<p class="result">{escape(result)}</p>']
    parts.append(_figure(graph_panel(certificate, key).document("Platform and trees", 20)))
    if chart:
        parts.append(_figure(chart.document("Gantt chart", 20)))
    if isinstance(certificate, SeriesCertificate) and certificate.schedule:
        parts += _trees(certificate.problem, certificate.schedule, key)
        parts += _steps(certificate.problem, certificate.schedule)
    elif isinstance(certificate, RunCertificate):
        parts += _transfers(certificate)
    parts += ["<h2>Why nothing is better</h2>", *_paragraphs(_bound(certificate))]
    parts += [
        "<h2>How to check it</h2>",
        "<p>This page repeats what the certificate states. The certificate carries its own proof,"
        " which a program without any solver reads: <code>exactsched check FILE</code>.</p>",
    ]
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head>\n<body><main>\n"
        + "\n".join(parts)
        + "\n</main></body></html>\n"
    )


def _figure(svg: str) -> str:
    return f'<figure class="scroll">{svg}</figure>'


def _paragraphs(texts: list[str]) -> list[str]:
    return [f"<p>{escape(text)}</p>" for text in texts]


def _table(head: list[str], rows: list[list[str]]) -> str:
    """Cells are markup; those of all columns but the last do not break."""
    titles = "".join(f"<th>{escape(title)}</th>" for title in head)
    lines = "\n".join(
        "<tr>"
        + "".join(f'<td class="n">{cell}</td>' for cell in row[:-1])
        + f"<td>{row[-1]}</td></tr>"
        for row in rows
    )
    return f'<div class="scroll"><table><tr>{titles}</tr>\n{lines}</table></div>'


def _left_out(shown: int, total: int, noun: str) -> list[str]:
    if shown >= total:
        return []
    return [f'<p class="soft">The first {shown} of {counted(total, noun)}.</p>']


def _arcs(arcs: list[Arc]) -> str:
    named = ", ".join(arc_name(arc) for arc in arcs[:_MOST_ARCS])
    more = f", \u2026 {counted(len(arcs), 'arc')}" if len(arcs) > _MOST_ARCS else ""
    return escape(named + more)


def _trees(problem: Broadcast, schedule: PeriodicSchedule, key: Key) -> list[str]:
    platform = problem.platform
    rows = []
    for index in key.ranks[:_MOST_TREES]:
        tree = schedule.trees[index]
        depth = max(depths(platform, problem.source, tree.arcs).values())
        swatch = f'<span class="swatch" style="background:{key.flow_colors[index]}"></span>'
        rows.append(
            [
                f"{swatch}{index + 1}",
                short(tree.messages / schedule.period, _DIGITS),
                short(tree.messages, _DIGITS),
                str(depth),
                _arcs([platform.arcs[arc] for arc in tree.arcs]),
            ]
        )
    return [
        "<h2>Trees</h2>",
        _table(["tree", "messages per time unit", "per period", "depth", "arcs"], rows),
        *_left_out(len(rows), len(schedule.trees), "tree"),
        '<p class="soft">A node at depth d of a tree forwards in each period what it received in'
        " the period before; so after as many periods as the largest depth all trees run at full"
        " speed.</p>",
    ]


def _steps(problem: Broadcast, schedule: PeriodicSchedule) -> list[str]:
    moments = sorted({time for _, start, end in schedule.slots for time in (start, end)})
    total = max(0, len(moments) - 1)
    # Steps cost time proportional to the arcs at work in each; only the first ones are shown.
    until = moments[min(_MOST_STEPS, total)]
    beginning = PeriodicSchedule(
        schedule.period,
        schedule.tick,
        schedule.trees,
        tuple((arc, start, min(end, until)) for arc, start, end in schedule.slots if start < until),
        schedule.whole,
    )
    arcs = problem.platform.arcs
    time = moments[0] * schedule.tick
    rows = []
    for number, (duration, active) in enumerate(steps(beginning), start=1):
        at_work = _arcs([arcs[arc] for arc in active]) or "none"
        rows.append([str(number), short(time, 20), short(duration, 20), at_work])
        time += duration
    return [
        "<h2>Steps of one period</h2>",
        _table(["step", "begins at", "lasts", "arcs at work together"], rows),
        *_left_out(len(rows), total, "step"),
        f'<p class="soft">The period is {escape(short(schedule.period, _DIGITS))} time units. '
        + (
            "No message is interrupted.</p>"
            if schedule.whole
            else "Messages may be interrupted.</p>"
        ),
    ]


def _transfers(run: RunCertificate) -> list[str]:
    arcs = run.problem.platform.arcs
    rows = [
        [
            str(bar.stream),
            short(bar.start, 20),
            short(bar.end, 20),
            escape(arc_name(arcs[bar.arc])),
        ]
        for bar in islice(bars(run), _MOST_TRANSFERS)
    ]
    return [
        "<h2>Transfers</h2>",
        _table(["packet", "begins at", "ends at", "arc"], rows),
        *_left_out(len(rows), len(run.transfers), "transfer"),
    ]


def _bound(certificate: BroadcastCertificate) -> list[str]:
    value = short(certificate.bound_value, _DIGITS)
    if isinstance(certificate.bound, Leaf):
        return _leaf(certificate, certificate.bound, value)
    if isinstance(certificate.bound, EnterBranching):
        node = printable(certificate.bound.node)
        cases = f"A tree enters {node} by exactly one arc, so one of {_cases(certificate.bound)}"
    else:
        arcs = certificate.problem.platform.arcs
        cycle = ", ".join(arc_name(arcs[arc]) for arc in certificate.bound.cycle[:8])
        cases = (
            f"An acyclic set of arcs misses at least one arc of the cycle {cycle}, so one of"
            f" {_cases(certificate.bound)}"
        )
    return [
        f"{cases} must hold. In each case some arcs are excluded and ports have prices, which bound"
        f" the throughput; the largest of these bounds is {value} per time unit."
    ]


def _cases(bound: Bound) -> str:
    waiting, leaves = [bound], 0
    while waiting:
        one = waiting.pop()
        if isinstance(one, Leaf):
            leaves += 1
        else:
            waiting.extend(case.bound for case in one.cases)
    return counted(leaves, "case")


def _leaf(certificate: BroadcastCertificate, leaf: Leaf, value: str) -> list[str]:
    problem = certificate.problem
    prices = {name: price for name, price in leaf.prices.items() if price}
    sets = [leaf.order[start:stop] for start, stop, _ in leaf.cuts]
    if not prices:
        who = listed(sets[0]) if sets else "them"
        return [
            f"No arc enters {who} from outside, so no message ever arrives there: throughput 0."
        ]
    dearest = sorted(prices.items(), key=lambda item: -item[1])
    shown = ", ".join(
        f"{short(price, 20)} on {_resource(problem, name)}" for name, price in dearest[:8]
    )
    more = f" and so on, {counted(len(prices), 'price')}" if len(prices) > 8 else ""
    total = sum(prices.values(), Fraction(0))
    weight = sum((weight for _, _, weight in leaf.cuts), Fraction(0))
    if len(sets) == 1:
        entered = f"every message must enter the set {listed(sets[0])} at least once"
    else:
        some = "; ".join(listed(nodes, 8) for nodes in sets[:4])
        entered = (
            f"every message must enter each of {counted(len(sets), 'set')} of nodes at least once:"
            f" {some}" + ("; \u2026" if len(sets) > 4 else "")
        )
    charged = (
        f"Prices: {shown}{more}. Charge each transfer its time at these prices. Whatever the"
        f" schedule, {entered}; the entering transfers of one message"
        f" of size 1 are charged at least W = {short(weight, 30)} in total."
    )
    at_most = f"The ports together can be charged at most Y = {short(total, 30)} per time unit"
    if isinstance(certificate, RunCertificate):
        size = sum(certificate.packets, Fraction(0))
        startup = sum((weight for _, _, weight in leaf.startup_cuts), Fraction(0))
        extra = f" + {short(startup, 20)} for start-ups" if startup else ""
        return [
            charged,
            f"{at_most}, and the packets have the size {short(size, 30)} in total: they take at"
            f" least ({short(size, 30)} * W{extra}) / Y = {value} time units.",
        ]
    rounded = (
        " For a single tree, whose load is a multiple of a unit of time, this is rounded down"
        " accordingly."
        if problem.restrict == "tree"
        else ""
    )
    return [charged, f"{at_most}, so the throughput is at most Y / W = {value}.{rounded}"]


def _resource(problem: Broadcast, name: str) -> str:
    side, _, which = name.partition(":")
    if side == "link":
        return f"the link {arc_name(problem.platform.arcs[int(which)])}"
    return f"{side}:{printable(which, 40)}"
