#!/bin/sh
# ./dev bench ranks [PART...]: what ranks cost. Of one process: turns, ring, checker, copies, signals; of two processes: shm.
# ./dev bench ranks mpi: with OpenMPI and MPICH, as far as they are installed, of calls of MPI itself.
set -eu
build() { ninja -C build "$@" >build/bench.log 2>&1 || { cat build/bench.log; exit 1; }; }
if [ "${1-}" != mpi ]; then
  build bench/ranks-bench
  exec build/bench/ranks-bench "$@"
fi
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 PTO_TRANSPORT=mpi
for library in openmpi mpich; do
  [ -f "build/libpto-mpi-$library.so" ] || { echo "no plug-in for $library in build/"; continue; }
  build "bench/ranks-$library" "libpto-mpi-$library.so"
  run="mpirun.$library"
  [ "$library" = mpich ] || run="$run --oversubscribe"
  echo "$library, 2 ranks, windows not shared"
  PTO_MPI_SHARED=0 $run -n 2 "build/bench/ranks-$library"
  echo "$library, 4 ranks, windows not shared"
  PTO_MPI_SHARED=0 $run -n 4 "build/bench/ranks-$library"
  echo "$library, 4 ranks, windows shared"
  $run -n 4 "build/bench/ranks-$library"
done
