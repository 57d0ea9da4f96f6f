"""Part of ./dev package: archives whose bytes depend on their contents alone, checksums and the SBOM.

usage: package.py zip FOLDER ARCHIVE | package.py page ROOT WASM HTML | package.py sums FOLDER VERSION
"""
import base64
import gzip
import hashlib
import json
import os
import pathlib
import sys
import time
import zipfile

MADE = ("SHA256SUMS", "sbom.spdx.json")
# What is linked into packages, or is part of their sources.
PARTS = [
    ("Highway", "1.0.3", "Apache-2.0 OR BSD-3-Clause", "headers, compiled into the kernels"),
    ("libstdc++", "NOASSERTION", "GPL-3.0-or-later WITH GCC-exception-3.1", "linked into the wheel and the jar"),
    ("libc++", "NOASSERTION", "Apache-2.0 WITH LLVM-exception", "linked into libpto.wasm"),
    ("musl", "NOASSERTION", "MIT", "linked into libpto.wasm"),
]


def files(folder):
    return sorted(p for p in pathlib.Path(folder).rglob("*") if p.is_file())


def archive(folder, path):
    moment = time.gmtime(int(os.environ["SOURCE_DATE_EPOCH"]))[:6]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
        for file in files(folder):
            info = zipfile.ZipInfo(file.relative_to(folder).as_posix(), moment)
            info.compress_type, info.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            out.writestr(info, file.read_bytes())


# What the playground offers, and what is given for the arguments.
EXAMPLES = {
    "spellings.pto": {"exp": "wave"},
    "normalize.pto": {"x shape": "64x32", "x": "wave", "y shape": "64x32"},
    "tail.pto": {"x shape": "1000", "y shape": "1000", "scale shape": "256", "n": "1000"},
    "instructions.pto": {},
    "softmax.pto": {"x shape": "32x100", "x": "wave", "y shape": "32x100", "n": "32", "m": "100"},
    "gemm.pto": {"a shape": "128x128", "a": "wave", "b shape": "128x128", "b": "wave", "c shape": "128x128", "m": "128", "n": "128", "k": "128"},
    "attention.pto": {name + part: value for name in ("q", "k", "v", "out") for part, value in ((" shape", "128x64"), ("", "wave"))} | {"n": "128"},
}
IMPORT = 'import { load } from "./pto.mjs";\n'
WORKER = 'new Worker("./worker.mjs", { type: "module" })'
FETCH = 'await (await fetch("libpto.wasm")).arrayBuffer()'


def page(root, wasm, html):
    """The playground in one file, which runs from a disk too: the module, compressed, its worker and examples are in it."""
    root = pathlib.Path(root)
    text = (root / "bindings/wasm/index.html").read_text()
    examples = {name: {"text": (root / "examples" / name).read_text(), "given": given} for name, given in EXAMPLES.items()}
    packed = base64.b64encode(gzip.compress(pathlib.Path(wasm).read_bytes(), mtime=0)).decode()
    worker = (root / "bindings/wasm/worker.mjs").read_text()
    assert worker.count(IMPORT) == 1
    worker = worker.replace(IMPORT, (root / "bindings/wasm/pto.mjs").read_text().replace("export ", ""))
    assert "</script" not in worker
    for old, new in (
        (WORKER, 'new Worker(URL.createObjectURL(new Blob([$("worker").textContent], { type: "text/javascript" })))'),
        ('id="worker">', 'id="worker">' + worker),
        (FETCH, 'await new Response((await fetch("data:application/gzip;base64,%s")).body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer()' % packed),
        ('id="examples">{}', 'id="examples">' + json.dumps(examples).replace("</", "<\\/")),
    ):
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    # With its own size: the line is as long whatever the digits.
    line = "This page is %.1f MB, %.1f MB compressed. It works without a network."
    small = len(gzip.compress(text.encode(), mtime=0))
    text = text.replace('id="size">', 'id="size">' + line % (len(text.encode()) / 1e6, small / 1e6))
    pathlib.Path(html).write_text(text)
    print(line % (len(text.encode()) / 1e6, small / 1e6))


def sums(folder, version):
    folder = pathlib.Path(folder)
    digests = {p.relative_to(folder).as_posix(): hashlib.sha256(p.read_bytes()).hexdigest() for p in files(folder) if p.name not in MADE}
    (folder / MADE[0]).write_text("".join("%s  %s\n" % (digest, name) for name, digest in digests.items()))
    described = [("libpto", version, "Apache-2.0", "")] + PARTS
    document = {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": "libpto-" + version,
        "documentNamespace": "https://spdx.org/spdxdocs/libpto-%s-" % version + hashlib.sha256(json.dumps(digests).encode()).hexdigest(),
        "creationInfo": {"created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(int(os.environ["SOURCE_DATE_EPOCH"]))),
                         "creators": ["Tool: libpto ./dev package"]},
        "packages": [{"name": name, "SPDXID": "SPDXRef-Package-%d" % i, "versionInfo": number, "licenseConcluded": licence,
                      "licenseDeclared": licence, "copyrightText": "NOASSERTION", "downloadLocation": "NOASSERTION",
                      "filesAnalyzed": False, **({"comment": how} if how else {})} for i, (name, number, licence, how) in enumerate(described)],
        "files": [{"fileName": "./" + name, "SPDXID": "SPDXRef-File-%d" % i, "licenseConcluded": "Apache-2.0", "copyrightText": "NOASSERTION",
                   "checksums": [{"algorithm": "SHA256", "checksumValue": digest}]} for i, (name, digest) in enumerate(digests.items())],
        "relationships": [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": "SPDXRef-Package-0"}] +
                         [{"spdxElementId": "SPDXRef-Package-0", "relationshipType": "CONTAINS", "relatedSpdxElement": "SPDXRef-Package-%d" % i}
                          for i in range(1, len(described))],
    }
    (folder / MADE[1]).write_text(json.dumps(document, indent=1) + "\n")
    print("%d packages below %s, with %s and %s" % (len(digests), folder, *MADE))


if __name__ == "__main__":
    {"zip": archive, "page": page, "sums": sums}[sys.argv[1]](*sys.argv[2:])
