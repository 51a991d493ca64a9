// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Juxta against flatbush, kdbush, rbush and supercluster: the same questions, answers compared, contenders in turns.
import Flatbush from "flatbush";
import KDBush from "kdbush";
import RBush from "rbush";
import Supercluster from "supercluster";

export function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/**
 * Milliseconds of each contender, of rounds in which each takes its turn: the least, which is what remains on a machine
 * that has other work to do. `warm`: a turn is two runs, of which the second one counts, so that each finds in the caches
 * what it would find there alone. Garbage is mostly collected in other rounds, which favours the peers: they make more.
 */
function inTurns(contenders, rounds, warm = true) {
  const times = Object.fromEntries(Object.keys(contenders).map((name) => [name, []]));
  for (let round = -1; round < rounds; ++round) {
    for (const [name, run] of Object.entries(contenders)) {
      if (warm) run(round + 1);
      const begin = performance.now();
      run(round + 1);
      if (round >= 0) times[name].push(performance.now() - begin);
    }
  }
  return Object.fromEntries(Object.entries(times).map(([name, each]) => [name, Math.min(...each)]));
}

function same(a, b, what) {
  const left = Array.from(a).sort((x, y) => x - y), right = Array.from(b).sort((x, y) => x - y);
  if (left.length !== right.length || left.some((value, i) => value !== right[i])) throw new Error(`${what}: answers differ`);
}

/** Points in [0, 1000)^2 that float32 holds: even, or in 500 clusters. */
function places(n, seed, clustered) {
  const next = random(seed);
  const centres = Array.from({ length: 500 }, () => [next() * 1000, next() * 1000]);
  const x = new Float32Array(n), y = new Float32Array(n);
  for (let i = 0; i < n; ++i) {
    const [cx, cy] = centres[Math.floor(next() * 500)];
    const spread = () => (next() + next() + next() - 1.5) * 8;
    x[i] = clustered ? cx + spread() : next() * 1000;
    y[i] = clustered ? cy + spread() : next() * 1000;
  }
  return { x, y };
}

/** Rectangles of a size, around points. */
function windows(count, { x, y }, side, seed) {
  const next = random(seed);
  return Array.from({ length: count }, () => {
    const i = Math.floor(next() * x.length);
    const lx = Math.fround(x[i] - side * next()), ly = Math.fround(y[i] - side * next());
    return [lx, ly, Math.fround(lx + side), Math.fround(ly + side)];
  });
}

const setups = (quick, from) =>
  (quick ? [100_000] : [100_000, 1_000_000]).flatMap((n) => [false, true].map((clustered) => ({ n, clustered, seed: from + n + (clustered ? 7 : 3) })));

export function flatbush(lib, report, quick, from) {
  for (const { n, clustered, seed } of setups(quick, from)) {
    const { x, y } = places(n, seed, clustered);
    const next = random(seed + 1);
    const boxes = new Float32Array(4 * n);
    for (let i = 0; i < n; ++i) boxes.set([x[i], y[i], x[i] + next() * 2, y[i] + next() * 2], 4 * i);
    const tree = new Flatbush(n);
    for (let i = 0; i < n; ++i) tree.add(boxes[4 * i], boxes[4 * i + 1], boxes[4 * i + 2], boxes[4 * i + 3]);
    tree.finish();
    const layer = lib.layer.Layer.build(boxes, { dimensions: 2 });
    const tight = lib.layer.Layer.build(boxes, { dimensions: 2, quality: "tight" });
    const out = lib.layer.alloc("uint32", n);
    for (const side of [1, 10, 100]) {
      const queries = windows(side === 100 ? 30 : 1000, { x, y }, side, seed + side);
      for (const q of queries.slice(0, 20)) {
        same(layer.search(q), tree.search(...q), "flatbush");
        same(tight.search(q), tree.search(...q), "flatbush, tight");
      }
      const flat = Float32Array.from(queries.flat());
      const times = inTurns({
        peer: () => queries.forEach((q) => tree.search(q[0], q[1], q[2], q[3])),
        into: () => queries.forEach((q) => layer.searchInto(out, q[0], q[1], q[2], q[3])),
        array: () => queries.forEach((q) => layer.search(q)),
        tight: () => queries.forEach((q) => tight.searchInto(out, q[0], q[1], q[2], q[3])),
        many: () => layer.searchMany(flat),
      }, 25);
      report("flatbush search", { n, clustered, side }, times, queries.length);
    }
    out.free();
    layer.free();
    tight.free();
  }
}

