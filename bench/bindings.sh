#!/bin/sh
# ./dev bench bindings: what a call costs from C, Rust, Go and Java, each the best of many rounds.
set -eu
out=build/bindings
export PKG_CONFIG_PATH="$PWD/$out" LD_LIBRARY_PATH="$PWD/build"
cc -O2 -Iinclude bench/bindings.c build/libpto.so -o "$out/calls"
"$out/calls" >"$out/c.txt"
if command -v cargo >/dev/null; then
  CARGO_TARGET_DIR="$PWD/$out/rust/target" cargo run -q --release --locked --manifest-path bindings/rust/Cargo.toml --example cost >"$out/rust.txt"
fi
if command -v go >/dev/null; then
  (cd bindings/go && go test -run '^$' -bench . -benchtime 20000x -count 100 .) >"$out/go-rounds.txt"
  awk '/^Benchmark/ { sub(/-[0-9]+$/, "", $1); if (!($1 in best) || $3 < best[$1]) best[$1] = $3 }
    END { print "empty", best["BenchmarkEmptyCall"]; print "tpow-1x1", best["BenchmarkTpow1x1"]; print "write-64x64", best["BenchmarkWrite64x64"] }' \
    "$out/go-rounds.txt" >"$out/go.txt"
fi
printf '%-14s %10s %10s %10s\n' 'best, ns' C Rust Go
for name in empty tpow-1x1 write-64x64; do
  printf '%-14s' "$name"
  for language in c rust go; do
    value=$(sed -n "s/^$name //p" "$out/$language.txt" 2>/dev/null || true)
    printf ' %10s' "${value:--}"
  done
  echo
done
if command -v mvn >/dev/null && [ -d "$out/java" ]; then sh bindings/java/bench.sh; fi
