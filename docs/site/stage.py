"""Lays out the pages of the site as Sphinx reads them: the guide at the root, and beside it whatever
the pages link to, so that no link leaves the site for a file that is not there."""

import os
import re
import shutil
from dataclasses import dataclass, field
from pathlib import Path

GUIDE = "docs/guide/"
UNLISTED = ("target", "node_modules", "package-lock.json")
PAGE_MAX_BYTES = 150_000
LINK = re.compile(r"\]\(([^)\s]+)\)")
DEFINITION = re.compile(r"^(\s{0,3}\[[^\]]+\]:\s+)(\S+)")
FENCE = re.compile(r"^\s*(```+|~~~+)")
CODE_SPAN = re.compile(r"(`+[^`]*`+)")


class Faults(Exception):
    """What keeps the site from being built, one sentence for each fault."""


@dataclass
class Navigation:
    """The parts of the site in their order, each with the pages in theirs."""

    parts: list = field(default_factory=list)

    @staticmethod
    def read(file):
        navigation = Navigation()
        for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
            entry = line.strip()
            if not entry or entry.startswith("#"):
                continue
            if line[0] != " ":
                navigation.parts.append((entry, []))
            elif not navigation.parts:
                raise Faults([f"{file}:{number}: {entry} stands before the first part"])
            else:
                page = entry[1:] if entry.startswith("/") else GUIDE + entry
                navigation.parts[-1][1].append(page)
        return navigation

    def pages(self):
        return [page for _, pages in self.parts for page in pages]

    def faults(self, root):
        pages = self.pages()
        guide = sorted(str(f.relative_to(root)) for f in (root / GUIDE).rglob("*.md"))
        for page in guide:
            if page != GUIDE + "README.md" and page not in pages:
                yield f"{page} is in no part of the site. Add it to docs/site/navigation.txt."
        for page in sorted(set(pages)):
            if not (root / page).is_file():
                yield f"docs/site/navigation.txt names {page}, which is not there."
            if pages.count(page) > 1:
                yield f"docs/site/navigation.txt names {page} {pages.count(page)} times."


def document(path):
    """Where the file of the repository at a path stands in the site, without its ending."""
    if path.startswith(GUIDE) and path.endswith(".md"):
        return re.sub(r"README$", "index", path[len(GUIDE):-len(".md")])
    if path.endswith(".md"):
        below = path[len("docs/"):] if path.startswith("docs/") else path
        name = re.sub(r"README$", "index" if "/" in below else "readme", below[:-len(".md")])
        return "project/" + name.replace("CHANGELOG", "changelog").lower()
    return "source/" + path.rstrip("/")


