// libpto in JavaScript: the C functions of libpto.wasm, and what runs a PTO-AS program.

const PROFILES = { cpu: 0, a2a3: 1, a5: 2 };
const KINDS = ["tensor", "tile", "int", "float", "other"]; // pto_arg_kind
// Elements in memory; of f16 and bf16, which JavaScript has not, their bits.
const ARRAYS = {
  i8: Int8Array, u8: Uint8Array, i16: Int16Array, u16: Uint16Array, i32: Int32Array, u32: Uint32Array,
  i64: BigInt64Array, u64: BigUint64Array, f16: Uint16Array, bf16: Uint16Array, f32: Float32Array,
  e4m3: Uint8Array, e5m2: Uint8Array, hif8: Uint8Array, e8m0: Uint8Array, // codes; TCVT makes numbers of them
};
// Digits of the fraction, and what is added to the exponent.
const SMALL = { f16: [10, 15], bf16: [7, 127] };
const TENSOR_DESC = 104; // sizeof(pto_tensor_desc)
const STEPS_PER_RUN = 50_000_000n, BYTES_PER_RUN = 256n << 20n;

function decode(dtype, bits) {
  const [digits, bias] = SMALL[dtype], top = 2 ** (15 - digits) - 1;
  const sign = bits & 0x8000 ? -1 : 1, exponent = (bits >> digits) & top, fraction = (bits & (2 ** digits - 1)) / 2 ** digits;
  if (exponent === top) return fraction ? NaN : sign * Infinity;
  return sign * (exponent ? (1 + fraction) * 2 ** (exponent - bias) : fraction * 2 ** (1 - bias));
}

// The nearest bits: the bits of positive numbers are in their order.
function encode(dtype, value) {
  let low = 0, high = (2 ** (15 - SMALL[dtype][0]) - 1) * 2 ** SMALL[dtype][0];
  if (Number.isNaN(value)) return high + 1;
  const size = Math.abs(value), sign = value < 0 ? 0x8000 : 0;
  if (size === Infinity) return sign + high;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (decode(dtype, middle) <= size) low = middle; else high = middle;
  }
  return sign + (decode(dtype, high) - size < size - decode(dtype, low) ? high : low);
}

// Instantiates libpto.wasm, from its bytes or from a WebAssembly.Module.
export async function load(source) {
  let memory;
  const view = () => new DataView(memory.buffer);
  // WASI as far as libpto calls it: it asks for the time, and the C library is able to print.
  const wasi = {
    clock_time_get: (_clock, _precision, at) => (view().setBigUint64(at, BigInt(Math.round(performance.now() * 1e6)), true), 0),
    fd_write: (_fd, pieces, count, written) => {
      let bytes = 0;
      for (let i = 0; i < count; ++i) bytes += view().getUint32(pieces + 8 * i + 4, true);
      view().setUint32(written, bytes, true);
      return 0;
    },
    proc_exit: (code) => { throw new Error("libpto.wasm: exit " + code); },
  };
  const other = new Proxy(wasi, { get: (functions, name) => functions[name] ?? (() => 52) }); // ENOSYS
  const module = source instanceof WebAssembly.Module ? source : await WebAssembly.compile(source);
  const instance = await WebAssembly.instantiate(module, {
    wasi_snapshot_preview1: other,
    env: { emscripten_notify_memory_growth: () => {} },
  });
  memory = instance.exports.memory;
  instance.exports._initialize?.();
  return new Pto(instance.exports);
}

export class Pto {
  constructor(c) { this.c = c; }

  // The string at an address; null for NULL.
  text(at) {
    if (at === 0) return null;
    const heap = new Uint8Array(this.c.memory.buffer);
    return new TextDecoder().decode(heap.subarray(at, heap.indexOf(0, at)));
  }

  // Calls with the address and the size of a copy that ends in 0.
  with(text, call) {
    const bytes = new TextEncoder().encode(text);
    const at = this.c.malloc(bytes.length + 1);
    if (at === 0) throw new Error("memory is out");
    const copy = new Uint8Array(this.c.memory.buffer, at, bytes.length + 1);
    copy.set(bytes);
    copy[bytes.length] = 0;
    try { return call(at, bytes.length); } finally { this.c.free(at); }
  }

