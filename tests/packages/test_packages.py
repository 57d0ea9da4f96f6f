#!/usr/bin/env python3
"""What ./dev package made, installed where nothing else is and tried with a program of a few lines.

usage: test_packages.py PACKAGES [KIND...]
Kinds that were not packed are skipped; what is tried may use no other file of the tree.
"""
import glob
import gzip
import hashlib
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "common"))
from browser import Chromium  # noqa: E402

PYTHON = """
import numpy as np, libpto
with libpto.Context() as ctx:
    base = libpto.Tile.copy(ctx, np.array([[1, 2, 3]], np.float32))
    ctx.tpow(base, base, base)
    print([int(x) for x in np.asarray(base)[0]])
"""
RUST = """
use pto::{Context, DType, Flags, Profile, Result};
fn main() -> Result<()> {
    let ctx = Context::new(Profile::CPU)?;
    let base = ctx.tile(DType::F32, 1, 3)?;
    base.write(&ctx, &[1f32, 2.0, 3.0])?;
    ctx.tpow(&base, &base, &base, None, Flags::NONE)?;
    println!("{:?}", base.to_vec::<f32>(&ctx)?.iter().map(|&x| x as i32).collect::<Vec<_>>());
    Ok(())
}
"""
GO = """
package main
import ("fmt"; pto "libpto.org/go")
func main() {
	ctx, err := pto.NewContext(pto.ProfileCPU)
	if err != nil { panic(err) }
	defer ctx.Close()
	base, _ := ctx.NewTile(pto.F32, 1, 3)
	defer base.Close()
	pto.Write(ctx, base, []float32{1, 2, 3})
	if err := ctx.Tpow(base, base, base, nil, 0); err != nil { panic(err) }
	got := make([]float32, 3)
	pto.Read(ctx, base, got)
	fmt.Printf("[%v, %v, %v]\\n", got[0], got[1], got[2])
}
"""
JAVA = """
import org.libpto.*;
public class User {
  public static void main(String[] args) {
    try (Context ctx = new Context(); Tile base = new Tile(ctx, DType.F32, 1, 3)) {
      float[] values = {1, 2, 3};
      base.write(ctx, values);
      ctx.tpow(base, base, base);
      base.read(ctx, values);
      System.out.println("[" + (int) values[0] + ", " + (int) values[1] + ", " + (int) values[2] + "]");
    }
  }
}
"""
C = """
#include <pto_c.h>
#include <stdio.h>
int main(void) {
  pto_context *ctx = pto_context_create(PTO_PROFILE_CPU);
  pto_tile *base = pto_tile_create(ctx, PTO_DTYPE_F32, 1, 3);
  float values[3] = {1, 2, 3};
  pto_tile_write(ctx, base, values, sizeof values);
  if (pto_tpow(ctx, base, base, base, NULL, 0) != PTO_OK) puts(pto_context_error_message(ctx));
  pto_tile_read(ctx, base, values, sizeof values);
  printf("[%g, %g, %g]\\n", values[0], values[1], values[2]);
  pto_tile_release(base), pto_context_release(ctx);
}
"""
NODE = """
import { readFileSync } from "node:fs";
import { load } from "%(folder)s/pto.mjs";
const pto = await load(readFileSync("%(folder)s/libpto.wasm"));
const T = "!pto.tile_buf<vec, 1x3xf32>";
const program = pto.program(`pto.tpow ins(%%base, %%base : ${T}, ${T}) outs(%%out : ${T})`);
program.bindTile(program.arguments()[0], (i) => i + 1);
if (!program.run()) console.log(program.diagnostics()[0].text);
console.log("[" + program.tiles().find(({ name }) => name === "%%out").values.join(", ") + "]");
program.close();
const ctx = pto.c.pto_context_create(0);
if (pto.c.pto_tile_create(ctx, 10, 65536, 65536) !== 0) console.log("a tile of 16 GiB, where addresses have 32 bits");
pto.c.pto_context_release(ctx);
if (pto.c.pto_live_handles() !== 0n) console.log("handles are left");
"""
WANT = "[1, 4, 27]"
# Nothing of libpto that the machine has: it is what the package brings that is tried.
HIDDEN = {"PKG_CONFIG_PATH", "PKG_CONFIG_LIBDIR", "LD_LIBRARY_PATH", "PYTHONPATH", "PTO_LIB_DIR", "CARGO_TARGET_DIR"}


