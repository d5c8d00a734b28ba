"""Builds the site of the documentation: build.py [--out FOLDER] [--api FOLDER] [--draft] [--prepare].

Sphinx and what it needs are installed once, into a virtual environment below the user's cache, at the
versions and hashes of requirements.txt. Needs Python 3.11 or newer with venv and pip."""

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

# Nothing is written between the sources.
sys.dont_write_bytecode = True

import links
import stage

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
CANNOT_INSTALL = 3
FAULTY = 1


def environment():
    """The Python of the virtual environment for these requirements, made if it is not there."""
    requirements = HERE / "requirements.txt"
    tag = hashlib.sha256(requirements.read_bytes() + sys.version.encode()).hexdigest()[:12]
    cache = Path(os.environ.get("SUPERSTEP_SITE_CACHE", Path.home() / ".cache/superstep"))
    folder = cache / f"site-{tag}"
    python = folder / "bin/python"
    if (folder / "complete").exists():
        return python
    say("installing Sphinx, once ...")
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    subprocess.run(
        [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary=:all:",
         "--no-deps", "--require-hashes", "--requirement", requirements], check=True)
    (folder / "complete").touch()
    return python


def sphinx(python, pages, out, given):
    """Runs Sphinx; any warning fails, so a link or an anchor that leads nowhere does."""
    variables = dict(os.environ, PYTHONDONTWRITEBYTECODE="1", SITE_API="yes" if given.api else "no",
                     SITE_EXTRA=str(pages.extra), SITE_SOURCES=json.dumps(pages.sources()))
    command = [python, "-m", "sphinx", "-q", "-b", "html", "-j", "auto", "-W", "--keep-going",
               "-c", HERE, "-d", out.parent / (out.name + "-doctrees"), pages.target, out]
    return subprocess.run(command, env=variables, check=False).returncode == 0


def copy_api(folder, copy):
    """Copies Javadoc, and gives it dark colours, which its own style sheet does not have."""
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(folder, copy)
    with open(copy / "resource-files/stylesheet.css", "a", encoding="utf-8") as sheet:
        sheet.write((HERE / "api.css").read_text("utf-8"))


def say(text):
    print(f"site: {text}", file=sys.stderr)


def arguments():
    parser = argparse.ArgumentParser(prog="build.py", description="Builds the site of the documentation.")
    parser.add_argument("--out", type=Path, default=ROOT / "target/site", help="the folder of the site")
    parser.add_argument("--api", type=Path, help="a folder with Javadoc, which becomes api/")
    parser.add_argument("--draft", action="store_true", help="build it in spite of links that lead nowhere")
    parser.add_argument("--prepare", action="store_true", help="only install what is needed")
    return parser.parse_args()


def main():
    given = arguments()
    began = time.monotonic()
    if sys.version_info < (3, 11):
        say(f"Python 3.11 or newer is needed; this is {sys.version.split()[0]}.")
        return CANNOT_INSTALL
    try:
        python = environment()
    except (OSError, subprocess.CalledProcessError) as e:
        say(f"Sphinx cannot be installed here: {e}")
        return CANNOT_INSTALL
    if given.prepare:
        return 0
    out = given.out.resolve()
    source = out.parent / (out.name + "-source")
    pages = stage.Stage(ROOT, source)
    try:
        pages.run()
    except stage.Faults as faults:
        for fault in faults.args[0]:
            say(fault)
        if not given.draft:
            return FAULTY
    if not sphinx(python, pages, out, given) and not given.draft:
        say("the pages have faults; see above. Their files are copies: correct the originals in the repository.")
        return FAULTY
    for page in out.rglob("*.html"):
        name = page.relative_to(out).with_suffix("")
        if name.parts[0] != "api" and str(name) not in pages.names():
            page.unlink()
    if given.api:
        copy_api(given.api, out / "api")
    report = links.check(out)
    for fault in report.faults:
        say(fault)
    say(f"{report.pages} pages, {report.internal} links inside checked, {len(report.faults)} lead nowhere, "
        f"{len(report.external)} addresses outside (listed in {out.name}-external-links.txt, not fetched), "
        f"{time.monotonic() - began:.0f} s: {out / 'index.html'}")
    (out.parent / (out.name + "-external-links.txt")).write_text("\n".join(sorted(report.external)) + "\n")
    return FAULTY if report.faults else 0


if __name__ == "__main__":
    sys.exit(main())
