// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Overlays and shapes of the mock worlds, with the same names as the battle's of the engine.
import { project } from "./mock_frame.mjs";

const kDensity = [32, 32];

export const battleOverlays = [
  { name: "ship boxes", kind: "boxes", what: "the box of each ship, as the layer of boxes has it" },
  { name: "near pairs", kind: "lines", what: "ships whose boxes overlap" },
  { name: "bullet paths", kind: "lines", what: "the way of each bullet in this step" },
  { name: "targets", kind: "lines", what: "from each ship to the one that it chases" },
  { name: "radar cells", kind: "boxes", what: "cells of the grid that ships are found by" },
  { name: "density", kind: "field", what: "how many ships are over each cell" },
];
export const flockOverlays = [{ name: "density", kind: "field", what: "how many birds are in each cell" }];

const around = ({ at, size = 4 }, half = size / 2) => [...at.map((v) => v - half), ...at.map((v) => v + half)];

const values = {
  "ship boxes": ({ things: [ships] }) => ships.map((ship) => around(ship)),
  "near pairs": ({ things: [ships] }) =>
    ships.flatMap((ship, i) => {
      const next = ships[i + 1];
      const near = next && Math.hypot(...ship.at.map((v, k) => v - next.at[k])) < 60;
      return near ? [[...ship.at, ...next.at]] : [];
    }),
  "bullet paths": ({ things: [, bullets] }) =>
    bullets.map((b) => [...b.at.map((v, k) => v - 8 * b.heading[k]), ...b.at]),
  targets: ({ things: [ships] }) => ships.map((ship, i) => [...ship.at, ...ships[(i * 7 + 1) % ships.length].at]),
  "radar cells": ({ things: [ships] }) => {
    const cells = new Set(ships.map(({ at }) => at.map((v) => Math.floor(v / 50) * 50).join()));
    return [...cells].map((key) => {
      const lo = key.split(",").map(Number);
      return [...lo, ...lo.map((v) => v + 50)];
    });
  },
};

function density({ things: [things], lo, hi }) {
  const [columns, rows] = kDensity,
    cells = new Array(columns * rows).fill(0);
  const cell = (at, axis, n) =>
    Math.min(n - 1, Math.max(0, Math.floor(((at[axis] - lo[axis]) / (hi[axis] - lo[axis])) * n)));
  for (const { at } of things) ++cells[cell(at, 1, rows) * columns + cell(at, 0, columns)];
  return { columns, rows, lo, hi: [hi[0], hi[1], lo[2]], values: cells, found: things.length, shown: things.length };
}

/** The centre is in view, or outside by as much again as the view is wide. */
function isNear(matrix, six) {
  if (!matrix) return true;
  const [x, y, w] = project(
    matrix,
    [0, 1, 2].map((i) => (six[i] + six[i + 3]) / 2),
  );
  return w > 0 && Math.abs(x) <= 3 && Math.abs(y) <= 3;
}

/** A lump of 80 triangles around a place. */
function lump({ at, size }) {
  const rings = 6,
    around = 8,
    corners = [],
    triangles = [];
  for (let ring = 0; ring <= rings; ++ring) {
    for (let i = 0; i < around; ++i) {
      const up = (ring / rings) * Math.PI,
        turn = (i / around) * 2 * Math.PI;
      const far = (size / 2) * (1 + 0.16 * Math.sin(3 * turn + 2 * up + at[0]) + 0.1 * Math.cos(5 * up + at[1]));
      corners.push(
        at[0] + far * Math.sin(up) * Math.cos(turn),
        at[1] + far * Math.sin(up) * Math.sin(turn),
        at[2] + far * Math.cos(up),
      );
      if (ring < rings) {
        const here = ring * around + i,
          next = ring * around + ((i + 1) % around);
        triangles.push(here, here + around, next, next, here + around, next + around);
      }
    }
  }
  return { corners, triangles };
}

export function overlayQuestions(world) {
  return {
    overlay({ name, matrix, most = 5000 }) {
      const overlay = world.overlays.find((o) => o.name === name);
      if (!overlay) throw new Error(`there is no overlay '${name}': ${world.overlays.map((o) => o.name).join(", ")}`);
      const began = performance.now();
      const answer = { step: world.step, kind: overlay.kind };
      if (overlay.kind === "field") {
        Object.assign(answer, density(world));
      } else {
        const found = values[name](world).filter((six) => isNear(matrix, six)),
          every = Math.max(1, Math.ceil(found.length / most));
        const shown = found.filter((_, i) => i % every === 0);
        Object.assign(answer, { found: found.length, shown: shown.length, values: shown.flat() });
      }
      return { ...answer, us: (performance.now() - began) * 1000 };
    },
    shapes({ group, from, triangles: most = 50_000 }) {
      if (!world.groups[group]?.shapes) throw new Error(`group ${group} has no shapes`);
      const far = (thing) => Math.hypot(...thing.at.map((v, i) => v - from[i]));
      const sorted = [...world.things[group]].sort((a, b) => far(a) - far(b));
      const positions = [],
        triangles = [];
      let shown = 0;
      for (const thing of sorted) {
        const one = lump(thing);
        if ((triangles.length + one.triangles.length) / 3 > most) break;
        const first = positions.length / 3;
        for (const v of one.corners) positions.push(v);
        for (const i of one.triangles) triangles.push(first + i);
        ++shown;
      }
      const within = shown < sorted.length ? far(sorted[shown]) : null;
      return { found: sorted.length, shown, within, positions, triangles };
    },
  };
}
