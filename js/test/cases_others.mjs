// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// juxta/shape, juxta/agents and juxta/transform against plain programs.
import { agents, random, shape, transform } from "./support.mjs";

/** A bumpy sphere of rings * sides quads. */
export function makeRock(rings, sides, seed) {
  const next = random(seed);
  const vertices = [0, 0, 1.1];
  for (let r = 1; r < rings; ++r) {
    for (let s = 0; s < sides; ++s) {
      const a = (Math.PI * r) / rings, b = (2 * Math.PI * s) / sides, size = 0.9 + 0.2 * next();
      vertices.push(size * Math.sin(a) * Math.cos(b), size * Math.sin(a) * Math.sin(b), size * Math.cos(a));
    }
  }
  vertices.push(0, 0, -1.1);
  const at = (r, s) => (r === 0 ? 0 : r === rings ? vertices.length / 3 - 1 : 1 + (r - 1) * sides + (s % sides));
  const indices = [];
  for (let r = 0; r < rings; ++r) {
    for (let s = 0; s < sides; ++s) {
      if (r > 0) indices.push(at(r, s), at(r + 1, s), at(r, s + 1));
      if (r + 1 < rings) indices.push(at(r, s + 1), at(r + 1, s), at(r + 1, s + 1));
    }
  }
  return { vertices: Float32Array.from(vertices), indices: Uint32Array.from(indices) };
}

/** Möller and Trumbore's test, in doubles: t, or Infinity. */
function plainHit({ vertices, indices }, triangle, o, d) {
  const p = (i) => [0, 1, 2].map((axis) => vertices[3 * indices[3 * triangle + i] + axis]);
  const sub = (a, b) => a.map((x, i) => x - b[i]);
  const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const a = p(0), ab = sub(p(1), a), ac = sub(p(2), a), h = cross(d, ac), det = dot(ab, h);
  if (det === 0) return Infinity;
  const s = sub(o, a), u = dot(s, h) / det, q = cross(s, ab), v = dot(d, q) / det, t = dot(ac, q) / det;
  return u >= 0 && v >= 0 && u + v <= 1 && t >= 0 ? t : Infinity;
}

