// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// An invented battle in 3D and an invented flock in 2D, with plain answers to the questions of a world.
import { isInView, project } from "./mock_frame.mjs";
import { randomFrom } from "./mock_map.mjs";
import { battleOverlays, flockOverlays, overlayQuestions } from "./mock_overlays.mjs";
import { asRecording } from "./mock_recording.mjs";

const group = (name, mark, size, columns, colour, classes, heading, shapes = false) => ({
  name,
  mark,
  size,
  columns,
  colour,
  classes,
  heading,
  shapes,
});
const parameter = (name, value, lo, hi, whole, what, live) => ({ name, value, lo, hi, whole, what, live });

function makeShips(random, n) {
  const kinds = ["fighter", "corvette", "cruiser"];
  return Array.from({ length: n }, (_, i) => {
    const kind = [0, 0, 0, 0, 0, 1, 1, 2][i % 8];
    return {
      id: String(1000 + i),
      r: 40 + 300 * Math.sqrt(random()),
      a: random() * 6.28,
      z: 55 * (random() - 0.5),
      kind,
      w: (0.1 + 0.3 * random()) * (i % 2 ? 1 : -1),
      size: [3, 6, 12][kind],
      values: { faction: i % 2, health: 60 * random(), speed: 0 },
      more: { kind: kinds[kind], nodes: { turrets: kind * 2, alive: true } },
    };
  });
}

/** Two on each large ship, which turn. */
function turretsOf(ships, step) {
  return ships
    .filter((ship) => ship.kind > 0)
    .flatMap((ship) =>
      [-1, 1].map((side) => {
        const turn = step / 40 + Number(ship.id) + side;
        return {
          id: `${ship.id}${side > 0 ? "a" : "b"}`,
          at: ship.at.map((v, k) => v + side * 0.25 * ship.size * ship.heading[k] + (k === 2 ? 0.16 * ship.size : 0)),
          heading: [Math.cos(turn), Math.sin(turn), 0],
          size: ship.size * 0.35,
          values: { faction: ship.values.faction },
        };
      }),
    );
}

function makeRocks(random) {
  return Array.from({ length: 40 }, (_, i) => ({
    id: String(i),
    at: [700 * (random() - 0.5), 700 * (random() - 0.5), 110 * (random() - 0.5)],
    size: 12 + 32 * random() ** 2,
    heading: [1, 0, 0],
    values: {},
  }));
}

const battleOf = (n) => ({
  title: "Mock battle",
  dimensions: 3,
  lo: [-350, -350, -70],
  hi: [350, 350, 70],
  groups: [
    group("ships", "ship", 4, ["faction", "health", "speed"], "faction", ["blue", "red"], true),
    group("bullets", "streak", 3.5, ["faction"], "faction", ["blue", "red"], true),
    group("explosions", "ball", 8, ["age"], "age", [], false),
    group("asteroids", "rock", 20, [], null, [], false, true),
    group("turrets", "turret", 2.5, ["faction"], "faction", ["blue", "red"], true),
  ],
  overlays: battleOverlays,
  parameters: [
    parameter("sight", 30, 1, 100, false, "metres: how far ships see each other", true),
    parameter("chase", 2.5, 0.001, 100, false, "weight of flying towards enemies", true),
    parameter("volley", 3, 1, 8, true, "shots at once", true),
    parameter("ships", n, 10, 100000, true, "all factions together, at the start", false),
  ],
  stages: ["spawn", "steer", "radar", "move", "fire", "hit", "damage"],
  reports: ["ships alive", "bullets", "shots a second"],
});

function battle(random, n) {
  const ships = makeShips(random, n);
  const rocks = makeRocks(random);
  return {
    ...battleOf(n),
    move(step) {
      const turn = step / 60;
      const at = (s, t) => [
        s.r * Math.cos(s.a + s.w * t),
        s.r * Math.sin(s.a + s.w * t) * 0.9,
        s.z + 8 * Math.sin(s.a * 5 + t),
      ];
      for (const s of ships) {
        s.at = at(s, turn);
        const next = at(s, turn + 0.02),
          d = next.map((v, i) => v - s.at[i]),
          length = Math.hypot(...d);
        s.heading = d.map((v) => v / length);
        s.values.speed = length / 0.02;
      }
      const shooters = ships.filter((_, i) => (i * 7 + step) % 12 === 0);
      const bullets = shooters.map((s, i) => ({
        id: String(i),
        heading: s.heading,
        values: { faction: s.values.faction },
        at: s.at.map((v, k) => v + s.heading[k] * (6 + ((step * 3 + i * 17) % 90))),
      }));
      const explosions = ships
        .filter((_, i) => (i * 13 + (step >> 5)) % 90 === 0)
        .map((s, i) => ({
          id: String(i),
          at: s.at,
          values: { age: ((step + 8 * i) % 32) / 32 },
          heading: [1, 0, 0],
          size: 6 + 12 * (((step + 8 * i) % 32) / 32) * (0.4 + (i % 5) / 5),
        }));
      this.report = [n - Math.floor(step / 50), bullets.length, 40 + 20 * Math.sin(step / 90)];
      return [ships, bullets, explosions, rocks, turretsOf(ships, step)];
    },
  };
}