export function kdbush(lib, report, quick, from) {
  for (const { n, clustered, seed } of setups(quick, from)) {
    const { x, y } = places(n, seed, clustered);
    const tree = new KDBush(n);
    for (let i = 0; i < n; ++i) tree.add(x[i], y[i]);
    tree.finish();
    const boxes = new Float32Array(4 * n);
    for (let i = 0; i < n; ++i) boxes.set([x[i], y[i], x[i], y[i]], 4 * i);
    const layer = lib.layer.Layer.build(boxes, { dimensions: 2 });
    const out = lib.layer.alloc("uint32", n);
    const points = lib.ranked.RankedPoints.build(x, y, new Int32Array(n));
    for (const side of [1, 10, 100]) {
      const queries = windows(side === 100 ? 30 : 1000, { x, y }, side, seed + side);
      for (const q of queries.slice(0, 20)) {
        same(layer.search(q), tree.range(...q), "kdbush");
        same(points.top(q, n), tree.range(...q), "kdbush, ranked");
      }
      const times = inTurns({
        peer: () => queries.forEach((q) => tree.range(q[0], q[1], q[2], q[3])),
        into: () => queries.forEach((q) => layer.searchInto(out, q[0], q[1], q[2], q[3])),
        array: () => queries.forEach((q) => layer.search(q)),
        ranked: () => queries.forEach((q) => points.topView(q, n)),
      }, 25);
      report("kdbush range", { n, clustered, side }, times, queries.length);
    }
    out.free();
    layer.free();
    points.free();
  }
}

export function rbush(lib, report, quick, from) {
  for (const { n, clustered, seed } of setups(quick, from).filter((each) => each.n <= 100_000)) {
    const { x, y } = places(n, seed, clustered);
    const next = random(seed + 1);
    const items = Array.from(x, (_, i) => ({ minX: x[i], minY: y[i], maxX: Math.fround(x[i] + 1), maxY: Math.fround(y[i] + 1), i }));
    const boxes = new Float32Array(4 * n);
    const column = lib.layer.alloc("float32", 4 * n);
    const write = () => items.forEach((each, i) => {
      boxes[4 * i] = each.minX; boxes[4 * i + 1] = each.minY; boxes[4 * i + 2] = each.maxX; boxes[4 * i + 3] = each.maxY;
    });
    write();
    const layer = lib.layer.Layer.build(boxes, { dimensions: 2 });
    const loaded = new RBush(), moved = new RBush();
    loaded.load(items);
    const copies = items.map((each) => ({ ...each }));
    moved.load(copies);
    const out = lib.layer.alloc("uint32", n);
    const queries = windows(1000, { x, y }, 10, seed + 9);
    const frames = Array.from({ length: 6 }, () => Float32Array.from({ length: 2 * n }, () => next() - 0.5));
    const place = (list, frame) => list.forEach((each, i) => {
      each.minX = Math.fround(each.minX + frames[frame][2 * i]); each.minY = Math.fround(each.minY + frames[frame][2 * i + 1]);
      each.maxX = Math.fround(each.minX + 1); each.maxY = Math.fround(each.minY + 1);
    });
    const ask = (tree) => queries.forEach(([minX, minY, maxX, maxY]) => tree.search({ minX, minY, maxX, maxY }));
    let frame = 0;
    const times = inTurns({
      peer: (round) => { // all anew, which is what rbush advises for many changes
        place(items, (frame = round));
        loaded.clear();
        loaded.load(items);
        ask(loaded);
      },
      "one by one": () => {
        for (const each of copies) moved.remove(each);
        place(copies, frame);
        for (const each of copies) moved.insert(each);
        ask(moved);
      },
      into: () => {
        write();
        column.view.set(boxes);
        layer.refit(column);
        queries.forEach((q) => layer.searchInto(out, q[0], q[1], q[2], q[3]));
      },
    }, 5, false);
    for (const q of queries.slice(0, 50)) {
      const box = { minX: q[0], minY: q[1], maxX: q[2], maxY: q[3] };
      same(layer.search(q), loaded.search(box).map((each) => each.i), "rbush");
    }
    report("rbush, all boxes move", { n, clustered, side: 10 }, times, 1);
    [out, column, layer].forEach((each) => each.free());
  }
}

