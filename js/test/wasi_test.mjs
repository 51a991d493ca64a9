// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What a module writes reaches the console, also where the last line has no end.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Wasi } from "../src/wasi.js";

/** A module that imports fd_write, and nothing else. */
const importer = () => {
  const name = (text) => [text.length, ...new TextEncoder().encode(text)];
  const type = [1, 0x60, 4, 0x7f, 0x7f, 0x7f, 0x7f, 1, 0x7f];
  const from = [1, ...name("wasi_snapshot_preview1"), ...name("fd_write"), 0, 0];
  return new WebAssembly.Module(Uint8Array.from([0, 97, 115, 109, 1, 0, 0, 0, 1, type.length, ...type, 2, from.length, ...from]));
};

/** Writes texts to the error stream, one call each, and returns what the console got before and after the module returned. */
async function printed(t, texts) {
  const wasi = new Wasi();
  wasi.memory = new WebAssembly.Memory({ initial: 1 });
  const { fd_write: write } = wasi.imports(importer());
  const got = [];
  t.mock.method(console, "error", (line) => got.push(line));
  for (const text of texts) {
    const bytes = new TextEncoder().encode(text);
    new Uint8Array(wasi.memory.buffer).set(bytes, 64);
    new Uint32Array(wasi.memory.buffer).set([64, bytes.length]);
    assert.equal(write(2, 0, 1, 32), 0);
    assert.equal(new Uint32Array(wasi.memory.buffer)[8], bytes.length);
  }
  const before = [...got];
  await null;
  await null;
  return { before, after: got };
}

test("lines are printed whole, whatever the parts", async (t) => {
  const { before, after } = await printed(t, ["one\ntw", "o", "\n\nthree\n"]);
  assert.deepEqual(before, ["one", "two", "", "three"]);
  assert.deepEqual(after, before);
});

test("a last line without an end is printed too, once", async (t) => {
  const { before, after } = await printed(t, ["one\nlast", " words"]);
  assert.deepEqual(before, ["one"]);
  assert.deepEqual(after, ["one", "last words"]);
});
