// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The shapes of things. All have length 1, look along +x, and have +z above.
import { BufferAttribute, IcosahedronGeometry, InstancedBufferGeometry } from "three";

type Point = [number, number, number];

/** What the shader does with a triangle. */
export const kHull = 0,
  kAccent = 1,
  kFlame = 2;

/** Collects triangles with flat normals. */
class Triangles {
  private readonly corners: number[] = [];
  private readonly normals: number[] = [];
  private readonly parts: number[] = [];

  /** `part` may differ by corner: from kFlame to kFlame + 1 a flame fades. */
  add(a: Point, b: Point, c: Point, part: number | Point): void {
    const u = sub(b, a),
      v = sub(c, a);
    const n: Point = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    const length = Math.hypot(...n) || 1;
    for (const corner of [a, b, c]) {
      this.corners.push(...corner);
      this.normals.push(n[0] / length, n[1] / length, n[2] / length);
    }
    this.parts.push(...(typeof part === "number" ? [part, part, part] : part));
  }

  /** The triangle, and its image on the other side. */
  both(a: Point, b: Point, c: Point, part: number | Point): void {
    this.add(a, b, c, part);
    const swapped = typeof part === "number" ? part : ([part[1], part[0], part[2]] as Point);
    this.add(mirror(b), mirror(a), mirror(c), swapped);
  }

  build(): InstancedBufferGeometry {
    const geometry = new InstancedBufferGeometry();
    geometry.setAttribute("corner", new BufferAttribute(new Float32Array(this.corners), 3));
    geometry.setAttribute("facet", new BufferAttribute(new Float32Array(this.normals), 3));
    geometry.setAttribute("part", new BufferAttribute(new Float32Array(this.parts), 1));
    // three.js counts vertices by an attribute named position, which there is not.
    geometry.setDrawRange(0, this.parts.length);
    return geometry;
  }
}

const sub = (a: Point, b: Point): Point => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const mirror = (a: Point): Point => [a[0], -a[1], a[2]];

function flame(to: Triangles, y: number, radius: number, from: number, length: number): void {
  const tail: Point = [from - length, y, 0];
  const ring: Point[] = [
    [from, y - radius, 0],
    [from, y, radius],
    [from, y + radius, 0],
    [from, y, -radius],
  ];
  for (let i = 0; i < 4; ++i) {
    to.add(ring[i]!, ring[(i + 1) % 4]!, tail, [kFlame, kFlame, kFlame + 1]);
  }
}

/** A hull with a nose, swept wings, two fins and two engines. */
export function ship(): InstancedBufferGeometry {
  const t = new Triangles();
  const nose: Point = [0.5, 0, -0.012];
  const top: Point = [-0.08, 0, 0.1],
    side: Point = [0.02, 0.075, 0.0],
    keel: Point = [-0.05, 0, -0.06];
  const backTop: Point = [-0.42, 0, 0.075],
    backSide: Point = [-0.42, 0.085, 0.01],
    backKeel: Point = [-0.4, 0, -0.045];
  t.both(nose, side, top, kHull);
  t.both(nose, keel, side, kHull);
  t.both(top, side, backSide, kHull);
  t.both(top, backSide, backTop, kHull);
  t.both(side, keel, backKeel, kHull);
  t.both(side, backKeel, backSide, kHull);
  t.both(backTop, backSide, backKeel, kAccent);
  // The cockpit lies on the hull, a little above it.
  t.both([0.2, 0, 0.062], [0.03, 0.034, 0.075], [-0.02, 0, 0.118], kAccent);
  // Wings.
  const root: Point = [0.06, 0.07, 0.0],
    tip: Point = [-0.34, 0.42, -0.035],
    end: Point = [-0.46, 0.4, -0.035];
  const back: Point = [-0.34, 0.08, 0.012],
    low: Point = [-0.2, 0.08, -0.03];
  t.both(root, tip, back, kHull);
  t.both(tip, end, back, kAccent);
  t.both(root, low, tip, kHull);
  t.both(low, back, end, kHull);
  t.both(low, end, tip, kHull);
  // Fins.
  t.both([-0.26, 0.09, 0.03], [-0.44, 0.12, 0.15], [-0.42, 0.09, 0.02], kHull);
  t.both([-0.42, 0.09, 0.02], [-0.44, 0.12, 0.15], [-0.26, 0.09, 0.03], kHull);
  flame(t, 0.045, 0.034, -0.41, 0.3);
  flame(t, -0.045, 0.034, -0.41, 0.3);
  return t.build();
}

