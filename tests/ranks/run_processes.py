"""Runs examples/ring.pto with `pto run` on four ranks that are processes, and compares the bytes with a run in one process.

run_processes.py PTO EXAMPLES shm|LAUNCHER...
"""
import os
import pathlib
import subprocess
import sys
import tempfile

pto, examples, *how = sys.argv[1:]
pto = os.path.abspath(pto)
RING = [
    f"{examples}/ring.pto", "--ranks", "4", "--shape", "own=1x16", "--in", "own=iota", "--shape", "sig=1x1", "--in", "sig=zeros",
    "--peer", "next=own@+1", "--peer", "nsig=sig@+1", "--int", "rank=@rank",
]


def run(command, transport, expect=0, **more):
    env = dict(os.environ, PTO_TRANSPORT=transport, **more)
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == expect or (expect and done.returncode), (command, done.returncode, done.stdout, done.stderr)
    return done.stderr


with tempfile.TemporaryDirectory() as made:
    os.chdir(made)
    run([pto, "run", *RING, "--out", "own@0=one.npy", "--out", "own@3=three.npy"], "local")
    launch = [] if how == ["shm"] else how
    transport = "shm" if how == ["shm"] else "mpi"
    parts = [*launch, pto, "run", *RING, "--out", "own@0=one.p.npy", "--out", "own@3=three.p.npy"]
    for shared in ["1", "1", "0"] if launch else ["1"] * 20:
        run(parts, transport, PTO_MPI_SHARED=shared)
        for name in ("one", "three"):
            assert pathlib.Path(f"{name}.npy").read_bytes() == pathlib.Path(f"{name}.p.npy").read_bytes(), name
            os.remove(f"{name}.p.npy")
    # A signal that no rank sets names the rank, the line and the values.
    lost = pathlib.Path(RING[0]).read_text().replace("pto.comm.tnotify(%notify, %i1", "pto.comm.tnotify(%notify, %i0")
    pathlib.Path("lost.pto").write_text(lost)
    said = run([*launch, pto, "run", "lost.pto", *RING[1:]], transport, 1)
    assert "[deadlock]" in said and "waits until %signal >= 1, and it is 0" in said, said
    assert "need all ranks in one process" in run([*launch, pto, "run", *RING, "--sync"], transport, 2)
