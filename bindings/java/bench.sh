#!/bin/sh
# The cost of a call from C and from Java (JMH, fetched by Maven): of rounds that alternate, the medians of
# the best of many short iterations. Arguments go to JMH: -prof gc shows allocation.
# usage: [ROUNDS=3] sh bindings/java/bench.sh [JMH ARGUMENTS]; after ./dev build
set -eu
cd "$(dirname "$0")"
build=$PWD/../../build
out=$build/bindings/java/bench
rm -rf "$out"
mkdir -p "$out"
cc -O2 -I../../include ../../bench/bindings.c "$build/libpto.so" -Wl,-rpath,"$build" -o "$out/calls"
mvn -q -B -ntp -Pbench "-Dpto.build=$build/bindings/java" test-compile dependency:build-classpath \
  -Dmdep.outputFile="$out/classpath" -Dmdep.includeScope=test
round=0
while [ "$round" -lt "${ROUNDS:-3}" ]; do
  round=$((round + 1))
  "$out/calls" >"$out/calls-$round.txt"
  java -cp "$build/bindings/java/maven/test-classes:$build/bindings/java/maven/classes:$(cat "$out/classpath")" \
    org.openjdk.jmh.Main -v SILENT -rf json -rff "$out/jmh-$round.json" "$@"
done
python3 - "$out" <<'TABLE'
import json
import pathlib
import statistics
import sys

c, java, allocated = {}, {}, {}
for path in pathlib.Path(sys.argv[1]).glob("calls-*.txt"):
    for name, value in (line.split() for line in path.read_text().splitlines()):
        c.setdefault(name.replace("-", ""), []).append(float(value))
for path in pathlib.Path(sys.argv[1]).glob("jmh-*.json"):
    for run in json.loads(path.read_text()):
        name = run["benchmark"].split(".")[-1]
        java.setdefault(name, []).append(min(min(fork) for fork in run["primaryMetric"]["rawData"]))
        for extra, values in run.get("secondaryMetrics", {}).items():
            if extra.endswith("alloc.rate.norm"):
                allocated[name] = values["score"]
print("%-20s %10s %10s %10s" % ("best, ns", "C", "Java", "more"))
for name, values in java.items():
    best = statistics.median(values)
    base = next((statistics.median(values) for known, values in c.items() if name.startswith(known)), None)
    more = ("-", "-") if base is None else ("%.1f" % base, "%.1f" % (best - base))
    print("%-20s %10s %10.1f %10s" % (name, more[0], best, more[1]))
    if name in allocated:
        print("%-20s %10.3f bytes allocated a call" % ("", allocated[name]))
TABLE
