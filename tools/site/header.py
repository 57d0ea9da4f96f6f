"""The C header as Markdown: its sections, with the declarations and what their comments specify.

The header's form is its own (`/** comment */`, then the declaration; sections begin with `/* ---- name ---- */`), and the
tests of the bindings hold it to that. So thirty lines read it, and the site needs neither clang nor Doxygen.
"""
import re

PAGES = {"types": "Types and constants"}


def comment(text):
    """A comment's paragraphs and its tags: a list of (tag, argument, text), the first with the tag ""."""
    text = re.sub(r"(?m)^[ \t]*\*[ ]?", "", text)
    parts = re.split(r"(?m)(?:^|(?<=\s))@(param|return|returns|since|see)\b[ ]?", text)
    found = [("", "", parts[0].strip("\n"))]
    for tag, body in zip(parts[1::2], parts[2::2]):
        name = ""
        if tag == "param":
            name, _, body = body.partition(" ")
        found.append((tag, name, " ".join(body.split())))
    return found


def prose(text):
    """Text of a comment as Markdown: names of C as code."""
    lines = []
    for line in text.splitlines():
        code = line.startswith("    ")
        line = line if code else re.sub(r"(?<![`\w])(pto_\w+(?:\(\))?|PTO_\w+)(?!`)", r"`\1`", line).replace("<", "&lt;").replace("*", "\\*")
        lines.append(line)
    return "\n".join(lines)


def items(text):
    """Declarations in their order: (section, comment, kind, name, declaration)."""
    section = "types"
    pattern = re.compile(r"/\* -+ ([^-]+?) -+ \*/|/\*\*(.*?)\*/\s*(#define[^\n]*|typedef enum[^{]*\{.*?\}[^;]*;|typedef struct \w+ \{.*?\}[^;]*;"
                         r"|typedef struct [^{;]*;|static inline [^{]*\{|PTO_API [^;]*;)", re.S)
    for match in pattern.finditer(text):
        if match[1]:
            section = match[1]
            continue
        declaration = match[3]
        if declaration.startswith("#define"):
            kind, name = "macro", declaration.split()[1]
        elif declaration.startswith("typedef"):
            kind, name = "type", re.search(r"(\w+);$", declaration)[1]
        else:
            kind, name = "function", re.search(r"(\w+)\(", declaration)[1]
            declaration = " ".join(declaration.replace("PTO_API ", "").replace("static inline ", "").rstrip("{; \n").split())
        yield section, match[2], kind, name, declaration


def entry(text, kind, name, declaration, link=None):
    tags = comment(text)
    shown = {"function": declaration, "macro": name, "type": name}[kind]
    out = ["```{c:%s} %s\n```\n" % (kind, shown), prose(tags[0][2]) + "\n"]
    if link:
        out = out[:1] + [prose(tags[0][2].strip().split("\n\n")[0]) + " [More](%s)\n" % link]
        return out
    if kind == "type" and "{" in declaration:
        rows = re.findall(r"(?m)^\s*([^/\n]*?)[,;]?\s*/\*\*<(.*?)\*/", declaration)
        if rows:
            out.append("| | |\n|---|---|\n" + "\n".join("| `%s` | %s |" % (value.rstrip(",; "), prose(told.strip()).replace("|", "\\|")) for value, told in rows) + "\n")
    params = [(name, body) for tag, name, body in tags if tag == "param"]
    if params:
        out.append("| argument | |\n|---|---|\n" + "\n".join("| `%s` | %s |" % (name, prose(body).replace("|", "\\|")) for name, body in params) + "\n")
    for tag, label in (("return", "Returns"), ("returns", "Returns"), ("see", "See also")):
        out += ["**%s:** %s\n" % (label, prose(body)) for t, _, body in tags if t == tag]
    return out


def pages(header, ops, page_of):
    """Names of pages and their Markdown."""
    sections = {}
    for section, text, kind, name, declaration in items(header):
        sections.setdefault(section, []).extend(entry(text, kind, name, declaration))
    made = {}
    for section, parts in sections.items():
        title = PAGES.get(section, section[:1].upper() + section[1:])
        made[re.sub(r"\W+", "-", section)] = "# C: %s\n\nFrom `pto_c.h`. [Conventions](../../conventions.md) has what holds for every call.\n\n%s" % (
            title[:1].lower() + title[1:], "\n".join(parts))
    parts = []
    for section, text, kind, name, declaration in items(ops):
        if kind == "function":
            parts += entry(text, kind, name, declaration, page_of[name[len("pto_"):]])
    made["calls"] = "# C: instructions\n\nFrom `pto_c_ops.h`: one function per instruction.\n\n" + "\n".join(parts)
    return made
