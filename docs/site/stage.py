#!/usr/bin/python3
"""Puts together what Sphinx reads, so that the Markdown in docs/ can stay as GitHub shows it.

    docs/site/stage.py build/docs-work

reads doxygen/ in that folder and writes source/, the pages, and examples/, the Python examples with the titles that
sphinx-gallery wants.

- README.md is the front page. The links of docs/README.md, heading by heading, are the navigation, and those of any other
  README.md in docs/ its branches: a page that none of them links to is an error of Sphinx.
- Links lead to the places that pages have in the site. A file that is no page, a header or a test, becomes a listing.
- A page docs/reference/A/B.md gets the opening comment and the declarations of include/itomap/A/B.hpp; each header needs
  such a page.
"""
import pathlib
import re
import shutil
import sys
from os.path import relpath

from declarations import Declarations

ROOT = pathlib.Path(__file__).resolve().parents[2]
SITE = ROOT / "docs/site"
LINK = re.compile(r"(?<=\]\()([^)\s]+)(?=\))")
IMAGES = {".png", ".svg", ".jpg"}
TITLES = {pathlib.Path("examples/cpp"): "Examples in C++"}  # of folders in the navigation
LANGUAGES = {".cpp": "cpp", ".hpp": "cpp", ".py": "python", ".gp": "gnuplot"}


def place(path):
    """Where a file or folder of the repository is in the site."""
    parts = path.parts
    if parts == ("docs", "README.md"):
        return pathlib.Path("contents.md")
    if path.suffix == ".md" and len(parts) == 1:
        return pathlib.Path("index.md" if path.name == "README.md" else path.name.lower())
    if parts[:2] == ("examples", "python"):
        return pathlib.Path("gallery", path.stem if len(parts) == 3 else "index").with_suffix(".rst")
    if parts[0] == "docs":
        return pathlib.Path(*parts[1:-1], "index.md" if path.name == "README.md" else path.name)
    return pathlib.Path("source", path if path.suffix == ".md" else f"{path}.md")


def linked(page, target):
    """The file of the repository that a page's link leads to, or None if it leads elsewhere, and the anchor."""
    path, _, anchor = target.partition("#")
    if not path or ":" in path:
        return None, anchor
    return (ROOT / page.parent / path).resolve().relative_to(ROOT), anchor


def outside_fences(text, change):
    """The text with `change` made to every line that is not code."""
    lines, fenced = [], False
    for line in text.split("\n"):
        fenced ^= line.lstrip().startswith("```")
        lines.append(line if fenced else change(line))
    return "\n".join(lines)


def headings(text):
    """(heading, files that are linked to below it) of docs/README.md or another README.md in docs/."""
    for part in re.split(r"^#+ ", text, flags=re.MULTILINE)[1:]:
        heading, _, body = part.partition("\n")
        yield heading, LINK.findall(body)


def toctree(entries, caption=None):
    caption = [f":caption: {caption}"] if caption else []
    return "\n".join(["", "```{toctree}", ":hidden:", *caption, "", *entries, "```", ""])