export default function cases(test, assert) {
  const near = (a, b, bound, what) => assert.ok(Math.abs(a - b) <= bound || a === b, `${what}: ${a} and ${b}`);

  test("rays against a mesh", () => {
    const rock = makeRock(24, 40, 1);
    const triangles = rock.indices.length / 3;
    const next = random(2);
    for (const quality of ["default", "fast"]) {
      const mesh = shape.TriangleMesh.build(rock.vertices, rock.indices, { quality });
      assert.equal(mesh.triangleCount, triangles);
      assert.ok(mesh.closed);
      const rays = Float32Array.from({ length: 7 * 300 }, (_, i) => (i % 7 === 6 ? Infinity : i % 7 < 3 ? 4 * next() - 2 : next() - 0.5));
      const hits = mesh.raycast(rays), any = mesh.raycastAny(rays);
      let some = 0;
      for (let r = 0; r < 300; ++r) {
        const o = [...rays.subarray(7 * r, 7 * r + 3)], d = [...rays.subarray(7 * r + 3, 7 * r + 6)];
        const all = Array.from({ length: triangles }, (_, i) => plainHit(rock, i, o, d)).filter((t) => t < Infinity).sort((a, b) => a - b);
        assert.equal(hits.triangles[r] === shape.noTriangle, all.length === 0);
        assert.equal(any[r] === 1, all.length > 0);
        const every = mesh.raycastEvery(rays.subarray(7 * r, 7 * r + 7));
        assert.equal(every.t.length, all.length);
        if (all.length === 0) continue;
        some += 1;
        near(hits.t[r], all[0], 1e-4, "t");
        all.forEach((t, i) => near(every.t[i], t, 1e-4, "every t"));
        near(hits.points[3 * r], o[0] + all[0] * d[0], 1e-4, "x");
        near(Math.hypot(...hits.normals.subarray(3 * r, 3 * r + 3)), 1, 1e-5, "normal");
      }
      assert.ok(some > 30);
      assert.ok(mesh.contains(0, 0, 0) && !mesh.contains(2, 0, 0));
      const closest = mesh.closest(3, 0, 0);
      near(closest.distance, Math.hypot(3 - closest.point[0], closest.point[1], closest.point[2]), 1e-5, "distance");
      assert.ok(closest.distance > 1.8 && closest.distance < 2.2);
      assert.equal(mesh.closest(3, 0, 0, 1), undefined);
      const moved = mesh.raycast([10, 0, -9, 0, 0, 1, Infinity], { position: [10, 0, 0], scale: 2 });
      near(moved.points[2], -2.2, 0.25, "moved");
      const opened = shape.TriangleMesh.open(mesh.save());
      assert.deepEqual(opened.raycast(rays), hits);
      mesh.refit(rock.vertices.map((x) => 2 * x));
      near(mesh.raycast([0.01, 0.02, -9, 0, 0, 1, Infinity]).points[2], -2.2, 0.02, "refit");
    }
    assert.throws(() => shape.TriangleMesh.build([0, 0, 0], [0, 0, 1]), (error) => error.index === 0);
  });

  test("a flock flies by its rules", () => {
    for (const dimensions of [2, 3]) {
      for (const periodic of [false, true]) {
        const flock = agents.Flock.build({ dimensions, periodic, halfSize: 2 });
        flock.scatter(200, 7);
        for (let step = 0; step < 3; ++step) {
          const before = read(flock);
          flock.step();
          const after = read(flock);
          plainStep(before, flock.rules, dimensions, periodic, 2).forEach((boid, number) => {
            for (let axis = 0; axis < dimensions; ++axis) {
              near(after[number].v[axis], boid.v[axis], 2e-5, "velocity");
              const apart = Math.abs(after[number].p[axis] - boid.p[axis]);
              near(Math.min(apart, 4 - apart), 0, 2e-5, "position");
            }
          });
        }
        assert.equal(flock.steps, 3);
      }
    }
    assert.throws(() => agents.Flock.build({ rules: { minSpeed: 9 } }), { code: "invalidArgument" });
    const flock = agents.Flock.build();
    assert.throws(() => flock.rebuild([0, 0, 0, 99, 0, 0], [0, 0, 0, 0, 0, 0]), (error) => error.index === 1);
    flock.rebuild([0, 0, 0, 5, 0, 0], [1, 0, 0, 0, 1, 0]);
    flock.setRules({ minSpeed: 0, maxSpeed: 0.5 });
    flock.step(10);
    assert.equal(flock.size, 2);
    assert.equal(flock.rules.maxSpeed, 0.5);
  });

  test("hierarchies are where their parents bring them", () => {
    const next = random(3);
    const tree = transform.Hierarchy.create();
    const n = 500;
    const parents = Int32Array.from({ length: n }, (_, i) => (i === 0 || next() < 0.05 ? -1 : Math.floor(next() * i)));
    const local = () => {
      const q = Array.from({ length: 4 }, () => next() - 0.5), size = Math.hypot(...q);
      return [...q.map((x) => x / size), next(), next(), next(), 0.9 + 0.2 * next()];
    };
    const locals = Float32Array.from(Array.from({ length: n }, local).flat());
    const ids = tree.insertTree(locals, parents);
    const check = () => {
      const worlds = plainWorlds(locals, parents), found = tree.worlds(ids);
      for (let i = 0; i < n; ++i) {
        const w = worlds[i];
        for (let axis = 0; axis < 3; ++axis) near(found[12 * i + 4 + axis], w.p[axis], 1e-4, "position");
        near(found[12 * i + 11], w.s, 1e-4, "scale");
        const turn = w.q.reduce((sum, x, j) => sum + x * found[12 * i + j], 0);
        near(Math.abs(turn), 1, 1e-5, "rotation");
      }
    };
    check();
    assert.equal(tree.propagate(), n);
    assert.equal(tree.propagate(), 0);
    const version = tree.version;
    const moved = [7, 100, 499];
    const positions = moved.flatMap(() => [next(), next(), next()]);
    tree.setPositions(moved.flatMap((i) => [ids[2 * i], ids[2 * i + 1]]), positions);
    moved.forEach((i, k) => locals.set(positions.slice(3 * k, 3 * k + 3), 8 * i + 4));
    check();
    tree.propagate();
    const below = (i) => (i < 0 ? false : moved.includes(i) || below(parents[i]));
    const expected = Array.from({ length: n }, (_, i) => i).filter(below).map((i) => ids[2 * i]);
    const changed = Array.from(tree.changedSince(version)).filter((_, i) => i % 2 === 0);
    assert.deepEqual(changed.sort((a, b) => a - b), expected.sort((a, b) => a - b));
    const out = transform.alloc("float32", 12 * tree.slotCount);
    assert.equal(tree.changedMatrices(version, out), expected.length);
    const seven = tree.worlds(ids.subarray(14, 16));
    near(out.view[12 * ids[14] + 3], seven[4], 1e-6, "matrix");
    const opened = transform.Hierarchy.open(tree.save());
    assert.deepEqual(opened.worlds(ids), tree.worlds(ids));
    const child = tree.insert([0, 0, 0, 1, 1, 2, 3, 1], ids.subarray(0, 2));
    assert.deepEqual(tree.parent(child), ids.slice(0, 2));
    tree.reparent(child, ids.subarray(14, 16));
    assert.deepEqual(tree.parent(child), ids.slice(14, 16));
    tree.remove(child);
    assert.ok(!tree.alive(child));
    assert.throws(() => tree.remove(child), { code: "notFound" });
    assert.throws(() => tree.insert([0, 0, 0, 0, 0, 0, 0, 1]), { code: "invalidArgument" });
    assert.throws(() => tree.insert([0, 0, 0, 1, NaN, 0, 0, 1]), { code: "notFinite" });
  });
}

