// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What the tests of flatbush, kdbush and supercluster ask, where Juxta answers the same question; data and code are
// our own. Not asked here: filters as functions (ours are data), k nearest boxes, and what clusters contain.
import { labels as labelsModule, layer, makeBoxes, makePoints, overlap, random, ranked, sorted } from "./support.mjs";

export default function cases(test, assert) {
  const { Layer, noBody } = layer;
  const { RankedPoints } = ranked;
  const same = (a, b) => assert.deepEqual(Array.from(a), Array.from(b));

  test("flatbush: fewer boxes than a node holds, and none", () => {
    const few = makeBoxes(8, 2, 1);
    same(sorted(Layer.build(few, { dimensions: 2 }).search([-1, -1, 200, 200])), [0, 1, 2, 3, 4, 5, 6, 7]);
    const none = Layer.build([], { dimensions: 2 });
    same(none.search([-1, -1, 200, 200]), []);
    same(none.nearest([1, 1]).bodies, [noBody]);
  });
  test("flatbush: boxes of one place, all equal, and on a line", () => {
    const n = 3000;
    const equal = new Float32Array(4 * n).fill(7);
    assert.equal(Layer.build(equal, { dimensions: 2 }).search([7, 7, 7, 7]).length, n);
    const line = Float32Array.from({ length: 4 * n }, (_, i) => (i % 4 === 0 || i % 4 === 2 ? Math.floor(i / 4) : 3));
    same(sorted(Layer.build(line, { dimensions: 2 }).search([10.5, 0, 14, 9])), [11, 12, 13, 14]);
  });
  test("flatbush: one box a million times as large as the others", () => {
    const boxes = makeBoxes(500, 2, 3, 1);
    boxes.set([-1e6, -1e6, 1e6, 1e6], 4 * 250);
    const index = Layer.build(boxes, { dimensions: 2 });
    same(index.search([5e5, 5e5, 5e5, 5e5]), [250]);
    assert.ok(Array.from(index.search([50, 50, 51, 51])).includes(250));
  });
  test("flatbush: rebuilt from its bytes, also from a shared buffer", () => {
    const index = Layer.build(makeBoxes(300, 2, 4), { dimensions: 2 });
    const bytes = index.save();
    same(Layer.open(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length), 2).search([20, 20, 60, 60]), index.search([20, 20, 60, 60]));
    if (typeof SharedArrayBuffer === "undefined") return;
    const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
    shared.set(bytes);
    same(Layer.open(shared, 2).search([20, 20, 60, 60]), index.search([20, 20, 60, 60]));
    assert.throws(() => Layer.open(new Uint8Array(8), 2), { code: "corruptFile" });
  });
  test("flatbush: infinite and inverted windows", () => {
    const index = Layer.build(makeBoxes(300, 2, 5), { dimensions: 2 });
    assert.equal(index.search([-Infinity, -Infinity, Infinity, Infinity]).length, 300);
    assert.equal(index.search([60, 60, 20, 20]).length, 0);
  });
  test("flatbush: a box added later is found by its number", () => {
    const index = Layer.build(makeBoxes(40, 2, 6), { dimensions: 2 });
    const [number] = index.insert([500, 500, 501, 501]);
    assert.equal(number, 40);
    same(index.search([500, 500, 600, 600]), [40]);
  });

  test("kdbush: all in a range, all within a radius", () => {
    for (const type of [Float64Array, Float32Array]) {
      const points = makePoints(2000, 7, { type, clustered: true });
      const index = RankedPoints.build(points.x, points.y, points.rank);
      const next = random(8);
      for (let round = 0; round < 50; ++round) {
        const x = next() * 100, y = next() * 100;
        const range = [], circle = [];
        for (let i = 0; i < 2000; ++i) {
          if (x <= points.x[i] && points.x[i] <= x + 20 && y <= points.y[i] && points.y[i] <= y + 20) range.push(i);
          if ((points.x[i] - x) ** 2 + (points.y[i] - y) ** 2 <= 400) circle.push(i);
        }
        same(sorted(index.top([x, y, x + 20, y + 20], index.size)), range);
        same(sorted(index.top({ circle: [x, y, 20] }, index.size)), circle);
      }
    }
  });
  test("kdbush: no points, and points in one place", () => {
    assert.equal(RankedPoints.build([], [], []).top([-1, -1, 1, 1], 5).length, 0);
    same(RankedPoints.build([5, 5, 5], [5, 5, 5], [0, 0, 0]).top([5, 5, 5, 5], 9), [0, 1, 2]);
  });

  test("supercluster: views of odd numbers, none, and across the antimeridian", () => {
    const lon = [179.5, -179.5, 0, 170], lat = [0, 1, 0, 80], rank = [4, 3, 2, 1];
    const index = RankedPoints.build(lon, lat, rank);
    same(index.top({ across: [175, -10, -175, 10] }, 9), [1, 0]);
    same(index.top([129.426390, -103.720017, -445.930843, 114.518236], 9), []);
    same(index.top([-180, -90, 180, 90], 9), [3, 2, 1, 0]);
    assert.equal(RankedPoints.build([], [], []).count([-180, -90, 180, 90]), 0);
  });
  test("supercluster: what one zoom shows, the next ones show too, and the last shows all but hidden ones", () => {
    const points = makePoints(1000, 9, { clustered: true });
    const labels = labelsModule.RankedLabels.build(points.x, points.y, points.rank, { width: 60, height: 40, lastZoom: 12 });
    let before = new Set();
    for (let zoom = 0; zoom <= 12; ++zoom) {
      const now = new Set(labels.top([-1e9, -1e9, 1e9, 1e9], zoom));
      for (const each of before) assert.ok(now.has(each));
      before = now;
    }
    assert.equal(before.size, labels.shown);
  });
  test("rbush: boxes that move are found where they are", () => {
    const boxes = makeBoxes(500, 2, 10, 3);
    const index = Layer.build(boxes, { dimensions: 2 });
    const next = random(11);
    for (let frame = 0; frame < 20; ++frame) {
      for (let i = 0; i < 500; ++i) {
        const dx = Math.fround(next() - 0.5);
        boxes[4 * i] += dx;
        boxes[4 * i + 2] = boxes[4 * i] + 2;
      }
      index.refit(boxes);
      const window = Float32Array.from([40, 40, 55, 50]);
      same(sorted(index.search(window)), Array.from({ length: 500 }, (_, i) => i).filter((i) => overlap(boxes, i, window, 0, 2)));
    }
  });
}
