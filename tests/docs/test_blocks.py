#!/usr/bin/env python3
"""Runs the code blocks of README.md, docs/ and the bindings' READMEs.

usage: test_blocks.py ROOT BUILD LANGUAGE...     sh pto c cpp python rust go java
       test_blocks.py --list ROOT                counts the blocks

The blocks of one language are one translation unit: one program in C, one in C++, one crate, one module, one set of
classes, one process of Python, one `pto check`. Each page has a folder of its own, in which its `sh` blocks run.

- A block in C, C++, Rust, Go or Java is a program with a main function, or declarations.
- A block `text` after a block is the output that is expected of it. "..." is any text; on a line of its own, any lines.
- A comment of Markdown before a block has more about it (words are separated by blanks, several are allowed):
      <!-- test: file NAME -->     the block is a file for the sh blocks of the page, and is tried there
      <!-- test: skip REASON -->   not run. The reason is printed by --list
      <!-- test: status N -->      sh: the last command ends with this exit status
      <!-- test: needs WORD -->    sh: not run if `pto info` does not have this word
      <!-- test: rule ID -->       pto: the check fails with this rule
      <!-- test: statements -->    C, C++: the block is the body of a function, which is compiled and not called
      <!-- test: with CODE -->     what the block needs and a reader does not: it is put before the block, "; " in sh ends a line
      <!-- test: after CODE -->    the same after the block
- Lines of sh that install, build or measure are not run (NOT_RUN). Commands of ./dev must be in its usage, and scripts in the
  repository.
"""
import collections
import contextlib
import io
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import traceback

LANGUAGES = ("sh", "pto", "c", "cpp", "python", "rust", "go", "java")
NOT_RUN = re.compile(r"^(\./dev |sudo |python3 bench/|build/bench/|valgrind |perf |PYTHONPATH=build\S* python3 bench/|apt-get |pip install|python3 -m venv|\. venv/|git clone|cargo |go (mod|run|get|init)|mvn |cmake |meson |ninja |vcpkg |conan |docker |cd |mkdir |#|$)")
# Pages of instructions are tested with their examples by themselves; commands of READMEs by bindings/tools/test_readmes.py.
PAGES = ("README.md", "docs/*.md", "docs/concepts/*.md", "docs/tutorials/*.md", "docs/vector/*.md", "bindings/*/README.md", "bindings/rust/pto/README.md")
Block = collections.namedtuple("Block", "page line language text notes output")


def blocks_of(root):
    for pattern in PAGES:
        for path in sorted(root.glob(pattern)):
            page = path.relative_to(root).as_posix()
            found, notes, lines = [], {}, path.read_text().splitlines()
            at = 0
            while at < len(lines):
                line = lines[at]
                note = re.match(r"<!-- test: (\w+) ?(.*?) -->", line)
                fence = re.match(r"(\s*)```(\w*)\s*$", line)
                if note:
                    notes[note[1]] = "\n".join(filter(None, (notes.get(note[1]), note[2])))
                elif fence:
                    end = next(i for i in range(at + 1, len(lines)) if lines[i].strip() == "```")
                    text = "\n".join(part[len(fence[1]):] for part in lines[at + 1:end]) + "\n"
                    if fence[2] == "text" and found and "skip" not in notes:
                        if found[-1].output is None:
                            found[-1] = found[-1]._replace(output=text)
                    elif fence[2] in LANGUAGES:
                        found.append(Block(page, at + 1, fence[2], text, notes, None))
                    else:
                        # An output after it is not the output of an earlier program.
                        found.append(Block(page, at + 1, "", text, notes, ""))
                    notes, at = {}, end
                elif line.strip():
                    notes = {}
                at += 1
            yield from (block for block in found if block.language and not (block.language == "sh" and page.startswith("bindings/")))


def name_of(block):
    return "doc_%s_%d" % (re.sub(r"\W", "_", block.page.removesuffix(".md")).lower(), block.line)


class Failures(list):
    def add(self, block, why):
        self.append("%s:%d: %s: %s" % (block.page, block.line, block.language, why))

    def compare(self, block, output):
        """Whether a block printed what its page shows."""
        if block.output is None:
            return
        pattern = "".join(r"(?:.*\n)*" if line == "..." else ".*".join(map(re.escape, line.rstrip().split("..."))) + r"[ ]*\n" for line in block.output.splitlines())
        if not re.fullmatch(pattern, output if output.endswith("\n") else output + "\n"):
            self.add(block, "prints something else:\n%s\ninstead of\n%s" % (output, block.output))


