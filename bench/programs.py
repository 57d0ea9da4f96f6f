"""./dev bench programs: whole programs against ONNX Runtime, numpy and one fused C loop each.

Contestants run in turn in one process; a figure is the median of the rounds, of processor time where there is one thread, a ratio the median of the ratios round by round.
All of them use arrays of the caller, and programs and models were read before: what is timed is pto_program_run(),
a run of a session whose inputs and outputs are bound, a call of numpy's functions, a call of the loop. Results are compared
first. `plain` is libpto with PTO_PLAN=off. What is not there is a line: `./dev setup bench` installs ONNX Runtime."""
import argparse
import ctypes
import os
import pathlib
import re
import statistics
import subprocess
import sys
import time

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build"
RNG = np.random.default_rng(1)
COMPILERS = (("gcc -O3", ["-O3", "-march=native"]), ("gcc -Ofast", ["-Ofast", "-march=native", "-lmvec"]))
A5 = 2


def normal(*shape):
    return RNG.standard_normal(shape, np.float32)


class Library:
    """libpto through its C API, so that any Python with NumPy runs this."""

    class Tensor(ctypes.Structure):
        _fields_ = [("size", ctypes.c_uint32)] + [(n, ctypes.c_int32) for n in ("dtype", "layout", "rank", "strided")] + \
                   [("n%d" % i, ctypes.c_int64) for i in range(10)]

    def __init__(self):
        self.lib = ctypes.CDLL(str(BUILD / "libpto.so"))
        for name in ("pto_context_create", "pto_tensor_wrap", "pto_program_parse"):
            getattr(self.lib, name).restype = ctypes.c_void_p
        self.lib.pto_context_error_message.restype = ctypes.c_char_p
        self.ctx = ctypes.c_void_p(self.lib.pto_context_create(A5))
        names = dict(re.findall(r"PTO_DTYPE_(\w+) = (\d+)", (ROOT / "include/pto_c.h").read_text()))
        self.dtypes = {np.dtype(getattr(np, k)): int(names[v]) for k, v in
                       (("float32", "F32"), ("float16", "F16"), ("int8", "I8"), ("int32", "I32"), ("uint16", "BF16"))}

    def must(self, answer):
        if answer != 0:
            sys.exit("libpto: %s" % self.lib.pto_context_error_message(self.ctx).decode())

    def program(self, text, values, blocks, threads):
        """A function that runs it. uint16 arrays hold bf16."""
        text = text.encode()
        program = ctypes.c_void_p(self.lib.pto_program_parse(self.ctx, text, ctypes.c_int64(len(text)), b"program"))
        for name, value in values.items():
            name = name.encode()
            if isinstance(value, np.ndarray):
                desc = self.Tensor(ctypes.sizeof(self.Tensor), self.dtypes[value.dtype], 0, value.ndim, 0, *value.shape)
                tensor = ctypes.c_void_p(self.lib.pto_tensor_wrap(self.ctx, ctypes.byref(desc), ctypes.c_void_p(value.ctypes.data),
                                                                  ctypes.c_int64(value.nbytes)))
                self.must(self.lib.pto_program_bind_tensor(self.ctx, program, name, tensor))
            elif isinstance(value, float):
                self.must(self.lib.pto_program_bind_float(self.ctx, program, name, ctypes.c_double(value)))
            else:
                self.must(self.lib.pto_program_bind_int(self.ctx, program, name, ctypes.c_int64(value)))
        self.must(self.lib.pto_program_set_blocks(self.ctx, program, blocks))
        self.must(self.lib.pto_program_set_threads(self.ctx, program, threads))
        return lambda: self.must(self.lib.pto_program_run(self.ctx, program, None))


# ---- ONNX Runtime ------------------------------------------------------------------------------------------------------


