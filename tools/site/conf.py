"""Sphinx's configuration of the site. tools/site/stage.py makes the folder that it reads; ./dev docs runs both."""
import pathlib
import re
import sys

from pygments.lexer import RegexLexer
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Text

HERE = pathlib.Path(__file__).resolve().parent

project = "libpto"
author = "the libpto authors"
copyright = "the libpto authors, Apache License 2.0"
release = re.search(r"version: '([^']+)'", (HERE.parents[1] / "meson.build").read_text())[1]
extensions = ["myst_parser"]
root_doc = "index"
source_suffix = {".md": "markdown"}
myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence"]
# Links into the repository that lead to no page of the site are files for download.
nitpicky = False
html_theme = "pydata_sphinx_theme"
html_title = "libpto"
html_static_path = [str(HERE / "_static")]
# What rustdoc and javadoc made (languages.py); Go has a page.
LANGUAGES = HERE.parents[1] / "build/docs/languages"
html_extra_path = [str(LANGUAGES)] if LANGUAGES.is_dir() else []
html_css_files = ["libpto.css"]
html_copy_source = False
html_show_sourcelink = False
# Summaries of results are fetched, which browsers refuse for pages from a disk.
html_show_search_summary = False
html_theme_options = {
    "logo": {"text": "libpto"},
    "navbar_end": ["theme-switcher"],
    "header_links_before_dropdown": 6,
    "show_toc_level": 2,
    "navigation_with_keys": True,
    "show_prev_next": True,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
}
html_context = {"default_mode": "auto"}


class PtoLexer(RegexLexer):
    """Colours of PTO-AS."""
    name, aliases = "PTO-AS", ["pto"]
    tokens = {
        "root": [
            (r"//[^\n]*", Comment),
            (r'"[^"\n]*"', String),
            (r"%[\w#$.]+", Name.Variable),
            (r"@\w+", Name.Function),
            (r"![\w.]+|#[\w.]+", Name.Class),
            (r"\b(module|func\.func|return|attributes|ins|outs)\b", Keyword),
            (r"\b(pto|arith|scf|math|memref|vector|cf|builtin)\.[\w.]+", Keyword),
            (r"\b(to|step|else|iter_args)\b", Keyword),
            (r"-?\b(0x[0-9a-fA-F]+|\d+(\.\d*)?([eE][-+]?\d+)?)\b", Number),
            (r"->|=", Operator),
            (r"[\w.]+", Text),
            (r"[\[\](){}<>,:;?*]", Punctuation),
            (r"\s+|.", Text),
        ],
    }


def setup(app):
    app.add_lexer("pto", PtoLexer)
