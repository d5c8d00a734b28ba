"""Gives each page the parts of the site and their pages. The theme could, too, but makes the whole tree
anew for each page, which was half of the time of a build."""

from sphinx import addnodes


def parts(env):
    home = env.get_doctree(env.config.root_doc)
    return [
        (tree["caption"], [(name, env.titles[name].astext()) for _, name in tree["entries"] if name in env.titles])
        for tree in home.findall(addnodes.toctree)
    ]


def rewritten(app, env):
    """All pages, if what they all show has changed; Sphinx knows of its own trees only."""
    before = getattr(env, "site_parts", None)
    env.site_parts = parts(env)
    return [] if before == env.site_parts else sorted(env.found_docs)


def add(app, pagename, templatename, context, doctree):
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
        for title, pages in app.env.site_parts
    ]


def setup(app):
    app.connect("env-updated", rewritten)
    # Before the theme asks for its tree.
    app.connect("html-page-context", add, priority=100)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
