// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What the tests share: the built package, numbers from a seed, and plain searches to compare with. JUXTA_DIST: where the
// package was built, if not in dist. The same code runs in Node and in a page (browser.mjs).
import { dist } from "./place.mjs";

export const ranked = await import(`${dist}/ranked.js`);
export const labels = await import(`${dist}/labels.js`);
export const layer = await import(`${dist}/layer.js`);
export const shape = await import(`${dist}/shape.js`);
export const agents = await import(`${dist}/agents.js`);
export const transform = await import(`${dist}/transform.js`);

/** Numbers in [0, 1) from a seed (mulberry32). */
export function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** n points, even or in clusters with many equal ones; ranks repeat. */
export function makePoints(n, seed, { clustered = false, type = Float64Array } = {}) {
  const next = random(seed);
  const x = new type(n), y = new type(n), rank = new Int32Array(n);
  for (let i = 0; i < n; ++i) {
    if (clustered) {
      const centre = Math.floor(next() * 20);
      x[i] = (centre * 37) % 100 + Math.floor(next() * 64) / 64;
      y[i] = (centre * 61) % 100 + Math.floor(next() * 64) / 64;
    } else {
      x[i] = next() * 100;
      y[i] = next() * 100;
    }
    rank[i] = Math.floor(next() * n * 2) - n;
  }
  return { x, y, rank };
}

export function makeRects(n, seed, largest = 50) {
  const next = random(seed);
  return Array.from({ length: n }, () => {
    const w = next() ** 3 * largest, h = next() ** 3 * largest;
    const lx = next() * 100 - w / 2, ly = next() * 100 - h / 2;
    return [lx, ly, lx + w, ly + h];
  });
}

/** The indices that `inside` lets pass, in the order of ranks. */
export function plainTop({ rank }, k, inside) {
  const found = [];
  for (let i = 0; i < rank.length; ++i) if (inside(i)) found.push(i);
  return found.sort((a, b) => Number(rank[a]) - Number(rank[b]) || a - b).slice(0, k);
}
export const inRect = ({ x, y }, [lx, ly, hx, hy]) => (i) => lx <= x[i] && x[i] <= hx && ly <= y[i] && y[i] <= hy;

/** n boxes of d dimensions, as float32. */
export function makeBoxes(n, d, seed, size = 4) {
  const next = random(seed);
  const boxes = new Float32Array(2 * d * n);
  for (let i = 0; i < n; ++i) {
    for (let axis = 0; axis < d; ++axis) {
      const lo = next() * 100;
      boxes[2 * d * i + axis] = lo;
      boxes[2 * d * i + d + axis] = lo + next() * size;
    }
  }
  return boxes;
}
export function overlap(a, i, b, j, d) {
  for (let axis = 0; axis < d; ++axis) {
    if (a[2 * d * i + axis] > b[2 * d * j + d + axis] || b[2 * d * j + axis] > a[2 * d * i + d + axis]) return false;
  }
  return true;
}
export const sorted = (numbers) => Array.from(numbers).sort((a, b) => a - b);

export function pairsOf(flat) {
  const pairs = [];
  for (let i = 0; i < flat.length; i += 2) pairs.push([flat[i], flat[i + 1]]);
  return pairs;
}
