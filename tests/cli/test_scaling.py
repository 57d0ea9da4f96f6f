"""Work grows with the text, not with its square: each kind of program is read, checked, printed, linted and run at a size
and at four times that size, by a command that counts what it does (count_work.c). Times play no part."""
import os
import subprocess
import unittest

from harness import PTO, CommandTest, last_target

# Growth by which the work at four times the size may exceed four times the work: logarithms, and tables that double.
MOST = 5.0

CONSTANTS = "".join("%%c%d = arith.constant %d : index\n" % (n, n) for n in (0, 1, 8))
T8 = "!pto.tile_buf<vec, 1x8xf32>"
T8I = "!pto.tile_buf<vec, 1x8xi32>"
VIEW = "!pto.tensor_view<8x8xf32>"
PART = "!pto.partition_tensor_view<8x8xf32>"


def main(body, arguments=""):
    return "func.func @main(%s) attributes {pto.entry} {\n%s%sreturn\n}\n" % (arguments, CONSTANTS, body)


def each(form, n):
    """The line for 1 to n; {i} is its number, {j} the one before."""
    return "".join(form.format(i=i, j=i - 1) for i in range(1, n + 1))


def joined(form, n, by=", "):
    return by.join(form.format(i=i) for i in range(n))


LOAD = "pto.tload ins(%v{i} : {P}) outs(%t{T} : !pto.tile_buf<vec, 8x8xf32>)\n".replace("{P}", PART)
WHOLE = "%v = pto.make_tensor_view %p, shape = [%c8, %c8], strides = [%c8, %c1] : " + VIEW + "\n"
CUT = "%v{i} = pto.partition_view %v{B}, offsets = [%c0, %c0], sizes = [%c8, %c8] : {F} -> {P}\n".replace("{P}", PART)
TILE = "%t = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32>\n"
ABS = "pto.tabs ins(%t{i} : {0}) outs(%t{i} : {0})\n".replace("{0}", T8)
# Two cores: one sends what the other does not receive.
ENDS = "pto.ai{0}_initialize_pipe {{dir_mask = 1, slot_size = 1024}} (c2v_consumer_buf = %z : i32)\n"
PUSHES = ("func.func @k() attributes {pto.entry, pto.subblock_num = 1} {\n%z = arith.constant 0 : i32\npto.section.cube {\n" + ENDS.format("c") +
          "%t = pto.alloc_tile : !pto.tile_buf<acc, 16x16xf32>\npto.tpush_to_aiv(%t : !pto.tile_buf<acc, 16x16xf32>) {split = 0}\n}\n"
          "pto.section.vector {\n" + ENDS.format("v") + "}\nreturn\n}\n")
# As much as is kept of what a program prints.
FILL = 'scf.for %i = %c0 to %full step %c1 {\npto.print ins("' + "long " * 2000 + '")\n}\n'


def rounds(n, body, before=""):
    return main("%%n = arith.constant %d : index\n%%full = arith.constant 110 : index\n%sscf.for %%i = %%c0 to %%n step %%c1 {\n%s}\n" % (n, before, body))


def large(n, form):
    """A loop over an instruction from each tile of 16 KB to the next."""
    tile = "!pto.tile_buf<vec, 64x64xf32>"
    fill = "%one = arith.constant 1.0 : f32\npto.texpands ins(%one : f32) outs(%t0 : " + tile + ")\n"
    return main("".join("%%t%d = pto.alloc_tile : %s\n" % (i, tile) for i in range(n + 1)) + "scf.for %i = %c0 to %c8 step %c1 {\n" + fill +
                each(form.replace("{T}", tile), n) + "}\n")


def view_chain(n, of_each):
    """Views, each a part of the one before, with what is done with each; of_each has {i} and the tile's name."""
    text = CUT.replace("{B}", "").replace("{F}", VIEW).replace("{i}", "0")
    for i in range(1, n + 1):
        text += CUT.replace("{B}", str(i - 1)).replace("{F}", PART).replace("{i}", str(i)) + of_each.replace("{i}", str(i))
    return text


