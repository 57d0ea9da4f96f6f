#!/usr/bin/env python3
"""Writes the manual, section 3, a page a function of the C header: usage: gen_man.py pto.xml FOLDER VERSION"""
import os
import re
import sys

from swigxml import Model, elements


def c_type(text):
    """SWIG's "p.q(const).char" as C has it: "const char *"."""
    parts = elements(text)
    base, stars = parts[-1], ""
    const = "q(const)" in parts
    stars = "*" * parts.count("p")
    return ("const " if const else "") + base + " " + stars


def roff(text):
    """Text escaped for roff."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"(?m)^([.'])", r"\\&\1", text)


def page(model, f, version):
    names = ", ".join(c_type(p.type) + p.name for p in f.params) or "void"
    out = ['.TH %s 3 "" "libpto %s" "libpto"' % (f.name.upper(), version), ".SH NAME",
           "%s \\- %s" % (f.name, roff(re.split(r"(?<=[a-z)])[.:;](?:\s|$)", f.doc.brief)[0])),
           ".SH SYNOPSIS", ".nf", ".B #include <pto_c.h>", ".PP", ".BI \"%s(%s);\"" % (c_type(f.ret) + f.name, names), ".fi",
           "Link with \\fI\\-lpto\\fP; \\fBpkg\\-config \\-\\-cflags \\-\\-libs pto\\fP tells the flags.", ".SH DESCRIPTION"]
    for paragraph in f.doc.paragraphs:
        code = paragraph.startswith("    ")
        out += [".PP"] + ([".nf", roff(paragraph), ".fi"] if code else [roff(paragraph)])
    listed = [p.name for p in f.params if p.name in f.doc.params]
    if listed:
        out.append(".SH ARGUMENTS")
        for name in listed:
            out += [".TP", ".I " + name, roff(f.doc.params[name])]
    if f.doc.returns:
        out += [".SH RETURN VALUE", roff(f.doc.returns[:1].upper() + f.doc.returns[1:])]
    if f.doc.since:
        out += [".SH VERSIONS", "Since libpto %s." % f.doc.since]
    own = model.owner(f)
    related = [g.name for g in model.functions if g is not f and own is not None and model.owner(g) is own][:12]
    out += [".SH SEE ALSO", ", ".join(["\\fBpto\\fP(1)"] + ["\\fB%s\\fP(3)" % name for name in related])]
    return "\n".join(out) + "\n"


def main(xml, folder, version):
    model = Model(xml)
    os.makedirs(folder, exist_ok=True)
    for f in model.functions:
        with open(os.path.join(folder, f.name + ".3"), "w", encoding="utf-8") as out:
            out.write(page(model, f, version))


if __name__ == "__main__":
    main(*sys.argv[1:])
