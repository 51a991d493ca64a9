// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What needs Node: loading, memory that grows, ends and is given back, the binaries themselves, and indexes that the
// native command wrote (JUXTA_NATIVE names it).
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Worker } from "node:worker_threads";
import { modules, sizes } from "../build.mjs";
import { dist } from "./place.mjs";
import { inRect, layer, makeBoxes, makePoints, plainTop, ranked } from "./support.mjs";

const folder = fileURLToPath(dist);
const bytesOf = (name) => readFileSync(join(folder, `${name}.wasm`));
const { RankedPoints } = ranked;

test("nothing works before init(), and init() takes what a program has", async () => {
  assert.throws(() => RankedPoints.build([1], [1], [1]), /call await init\(\)|Call await init\(\)/);
  await assert.rejects(ranked.init(new Uint8Array([1, 2, 3])));
  const module = await WebAssembly.compile(bytesOf("ranked"));
  const response = new Response(bytesOf("ranked"), { headers: { "content-type": "application/wasm" } });
  for (const source of [undefined, module, bytesOf("ranked"), new URL(`${dist}/ranked.wasm`), response]) {
    await ranked.init(source);
    assert.equal(RankedPoints.build([1], [1], [1]).count([0, 0, 2, 2]), 1);
  }
  assert.equal(await ranked.init(), await ranked.init());
  await assert.rejects(ranked.init(new Response("no", { status: 404 })), { code: "invalidArgument" });
  await ranked.init();
});

test("in a worker", async () => {
  const code = `import(${JSON.stringify(`${dist}/ranked.js`)}).then(async ({ init, RankedPoints }) => {
    await init();
    const { workerData, parentPort } = await import("node:worker_threads");
    parentPort.postMessage(RankedPoints.open(workerData).top([0, 0, 9, 9], 5));
  })`;
  const bytes = RankedPoints.build([1, 2, 3], [1, 2, 3], [3, 2, 1]).save();
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length)); // both threads have the same bytes
  shared.set(bytes);
  const worker = new Worker(code, { eval: true, workerData: shared });
  const answer = await new Promise((resolve, reject) => worker.on("message", resolve).on("error", reject));
  assert.deepEqual(Array.from(answer), [2, 1, 0]);
  await worker.terminate();
});

test("views end when the memory grows, and are refused then", () => {
  const array = ranked.alloc("float64", 100);
  const old = array.view;
  old.fill(5);
  const more = ranked.alloc("uint8", 30_000_000);
  assert.equal(old.length, 0);
  assert.deepEqual(Array.from(array.view), new Array(100).fill(5));
  assert.throws(() => RankedPoints.build(old, old, new Int32Array(0)), { code: "invalidArgument", message: /grown/ });
  array.free();
  more.free();
  assert.throws(() => array.view, { code: "invalidArgument" });
});

test("no memory for an array: nothing is lost", async () => {
  await ranked.init(undefined, { maximumBytes: 16 * 2 ** 20 });
  const index = RankedPoints.build([1], [1], [1]);
  assert.throws(() => ranked.alloc("uint8", 100 * 2 ** 20), { code: "outOfMemory" });
  assert.throws(() => ranked.alloc("uint8", -1), { code: "invalidArgument" });
  assert.equal(index.count([0, 0, 2, 2]), 1);
});

test("no memory within a build: the instance ends, says so, and init() makes another", async () => {
  const before = await ranked.init(undefined, { maximumBytes: 16 * 2 ** 20 });
  const index = RankedPoints.build([1], [1], [1]);
  const points = makePoints(300_000, 1);
  assert.throws(() => RankedPoints.build(points.x, points.y, points.rank), (error) =>
    error instanceof ranked.JuxtaError && error.code === "outOfMemory" && /^Out of memory/.test(error.message));
  for (const call of [() => index.count([0, 0, 2, 2]), () => RankedPoints.build([1], [1], [1]), () => ranked.alloc("uint8", 1)]) {
    assert.throws(call, { code: "outOfMemory", message: /has ended/ });
  }
  index.free(); // no error
  assert.notEqual(await ranked.init(), before);
  const again = RankedPoints.build(points.x, points.y, points.rank);
  assert.deepEqual(Array.from(again.top([0, 0, 50, 50], 20)), plainTop(points, 20, inRect(points, [0, 0, 50, 50])));
  again.free();
});