function read(flock) {
  const boids = [];
  const numbers = flock.numbers();
  const axes = flock.dimensions === 2 ? [0, 1] : [0, 1, 2];
  const p = axes.map((axis) => flock.position(axis)), v = axes.map((axis) => flock.velocity(axis));
  numbers.forEach((number, row) => (boids[number] = { p: p.map((each) => each[row]), v: v.map((each) => each[row]) }));
  return boids;
}

/** The rules as include/juxta/agents/flock.h writes them, in doubles. */
function plainStep(boids, rules, dimensions, periodic, half) {
  const axes = dimensions === 2 ? [0, 1] : [0, 1, 2];
  const apart = (a, b) => {
    const d = b - a;
    return !periodic ? d : d > half ? d - 2 * half : d < -half ? d + 2 * half : d;
  };
  return boids.map((me, i) => {
    let n = 0;
    const speed = [0, 0, 0], place = [0, 0, 0], away = [0, 0, 0];
    boids.forEach((other, j) => {
      if (i === j) return;
      const d = axes.map((axis) => apart(me.p[axis], other.p[axis]));
      const d2 = d.reduce((sum, x) => sum + x * x, 0);
      if (d2 < rules.seeRadius2) {
        n += 1;
        for (const axis of axes) [speed[axis], place[axis]] = [speed[axis] + other.v[axis], place[axis] + d[axis]];
      }
      if (d2 < rules.avoidRadius2) for (const axis of axes) away[axis] -= d[axis];
    });
    let v = axes.map((axis) => me.v[axis]);
    if (n > 0) v = v.map((x, axis) => x + (rules.cohere * place[axis]) / n);
    v = v.map((x, axis) => x + rules.avoid * away[axis]);
    if (n > 0) v = v.map((x, axis) => x + rules.align * (speed[axis] / n - x));
    const size = Math.hypot(...v);
    if (size > rules.maxSpeed) v = v.map((x) => (x * rules.maxSpeed) / size);
    else if (size < rules.minSpeed && size > 0) v = v.map((x) => (x * rules.minSpeed) / size);
    if (!periodic) {
      v = v.map((x, axis) => {
        if (me.p[axis] < -half + rules.wallDistance) x += rules.wall;
        if (me.p[axis] > half - rules.wallDistance) x -= rules.wall;
        return x;
      });
    }
    const p = axes.map((axis) => {
      const to = me.p[axis] + v[axis] * rules.timeStep;
      return periodic ? to : Math.min(half - 0.01, Math.max(-half + 0.01, to));
    });
    return { p, v };
  });
}

function plainWorlds(locals, parents) {
  const rotate = ([x, y, z, w], [a, b, c]) => {
    const t = [2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)];
    return [a + w * t[0] + y * t[2] - z * t[1], b + w * t[1] + z * t[0] - x * t[2], c + w * t[2] + x * t[1] - y * t[0]];
  };
  const times = ([x, y, z, w], [a, b, c, d]) => [
    w * a + x * d + y * c - z * b, w * b - x * c + y * d + z * a, w * c + x * b - y * a + z * d, w * d - x * a - y * b - z * c,
  ];
  const worlds = [];
  for (let i = 0; i < parents.length; ++i) {
    const n = locals.subarray(8 * i, 8 * i + 8);
    const own = { q: [...n.subarray(0, 4)], p: [...n.subarray(4, 7)], s: n[7] };
    const up = worlds[parents[i]];
    worlds.push(!up ? own : {
      q: times(up.q, own.q),
      p: rotate(up.q, own.p.map((x) => x * up.s)).map((x, axis) => x + up.p[axis]),
      s: up.s * own.s,
    });
  }
  return worlds;
}
