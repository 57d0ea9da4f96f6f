"""Reads the parse tree that `swig -python -doxygen -DPTO_RUST -xmlout` writes for pto.i.

The one reader of all generators. It knows the header's conventions (what a handle, an
instruction or an optional parameter looks like) and nothing of any language.
"""
import os
import re
import xml.etree.ElementTree as ET
from dataclasses import dataclass, field

HEADERS = ("pto_c.h", "pto_c_ops.h")


@dataclass
class Doc:
    """A Doxygen comment, taken apart."""

    paragraphs: list = field(default_factory=list)  # text; a formula keeps its indent of four
    params: dict = field(default_factory=dict)
    returns: str = ""
    since: str = ""
    see: str = ""

    @property
    def brief(self):
        return self.paragraphs[0] if self.paragraphs else ""


@dataclass
class Param:
    name: str
    type: str  # SWIG's type string: "p.q(const).pto_tile"
    nullable: bool = False
    alone: bool = False  # the call changes what it points to: no other may use it meanwhile

    @property
    def pointee(self):
        """What a pointer points to, without const; "" for values."""
        return re.sub(r"^p\.(q\(const\)\.)?", "", self.type) if self.type.startswith("p.") else ""

    @property
    def const(self):
        return self.type.startswith("p.q(const).")


@dataclass
class Function:
    name: str
    ret: str
    params: list
    doc: Doc
    hints: dict
    is_instruction: bool = False  # a context first, a status back, and the name of nothing else before its own

    @property
    def tiles(self):
        return [p for p in self.params if p.pointee == "pto_tile"]


@dataclass
class Enum:
    name: str  # pto_dtype
    label: str  # DType, from pto.i
    items: list  # (PTO_DTYPE_I8, 0, Doc)
    doc: Doc
    usual: str = ""  # of a mode: the item that a call means where the language lets its caller leave it out

    def short(self, item):
        """PTO_DTYPE_I8 -> I8, PTO_ERROR_SHAPE -> SHAPE: the part that differs between items."""
        shared = os.path.commonprefix([name for name, _, _ in self.items]) if len(self.items) > 1 else ""
        shared = shared[: shared.rfind("_") + 1]
        if shared.count("_") < 2:
            shared = "PTO_"  # all that PTO_OK and PTO_ERROR_SHAPE have in common
        for prefix in (self.name.upper() + "_", "PTO_ERROR_", shared):
            if item.startswith(prefix):
                return item[len(prefix):]
        raise ValueError(item)

    @property
    def is_flags(self):
        """Items of pto_flag are or-ed together."""
        return self.name.endswith("_flag")


@dataclass
class Struct:
    name: str
    fields: list  # (name, type, Doc)
    doc: Doc

    @property
    def label(self):
        """pto_scalar -> Scalar."""
        return "".join(word.capitalize() for word in self.name.split("_")[1:])


@dataclass
class Handle:
    name: str  # pto_tile
    label: str  # Tile, from pto.i
    doc: Doc
    hints: dict


def elements(type_string):
    """Splits "p.q(const).char" into ["p", "q(const)", "char"]."""
    out, depth, part = [], 0, ""
    for ch in type_string:
        if ch == "." and depth == 0:
            out.append(part)
            part = ""
            continue
        depth += (ch == "(") - (ch == ")")
        part += ch
    return out + [part] if part else out


def parse_doc(text):
    """The Doxygen commands that the header uses: @param, @return, @since, @see."""
    doc = Doc()
    if not text:
        return doc
    sections = [["", []]]
    for line in text.strip("\n").split("\n"):
        line = re.sub(r"^\s*\* ?", "", line.rstrip()) if text.lstrip(" ").startswith("\n") else line.strip()
        command = re.match(r"@(param(?:\[\w+\])?\s+\w+|return|since|see)\s+(.*)", line)
        if command:
            sections.append([command[1], [command[2]]])
            continue
        # A one-line comment may end in a command: "Returns the rows. @since 0.1".
        tail = re.match(r"(.*\S)\s+@(since|see)\s+(.*)", line)
        if tail:
            sections[-1][1].append(tail[1])
            sections.append([tail[2], [tail[3]]])
            continue
        sections[-1][1].append(line)
    for head, lines in sections:
        words = " ".join(x.strip() for x in lines if x.strip())
        if not head:
            doc.paragraphs = paragraphs(lines)
        elif head.startswith("param"):
            doc.params[head.split()[-1]] = words
        elif head == "return":
            doc.returns = words
        elif head == "since":
            doc.since = words
        else:
            doc.see = words
    return doc


def paragraphs(lines):
    out, part = [], []
    for line in lines + [""]:
        if line.strip():
            part.append(line)
        elif part:
            code = part[0].startswith("    ")
            out.append("\n".join(part) if code else " ".join(x.strip() for x in part))
            part = []
    return out


def attributes(node):
    return {a.get("name"): a.get("value") for a in node.findall("attributelist/attribute")}


def hints_of(a):
    """The %feature("pto:...") of pto.i, by name."""
    return {k[len("feature_pto_"):]: v for k, v in a.items() if k.startswith("feature_pto_")}


def c_value(raw):
    """A plain integer literal of C. The header allows no other."""
    return int(raw, 0)


