#!/bin/sh
# What a call costs from C and from Java (JMH, fetched by Maven), the best of many short rounds.
# Arguments go to JMH: -prof gc shows allocation. usage: sh bindings/java/bench.sh [JMH ARGUMENTS]; after ./dev build
set -eu
cd "$(dirname "$0")"
build=$PWD/../../build
out=$build/bindings/java/bench
mkdir -p "$out"
cc -O2 -I../../include ../../bench/bindings.c "$build/libpto.so" -Wl,-rpath,"$build" -o "$out/calls"
mvn -q -B -ntp -Pbench "-Dpto.build=$build/bindings/java" test-compile dependency:build-classpath \
  -Dmdep.outputFile="$out/classpath" -Dmdep.includeScope=test
"$out/calls" >"$out/calls.txt"
java -cp "$build/bindings/java/maven/test-classes:$build/bindings/java/maven/classes:$(cat "$out/classpath")" \
  org.openjdk.jmh.Main -v SILENT -rf json -rff "$out/jmh.json" "$@"
python3 - "$out/calls.txt" "$out/jmh.json" <<'TABLE'
import json
import sys

c = {name.replace("-", ""): float(value) for name, value in (line.split() for line in open(sys.argv[1]))}
print("%-20s %10s %10s %10s" % ("best, ns", "C", "Java", "more"))
for run in json.load(open(sys.argv[2])):
    name = run["benchmark"].split(".")[-1]
    best = min(min(fork) for fork in run["primaryMetric"]["rawData"])
    base = next((value for known, value in c.items() if name.startswith(known)), None)
    more = ("-", "-") if base is None else ("%.1f" % base, "%.1f" % (best - base))
    print("%-20s %10s %10.1f %10s" % (name, more[0], best, more[1]))
    for extra, values in run.get("secondaryMetrics", {}).items():
        if extra.endswith("alloc.rate.norm"):
            print("%-20s %10.3f bytes allocated a call" % ("", values["score"]))
TABLE
