// The playground's worker: it checks and runs programs, so that the page stays responsive while one runs.
import { load } from "./pto.mjs";

const FILLS = { ramp: (i) => i, ones: () => 1, zeros: () => 0, wave: (i) => Math.sin(i / 3) };
const MOST_ROWS = 64, MOST_COLS = 32; // of a tile that is shown
const MOST_STEPS = 1n << 62n; // a run ends when the reader stops it
let pto;

function bind(program, given) {
  const shapeOf = (name) => {
    const shape = given[name + " shape"].split("x").map(Number);
    if (!shape.every((size) => Number.isInteger(size) && size > 0)) throw new Error("%" + name + ": a shape is written 16x16");
    return shape;
  };
  for (const argument of program.arguments()) {
    const { name, kind, dtype, optional, typed } = argument;
    if (optional) continue; // the program makes it
    if (kind === "tensor") {
      program.bindTensor(name, dtype ?? "f32", shapeOf(name), FILLS[given[name]]);
    } else if (kind === "tile") {
      program.bindTile(argument, FILLS[given[name]], typed ? [] : shapeOf(name));
    } else if (kind === "int") {
      program.bindInt(name, given[name]);
    } else if (kind === "float") {
      program.bindFloat(name, given[name]);
    }
  }
}

// The part of a tile that the page shows, and its largest magnitude.
function part({ name, dtype, rows, cols, values }) {
  const shown = [];
  for (let r = 0; r < Math.min(rows, MOST_ROWS); ++r) shown.push(values.slice(r * cols, r * cols + Math.min(cols, MOST_COLS)));
  let largest = 1e-300;
  for (const value of values) if (Number.isFinite(Number(value))) largest = Math.max(largest, Math.abs(Number(value)));
  return { name, dtype, rows, cols, shown, largest };
}

function work({ running, text, profile, given }) {
  const program = pto.program(text, profile, { steps: MOST_STEPS });
  try {
    const correct = program.check();
    const done = { correct, arguments: program.arguments(), diagnostics: program.diagnostics() };
    if (!running || !correct) return { ...done, status: correct ? "correct" : "not correct" };
    bind(program, given);
    const start = performance.now(), complete = program.run();
    done.status = `${complete ? "ran" : "stopped"} in ${(performance.now() - start).toFixed(1)} ms (${program.profile}, ${program.target})`;
    return { ...done, diagnostics: program.diagnostics(), output: program.output(), tiles: [...program.tensors(), ...program.tiles()].map(part) };
  } finally {
    program.close();
  }
}

// The first message is the module, each later one a job.
onmessage = async ({ data }) => {
  try {
    if (data instanceof WebAssembly.Module) {
      pto = await load(data);
      postMessage({ version: pto.version(), fills: Object.keys(FILLS) });
    } else {
      postMessage(work(data));
    }
  } catch (error) {
    postMessage({ status: error.message });
  }
};
