// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// node native.mjs NATIVE: WebAssembly against the program made of native.cpp with SSE4, in turns; prints ratios.
import { execFileSync } from "node:child_process";
import * as agents from "../dist/agents.js";
import * as layer from "../dist/layer.js";
import * as ranked from "../dist/ranked.js";
import { random } from "./cases.mjs";

const native = process.argv[2];
const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];
await Promise.all([agents.init(), layer.init(), ranked.init()]);
const next = random(1);
const n = 1_000_000, boxCount = 100_000, queries = 2000;
const x = new Float64Array(n), y = new Float64Array(n), rank = new Int32Array(n);
for (let i = 0; i < n; ++i) [x[i], y[i], rank[i]] = [next() * 1000, next() * 1000, next() * 1e9];
const rects = Array.from({ length: queries }, () => {
  const lx = next() * 900, ly = next() * 900, w = next() * next() * 100;
  return [lx, ly, lx + w, ly + w];
});
const points = ranked.RankedPoints.build(x, y, rank);
const out = ranked.alloc("uint32", 20), found = layer.alloc("uint32", n);
const boxes = new Float32Array(6 * boxCount);
for (let i = 0; i < boxCount; ++i) {
  for (let a = 0; a < 3; ++a) {
    boxes[6 * i + a] = next() * 100;
    boxes[6 * i + 3 + a] = boxes[6 * i + a] + Math.fround(next() * 3);
  }
}
const column = layer.alloc("float32", 6 * boxCount);
column.view.set(boxes);
const index = layer.Layer.build(column);
const flock = agents.Flock.build({ halfSize: 40 });
flock.scatter(20_000, 5);
const few = Array.from({ length: queries }, (_, i) => boxes.slice(6 * i, 6 * i + 6));

const cases = {
  top: [queries, () => rects.forEach((r) => points.topInto(out, r[0], r[1], r[2], r[3]))],
  count: [queries, () => rects.forEach((r) => points.count(r))],
  filtered: [queries, () => rects.forEach((r) => points.topView({ circle: [r[0], r[1], r[2] - r[0]] }, 20))],
  pairs: [1, () => index.findPairsView()],
  search: [queries, () => few.forEach((box) => index.searchView(box))],
  refit: [1, () => index.refit(column)],
  flock: [1, () => flock.step()],
};
const ratios = {};
for (let turn = 0; turn < 5; ++turn) {
  const text = execFileSync(native, [], { env: { ...process.env, JUXTA_ISA: "sse4" } }).toString();
  const theirs = Object.fromEntries(text.trim().split("\n").map((line) => line.split(" ")));
  for (const [name, [questions, run]] of Object.entries(cases)) {
    const times = [];
    for (let round = 0; round < 8; ++round) {
      const begin = performance.now();
      run();
      if (round > 0) times.push((1000 * (performance.now() - begin)) / questions);
    }
    (ratios[name] ??= []).push([median(times) / theirs[name], median(times), Number(theirs[name])]);
  }
}
for (const [name, rows] of Object.entries(ratios)) {
  const all = rows.map((row) => row[0]).sort((a, b) => a - b);
  console.log(`${name}: ${all[2].toFixed(2)}x of native SSE4 (${all[0].toFixed(2)} to ${all[4].toFixed(2)}), ${median(rows.map((r) => r[1])).toFixed(3)} us here, ${median(rows.map((r) => r[2])).toFixed(3)} us there`);
}
