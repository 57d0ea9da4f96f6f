"""The module as wheels have it: for the stable ABI of CPython 3.9, which abi3audit confirms, and which this Python runs.
`pip install` takes the newest SWIG, so our generators must read the tree of that one, too.

usage: check_abi3.py ROOT PACKAGE_FOLDER LIBRARY_FOLDER WORK_FOLDER
pip fetches SWIG 4.3 or newer and abi3audit once; without them the test is skipped (exit status 77).
"""
import filecmp
import os
import pathlib
import shutil
import subprocess
import sys
import sysconfig

root, package, library, work = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
tools = work / "venv/bin"
work.mkdir(parents=True, exist_ok=True)
for command in ([sys.executable, "-m", "venv", "venv"], [tools / "pip", "install", "-q", "swig>=4.3", "abi3audit"]):
    if not (tools / "abi3audit").exists() and subprocess.run([str(part) for part in command], cwd=work).returncode != 0:
        print("skipped: SWIG and abi3audit cannot be fetched")
        sys.exit(77)


def run(*command, **environment):
    subprocess.run([str(part) for part in command], cwd=work, check=True, env={**os.environ, **environment})


made = work / "package/libpto"
shutil.rmtree(made, ignore_errors=True)
made.mkdir(parents=True)
for path in [*(root / "bindings/python/libpto").glob("*.py"), package / "_ops.py"]:
    shutil.copy(path, made)
run(tools / "swig", "-Wall", "-Werror", "-I%s" % (root / "include"), "-I%s" % (root / "bindings"), "-python", "-doxygen", "-module", "raw",
    "-outdir", made, "-o", "raw_wrap.c", root / "bindings/pto.i")
(work / "newest").mkdir(exist_ok=True)
run(sys.executable, root / "bindings/tools/generate.py", "--swig", tools / "swig", "--python", work / "newest")
for name in sorted(path.name for path in (work / "newest").iterdir()):
    if not filecmp.cmp(work / "newest" / name, package / name, shallow=False):
        sys.exit("the newest SWIG leads to another %s than the one in %s" % (name, package))
run(sys.executable, root / "bindings/tools/generate.py", "--swig", tools / "swig", "--man", work / "man3", "0")
module = made / "_raw.abi3.so"
run(os.environ.get("CC", "cc"), "-O0", "-shared", "-fPIC", "-w", "-std=gnu99", "-DPy_LIMITED_API=0x03090000", "-I%s" % (root / "include"),
    "-I%s" % sysconfig.get_paths()["include"], "raw_wrap.c", "-L%s" % library, "-lpto", "-o", module)
run(tools / "abi3audit", "--strict", "--assume-minimum-abi3", "3.9", module)
run(sys.executable, root / "bindings/python/tests/test_native.py", PYTHONPATH=str(made.parent), LD_LIBRARY_PATH=str(library))
