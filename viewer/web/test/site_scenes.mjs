// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What each scene of the page without a server must show and answer.
import { join } from "node:path";
import { makeCities } from "./mock_map.mjs";
import { Server } from "./test_server.mjs";

/** What the engine answers in the page; an error after ten seconds. */
const ask = (page, name, fields = {}) =>
  page.evaluate(
    ([n, f]) =>
      Promise.race([
        window.juxta.connection.ask(n, f),
        new Promise((_, reject) => setTimeout(() => reject(new Error(`${n}: no answer`)), 10_000)),
      ]),
    [name, fields],
  );

/** The canvas as it is on the screen: how many pixels differ from the commonest colour, and a hash of all. */
async function picture(page) {
  const png = (await page.locator(".canvas").screenshot()).toString("base64");
  return page.evaluate(async (text) => {
    const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${text}`)).blob());
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
    context.drawImage(bitmap, 0, 0);
    const pixels = new Uint32Array(context.getImageData(0, 0, bitmap.width, bitmap.height).data.buffer);
    const counts = new Map();
    let hash = 0;
    for (const pixel of pixels) {
      counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
      hash = (Math.imul(hash, 31) + pixel) | 0;
    }
    return { drawn: pixels.length - Math.max(...counts.values()), colours: counts.size, hash };
  }, png);
}

async function testDraws(checks, page, name) {
  const { drawn, colours } = await picture(page);
  checks.check(drawn > 3000 && colours > 20, `${name}: ${drawn} pixels in ${colours} colours are drawn`);
}

/** Steps come by themselves, and the picture follows. */
async function testTicks(checks, page, name) {
  const stepOf = () => page.evaluate(() => window.juxta.stats.step);
  const before = { step: await stepOf(), ...(await picture(page)) };
  await checks.until(async () => (await stepOf()) > before.step + 5, `${name}: it steps by itself`);
  checks.check((await picture(page)).hash !== before.hash, `${name}: the picture changes`);
}

// --- the map

async function openFile(page, name, text) {
  const file = { name, mimeType: "text/csv", buffer: Buffer.from(text) };
  await page.locator(".about input[type=file]").setInputFiles(file);
}

async function testOwnFile(checks, page) {
  const cities = makeCities(20_000);
  const rows = cities.map((c) => `${c.x},${c.y},${c.rank},${c.name}`).join("\n");
  await openFile(page, "mine.csv", `x,y,population,name\n${rows}\n`);
  await checks.until(async () => (await ask(page, "info")).title === "mine.csv", "map: a file of one's own is shown");
  await checks.until(() => page.locator(".about", { hasText: "mine.csv" }).isVisible(), "map: the page says so");
  let rectangles = 0;
  for (const [x, y, w, h] of [[-150, -50, 300, 110], [0, 0, 40, 30], [-70, -20, 25, 60], [10, -40, 3, 3]]) {
    const inside = cities
      .filter((c) => c.x >= x && c.x <= x + w && c.y >= y && c.y <= y + h)
      .sort((a, b) => b.rank - a.rank || a.i - b.i);
    const { points, count } = await ask(page, "top", { rect: [x, y, x + w, y + h], k: 20 });
    rectangles += inside.length > 0;
    checks.same(
      [count, points.map((p) => [p.i, p.x, p.y, p.name])],
      [inside.length, inside.slice(0, 20).map((p) => [p.i, p.x, p.y, p.name])],
      `map: the best of ${inside.length} points are those of a loop over all`,
    );
  }
  checks.check(rectangles >= 3, "map: rectangles hold points");
}

async function testBadFile(checks, page) {
  await openFile(page, "bad.csv", "x,y,rank\n1,2,3\n4,five,6\n");
  await checks.until(
    () => page.locator(".toast", { hasText: "'five' in column 2" }).isVisible(),
    "map: a bad row is refused, in the engine's words",
  );
  checks.same((await ask(page, "info")).title, "mine.csv", "map: what was shown stays");
}

export async function testMap(checks, page, { out }) {
  await testDraws(checks, page, "map");
  const info = await ask(page, "info");
  checks.same([info.kind, info.points, info.names], ["map", 200_000, true], "map: it shows 200,000 points");
  const all = await ask(page, "count", { rect: [-1e9, -1e9, 1e9, 1e9] });
  checks.same(all.count, info.points, "map: all are counted");
  await page.screenshot({ path: join(out, "site_cities.png") });
  const before = await picture(page);
  await page.locator(".canvas").focus();
  await page.keyboard.press("ArrowRight");
  await checks.until(async () => (await picture(page)).hash !== before.hash, "map: a pan changes the picture");
  await testOwnFile(checks, page);
  await testBadFile(checks, page);
  await testDraws(checks, page, "map of the file");
}

// --- worlds

/** The same seed makes the same flight in WebAssembly as on this machine. */
async function testHash(checks, page, juxta) {
  const steps = 60;
  await ask(page, "pause");
  await ask(page, "restart", { seed: 7 });
  await ask(page, "step", { steps });
  const here = await ask(page, "hash");
  const server = new Server(juxta, ["flock", "--agents", "10000", "--paused"]);
  await server.start();
  await server.ask("restart", { seed: 7 });
  await server.ask("step", { steps });
  const there = await server.ask("hash");
  await server.stop();
  checks.same(here, there, `flock: after ${steps} steps the state has the hash of juxta view, ${there.hash}`);
  await ask(page, "play");
}

/** As when one looks at another tab. */
async function testHidden(checks, page) {
  const hide = (hidden) =>
    page.evaluate((is) => {
      Object.defineProperty(document, "hidden", { value: is, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }, hidden);
  const stepOf = () => page.evaluate(() => window.juxta.stats.step);
  await hide(true);
  await page.waitForTimeout(1000);
  const before = await stepOf();
  await page.waitForTimeout(1000);
  checks.same(await stepOf(), before, "flock: a page that nobody sees makes no steps");
  await hide(false);
  await checks.until(async () => (await stepOf()) > before, "flock: it goes on when it is seen again");
}

export async function testFlock(checks, page, { juxta }) {
  await testDraws(checks, page, "flock");
  await testTicks(checks, page, "flock");
  await testHidden(checks, page);
  const { found } = await ask(page, "select", { lo: [-99, -99, -99], hi: [99, 99, 99], limit: 1 });
  checks.same(found, 10_000, "flock: all boids are there");
  if (juxta) await testHash(checks, page, juxta);
  else console.log("       not compared with the juxta command: none was given");
}

function overlaps(a, b, values) {
  for (let axis = 0; axis < 3; ++axis) {
    const isApart = (i, j) => values[6 * i + axis] > values[6 * j + 3 + axis];
    if (isApart(a, b) || isApart(b, a)) return false;
  }
  return true;
}

export async function testBoxes(checks, page) {
  await testDraws(checks, page, "boxes");
  await testTicks(checks, page, "boxes");
  await ask(page, "pause");
  const boxes = await ask(page, "overlay", { name: "boxes", most: 50_000 }),
    pairs = await ask(page, "overlay", { name: "pairs", most: 50_000 });
  checks.same(boxes.found, 2000, "boxes: all boxes are told");
  checks.check(pairs.step === boxes.step && boxes.step > 5, "boxes: of the same step");
  let expected = 0;
  for (let a = 0; a < boxes.found; ++a) {
    for (let b = 0; b < a; ++b) expected += overlaps(a, b, boxes.values);
  }
  checks.check(expected > 100, "boxes: some overlap");
  checks.same(pairs.found, expected, `boxes: ${expected} pairs overlap, as a loop over all finds`);
  const { report } = await ask(page, "status");
  checks.same(report, [expected], "boxes: the report says so");
}

const minus = (a, b) => a.map((v, i) => v - b[i]);
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

/** Where a ray first meets a triangle (Moeller and Trumbore 1997), in lengths of its direction. */
function firstHit(from, way, corners, triangles) {
  let first = Infinity;
  for (let i = 0; i < triangles.length; i += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => corners.slice(3 * triangles[i + k], 3 * triangles[i + k] + 3));
    const e1 = minus(b, a),
      e2 = minus(c, a),
      p = cross(way, e2),
      det = dot(e1, p);
    if (det === 0) continue;
    const t0 = minus(from, a),
      u = dot(t0, p) / det,
      q = cross(t0, e1),
      v = dot(way, q) / det,
      t = dot(e2, q) / det;
    if (u >= -1e-9 && v >= -1e-9 && u + v <= 1 + 1e-9 && t >= 0) first = Math.min(first, t);
  }
  return first;
}

export async function testRays(checks, page) {
  const isShown = () => page.evaluate(() => window.juxta.shapes.shown === 1);
  await checks.until(isShown, "rays: the rock's triangles are shown");
  await testDraws(checks, page, "rays");
  await testTicks(checks, page, "rays");
  await ask(page, "pause");
  const rays = await ask(page, "overlay", { name: "rays", most: 50_000 });
  const rock = await ask(page, "shapes", { group: 0, from: [0, 0, 0], triangles: 200_000 });
  checks.check(rock.triangles.length / 3 >= 10_000, `rays: the rock has ${rock.triangles.length / 3} triangles`);
  checks.check(rays.found > 100, `rays: ${rays.found} of them met the rock`);
  let worst = 0;
  for (let i = 0; i < rays.found; i += Math.ceil(rays.found / 60)) {
    const from = rays.values.slice(6 * i, 6 * i + 3),
      way = minus(rays.values.slice(6 * i + 3, 6 * i + 6), from);
    worst = Math.max(worst, Math.abs(firstHit(from, way, rock.positions, rock.triangles) - 1));
  }
  const error = worst.toExponential(1);
  checks.check(worst < 1e-5, `rays: they end where a loop over all triangles finds, to ${error} of their length`);
}
