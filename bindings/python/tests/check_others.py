"""test_others.py, and the tests that use ml_dtypes if it is there, with libraries that pip installs once.

usage: check_others.py PACKAGE_FOLDER WORK_FOLDER
"""
import os
import pathlib
import subprocess
import sys

package, work = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
work.mkdir(parents=True, exist_ok=True)
python = work / "venv/bin/python"
for command in ([sys.executable, "-m", "venv", work / "venv"], [python, "-m", "pip", "install", "-q", "numpy", "ml_dtypes", "jax"]):
    if not (work / "ready").exists():
        subprocess.run([str(part) for part in command], check=True)
(work / "ready").touch()
for name in ("test_others.py", "test_types.py", "test_native.py"):
    subprocess.run([python, pathlib.Path(__file__).with_name(name)], env={**os.environ, "PYTHONPATH": str(package)}, check=True)
