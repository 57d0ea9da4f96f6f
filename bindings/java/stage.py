"""Lays the native libraries out as the jar carries them: native/<os>-<arch>/.

usage: stage.py STAMP FOLDER PLATFORM SONAME LIBPTO LIBPTO_JNI
"""
import pathlib
import shutil
import sys

stamp, folder, platform, soname, libpto, jni = sys.argv[1:]
target = pathlib.Path(folder) / "native" / platform
shutil.rmtree(folder, ignore_errors=True)
target.mkdir(parents=True)
# Under its soname, which the JNI library asks for; the list is in the order of loading.
names = [soname, "libpto_jni.so"]
shutil.copyfile(libpto, target / names[0])
shutil.copyfile(jni, target / names[1])
(target / "files").write_text("\n".join(names) + "\n")
pathlib.Path(stamp).write_text("")
