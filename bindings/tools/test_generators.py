"""Proves that a header that grows needs no hand: a made-up instruction, handle and enum go
through pto.i and appear in the Rust, Go and Python output. usage: test_generators.py SWIG"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, HERE)
import gen_go  # noqa: E402
import gen_python  # noqa: E402
import gen_rust  # noqa: E402

GROWN = """
/** How a probe looks. */
typedef enum pto_mode { PTO_MODE_PLAIN = 0, /**< As it is. */ PTO_MODE_DEEP = 3 /**< Below. */ } pto_mode;
/** A thing that is new. */
typedef struct pto_probe pto_probe;
/** Makes a probe. @param ctx keeps the error @param mode how it looks @return the probe; rules: null */
PTO_API pto_probe *pto_probe_create(pto_context *ctx, pto_mode mode);
/** Takes one more reference to a probe. */
PTO_API pto_probe *pto_probe_retain(pto_probe *probe);
/** Gives a reference back. */
PTO_API void pto_probe_release(pto_probe *probe);
/** Returns what it is called. */
PTO_API const char *pto_probe_title(const pto_probe *probe);
/** Turns it on or off. @param ctx keeps the error @param probe the probe @param on 1 or 0 @return PTO_OK; rules: null */
PTO_API pto_status pto_probe_switch(pto_context *ctx, pto_probe *probe, int32_t on);
/** Says where. @param ctx keeps the error @param probe the probe @param spot its name @return PTO_OK; rules: null */
PTO_API pto_status pto_probe_name(pto_context *ctx, pto_probe *probe, const char *spot);
/** Returns the depth. */
PTO_API int32_t pto_probe_depth(const pto_probe *probe);
/** Looks. @param ctx keeps the error @param probe the probe @param depth how far @return PTO_OK; rules: null */
PTO_API pto_status pto_probe_look(pto_context *ctx, pto_probe *probe, int32_t depth);
/**
 * Points the probe at a tile.
 *
 * @param ctx keeps the error
 * @param probe the probe
 * @param tile where it looks
 * @return PTO_OK; rules: null
 */
PTO_API pto_status pto_probe_aim(pto_context *ctx, pto_probe *probe, pto_tile *tile);
/**
 * Negates each element.
 *
 *     dst[i,j] = -src[i,j]
 *
 * @param ctx the context
 * @param dst receives the result
 * @param src the source
 * @param tmp scratch
 * @param mode how it looks
 * @param flags 0
 * @return PTO_OK; rules: null, dtype
 */
