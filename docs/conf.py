"""The site: the repository itself is the source, so that no page stands twice.

Nothing is fetched, neither now nor by a reader: no inventory of another project is asked for, the
build typesets the formulas, which pages write as plain text, and the theme brings its fonts and
scripts along. The build fails if a page would load something from the net.
"""

import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

from docutils import nodes
from docutils.nodes import Element, TextElement
from pygments.lexers.special import TextLexer
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective
from sphinx.util.nodes import make_refnode

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "docs")]
# Kernels of notebooks and the commands that they call are processes of their own.
os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT), *filter(None, [os.getenv("PYTHONPATH")])])
os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
if not shutil.which("exactsched"):  # the package is not installed: its command, from the tree
    _COMMANDS = tempfile.TemporaryDirectory()
    command = Path(_COMMANDS.name, "exactsched")
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m exactsched "$@"\n')
    command.chmod(0o755)
    os.environ["PATH"] = os.pathsep.join([_COMMANDS.name, os.environ["PATH"]])

from building.chooser import answer, page, questions  # noqa: E402
from building.mathematics import pieces  # noqa: E402
from building.offline import loaded_by_site  # noqa: E402

import exactsched  # noqa: E402

project = "exactsched"
author = "the authors of exactsched"
project_copyright = author
release = version = exactsched.__version__

extensions = ["myst_nb", "sphinx.ext.autodoc"]
root_doc = "docs/index"
include_patterns = [
    "docs/**",
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "benchmarks/README.md",
    "tests/README.md",
    "tests/mutation/README.md",
    "proofs/**.md",
]
exclude_patterns = ["docs/redirect", "docs/static", "build", "dist", ".venv*", "**/.*"]

html_theme = "furo"
html_title = f"exactsched {release}"
html_show_sphinx = False
html_copy_source = False
html_static_path = ["static"]
html_css_files = ["site.css"]
html_extra_path = ["redirect"]  # index.html, which leads to docs/index.html

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 6
nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_timeout = 60
nb_execution_in_temp = True  # what a notebook writes does not stay in the tree
nb_render_markdown_format = "gfm"
nb_merge_streams = True

autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
autodoc_member_order = "bysource"
python_display_short_literal_types = True
toc_object_entries_show_parents = "hide"

_PUBLIC = set(exactsched.__all__)
_CODE = re.compile(r"(``.+?``|`.+?`)", re.S)
_PAGE = re.compile(r"\bproofs/([\w-]+)\.md")
_LABEL = re.compile(r"^(Method|Limits|Reference|Raises)(:| )")


def _page_link(named: re.Match[str]) -> str:
    before = "\\ " if named.start() and not named.string[named.start() - 1].isspace() else ""
    return f"{before}:doc:`{named[0]} </proofs/{named[1]}>`\\ "


def _prose(text: str) -> str:
    """Plain text as reStructuredText: its stars, bars and underscores mean themselves."""
    pieces = _CODE.split(text)
    for place, piece in enumerate(pieces):
        if place % 2 == 0:
            plain = re.sub(r"([*|_\\])", r"\\\1", piece)
            pieces[place] = _PAGE.sub(_page_link, plain)
            continue
        name = piece.strip("`")
        if name.isidentifier() and name in _PUBLIC:
            pieces[place] = f":py:obj:`~exactsched.{name}`"
        else:
            pieces[place] = f"``{name}``"
        if place + 1 < len(pieces) and pieces[place + 1][:1].isalnum():
            pieces[place + 1] = "\\ " + pieces[place + 1]
    return "".join(pieces)


def _docstring(
    _app: Sphinx, _what: str, name: str, _obj: object, _options: object, lines: list[str]
) -> None:
    # Modules that can be called: their functions tell what they do.
    called = {
        "exactsched.check": exactsched.check.check,
        "exactsched.export": exactsched.export.export,
    }
    if name in called:
        lines[:] = (called[name].__doc__ or "").splitlines()
        lines[1:] = [line[4:] for line in lines[1:]]
    paragraphs = re.split(r"\n(?:[ \t]*\n)+", "\n".join(lines).strip("\n"))
    written = []
    for paragraph in paragraphs:
        if paragraph.lstrip().startswith(">>>"):
            written.append(paragraph)
        elif paragraph.startswith("    "):
            written.append("::\n\n" + paragraph)
        else:
            label = _LABEL.match(paragraph)
            if label and label[2] == ":":
                head, rest = label[0], paragraph[label.end() :]
                written.append(f"**{head}**" + _prose(rest))
            else:
                written.append(_prose(paragraph))
    lines[:] = [*"\n\n".join(written).splitlines(), ""]