class Site:
    def __init__(self, out):
        self.out = out / "source"
        self.declarations = Declarations(out / "doxygen/xml")
        self.examples = out / "examples"
        self.waiting = []  # pages and listings that something links to
        self.seen = set()
        self.in_navigation = set()  # the first README.md that names a page has it

    def write(self, path, text):
        file = self.out / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def want(self, path):
        if path not in self.seen:
            self.seen.add(path)
            self.waiting.append(path)

    def link(self, page, target):
        path, anchor = linked(page, target)
        if path is None:
            return target
        self.want(path)
        return relpath(place(path), place(page).parent) + ("#" + anchor if anchor else "")

    def entries(self, page, targets):
        """Lines of a toctree: pages that are in none yet."""
        paths = [linked(page, target)[0] for target in targets]
        paths = [path for path in paths if path and path.suffix in ("", ".md")]
        new = [path for path in dict.fromkeys(paths) if path not in self.in_navigation]
        self.in_navigation.update(new)
        return [str(pathlib.PurePosixPath("/", place(path).with_suffix(""))) for path in new]

    def navigation(self):
        """The branches of the front page: the headings of docs/README.md."""
        contents = pathlib.Path("docs/README.md")
        self.in_navigation.update({contents, pathlib.Path("README.md")})
        trees = [toctree(["Overview </contents>"])]
        for heading, targets in headings((ROOT / contents).read_text()):
            entries = self.entries(contents, targets)
            trees += [toctree(entries, heading)] if entries else []
        return "".join(trees)

    def branches(self, page, text):
        return toctree(self.entries(page, [target for _, targets in headings(text) for target in targets]))

    def page(self, page):
        source = (ROOT / page).read_text()
        text = outside_fences(source, lambda line: LINK.sub(lambda match: self.link(page, match[1]), line))
        if page == pathlib.Path("README.md"):
            text += self.navigation()
        elif page.name == "README.md" and len(page.parts) > 2 and page.parts[0] == "docs":
            text += self.branches(page, source)
        elif page == pathlib.Path("docs/reference/python.md"):
            text += toctree(f"/reference/python/{file.stem}" for file in sorted((SITE / "python").glob("*.rst")))
        elif page.parts[:2] == ("docs", "reference") and header_of(page).exists():
            text += self.interface(header_of(page))
        if place(page).parts[0] == "source":
            text = "---\norphan: true\n---\n" + text
        self.write(place(page), text)

    def interface(self, header):
        name = str(header.relative_to(ROOT / "include"))
        return (f"\n## In the words of the header\n\n{opening_comment(header)}\n\n## Declarations\n\n"
                f"{self.declarations.markdown(name)}\n")

    def listing(self, path):
        """A file, or all files of a folder, as they are."""
        files = sorted((ROOT / path).iterdir()) if (ROOT / path).is_dir() else [ROOT / path]
        text = f"---\norphan: true\n---\n# {TITLES.get(path, path)}\n"
        for file in files:
            heading = f"\n## {file.name}\n" if len(files) > 1 else ""
            text += f"{heading}\n````{LANGUAGES.get(file.suffix, 'text')}\n{file.read_text()}````\n"
        self.write(place(path), text)

    def copy(self, path):
        (self.out / place(path)).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / path, self.out / place(path))

    def all_pages(self):
        for file in [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]:
            self.want(file.relative_to(ROOT))
        while self.waiting:
            path = self.waiting.pop(0)
            if path.parts[:2] == ("examples", "python"):
                continue  # sphinx-gallery's
            elif path.suffix == ".md":
                self.page(path)
            elif path.suffix in IMAGES:
                self.copy(path)
            else:
                self.listing(path)

    def gallery(self):
        python = self.examples / "python"
        python.mkdir(parents=True, exist_ok=True)
        for file in sorted((ROOT / "examples/python").glob("*.py")):
            if "matplotlib" in file.read_text():  # something to show
                (python / file.name).write_text(with_title(file.read_text()))
        shutil.copy(SITE / "gallery.rst", python / "README.rst")
        (self.examples / "paper").symlink_to(ROOT / "examples/paper")  # data that examples read


def header_of(page):
    return (ROOT / "include/itomap").joinpath(*page.parts[2:]).with_suffix(".hpp")


def check_headers():
    headers = [file.relative_to(ROOT / "include/itomap") for file in (ROOT / "include/itomap").rglob("*/*.hpp")]
    missing = [str(header) for header in headers if not (ROOT / "docs/reference" / header).with_suffix(".md").exists()]
    if missing:
        sys.exit("docs/site/stage.py: no page in docs/reference for " + ", ".join(sorted(missing)))


def opening_comment(header):
    """The comment that a header begins with, as Markdown: indented lines are code, all others are taken literally."""
    lines = []
    for line in header.read_text().splitlines():
        if not line.startswith("//"):
            break
        lines.append(line[3:])
    text, code = [], False
    for line in lines:
        indented = line.startswith("  ") or (code and not line)
        if indented != code:
            text.append("```" if code else "\n```text")
            code = indented
        text.append(line[2:] if indented else re.sub(r"([\\*_<>$\[\]#|^~])", r"\\\1", line))
    return "\n".join([*text, "```" if code else ""])


def with_title(text):
    """An example whose docstring is as sphinx-gallery wants it.

    'What: and how.' becomes a heading and a sentence, and how it is called, with what it does, a paragraph.
    """
    docstring, code = re.match(r'"""(.*?)"""\n(.*)', text, re.DOTALL).groups()
    first, _, rest = docstring.partition("\n")
    title, _, sentence = first.rstrip(".").partition(": ")
    sentence = sentence[:1].upper() + sentence[1:]
    call, _, effect = " ".join(rest.split()).partition(".py ")
    return f'"""\n{title}\n{"=" * len(title)}\n\n{sentence}.\n\n``{call}.py`` {effect}.\n"""\n{code}'


def main():
    check_headers()
    out = pathlib.Path(sys.argv[1])
    for folder in ("source", "examples"):
        shutil.rmtree(out / folder, ignore_errors=True)
    site = Site(out)
    site.all_pages()
    site.gallery()
    shutil.copytree(SITE / "python", site.out / "reference/python")


if __name__ == "__main__":
    main()