def run(folder, *command, **environment):
    env = {k: v for k, v in os.environ.items() if k not in HIDDEN}
    done = subprocess.run([str(c) for c in command], cwd=folder, env={**env, **environment}, capture_output=True, text=True)
    assert done.returncode == 0, "%s\n%s%s" % (" ".join(map(str, command)), done.stdout, done.stderr)
    return done.stdout.strip()


def refused(needle, folder, *command, **environment):
    done = subprocess.run([str(c) for c in command], cwd=folder, env={**os.environ, **environment}, capture_output=True, text=True)
    assert done.returncode != 0 and needle in done.stdout + done.stderr, done.stdout + done.stderr


def try_python(packages, folder):
    wheel = one(packages, "*.whl")
    run(folder, sys.executable, "-m", "venv", "venv")
    run(folder, "venv/bin/pip", "install", "-q", wheel)
    module = glob.glob(str(folder / "venv/lib/python*/site-packages/libpto/_raw*.so"))
    needed = run(folder, "readelf", "-d", module[0])
    assert "stdc++" not in needed and "libpto" not in needed, needed
    got = run(folder, "venv/bin/python", "-c", PYTHON)
    # A broken package gives one line with the remedy.
    pathlib.Path(module[0]).write_bytes(b"\\x7fELF of another machine")
    refused("install a wheel for this Python and machine", folder, "venv/bin/python", "-c", "import libpto")
    return got


def try_rust(packages, folder):
    for crate in glob.glob(str(packages / "*.crate")):
        run(folder, "tar", "xf", crate)
    sys_crate, crate = sorted(folder.glob("pto-*"), key=lambda p: not p.name.startswith("pto-sys"))
    (folder / "src").mkdir()
    (folder / "src/main.rs").write_text(RUST)
    (folder / "Cargo.toml").write_text(
        '[package]\nname = "user"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\npto = { path = "%s", features = ["vendored"] }\n'
        '[patch.crates-io]\npto-sys = { path = "%s" }\n' % (crate.name, sys_crate.name))
    return run(folder, "cargo", "run", "-q")


def on_arm(packages):
    """The root of a system of arm64 that qemu runs programs in, or None: ./dev package arm makes it."""
    root = packages.parent.with_name(packages.parent.name + "-arm") / "sysroot"
    return root if shutil.which("qemu-aarch64") and shutil.which("aarch64-linux-gnu-gcc") and (root / "usr/lib/jvm").exists() else None


def emulated(folder, root, *command):
    return run(folder, "qemu-aarch64", "-L", root, *command)


def try_go(packages, folder):
    (folder / "main.go").write_text(GO)
    proxy = {"GOPROXY": "file://%s" % (packages / "go"), "GONOSUMDB": "*", "GOFLAGS": "-modcacherw", "GOMODCACHE": str(folder / "cache")}
    run(folder, "go", "mod", "init", "user", **proxy)
    run(folder, "go", "get", "libpto.org/go", **proxy)
    refused("set_CGO_ENABLED_1", folder, "go", "build", ".", **{**proxy, "CGO_ENABLED": "0"})
    root = on_arm(packages)
    if root:
        run(folder, "go", "build", "-tags", "pto_vendored", "-o", "arm", ".", PKG_CONFIG_LIBDIR=str(folder), GOARCH="arm64", CGO_ENABLED="1",
            CC="aarch64-linux-gnu-gcc", CXX="aarch64-linux-gnu-g++", **proxy)
        assert emulated(folder, root, "./arm") == WANT, "on arm64"
        print("go: ok on arm64")
    return run(folder, "go", "run", "-tags", "pto_vendored", ".", PKG_CONFIG_LIBDIR=str(folder), **proxy)


