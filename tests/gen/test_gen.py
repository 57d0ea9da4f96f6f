#!/usr/bin/env python3
"""What is generated is fresh, and the generator notices when it is not.

usage: test_gen.py PTO_GEN ROOT
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile


def check(gen, root):
    return subprocess.run([gen, "--check", str(root)], capture_output=True, text=True)


def main():
    gen, root = sys.argv[1], pathlib.Path(sys.argv[2])
    done = check(gen, root)
    assert done.returncode == 0, f"stale files; run ./dev gen\n{done.stderr}"
    files = subprocess.run([gen, "--list", str(root)], check=True, capture_output=True, text=True).stdout.split()
    assert len(files) > 10, files
    if (root / ".git").exists():
        told = subprocess.run(["git", "check-attr", "linguist-generated", "--", *files], cwd=root, check=True, capture_output=True, text=True).stdout
        unmarked = [line for line in told.splitlines() if not line.endswith(": set")]
        assert not unmarked, f"not marked in .gitattributes: {unmarked}"
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder)
        for name in files + ["include/pto_c.h", *(path.relative_to(root).as_posix() for path in root.glob("examples/vector/*.pto"))]:
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(root / name, copy / name)
        assert check(gen, copy).returncode == 0, "an exact copy is called stale"
        good = {name: (copy / name).read_bytes() for name in files}
        damages = [lambda text: text + b"\n", lambda text: text.replace(b"t", b"T", 1), lambda text: b"", None]
        for damage in damages:
            for name in files:
                (copy / name).write_bytes(damage(good[name])) if damage else (copy / name).unlink()
            done = check(gen, copy)
            assert done.returncode == 1, done
            said = set(re.findall(r"^stale: (\S+) ", done.stderr, re.M))
            assert said == set(files), f"changed without notice: {set(files) ^ said}"
        for name in files:
            (copy / name).write_bytes(good[name])
        (copy / files[-1]).write_bytes(good[files[-1]] + b"\n")
        done = check(gen, copy)
        assert done.returncode == 1 and done.stderr == f"stale: {files[-1]} (run ./dev gen)\n", done
        (copy / files[-1]).write_bytes(good[files[-1]])
        # Every instruction is listed in docs/ops/README.md, which people read instead of a table in README.md.
        pages = [name for name in files if name.startswith("docs/ops/") and name.count("/") == 3]
        listed = re.findall(r"\]\(([a-z-]+/\w+\.md)\)", (root / "docs/ops/README.md").read_text())
        assert sorted("docs/ops/" + link for link in listed) == sorted(pages), set(pages) ^ {"docs/ops/" + link for link in listed}
        readme = (root / "README.md").read_text()
        assert len(readme.splitlines()) <= 150 and "docs/ops/README.md" in readme, "README.md is at most 150 lines long and links to the instructions"
        # A page of no instruction is noticed and removed.
        stray = copy / "docs/ops/irregular/tgone.md"
        stray.write_text("# TGONE\n")
        done = check(gen, copy)
        assert done.returncode == 1 and "docs/ops/irregular/tgone.md is of no instruction" in done.stderr, "a stray page went unnoticed"
        done = subprocess.run([gen, "--write", folder], check=True, capture_output=True, text=True)
        assert "removed docs/ops/irregular/tgone.md" in done.stdout and not stray.exists(), done.stdout
        # Missing files are written, and nothing else.
        (copy / files[0]).unlink()
        done = subprocess.run([gen, "--write", folder], check=True, capture_output=True, text=True)
        assert done.stdout == f"wrote {files[0]}\n", done.stdout
        assert check(gen, copy).returncode == 0
        # A new prototype in the public header makes the version map stale.
        header = copy / "include/pto_c.h"
        header.write_text(header.read_text().replace(
            "PTO_API int32_t pto_version(void);", "PTO_API int32_t pto_version(void);\nPTO_API int32_t pto_new(void);"))
        done = check(gen, copy)
        assert done.returncode == 1 and "libpto.map" in done.stderr, "a new prototype went unnoticed"
        # A place that cannot be written is named.
        (copy / files[0]).unlink()
        (copy / files[0]).symlink_to("/nowhere/at/all")
        done = subprocess.run([gen, "--write", folder], capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (2, f"pto-gen: cannot write {files[0]}\n"), done
    done = subprocess.run([gen, "--help"], capture_output=True, text=True)
    assert done.returncode == 0 and "--list ROOT" in done.stdout
    for arguments in ([], ["--check"], ["--check", "a", "b"], ["--nonsense", str(root)]):
        done = subprocess.run([gen] + arguments, capture_output=True, text=True)
        assert done.returncode == 2, f"{arguments}: {done.returncode}"
    print(f"{len(files)} generated files are fresh")


main()
