// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// node native.mjs NATIVE: WebAssembly against the program made of native.cpp with SSE4. Both must give the same answers;
// prints how many times as long WebAssembly takes. Times are the least of all rounds, and the programs run in turns.
import { execFileSync } from "node:child_process";
import * as agents from "../dist/agents.js";
import * as layer from "../dist/layer.js";
import * as ranked from "../dist/ranked.js";
import { random } from "./cases.mjs";

const turns = 5, rounds = 15;
const native = process.argv[2];
if (!native) throw new Error("Usage: node native.mjs NATIVE, the program made of native.cpp (docs/javascript.md)");
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
const out = ranked.alloc("uint32", 20);
const boxes = new Float32Array(6 * boxCount), moved = new Float32Array(6 * boxCount);
for (let i = 0; i < boxCount; ++i) {
  for (let a = 0; a < 3; ++a) {
    boxes[6 * i + a] = next() * 100;
    boxes[6 * i + 3 + a] = boxes[6 * i + a] + Math.fround(next() * 3);
    moved[6 * i + a] = boxes[6 * i + a] + 1;
    moved[6 * i + 3 + a] = boxes[6 * i + 3 + a] + 1;
  }
}
const column = layer.alloc("float32", 6 * boxCount);
const index = layer.Layer.build(boxes);
const bodies = layer.alloc("uint32", boxCount);
const flock = agents.Flock.build({ halfSize: 40 });
flock.scatter(20_000, 5);
const few = Array.from({ length: queries }, (_, i) => boxes.slice(6 * i, 6 * i + 6));

/** FNV-1a over words of 32 bits, as in native.cpp. */
function hash(lists) {
  let state = 0x811c9dc5;
  for (const list of lists) {
    state = Math.imul(state ^ list.length, 0x01000193);
    for (const word of list) state = Math.imul(state ^ word, 0x01000193);
  }
  return state >>> 0;
}
const bits = (floats) => new Uint32Array(floats.slice().buffer);
const refit = (to) => {
  column.view.set(to);
  index.refit(column);
};

// Questions of a round, what is timed, and the answers.
const circle = (r) => ({ circle: [r[0], r[1], r[2] - r[0]] });
const cases = {
  top: [queries, () => rects.forEach((r) => points.topInto(out, r[0], r[1], r[2], r[3])), () => rects.map((r) => points.top(r, 20))],
  count: [queries, () => rects.forEach((r) => points.count(r)), () => [rects.map((r) => points.count(r))]],
  circles: [queries, () => rects.forEach((r) => points.topView(circle(r), 20)), () => rects.map((r) => points.top(circle(r), 20))],
  pairs: [1, () => index.findPairsView(), () => [index.findPairs()]],
  search: [queries, () => few.forEach((b) => index.searchInto(bodies, b[0], b[1], b[2], b[3], b[4], b[5])), () => few.map((box) => index.search(box))],
  refit: [1, () => index.refit(column), () => {
    refit(moved);
    const pairs = index.findPairs();
    refit(boxes);
    return [pairs, index.findPairs()];
  }],
  flock: [1, () => flock.step(), () => {
    const own = agents.Flock.build({ halfSize: 40 });
    own.scatter(20_000, 5);
    own.step(5);
    return [bits(own.position(0)), bits(own.position(1))];
  }],
};

refit(boxes);
const best = {};
for (const name in cases) best[name] = { here: Infinity, there: Infinity };
for (let turn = 0; turn < turns; ++turn) {
  const lines = execFileSync(native, [String(rounds)], { env: { ...process.env, JUXTA_ISA: "sse4" } }).toString().trim().split("\n");
  for (const line of lines) {
    const [name, us, answers] = line.split(" ");
    best[name].there = Math.min(best[name].there, Number(us));
    best[name].answers = Number(answers);
  }
  for (const [name, [questions, run, answers]] of Object.entries(cases)) {
    const own = hash(answers());
    if (own !== best[name].answers) throw new Error(`${name}: the answers differ from those of ${native}`);
    for (let round = 0; round < rounds; ++round) {
      const begin = performance.now();
      run();
      best[name].here = Math.min(best[name].here, (1000 * (performance.now() - begin)) / questions);
    }
  }
}
for (const [name, { here, there }] of Object.entries(best)) {
  console.log(`${name}: ${(here / there).toFixed(2)}x of native SSE4, ${here.toFixed(3)} us here, ${there.toFixed(3)} us there`);
}