def try_java(packages, folder):
    jar = one(packages, "maven/org/libpto/pto/*/pto-*[0-9].jar")
    for other in ("-sources.jar", "-javadoc.jar", ".pom"):
        assert pathlib.Path(str(jar).replace(".jar", other)).exists(), other
    run(folder, "unzip", "-q", jar, "native/*", "-d", "in")
    for module in (folder / "in/native").glob("*/*.so"):
        assert "stdc++" not in run(folder, "readelf", "-d", module), "%s needs libstdc++" % module
    (folder / "User.java").write_text(JAVA)
    (folder / "tmp").mkdir()
    got = run(folder, "java", "-Dorg.libpto.extractDir=%s/tmp" % folder, "-cp", jar, "User.java")
    assert not list((folder / "tmp").iterdir()), "what was extracted is left"
    root = on_arm(packages)
    if root:
        run(folder, "javac", "-cp", jar, "-d", "classes", "User.java")
        assert emulated(folder, root, one(root, "usr/lib/jvm/java-17-openjdk-*/bin/java"), "-cp", "%s:classes" % jar, "User") == WANT, "on arm64"
        print("java: ok on arm64")
    refused("org.libpto.nativeDir must name its folder", folder,
            "java", "-Dorg.libpto.nativeDir=%s/tmp" % folder, "-cp", jar, "User.java")
    refused("has none for linux-sparc", folder, "java", "-Dos.arch=sparc", "-cp", jar, "User.java")
    refused("org.libpto.extractDir", folder, "java", "-Dorg.libpto.extractDir=/proc/none", "-cp", jar, "User.java")
    return got


RANKS = """func.func @swap(%own: !pto.ptr<f32>, %box: !pto.ptr<f32>, %next: !pto.ptr<f32>, %sig: !pto.ptr<i32>, %nsig: !pto.ptr<i32>) attributes {pto.entry} {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %i1 = arith.constant 1 : i32
  %a = pto.make_tensor_view %own, shape = [%c1, %c4], strides = [%c4, %c1] : !pto.tensor_view<1x4xf32>
  %b = pto.make_tensor_view %next, shape = [%c1, %c4], strides = [%c4, %c1] : !pto.tensor_view<1x4xf32>
  %s = pto.make_tensor_view %sig, shape = [%c1, %c1], strides = [%c1, %c1] : !pto.tensor_view<1x1xi32>
  %n = pto.make_tensor_view %nsig, shape = [%c1, %c1], strides = [%c1, %c1] : !pto.tensor_view<1x1xi32>
  %t = pto.alloc_tile : !pto.tile_buf<vec, 1x4xf32>
  pto.comm.tput(%b, %a, buf(%t) : !pto.tensor_view<1x4xf32>, !pto.tensor_view<1x4xf32>, !pto.tile_buf<vec, 1x4xf32>)
  pto.comm.tnotify(%n, %i1 : !pto.tensor_view<1x1xi32>, i32) {notifyOp = #pto<notify_op set>}
  pto.comm.twait(%s, %i1 : !pto.tensor_view<1x1xi32>, i32) {cmp = #pto<wait_cmp eq>}
  return
}
"""


def try_ranks(folder, pto, launch, env):
    """A program on two ranks that the launcher of an MPI starts."""
    (folder / "swap.pto").write_text(RANKS)
    run(folder, *launch, pto, "run", "swap.pto", "--ranks", "2", "--shape", "own=1x4", "--in", "own=iota", "--shape", "box=1x4", "--in", "box=zeros",
        "--shape", "sig=1x1", "--in", "sig=zeros", "--peer", "next=box@+1", "--peer", "nsig=sig@+1", "--force", "--out", "box@0=box.npy", **env)
    assert (folder / "box.npy").read_bytes()[-16:] == struct.pack("<4f", 0, 1, 2, 3)


