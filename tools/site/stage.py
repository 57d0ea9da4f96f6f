#!/usr/bin/env python3
"""Makes the folder from which Sphinx builds the site: the Markdown of the repository, and pages made from the C header.

usage: stage.py ROOT FOLDER LANGUAGES   (the last is what languages.py made)

Documents stay where they are in the repository, relative to each other, so that their links work on both sides. What a
document links to and is not a document is linked into the folder as it is. Every document gets its place in the tables of
contents here, in SECTIONS.
"""
import pathlib
import re
import shutil
import subprocess
import sys

import header

HERE = pathlib.Path(__file__).resolve().parent
# Title of a part, its first page, and the pages of its table of contents, in their order. Patterns are sorted.
SECTIONS = [
    ("Getting started", ["docs/getting-started.md"]),
    ("Concepts", ["docs/concepts/README.md", "docs/concepts/*.md"]),
    ("Tutorials", ["docs/tutorials/README.md", "docs/tutorials/*.md"]),
    ("Guides", ["docs/guides.md", "docs/cookbook.md", "docs/ptoas.md", "docs/statements.md", "docs/cpp.md", "docs/sync.md", "docs/seeing.md", "docs/lint.md", "docs/migrating.md",
                "docs/simulator.md", "docs/assembler.md", "docs/vector.md", "docs/vector-cube.md", "docs/simt.md", "docs/ranks.md", "docs/performance.md", "docs/troubleshooting.md", "docs/faq.md",
                "docs/glossary.md"]),
    ("Instructions", ["docs/ops/README.md"]),
    ("Vector operations", ["docs/vector/README.md", "docs/vector/*.md"]),
    ("Reference", ["docs/reference.md", "docs/conventions.md", "docs/rules.md", "docs/api/c/*.md", "docs/api/go.md", "bindings/README.md", "bindings/*/README.md", "bindings/rust/pto/README.md",
                   "docs/accuracy.md", "docs/lab-book.md", "docs/reliability.md"]),
    ("Project", ["docs/project.md", "README.md", "CHANGELOG.md", "HACKING.md", "CONTRIBUTING.md", "SECURITY.md", "packaging/README.md", "examples/README.md", "bindings/rust/pto-sys/README.md", "docs/*.md"]),
]


def documents(root):
    names = subprocess.run(["git", "-C", str(root), "ls-files", "-co", "--exclude-standard", "*.md"], capture_output=True, text=True, check=True).stdout.splitlines()
    return [name for name in names if not re.match(r"tests/|subprojects/|tools/|\.", name) and (root / name).is_file()]


def toctree(folder, names, hidden=True):
    return "\n\n```{toctree}\n%s:maxdepth: 1\n\n%s\n```\n" % (":hidden:\n" if hidden else "", "\n".join("/" + name[:-3] for name in names))


def main():
    root, folder, languages = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])
    shutil.rmtree(folder, ignore_errors=True)
    pages = {name: (root / name).read_text() for name in documents(root)}

    ops = [name for name in pages if name.startswith("docs/ops/") and name != "docs/ops/README.md"]
    links = {pathlib.PurePath(name).stem: "../../" + name[len("docs/"):] for name in ops}
    made = header.pages((root / "include/pto_c.h").read_text(), (root / "include/pto_c_ops.h").read_text(), links)
    pages.update({"docs/api/c/%s.md" % name: text for name, text in made.items()})

    # What other tools made: folders of HTML, which Sphinx copies (html_extra_path), and a page for Go.
    made = {"Rust": "rust/pto/index.html", "Java": "java/index.html"}
    links = ['<a href="../%s">%s</a>' % (page, name) for name, page in made.items() if (languages / page).exists()]
    if (languages / "go.md").exists():
        pages["docs/api/go.md"] = (languages / "go.md").read_text()
        links.append("[Go](api/go.md)")
    pages["docs/reference.md"] = "# Reference\n" + ("\nThe API of each binding, from its own tool: %s.\n" % ", ".join(links) if links else "")

    # A part with several pages and no first page of its own gets one that lists them.
    for title, patterns in SECTIONS:
        if patterns[0] not in pages and len(patterns) > 1:
            pages[patterns[0]] = "# %s\n" % title
    placed = set()
    top = []
    for title, patterns in SECTIONS:
        listed = []
        for pattern in patterns:
            found = [pattern] if pattern in pages else sorted(name for name in pages if pathlib.PurePath(name).match(pattern) and name.count("/") == pattern.count("/"))
            listed += [name for name in found if name not in placed and name not in listed]
        placed.update(listed)
        if not listed:
            continue
        top.append((title, listed[0]))
        if patterns[0] == "docs/ops/README.md":
            listed += ops
        if len(listed) > 1:
            pages[listed[0]] += toctree(listed[0], listed[1:], hidden=pages[listed[0]].count("\n") > 3)
    index = (HERE / "home.myst").read_text()
    index += "\n\n```{toctree}\n:hidden:\n:maxdepth: 2\n\n%s\n```\n" % "\n".join("%s </%s>" % (title, name[:-3]) for title, name in top)
    pages["index.md"] = index

    wanted = set()
    for name, text in pages.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text):
            if not re.match(r"\w+:", target):
                wanted.add((pathlib.PurePath(name).parent / target).as_posix())
    for name in wanted:
        source = (root / name).resolve()
        target = folder / source.relative_to(root) if source.is_relative_to(root) else None
        if target is not None and source.is_file() and not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target)
    print("%d pages" % len(pages))


main()
