#!/bin/sh
# Part of ./dev lint: the checker of words, and clang-tidy over the library and the examples, with the
# compile commands of a build directory. Kernels are left to the compilers'
# warnings: clang-tidy takes minutes for a file that is compiled once a target.
# Flags of gcc that clang-tidy does not know are removed.
set -eu
build=$1
python3 tools/words.py
# hn::Ne() of Highway 1.0.3 is an ordered comparison for AVX2 and AVX-512, false where an operand is a NaN, and an
# unordered one elsewhere: Not(Eq()) or IsNaN() say which is meant.
if git grep -nE '(^|[^A-Za-z])(hn::)?Ne\(' -- 'src/kernels/*'; then
  echo "hn::Ne() differs between targets: write hn::Not(hn::Eq()) or hn::IsNaN()" >&2
  exit 1
fi
git ls-files 'src/*.cc' 'examples/*.c' | grep -v '^src/kernels/' | xargs clang-tidy -quiet --extra-arg=-Wno-unknown-warning-option -p "$build"