def session(nodes, inputs, constants, output, threads):
    """A function that runs a graph. nodes: (operator, inputs, output, attributes)."""
    import onnx
    import onnxruntime as ort
    from onnx import helper, numpy_helper
    names = {np.dtype(np.float32): 1, np.dtype(np.float16): 10, np.dtype(np.int8): 3, np.dtype(np.int32): 6}
    made = []
    for op, given, out, attributes in nodes:
        attributes = dict(attributes)
        domain = attributes.pop("domain", "")
        made.append(helper.make_node(op, given.split(), out.split(), domain=domain, **attributes))
    graph = helper.make_graph(made, "g", [helper.make_tensor_value_info(n, names[a.dtype], a.shape) for n, a in inputs.items()],
                              [helper.make_tensor_value_info(n, names[a.dtype], a.shape) for n, a in output.items()],
                              [numpy_helper.from_array(np.asarray(a), n) for n, a in constants.items()])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 23), helper.make_opsetid("com.microsoft", 1)], ir_version=11)
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    run = ort.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    binding = run.io_binding()
    for name, array in inputs.items():
        binding.bind_cpu_input(name, array)
    for name, array in output.items():
        binding.bind_output(name, "cpu", 0, names[array.dtype], array.shape, array.ctypes.data)
    return lambda: run.run_with_iobinding(binding)


F32 = {"to": 1}


# ---- programs ------------------------------------------------------------------------------------------------------------
# Each: size, values of libpto, the array of results, how far a result may be off (of the largest), graphs by name,
# numpy's function or None, and the arguments of the C loop or None.


def softmax_of(x, out=None):
    """With one array for all steps: those that numpy makes for results cost it more than the steps."""
    e = np.subtract(x, x.max(axis=1, keepdims=True), out=out)
    np.exp(e, out=e)
    e /= e.sum(axis=1, keepdims=True)
    return e


def photo():
    image, light = RNG.random((512, 512), np.float32), np.linspace(0.4, 1, 512, dtype=np.float32)[None]
    out, space = np.empty_like(image), np.empty_like(image)

    def by_numpy():
        u = np.divide(image, light, out=space)
        np.power(u, np.float32(0.9), out=u)
        u -= np.float32(0.35)
        np.multiply(u, np.float32(0.7), out=u, where=u < 0)
        u += np.float32(0.35)
        u *= light
        return u

    f = np.float32
    nodes = [("Div", "x light", "a", {}), ("Pow", "a gamma", "b", {}), ("Sub", "b pivot", "c", {}), ("PRelu", "c slope", "d", {}),
             ("Add", "d pivot", "e", {}), ("Mul", "e light", "y", {})]
    return dict(size="512x512", text="examples/photo.pto", values={"photo": image, "light": light, "out": out}, out=out, off=1e-6,
                graphs={"ONNX Runtime": (nodes, {"x": image}, {"light": light, "gamma": f(0.9), "pivot": f(0.35), "slope": np.full(1, 0.7, f)}, "y")},
                numpy=by_numpy, loop=("photo", (image, light, out, 512, 512)), blocks=8)


def softmax():
    x = normal(1024, 4096)
    y, space = np.empty_like(x), np.empty_like(x)
    return dict(size="1024x4096", text="examples/softmax.pto", values={"x": x, "y": y, "n": 1024, "m": 4096}, out=y, off=1e-5,
                graphs={"ONNX Runtime": ([("Softmax", "x", "y", {"axis": -1})], {"x": x}, {}, "y")},
                numpy=lambda: softmax_of(x, space), loop=("softmax", (x, y, 1024, 4096)))


def gemm(n=512):
    a, b = (normal(n, n).astype(np.float16) for _ in range(2))
    c = np.empty((n, n), np.float32)
    nodes = [("Cast", "a", "wide_a", F32), ("Cast", "b", "wide_b", F32), ("MatMul", "wide_a wide_b", "y", {})]
    return dict(size="%dx%dx%d" % (n, n, n), text="examples/gemm.pto", values={"a": a, "b": b, "c": c, "m": n, "n": n, "k": n}, out=c, off=1e-3,
                graphs={"ONNX Runtime": (nodes, {"a": a, "b": b}, {}, "y")},
                numpy=lambda: a.astype(np.float32) @ b.astype(np.float32), loop=("gemm", (a, b, c, n, n, n)))


