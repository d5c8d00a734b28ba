"""Gives each page the parts of the site and their pages. The theme could, too, but makes the whole tree
anew for each page, which was half of the time of a build."""

from sphinx import addnodes


def parts(app):
    home = app.env.get_doctree(app.config.root_doc)
    return [
        (tree["caption"], [(name, app.env.titles[name].astext()) for _, name in tree["entries"]])
        for tree in home.findall(addnodes.toctree)
    ]


def add(app, pagename, templatename, context, doctree):
    if not hasattr(app, "site_parts"):
        app.site_parts = parts(app)
    context["toctree"] = lambda **options: ""
    context["site_parts"] = [
        {
            "title": title,
            # The home page shows where to begin.
            "is_open": any(name == pagename for name, _ in pages) or (pagename == "index" and title == "Start"),
            "pages": [
                {"name": name, "title": text, "is_current": name == pagename} for name, text in pages
            ],
        }
        for title, pages in app.site_parts
    ]


def setup(app):
    # Before the theme asks for its tree.
    app.connect("html-page-context", add, priority=100)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