  version() {
    const number = this.c.pto_version();
    return [number / 10000, (number / 100) % 100, number % 100].map(Math.floor).join(".");
  }

  // Reads a program for a profile: cpu, a2a3, a5, or else what the program names. The limits of its runs: steps and bytes.
  program(text, profile = "", limits = {}) { return new Program(this, text, profile, limits); }
}

// A program that was read; close() gives its memory back.
export class Program {
  constructor(pto, text, profile, { steps = STEPS_PER_RUN, bytes = BYTES_PER_RUN }) {
    const c = pto.c;
    this.pto = pto;
    this.bound = [];
    this.ctx = c.pto_context_create(PROFILES[profile] ?? 0);
    this.at = pto.with(text, (at, bytes) => c.pto_program_parse(this.ctx, at, BigInt(bytes), 0));
    if (this.at === 0) this.must(1);
    const named = c.pto_program_profile(this.at);
    if (!profile && named > 0) {
      c.pto_context_release(this.ctx);
      this.ctx = c.pto_context_create(named);
    }
    this.profile = Object.keys(PROFILES)[c.pto_context_profile(this.ctx)];
    this.target = pto.text(c.pto_context_target(this.ctx));
    c.pto_program_limit_bytes(this.ctx, this.at, bytes);
    c.pto_program_limit_steps(this.ctx, this.at, steps);
  }

  must(status) {
    if (status !== 0) throw new Error(this.pto.text(this.pto.c.pto_context_error_message(this.ctx)));
  }

  check() { return this.pto.c.pto_program_check(this.ctx, this.at) === 0; }

  // The diagnostics of parsing, and of the latest check or run.
  diagnostics() {
    const c = this.pto.c;
    return Array.from({ length: c.pto_program_diagnostic_count(this.at) }, (_, i) => ({
      error: c.pto_program_diagnostic_error(this.at, i) === 1,
      line: c.pto_program_diagnostic_line(this.at, i),
      column: c.pto_program_diagnostic_column(this.at, i),
      rule: this.pto.text(c.pto_program_diagnostic_rule(this.at, i)),
      text: this.pto.text(c.pto_program_diagnostic_text(this.at, i)),
    }));
  }

  // The arguments of the entry: name, kind, the element type if known, and whether all of a tile's type is known.
  arguments() {
    const c = this.pto.c;
    return Array.from({ length: Math.max(0, c.pto_program_arg_count(this.at, 0)) }, (_, i) => ({
      index: i,
      name: this.pto.text(c.pto_program_arg_name(this.at, 0, i)),
      kind: KINDS[c.pto_program_arg_kind(this.at, 0, i)],
      dtype: this.dtypeName(c.pto_program_arg_dtype(this.at, 0, i)),
      optional: c.pto_program_arg_optional(this.at, 0, i) === 1,
      typed: this.hasTile(i),
    }));
  }

  hasTile(index) {
    const tile = this.pto.c.pto_program_arg_tile(this.ctx, this.at, 0, index);
    this.pto.c.pto_tile_release(tile);
    return tile !== 0;
  }

  bindInt(name, value) { this.must(this.pto.with(name, (at) => this.pto.c.pto_program_bind_int(this.ctx, this.at, at, BigInt(value)))); }
  bindFloat(name, value) { this.must(this.pto.with(name, (at) => this.pto.c.pto_program_bind_float(this.ctx, this.at, at, Number(value)))); }

  // A tensor of a shape of 1 to 5 dimensions; `fill` returns the value of the element of an index.
  bindTensor(name, dtype, shape, fill) {
    const c = this.pto.c;
    const desc = c.malloc(TENSOR_DESC), code = this.dtypeCode(dtype);
    new Uint8Array(c.memory.buffer, desc, TENSOR_DESC).fill(0);
    const fields = new DataView(c.memory.buffer, desc, TENSOR_DESC);
    [TENSOR_DESC, code, 0, shape.length].forEach((word, i) => fields.setInt32(4 * i, word, true));
    shape.forEach((size, i) => fields.setBigInt64(24 + 8 * i, BigInt(size), true));
    const tensor = c.pto_tensor_create(this.ctx, desc);
    c.free(desc);
    if (tensor === 0) this.must(1);
    this.bound.push({ name, tensor, shape, dtype });
    this.fill(c.pto_tensor_write, tensor, dtype, shape.reduce((a, b) => a * b, 1), fill);
    this.must(this.pto.with(name, (at) => c.pto_program_bind_tensor(this.ctx, this.at, at, tensor)));
  }