def _public_or_plain(
    app: Sphinx, env: BuildEnvironment, node: pending_xref, contnode: TextElement
) -> Element | None:
    """A type in a signature leads to its public name; one that has none is plain text."""
    if node.get("refdomain") != "py" or node["reftype"] != "class":
        return None
    name = f"exactsched.{node['reftarget'].rpartition('.')[2]}"
    found = env.domains.python_domain.objects.get(name)
    if found is None or not node["reftarget"].startswith("exactsched."):
        return contnode
    return make_refnode(app.builder, node["refdoc"], found.docname, found.node_id, contnode, name)


class Chooser(SphinxDirective):
    """The page with stored answers: the build runs all its commands."""

    def run(self) -> list[nodes.Node]:
        answered = [(question, answer(question)) for question in questions()]
        folder = Path(self.env.app.outdir, self.env.docname)
        return [nodes.raw("", page(answered, folder), format="html")]


_BOXES = {
    "theorem": re.compile(
        r"(statement|theorem|lemma|corollary|proposition|claim)s?\b(?!, and| as printed)", re.I
    ),
    "proof": re.compile(r"proof$|proof\W", re.I),
}
_STYLES = {"sub": nodes.subscript, "sup": nodes.superscript, "var": nodes.emphasis}


def _theorems(app: Sphinx, doctree: nodes.document) -> None:
    """Statements and proofs get boxes; formulas on pages with proofs are typeset."""
    if not app.env.docname.startswith("proofs/"):
        return
    boxed = False
    for node in [*doctree.findall(nodes.section), *doctree.findall(nodes.paragraph)]:
        first = node[0] if node.children else None
        heads = isinstance(node, nodes.section) or isinstance(first, (nodes.strong, nodes.emphasis))
        for box, pattern in _BOXES.items():
            if heads and pattern.match(first.astext()) and not _inside(node, *_BOXES):
                node["classes"].append(box)
                boxed = True
    for node in list(doctree.findall(nodes.Text)):
        if _inside(node, nodes.literal, nodes.literal_block, nodes.raw, nodes.image):
            continue
        _typeset(node, node.astext(), letters=boxed and not _inside(node, nodes.title, nodes.table))
    for node in list(doctree.findall(nodes.literal_block)):
        if boxed and node.get("language", "none") in ("none", "default") and node.parent:
            block = nodes.paragraph(classes=["formulas"])
            block += nodes.Text(node.astext())
            node.replace_self(block)
            _typeset(block[0], node.astext(), letters=True)


def _inside(node: nodes.Node, *kinds: type | str) -> bool:
    while node := node.parent:
        if any(
            k in node.get("classes", ()) if isinstance(k, str) else isinstance(node, k)
            for k in kinds
        ):
            return True
    return False


def _typeset(node: nodes.Node, text: str, *, letters: bool) -> None:
    found = list(pieces(text, letters=letters))
    if found != [("", text)]:
        made = [_STYLES[style]("", piece) if style else nodes.Text(piece) for style, piece in found]
        node.parent.replace(node, made)


def _offline(app: Sphinx, failed: Exception | None) -> None:
    if not failed and app.builder.format == "html":
        for path, address in loaded_by_site(Path(app.outdir)):
            raise ExtensionError(f"{path}: loads {address}: the site reads offline")


def setup(app: Sphinx) -> None:
    app.add_directive("chooser", Chooser)
    app.connect("doctree-read", _theorems)
    app.connect("build-finished", _offline)
    app.add_lexer("csv", TextLexer)
    app.connect("autodoc-process-docstring", _docstring)
    app.connect("missing-reference", _public_or_plain)
