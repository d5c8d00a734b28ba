"""Checks that every link of a built site that stays in it leads to a file, and to an anchor in it."""

import os
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """The links and the anchors of a page."""

    def __init__(self):
        super().__init__()
        self.links = []
        self.anchors = set()

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        for name in ("id", "name"):
            if values.get(name) and (name == "id" or tag == "a"):
                self.anchors.add(values[name])
        for name in ("href", "src", "action"):
            if values.get(name):
                self.links.append(values[name])


@dataclass
class Report:
    pages: int = 0
    internal: int = 0
    external: set = field(default_factory=set)
    faults: list = field(default_factory=list)


def check(site):
    """Looks at all pages. Of Javadoc, whose links javadoc makes, only the files are looked at."""
    site = Path(site)
    pages = {}
    for file in site.rglob("*.html"):
        if file.relative_to(site).parts[0] != "api":
            page = Page()
            page.feed(file.read_text("utf-8"))
            pages[str(file)] = page
    report = Report(pages=len(pages))
    for file, page in sorted(pages.items()):
        for link in page.links:
            check_link(site, Path(file), link, pages, report)
    return report


def check_link(site, file, link, pages, report):
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        report.external.add(link)
        return
    report.internal += 1
    where = file.relative_to(site)
    target = file if not parts.path else Path(os.path.normpath(file.parent / unquote(parts.path)))
    if not target.is_relative_to(site) or not target.is_file():
        report.faults.append(f"{where}: {link} leads to no file")
    elif parts.fragment and str(target) in pages:
        if unquote(parts.fragment) not in pages[str(target)].anchors:
            report.faults.append(f"{where}: {link} leads to no anchor")
