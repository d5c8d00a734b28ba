"""Shows the files of the repository that the guide links to, such as whole programs, with their syntax
highlighted. They are no pages of Sphinx: there are many, and they need neither contents nor search."""

import json
import os
from html import escape
from pathlib import Path, PurePosixPath

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import TextLexer, get_lexer_for_filename
from pygments.util import ClassNotFound

ROOT = Path(__file__).resolve().parents[2]
PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{name} - Superstep</title>
<link rel="stylesheet" href="{root}_static/pygments.css">
<link rel="stylesheet" href="{root}_static/styles/furo.css">
<link rel="stylesheet" href="{root}_static/site.css">
</head>
<body>
<script>document.body.dataset.theme = localStorage.getItem("theme") || "auto";</script>
<main class="source">
<p><a href="{root}index.html">Superstep</a></p>
<h1>{name}</h1>
<p><code>{path}</code></p>
{body}
</main>
<script defer src="{root}_static/site.js"></script>
</body>
</html>
"""


def code(file):
    text = file.read_text("utf-8")
    try:
        lexer = get_lexer_for_filename(file.name)
    except ClassNotFound:
        lexer = TextLexer()
    return highlight(text, lexer, HtmlFormatter(cssclass="highlight"))


def listing(folder, where, known):
    """The files of a folder that have a page here, as links."""
    lines = [
        f'<li><a href="{escape(os.path.relpath(there + ".html", os.path.dirname(where)))}">'
        f"{escape(str(PurePosixPath(path).relative_to(folder)))}</a></li>"
        for there, path in sorted(known.items())
        if path.startswith(folder + "/") and (ROOT / path).is_file()
    ]
    return "<ul>\n" + "\n".join(lines) + "\n</ul>"


def write(app, exception):
    if exception or app.builder.format != "html":
        return
    known = json.loads(os.environ["SITE_SOURCES"])
    for where, path in known.items():
        is_folder = (ROOT / path).is_dir()
        body = listing(path, where, known) if is_folder else code(ROOT / path)
        file = Path(app.outdir, where + ".html")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(
            PAGE.format(name=escape(PurePosixPath(path).name), path=escape(path), body=body,
                        root="../" * where.count("/")), "utf-8")


def setup(app):
    app.connect("build-finished", write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
