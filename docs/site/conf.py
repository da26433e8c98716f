"""Sphinx: how the site looks. docs/site/stage.py makes the pages it reads, scripts/docs calls both."""
import pathlib
import re
import sys

SITE = pathlib.Path(__file__).resolve().parent
ROOT = SITE.parents[1]
WORK = ROOT / "build/docs-work"
sys.path.insert(0, str(SITE))
import extension  # noqa: E402

project = "itomap"
author = "The itomap authors"
project_copyright = author
release = re.search(r'ITOMAP_VERSION "([^"]+)"', (ROOT / "include/itomap/core/version.hpp").read_text())[1]
language = "en"
exclude_patterns = ["gallery/sg_execution_times.rst"]

extensions = [
    "myst_parser", "breathe", "sphinx.ext.autodoc", "sphinx.ext.autosummary", "sphinx.ext.napoleon", "sphinx.ext.mathjax",
    "sphinx_gallery.gen_gallery", "extension",
]

# Markdown as GitHub reads it: $formulas$, and headings that can be linked to.
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 4

# C++
breathe_projects = {"itomap": str(WORK / "doxygen/xml")}
breathe_default_project = "itomap"
cpp_index_common_prefix = ["itomap::"]
primary_domain = "py"
highlight_language = "text"

# Python
autosummary_generate = False
autodoc_member_order = "bysource"
autodoc_typehints = "none"
napoleon_google_docstring = False
napoleon_use_param = False  # parameters that share a description share a line
napoleon_custom_sections = [("After fit", "params_style")]  # extension.py: what docstrings call Attributes
napoleon_use_rtype = False
default_role = "py:obj"  # `name` in a docstring is a link if there is such a thing, and code if not
add_module_names = False
modindex_common_prefix = ["itomap."]

# Examples: run all, show what they print and the figures they leave open.
sphinx_gallery_conf = {
    "examples_dirs": [str(WORK / "examples/python")],
    "gallery_dirs": ["gallery"],
    "filename_pattern": r"\.py$",
    "capture_repr": (),
    "thumbnail_size": (640, 220),
    "download_all_examples": False,
    "show_memory": False,
    "min_reported_time": 1e6,  # seconds of the machine that built the site say nothing
    "remove_config_comments": True,
    "reset_modules": ("matplotlib", extension.before_example),
}

# MathJax 2.7 in the site itself: docs/site/assets.
myst_update_mathjax = False  # it knows MathJax 3 alone
mathjax_path = "mathjax/MathJax.js?config=TeX-AMS_SVG"
mathjax_options = {"async": "async"}
mathjax2_config = {
    "showMathMenu": False,
    "messageStyle": "none",
    "menuSettings": {"assistiveMML": False},
    "tex2jax": {"inlineMath": [["\\(", "\\)"]], "displayMath": [["\\[", "\\]"]], "processClass": "math"},
    "SVG": {"scale": 90, "linebreaks": {"automatic": False}},
}

html_theme = "furo"
html_title = f"itomap {release}"
html_favicon = str(SITE / "static/icon.svg")
html_static_path = [str(SITE / "static"), str(WORK / "static")]
html_css_files = ["site.css"]
html_copy_source = False
html_domain_indices = False
html_show_sphinx = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#0b5394", "color-brand-content": "#0b5394"},
    "dark_css_variables": {"color-brand-primary": "#7fb8ee", "color-brand-content": "#7fb8ee"},
}
