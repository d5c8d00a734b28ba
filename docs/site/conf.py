"""How Sphinx makes the site of the pages that stage.py laid out. Started by build.py."""

import os
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

project = "Superstep"
html_title = "Superstep"
extensions = ["myst_parser", "navigation", "search_data", "sources"]
# Copies of files that are no pages; stage.py writes them and links to them.
html_extra_path = [os.environ["SITE_EXTRA"]]
myst_url_schemes = {"http": None, "https": None, "mailto": None, "plain": "{{path}}"}

# Anchors as GitHub makes them, so that the same links work there.
myst_heading_anchors = 6
# A block of code may be in a form that its lexer does not know; levels of headings may be left out.
suppress_warnings = ["misc.highlighting_failure", "myst.header"]

html_theme = "furo"
html_static_path = [str(HERE / "static")]
templates_path = [str(HERE / "templates")]
html_css_files = ["site.css"]
html_js_files = [("search.js", {"defer": "defer"}), ("site.js", {"defer": "defer"})]
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
html_use_index = False
html_domain_indices = False
html_sidebars = {
    "**": [
        "sidebar/brand.html",
        "sidebar/find.html",
        "sidebar/scroll-start.html",
        "sidebar/parts.html",
        "sidebar/scroll-end.html",
    ]
}
html_context = {"has_api": os.environ.get("SITE_API") == "yes"}
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"
