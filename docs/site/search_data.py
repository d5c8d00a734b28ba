"""Writes what the search of the site looks through: every section of every page, as a script, since
a page that was opened from disk may load scripts but no other files."""

import json
from pathlib import Path

from docutils import nodes

WEIGHTS = [("project/decisions", 0.25), ("project/", 0.45), ("index", 0.6), ("start/coming-from", 0.7),
           ("start/from-", 0.7), ("reference/rag", 0.75), ("reference/glossary", 0.85)]
HERE = Path(__file__).resolve().parent


def sections(document):
    """Title, anchor, prose and code of each section, without the sections in it."""
    found = []
    for section in document.findall(nodes.section):
        title = section.next_node(nodes.title)
        own = [child for child in section if not isinstance(child, (nodes.section, nodes.title))]
        prose = " ".join(text_of(child) for child in own)
        code = " ".join(block.astext() for child in own for block in child.findall(nodes.literal_block))
        anchor = (section.get("slug") or section["ids"][0]) if section["ids"] else ""
        found.append([title.astext(), anchor, " ".join(prose.split()), " ".join(code.split())])
    return found


def text_of(node):
    """Its prose, with a space between the cells and paragraphs in it."""
    if isinstance(node, (nodes.comment, nodes.raw, nodes.literal_block)):
        return ""
    if isinstance(node, nodes.TextElement):
        return node.astext()
    return " ".join(text_of(child) for child in node.children)


def title_parts(env):
    """The part of each page, from the contents of the home page."""
    parts = {}
    for tree in env.get_doctree(env.config.root_doc).findall():
        if tree.tagname == "toctree":
            for _, name in tree["entries"]:
                parts[name] = tree.get("caption") or ""
    return parts


def weight(name):
    return next((value for start, value in WEIGHTS if name.startswith(start)), 1)


def write_data(app, exception):
    if exception or app.builder.format != "html":
        return
    parts = title_parts(app.env)
    pages = []
    for name in sorted(app.env.found_docs):
        if not name.startswith("source/"):
            found = sections(app.env.get_doctree(name))
            if found:
                pages.append([name + ".html", parts.get(name, ""), weight(name), found])
    data = {"pages": pages, "synonyms": synonyms()}
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    Path(app.outdir, "_static", "search-data.js").write_text(f"window.siteSearchData={text};\n", "utf-8")


def synonyms():
    lines = (HERE / "synonyms.txt").read_text("utf-8").splitlines()
    return [line.split(": ", 1) for line in lines if line.strip() and not line.startswith("#")]


def search_page(app):
    yield "search", {"title": "Search"}, "find.html"


def without_own_search(app):
    app.builder.search = False


def setup(app):
    app.connect("builder-inited", without_own_search)
    app.connect("html-collect-pages", search_page)
    app.connect("build-finished", write_data)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