def attention(dtype=np.float16, n=4096):
    text = (ROOT / "examples/attention.pto").read_text()
    q, k, v = wide = [normal(n, 64) for _ in range(3)]
    if dtype == np.float16:
        q, k, v = (x.astype(np.float16) for x in wide)
        wide = [x.astype(np.float32) for x in (q, k, v)]
    elif dtype == np.uint16:  # bf16
        q, k, v = ((x.view(np.uint32) + 0x8000 >> 16).astype(np.uint16) for x in wide)
        wide = [(x.astype(np.uint32) << 16).view(np.float32) for x in (q, k, v)]
        text = text.replace("f16", "bf16")
    else:
        text = re.sub(r".*pto\.tcvt .*\n", "", text.replace("f16", "f32")).replace("ins(%p :", "ins(%s :").replace("ins(%o16 :", "ins(%o :")
    out, space = np.empty((n, 64), dtype), np.empty((n, n), np.float32)
    f = np.float32

    def by_numpy():
        scores = np.matmul(wide[0], wide[1].T, out=space)
        scores *= f(0.125)
        return (softmax_of(scores, scores) @ wide[2]).astype(dtype if dtype != np.uint16 else f)

    names = "q k v".split()
    half = dtype == np.float16
    inputs = dict(zip(names, (q, k, v) if half else wide))
    casts = [("Cast", x, "wide_" + x, F32) for x in names] if half else [("Identity", x, "wide_" + x, {}) for x in names]
    last = ("Cast", "sums", "y", {"to": 10}) if half else ("Identity", "sums", "y", {})
    steps = casts + [("Transpose", "wide_k", "t", {"perm": [1, 0]}), ("MatMul", "wide_q t", "raw", {}), ("Mul", "raw scale", "s", {}),
                     ("Softmax", "s", "p", {"axis": -1}), ("MatMul", "p wide_v", "sums", {}), last]
    shape = {"three": np.array([1, n, 64]), "two": np.array([n, 64]), "scale": f(0.125)}
    whole = casts + [("Reshape", "wide_%s three" % x, "%s3" % x, {}) for x in names] + \
        [("MultiHeadAttention", "q3 k3 v3", "o3", {"domain": "com.microsoft", "num_heads": 1, "scale": 0.125}), ("Reshape", "o3 two", "sums", {}), last]
    name = {np.float16: "f16", np.float32: "f32", np.uint16: "bf16"}[dtype]
    return dict(size="%dx64 %s" % (n, name), text=text, values={"q": q, "k": k, "v": v, "out": out, "n": n}, out=out,
                off=2e-5 if dtype == np.float32 else 2e-3 if half else 2e-2,
                graphs={"ONNX Runtime, five nodes": (steps, inputs, shape, "y"), "ONNX Runtime, MultiHeadAttention": (whole, inputs, shape, "y")},
                numpy=by_numpy, loop=("attention", (q, k, v, out, n)) if half else None)


def norm(mean):
    n, m = 2048, 2048
    x, g, b = normal(n, m), normal(1, m), normal(1, m)
    y = np.empty_like(x)

    def by_numpy():
        d = x - x.mean(axis=1, keepdims=True) if mean else x
        d = d / np.sqrt((d * d).mean(axis=1, keepdims=True) + np.float32(1e-5)) * g
        return d + b if mean else d

    node = ("LayerNormalization", "x g b", "y", {"epsilon": 1e-5}) if mean else ("SimplifiedLayerNormalization", "x g", "y", {"epsilon": 1e-5})
    values = {"x": x, "g": g, "y": y, "n": n, "m": m}
    if mean:
        values["b"] = b
    return dict(size="%dx%d" % (n, m), text="bench/programs/%s.pto" % ("layer_norm" if mean else "rms_norm"), values=values, out=y, off=1e-5,
                graphs={"ONNX Runtime": ([node], {"x": x}, {"g": g[0], "b": b[0]} if mean else {"g": g[0]}, "y")}, numpy=by_numpy)


def gelu():
    n, m = 1024, 4096
    x = normal(n, m)
    y = np.empty_like(x)
    f = np.float32

    def by_numpy():
        return x / (1 + np.exp(f(-1.5957691216) * (x + f(0.044715) * x * x * x)))

    return dict(size="%dx%d" % (n, m), text="bench/programs/gelu.pto", values={"x": x, "y": y, "n": n, "m": m}, out=y, off=1e-5,
                graphs={"ONNX Runtime, Gelu": ([("Gelu", "x", "y", {"approximate": "tanh"})], {"x": x}, {}, "y"),
                        "ONNX Runtime, FastGelu": ([("FastGelu", "x", "y", {"domain": "com.microsoft"})], {"x": x}, {}, "y")}, numpy=by_numpy)