def try_debian(packages, folder):
    """Unpacked below a folder, as a half-installed system would have them: nothing is installed for good."""
    for deb in glob.glob(str(packages / "debian/*.deb")):
        run(folder, "dpkg", "-x", deb, "root")
    usr = folder / "root/usr"
    library = one(usr, "lib/*/libpto.so").parent
    (folder / "user.c").write_text(C)
    run(folder, "cc", "user.c", "-I%s/include" % usr, "-L%s" % library, "-lpto", "-Wl,-rpath,%s" % library, "-o", "user")
    assert (usr / "share/man/man3/pto_tpow.3.gz").exists() and (usr / "share/doc/libpto-doc").exists()
    env = {"LD_LIBRARY_PATH": str(library)}
    for mpi in ("openmpi", "mpich"):
        plugin = library / ("libpto-mpi-%s.so" % mpi)
        assert plugin.exists(), plugin
        ranks = ("-n", "2", "--oversubscribe") if mpi == "openmpi" else ("-n", "2")
        if shutil.which("mpirun." + mpi) is not None:
            try_ranks(folder, usr / "bin/pto", ("mpirun." + mpi, *ranks), {**env, "PTO_TRANSPORT": "mpi", "OMPI_ALLOW_RUN_AS_ROOT": "1",
                                                                          "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"})
    assert "tpow" in run(folder, usr / "bin/pto", "ops", **env)
    module = one(usr, "lib/python3*/dist-packages/libpto/__init__.py").parent.parent
    assert run(folder, "/usr/bin/python3", "-c", PYTHON, PYTHONPATH=str(module), **env) == WANT
    return run(folder, "./user")


def try_conan(packages, folder):
    """The recipe in the packed sources; Highway and meson are the machine's, since no other registry than pip's is asked."""
    run(folder, sys.executable, "-m", "venv", "venv")
    run(folder, "venv/bin/pip", "install", "-q", "conan")
    run(folder, "tar", "xf", one(packages, "*-source.tar.gz"), "--strip-components=1", "--one-top-level=libpto")
    env = {"CONAN_HOME": str(folder / "home"), "PATH": "%s:%s" % (folder / "venv/bin", os.environ["PATH"])}
    profile = ("-pr:a", folder / "libpto/packaging/conan/system", "--no-remote")
    run(folder, "conan", "profile", "detect", **env)
    run(folder, "conan", "create", "libpto/packaging/conan", *profile, **env)
    version = re.search(r'version = "(.*)"', (folder / "libpto/packaging/conan/conanfile.py").read_text())[1]
    run(folder, "conan", "install", "--requires=libpto/" + version, "-g", "PkgConfigDeps", *profile, **env)
    (folder / "user.c").write_text(C)
    flags = run(folder, "pkg-config", "--cflags", "--libs", "pto", PKG_CONFIG_PATH=str(folder)).split()
    run(folder, "cc", "user.c", *flags, "-o", "user")
    return run(folder, "./user")


STATEMENT = "pto.tpow ins(%base, %base : !pto.tile_buf<vec, 1x3xf32>, !pto.tile_buf<vec, 1x3xf32>) outs(%out : !pto.tile_buf<vec, 1x3xf32>)"
# Longer than any test waits.
ENDLESS = """func.func @endless() attributes {pto.entry} {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %many = arith.constant 1000000000000 : index
  scf.for %i = %zero to %many step %one {
  }
  return
}
"""
PAGE = """
return [document.getElementById("status").textContent, document.getElementById("diagnostics").textContent,
        [...document.querySelectorAll("#results h2, #results td")].map((cell) => cell.textContent)];
"""


