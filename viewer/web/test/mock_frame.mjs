// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Frames of the mock server, as docs/formats/view.md describes them, and projection.

/** A place in clip space, by a matrix column by column. */
export function project(m, [x, y, z]) {
  const w = m[3] * x + m[7] * y + m[11] * z + m[15];
  return [(m[0] * x + m[4] * y + m[8] * z + m[12]) / w, (m[1] * x + m[5] * y + m[9] * z + m[13]) / w, w];
}

export function isInView(m, at) {
  if (!m) return true;
  const [x, y, w] = project(m, at);
  return w > 0 && Math.abs(x) <= 1.1 && Math.abs(y) <= 1.1;
}

function encodeGroup(index, group, things, watch, world) {
  const seen = things.filter((t) => isInView(watch.matrix, t.at));
  const every = Math.max(1, Math.ceil(seen.length / (watch.most ?? 1e6)));
  const sent = seen.filter((_, i) => i % every === 0),
    n = sent.length;
  const column = watch.colour ? watch.colour[index] : group.colour;
  const deep = world.dimensions === 3,
    sized = things.some((t) => t.size !== undefined);
  const flags = (deep ? 1 : 0) | (column ? 2 : 0) | (group.heading ? 4 : 0) | (sized ? 8 : 0);
  const values = column ? sent.map((t) => t.values[column]) : [];
  const kinds = group.classes.length > 0 && column === group.colour;
  const lo = kinds ? 0 : Math.min(...values),
    hi = kinds ? 255 : Math.max(...values);
  const largest = sized ? Math.max(...sent.map((t) => t.size), 0) : 0;
  const step = Math.max(...world.hi.map((v, i) => v - world.lo[i])) / 65535;
  const parts = [];
  const add = (array) => {
    parts.push(Buffer.from(array.buffer));
    parts.push(Buffer.alloc((4 - (array.byteLength & 3)) & 3));
  };
  const axis = (i) => Uint16Array.from(sent, (t) => Math.min(65535, Math.max(0, (t.at[i] - world.lo[i]) / step)));
  add(axis(0));
  add(axis(1));
  if (deep) add(axis(2));
  if (column) add(Uint8Array.from(values, (v) => (hi > lo ? (255 * (v - lo)) / (hi - lo) : 0)));
  if (group.heading) add(Int8Array.from(sent.flatMap((t) => [...t.heading.map((h) => Math.round(127 * h)), 0])));
  if (sized) add(Uint8Array.from(sent, (t) => (255 * t.size) / (largest || 1)));
  const head = Buffer.alloc(64);
  [index, things.length, n, flags].forEach((v, i) => head.writeUInt32LE(v, 4 * i));
  [...world.lo, step, deep ? step : 0, lo, hi].forEach((v, i) =>
    head.writeFloatLE(Number.isFinite(v) ? v : 0, 16 + 4 * i),
  );
  head.writeUInt32LE(seen.length, 48);
  head.writeFloatLE(largest, 52);
  return { head, body: Buffer.concat(parts) };
}

export function encodeFrame(number, missed, world, watch) {
  const groups = world.groups.map((group, i) => encodeGroup(i, group, world.things[i], watch, world));
  const head = Buffer.alloc(24);
  head.write("JXF1", 0, "latin1");
  head.writeUInt32LE(number, 4);
  head.writeBigInt64LE(BigInt(world.step), 8);
  head.writeUInt32LE(groups.length, 16);
  head.writeUInt32LE(missed, 20);
  let at = 24 + 64 * groups.length;
  for (const group of groups) {
    group.head.writeUInt32LE(at, 44);
    at += group.body.length;
  }
  return Buffer.concat([head, ...groups.map((g) => g.head), ...groups.map((g) => g.body)]);
}