export function supercluster(lib, report, quick, from) {
  for (const { n, clustered, seed } of setups(quick, from)) {
    const { x, y } = places(n, seed, clustered);
    const next = random(seed + 5);
    const lon = Float64Array.from(x, (each) => each * 0.34 - 170), lat = Float64Array.from(y, (each) => each * 0.14 - 70);
    const rank = Int32Array.from(lon, () => Math.floor(next() * 1e9));
    // The best rank of each cluster; a view's k best are then those of its clusters, where views cut none.
    const index = new Supercluster({ radius: 40, maxZoom: 12, map: (p) => ({ best: p.rank }), reduce: (a, b) => { a.best = Math.min(a.best, b.best); } });
    index.load(Array.from(lon, (_, i) => ({ type: "Feature", properties: { rank: rank[i], i }, geometry: { type: "Point", coordinates: [lon[i], lat[i]] } })));
    // With no cluster at any zoom but 0, both answer one question.
    const plain = new Supercluster({ radius: 40, maxZoom: 0, map: (p) => ({ best: p.rank }) });
    plain.load(index.points);
    const points = lib.ranked.RankedPoints.build(lon, lat, rank);
    const out = lib.ranked.alloc("uint32", 50);
    for (const [zoom, peer] of [[2, index], [6, index], [6, plain], [9, plain], [13, plain]]) {
      const width = 1024 / 256 * 360 / 2 ** zoom / 2, height = width * 0.6;
      const views = Array.from({ length: peer === index || zoom === 6 ? 20 : 200 }, () => {
        const i = Math.floor(next() * n);
        const lx = Math.max(-179, lon[i] - width * next()), ly = Math.max(-80, lat[i] - height * next());
        return [lx, ly, Math.min(179, lx + width), Math.min(80, ly + height)];
      });
      const top = (view) => peer.getClusters(view, zoom)
        .sort((a, b) => (a.properties.best ?? a.properties.rank) - (b.properties.best ?? b.properties.rank)).slice(0, 50);
      if (peer === plain) {
        for (const view of views.slice(0, 20)) same(points.top(view, 50), top(view).map((each) => each.properties.i), "supercluster");
      }
      const times = inTurns({
        peer: () => views.forEach(top),
        "clusters only": () => views.forEach((view) => peer.getClusters(view, zoom)),
        into: () => views.forEach((v) => points.topInto(out, v[0], v[1], v[2], v[3])),
        array: () => views.forEach((view) => points.top(view, 50)),
      }, 25);
      const what = peer === plain ? "supercluster, points only" : "supercluster, top of a view (other answers)";
      const found = views.reduce((sum, v) => sum + points.count(v), 0) / views.length;
      report(what, { n, clustered, side: `zoom ${zoom} (${found.toFixed(1)} points)` }, times, views.length);
    }
    out.free();
    points.free();
  }
}

export const cases = { flatbush, kdbush, rbush, supercluster };

/**
 * Runs `words`: names of cases (none: all), --quick (100,000 elements alone), --seeds=COUNT. Prints lines of text: times in
 * microseconds a question, and how many times as long the peer takes.
 */
export async function measure(lib, words, print) {
  const names = words.filter((word) => word in cases);
  const quick = words.includes("--quick");
  const seeds = Number(words.find((word) => word.startsWith("--seeds="))?.slice(8) ?? 1);
  await Promise.all([lib.ranked.init(), lib.layer.init()]);
  const worst = {};
  for (let from = 0; from < 1000 * seeds; from += 1000) for (const name of names.length > 0 ? names : Object.keys(cases)) {
    cases[name](lib, (what, setup, times, questions) => {
      const peer = times["one by one"] === undefined ? times.peer : Math.min(times.peer, times["one by one"]);
      const ratios = Object.entries(times).filter(([each]) => each !== "peer" && each !== "one by one" && each !== "clusters only");
      const parts = Object.entries(times).map(([each, ms]) => `${each} ${((1000 * ms) / questions).toFixed(2)}`);
      const row = ratios.map(([each, ms]) => `${each} ${(peer / ms).toFixed(2)}x`);
      for (const [each, ms] of ratios) worst[`${what}: ${each}`] = Math.min(worst[`${what}: ${each}`] ?? Infinity, peer / ms);
      print(`${what} n=${setup.n} ${setup.clustered ? "clusters" : "even"} ${setup.side}: us ${parts.join(", ")} | ${row.join(", ")}`);
    }, quick, from);
  }
  for (const [what, ratio] of Object.entries(worst)) print(`worst ${what} ${ratio.toFixed(2)}x`);
}
