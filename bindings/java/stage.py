"""Lays the native libraries out as the jar carries them: native/<os>-<arch>/.

usage: stage.py STAMP FOLDER PLATFORM (NAME LIBRARY)...
"""
import pathlib
import shutil
import sys

stamp, folder, platform, *pairs = sys.argv[1:]
target = pathlib.Path(folder) / "native" / platform
shutil.rmtree(folder, ignore_errors=True)
target.mkdir(parents=True)
# libpto under its soname, which the JNI library asks for; the list is in the order of loading.
for name, library in zip(pairs[::2], pairs[1::2]):
    shutil.copyfile(library, target / name)
(target / "files").write_text("\n".join(pairs[::2]) + "\n")
pathlib.Path(stamp).write_text("")
