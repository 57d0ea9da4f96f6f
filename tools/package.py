"""Part of ./dev package: archives whose bytes depend on their contents alone, checksums and the SBOM.

usage: package.py zip FOLDER ARCHIVE | package.py sums FOLDER VERSION
"""
import hashlib
import json
import os
import pathlib
import sys
import time
import zipfile

MADE = ("SHA256SUMS", "sbom.spdx.json")
# What is linked into packages, or comes with their sources.
PARTS = [
    ("Highway", "1.0.3", "Apache-2.0 OR BSD-3-Clause", "headers, compiled into the kernels"),
    ("libstdc++", "NOASSERTION", "GPL-3.0-or-later WITH GCC-exception-3.1", "linked into the wheel and the jar"),
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
    {"zip": archive, "sums": sums}[sys.argv[1]](*sys.argv[2:])