class Stage:
    """Writes into one folder the pages that Sphinx reads: those of the guide, those in the navigation,
    and what the guide links to. What other pages link to is copied into another folder as it is."""

    def __init__(self, root, target):
        self.root = root
        self.target = target
        self.extra = target.parent / (target.name + "-extra")
        self.navigation = Navigation.read(root / "docs/site/navigation.txt")
        self.pages = [GUIDE + "README.md"] + [p for p in self.navigation.pages() if (root / p).is_file()]
        self.written = set()
        self.faults = []

    def run(self):
        self.faults += self.navigation.faults(self.root)
        # The list grows while it is read.
        for path in self.pages:
            self.follow(path)
        for path in self.pages:
            if path.endswith(".md"):
                self.put(document(path), self.page(path, (self.root / path).read_text("utf-8")))
        for old in [*self.target.rglob("*.md"), *self.extra.rglob("*.txt")]:
            if old not in self.written:
                old.unlink()
        if self.faults:
            raise Faults(self.faults)

    def follow(self, path):
        found = []
        if (self.root / path).is_dir():
            found = self.files(path)
        elif path.startswith(GUIDE) and path.endswith(".md"):
            self.links(path, (self.root / path).read_text("utf-8"), lambda _, target: found.append(target))
        for target in found:
            if target not in self.pages and not self.is_plain(target):
                self.pages.append(target)

    def names(self):
        """All pages of the site, without their ending."""
        return {document(path) for path in self.pages} | {"search"}

    def sources(self):
        """Files and folders that are shown as they are: where in the site, and where in the repository."""
        return {document(path): path for path in self.pages if not path.endswith(".md")}

    def is_plain(self, path):
        """Whether a file is too large, or is no text."""
        file = self.root / path
        if file.is_dir() or path in self.pages:
            return False
        if file.stat().st_size > PAGE_MAX_BYTES:
            return True
        try:
            file.read_text("utf-8")
            return False
        except UnicodeDecodeError:
            return True

    def put(self, name, text):
        """Leaves a file alone that is the same already, so that Sphinx need not read it again."""
        file = self.target / (name + ".md")
        self.written.add(file)
        if file.is_file() and file.read_text("utf-8") == text:
            return
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")

    def page(self, path, text):
        body = self.links(path, text, self.href)
        if path == GUIDE + "README.md":
            return body + self.contents()
        if path not in self.navigation.pages():
            return "---\norphan: true\n---\n\n" + body
        return body

    def contents(self):
        blocks = []
        for part, pages in self.navigation.parts:
            names = "\n".join("/" + document(page) for page in pages)
            blocks.append(f"\n```{{toctree}}\n:hidden:\n:caption: {part}\n\n{names}\n```\n")
        return "".join(blocks)

    def files(self, path):
        folder = self.root / path
        found = []
        for file in sorted(folder.rglob("*")):
            parts = file.relative_to(folder).parts
            if file.is_file() and not any(p in UNLISTED or p.startswith(".") for p in parts):
                found.append(str(file.relative_to(self.root)))
        return found

    def links(self, path, text, change):
        """The text with its links changed; links in code stay."""
        lines = []
        fence = None
        for number, line in enumerate(text.split("\n"), 1):
            mark = FENCE.match(line)
            if mark and (fence is None or mark.group(1).startswith(fence)):
                fence = mark.group(1) if fence is None else None
            elif fence is None and not mark:
                where = f"{path}:{number}"
                pieces = CODE_SPAN.split(line)
                pieces[::2] = [
                    LINK.sub(lambda m: f"]({self.link(path, where, m.group(1), change)})", piece)
                    for piece in pieces[::2]]
                line = DEFINITION.sub(
                    lambda m: m.group(1) + self.link(path, where, m.group(2), change), "".join(pieces))
            lines.append(line)
        return "\n".join(lines)

    def link(self, path, where, target, change):
        if re.match(r"[a-z]+:", target) or target.startswith("#"):
            return target
        name, mark, anchor = target.partition("#")
        found = os.path.normpath(os.path.join(os.path.dirname(path), name))
        if found.startswith("..") or not (self.root / found).exists():
            fault = f"{where}: the link {target} leads to {found}, which is not there."
            self.faults += [fault] if fault not in self.faults else []
            return target
        changed = change(path, found)
        return target if changed is None else changed + mark + anchor

    def href(self, path, found):
        """A link from one file of the repository to another, between their pages in the site."""
        here = os.path.dirname(document(path)) or "."
        if found.endswith(".png"):
            return os.path.relpath(self.image(found), here)
        if found not in self.pages:
            return "plain:" + os.path.relpath(self.copy(found), here)
        if found.endswith(".md"):
            return os.path.relpath(document(found) + ".md", here)
        return "plain:" + os.path.relpath(document(found) + ".html", here)

    def image(self, path):
        """Copies an image, which Sphinx puts into its own folder."""
        name = "images/" + path.removeprefix(GUIDE).replace("/", "-")
        file = self.target / name
        file.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(self.root / path, file)
        return name

    def copy(self, path):
        """Copies a file, or the names of the files in a folder, as text that every browser shows."""
        is_folder = (self.root / path).is_dir()
        name = "files/" + path + ("/index.txt" if is_folder else ".txt")
        file = self.extra / name
        if file not in self.written:
            self.written.add(file)
            file.parent.mkdir(parents=True, exist_ok=True)
            if is_folder:
                file.write_text("\n".join(self.files(path)) + "\n", "utf-8")
            else:
                shutil.copyfile(self.root / path, file)
        return name
