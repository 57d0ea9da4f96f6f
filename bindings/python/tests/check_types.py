"""The package and code that uses it, as mypy and pyright see them.

usage: check_types.py PACKAGE_FOLDER WORK_FOLDER
The checkers are fetched once by pip and npm; without them the test is skipped (exit status 77).
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys

package, work = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
user = pathlib.Path(__file__).resolve().with_name("typed.py")
python = work / "venv/bin/python"
pyright = work / "node_modules/.bin/pyright"
failed = checked = 0


def fetch(name, there, *commands):
    """Whether a checker is there, or is once it has been fetched."""
    log = work / (name + ".log")
    with log.open("w") as out:
        done = there.exists() or all(subprocess.run(command, cwd=work, stdout=out, stderr=subprocess.STDOUT).returncode == 0 for command in commands)
    if not done:
        print("%s: skipped, it cannot be fetched (%s)" % (name, log))
    return done


def judge(name, command):
    global failed, checked
    done = subprocess.run([str(part) for part in command], cwd=work, capture_output=True, text=True, env={**os.environ, "MYPYPATH": str(package)})
    print("%s: %s" % (name, "ok" if done.returncode == 0 else "FAILED\n" + done.stdout + done.stderr))
    checked += 1
    failed += done.returncode != 0


work.mkdir(parents=True, exist_ok=True)
if fetch("mypy", work / "venv/bin/mypy", [sys.executable, "-m", "venv", "venv"],
         [python, "-m", "pip", "install", "-q", "mypy", "numpy", "ml_dtypes", "typing_extensions"]):
    strict = [work / "venv/bin/mypy", "--strict", "--cache-dir", work / "mypy"]
    judge("mypy: the package", [*strict, "-p", "libpto"])
    judge("mypy: code that uses it", [*strict, user])
    if shutil.which("npm") and fetch("pyright", pyright, ["npm", "install", "--silent", "--no-save", "--prefix", ".", "pyright"]):
        settings = {"include": [str(user)], "extraPaths": [str(package)], "pythonPath": str(python), "reportUnnecessaryTypeIgnoreComment": "error",
                    "venvPath": str(work), "venv": "venv", "typeCheckingMode": "strict", "reportUnusedExpression": "none"}
        (work / "pyrightconfig.json").write_text(json.dumps(settings))
        judge("pyright: code that uses it", [pyright, "-p", "pyrightconfig.json"])
print("%d passed, %d failed" % (checked - failed, failed) if checked else "cannot be had: mypy from the index of pip")
sys.exit(1 if failed else 0 if checked else 77)
