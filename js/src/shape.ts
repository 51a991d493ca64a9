// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
/** Rays against triangle meshes. */
import { refuse } from "./errors.js";
import { makeEntry, type Source } from "./init.js";
import { Owned, withInputs, type Column, type Engine, type InitOptions, type Inputs, type Kind, type WasmArray } from "./memory.js";

export { JuxtaError, type ErrorCode } from "./errors.js";
export type { Source } from "./init.js";
export type { Column, Engine, InitOptions, Kind, TypedArray, WasmArray } from "./memory.js";

const entry = makeEntry("shape", () => new URL("./shape.wasm", import.meta.url));

/** Loads the module: see init() of juxta/ranked. */
export function init(source?: Source | Promise<Source>, options?: InitOptions): Promise<Engine> {
  return entry.init(source, options);
}
/** An array in the module's memory, which is used there without a copy. Its contents are undefined. */
export function alloc<K extends Kind>(kind: K, length: number): WasmArray<K> {
  return entry.alloc(kind, length);
}

export interface MeshOptions {
  /** "fast": the build takes a tenth of the time, and rays half as long again. Default: "default". */
  quality?: "default" | "fast";
}

/** Where a mesh stands: a point p of it is at position + rotate(rotation, p * stretch * scale). */
export interface Placement {
  /** x, y, z, w, of length 1. Default: 0, 0, 0, 1. */
  rotation?: ArrayLike<number>;
  position?: ArrayLike<number>;
  stretch?: ArrayLike<number>;
  scale?: number;
}

/** The hits of rays, one entry for each ray (three of points and normals). */
export interface SurfaceHits {
  /** In lengths of the ray's direction; Infinity: no hit. */
  t: Float32Array;
  points: Float32Array;
  /** Of length 1, against the ray. */
  normals: Float32Array;
  /** noTriangle where there is no hit. */
  triangles: Uint32Array;
}
export const noTriangle = 0xffffffff;

export interface ClosestPoint {
  distance: number;
  point: [number, number, number];
  triangle: number;
}

/** Triangles and a tree over them: a surface, hit from both sides. Coordinates are single precision. */
export class TriangleMesh extends Owned {
  private constructor(engine: Engine, pointer: number) {
    super(engine, pointer, "mesh_free");
  }

  /** `vertices`: x, y, z of each; `indices`: three of each triangle, Uint16Array or Uint32Array. About 1 us a triangle. */
  static build(vertices: Column, indices: Column, options: MeshOptions = {}): TriangleMesh {
    const engine = entry.engine();
    return withInputs(engine, (inputs) => {
      const points = useGroups(inputs, vertices, 3, "vertices");
      const numbers = inputs.use(indices, ["uint16", "uint32"], "indices");
      const bytes = numbers.kind === "uint16" ? 2 : 4;
      const fast = options.quality === "fast" ? 1 : 0;
      const pointer = engine.x.mesh_build!(points.at, points.count, numbers.at, numbers.length, bytes, fast);
      return new TriangleMesh(engine, engine.some(pointer));
    });
  }

  /** Opens what save() wrote, here or in C++ or Python. */
  static open(bytes: Uint8Array | ArrayBuffer): TriangleMesh {
    const engine = entry.engine();
    return new TriangleMesh(engine, engine.open(bytes, (path, size) => engine.x.mesh_load!(path, size)));
  }

  /** New places for all vertices. 15 to 30 ns a triangle natively. */
  refit(vertices: Column): void {
    withInputs(this.engine, (inputs) => {
      const points = useGroups(inputs, vertices, 3, "vertices");
      this.engine.some(this.engine.x.mesh_refit!(this.at, points.at, points.count));
    });
  }

