// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Runs a WASI program in Node or in a browser, with files in memory: runWasi(bytes, args, print) -> exit code.
// (Node's own WASI ends Node 20 with a segmentation fault at exit, after programs that saved files.)
import { Wasi, WasiExit } from "../src/wasi.js";

/** The program's arguments, which modules without main() do not ask for. */
function argumentCalls(wasi, args) {
  const parts = args.map((each) => new TextEncoder().encode(`${each}\0`));
  const words = () => new Uint32Array(wasi.memory.buffer);
  return {
    args_sizes_get(count, size) {
      words()[count >>> 2] = parts.length;
      words()[size >>> 2] = parts.reduce((sum, part) => sum + part.length, 0);
      return 0;
    },
    args_get(pointers, at) {
      parts.forEach((part, i) => {
        words()[(pointers >>> 2) + i] = at;
        new Uint8Array(wasi.memory.buffer, at, part.length).set(part);
        at += part.length;
      });
      return 0;
    },
  };
}

export async function runWasi(program, args, print) {
  const module = await WebAssembly.compile(program);
  const wasi = new Wasi(print);
  const wasi_snapshot_preview1 = { ...wasi.imports(module), ...argumentCalls(wasi, args) };
  const instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1 });
  wasi.memory = instance.exports.memory;
  try {
    instance.exports._start();
    return 0;
  } catch (error) {
    if (error instanceof WasiExit) return error.code;
    throw error;
  }
}