test("free() and the garbage collector give memory back", async () => {
  setFlagsFromString("--expose-gc");
  const gc = runInNewContext("gc");
  const boxes = makeBoxes(20_000, 3, 5);
  await layer.init();
  layer.Layer.build(boxes).free();
  const engine = await layer.init();
  const after = engine.memoryBytes;
  for (let round = 0; round < 50; ++round) layer.Layer.build(boxes).free();
  assert.equal(engine.memoryBytes, after);
  for (let round = 0; round < 200; ++round) {
    layer.Layer.build(boxes);
    if (round % 5 === 4) {
      gc();
      await new Promise((resolve) => setTimeout(resolve, 1)); // the registry's callbacks run between tasks
    }
  }
  assert.ok(engine.memoryBytes < after + 20 * 2 ** 20, `${engine.memoryBytes - after} bytes more`);
});

/** How many instructions of WebAssembly SIMD there are, by LLVM's disassembler. */
function countSimd(name) {
  const tool = ["llvm-objdump-19", "llvm-objdump"].find((each) => {
    try {
      execFileSync(each, ["--version"]);
      return true;
    } catch {
      return false;
    }
  });
  if (!tool) return undefined;
  const text = execFileSync(tool, ["-d", join(folder, `${name}.wasm`)], { maxBuffer: 2 ** 28 }).toString();
  return text.match(/\b(v128|i8x16|i16x8|i32x4|i64x2|f32x4|f64x2)\.\w+/g)?.length ?? 0;
}

test("the binaries hold SIMD instructions", (t) => {
  for (const name of modules.filter((each) => each !== "labels")) {
    const count = countSimd(name);
    if (count === undefined) return t.skip("there is no llvm-objdump");
    assert.ok(count > 500, `${name} has ${count}`);
  }
});

test("the package is as small as it says", async () => {
  const all = await sizes(folder);
  assert.ok(all.ranked <= 86_000, `ranked: ${all.ranked}`);
  assert.ok(all.ranked + all.layer <= 250_000, `ranked and layer: ${all.ranked + all.layer}`);
});

test("an index that the native command wrote opens as it is", (t) => {
  const native = process.env.JUXTA_NATIVE;
  if (!native) return t.skip("JUXTA_NATIVE names no command");
  const place = mkdtempSync(join(tmpdir(), "juxta-"));
  try {
    const points = makePoints(20_000, 77);
    const rows = Array.from(points.x, (x, i) => `${x},${points.y[i]},${points.rank[i]}`);
    writeFileSync(join(place, "points.csv"), `x,y,rank\n${rows.join("\n")}\n`);
    execFileSync(native, ["index", join(place, "points.csv"), "-o", join(place, "points.jxr")]);
    const opened = RankedPoints.open(readFileSync(join(place, "points.jxr")));
    assert.equal(opened.size, 20_000);
    for (const rect of [[0, 0, 100, 100], [20, 30, 50, 44], [1, 1, 1.5, 9]]) {
      const answer = execFileSync(native, ["top", join(place, "points.jxr"), "--rect", rect.join(","), "-k", "30", "--format", "json"]);
      const told = JSON.parse(answer);
      const list = Array.isArray(told) ? told : told.points;
      const expected = plainTop(points, 30, inRect(points, rect));
      assert.deepEqual(Array.from(opened.top(rect, 30)), expected);
      assert.deepEqual(list.map((each) => [each.x, each.y]), expected.map((i) => [points.x[i], points.y[i]]));
    }
  } finally {
    rmSync(place, { recursive: true });
  }
});
