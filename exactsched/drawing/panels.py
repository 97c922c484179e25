"""The panels of a scene by name: one of them can be drawn alone."""

from __future__ import annotations

from dataclasses import replace

from exactsched.drawing.scene import Figure, Motion, Panels, Scene, Table, Timeline, Words
from exactsched.exact.errors import InvalidInput


def panel_names(scene: Scene) -> tuple[str, ...]:
    """The names of all panels, in the order of the page.

    >>> part = Words("Why", ("It is so.",), panel="why")
    >>> panel_names(Scene("title", "result", (part, Words("", ("no panel",)))))
    ('why',)
    """
    names = [
        one.panel
        for part in scene.parts
        for one in (part.figures if isinstance(part, Panels) else (part,))
        if not isinstance(one, Motion)
    ]
    return tuple(dict.fromkeys(name for name in names if name))


def on_paper(scene: Scene) -> Scene:
    """The scene for those who have no pointer: nothing refers to it.

    >>> on_paper(Scene("title", "result", ())).parts
    ()
    """
    parts = tuple(
        replace(part, figures=tuple(replace(one, printed=True) for one in part.figures))
        if isinstance(part, Panels)
        else part
        for part in scene.parts
    )
    return replace(scene, parts=parts)


def panel_of(scene: Scene, name: str) -> Scene:
    """The scene with nothing but this panel, without title and result.

    Raises `InvalidInput`, which lists the panels that there are.

    >>> part = Words("Why", ("It is so.",), where="page", panel="why")
    >>> panel_of(Scene("title", "result", (part,)), "why").parts[0].where
    'everywhere'
    """
    names = panel_names(scene)
    if name not in names:
        rule = f"the panels here are {', '.join(names)}" if names else "this picture has no panels"
        raise InvalidInput("panel", name, rule)
    parts: list[Panels | Table | Words] = []
    for part in scene.parts:
        match part:
            case Panels():
                figures = tuple(_alone(one) for one in part.figures if one.panel == name)
                if figures:
                    # Notes of a row are those of its first panel.
                    notes = part.notes if part.figures[0].panel == name else ()
                    parts.append(replace(part, figures=figures, notes=notes, where="everywhere"))
            case Words() | Table() if part.panel == name:
                parts.append(replace(part, where="everywhere"))
            case _:
                pass
    return replace(scene, parts=tuple(parts))


def _alone(figure: Figure) -> Figure:
    """Bars without the figure's title, which a caption has; with what their colors mean."""
    legend = figure.legend or figure.alone
    title = "" if isinstance(figure.drawing, Timeline) else figure.title
    return replace(figure, title=title, legend=legend)
