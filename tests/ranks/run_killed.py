"""Kills processes of `pto run` with ranks as processes at random moments, 100 times in a thorough test. Each time all processes
are gone within 3 seconds, and nothing is left: no shared memory, no temporary file, no output that is half written. The
same holds for a rank that is killed before it joins the world; kill_fork.c kills it.

run_killed.py PTO [KILL_FORK]
"""
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import tempfile
import time

PTO = os.path.abspath(sys.argv[1])
KILL_FORK = os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else None
TIMES = 100 if "PTO_TEST_THOROUGH" in os.environ else 8
RANKS = 3
SIZE = 128 + 4 * 16 * 4096  # of an array of 16x4096 floats, with its header
VIEW, SIGNAL, TILE = "!pto.tensor_view<16x4096xf32>", "!pto.tensor_view<1x1xi32>", "!pto.tile_buf<vec, 16x4096xf32>"

# Each round a rank hands its data on and waits for the rank before it.
RING = f"""func.func @ring(%own: !pto.ptr<f32>, %sig: !pto.ptr<i32>, %next: !pto.ptr<f32>, %nsig: !pto.ptr<i32>, %rounds: index) attributes {{pto.entry}} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = arith.constant 16 : index
  %cols = arith.constant 4096 : index
  %i1 = arith.constant 1 : i32
  %mine = pto.make_tensor_view %own, shape = [%rows, %cols], strides = [%cols, %c1] : {VIEW}
  %theirs = pto.make_tensor_view %next, shape = [%rows, %cols], strides = [%cols, %c1] : {VIEW}
  %signal = pto.make_tensor_view %sig, shape = [%c1, %c1], strides = [%c1, %c1] : {SIGNAL}
  %notify = pto.make_tensor_view %nsig, shape = [%c1, %c1], strides = [%c1, %c1] : {SIGNAL}
  %ping = pto.alloc_tile : {TILE}
  scf.for %i = %c0 to %rounds step %c1 {{
    pto.comm.tput(%theirs, %mine, buf(%ping) : {VIEW}, {VIEW}, {TILE})
    pto.comm.tnotify(%notify, %i1 : {SIGNAL}, i32) {{notifyOp = #pto<notify_op atomic_add>}}
    %n = arith.addi %i, %c1 : index
    %want = arith.index_cast %n : index to i32
    pto.comm.twait(%signal, %want : {SIGNAL}, i32) {{cmp = #pto<wait_cmp ge>}}
  }}
  return
}}
"""


def children(process):
    """The processes that a process has started."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1]) == process:
                found.append(int(entry.name))
        except OSError:
            pass  # it has ended meanwhile
    return found


def alive(process):
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def shared():
    return set(os.listdir("/dev/shm"))


def main():
    draw = random.Random(7)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        pathlib.Path("ring.pto").write_text(RING)
        command = [PTO, "run", "ring.pto", "--ranks", str(RANKS), "--shape", "own=16x4096", "--in", "own=iota", "--shape", "sig=1x1", "--in", "sig=zeros",
                   "--peer", "next=own@+1", "--peer", "nsig=sig@+1", "--timeout", "60000"]
        for rank in range(RANKS):
            command += ["--out", f"own@{rank}=out{rank}.npy"]
        environment = {**os.environ, "PTO_TRANSPORT": "shm"}
        start = time.monotonic()
        subprocess.run([*command, "--int", "rounds=40"], check=True, env=environment)
        usual = time.monotonic() - start

        def launch(**more):
            for rank in range(RANKS):
                pathlib.Path(f"out{rank}.npy").unlink(missing_ok=True)
            return subprocess.Popen([*command, "--int", "rounds=40"], stderr=subprocess.PIPE, text=True, env={**environment, **more})

        def judge(run, everyone, killed, before, what):
            """All processes end, and nothing is left. Returns what the command printed."""
            said = run.communicate(timeout=60)[1]
            while any(alive(one) for one in everyone) and time.monotonic() - killed < 60:
                time.sleep(0.01)
            took = time.monotonic() - killed
            what = f"{what}: {took:.2f} s, status {run.returncode}\n{said}"
            left = set(os.listdir(folder)) - {"ring.pto", *(f"out{rank}.npy" for rank in range(RANKS))}
            assert not left, f"{what}{left}"
            assert took < 3 + usual, what
            assert shared() <= before, f"{what}{shared() - before}"
            for rank in range(RANKS):
                out = pathlib.Path(f"out{rank}.npy")
                assert not out.exists() or out.stat().st_size == SIZE, f"{what}{out} has {out.stat().st_size} bytes"
            return said

        for number in range(TIMES):
            before = shared()
            run = launch()
            time.sleep(draw.uniform(0, usual))
            everyone = [run.pid, *children(run.pid)]
            victim = draw.choice(everyone)
            try:
                os.kill(victim, signal.SIGKILL)
            except ProcessLookupError:
                pass
            what = f"number {number}, process {everyone.index(victim)} of {len(everyone)}"
            said = judge(run, everyone, time.monotonic(), before, what)
            if victim != run.pid and run.returncode != 0:
                assert f"process {victim}, was ended by signal 9" in said, what
        for rank in range(RANKS if KILL_FORK else 0):
            before = shared()
            begun = time.monotonic()
            run = launch(LD_PRELOAD=KILL_FORK, PTO_KILL_FORK=str(rank))
            everyone = [run.pid]
            while len(everyone) < RANKS and run.poll() is None and time.monotonic() - begun < 60:
                everyone = [run.pid, *children(run.pid)]
            said = judge(run, everyone, begun, before, f"rank {rank} is killed before it begins")
            assert run.returncode != 0 and re.search(f"rank {rank}, process [0-9]+, was ended by signal 9", said), said
            assert not any(pathlib.Path(f"out{one}.npy").exists() for one in range(RANKS)), said
    print(f"{TIMES} times")


main()