  // A tile of the type that the program gives the argument, or else of 32-bit floats and the shape.
  bindTile({ name, index, typed }, fill, [rows, cols] = [16, 16]) {
    const c = this.pto.c;
    const tile = typed ? c.pto_program_arg_tile(this.ctx, this.at, 0, index) : c.pto_tile_create(this.ctx, this.dtypeCode("f32"), rows, cols);
    if (tile === 0) this.must(1);
    const count = c.pto_tile_valid_rows(tile) * c.pto_tile_valid_cols(tile);
    this.fill(c.pto_tile_write, tile, this.dtypeName(c.pto_tile_dtype(tile)), count, fill);
    const status = this.pto.with(name, (at) => c.pto_program_bind_tile(this.ctx, this.at, at, tile));
    c.pto_tile_release(tile);
    this.must(status);
  }

  // Runs the entry; false if something stopped it, which the diagnostics report.
  run() { return this.pto.c.pto_program_run(this.ctx, this.at, 0) === 0; }

  output() { return this.pto.text(this.pto.c.pto_program_output(this.at)); }

  // The tiles of the latest run.
  tiles() {
    const c = this.pto.c;
    return Array.from({ length: c.pto_program_tile_count(this.at) }, (_, i) => {
      const name = c.pto_program_tile_name(this.at, i);
      const tile = c.pto_program_tile(this.ctx, this.at, name);
      if (tile === 0) this.must(1);
      const rows = c.pto_tile_valid_rows(tile), cols = c.pto_tile_valid_cols(tile);
      const values = this.read(c.pto_tile_read, tile, this.dtypeName(c.pto_tile_dtype(tile)), rows * cols);
      c.pto_tile_release(tile);
      return { name: "%" + this.pto.text(name), rows, cols, ...values };
    });
  }

  // The tensors that are bound.
  tensors() {
    return this.bound.map(({ name, tensor, shape, dtype }) => {
      const count = shape.reduce((a, b) => a * b, 1), cols = shape[shape.length - 1];
      return { name: "%" + name, rows: count / cols, cols, ...this.read(this.pto.c.pto_tensor_read, tensor, dtype, count) };
    });
  }

  close() {
    this.pto.c.pto_program_release(this.at);
    this.bound.forEach(({ tensor }) => this.pto.c.pto_tensor_release(tensor));
    this.pto.c.pto_context_release(this.ctx);
    this.at = this.ctx = 0, this.bound = [];
  }

  // null if there is no such value.
  dtypeName(code) {
    const name = this.pto.text(this.pto.c.pto_dtype_name(code));
    return name === "?" ? null : name;
  }

  dtypeCode(name) {
    for (let code = 0, each; (each = this.dtypeName(code)); ++code) if (each === name) return code;
    throw new Error("no element type is called " + name);
  }

  // An array of elements in the module's memory, for the call.
  withElements(dtype, count, call) {
    const c = this.pto.c, bytes = count * ARRAYS[dtype].BYTES_PER_ELEMENT, at = c.malloc(bytes || 1);
    if (at === 0) throw new Error("memory is out");
    try {
      return call(at, BigInt(bytes), () => new ARRAYS[dtype](c.memory.buffer, at, count));
    } finally {
      c.free(at);
    }
  }

  fill(write, handle, dtype, count, value) {
    const convert = SMALL[dtype] ? (x) => encode(dtype, x) : dtype.endsWith("64") ? (x) => BigInt(Math.trunc(x)) : (x) => x;
    this.withElements(dtype, count, (at, bytes, elements) => {
      elements().forEach((_, i, all) => { all[i] = convert(value(i)); });
      this.must(write(this.ctx, handle, at, bytes));
    });
  }

  read(get, handle, dtype, count) {
    return this.withElements(dtype, count, (at, bytes, elements) => {
      this.must(get(this.ctx, handle, at, bytes));
      return { dtype, values: Array.from(elements(), SMALL[dtype] ? (bits) => decode(dtype, bits) : undefined) };
    });
  }
}
