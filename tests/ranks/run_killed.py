"""Kills processes of `pto run` with ranks as processes at random moments, 100 times in a thorough test. Each time all processes
are gone within 3 seconds, and nothing is left: no shared memory, no temporary file, no output that is half written.

run_killed.py PTO
"""
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

PTO = os.path.abspath(sys.argv[1])
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
        start = time.monotonic()
        subprocess.run([*command, "--int", "rounds=40"], check=True, env={**os.environ, "PTO_TRANSPORT": "shm"})
        usual = time.monotonic() - start
        for number in range(TIMES):
            for rank in range(RANKS):
                pathlib.Path(f"out{rank}.npy").unlink(missing_ok=True)
            before = shared()
            run = subprocess.Popen([*command, "--int", "rounds=40"], stderr=subprocess.PIPE, text=True, env={**os.environ, "PTO_TRANSPORT": "shm"})
            time.sleep(draw.uniform(0, usual))
            ranks = children(run.pid)
            everyone = [run.pid, *ranks]
            victim = draw.choice(everyone)
            try:
                os.kill(victim, signal.SIGKILL)
            except ProcessLookupError:
                pass
            killed = time.monotonic()
            said = run.communicate(timeout=60)[1]
            while any(alive(one) for one in everyone) and time.monotonic() - killed < 60:
                time.sleep(0.01)
            took = time.monotonic() - killed
            what = f"number {number}, process {everyone.index(victim)} of {len(everyone)}: {took:.2f} s, status {run.returncode}\n{said}"
            left = set(os.listdir(folder)) - {"ring.pto", *(f"out{rank}.npy" for rank in range(RANKS))}
            assert not left, f"{what}{left}"
            assert took < 3 + usual, what
            assert shared() <= before, f"{what}{shared() - before}"
            for rank in range(RANKS):
                out = pathlib.Path(f"out{rank}.npy")
                assert not out.exists() or out.stat().st_size == SIZE, f"{what}{out} has {out.stat().st_size} bytes"
            if victim != run.pid and run.returncode != 0:
                assert f"process {victim}, was ended by signal 9" in said, what
    print(f"{TIMES} times")


main()