/** The same from far away, when there are many. */
export function shipFar(): InstancedBufferGeometry {
  const t = new Triangles();
  const nose: Point = [0.5, 0, 0],
    top: Point = [-0.3, 0, 0.11],
    keel: Point = [-0.3, 0, -0.06];
  const wing: Point = [-0.45, 0.34, -0.02],
    back: Point = [-0.38, 0, 0];
  t.both(nose, wing, top, kHull);
  t.both(nose, keel, wing, kHull);
  t.both(top, wing, back, kAccent);
  t.add([-0.4, -0.07, 0.01], [-0.4, 0.07, 0.01], [-0.68, 0, 0.01], [kFlame, kFlame, kFlame + 1]);
  return t.build();
}

/** An arrowhead, with a ridge so that light falls on it in 3D. */
export function dart(): InstancedBufferGeometry {
  const t = new Triangles();
  const nose: Point = [0.5, 0, 0],
    wing: Point = [-0.5, 0.34, 0],
    notch: Point = [-0.28, 0, 0];
  const top: Point = [-0.2, 0, 0.12],
    below: Point = [-0.2, 0, -0.12];
  t.both(nose, wing, top, kHull);
  t.both(top, wing, notch, kHull);
  t.both(nose, below, wing, kHull);
  t.both(below, notch, wing, kHull);
  return t.build();
}

/** One triangle, for a million. */
export function speck(wide = 0.3): InstancedBufferGeometry {
  const t = new Triangles();
  t.add([0.5, 0, 0], [-0.5, wide, 0], [-0.5, -wide, 0], kHull);
  return t.build();
}

/** A prism along x that gets thinner, with both ends closed. */
function prism(to: Triangles, from: number, thick: number, end: number, thin: number, part: number): void {
  const ring = (x: number, r: number): Point[] => [
    [x, r, 0],
    [x, 0, r],
    [x, -r, 0],
    [x, 0, -r],
  ];
  const back = ring(from, thick),
    front = ring(end, thin);
  for (let i = 0; i < 4; ++i) {
    const next = (i + 1) % 4;
    to.add(back[i]!, back[next]!, front[i]!, part);
    to.add(back[next]!, front[next]!, front[i]!, part);
    to.add([from, 0, 0], back[next]!, back[i]!, part);
    to.add([end, 0, 0], front[i]!, front[next]!, part);
  }
}

/** A short barrel that begins thicker and has a dark end. */
export function turret(): InstancedBufferGeometry {
  const t = new Triangles();
  prism(t, -0.5, 0.12, -0.18, 0.1, kHull);
  prism(t, -0.18, 0.07, 0.4, 0.05, kHull);
  prism(t, 0.4, 0.06, 0.5, 0.06, kAccent);
  return t.build();
}

/** A lump: a sphere with hills, dents and flat faces. */
export function rock(detail: number): InstancedBufferGeometry {
  const sphere = new IcosahedronGeometry(0.5, detail).getAttribute("position");
  const shape = (i: number): Point => {
    const p: Point = [sphere.getX(i), sphere.getY(i), sphere.getZ(i)];
    const wave = (x: number, y: number, z: number) => Math.sin(p[0] * x + p[1] * y + p[2] * z + x - z);
    const height =
      1 + 0.07 * wave(5, 3, -4) + 0.06 * wave(-3, 7, 5) + 0.045 * wave(11, -9, 7) + 0.03 * wave(17, 13, -15);
    return [p[0] * height, p[1] * height * 0.96, p[2] * height * 0.92];
  };
  const t = new Triangles();
  for (let i = 0; i < sphere.count; i += 3) {
    t.add(shape(i), shape(i + 1), shape(i + 2), kHull);
  }
  return t.build();
}

/** A square for marks that are drawn flat on the screen: x and y from -1 to 1. */
export function square(): InstancedBufferGeometry {
  const geometry = new InstancedBufferGeometry();
  geometry.setAttribute("corner", new BufferAttribute(new Float32Array([-1, -1, 0, 1, -1, 0, -1, 1, 0, 1, 1, 0]), 3));
  geometry.setIndex([0, 1, 2, 2, 1, 3]);
  return geometry;
}
