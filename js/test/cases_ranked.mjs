// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// juxta/ranked against plain searches.
import { inRect, labels as labelsModule, makePoints, makeRects, plainTop, random, ranked } from "./support.mjs";

const { RankedPoints } = ranked;
const { RankedLabels } = labelsModule;

export default function cases(test, assert) {
  const same = (a, b, what) => assert.deepEqual(Array.from(a), Array.from(b), what);

  for (const type of [Float64Array, Float32Array]) {
    for (const clustered of [false, true]) {
      test(`top and count, ${type.name}, clustered: ${clustered}`, () => {
        for (const n of [0, 1, 15, 100, 5000]) {
          const points = makePoints(n, n + 1, { clustered, type });
          const index = RankedPoints.build(points.x, points.y, points.rank);
          assert.equal(index.size, n);
          for (const rect of [...makeRects(40, n), [-Infinity, -Infinity, Infinity, Infinity], [50, 50, 40, 60], [NaN, 0, 1, 1]]) {
            for (const k of [0, 1, 20, 300]) same(index.top(rect, k), plainTop(points, k, inRect(points, rect)));
            assert.equal(index.count(rect), plainTop(points, n, inRect(points, rect)).length);
          }
          index.free();
        }
      });
    }
  }

  test("many points: addresses and products of more than 32 bits", () => {
    for (const type of [Float64Array, Float32Array]) {
      const points = makePoints(1_000_000, 2, { type });
      const index = RankedPoints.build(points.x, points.y, points.rank);
      for (const rect of [...makeRects(10, 4, 8), [99, 99, 100, 100], [0, 0, 0.5, 0.5], [-1, 40, 101, 40.05]]) {
        const expected = plainTop(points, 1_000_000, inRect(points, rect));
        same(index.top(rect, 20), expected.slice(0, 20));
        same(index.top(rect, 1_000_000), expected);
        assert.equal(index.count(rect), expected.length);
      }
      index.free();
    }
  });

  test("ranks of every type", () => {
    const points = makePoints(500, 3);
    const expected = plainTop(points, 30, () => true);
    for (const rank of [points.rank, Float64Array.from(points.rank), Float32Array.from(points.rank),
                        BigInt64Array.from(Array.from(points.rank, BigInt)), Array.from(points.rank),
                        Int16Array.from(points.rank)]) {
      same(RankedPoints.build(points.x, points.y, rank).top([0, 0, 100, 100], 30), expected);
    }
  });

  test("filters: categories and ranges", () => {
    const points = makePoints(3000, 5);
    const next = random(6);
    const categories = Array.from(points.x, () => Math.floor(next() * 16));
    const price = Float32Array.from(points.x, () => Math.floor(next() * 100));
    const time = BigInt64Array.from(Array.from(points.x, () => 1700000000000000000n + BigInt(Math.floor(next() * 1000))));
    const index = RankedPoints.build(points.x, points.y, points.rank, { categories, values: [price, time] });
    const middle = 1700000000000000500n;
    const filters = [
      [{ any: 3 }, (i) => (categories[i] & 3) !== 0],
      [{ all: 5n }, (i) => (categories[i] & 5) === 5],
      [{ any: 12, none: 1 }, (i) => (categories[i] & 12) !== 0 && (categories[i] & 1) === 0],
      [{ ranges: [[10, 50.5]] }, (i) => price[i] >= 10 && price[i] <= 50.5],
      [{ any: 2, ranges: [null, [middle, null]] }, (i) => (categories[i] & 2) !== 0 && time[i] >= middle],
    ];
    const rects = makeRects(30, 9, 100);
    for (const [filter, passes] of filters) {
      const expected = rects.map((rect) => plainTop(points, 3000, (i) => inRect(points, rect)(i) && passes(i)));
      rects.forEach((rect, i) => {
        same(index.top(rect, 25, filter), expected[i].slice(0, 25));
        assert.equal(index.count(rect, filter), expected[i].length);
      });
      same(index.countMany(rects.flat(), filter), expected.map((each) => each.length));
      const many = index.topMany(rects.flat(), 25, filter);
      expected.forEach((each, i) => same(many.indices.subarray(25 * i, 25 * i + many.counts[i]), each.slice(0, 25)));
    }
    assert.equal(index.categories, 15n);
  });

  test("regions", () => {
    const points = makePoints(4000, 8);
    const { x, y } = points;
    const index = RankedPoints.build(x, y, points.rank);
    const within = (i, cx, cy, a, b) => {
      const d2 = (x[i] - cx) ** 2 + (y[i] - cy) ** 2;
      return a * a <= d2 && d2 <= b * b;
    };
    const regions = [
      [{ circle: [30, 40, 12] }, (i) => within(i, 30, 40, 0, 12)],
      [{ ring: [60, 60, 10, 30] }, (i) => within(i, 60, 60, 10, 30)],
      [{ across: [80, 10, 20, 60] }, (i) => (x[i] >= 80 || x[i] <= 20) && y[i] >= 10 && y[i] <= 60],
      [{ polygon: { x: [10, 90, 90, 10], y: [10, 10, 30, 30] } }, inRect(points, [10, 10, 90, 30])],
      [{ polygon: { x: [0, 80, 80, 0, 20, 40, 40, 20], y: [0, 0, 80, 80, 20, 20, 40, 40], ringEnds: [4, 8] } },
       (i) => inRect(points, [0, 0, 80, 80])(i) && !(x[i] > 20 && x[i] < 40 && y[i] > 20 && y[i] < 40)],
    ];
    for (const [region, inside] of regions) {
      const expected = plainTop(points, 4000, inside);
      assert.ok(expected.length > 20);
      same(index.top(region, 50), expected.slice(0, 50));
      assert.equal(index.count(region), expected.length);
    }
  });

  test("pages hold each point once", () => {
    for (const type of [Int32Array, Float64Array]) {
      const points = makePoints(2000, 12);
      const rank = type.from(points.rank, (r) => Math.floor(r / 100)); // many equal ones
      const index = RankedPoints.build(points.x, points.y, rank, { keepRanks: true });
      const rect = [10, 10, 90, 70];
      const all = [];
      let page = index.top(rect, 30);
      while (page.length > 0) {
        all.push(...page);
        const last = page[page.length - 1];
        page = index.topAfter({ rank: rank[last], index: last }, rect, 30);
      }
      same(all, plainTop({ rank }, 2000, inRect(points, rect)));
    }
  });

  test("nearest", () => {
    const points = makePoints(3000, 13, { clustered: true });
    const index = RankedPoints.build(points.x, points.y, points.rank);
    const next = random(4);
    const place = new Map(plainTop(points, 3000, () => true).map((i, at) => [i, at]));
    for (let round = 0; round < 30; ++round) {
      const x = next() * 100, y = next() * 100;
      const d2 = (i) => (points.x[i] - x) ** 2 + (points.y[i] - y) ** 2;
      const expected = Array.from(points.x.keys()).sort((a, b) => d2(a) - d2(b) || place.get(a) - place.get(b));
      const { indices, distances } = index.nearest(x, y, 10);
      same(indices, expected.slice(0, 10));
      same(distances, expected.slice(0, 10).map((i) => Math.sqrt(d2(i))));
      same(index.nearest(x, y, 10, { mostImportant: 100 }).indices, expected.filter((i) => place.get(i) < 100).slice(0, 10));
      same(index.nearest(x, y, 3000, { maxDistance: 7 }).indices, expected.filter((i) => d2(i) <= 49));
    }
  });

  test("counts of cells", () => {
    const points = makePoints(2000, 14);
    const index = RankedPoints.build(points.x, points.y, points.rank);
    const expected = new Uint32Array(32);
    for (let i = 0; i < 2000; ++i) {
      const column = Math.floor(points.x[i] / 12.5), row = Math.floor(points.y[i] / 25);
      expected[8 * row + column] += 1;
    }
    same(index.countCells([0, 0, 100, 100], 8, 4), expected);
    assert.throws(() => index.countCells([0, 0, 100, 100], 0, 4), { code: "invalidArgument" });
  });

  test("batches, views and arrays of the module give what top() gives", () => {
    const points = makePoints(3000, 15);
    const index = RankedPoints.build(points.x, points.y, points.rank);
    const rects = makeRects(100, 16);
    const many = index.topMany(Float64Array.from(rects.flat()), 12);
    const out = ranked.alloc("uint32", 12);
    rects.forEach((rect, i) => {
      const expected = index.top(rect, 12);
      same(many.indices.subarray(12 * i, 12 * i + many.counts[i]), expected);
      same(index.topView(rect, 12), expected);
      same(out.view.subarray(0, index.topInto(out, ...rect)), expected);
    });
    same(index.topMany([0, 0, 100, 100], 5000).counts, [3000]);
    out.free();
  });

  test("columns in the module's memory are used where they are", () => {
    const points = makePoints(3000, 17);
    const x = ranked.alloc("float64", 3000), y = ranked.alloc("float64", 3000);
    x.view.set(points.x);
    y.view.set(points.y);
    const copied = RankedPoints.build(x, y, points.rank);
    const borrowed = RankedPoints.build(x, y, points.rank, { copy: false });
    const saved = copied.memoryBytes - borrowed.memoryBytes - 2 * 8 * 3000;
    assert.ok(saved >= 0 && saved < 256, `${saved} bytes beside the coordinates`); // the arrays' ends
    for (const rect of makeRects(50, 18)) {
      same(borrowed.top(rect, 20), plainTop(points, 20, inRect(points, rect)));
      same(copied.top(rect, 20), borrowed.top(rect, 20));
    }
    same(RankedPoints.build(x.view, y.view, points.rank).top([0, 0, 50, 50], 9), borrowed.top([0, 0, 50, 50], 9));
    assert.throws(() => RankedPoints.build(points.x, points.y, points.rank, { copy: false }), { code: "invalidArgument" });
    borrowed.free();
  });

  test("shared arrays are read", () => {
    if (typeof SharedArrayBuffer === "undefined") return;
    const points = makePoints(300, 19);
    const x = new Float64Array(new SharedArrayBuffer(2400));
    x.set(points.x);
    same(RankedPoints.build(x, points.y, points.rank).top([0, 0, 60, 60], 20),
         plainTop(points, 20, inRect(points, [0, 0, 60, 60])));
  });

  test("save and open, with an attachment", () => {
    const points = makePoints(2000, 20);
    const index = RankedPoints.build(points.x, points.y, points.rank, { keepRanks: true });
    const bytes = index.save(new TextEncoder().encode("names"));
    const opened = RankedPoints.open(bytes);
    assert.equal(new TextDecoder().decode(opened.attachment), "names");
    for (const rect of makeRects(30, 21)) same(opened.top(rect, 20), index.top(rect, 20));
    same(opened.save(new TextEncoder().encode("names")), bytes);
    const damaged = bytes.slice();
    damaged[damaged.length >> 1] ^= 1;
    assert.throws(() => RankedPoints.open(damaged), (error) => error.code === "corruptFile" && error.byte > 0);
    assert.throws(() => RankedPoints.open(bytes.slice(0, 100)), { code: "corruptFile" });
    assert.throws(() => RankedPoints.open(new Uint8Array(0)), { code: "corruptFile" });
  });

  test("what is refused says where", () => {
    const points = makePoints(100, 22);
    points.x[17] = NaN;
    assert.throws(() => RankedPoints.build(points.x, points.y, points.rank), (error) =>
      error instanceof ranked.JuxtaError && error.code === "notFinite" && error.index === 17);
    assert.throws(() => RankedPoints.build([1, 2], [1], [1, 2]), { code: "invalidArgument" });
    const index = RankedPoints.build([1], [2], [3]);
    assert.throws(() => index.topAfter({ rank: 1, index: 0 }, [0, 0, 9, 9], 5), { code: "invalidArgument" });
    assert.throws(() => index.top({ square: 3 }, 5), { code: "invalidArgument" });
    assert.throws(() => index.top([0, 0, 1, 1], -1), { code: "invalidArgument" });
    assert.throws(() => index.top([0, 0, 1, 1], 5, { any: 2 ** 60 }), { code: "invalidArgument" });
    index.free();
    index.free();
    assert.throws(() => index.count([0, 0, 1, 1]), { code: "invalidArgument" });
  });

  test("rebuild", () => {
    const points = makePoints(100, 23), more = makePoints(4000, 24);
    const index = RankedPoints.build(points.x, points.y, points.rank);
    index.rebuild(more.x, more.y, more.rank);
    same(index.top([0, 0, 50, 50], 40), plainTop(more, 40, inRect(more, [0, 0, 50, 50])));
    const bounds = index.bounds;
    same(bounds, [Math.min(...more.x), Math.min(...more.y), Math.max(...more.x), Math.max(...more.y)]);
  });

  test("labels", () => {
    const points = makePoints(2000, 25);
    const labels = RankedLabels.build(points.x, points.y, points.rank, { width: 40, height: 10, unitsPerPixel: 0.5, lastZoom: 5 });
    // By hand: in rank order, a label is shown at the first zoom at which it overlaps none that is shown there.
    const order = plainTop(points, 2000, () => true);
    const zooms = new Uint8Array(2000).fill(255);
    for (let zoom = 0; zoom <= 5; ++zoom) {
      const unit = 0.5 / 2 ** zoom;
      const shown = order.filter((i) => zooms[i] < 255);
      for (const i of order) {
        if (zooms[i] < 255) continue;
        const before = order.indexOf(i);
        const hidden = shown.some((j) => (order.indexOf(j) < before || zooms[j] < zoom) &&
          Math.abs(points.x[i] - points.x[j]) < 40 * unit && Math.abs(points.y[i] - points.y[j]) < 10 * unit);
        if (!hidden) {
          zooms[i] = zoom;
          shown.push(i);
        }
      }
    }
    const at = labels.appearsAtZoom();
    let different = 0;
    for (let i = 0; i < 2000; ++i) different += at[i] !== zooms[i] ? 1 : 0;
    assert.ok(different < 5, `${different} labels differ`); // the library rounds positions to a grid
    for (const rect of makeRects(20, 26, 100)) {
      for (const zoom of [0, 2.7, 5, 9]) {
        const expected = plainTop(points, 2000, (i) => inRect(points, rect)(i) && at[i] <= Math.floor(zoom));
        same(labels.top(rect, zoom), expected);
        same(labels.top(rect, zoom, 5), expected.slice(0, 5));
      }
    }
    assert.equal(labels.shown, at.filter((zoom) => zoom <= 5).length);
  });
}