def run(command, **keywords):
    return subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", **keywords)


def split_output(output, blocks, failures):
    """The output of one program that ran all blocks: each begins with a line of its own."""
    parts = re.split(r"(?m)^== (\w+)\n", output)
    printed = dict(zip(parts[1::2], parts[2::2]))
    for block in blocks:
        if name_of(block) not in printed:
            failures.add(block, "did not run:\n" + output[-2000:])
            return
        failures.compare(block, printed[name_of(block)])


class Tester:
    def __init__(self, root, build, work):
        self.root, self.build, self.work, self.failures = root, build, work, Failures()
        bin_folder = work / "bin"
        bin_folder.mkdir()
        os.symlink(build / "src/cli/pto", bin_folder / "pto")
        python = bin_folder / "python3"
        python.write_text('#!/bin/sh\nexec "%s" "$@"\n' % sys.executable)
        python.chmod(0o755)
        self.environment = {**os.environ, "PATH": "%s:%s" % (bin_folder, os.environ["PATH"]), "PKG_CONFIG_PATH": str(build / "meson-uninstalled"),
                            "LD_LIBRARY_PATH": str(build), "PYTHONPATH": str(build / "bindings/python"), "CGO_ENABLED": "1", "GOTOOLCHAIN": "local",
                            "GOFLAGS": "", "CARGO_NET_OFFLINE": "true", "CGO_LDFLAGS": "-L%s" % build}
        # The library of the build directory where a page has an installed one.
        self.flags = ["-I%s" % (root / "include"), "-L%s" % build, "-lpto"]

    def folder(self, name):
        folder = self.work / name
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def page_folder(self, blocks, page):
        folder = self.work / "pages" / page.replace("/", "_")
        if not folder.exists():
            folder.mkdir(parents=True)
            os.symlink(self.root / "examples", folder / "examples")
            for block in blocks:
                if block.page == page and "file" in block.notes:
                    (folder / block.notes["file"]).write_text(block.text)
        return folder

    def sh(self, blocks, everything):
        usage = run([self.root / "dev", "help"]).stdout
        info = run([self.build / "src/cli/pto", "info"]).stdout.split()
        for block in blocks:
            if block.notes.get("needs", info[0]) not in info:
                print("%s:%d: not run: this library has no %s" % (block.page, block.line, block.notes["needs"]))
                continue
            kept = []
            for line in re.sub(r"\\\n", " ", block.text).splitlines():
                command = re.match(r"\./dev (\w+)", line)
                if command and not re.search(r"(?m)(^  %s\b|\./dev %s\b)" % (command[1], command[1]), usage):
                    self.failures.add(block, "./dev has no command " + command[1])
                for script in re.findall(r"\b(?:bench|tools)/\w+\.(?:py|sh)\b", line):
                    if not (self.root / script).exists():
                        self.failures.add(block, "there is no " + script)
                if not NOT_RUN.match(line.strip()):
                    kept.append(line)
            if not kept:
                continue
            before = block.notes.get("with", "").replace("; ", "\n")
            done = run(["sh", "-e"], input="%s\n%s\n" % (before, "\n".join(kept)), cwd=self.page_folder(everything, block.page), env=self.environment)
            if done.returncode != int(block.notes.get("status", 0)):
                self.failures.add(block, "exit status %d:\n%s" % (done.returncode, done.stdout[-2000:]))
            else:
                self.failures.compare(block, done.stdout)

    def pto(self, blocks, _):
        folder = self.folder("pto")
        groups = collections.defaultdict(list)
        for block in blocks:
            # "..." in a program leaves something out: it is not a whole program, unless in a type.
            path = folder / (name_of(block) + ".pto")
            path.write_text(block.notes.get("with", "") + block.text)
            groups[block.notes.get("rule", "")].append((block, path))
        for rule, members in groups.items():
            done = run([self.build / "src/cli/pto", "check", *[path for _, path in members]])
            for block, path in members:
                said = [line for line in done.stdout.splitlines() if line.startswith(str(path) + ":") and " error: " in line]
                if rule and not any(line.endswith("[%s]" % rule) for line in said):
                    self.failures.add(block, "breaks %s, not %s" % (said, rule))
                if not rule and said:
                    self.failures.add(block, "\n".join(said))

    def unit(self, blocks, space):
        """One source in C or C++: includes first, then each block, then the main function that calls them."""
        includes, bodies, calls = {}, [], []
        for block in blocks:
            lines = []
            hidden = block.notes.get("with", "").splitlines()
            includes.update(dict.fromkeys(line for line in hidden if line.startswith("#include")))
            for line in block.text.splitlines():
                if line.startswith("#include"):
                    includes[line] = None
                    line = ""
                lines.append(line)
            text, name, given = "\n".join(lines) + "\n" + block.notes.get("after", ""), name_of(block), "\n".join(line for line in hidden if not line.startswith("#include"))
            calls.append('puts("== %s"); fflush(stdout);' % name)
            if re.search(r"\bint main\(", text):
                arguments = "0, nullptr" if space else "0, 0"
                calls[-1] += " %s%s(%s);" % (name + "::" if space else "", "main_" + name, arguments if re.search(r"\bmain\(int", text) else "")
                text = re.sub(r"\bint main\((void)?", "int main_%s(" % name if space else r"int main_%s(\1" % name, text)
            elif space and "statements" not in block.notes:
                pass
            elif "statements" in block.notes:
                given, text = "%s\nvoid fragment_%s(void) {" % (given, name), text + "}"
            text = '%s\n#line %d "%s"\n%s' % (given, block.line + 1, block.page, text)
            bodies.append("namespace %s {\n%s\n}" % (name, text) if space else text)
        includes["#include <stdio.h>"] = None
        # Only the output of a program is compared, not its status.
        return "%s\n%s\nint main(void) {\n%s\nreturn 0;\n}\n" % ("\n".join(includes), "\n".join(bodies), "\n".join(calls))

    def compiled(self, blocks, name, compiler):
        if not blocks:
            return
        folder = self.folder(name)
        source = folder / ("blocks." + name)
        source.write_text(self.unit(blocks, name == "cpp"))
        done = run([*compiler, "-O0", "-w", source, "-o", folder / "blocks", *self.flags, "-lpthread", "-lm"])
        if done.returncode != 0:
            self.failures.add(blocks[0], done.stdout[-3000:])
            return
        os.symlink(self.root / "examples", folder / "examples")
        done = run([folder / "blocks"], cwd=folder, env=self.environment)
        if done.returncode != 0:
            self.failures.add(blocks[0], "exit status %d:\n%s" % (done.returncode, done.stdout[-2000:]))
        split_output(done.stdout, blocks, self.failures)

    def c(self, blocks, _):
        self.compiled(blocks, "c", ["cc", "-std=gnu11"])

    def cpp(self, blocks, _):
        self.compiled(blocks, "cpp", ["c++", "-std=c++17"])

    def python(self, blocks, everything):
        sys.path.insert(0, str(self.build / "bindings/python"))
        spaces, home = {}, os.getcwd()
        for block in blocks:
            os.chdir(self.page_folder(everything, block.page))
            space = spaces.setdefault(block.page, {"__name__": "__main__"})
            printed = io.StringIO()
            try:
                with contextlib.redirect_stdout(printed):
                    exec(block.notes.get("with", "").replace("; ", "\n"), space)
                    exec(compile("\n" * block.line + block.text, block.page, "exec"), space)
            except Exception:  # whatever a page does wrong
                self.failures.add(block, traceback.format_exc(limit=-2))
                continue
            self.failures.compare(block, printed.getvalue())
        os.chdir(home)

    def rust(self, blocks, _):
        folder = self.folder("rust")
        (folder / "src").mkdir()
        (folder / "Cargo.toml").write_text('[package]\nname = "blocks"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\npto = { path = "%s" }\n'
                                           % (self.root / "bindings/rust/pto"))
        shutil.copy(self.root / "bindings/rust/Cargo.lock", folder)
        bodies = ["#[allow(unused)]\nmod %s {\n%s\n}" % (name_of(block), re.sub(r"(?m)^fn main", "pub fn main", block.text)) for block in blocks]
        calls = ['println!("== %s"); let _ = %s::main();' % (name_of(block), name_of(block)) for block in blocks]
        (folder / "src/main.rs").write_text("%s\nfn main() {\n%s\n}\n" % ("\n".join(bodies), "\n".join(calls)))
        environment = {**self.environment, "CARGO_TARGET_DIR": str(self.build / "bindings/rust/blocks")}
        self.program(["cargo", "run", "-q", "--offline"], blocks, cwd=folder, env=environment)

    def go(self, blocks, _):
        folder = self.folder("go")
        (folder / "go.mod").write_text("module blocks\n\ngo 1.19\n\nrequire libpto.org/go v0.0.0\n\nreplace libpto.org/go => %s\n" % (self.root / "bindings/go"))
        for block in blocks:
            (folder / name_of(block)).mkdir()
            text = re.sub(r"(?m)^package main", "package " + name_of(block), re.sub(r"(?m)^func main\(", "func Main(", block.text))
            (folder / name_of(block) / "block.go").write_text(text)
        imports = "\n".join('"blocks/%s"' % name_of(block) for block in blocks)
        calls = "\n".join('fmt.Println("== %s"); %s.Main()' % (name_of(block), name_of(block)) for block in blocks)
        (folder / "main.go").write_text('package main\n\nimport (\n"fmt"\n%s\n)\n\nfunc main() {\n%s\n}\n' % (imports, calls))
        self.program(["go", "run", "."], blocks, cwd=folder, env=self.environment)

    def java(self, blocks, _):
        folder, here = self.folder("java"), self.build / "bindings/java"
        classes = []
        for block in blocks:
            name = re.search(r"class (\w+)", block.text)[1]
            (folder / name_of(block)).mkdir()
            (folder / name_of(block) / (name + ".java")).write_text("package %s;\n%s" % (name_of(block), block.text))
            classes.append("%s.%s" % (name_of(block), name))
        calls = "\n".join('System.out.println("== %s"); %s.main(new String[]{"%s", "out.png"});' % (name_of(block), name, self.root / "examples/camera.png")
                          for block, name in zip(blocks, classes))
        (folder / "Blocks.java").write_text("public class Blocks {\npublic static void main(String[] args) throws Exception {\n%s\n}\n}\n" % calls)
        sources = [path for top in (folder, self.root / "bindings/java/src/main/java", here / "generated") for path in top.rglob("*.java") if path.name != "module-info.java"]
        done = run(["javac", "-nowarn", "-d", folder / "classes", *sources])
        if done.returncode != 0:
            self.failures.add(blocks[0], done.stdout[-3000:])
            return
        self.program(["java", "-cp", "%s:%s" % (folder / "classes", here / "resources"), "Blocks"], blocks, cwd=folder, env=self.environment)

    def program(self, command, blocks, **keywords):
        done = run(command, **keywords)
        if done.returncode != 0:
            self.failures.add(blocks[0], "exit status %d:\n%s" % (done.returncode, done.stdout[-3000:]))
        split_output(done.stdout, blocks, self.failures)


def main():
    arguments = sys.argv[1:]
    if arguments[0] == "--list":
        found = list(blocks_of(pathlib.Path(arguments[1])))
        for block in found:
            if "skip" in block.notes:
                print("%s:%d: %s: skipped: %s" % (block.page, block.line, block.language, block.notes["skip"]))
        print(", ".join("%d %s" % (count, language) for language, count in collections.Counter(block.language for block in found).items()))
        return
    root, build = (pathlib.Path(argument).resolve() for argument in arguments[:2])
    everything = list(blocks_of(root))
    assert len(everything) > 20, everything
    with tempfile.TemporaryDirectory() as work:
        tester = Tester(root, build, pathlib.Path(work))
        for language in arguments[2:]:
            blocks = [block for block in everything if block.language == language and "skip" not in block.notes and "file" not in block.notes]
            if blocks:
                getattr(tester, language)(blocks, everything)
            print("%s: %d blocks" % (language, len(blocks)), flush=True)
    if tester.failures:
        print("\n\n".join(tester.failures))
        sys.exit("%d blocks fail" % len(tester.failures))


main()