function flock(random, n) {
  const birds = Array.from({ length: n }, (_, i) => ({
    id: String(i),
    cx: 1000 * random(),
    cy: 1000 * random(),
    r: 20 + 130 * random(),
    a: random() * 6.28,
    values: { neighbours: 0 },
  }));
  return {
    title: "Mock flock",
    dimensions: 2,
    lo: [0, 0, 0],
    hi: [1000, 1000, 0],
    groups: [group("birds", "dart", 9, ["neighbours"], "neighbours", [], true)],
    overlays: flockOverlays,
    parameters: [parameter("radius", 12, 1, 50, false, "how far they see", true)],
    stages: ["neighbours", "move"],
    reports: ["order"],
    move(step) {
      for (const b of birds) {
        const turn = b.a + step / 60;
        b.at = [b.cx + b.r * Math.cos(turn), b.cy + b.r * Math.sin(turn), 0].map((v, i) =>
          i < 2 ? ((v % 1000) + 1000) % 1000 : 0,
        );
        b.heading = [-Math.sin(turn), Math.cos(turn), 0];
        b.values.neighbours = 20 + 18 * Math.sin(b.cx / 80) * Math.cos(b.cy / 90);
      }
      this.report = [0.5 + 0.4 * Math.sin(step / 200)];
      return [birds];
    },
  };
}

function hasPoint(polygon, [x, y]) {
  let inside = false;
  for (let i = 0, j = polygon.length - 1; i < polygon.length; j = i++) {
    const [ax, ay] = polygon[i],
      [bx, by] = polygon[j];
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
  }
  return inside;
}

const infoOf = (world) => ({
  kind: "world",
  title: world.title,
  version: "mock",
  dimensions: world.dimensions,
  lo: world.lo,
  hi: world.hi,
  groups: world.groups,
  parameters: world.parameters,
  stages: world.stages,
  reports: world.reports,
  overlays: world.overlays,
  recording: world.recording,
});

function runQuestions(world, past) {
  const status = () => ({
    step: world.step,
    playing: world.playing,
    steps_per_second: world.playing ? world.speed || 500 : 0,
    speed: world.speed,
    stage_ms: world.stages.map((_, i) => 0.3 + 0.2 * i + 0.1 * Math.random()),
    report: world.report,
    frames: world.frames,
    clients: 1,
    ended: null,
  });
  const info = () => infoOf(world);
  return {
    info,
    status,
    play: () => ((world.playing = true), status()),
    pause: () => ((world.playing = false), status()),
    step({ steps = 1 }) {
      world.playing = false;
      for (let i = 0; i < steps; ++i) world.advance();
      return status();
    },
    speed: ({ steps_per_second }) => ((world.speed = steps_per_second), status()),
    set({ name, value }) {
      const found = world.parameters.find((p) => p.name === name);
      if (!found) throw new Error(`There is no parameter '${name}'.`);
      if (!(value >= found.lo && value <= found.hi))
        throw new Error(`${name} must be from ${found.lo} to ${found.hi}.`);
      return Object.assign(found, { value });
    },
    restart() {
      world.step = 0;
      past.steps.length = past.rows.length = 0;
      world.advance();
      return info();
    },
    hash: () => ({
      step: world.step,
      hash: ((BigInt(world.step) * 0x9e3779b97f4a7c15n) & 0xffffffffffffffffn).toString(16).padStart(16, "0"),
    }),
    history: () => ({
      steps: past.steps,
      reports: Object.fromEntries(world.reports.map((name, i) => [name, past.rows.map((r) => r[i])])),
    }),
  };
}

function lookQuestions(world) {
  const row = (g, t) => ({ group: g, id: t.id, at: t.at, values: t.values });
  let last = null;
  const all = () => world.things.flatMap((things, g) => things.map((t) => [g, t]));
  return {
    pick({ matrix, at, within }) {
      const far = ([g, t]) => {
        const [x, y, w] = project(matrix, t.at),
          d = Math.hypot((x - at[0]) / within[0], (y - at[1]) / within[1]);
        return { g, t, d: w > 0 ? d : Infinity };
      };
      const best = all()
        .map(far)
        .reduce((a, b) => (b.d < a.d ? b : a));
      return { found: best.d <= 1 ? row(best.g, best.t) : null };
    },
    selected() {
      if (!last) throw new Error("nothing was selected yet");
      return last;
    },
    select({ matrix, polygon, lo, hi, limit = 1000 }) {
      const began = performance.now();
      const found = all().filter(([, t]) =>
        polygon
          ? isInView(matrix, t.at) && hasPoint(polygon, project(matrix, t.at))
          : t.at.every((v, i) => v >= lo[i] && v <= hi[i]),
      );
      last = { step: world.step, found: found.length, rows: found.slice(0, limit).map(([g, t]) => row(g, t)) };
      return {
        found: last.found,
        rows: last.rows,
        us: (performance.now() - began) * 1000,
      };
    },
    entity({ group: g, thing: id }) {
      const thing = world.things[g]?.find((t) => t.id === id);
      if (!thing) throw new Error(`There is no '${id}' in group ${g} any more.`);
      const far = (t) => Math.hypot(...t.at.map((v, i) => v - thing.at[i]));
      const near = world.things[g]
        .filter((t) => t !== thing)
        .sort((a, b) => far(a) - far(b))
        .slice(0, 5);
      const touches = near.filter((t) => far(t) < 4);
      return {
        ...row(g, thing),
        near: near.map((t) => row(g, t)),
        touches: touches.map((t) => row(g, t)),
        more: thing.more ?? {},
      };
    },
  };
}

export function makeWorld(kind, n) {
  const world = (kind === "flock" ? flock : battle)(randomFrom(1), n);
  const past = { steps: [], rows: [] };
  Object.assign(world, { recording: null, stride: 1, step: 0, playing: true, speed: 60, frames: 0 });
  world.advance = () => {
    world.things = world.move(++world.step);
    if (world.step % 6 === 0) {
      past.steps.push(world.step);
      past.rows.push(world.report);
    }
  };
  world.advance();
  world.questions = { ...runQuestions(world, past), ...lookQuestions(world), ...overlayQuestions(world) };
  return kind === "recording" ? asRecording(world) : world;
}
