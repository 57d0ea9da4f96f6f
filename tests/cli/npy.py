"""A second, tiny .npy writer and reader, so that the tests need no numpy and share no code with the command."""
import re
import struct

CODES = {"i8": ("|i1", "b"), "u8": ("|u1", "B"), "i16": ("<i2", "h"), "u16": ("<u2", "H"), "i32": ("<i4", "i"),
         "u32": ("<u4", "I"), "i64": ("<i8", "q"), "u64": ("<u8", "Q"), "f16": ("<f2", "e"), "bf16": ("<V2", "H"),
         "f32": ("<f4", "f")}
# Codes of a byte or less, which Python has no numbers of.
SMALL = dict.fromkeys(("e4m3", "e5m2", "hif8", "e8m0", "e2m1", "e1m2", "i4"), ("<V1", "B"))


def dumps(dtype, shape, values, version=1, fortran=False, descr=None):
    name, code = {**CODES, **SMALL}[dtype]
    header = "{'descr': %r, 'fortran_order': %r, 'shape': %r, }" % (descr or name, fortran, tuple(shape))
    sizes = "<H" if version == 1 else "<I"
    used = 8 + struct.calcsize(sizes) + len(header) + 1
    header = (header + " " * (-used % 64) + "\n").encode()
    return (b"\x93NUMPY" + bytes([version, 0]) + struct.pack(sizes, len(header)) + header
            + struct.pack("<%d%s" % (len(values), code), *values))


def save(path, dtype, shape, values, **more):
    with open(path, "wb") as out:
        out.write(dumps(dtype, shape, values, **more))


def load(path):
    with open(path, "rb") as file:
        data = file.read()
    assert data[:8] == b"\x93NUMPY\x01\x00", data[:8]
    size = struct.unpack("<H", data[8:10])[0]
    assert (10 + size) % 64 == 0 and data[9 + size:10 + size] == b"\n"
    header = data[10:10 + size].decode()
    descr = re.search(r"'descr': '([^']*)'", header).group(1)
    shape = tuple(int(n) for n in re.search(r"'shape': \(([^)]*)\)", header).group(1).split(",") if n.strip())
    dtype, code = next((d, c) for d, (n, c) in [*CODES.items(), ("codes", ("<V1", "B"))] if n == descr)
    body = data[10 + size:]
    return dtype, shape, list(struct.unpack("<%d%s" % (len(body) // struct.calcsize(code), code), body))