PTO_API pto_status pto_tnegate(pto_context *ctx, pto_tile *dst, const pto_tile *src, pto_tile *tmp, pto_mode mode, uint32_t flags);
/** Negates, then adds. @param ctx the context @param dst receives the result @param src the source @param by the summand @param steps how often @param flags 0 @return PTO_OK; rules: null */
PTO_API pto_status pto_tnegate_by(pto_context *ctx, pto_tile *dst, const pto_tile *src, pto_scalar by, int32_t steps, uint32_t flags);
"""

RUST = [
    "pub fn tnegate(&self, dst: &Tile, src: &Tile, tmp: Option<&Tile>, mode: Mode, flags: Flags) -> Result<()> {",
    "/// dst[i,j] = -src[i,j]",
    "pub fn tnegate_by(&self, dst: &Tile, src: &Tile, by: impl Into<Scalar>, steps: i32, flags: Flags) -> Result<()> {",
    "pub const DEEP: Mode = Mode(sys::PTO_MODE_DEEP);",
    "pub struct Probe {",
    "pub fn new(ctx: &Context, mode: Mode) -> Result<Self> {",
    "pub fn look(&self, ctx: &Context, depth: i32) -> Result<()> {",
    "pub fn switch(&self, ctx: &Context, on: bool) -> Result<()> {",
    "pub fn name(&self, ctx: &Context, spot: &str) -> Result<()> {",
    "pub fn title(&self) -> String {",
    # Only raw: it may keep the tile, and types cannot show that.
    "pub fn pto_probe_aim(ctx: *mut pto_context, probe: *mut pto_probe, tile: *mut pto_tile) -> pto_status;",
    "pub fn depth(&self) -> i32 {",
    "pub fn pto_probe_retain(probe: *mut pto_probe) -> *mut pto_probe;",
]
GO = [
    "func (ctx *Context) Tnegate(dst, src, tmp *Tile, mode Mode, flags Flags) error {",
    "//\tdst[i,j] = -src[i,j]",
    "func (ctx *Context) TnegateBy(dst, src *Tile, by Scalar, steps int, flags Flags) error {",
    "ModeDeep Mode = 3",
    "type Probe struct{ *handle }",
    "func (ctx *Context) NewProbe(mode Mode) (*Probe, error) {",
    "func (probe *Probe) Aim(ctx *Context, tile *Tile) error {",
    "func (probe *Probe) Depth() int {",
    "func (probe *Probe) Name(ctx *Context, spot string) error {",
    "func (probe *Probe) Title() string {",
    "func (probe *Probe) Switch(ctx *Context, on bool) error {",
    "func (x *Probe) Close() error {",
]
PYTHON = [
    "    def tnegate(self, dst: Tile, src: Tile, mode: Mode | int, tmp: Tile | None = None, flags: Flags | int = 0) -> None:",
    "            dst[i,j] = -src[i,j]",
    "        _raw.pto_tnegate(self, dst, src, tmp, mode, flags)",
    "    def tnegate_by(self, dst: Tile, src: Tile, by: Number, steps: int, flags: Flags | int = 0) -> None:",
    "class Mode(_Enum):",
    "    DEEP = 3  #: Below.",
]


def main(swig):
    with tempfile.TemporaryDirectory() as folder:
        for part in ("include", "bindings"):
            shutil.copytree(os.path.join(ROOT, part), os.path.join(folder, part), ignore=shutil.ignore_patterns("target", "java"))
        header = os.path.join(folder, "include/pto_c_ops.h")
        with open(header, encoding="utf-8") as file:
            before, after = file.read().rsplit("#ifdef __cplusplus", 1)
        with open(header, "w", encoding="utf-8") as file:
            file.write(before + GROWN + "#ifdef __cplusplus" + after)
        interface = os.path.join(folder, "bindings/pto.i")
        with open(interface, encoding="utf-8") as file:
            text = file.read().replace("PTO_HANDLE(pto_tile, Tile)", "PTO_HANDLE(pto_tile, Tile)\nPTO_HANDLE(pto_probe, Probe)\nPTO_ENUM(pto_mode, Mode)")
        with open(interface, "w", encoding="utf-8") as file:
            file.write(text)
        out = os.path.join(folder, "out")
        os.mkdir(out)
        base = [swig, "-Wall", "-Werror", "-I../include"]
        where = {"cwd": os.path.join(folder, "bindings"), "check": True}
        subprocess.run(base + ["-python", "-doxygen", "-DPTO_RUST", "-xmlout", out + "/pto.xml", "-outdir", out, "-o", out + "/x.c", "pto.i"], **where)
        subprocess.run(base + ["-go", "-cgo", "-intgosize", "64", "-package", "cpto", "-outdir", out, "-o", out + "/pto_wrap.c", "pto.i"], **where)
        gen_rust.main(out + "/pto.xml", out)
        gen_go.main(out + "/pto.xml", out, out)
        gen_python.main(out + "/pto.xml", out, [])
        let_go = unprotected(out, ["ops.go", "calls.go"])
        missing = lacking(out, ["bindings.rs", "types.rs", "ops.rs"], RUST) + lacking(out, ["types.go", "ops.go", "calls.go"], GO) + lacking(out, ["_ops.py"], PYTHON)
    for line in missing:
        print("not generated: " + line)
    for line in let_go:
        print("not held over its call: " + line)
    wanted = len(RUST) + len(GO) + len(PYTHON)
    print("%d of %d lines" % (wanted - len(missing), wanted))
    sys.exit(1 if missing or let_go else 0)


def unprotected(folder, names):
    """Handles that Go's collector could release while C works on them: no test by chance finds one."""
    found = []
    for name in names:
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            functions = re.split(r"(?m)^(?=func )", re.sub(r"(?m)^//.*\n", "", file.read()))
        for text in functions:
            copied = text[max(text.rfind("goString("), 0):]  # a string is its handle's until it is copied
            handles = set(re.findall(r"\b(\w+)P\b", text)) - set(re.findall(r"(\w+)\.(?:let|leave)\(\1P\)", copied))
            found += ["%s in %s" % (handle, text.split("{", 1)[0]) for handle in sorted(handles)]
    return found


def lacking(folder, names, wanted):
    text = ""
    for name in names:
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            text += file.read()
    return [line for line in wanted if line not in text]


if __name__ == "__main__":
    main(sys.argv[1])
