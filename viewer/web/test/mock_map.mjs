// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A map of invented cities, and plain answers to the questions of a map.

/** Random numbers that are the same each time. */
export function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Cities in clusters, the largest first in nothing: columns x, y, population, name. */
export function makeCities(howMany, seed = 1) {
  const random = randomFrom(seed);
  const normal = () => random() + random() + random() + random() - 2;
  const centres = Array.from({ length: 60 }, () => [random() * 300 - 150, random() * 110 - 50, 2 + random() * 14]);
  const starts = [
    "Al",
    "Bran",
    "Cor",
    "Dun",
    "El",
    "Fal",
    "Gor",
    "Hal",
    "Ist",
    "Jor",
    "Kal",
    "Lor",
    "Mar",
    "Nor",
    "Os",
    "Per",
    "Quil",
    "Ros",
    "Sal",
    "Tor",
    "Ul",
    "Var",
    "Wel",
    "Yor",
    "Zan",
  ];
  const ends = [
    "ham",
    "ford",
    "burg",
    "ville",
    "stad",
    "mouth",
    "haven",
    "wick",
    "dale",
    "minster",
    "polis",
    "grad",
    "ton",
    "berg",
    "by",
  ];
  const of = (list) => list[Math.floor(random() * list.length)];
  return Array.from({ length: howMany }, (_, i) => {
    const [cx, cy, wide] = of(centres);
    return {
      i,
      x: Number((cx + normal() * wide).toFixed(5)),
      y: Number((cy + normal() * wide * 0.7).toFixed(5)),
      rank: Math.round(500 + 2e7 * random() ** 9),
      name: `${of(starts)}${of(["a", "e", "i", "o", "en", "er", ""])}${of(ends)}`,
    };
  });
}

export function makeMap(howMany = 50_000) {
  const cities = makeCities(howMany).sort((a, b) => b.rank - a.rank || a.i - b.i);
  const bounds = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y } of cities) {
    bounds.splice(0, 4, Math.min(bounds[0], x), Math.min(bounds[1], y), Math.max(bounds[2], x), Math.max(bounds[3], y));
  }
  const inside = ([x0, y0, x1, y1]) => cities.filter((c) => c.x >= x0 && c.x <= x1 && c.y >= y0 && c.y <= y1);
  const timed = (act) => {
    const began = performance.now(),
      found = act();
    return [found, (performance.now() - began) * 1000];
  };
  const info = {
    kind: "map",
    title: "Invented cities",
    version: "mock",
    points: howMany,
    bounds,
    names: true,
    rank: "population",
    descending: true,
  };
  return {
    info: () => info,
    status: () => ({}),
    top({ rect, k = 20 }) {
      const [found, us] = timed(() => inside(rect));
      return { points: found.slice(0, k), count: found.length, us };
    },
    count({ rect }) {
      const [found, us] = timed(() => inside(rect));
      return { count: found.length, us };
    },
    search({ text, k = 20 }) {
      const low = text.toLowerCase(),
        at = (c) => c.name.toLowerCase().indexOf(low);
      const begin = cities.filter((c) => at(c) === 0),
        hold = cities.filter((c) => at(c) > 0);
      return { points: [...begin, ...hold].slice(0, k) };
    },
    view({ rect, width, height, k = 200, points = 4000, heat, keep = [] }) {
      const [found, us] = timed(() => inside(rect));
      const dots = found.slice(0, points),
        kept = new Set(keep);
      const first = [...found.filter((c) => kept.has(c.i)), ...found.slice(0, 3000).filter((c) => !kept.has(c.i))];
      const answer = {
        labels: freeLabels(first, width / (rect[2] - rect[0]), k),
        points: { x: dots.map((c) => c.x), y: dots.map((c) => c.y), rank: dots.map((c) => c.rank) },
        count: found.length,
        us: { top: us, count: us },
      };
      return heat ? { ...answer, heat: heatOf(found, rect, heat), us: { ...answer.us, heat: us } } : answer;
    },
  };
}

/** How many in each cell. */
function heatOf(cities, [x0, y0, x1, y1], [columns, rows]) {
  const heat = new Array(columns * rows).fill(0);
  const cell = (at, lo, hi, n) => Math.min(n - 1, Math.floor(((at - lo) / (hi - lo)) * n));
  for (const c of cities) ++heat[cell(c.y, y0, y1, rows) * columns + cell(c.x, x0, x1, columns)];
  return heat;
}

/** The most important names that do not overlap. */
function freeLabels(cities, scale, most) {
  const taken = [];
  for (const c of cities) {
    const wide = 7 * c.name.length + 12,
      box = [c.x * scale - 6, c.y * scale - 9, c.x * scale + wide, c.y * scale + 9];
    if (taken.length < most && taken.every(([t]) => t[0] > box[2] || t[2] < box[0] || t[1] > box[3] || t[3] < box[1])) {
      taken.push([box, c]);
    }
  }
  return taken.map(([, c]) => c);
}
