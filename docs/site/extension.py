"""What Sphinx does not do by itself: ```math blocks, as GitHub has them, columns of text in docstrings, examples that read
files beside them."""
import builtins
import pathlib
import warnings

from docutils import nodes
from sphinx.transforms import SphinxTransform


class MathBlocks(SphinxTransform):
    """A block of code in the language `math` is a formula."""

    default_priority = 210

    def apply(self):
        for block in list(self.document.findall(nodes.literal_block)):
            if block.get("language") == "math":
                block.replace_self(nodes.math_block("", block.astext(), nowrap=False, number=None, label=None))


def literal_columns(app, what, name, object, options, lines):
    """Indented text in the docstring of a module is a table or a program: as it stands, not as a quotation."""
    if what != "module":
        return
    shown = []
    for line in lines:
        if line.startswith("    ") and shown and not shown[-1].strip():
            starts = not any(previous.startswith("    ") for previous in shown[-2:])
            shown += ["::", ""] if starts else []
        shown.append(line)
    lines[:] = shown


def attributes_as_parameters(app, what, name, object, options, lines):
    """napoleon loses the underscore of `eigenvalues_` in attributes, and not in parameters."""
    for number in range(len(lines) - 1):
        if lines[number] == "Attributes" and lines[number + 1].startswith("---"):
            lines[number:number + 2] = ["After fit", "---------"]


def gallery_without_contents(app, page, template, context, doctree):
    """The gallery's page has no headings, for which furo's script is not prepared."""
    if page == "gallery/index":
        context["meta"]["hide-toc"] = ""


def before_example(gallery, name):
    """`__file__`, which sphinx-gallery leaves undefined, and warnings without the path of the file that they come from."""
    warnings.formatwarning = lambda message, category, *_, **__: f"{category.__name__}: {message}\n"
    builtins.__file__ = str(pathlib.Path(gallery["examples_dirs"][0], name or ""))


def setup(app):
    app.add_transform(MathBlocks)
    app.connect("autodoc-process-docstring", literal_columns)
    app.connect("autodoc-process-docstring", attributes_as_parameters, priority=400)  # before napoleon
    app.connect("html-page-context", gallery_without_contents, priority=400)  # before furo
    return {"parallel_read_safe": True, "parallel_write_safe": True}
