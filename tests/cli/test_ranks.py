"""pto run on several ranks: arguments of each rank, peers, what a run reports of ranks that cannot go on, and wrong options."""
import base64
import json
import os
import re
import unittest

import npy
from harness import RING_ARGS, ROOT, CommandTest

RING = os.path.join(ROOT, "examples", "ring.pto")
RACE = os.path.join(ROOT, "examples", "race_across_ranks.pto")


class Ranks(CommandTest):
    def test_ring(self):
        for ranks in (1, 2, 7, 64):
            for schedule in ((), ("--schedule", "random:3"), ("--schedule", "late-data")):
                self.pto("run", RING, "--ranks", str(ranks), *RING_ARGS, *schedule, "--out", "own@0=sum.npy", "--force")
                self.assertEqual([ranks * (ranks - 1) / 2] * 16, npy.load(self.path("sum.npy"))[-1])

    def test_allreduce(self):
        own = [[float((rank * 7 + i * i) % 31) / 8 for i in range(64)] for rank in range(4)]
        args = []
        for rank in range(4):
            npy.save(self.path("p%d.npy" % rank), "f32", (1, 64), own[rank])
            args += ["--in", "own@%d=p%d.npy" % (rank, rank), "--out", "own@%d=r%d.npy" % (rank, rank)]
        self.pto("run", "--sync", os.path.join(ROOT, "examples", "allreduce.pto"), "--ranks", "4", *args, "--shape", "sig=1x1", "--in", "sig=zeros",
                 "--peer", "p=own@all", "--peer", "s=sig@all", "--int", "rank=@rank")
        self.assertEqual("", self.stderr)
        want = [sum(part[i] for part in own) for i in range(64)]
        for rank in range(4):
            self.assertEqual(want, npy.load(self.path("r%d.npy" % rank))[-1])

    def test_attention_on_four_ranks_has_the_bits_of_one(self):
        attention = os.path.join(ROOT, "examples", "tensor_parallel_attention.pto")
        one, parts = [], []
        for name, rows, cols in (("q", 128, 16), ("k", 128, 16), ("v", 128, 16), ("w", 64, 64)):
            numbers = [((i * 7919 + len(one) * 31) % 4001 - 2000) / 1024 for i in range(rows * cols)]
            npy.save(self.path(name + ".npy"), "f16", (rows, cols), numbers)
            one += ["--in", "%s=%s.npy" % (name, name)]
            for rank in range(4):
                file = "%s%d.npy" % (name, rank)
                npy.save(self.path(file), "f16", (rows // 4, cols), numbers[rank * len(numbers) // 4:(rank + 1) * len(numbers) // 4])
                parts += ["--in", "%s@%d=%s" % (name, rank, file)]
        self.pto("run", attention, "--entry", "alone", *one, "--shape", "out=32x64", "--out", "out=alone.npy")
        want = npy.load(self.path("alone.npy"))[-1]
        self.assertGreater(len(set(want)), 1000)
        for schedule in ((), ("--schedule", "random:5"), ("--schedule", "late-data")):
            self.pto("run", "--sync", attention, "--ranks", "4", *parts, "--shape", "out=32x64", "--shape", "sig=1x1", "--in", "sig=zeros", "--peer",
                     "p=out@all", "--peer", "s=sig@all", "--int", "rank=@rank", *schedule, "--force", "--out", "out@0=0.npy", "--out", "out@3=3.npy")
            self.assertEqual("", self.stderr)
            self.assertEqual(npy.load(self.path("0.npy"))[-1], want)
            self.assertEqual(npy.load(self.path("3.npy"))[-1], want)

    def test_lost_signal(self):
        args = [arg.replace("nsig=sig@+1", "nsig=sig@0") for arg in RING_ARGS]
        self.pto("run", RING, "--ranks", "3", *args, code=1)
        self.assertIn("rank 1 waits until %signal >= 1, and it is 0; rank 0 has come to its end; rank 2 waits at line 19 [deadlock]", self.stderr)

    def test_trace_has_a_process_for_each_rank_and_arrows_to_waits(self):
        self.pto("run", RING, "--ranks", "4", *RING_ARGS, "--trace", "t.json")
        with open(self.path("t.json"), encoding="utf-8") as file:
            events = json.load(file)
        names = {event["pid"]: event["args"]["name"] for event in events if event["name"] == "process_name"}
        self.assertEqual(sorted(names.values()), ["rank %d, block 0" % rank for rank in range(4)])
        spans = [event for event in events if event["ph"] == "X"]
        for rank in range(4):
            ran = [event["name"] for event in spans if names[event["pid"]] == "rank %d, block 0" % rank]
            want = ["tload", "tadds", "tstore", "comm.tput", "comm.tnotify"]
            self.assertEqual(ran, [*want, "comm.twait"] if rank == 0 else ["comm.twait", *want])
        # Each wait has heard of the notification of the rank before it, and that was sent before the wait ended.
        ends = {"s": {}, "f": {}}
        for event in events:
            if event["ph"] in ends:
                ends[event["ph"]][event["id"]] = event
        self.assertEqual(ends["s"].keys(), ends["f"].keys())
        hops = set()
        for arrow, sent in ends["s"].items():
            heard = ends["f"][arrow]
            self.assertLessEqual(sent["ts"], heard["ts"])
            hops.add((names[sent["pid"]], names[heard["pid"]]))
        self.assertEqual(hops, {("rank %d, block 0" % rank, "rank %d, block 0" % ((rank + 1) % 4)) for rank in range(4)})

    def test_stats_of_links(self):
        lines = self.pto("run", RING, "--ranks", "3", *RING_ARGS, "--stats").splitlines()
        tables = "\n".join(lines).split("\n\n")
        self.assertEqual([table.split("  ")[0] for table in tables], ["instruction", "line", "from rank to rank"])
        rows = {" ".join(line.split()[:5]): line.split() for line in tables[2].splitlines()[1:]}
        want = {"%d to %d, %s" % (rank, (rank + 1) % 3, name) for rank in range(3) for name in ("comm.tput", "comm.tnotify")}
        self.assertEqual({" ".join(key.split()[:4]) for key in rows}, want)
        for row in rows.values():
            self.assertEqual(row[4:6], ["1", "64" if row[3] == "comm.tput" else "4"])

    def test_report_has_ranks(self):
        self.pto("run", RING, "--ranks", "3", *RING_ARGS, "--report", "r.html")
        with open(self.path("r.html"), encoding="utf-8") as file:
            page = file.read()
        data = json.loads(re.search(r'<script[^>]*id="data"[^>]*>(.*?)</script>', page, re.DOTALL)[1])
        self.assertEqual(data["events"]["rows"], 3 * 6)
        ranks = base64.b64decode(data["events"]["columns"][18][1:])
        self.assertEqual(sorted(ranks), sorted([0, 1, 2] * 6))

    def test_wrong_options(self):
        for args, said in ((("--ranks", "0"), "1 to 64"), (("--ranks", "65"), "1 to 64"),
                           (("--ranks", "4", "--peer", "next=own@4"), "the ranks are 0 to 3"),
                           (("--ranks", "4", "--peer", "next=own"), "write NAME=ARRAY@RANK"),
                           (("--ranks", "4", "--peer", "no=own@0"), "no pointer no"),
                           (("--ranks", "4", "--peer", "next=no@0"), "has no array no"),
                           (("--peer", "next=own@0"), "add --ranks"), (("--int", "rank=@rank"), "add --ranks"),
                           (("--ranks", "2", "--int", "rank=@me"), "@rank or @ranks"),
                           (("--ranks", "2", "--in", "own@2=zeros"), "no argument own@2"),
                           (("--ranks", "2", "--schedule", "late"), "random:SEED"),
                           (("--ranks", "2", "--shape", "own=1x16", "--shape", "own@1=1x8", "--peer", "next=own@+1"), "on every rank")):
            self.pto("run", RING, *args, code=2)
            self.assertIn(said, self.stderr, args)

    def test_race(self):
        self.pto("run", "--sync", RACE, "--ranks", "2", "--shape", "own=1x16", "--in", "own=iota", "--shape", "box=1x16", "--shape", "sig=1x1", "--in",
                 "sig=zeros", "--peer", "theirs=box@+1", "--peer", "nsig=sig@+1", code=1)
        self.assertIn("does not wait for MTE3: insert pto.barrier <PIPE_ALL> before it", self.stderr)
        self.assertIn("may still read", self.stderr)
        self.pto("run", "--sync", RING, "--ranks", "4", *RING_ARGS)
        self.assertEqual("", self.stderr)


if __name__ == "__main__":
    unittest.main()
