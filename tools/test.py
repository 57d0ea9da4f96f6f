#!/usr/bin/env python3
"""Runs tests of a build directory; ./dev test is the command to use.

usage: test.py run BUILD WORD...     builds what the chosen tests need and runs them (tools/test_select.py: what a WORD is)
       test.py command BUILD NAME COMMAND...   runs a command as a test
       test.py note BUILD NAME STATUS          adds a result that the shell found
       test.py report [--times]      the slowest results since the last `clear`, and the closing line
       test.py clear                 forgets the results
       test.py list BUILD            every test of a build directory, by suite

The tests are those that meson.build declares. This runner differs from `meson test` in three ways: the longest test starts
first, so that all cores stay busy to the end; it measures processor time; and it prints one line for each suite and the
command that repeats a failure. Results of all build directories add up in one file, `build/test-results.json`.
"""
import collections
import concurrent.futures
import json
import os
import pathlib
import random
import re
import resource
import shlex
import signal
import subprocess
import sys
import threading
import time

import test_select

ROOT = pathlib.Path(__file__).resolve().parent.parent
RESULTS = ROOT / "build/test-results.json"
SKIPPED = 77
# A tool that no package of the distribution has. Every other skip is a failure where CI is set.
ABSENT = "cannot be had: "


# Process groups of the tests that are running.
running = set()


class Result(dict):
    """name, build (directory), suite, status, cpu, seconds, reason."""


def add(result):
    with open(RESULTS, "a", encoding="utf-8") as file:
        file.write(json.dumps(result) + "\n")


def results():
    if not RESULTS.exists():
        return []
    return [Result(json.loads(line)) for line in RESULTS.read_text().splitlines()]


def command_to_repeat(result):
    build = pathlib.Path(result["build"])
    if build == ROOT / "build":
        plan = os.environ.get("PTO_PLAN")
        return ("" if plan is None else f"PTO_PLAN={plan} ") + "./dev test " + shlex.quote(result["name"])
    if not (build / "build.ninja").exists():
        return "./dev test " + result["suite"]
    return f"python3 tools/test.py run {os.path.relpath(build, ROOT)} {shlex.quote(result['name'])}"


def build_targets(build, tests):
    """Builds what the tests need, and nothing else."""
    wanted = {target for test in tests for target in test.depends}
    files = [os.path.relpath(name, build) for target in test_select.introspect(build, "targets") if target["id"] in wanted
             for name in target["filename"]]
    print(f"  building what {len(tests)} tests need", flush=True)
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.time()
    with open(build / "ninja.log", "w", encoding="utf-8") as log:
        code = subprocess.run(["ninja", "-C", build, "-k0", *files], stdout=log, stderr=subprocess.STDOUT).returncode if files else 0
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    result = Result(name="build of " + os.path.relpath(build, ROOT), build=str(build), suite="build", cpu=cpu, seconds=time.time() - start,
                    status="failed" if code else "built", reason="")
    add(result)
    print(f"  {result['name']:32} {clock(result)}", flush=True)
    if code:
        # What failed, and not what was made beside it.
        said = re.split(r"^(?=\[\d+/\d+\] )", (build / "ninja.log").read_text(), flags=re.MULTILINE)
        print("".join(step for step in said if "\nFAILED: " in step)[-8000:] or said[-1])
    return code == 0


def clock(result):
    return f"{result['seconds']:6.0f} s, {result['cpu']:6.0f} CPU s"


def run_one(build, test, log):
    """The result of a test; its output is written to a file."""
    env = {**os.environ, **test.env}
    env.setdefault("MALLOC_PERTURB_", str(random.randint(1, 255)))
    env.setdefault("UBSAN_OPTIONS", "halt_on_error=1:abort_on_error=1:print_summary=1:print_stacktrace=1")
    start = time.time()
    with open(log, "w", encoding="utf-8") as out:
        # What runs programs for another processor.
        wrapper = shlex.split(os.environ.get("PTO_TEST_WRAPPER", ""))
        child = subprocess.Popen(wrapper + test.command, cwd=test.workdir or build, env=env, stdin=subprocess.DEVNULL, stdout=out,
                                 stderr=subprocess.STDOUT, start_new_session=True)

        def stop():
            late.append(True)
            os.killpg(child.pid, signal.SIGKILL)

        running.add(child.pid)
        late = []
        timer = threading.Timer(test.timeout * float(os.environ.get("PTO_TEST_PATIENCE", "1")), stop)
        timer.start()
        _, code, usage = os.wait4(child.pid, 0)
        timer.cancel()
        running.discard(child.pid)
        child.returncode = os.waitstatus_to_exitcode(code)
    status = {0: "passed", SKIPPED: "skipped"}.get(child.returncode, "failed")
    said = log.read_text(errors="replace").strip().splitlines()
    reason = said[-1] if status == "skipped" and said else "took longer than %d s" % test.timeout if late else ""
    # unittest's own skips, of parts of a test.
    parts = re.search(r"OK \(skipped=(\d+)\)", "\n".join(said[-3:]))
    if parts:
        print(f"note: {test.name} skipped {parts[1]} of its cases: {os.path.relpath(log, ROOT)}", flush=True)
    if status == "skipped" and os.environ.get("CI") == "true" and not reason.startswith(ABSENT):
        status = "failed"
    return Result(name=test.name, build=str(build), suite=test.suite, status=status, reason=reason, cpu=usage.ru_utime + usage.ru_stime,
                  seconds=time.time() - start)


