#!/bin/sh
# run-front.sh TARGET SECONDS DICTIONARY SEEDS...: fuzzes in a folder of its own and fails
# on a crash, a leak, an input that takes 10 s, or more than 1 GiB of memory.
# An input that fails is shown and kept beside the target.
set -eu
target=$(realpath "$1")
seconds=$2
dictionary=$3
shift 3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/corpus"
if ! "$target" -dict="$dictionary" -max_total_time="$seconds" -rss_limit_mb=1024 -timeout=10 -max_len=8192 \
  -artifact_prefix="$target-" "$work/corpus" "$@" >"$work/log" 2>&1; then
  tail -n 60 "$work/log"
  exit 1
fi
tail -n 1 "$work/log"