# Name: size, text of that size, and what the command is to do beside check and fmt (run, and options of the run).
FAMILIES = {
    # Plans of these: chains by rows, and moves that nothing copies.
    "sums of large tiles": (100, lambda n: large(n, "pto.tadd ins(%t{j}, %t{j} : {T}, {T}) outs(%t{i} : {T})\n"), ["run"]),
    "moves of large tiles": (100, lambda n: large(n, "pto.tmov ins(%t{j} : {T}) outs(%t{i} : {T})\n"), ["run"]),
    "operands of a call": (
        500, lambda n: main("call @f(" + joined("%c1", n) + ") : (" + joined("index", n) + ") -> ()\n") +
        "func.func @f(" + joined("%a{i}: index", n) + ") {\nreturn\n}\n", ["run"]),
    "statements": (500, lambda n: main(each("%v{i} = arith.constant {i} : index\n", n)), ["run"]),
    "sums": (500, lambda n: main("%v0 = arith.constant 0 : index\n" + each("%v{i} = arith.addi %v{j}, %v{j} : index\n", n)), ["run"]),
    "partitions of partitions": (
        300, lambda n: main("%t = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32>\n"
                            "%v = pto.make_tensor_view %p, shape = [%c8, %c8], strides = [%c8, %c1] : " + VIEW + "\n"
                            "%w0 = pto.partition_view %v, offsets = [%c0, %c0], sizes = [%c8, %c8] : " + VIEW + " -> " + PART + "\n" +
                            each("%w{i} = pto.partition_view %w{j}, offsets = [%c0, %c0], sizes = [%c8, %c8] : " + PART + " -> " + PART + "\n", n) +
                            "pto.tload ins(%w{0} : {1}) outs(%t : !pto.tile_buf<vec, 8x8xf32>)\n".format(n, PART), "%p: !pto.ptr<f32>"),
        ["run", "--in", "p=zeros", "--shape", "p=8x8"]),
    "partitions": (
        300, lambda n: main("%v = pto.make_tensor_view %p, shape = [%c8, %c8], strides = [%c8, %c1] : " + VIEW + "\n" +
                            each("%w{i} = pto.partition_view %v, offsets = [%c0, %c0], sizes = [%c8, %c8] : " + VIEW + " -> " + PART + "\n", n),
                            "%p: !pto.ptr<f32>"),
        ["run", "--shape", "p=8x8"]),
    "reshapes": (
        300, lambda n: main("%t0 = pto.alloc_tile : " + T8 + "\n" + each("%t{i} = pto.treshape %t{j} : " + T8 + " -> " + T8 + "\n", n) +
                            "pto.trsqrt ins(%t{0} : {1}) outs(%t{0} : {1})\n".format(n, T8)),
        ["run"]),
    "reshapes that check refuses": (
        300, lambda n: main("%t0 = pto.alloc_tile : " + T8I + "\n" + each("%t{i} = pto.treshape %t{j} : " + T8I + " -> " + T8I + "\n", n) +
                            each("pto.trsqrt ins(%t{i} : " + T8I + ") outs(%t{i} : " + T8I + ")\n", n)),
        None),
    "subsets": (
        300, lambda n: main("%t0 = pto.alloc_tile : " + T8 + "\n" + each("%t{i} = pto.subset %t{j}[%c0, %c0] sizes [1, 8] : " + T8 + "\n", n)), ["run"]),
    "tiles, dumped": (
        200, lambda n: main(each("%t{i} = pto.alloc_tile : " + T8 + "\n", n)), ["run", "--dump", "all"]),
    "tiles, each of its own type": (
        200, lambda n: main("".join("%%t%d = pto.alloc_tile : !pto.tile_buf<vec, 1x%dxf32>\n" % (i, 8 * i) for i in range(1, n + 1))), None),
    "tiles at addresses": (
        200, lambda n: main(each("%a{i} = arith.constant 64 : i64\n%t{i} = pto.alloc_tile addr = %a{i} : " + T8 + "\n", n)), ["run", "--dump", "all"]),
    "instructions, traced": (
        300, lambda n: main("%t = pto.alloc_tile : " + T8 + "\n" + each("pto.trsqrt ins(%t : {0}) outs(%t : {0})\n".format(T8), n)),
        ["run", "--trace", "trace.json"]),
    "arguments": (
        200, lambda n: main("", joined("%a{i}: index", n)), lambda n: ["run"] + [word for i in range(n) for word in ("--int", "a%d=1" % i)]),
    "arguments of bare statements": (200, lambda n: each("%d{i} = trsqrt %a{i} : !pto.tile<f32, 1, 8>\n", n), None),
    "values that bare statements make": (200, lambda n: "%d0 = trsqrt %a : !pto.tile<f32, 1, 8>\n" + each("%d{i} = trsqrt %d{j}\n", n), None),
    "line ends in pto.print": (2000, lambda n: main('pto.print ins("%s%%d", %%c0 : index)\n' % ("\\n" * n)), ["run"]),
    "strings of pto.print": (200, lambda n: main(each('pto.print ins("{i}: %d", %c0 : index)\n', n)), ["run"]),
    "rounds that print": (
        500, lambda n: main('%%n = arith.constant %d : index\nscf.for %%i = %%c0 to %%n step %%c1 {\npto.print ins("%%d\\n", %%i : index)\n}\n' % n), ["run"]),
    "rounds that print beyond the limit": (
        500, lambda n: main('%%n = arith.constant %d : index\nscf.for %%i = %%c0 to %%n step %%c1 {\npto.print ins("%s%%d\\n", %%i : index)\n}\n' % (n, "long " * 2000)),
        ["run"]),
    "rounds that share": (
        500, lambda n: main("%%n = arith.constant %d : index\n%%t = pto.alloc_tile : %s\n%%r = scf.for %%i = %%c0 to %%n step %%c1 "
                            "iter_args(%%a = %%t) -> (%s) {\n%%b = pto.treshape %%a : %s -> %s\nscf.yield %%b : %s\n}\n" % ((n,) + (T8,) * 5)), ["run"]),
    "rounds that make tiles": (
        500, lambda n: main("%%n = arith.constant %d : index\nscf.for %%i = %%c0 to %%n step %%c1 {\n%%t = pto.alloc_tile : %s\n}\n" % (n, T8)), ["run"]),
    "functions": (200, lambda n: each("func.func @f{i}() {{\nreturn\n}}\n", n) + main(each("call @f{i}() : () -> ()\n", n)), ["run"]),
    "calls of one function": (300, lambda n: "func.func @f() {\nreturn\n}\n" + main(each("call @f() : () -> ()\n", n)), ["run"]),
    "modules": (200, lambda n: each("module @m{i} {{\nfunc.func @f{i}() {{\nreturn\n}}\n}}\n", n), None),
    "loops side by side": (200, lambda n: main(each("scf.for %i{i} = %c0 to %c1 step %c1 {{\n}}\n", n)), ["run"]),
    "the same names side by side": (
        200, lambda n: main(each("scf.for %i = %c0 to %c1 step %c1 {{\n%x = arith.addi %i, %i : index\n}}\n", n)), ["run"]),
    "branches": (
        200, lambda n: main("%t = arith.constant true\n" + each("%v{i} = scf.if %t -> (index) {{\nscf.yield %c0 : index\n}} else {{\nscf.yield %c1 : index\n}}\n", n)),
        ["run"]),
    "values that a loop carries": (
        16, lambda n: main("%%r:%d = scf.for %%i = %%c0 to %%c8 step %%c1 iter_args(%s) -> (%s) {\nscf.yield %s : %s\n}\n%s" % (
            n, joined("%a{i} = %c0", n), joined("index", n), joined("%a{i}", n), joined("index", n), each("%s{i} = arith.addi %r#{j}, %r#{j} : index\n", n))),
        ["run"]),
    "results of a call": (
        16, lambda n: "func.func @f(%s) -> (%s) {\nreturn %s : %s\n}\n" % (joined("%a{i}: index", n), joined("index", n), joined("%a{i}", n), joined("index", n)) +
        main("%%r:%d = call @f(%s) : (%s) -> (%s)\n" % (n, joined("%c0", n), joined("index", n), joined("index", n))), ["run"]),
    "event arrays": (200, lambda n: main(each("%e{i} = pto.declare_eventid_array -> !pto.eventid_array<4>\n", n)), ["run"]),
    "scalars in memory": (
        300, lambda n: main(each("%x{i} = pto.load_scalar %p[%c1] : !pto.ptr<f32> -> f32\npto.store_scalar %x{i}, %p[%c0] : !pto.ptr<f32>, f32\n", n), "%p: !pto.ptr<f32>"),
        ["run", "--in", "p=zeros", "--shape", "p=8x8"]),
    "pointers": (
        300, lambda n: main("%p0 = pto.addptr %p, %c0 : !pto.ptr<f32> -> !pto.ptr<f32>\n" + each("%p{i} = pto.addptr %p{j}, %c0 : !pto.ptr<f32> -> !pto.ptr<f32>\n", n), "%p: !pto.ptr<f32>"),
        ["run", "--shape", "p=8x8"]),
    "attributes": (1000, lambda n: main("%t = pto.alloc_tile : {0}\npto.trsqrt ins(%t : {0}) outs(%t : {0}) ".format(T8) + "{" + joined("a{i} = {i}", n) + "}\n"), None),
    "elements of an attribute": (500, lambda n: main("%t = pto.alloc_tile : {0}\npto.trsqrt ins(%t : {0}) outs(%t : {0}) ".format(T8) + "{a = [" + joined("{i}", n) + "]}\n"), None),
    "elements of a constant": (500, lambda n: main("%%v = arith.constant dense<[%s]> : vector<%dxi32>\n" % (joined("{i}", n), n)), None),
    "comments": (500, lambda n: main(each("// number {i}\n", n)), ["run"]),
    "a long comment": (5000, lambda n: main("// " + "long " * n + "\n"), ["run"]),
    "blanks": (5000, lambda n: main(" \n" * n), ["run"]),
    "a long name": (5000, lambda n: main("%%%s = arith.constant 1 : index\n" % ("a" * n)), ["run"]),
    "errors, one per line": (200, lambda n: main(each("%v{i} = arith.addi %u{i}, %c0 : index\n", n)), None),
    "syntax errors": (200, lambda n: main(each("%v{i} = = {i}\n", n)), None),
    "errors in one line": (200, lambda n: main(each("%v{i} = arith.addi %u{i}, %c0 : index ", n) + "\n"), None),
    "operations that are misspelt": (200, lambda n: main(each("%v{i} = tpower{i} %c0\n", n)), None),
    "names that are defined twice": (200, lambda n: main(each("%v = arith.constant {i} : index\n", n)), None),
    "strange bytes": (2000, lambda n: main("\x01" * n + "\n"), None),
    "brackets that stay open": (2000, lambda n: "(" * n, None),
    "braces that stay open": (2000, lambda n: "{" * n, None),
    "functions that stay open": (200, lambda n: "func.func @f() {\n" * n, None),
    "instructions in one line, traced": (
        200, lambda n: main("%t = pto.alloc_tile : " + T8 + "\n" + each(ABS.replace("%t{i}", "%t"), n)).replace("\n", " "), ["run", "--trace", "trace.json"]),
    "instructions in one line, reported": (
        200, lambda n: main("%t = pto.alloc_tile : " + T8 + "\n" + each(ABS.replace("%t{i}", "%t"), n)).replace("\n", " "), ["run", "--report", "report.html"]),
    "blocks that warn, of a long text": (
        100, lambda n: PUSHES + each("// number {i} of a long text, to which nobody listens\n", 20 * n), lambda n: ["run", "--blocks", str(n)]),
    "rounds that print a tile of a long name beyond the limit": (
        200, lambda n: rounds(n, "pto.tprint ins(%t : {0})\n".format(T8), "%t = pto.alloc_tile : {0}\n".format(T8) + FILL).replace("%t", "%" + "t" * 20 * n), ["run"]),
    "rounds that print a long directive beyond the limit": (
        200, lambda n: rounds(n, 'pto.print ins("%%%sd", %%c0 : index)\n' % ("-" * 20 * n), FILL), ["run"]),
    "rounds that write a tile of a long name": (
        100, lambda n: rounds(n, "pto.tabs ins(%t : {0}) outs(%t : {0})\n".format(T8), "%t = pto.alloc_tile : {0}\n".format(T8)).replace("%t", "%" + "t" * 20 * n),
        lambda n: ["bisect", "--target-a", last_target()]),
    "races": (
        200, lambda n: main("%a = arith.constant 0 : i64\n%t = pto.alloc_tile addr = %a : !pto.tile_buf<vec, 8x8xf32>\n" + WHOLE +
                            each(LOAD.replace("{T}", "").replace("%v{i}", "%v").replace(PART, VIEW) +
                                 "pto.tabs ins(%t : {0}) outs(%t : {0})\n".replace("{0}", "!pto.tile_buf<vec, 8x8xf32>"), n), "%p: !pto.ptr<f32>"),
        ["check", "--sync", "--shape", "p=8x8"]),
    "loads of parts of parts": (300, lambda n: main(TILE + WHOLE + view_chain(n, LOAD.replace("{T}", "")), "%p: !pto.ptr<f32>"), None),
    "stores to parts of parts": (
        300, lambda n: main(TILE + WHOLE + view_chain(n, "pto.tstore ins(%t : !pto.tile_buf<vec, 8x8xf32>) outs(%v{i} : " + PART + ")\n"), "%p: !pto.ptr<f32>"), None),
    "loads in a loop, each to a tile of its own": (
        300, lambda n: main(WHOLE + each("%t{i} = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32>\n", n) + "scf.for %i = %c0 to %c8 step %c1 {\n" +
                            each(LOAD.replace("{T}", "{i}").replace("%v{i}", "%v").replace(PART, VIEW), n) + "}\n", "%p: !pto.ptr<f32>"), None),
    "loads in a loop of parts of parts": (
        300, lambda n: main(WHOLE + each("%t{i} = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32>\n", n) + view_chain(n, "") + "scf.for %i = %c0 to %c8 step %c1 {\n" +
                            each(LOAD.replace("{T}", "{i}"), n) + "}\n", "%p: !pto.ptr<f32>"), None),
    "reads of one tile": (
        300, lambda n: main("%t = pto.alloc_tile : {0}\npto.texpands ins(%c : f32) outs(%t : {0})\n".format(T8) +
                            each("%d{i} = pto.alloc_tile : {0}\npto.tadd ins(%t, %t : {0}, {0}) outs(%d{i} : {0})\n".replace("{0}", T8), n), "%c: f32"), None),
    "sums in a loop": (
        300, lambda n: main("%t = pto.alloc_tile : {0}\nscf.for %i = %c0 to %c8 step %c1 {{\n".format(T8.replace("f32", "f16")) +
                            each("pto.tadd ins(%t, %t : {0}, {0}) outs(%t : {0})\n".replace("{0}", T8.replace("f32", "f16")), n) + "}\n"), None),
    "tiles over each other": (
        300, lambda n: main("%a = arith.constant 0 : i64\n" + "".join("%%%s = pto.alloc_tile addr = %%a : %s\n" % (t, T8) for t in "tu") +
                            each("pto.texpands ins(%c : f32) outs(%t : {0})\npto.tprint ins(%t : {0})\n".replace("{0}", T8), n) +
                            each("pto.texpands ins(%c : f32) outs(%u : {0})\npto.tprint ins(%u : {0})\n".replace("{0}", T8), n), "%c: f32"), None),
}