def run_all(build, tests):
    times = build / "test-times.json"
    known = json.loads(times.read_text()) if times.exists() else {}
    # A test that never ran here takes a tenth of its time limit, for all that is known.
    tests = sorted(tests, key=lambda test: -known.get(test.name, test.timeout / 10))
    left = collections.Counter(test.suite for test in tests)
    done = collections.defaultdict(list)
    logs = build / "test-logs"
    logs.mkdir(exist_ok=True)
    log_of = {test: logs / (re.sub(r"[^\w+.-]+", "_", test.name) + ".txt") for test in tests}
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("PTO_TEST_JOBS", os.cpu_count()))) as pool:
        jobs = {pool.submit(run_one, build, test, log_of[test]): test for test in tests}
        for job in ended(pool, jobs):
            test, result = jobs[job], job.result()
            add(result)
            if result["status"] == "passed":
                known[test.name] = round(result["seconds"], 2)
            done[test.suite].append(result)
            if result["status"] == "failed":
                print(log_of[test].read_text(errors="replace")[-6000:])
            if result["status"] != "passed":
                print_one(result)
            left[test.suite] -= 1
            if left[test.suite] == 0:
                print_suite(test.suite, done[test.suite])
    times.write_text(json.dumps(known, indent=0))


def ended(pool, jobs):
    """Jobs as they end. An interrupt ends the tests that are running, too: they have process groups of their own."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield from concurrent.futures.as_completed(jobs)
    except KeyboardInterrupt:
        pool.shutdown(wait=False, cancel_futures=True)
        for group in list(running):
            os.killpg(group, signal.SIGKILL)
        raise


def print_one(result):
    print(f"{result['status']}: {result['name']}{': ' if result['reason'] else ''}{result['reason']}")
    if result["status"] == "failed":
        print(f"  repeat it with: {command_to_repeat(result)}", flush=True)


def print_suite(suite, of):
    count = collections.Counter(result["status"] for result in of)
    said = ", ".join(f"{count[status]} {status}" for status in ("passed", "failed", "skipped") if count[status])
    whole = Result(seconds=sum(r["seconds"] for r in of), cpu=sum(r["cpu"] for r in of))
    print(f"  {suite:10} {said:21} {clock(whole)}", flush=True)


def report(times):
    every = results()
    tests = [r for r in every if r["suite"] != "build"]
    slowest = sorted(tests, key=lambda r: -r["seconds"])
    if times:
        print("\nprocessor time by build and suite:")
        sums = collections.defaultdict(lambda: Result(seconds=0, cpu=0))
        for r in every:
            where = os.path.relpath(r["build"], ROOT)
            whole = sums[r["name"] if r["suite"] == "build" else f"{where}: {r['suite']}"]
            whole["seconds"] += r["seconds"]
            whole["cpu"] += r["cpu"]
        for name, whole in sums.items():
            print(f"  {name:32} {clock(whole)}")
        print(f"  {'all tests':32} {clock(Result(seconds=sum(r['seconds'] for r in tests), cpu=sum(r['cpu'] for r in tests)))}")
        print("\nevery test:")
    elif len(tests) > 10:
        print("\nthe slowest tests:")
        slowest = slowest[:10]
    if times or len(tests) > 10:
        for r in slowest:
            where = pathlib.Path(r["build"]).name
            print(f"  {clock(r)}  {r['name']}" + ("" if where == "build" else f" ({where})"))
    for r in every:
        if r["status"] in ("failed", "skipped") and len(every) > 1:
            print_one(r)
    count = collections.Counter(r["status"] for r in every)
    skipped = f"{count['skipped']} skipped\n" if count["skipped"] else ""
    print(f"\n{skipped}{count['passed']} passed, {count['failed']} failed")
    return 0 if count["failed"] == 0 and count["passed"] > 0 else 1


def main():
    command, *rest = sys.argv[1:]
    if command == "report":
        sys.exit(report("--times" in rest))
    if command == "clear":
        RESULTS.unlink(missing_ok=True)
        return
    build = pathlib.Path(rest[0]).resolve()
    if command == "note":
        add(Result(name=rest[1], build=str(build), suite=rest[1], cpu=0, seconds=0, status=rest[2], reason=""))
        return
    if command == "command":
        told = {"name": rest[1], "suite": [rest[1]], "cmd": rest[2:], "env": {}, "workdir": str(ROOT), "timeout": 3600, "depends": []}
        run_all(build, [test_select.Test(told, [])])
        return
    # What meson knows is of the latest configuration.
    fresh = subprocess.run(["ninja", "-C", build, "build.ninja"], capture_output=True, text=True)
    if fresh.returncode != 0:
        print(fresh.stdout + fresh.stderr)
        add(Result(name="configuration", build=str(build), suite="build", cpu=0, seconds=0, status="failed", reason=""))
        sys.exit(1)
    tests = test_select.load(build)
    if command == "list":
        for suite in sorted({test.suite for test in tests}):
            print(f"{suite}: " + "; ".join(test.name + ("*" if "thorough" in test.suites else "") for test in tests if test.suite == suite))
        print("tests with a star run only in `./dev test thorough`, and by name")
        return
    chosen = test_select.choose(ROOT, build, tests, rest[1:])
    if chosen and build_targets(build, chosen):
        run_all(build, chosen)


if __name__ == "__main__":
    main()
