"""The site: the repository itself is the source, so that no page stands twice.

Nothing is fetched, neither now nor by a reader: no inventory of another project is asked for, the
pages write mathematics as plain text, and the theme brings its fonts and scripts along.
"""

import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

from docutils.nodes import Element, TextElement
from pygments.lexers.special import TextLexer
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.nodes import make_refnode

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
# Kernels of notebooks and the commands that they call are processes of their own.
os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT), *filter(None, [os.getenv("PYTHONPATH")])])
os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
if not shutil.which("exactsched"):  # the package is not installed: its command, from the tree
    _COMMANDS = tempfile.TemporaryDirectory()
    command = Path(_COMMANDS.name, "exactsched")
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m exactsched "$@"\n')
    command.chmod(0o755)
    os.environ["PATH"] = os.pathsep.join([_COMMANDS.name, os.environ["PATH"]])

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
_LABEL = re.compile(r"^(Method|Limits|Reference|Raises)(:| )")


def _prose(text: str) -> str:
    """Plain text as reStructuredText: its stars, bars and underscores mean themselves."""
    pieces = _CODE.split(text)
    for place, piece in enumerate(pieces):
        if place % 2 == 0:
            pieces[place] = re.sub(r"([*|_\\])", r"\\\1", piece)
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


def setup(app: Sphinx) -> None:
    app.add_lexer("csv", TextLexer)
    app.connect("autodoc-process-docstring", _docstring)
    app.connect("missing-reference", _public_or_plain)
