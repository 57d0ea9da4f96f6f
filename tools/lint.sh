#!/bin/sh
# Part of ./dev lint: clang-tidy over the library and the examples, with the
# compile commands of a build directory. Kernels are left to the compilers'
# warnings: clang-tidy takes minutes for a file that is compiled once a target.
# Flags of gcc that clang-tidy does not know are none of its business.
set -eu
build=$1
git ls-files 'src/*.cc' 'examples/*.c' | grep -v '^src/kernels/' | xargs clang-tidy -quiet --extra-arg=-Wno-unknown-warning-option -p "$build"
