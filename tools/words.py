#!/usr/bin/env python3
"""The checker of words: plain English in documents, comments and messages; spelling; links of Markdown.

usage: words.py [ROOT]           reports what is new; exit status 1 if there is any
       words.py --write [ROOT]   lowers the baseline to what is left
       words.py --list PATH...   reports everything in these files
       words.py --moved OLD NEW  hands the allowance of a file that was renamed or split to another
       words.py --accept PATH... raises the baseline of these files to what is in them: only for text from before the
                                 checker that a merge brings in

tools/words/phrases.txt    phrases to avoid, and the better wording
tools/words/allowed.txt    quotations and other exceptions
tools/words/dictionary.txt correct words that codespell reports as errors
tools/words/baseline.txt   for each file: its phrases; in documents also its sentences of more than 25 words, and the mean
                           length of a sentence where it is 20 words or more. The numbers may only fall.
Text between backticks is code and is not looked at. Generated files are not either: their text is in their sources.
"""
import collections
import math
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent / "words"
MOST_WORDS, MOST_MEAN = 25, 20
C_LIKE = {".h", ".hpp", ".c", ".cc", ".cpp", ".inc", ".rs", ".go", ".java", ".mjs", ".js", ".i", ".pto", ".map"}
HASH_LIKE = {".py", ".sh", ".build", ".toml", ".yml", ".cmake", ".bash"}
SKIPPED = re.compile(r"^(docs/ops/|docs/rules\.md|docs/lint\.md|docs/troubleshooting\.md|tests/.*\.(pto|txt|md)$|tools/words/|tests/gen/test_words.py|packaging/debian/copyright)|LICENSE|\.lock$")
TOKENS = {
    "c": re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'', re.S),
    "hash": re.compile(r'#[^\n]*|""".*?"""|\'\'\'.*?\'\'\'|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S),
}
Offence = collections.namedtuple("Offence", "line kind phrase advice")


