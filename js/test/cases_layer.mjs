// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// juxta/layer against plain searches.
import { layer as module, makeBoxes, overlap, pairsOf, random, ranked, sorted } from "./support.mjs";

const { Layer, noBody } = module;

export default function cases(test, assert) {
  const same = (a, b, what) => assert.deepEqual(Array.from(a), Array.from(b), what);
  const plainPairs = (boxes, d, n, takes = () => true) => {
    const pairs = [];
    for (let a = 0; a < n; ++a) for (let b = a + 1; b < n; ++b) if (takes(a, b) && overlap(boxes, a, boxes, b, d)) pairs.push([a, b]);
    return pairs;
  };
  const plainSearch = (boxes, d, box) => {
    const found = [];
    for (let i = 0; i < boxes.length / (2 * d); ++i) if (overlap(boxes, i, box, 0, d)) found.push(i);
    return found;
  };

  for (const d of [2, 3]) {
    test(`pairs, ${d}D`, () => {
      for (const n of [0, 1, 2, 17, 800]) {
        const boxes = makeBoxes(n, d, n + d, d === 2 ? 3 : 12);
        const index = Layer.build(boxes, { dimensions: d });
        const expected = plainPairs(boxes, d, n);
        assert.deepEqual(pairsOf(index.findPairs({ sorted: true })), expected);
        assert.equal(index.findPairs().length, 2 * expected.length);
      }
    });

    test(`questions about one box, ${d}D`, () => {
      const boxes = makeBoxes(1500, d, 31, 6), questions = makeBoxes(60, d, 32, 30);
      const index = Layer.build(boxes, { dimensions: d });
      for (let q = 0; q < 60; ++q) {
        const box = questions.subarray(2 * d * q, 2 * d * (q + 1));
        const expected = plainSearch(boxes, d, box);
        same(sorted(index.search(box)), expected);
        same(index.searchView(box), index.search(box));
        const place = module.alloc("uint32", 500);
        assert.equal(index.searchInto(place, ...box), expected.length);
        same(place.view.slice(0, Math.min(500, expected.length)), index.search(box).slice(0, 500));
        place.free();
        assert.equal(index.count(box), expected.length);
        const any = index.searchAny(box);
        assert.ok(expected.length === 0 ? any === noBody : expected.includes(any));
        same(index.searchFirst(box, 4), index.search(box).slice(0, 4));
        same(sorted(index.search(box, { ignore: expected.slice(0, 3) })), expected.slice(3));
      }
    });

    test(`many questions at once, ${d}D`, () => {
      const boxes = makeBoxes(1500, d, 33, 6), questions = makeBoxes(200, d, 34, 15);
      const index = Layer.build(boxes, { dimensions: d, quality: "tight" });
      const expected = [];
      for (let q = 0; q < 200; ++q) for (const body of plainSearch(boxes, d, questions.subarray(2 * d * q))) expected.push([q, body]);
      assert.deepEqual(pairsOf(index.searchMany(questions, { sorted: true })), expected);
      const counts = new Uint32Array(200);
      for (const [q] of expected) counts[q] += 1;
      same(index.countMany(questions), counts);
      index.searchAnyMany(questions).forEach((any, q) => {
        assert.ok(counts[q] === 0 ? any === noBody : overlap(boxes, any, questions, q, d));
      });
    });

    test(`rays, ${d}D`, () => {
      const boxes = makeBoxes(1000, d, 35, 6);
      const index = Layer.build(boxes, { dimensions: d });
      const next = random(36);
      const f = Math.fround;
      for (let round = 0; round < 100; ++round) {
        const ray = Float32Array.from([...Array.from({ length: d }, () => next() * 100), ...Array.from({ length: d }, () => next() - 0.5), round % 3 === 0 ? 40 : Infinity]);
        const enter = (i) => {
          let t0 = 0, t1 = ray[2 * d];
          for (let axis = 0; axis < d; ++axis) {
            const inverse = f(1 / ray[d + axis]);
            const a = f(f(boxes[2 * d * i + axis] - ray[axis]) * inverse), b = f(f(boxes[2 * d * i + d + axis] - ray[axis]) * inverse);
            t0 = Math.max(t0, Math.min(a, b));
            t1 = Math.min(t1, Math.max(a, b));
          }
          return t0 <= t1 ? t0 : undefined;
        };
        const hits = [];
        for (let i = 0; i < 1000; ++i) {
          const t = enter(i);
          if (t !== undefined) hits.push([t, i]);
        }
        hits.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
        const all = index.raycastAll(ray);
        same(all.bodies, hits.map((hit) => hit[1]));
        same(all.t, hits.map((hit) => hit[0]));
        const first = index.raycast(ray);
        assert.equal(first.bodies[0], hits.length === 0 ? noBody : hits[0][1]);
        assert.equal(first.t[0], hits.length === 0 ? Infinity : hits[0][0]);
        assert.equal(index.raycastAny(ray).bodies[0] === noBody, hits.length === 0);
        if (hits.length > 0) {
          assert.equal(index.raycast(ray, { ignore: [hits[0][1]] }).bodies[0], hits.length === 1 ? noBody : hits[1][1]);
        }
      }
    });

    test(`nearest, ${d}D`, () => {
      const boxes = makeBoxes(1000, d, 37, 2);
      const index = Layer.build(boxes, { dimensions: d });
      const next = random(38);
      const f = Math.fround;
      const points = Float32Array.from({ length: 100 * d }, () => next() * 100);
      const { bodies, distance2 } = index.nearest(points);
      for (let p = 0; p < 100; ++p) {
        let best = Infinity, who = noBody;
        for (let i = 0; i < 1000; ++i) {
          let d2 = 0;
          for (let axis = 0; axis < d; ++axis) {
            const at = points[d * p + axis];
            const gap = Math.max(0, f(boxes[2 * d * i + axis] - at), f(at - boxes[2 * d * i + d + axis]));
            d2 = f(d2 + f(gap * gap));
          }
          if (d2 < best) [best, who] = [d2, i];
        }
        assert.equal(bodies[p], who);
        assert.equal(distance2[p], best);
      }
    });
  }

  test("many boxes", () => {
    const boxes = makeBoxes(1_000_000, 2, 43, 0.1), questions = makeBoxes(10, 2, 44, 6);
    const index = Layer.build(boxes, { dimensions: 2 });
    const found = pairsOf(index.searchMany(questions, { sorted: true }));
    const expected = [];
    for (let q = 0; q < 10; ++q) {
      const box = questions.subarray(4 * q, 4 * q + 4);
      const plain = plainSearch(boxes, 2, box);
      same(sorted(index.search(box)), plain);
      for (const body of plain) expected.push([q, body]);
    }
    assert.deepEqual(found, expected);
    index.free();
  });

  test("two layers, chosen bodies, filters", () => {
    const a = makeBoxes(400, 3, 41, 12), b = makeBoxes(300, 3, 42, 12);
    const left = Layer.build(a), right = Layer.build(b);
    const expected = [];
    for (let i = 0; i < 400; ++i) for (let j = 0; j < 300; ++j) if (overlap(a, i, b, j, 3)) expected.push([i, j]);
    assert.deepEqual(pairsOf(left.findPairs({ other: right, sorted: true })), expected);
    const only = Uint8Array.from({ length: 400 }, (_, i) => i % 3);
    assert.deepEqual(pairsOf(left.findPairs({ other: right, only, sorted: true })), expected.filter(([i]) => i % 3 !== 0));
    assert.throws(() => left.findPairs({ other: left }), { code: "invalidArgument" });
    const filters = Uint32Array.from({ length: 800 }, (_, i) => (i % 2 === 0 ? 1 << ((i >> 1) % 2) : (i >> 1) % 2 === 0 ? 3 : 1));
    const filtered = Layer.build(a, { filters });
    const meets = (i, j) => (filters[2 * i] & filters[2 * j + 1]) !== 0 && (filters[2 * j] & filters[2 * i + 1]) !== 0;
    assert.deepEqual(pairsOf(filtered.findPairs({ sorted: true })), plainPairs(a, 3, 400, meets));
    const everything = [0, 0, 0, 200, 200, 200];
    same(sorted(filtered.search(everything, { mask: 1 })), Array.from({ length: 200 }, (_, i) => 2 * i));
  });

  test("bodies move, come and go", () => {
    const boxes = makeBoxes(500, 2, 51, 5);
    const index = Layer.build(boxes, { dimensions: 2 });
    const next = random(52);
    const now = new Map(Array.from({ length: 500 }, (_, i) => [i, boxes.slice(4 * i, 4 * i + 4)]));
    const check = () => {
      assert.equal(index.size, now.size);
      for (let round = 0; round < 10; ++round) {
        const x = next() * 90, y = next() * 90;
        const expected = [...now].filter(([, box]) => overlap(box, 0, [x, y, x + 12, y + 9], 0, 2)).map(([body]) => body);
        same(sorted(index.search([x, y, x + 12, y + 9])), sorted(expected));
      }
    };
    for (let step = 0; step < 20; ++step) {
      const moving = [...now.keys()].filter(() => next() < 0.1);
      const to = makeBoxes(moving.length, 2, 60 + step, 5);
      index.move(index.ids(moving), to);
      moving.forEach((body, i) => now.set(body, to.slice(4 * i, 4 * i + 4)));
      const going = [...now.keys()].filter(() => next() < 0.05);
      index.remove(index.ids(going));
      going.forEach((body) => now.delete(body));
      const fresh = makeBoxes(20, 2, 90 + step, 5);
      index.insert(fresh).forEach((number, i) => i % 2 === 0 && now.set(number, fresh.slice(2 * i, 2 * i + 4)));
      check();
    }
    const all = makeBoxes(index.capacity, 2, 99, 5);
    index.refit(all);
    for (const body of now.keys()) now.set(body, all.slice(4 * body, 4 * body + 4));
    check();
    const [some] = now.keys();
    same(index.box(some), now.get(some));
    const id = index.ids([some]);
    assert.ok(index.alive(id));
    index.remove(id);
    assert.ok(!index.alive(id));
    assert.throws(() => index.remove(id), (error) => error.code === "notFound" && error.index === 0);
    assert.equal(index.stats().bodies, now.size - 1);
  });

  test("frustum", () => {
    const boxes = makeBoxes(500, 3, 61, 3);
    const planes = [1, 0, 0, -20, -1, 0, 0, 60, 0, 1, 0, -30, 0, 0, -1, 70]; // 20 <= x <= 60, y >= 30, z <= 70
    const expected = [];
    for (let i = 0; i < 500; ++i) {
      const b = boxes.subarray(6 * i);
      if (b[3] >= 20 && b[0] <= 60 && b[4] >= 30 && b[2] <= 70) expected.push(i);
    }
    same(sorted(Layer.build(boxes).inFrustum(planes)), expected);
  });

  test("save and open", () => {
    const boxes = makeBoxes(700, 3, 71, 8);
    const index = Layer.build(boxes);
    index.remove(index.ids([3, 4, 5]));
    const bytes = index.save();
    const opened = Layer.open(bytes);
    same(opened.findPairs(), index.findPairs());
    same(opened.save(), bytes);
    assert.throws(() => Layer.open(bytes, 2), { code: "corruptFile" });
    const damaged = bytes.slice();
    damaged[bytes.length - 9] ^= 64;
    assert.throws(() => Layer.open(damaged), { code: "corruptFile" });
  });

  test("what is refused says where", () => {
    const boxes = makeBoxes(50, 3, 81);
    boxes[6 * 7] = 1000; // inverted
    assert.throws(() => Layer.build(boxes), (error) => error.code === "invalidArgument" && error.index === 7);
    boxes[6 * 7] = NaN;
    assert.throws(() => Layer.build(boxes), (error) => error.code === "notFinite" && error.index === 7);
    assert.throws(() => Layer.build([1, 2, 3]), { code: "invalidArgument" });
    assert.throws(() => Layer.build(makeBoxes(3, 3, 1)).search([0, 0, 1, 1]), { code: "invalidArgument" });
    const place = module.alloc("uint32", 4);
    assert.throws(() => Layer.build(makeBoxes(3, 3, 1)).searchInto(place, 0, 0, 1, 1), { code: "invalidArgument" });
    const plane = Layer.build(makeBoxes(3, 2, 1), { dimensions: 2 });
    assert.throws(() => plane.searchInto(place, 0, 0, 0, 1, 1, 1), { code: "invalidArgument" });
    assert.throws(() => plane.searchInto(place, 0, 0, 0, 1, 1), { code: "invalidArgument" });
    const foreign = ranked.alloc("uint32", 4);
    assert.throws(() => plane.searchInto(foreign, 0, 0, 1, 1), { code: "invalidArgument" });
    foreign.free();
  });
}