def truth(text, yes, no):
    """The first sentence of a function that returns 1 or 0 in C, for a language with truth values."""
    if not text.startswith("Returns 1 if"):
        return text
    text = text.replace("Returns 1 if", yes, 1)
    return re.sub(r"[;,] else 0(?=\.|$)", "", re.sub(r", 0 (?=if)", ", %s " % no, text))


class Model:
    """Everything the header declares, in its order."""

    def __init__(self, path):
        self.constants, self.enums, self.handles, self.structs, self.functions = [], [], [], [], []
        for include in ET.parse(path).getroot().iter("include"):
            if attributes(include).get("name", "").split("/")[-1] in HEADERS:
                self.read(include)
        known = {e.name for e in self.enums} | {s.name for s in self.structs}
        self.handles = [h for h in self.handles if h.name not in known]
        self.by_name = {x.name: x for group in (self.enums, self.handles, self.structs, self.functions) for x in group}
        self.enum_of = {name: enum for enum in self.enums for name, _, _ in enum.items}
        for f in self.functions:
            f.is_instruction = f.ret == "pto_status" and bool(f.params) and f.params[0].pointee == "pto_context" and self.owner(f) is None

    def read(self, include):
        for node in include:
            if node.tag == "attributelist":
                continue
            a = attributes(node)
            doc = parse_doc(a.get("doxygen"))
            if node.tag == "constant":
                self.constants.append((a["name"], c_value(a["value"]), doc))
            elif node.tag == "enum":
                items = [attributes(i) for i in node.findall("enumitem")]
                values = [(i["name"], c_value(i["enumvalue"]), parse_doc(i.get("doxygen"))) for i in items]
                self.enums.append(Enum(a["name"], a["sym_name"], values, doc, hints_of(a).get("usual", "")))
            elif node.tag == "class":
                fields = [attributes(f) for f in node.findall("cdecl")]
                members = [(f["name"], f.get("decl", "") + f["type"], parse_doc(f.get("doxygen"))) for f in fields]
                self.structs.append(Struct(a["name"], members, doc))
            elif a.get("kind") == "function":
                self.functions.append(self.function(node, a, doc))
            elif a.get("kind") == "typedef" and a["type"] == "struct " + a["name"]:
                self.handles.append(Handle(a["name"], a.get("sym_name", a["name"]), doc, hints_of(a)))

    @staticmethod
    def function(node, a, doc):
        nullable = a.get("feature_pto_nullable", "").split()
        changes = a.get("feature_pto_changes", "").split()
        params = []
        for parm in node.findall("attributelist/parmlist/parm"):
            p = attributes(parm)
            if p["type"] != "void":
                alone = p["name"] in changes or p["type"] in ("p.pto_inst", "p.pto_program")
                params.append(Param(p["name"], p["type"], p["name"] in nullable, alone and "feature_pto_concurrent" not in a))
        # A returned pointer is in decl: "f(pto_context).p." and then "q(const).char".
        ret = ".".join(elements(a["decl"])[1:] + [a["type"]])
        return Function(a["name"], ret, params, doc, hints_of(a))

    @property
    def instructions(self):
        return [f for f in self.functions if f.is_instruction]

    def owner(self, function):
        """The handle or enum whose name a function's begins with: pto_tile_rows -> pto_tile."""
        name = function.name
        while "_" in name:
            name = name.rpartition("_")[0]
            found = self.by_name.get(name)
            if found and not isinstance(found, Function):
                return found
        return None

    def value_enum(self, param):
        """The enum that a parameter holds: by its type, or by the names the header gives plain
        integers (flags, op)."""
        known = {e.name: e for e in self.enums}
        if param.type in known:
            return known[param.type]
        if param.type == "uint32_t" and param.name == "flags":
            return known.get("pto_flag")
        if param.type == "int32_t" and param.name == "op":
            return known.get("pto_op")
        return None

    def value_struct(self, param):
        """The struct that a parameter is, when it is passed by value; languages make it by hand."""
        found = self.by_name.get(param.type)
        return found if isinstance(found, Struct) else None

    def translate(self, text, null, item):
        """A sentence of the header with C's words replaced: NULL by `null`, an enum item by
        item(enum, name). Phrases on NULL handles go where no handle can be null."""
        text = re.sub(r";[^;.]* for NULL(?=[.,;]|$)", "", text)
        text = re.sub(r'(?<!")\bPTO_\w+', lambda m: item(self.enum_of[m[0]], m[0]) if m[0] in self.enum_of else m[0], text)
        return re.sub(r"(?<![:\w])NULL\b", lambda _: null, text)

    def words(self, function, item, struct, null):
        """The equivalent in a language for each name of C in messages of the library, for the one
        place of a binding that rewrites these messages: {"pto_tile_set_valid": "Tile::set_valid"}."""
        out = {"NULL": null}
        out.update({name: function(f) for name, f in self.by_name.items() if isinstance(f, Function)})
        out.update({s.name: struct(s) for s in self.structs})
        out.update({h.name: h.label for h in self.handles})
        for enum in self.enums:
            out[enum.name] = enum.label
            out["PTO_ERROR_" if enum.name == "pto_status" else enum.name.upper() + "_"] = enum.label
            out.update({name: item(enum, name) for name, _, _ in enum.items})
        return dict(sorted(out.items()))
