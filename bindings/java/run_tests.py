"""Runs what proves the Java binding. "quick": Maven's build with the JUnit tests, and the README's program against the
jar alone. "thorough": the same with every call checked by -Xcheck:jni, the module and the Javadoc.

Offline when Maven has what it needs; else it fetches that once, through its own settings.

usage: run_tests.py quick|thorough MVN SOURCE_FOLDER BUILD_FOLDER VECTORS
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

how, mvn, source, build, vectors = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]), pathlib.Path(sys.argv[4]), sys.argv[5]
thorough = how == "thorough"
work = build / how
work.mkdir(exist_ok=True)
check = ["-Xcheck:jni"] if thorough else []
# Programs that run for seconds: most of what they took was the compiler that optimises most, and threads that collect garbage.
brief = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"]
machine = check if thorough else brief
passed, failed = 0, 0


def run(command, log, **keywords):
    """The exit code and output of a command; the output stays in a file too."""
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **keywords)
    (work / log).write_text(result.stdout)
    return result.returncode, result.stdout


def judge(name, ok, output):
    global passed, failed
    print("%s: %s" % (name, "ok" if ok else "FAILED"))
    if ok:
        passed += 1
    else:
        failed += 1
        print(output)


arguments = ["-B", "-ntp", "-f", str(source / "pom.xml"), "-Dpto.build=" + str(build), "-Dpto.maven=" + str(work / "maven"),
             "-Dpto.vectors=" + vectors, "-Dpto.jvm=" + " ".join(machine), "package"]
os.environ["MAVEN_OPTS"] = " ".join([*brief, os.environ.get("MAVEN_OPTS", "")])
shutil.rmtree(work / "maven", ignore_errors=True)  # so that no class of an earlier header stays in the jar
code, output = run([mvn, "-o"] + arguments, "maven.log")
if code != 0 and re.search(r"offline mode|has not been downloaded", output):
    code, output = run([mvn] + arguments, "maven.log")
for line in re.findall(r"^\[INFO\] (Tests run: .*)$", output, re.M)[-1:]:
    print(line)
judge("maven: compile, JUnit, jar", code == 0 and "Tests run:" in output, output)

complaints = re.findall(r"^.*(?:in native method|JNI functions?|JNI call|JNI local refs|Corrupted channel).*$", output, re.M)
complaints += [str(p) for p in (work / "maven" / "surefire-reports").glob("*.dump*")]
judge("the virtual machine has no complaint", code == 0 and not complaints, "\n".join(complaints))

jars = list((work / "maven").glob("pto-*.jar"))
readme = (source / "README.md").read_text()
program = re.search(r"```java\n(.*?class (\w+) .*?)```", readme, re.S)
environment = {k: v for k, v in os.environ.items() if k != "LD_LIBRARY_PATH"}
if len(jars) == 1 and program:
    example = work / "readme" / (program[2] + ".java")
    example.parent.mkdir(exist_ok=True)
    example.write_text(program[1])
    picture = source.parent.parent / "examples" / "camera.png"
    code, output = run(["java", *machine, "-cp", str(jars[0]), str(example), str(picture), str(work / "readme.png")],
                       "readme.log", env=environment)
    judge("README's program with the jar alone", code == 0 and "WARNING" not in output, output)
    if thorough:
        code, output = run(["java", "-p", str(jars[0]), "--describe-module", "org.libpto"], "module.log", env=environment)
        judge("the jar is a module", code == 0 and "exports org.libpto" in output, output)
else:
    judge("README's program with the jar alone", False, "jars: %s, program: %s" % (jars, bool(program)))

if thorough:
    sources = sorted(str(p) for folder in (source / "src/main/java", build / "generated") for p in folder.rglob("*.java"))
    code, output = run(["javadoc", "-quiet", "-Xdoclint:all", "-Werror", "-d", str(work / "javadoc")] + sources, "javadoc.log")
    judge("Javadoc without warnings", code == 0, output)

print("%d passed, %d failed" % (passed, failed))
sys.exit(failed != 0)