def phrases():
    for line in (HERE / "phrases.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            pattern, advice = line.split("\t")
            yield re.compile(pattern, re.I), advice


def allowed():
    pairs = collections.defaultdict(list)
    for line in (HERE / "allowed.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            path, text = line.split("\t")
            pairs[path].append(text)
    return pairs


def baseline():
    counts = {}
    for line in (HERE / "baseline.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            path, *fields = line.split()
            counts[path] = {key: int(value) for key, value in (field.split("=") for field in fields)}
    return counts


def write_baseline(counts):
    lines = ["%s %s" % (path, " ".join("%s=%d" % pair for pair in sorted(each.items()) if pair[1]))
             for path, each in sorted(counts.items()) if any(each.values())]
    (HERE / "baseline.txt").write_text("# Written by tools/words.py --write.\n" + "\n".join(lines) + "\n")


def tracked(root):
    names = subprocess.run(["git", "-C", str(root), "ls-files", "-co", "--exclude-standard"], capture_output=True, text=True, check=True).stdout.splitlines()
    return [name for name in names if (root / name).is_file() and not (root / name).is_symlink()]


def kind_of(name):
    path = pathlib.PurePath(name)
    if SKIPPED.search(name):
        return None
    if path.suffix == ".md":
        return "md"
    if path.suffix in C_LIKE:
        return "c"
    if path.suffix in HASH_LIKE or name in ("dev", "CMakeLists.txt", "src/sources.txt"):
        return "hash"
    return "man" if path.suffix == ".1" else None


def generated(text):
    return re.search(r"[Gg]enerated by|DO NOT EDIT|automatically generated", text[:400]) is not None


def without_code(text):
    """Code between backticks, addresses and calls become blanks; lines stay."""
    blank = lambda match: re.sub(r"[^\n]", " ", match[0])
    text = re.sub(r"(?<!`)`[^`\n]+`(?!`)", blank, text)
    return re.sub(r"\]\([^)\s]*\)|https?://\S+", blank, text)


def prose(kind, text):
    """Pairs of a line's number and its text, of what people read."""
    if kind == "md":
        fenced = False
        for number, line in enumerate(without_code(text).splitlines(), 1):
            if re.match(r"\s*(```|~~~)", line):
                fenced = not fenced
            elif not fenced:
                yield number, line
    elif kind == "man":
        for number, line in enumerate(text.splitlines(), 1):
            yield number, re.sub(r"^\.\\\".*|^\.\w+|\\f.", " ", line)
    else:
        line = 1
        at = 0
        for match in TOKENS[kind].finditer(text):
            line += text.count("\n", at, match.start())
            at = match.start()
            token = match[0]
            # Strings of one word are names.
            if token[0] not in "\"'" or re.search(r"[A-Za-z%] [A-Za-z%]", token):
                for offset, part in enumerate(without_code(token).split("\n")):
                    yield line + offset, part


def sentences(text):
    """The number of the first line of each sentence of a document's paragraphs and lists, and its words."""
    paragraph, start, fenced = [], 0, False

    def split():
        joined = " ".join(paragraph)
        for sentence in re.split(r"(?<=[.!?])\s+(?=[A-Z`\[\"])", joined):
            words = re.findall(r"[\w'`./()-]*\w[\w'`./()-]*", re.sub(r"`[^`]*`", "code", sentence))
            if len(words) > 2:
                yield start, len(words)

    for number, line in enumerate(text.splitlines() + [""], 1):
        if re.match(r"\s*(```|~~~)", line):
            fenced = not fenced
        breaks = fenced or not line.strip() or re.match(r"\s*(```|~~~|#|\||<|!\[)", line)
        if breaks or re.match(r"\s*([-*]|\d+\.) ", line):
            yield from split()
            paragraph = []
        if not breaks:
            if not paragraph:
                start = number
            paragraph.append(re.sub(r"^\s*([-*]|\d+\.) ", "", re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", line)).strip())


def look(name, kind, text, patterns, exceptions):
    found = []
    source = text.splitlines()
    for number, line in prose(kind, text):
        if any(exception in source[number - 1] for exception in exceptions):
            continue
        for pattern, advice in patterns:
            found += [Offence(number, "words", match[0], advice) for match in pattern.finditer(line)]
    if kind == "md":
        lengths = list(sentences(text))
        found += [Offence(at, "long", "%d words" % words, "split the sentence: at most %d words" % MOST_WORDS)
                  for at, words in lengths if words > MOST_WORDS]
        mean = sum(words for _, words in lengths) / max(1, len(lengths))
        if mean >= MOST_MEAN:
            found.append(Offence(1, "mean", "%.1f words a sentence" % mean, "shorten: the mean of a page is below %d" % MOST_MEAN))
    return found


def count(found):
    counts = collections.Counter(offence.kind for offence in found if offence.kind != "mean")
    for offence in found:
        if offence.kind == "mean":
            counts["mean"] = math.ceil(float(offence.phrase.split()[0]))
    return counts


def changed(root, name):
    """The lines of a file that differ from its state when the baseline was last written; None: every line counts."""
    git = lambda *args: subprocess.run(["git", "-C", str(root), *args], capture_output=True, text=True)
    commit = git("log", "-1", "--format=%H", "--", str(HERE.relative_to(root) / "baseline.txt")).stdout.strip()
    old = git("show", "%s:%s" % (commit, name)) if commit else None
    if old is None or old.returncode != 0:
        return None
    before = collections.Counter(old.stdout.splitlines())
    fresh = set()
    for number, line in enumerate((root / name).read_text().splitlines(), 1):
        if before[line] > 0:
            before[line] -= 1
        else:
            fresh.add(number)
    return fresh


def slug(heading):
    """The anchor that GitHub gives a heading."""
    text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading.strip().lower()).replace("`", "")
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def anchors(path):
    found, fenced = collections.Counter(), False
    names = set()
    for line in path.read_text().splitlines():
        fenced ^= line.lstrip().startswith("```")
        heading = None if fenced else re.match(r"#+ (.*)", line)
        if heading:
            base = slug(heading[1])
            names.add("%s-%d" % (base, found[base]) if found[base] else base)
            found[base] += 1
        names.update(re.findall(r'<a (?:id|name)="([^"]*)"', line))
    return names


def dead_links(root, names):
    known = {}
    for name in names:
        if not name.endswith(".md") or name.startswith("tests/"):
            continue
        fenced = False
        for number, line in enumerate((root / name).read_text().splitlines(), 1):
            fenced ^= line.lstrip().startswith("```")
            for target in [] if fenced else re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`]*`", "", line)):
                if re.match(r"[a-z]+:", target):
                    continue
                file, _, anchor = target.partition("#")
                path = (root / name).parent / file if file else root / name
                if not path.exists():
                    yield "%s:%d: %s is not there" % (name, number, target)
                elif anchor and path.suffix == ".md":
                    if path not in known:
                        known[path] = anchors(path)
                    if anchor not in known[path]:
                        yield "%s:%d: %s has no heading of that name" % (name, number, target)


def misspelt(texts):
    """What codespell finds in the prose of the files, `texts`: path, line, text."""
    if not shutil.which("codespell"):
        print("words: codespell is not installed, spelling was not checked")
        return
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.writelines(text.strip("\n") + "\n" for _, _, text in texts)
        file.flush()
        done = subprocess.run(["codespell", "-I", str(HERE / "dictionary.txt"), file.name], capture_output=True, text=True)
    for line in done.stdout.splitlines():
        found = re.match(r".*:(\d+): (.*)", line)
        if found:
            path, number, _ = texts[int(found[1]) - 1]
            yield "%s:%d: %s" % (path, number, found[2])


def show(name, found):
    for offence in sorted(found):
        print("%s:%d: %s: %s" % (name, offence.line, offence.phrase, offence.advice))


def main(arguments):
    options = [a for a in arguments if a.startswith("--")]
    if options == ["--help"]:
        return print(__doc__.strip())
    rest = [a for a in arguments if not a.startswith("--")]
    if options == ["--moved"]:
        counts = baseline()
        counts[rest[1]] = collections.Counter(counts.get(rest[1], {})) + collections.Counter(counts.pop(rest[0], {}))
        return write_baseline(counts)
    patterns, exceptions = list(phrases()), allowed()
    if options == ["--accept"]:
        counts = baseline()
        for name in rest:
            counts[name] = count(look(name, kind_of(name), pathlib.Path(name).read_text(), patterns, exceptions[name]))
        return write_baseline(counts)
    if options == ["--list"]:
        for name in rest:
            show(name, look(name, kind_of(name) or "md", pathlib.Path(name).read_text(), patterns, exceptions[name]))
        return
    root = pathlib.Path(rest[0]).resolve() if rest else HERE.parents[1]
    limits = baseline() if (HERE / "baseline.txt").exists() else None
    names = tracked(root)
    bad, left, texts = [], {}, []
    for name in names:
        kind = kind_of(name)
        if kind is None:
            continue
        text = (root / name).read_text()
        if generated(text):
            continue
        texts += [(name, *line) for line in prose(kind, text)]
        found = look(name, kind, text, patterns, exceptions[name])
        counts = left[name] = count(found)
        limit = (limits or {}).get(name, {})
        grown = [key for key in counts if counts[key] > limit.get(key, 0)] if limits is not None else []
        if grown:
            fresh = changed(root, name) if limit else None
            new = [o for o in found if o.kind in grown and (fresh is None or o.line in fresh or o.kind == "mean")]
            show(name, new or [o for o in found if o.kind in grown])
            bad += ["%s: %d %s, %d allowed" % (name, counts[key], key, limit.get(key, 0)) for key in grown]
    wrong = [*dead_links(root, names), *misspelt(texts)]
    print("\n".join(wrong + bad) if wrong or bad else "%d files read, %d phrases and %d long sentences are left" % (
        len(left), sum(c["words"] for c in left.values()), sum(c["long"] for c in left.values())))
    if bad:
        print("Write them in plain words (tools/words/phrases.txt), or see tools/words.py --help.")
    if bad or wrong:
        sys.exit(1)
    if options == ["--write"]:
        write_baseline(left)


if __name__ == "__main__":
    main(sys.argv[1:])