def quantised(n=512):
    x, w = normal(n, n), RNG.integers(-127, 128, (n, n)).astype(np.int8)
    step = np.float32(2.0**-5)
    scale = (RNG.random((1, n), np.float32) + 1) * step
    y = np.empty((n, n), np.float32)

    def by_numpy():
        q = np.clip(np.rint(x / step), -128, 127).astype(np.int8).astype(np.float32)
        return q @ w.astype(np.float32) * scale

    nodes = [("QuantizeLinear", "x step zero", "q", {}), ("MatMulInteger", "q w", "i", {}), ("Cast", "i", "f", F32), ("Mul", "f scale", "y", {})]
    return dict(size="%dx%dx%d" % (n, n, n), text="bench/programs/quantised.pto", out=y, off=1e-5,
                values={"x": x, "w": w, "scale": scale, "y": y, "m": n, "n": n, "k": n, "rscale": float(1 / step)},
                graphs={"ONNX Runtime": (nodes, {"x": x}, {"step": step, "zero": np.int8(0), "w": w, "scale": scale[0]}, "y")}, numpy=by_numpy)


def masked():
    n, m = 1024, 4096
    x = normal(n, m)
    mask = np.where(np.arange(m)[None] <= np.arange(n)[:, None] * 4, np.float32(0), np.float32(-1e9)).astype(np.float32)
    y, space = np.empty_like(x), np.empty_like(x)
    return dict(size="%dx%d" % (n, m), text="bench/programs/masked_softmax.pto", values={"x": x, "mask": mask, "y": y, "n": n, "m": m}, out=y, off=1e-5,
                graphs={"ONNX Runtime": ([("Add", "x mask", "s", {}), ("Softmax", "s", "y", {"axis": -1})], {"x": x, "mask": mask}, {}, "y")},
                numpy=lambda: softmax_of(np.add(x, mask, out=space), space))


def rope(n=16384):
    x = normal(n, 128)
    angle = np.arange(n, dtype=np.float32)[:, None] * np.float32(10000) ** (-np.arange(64, dtype=np.float32) / 64)[None]
    c, s = np.cos(angle).astype(np.float32), np.sin(angle).astype(np.float32)
    q = np.empty((n, 128), np.int8)

    def by_numpy():
        r = x / np.sqrt((x * x).mean(axis=1, keepdims=True) + np.float32(1e-5))
        a, b = r[:, :64], r[:, 64:]
        return np.clip(np.rint(np.concatenate([a * c - b * s, b * c + a * s], axis=1) * np.float32(32)), -128, 127).astype(np.int8)

    ends = np.array([64, 64])
    nodes = [("SimplifiedLayerNormalization", "x ones", "r", {"epsilon": 1e-5}), ("Split", "r ends", "a b", {"axis": 1}),
             ("Mul", "a c", "ac", {}), ("Mul", "b s", "bs", {}), ("Sub", "ac bs", "oa", {}), ("Mul", "b c", "bc", {}), ("Mul", "a s", "as", {}),
             ("Add", "bc as", "ob", {}), ("Concat", "oa ob", "o", {"axis": 1}), ("QuantizeLinear", "o step zero", "y", {})]
    return dict(size="%dx128" % n, text="bench/programs/rope.pto", values={"x": x, "c": c, "s": s, "q": q, "n": n, "rscale": 32.0}, out=q, off=1.01 / 127,
                graphs={"ONNX Runtime": (nodes, {"x": x, "c": c, "s": s}, {"ones": np.ones(128, np.float32), "ends": ends, "step": np.float32(1 / 32),
                                                                          "zero": np.int8(0)}, "y")}, numpy=by_numpy)


PROGRAMS = {"softmax": softmax, "attention": attention, "attention_f32": lambda: attention(np.float32), "attention_bf16": lambda: attention(np.uint16),
            "gemm": gemm, "layer_norm": lambda: norm(True), "rms_norm": lambda: norm(False), "gelu": gelu, "quantised": quantised, "photo": photo,
            "masked_softmax": masked, "rope": rope}


