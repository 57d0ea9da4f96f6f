#!/usr/bin/env python3
"""The builds of libpto agree: what lies in src/, what src/sources.txt lists, what meson compiles, what CMake would, with
which flags; and the packages have one version.

usage: test_sources.py ROOT MESON_BUILD WORK
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys

root, build, work = map(pathlib.Path, sys.argv[1:])


def listed():
    groups, group = {}, None
    for line in (root / "src/sources.txt").read_text().splitlines():
        line = line.strip()
        if ":" in line and not line.startswith("#"):
            group, flags = line.split(":", 1)
            groups[group] = ([flag for flag in flags.split() if not flag.startswith("units=")], [])
        elif line and not line.startswith("#"):
            groups[group][1].append(line)
    return groups


def compiled(folder):
    """File: its arguments, of those below src/ that the library or the command is made of."""
    out = {}
    for entry in json.loads((folder / "compile_commands.json").read_text()):
        unit = (pathlib.Path(entry["directory"]) / entry["file"]).resolve()
        if entry.get("output", "").startswith("tests/"):
            continue
        # Several files may be one unit.
        parts = re.findall(r'^#include\s*["<](.*)[">]', unit.read_text(), re.M) if re.search(r"-unity\d+\.cpp$", unit.name) else []
        for file in [pathlib.Path(part).resolve() for part in parts] or [unit]:
            if file.is_relative_to(root.resolve() / "src"):
                out.setdefault(str(file.relative_to(root.resolve())), entry["command"].split())
    return out


def same(what, got, want):
    assert set(got) == set(want), "%s: only there %s, missing %s" % (what, sorted(set(got) - set(want)), sorted(set(want) - set(got)))


groups = listed()
files = [f for _, names in groups.values() for f in names]
assert len(files) == len(set(files)), "a file is listed twice"
parts = ("records", "objects", "checks", "engine", "api", "kernels", "ptoas")
same("src/", {str(p.relative_to(root)) for part in parts for p in (root / "src" / part).rglob("*.cc")}, files)

by_meson = compiled(build)
same("meson", {f for f in by_meson if f.split("/")[1] in parts}, files)
builds = {"meson": by_meson}
if shutil.which("cmake"):
    folder = work / "sources-cmake"
    shutil.rmtree(folder, ignore_errors=True)
    done = subprocess.run(["cmake", "-S", root, "-B", folder, "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", "-DCMAKE_UNITY_BUILD=OFF"],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    builds["CMake"] = compiled(folder)
    same("CMake", builds["CMake"], files)
# Flags that this compiler knows are those that any file has; of the -O the last one counts.
for name, commands in builds.items():
    known = {argument for command in commands.values() for argument in command}
    for group, (flags, names) in groups.items():
        for file in names:
            for flag in groups["all"][0] + flags:
                level = flag.startswith("-O")
                given = [a for a in commands[file] if a.startswith("-O")][-1:] if level else commands[file]
                # A second level would be for debug builds, too.
                assert name != "meson" or sum(a.startswith("-O") for a in commands[file]) == 1, "%s: %s has several levels" % (name, file)
                # -Doptimization=1 is for the kernels, too.
                lowered = level and given == ["-O1"]
                assert lowered or flag in given or not (level or flag in known), "%s: %s without %s" % (name, file, flag)

version = re.search(r"^  version: '(.*)',$", (root / "meson.build").read_text(), re.M)[1]
for path, pattern in (("bindings/rust/Cargo.toml", r'^version = "(.*)"'), ("bindings/java/pom.xml", r"<artifactId>pto</artifactId>\s*<version>(.*?)<"),
                      ("packaging/vcpkg/vcpkg.json", r'"version": "(.*)"'), ("packaging/conan/conanfile.py", r'^    version = "(.*)"'),
                      ("packaging/debian/changelog", r"\((.*)-\d+\)")):
    found = re.search(pattern, (root / path).read_text(), re.M)[1]
    assert found == version, "%s has version %s, meson.build %s" % (path, found, version)
print("%d files in %d groups, the same for %s" % (len(files), len(groups) - 1, " and ".join(builds)))