class Scaling(CommandTest):
    def work(self, *args):
        """What the command counted, with any result for the program."""
        done = subprocess.run([PTO, *args], cwd=self.folder.name, capture_output=True, timeout=300, env={**os.environ, "PTO_WORK": self.path("work")})
        self.assertIn(done.returncode, (0, 1), (args[:5], done.stderr[-500:]))
        with open(self.path("work")) as file:
            return int(file.read()), done

    def commands(self, n, run):
        yield ["check", "t.pto"], (0, 1)
        yield ["fmt", "t.pto"], (0, 1)
        yield ["lint", "t.pto"], (0, 1)
        if run is not None:
            more = run(n) if callable(run) else run
            yield [more[0], "t.pto", *more[1:]], (0, 1) if more[0] == "check" else (0,)

    def test_four_times_the_text_is_four_times_the_work(self):
        for name, (size, text, run) in FAMILIES.items():
            with self.subTest(name):
                counted = []
                for n in (2, size, 4 * size):  # a loop with one round gives a message
                    self.write("t.pto", text(n))
                    counted.append([])
                    for args, codes in self.commands(n, run):
                        work, done = self.work(*args)
                        self.assertIn(done.returncode, codes, (name, args[:4], done.stderr[-800:]))
                        counted[-1].append((args[0], work))
                for (command, none), (_, some), (_, more) in zip(*counted):
                    growth = (more - none) / max(1, some - none)
                    if os.environ.get("PTO_WORK_SHOW"):
                        print("%-40s %-6s %12d %12d %5.2f" % (name, command, some - none, more - none, growth))
                    # Work that does not depend on the size is a few thousand blocks.
                    if more - none > 20000:
                        self.assertLess(growth, MOST, (name, command, none, some, more))


if __name__ == "__main__":
    unittest.main(verbosity=1)