def call(library, name, values):
    function = getattr(library, name)
    function.restype = None
    given = [ctypes.c_void_p(v.ctypes.data) if isinstance(v, np.ndarray) else ctypes.c_int64(v) for v in values]
    return lambda: function(*given)


def wide(array):
    return (array.astype(np.uint32) << 16).view(np.float32).astype(np.float64) if array.dtype == np.uint16 else array.astype(np.float64)


def measure(name, library, loops, options):
    program = PROGRAMS[name]()
    out, threads = program["out"], options.threads
    blocks = max(program.get("blocks", 1), 8 if threads > 1 else 1)
    text = program["text"]
    if text.endswith(".pto"):
        text = (ROOT / text).read_text()
    # A program keeps the environment of its first run.
    os.environ["PTO_PLAN"] = "off"
    plain = library.program(text, program["values"], blocks, threads)
    plain()
    bits = out.copy()
    del os.environ["PTO_PLAN"]
    contestants = {"libpto": library.program(text, program["values"], blocks, threads), "plain": plain}
    results = {}
    for label, (nodes, inputs, constants, result) in (program["graphs"] if options.onnx else {}).items():
        results[label] = np.empty(out.shape, np.float32 if out.dtype == np.uint16 else out.dtype)
        contestants[label] = session(nodes, inputs, constants, {result: results[label]}, threads)
    if program["numpy"] is not None and threads == 1 and not options.only_ort:
        contestants["numpy"] = program["numpy"]
    for label, loop in loops.items():
        if program.get("loop") and threads == 1:
            contestants[label] = call(loop, *program["loop"])
    want = wide(program["numpy"]())
    for label, run in contestants.items():
        out.fill(0)
        answer = run()
        got = answer if isinstance(answer, np.ndarray) else results.get(label, out)
        error = np.abs(wide(got) - want).max() / max(1, np.abs(want).max())
        if error > program["off"]:
            sys.exit("%s: %s is wrong by %g" % (name, label, error))
        if label == "libpto" and out.tobytes() != bits.tobytes():
            sys.exit("%s: the plan changes bits" % name)
    clock = time.thread_time if threads == 1 else time.perf_counter
    taken = {label: [] for label in contestants}
    for _ in range(options.rounds):
        for label in RNG.permutation(list(contestants)):
            start = clock()
            contestants[label]()
            taken[label].append(clock() - start)
    ms = statistics.median(taken["libpto"]) * 1e3
    ratios = ["%s %.2f" % (label, statistics.median(t / p for t, p in zip(taken[label], taken["libpto"])))
              for label in contestants if label != "libpto"]
    best = min((min(taken[label]) for label in results), default=0) / min(taken["libpto"])
    print("| %s %s | %.2f | %s | %s |" % (name, program["size"], ms, "%.2f" % best if results else "-", ", ".join(ratios)), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--only", nargs="*", default=list(PROGRAMS), choices=list(PROGRAMS))
    parser.add_argument("--only-ort", action="store_true", help="neither numpy nor loops")
    options = parser.parse_args()
    try:
        import onnx  # noqa: F401
        import onnxruntime
        options.onnx = True
        print("ONNX Runtime %s, %d thread%s" % (onnxruntime.__version__, options.threads, "s" if options.threads > 1 else ""))
    except ImportError:
        options.onnx = False
        print("there is no ONNX Runtime: ./dev setup bench installs it")
    folder = BUILD / "bench-programs"
    folder.mkdir(parents=True, exist_ok=True)
    loops = {}
    for label, flags in () if options.only_ort else COMPILERS:
        made = folder / (label.replace(" ", "") + ".so")
        subprocess.run(["gcc", "-shared", "-fPIC", "-w", str(ROOT / "bench/programs.c"), "-o", str(made), *flags, "-lm"], check=True)
        loops[label] = ctypes.CDLL(str(made))
    library = Library()
    print("| program | libpto, ms | best of ONNX Runtime by best of libpto | how many times as long the others take, medians |")
    print("|---|---|---|---|")
    for name in options.only:
        measure(name, library, loops, options)


if __name__ == "__main__":
    sys.exit(main())