  /** The first hit of each ray: origin, direction and the most t (Infinity), 7 numbers. */
  raycast(rays: Column, at?: Placement): SurfaceHits {
    const { engine } = this;
    return withInputs(engine, (inputs) => {
      const { at: first, count } = useGroups(inputs, rays, 7, "rays");
      const hits = inputs.take(engine.x.mesh_hit_bytes!() * count);
      const out = inputs.take(32 * count);
      writePlacement(engine, at);
      if (engine.x.mesh_raycast!(this.at, first, count, hits, out) < 0) engine.fail();
      return readHits(engine, out, count);
    });
  }
  /** For each ray 1 where it hits something: a line of sight. */
  raycastAny(rays: Column, at?: Placement): Uint8Array {
    const { engine } = this;
    return withInputs(engine, (inputs) => {
      const { at: first, count } = useGroups(inputs, rays, 7, "rays");
      const out = inputs.take(count);
      writePlacement(engine, at);
      engine.x.mesh_raycast_any!(this.at, first, count, out);
      return engine.view("uint8", out, count).slice();
    });
  }
  /** All triangles that one ray meets, by t. */
  raycastEvery(ray: Column, at?: Placement): SurfaceHits {
    const { engine } = this;
    const ask = (size: number): SurfaceHits | number =>
      withInputs(engine, (inputs) => {
        const { at: first, count } = useGroups(inputs, ray, 7, "ray");
        if (count !== 1) refuse(`There are ${count} rays. Give one.`);
        const hits = inputs.take(engine.x.mesh_hit_bytes!() * size);
        const out = inputs.take(32 * size);
        writePlacement(engine, at);
        const found = engine.x.mesh_raycast_every!(this.at, first, hits, out, size);
        return found > size ? found : readHits(engine, out, found);
      });
    const answer = ask(64);
    return typeof answer === "number" ? (ask(answer) as SurfaceHits) : answer;
  }
  /** Whether a point is inside of a closed mesh, or on its surface. */
  contains(x: number, y: number, z: number, at?: Placement): boolean {
    writePlacement(this.engine, at);
    return this.engine.x.mesh_contains!(this.at, x, y, z) !== 0;
  }
  /** The point of the surface nearest to (x, y, z) within maxDistance. */
  closest(x: number, y: number, z: number, maxDistance = Infinity, at?: Placement): ClosestPoint | undefined {
    const { engine } = this;
    writePlacement(engine, at);
    if (!engine.x.mesh_closest!(this.at, x, y, z, maxDistance)) return undefined;
    const { t, points, triangles } = readHits(engine, engine.scratch, 1);
    return { distance: t[0]!, point: [points[0]!, points[1]!, points[2]!], triangle: triangles[0]! };
  }

  get triangleCount(): number {
    return this.engine.x.mesh_triangles!(this.at) >>> 0;
  }
  get vertexCount(): number {
    return this.engine.x.mesh_vertices!(this.at) >>> 0;
  }
  /** Whether it encloses space. */
  get closed(): boolean {
    return this.engine.x.mesh_closed!(this.at) !== 0;
  }
  save(): Uint8Array {
    return this.engine.save((path, size) => this.engine.x.mesh_save!(this.at, path, size));
  }
}

/** js/wasm/shape.cpp: PlainHit. */
function readHits(engine: Engine, at: number, count: number): SurfaceHits {
  const floats = engine.view("float32", at, 8 * count);
  const words = engine.view("uint32", at, 8 * count);
  const t = new Float32Array(count);
  const points = new Float32Array(3 * count);
  const normals = new Float32Array(3 * count);
  const triangles = new Uint32Array(count);
  for (let i = 0; i < count; ++i) {
    t[i] = floats[8 * i]!;
    for (let axis = 0; axis < 3; ++axis) {
      points[3 * i + axis] = floats[8 * i + 1 + axis]!;
      normals[3 * i + axis] = floats[8 * i + 4 + axis]!;
    }
    triangles[i] = words[8 * i + 7]!;
  }
  return { t, points, normals, triangles };
}

function writePlacement(engine: Engine, at: Placement = {}): void {
  const { rotation = [0, 0, 0, 1], position = [0, 0, 0], stretch = [1, 1, 1], scale = 1 } = at;
  const numbers = [...Array.from(rotation), ...Array.from(position), ...Array.from(stretch), scale];
  if (numbers.length !== 11) refuse("A placement has a rotation of four numbers, and a position and stretch of three.");
  engine.view("float32", engine.scratch + 256, 11).set(numbers);
}

function useGroups(inputs: Inputs, column: Column, size: number, name: string): { at: number; count: number } {
  const { at, length } = inputs.use(column, ["float32"], name);
  if (length % size !== 0) refuse(`${name} has ${length} numbers, which is no multiple of ${size}.`);
  return { at, count: length / size };
}