def try_wasm(packages, folder):
    """The page as it is opened from a disk: a program is edited, checked, run, and its tiles are there."""
    page = packages / "wasm/playground.html"
    assert len(gzip.compress(page.read_bytes())) <= 3 << 20, "the page is too large"
    if not shutil.which("chromedriver"):
        print("wasm: no chromium-driver, only read by node")
        return run(folder, "node", "--input-type=module", "-e", NODE % {"folder": packages / "wasm"})
    browser = Chromium(folder)
    try:
        def wait(pattern, seconds=120):
            ends = time.monotonic() + seconds
            while not re.match(pattern, status := browser.run("return document.getElementById('status').textContent")):
                assert time.monotonic() < ends, "the status is '%s', not '%s'" % (status, pattern)
                time.sleep(0.1)
            return browser.run(PAGE)

        def write(text):
            browser.run("const text = document.getElementById('text'); document.getElementById('status').textContent = ''; text.value = %s; text.oninput();" % json.dumps(text))

        def click(button):
            browser.run("document.getElementById('%s').click();" % button)

        browser.go(page.as_uri())
        wait("correct")
        stated = re.search(r"This page is ([\d.]+) MB, ([\d.]+) MB compressed", browser.run("return document.body.textContent"))
        sizes = len(page.read_bytes()) / 1e6, len(gzip.compress(page.read_bytes())) / 1e6
        assert all(abs(float(text) - size) <= 0.06 for text, size in zip(stated.groups(), sizes)), (stated[0], sizes)
        # Every example is correct and runs.
        for name in json.loads(browser.run("return document.getElementById('examples').textContent")):
            browser.run("const list = document.getElementById('example'); list.value = %s; list.onchange();" % json.dumps(name))
            click("run")
            status, said, cells = wait("ran in|stopped in|not correct|%")
            assert status.startswith("ran in") and cells, "%s: %s %s" % (name, status, said)
        write(STATEMENT.replace("%base, ", "%base "))
        status, said, _ = wait("not correct")
        assert "^" in said, said
        # The page stays responsive while a program runs, and stops it.
        write(ENDLESS)
        wait("correct")
        click("run")
        wait("running")
        time.sleep(1)
        click("stop")
        wait("stopped by you")
        write(STATEMENT)
        wait("correct")
        browser.run("const base = document.getElementById('argument-base'); base.value = 'ramp'; base.oninput();")
        click("run")
        status, said, cells = wait("ran in")
        assert "WASM" in status and said == "", (status, said)
        assert not browser.complaints()
        assert cells[cells.index("%out : 1x3xf32") + 1:][:3] == ["1", "1", "4"], cells  # 0 ** 0, 1 ** 1, 2 ** 2
        if os.environ.get("PTO_SCREENSHOT"):
            browser.run("const list = document.getElementById('example'); list.value = 'softmax.pto'; list.onchange();")
            click("run")
            wait("ran in")
            pathlib.Path(os.environ["PTO_SCREENSHOT"]).write_bytes(browser.screenshot())
    finally:
        browser.close()
    return run(folder, "node", "--input-type=module", "-e", NODE % {"folder": packages / "wasm"})


def one(packages, pattern):
    found = [pathlib.Path(p) for p in glob.glob(str(packages / pattern))]
    assert len(found) == 1, "%s: %s" % (pattern, found)
    return found[0]


KINDS = {"python": (try_python, "*.whl"), "rust": (try_rust, "*.crate"), "go": (try_go, "go/libpto.org/go/@v/*.zip"), "java": (try_java, "maven/org/libpto/pto/*/*.pom"),
         "debian": (try_debian, "debian/*.deb"), "conan": (try_conan, "*-source.tar.gz"), "wasm": (try_wasm, "wasm/playground.html")}


def main():
    packages, kinds = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:] or list(KINDS)
    for line in (packages / "SHA256SUMS").read_text().splitlines():
        digest, name = line.split("  ", 1)
        assert hashlib.sha256((packages / name).read_bytes()).hexdigest() == digest, name
    failed = 0
    for kind in kinds:
        attempt, made = KINDS[kind]
        if not glob.glob(str(packages / made)):
            print("%s: not packed, skipped" % kind)
            continue
        with tempfile.TemporaryDirectory() as folder:
            try:
                got = attempt(packages, pathlib.Path(folder))
                assert got == WANT, got
                print("%s: ok" % kind)
            except AssertionError as error:
                failed += 1
                print("%s: FAILED\n%s" % (kind, error))
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
