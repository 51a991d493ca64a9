// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
/** Which boxes overlap: all pairs, and what a box, ray, point or frustum touches. */
import { refuse } from "./errors.js";
import { makeEntry, type Source } from "./init.js";
import {
  Owned,
  withInputs,
  type Column,
  type Engine,
  type InitOptions,
  type Kind,
  type WasmArray,
} from "./memory.js";

import {
  split,
  useBoxes,
  useFilters,
  useGroups,
  useIds,
  useOnly,
  writeOptions,
  type BatchOptions,
  type QueryOptions,
  type RayHits,
} from "./layer_inputs.js";

export { JuxtaError, type ErrorCode } from "./errors.js";
export type { Source } from "./init.js";
export type { BatchOptions, QueryOptions, RayHits } from "./layer_inputs.js";
export type { Column, Engine, InitOptions, Kind, TypedArray, WasmArray } from "./memory.js";

const entry = makeEntry("layer", () => new URL("./layer.wasm", import.meta.url));

/** Loads the module: see init() of juxta/ranked. */
export function init(source?: Source | Promise<Source>, options?: InitOptions): Promise<Engine> {
  return entry.init(source, options);
}
/** An array in the module's memory, which is used there without a copy. Its contents are undefined. */
export function alloc<K extends Kind>(kind: K, length: number): WasmArray<K> {
  return entry.alloc(kind, length);
}

/** "No body". */
export const noBody = 0xffffffff;

export interface LayerOptions {
  /** 2: a box is lo.x, lo.y, hi.x, hi.y. 3, the default: lo.x, lo.y, lo.z, hi.x, hi.y, hi.z. */
  dimensions?: 2 | 3;
  /** Two numbers for each box, category and mask: what it is, and what it meets. */
  filters?: Column;
  /** "tight": the build takes ten times as long, and rays and boxes three quarters of the time. Default: "fast". */
  quality?: "fast" | "tight";
}

export interface PairOptions {
  /** Ascending pairs; changes the order only. */
  sorted?: boolean;
  /** One byte for each body: only those whose byte is not 0 take part. */
  only?: Column;
  onlyOther?: Column;
}

export interface NearestBodies {
  bodies: Uint32Array;
  /** Squared; 0 inside of a box. */
  distance2: Float32Array;
}

export interface LayerStats {
  bodies: number;
  blocks: number;
  levels: number;
  memoryBytes: number;
  sorts: number;
  looseness: number;
  strays: number;
}

/** Numbers of one box, ray, point: an array or a typed array. */
export type Numbers = ArrayLike<number>;

/** Boxes of two or three dimensions. Body i of a build is box i. Coordinates are single precision. */
export class Layer extends Owned {
  readonly dimensions: 2 | 3;

  private constructor(engine: Engine, pointer: number, dimensions: 2 | 3) {
    super(engine, pointer, "layer_free");
    this.dimensions = dimensions;
  }

  /** Throws JuxtaError where a side is NaN or infinite, or a box inverted, with its index. */
  static build(boxes: Column, options: LayerOptions = {}): Layer {
    const engine = entry.engine();
    const dimensions = options.dimensions ?? 3;
    if (dimensions !== 2 && dimensions !== 3) refuse(`dimensions is ${dimensions as number}. Allowed are 2 and 3.`);
    return withInputs(engine, (inputs) => {
      const { at, count, filters } = useBoxes(inputs, boxes, dimensions, options.filters);
      const tight = options.quality === "tight" ? 1 : 0;
      return new Layer(engine, engine.some(engine.x.layer_build!(dimensions, at, count, filters, tight)), dimensions);
    });
  }

  /** Opens what save() wrote, here or in C++, C or Python. */
  static open(bytes: Uint8Array | ArrayBuffer, dimensions: 2 | 3 = 3): Layer {
    const engine = entry.engine();
    const pointer = engine.open(bytes, (path, size) => engine.x.layer_load!(dimensions, path, size));
    return new Layer(engine, pointer, dimensions);
  }

  // ---- Changes

  /** Forgets all bodies, keeps the memory. */
  rebuild(boxes: Column, options: Omit<LayerOptions, "dimensions"> = {}): void {
    withInputs(this.engine, (inputs) => {
      const { at, count, filters } = useBoxes(inputs, boxes, this.dimensions, options.filters);
      this.engine.some(this.engine.x.layer_rebuild!(this.at, at, count, filters, options.quality === "tight" ? 1 : 0));
    });
  }

  /** All bodies move: one box for each number below `capacity`. About half of a rebuild. */
  refit(boxes: Column): void {
    withInputs(this.engine, (inputs) => {
      const { at, count } = useBoxes(inputs, boxes, this.dimensions);
      this.engine.some(this.engine.x.layer_refit!(this.at, at, count));
    });
  }

  /** New bodies. An Id has two numbers, the body's and a generation: ids[2 i] and ids[2 i + 1]. */
  insert(boxes: Column, filters?: Column): Uint32Array {
    const { engine } = this;
    return withInputs(engine, (inputs) => {
      const in_ = useBoxes(inputs, boxes, this.dimensions, filters);
      const ids = inputs.take(8 * in_.count);
      engine.some(engine.x.layer_insert!(this.at, in_.at, in_.count, in_.filters, ids));
      return engine.view("uint32", ids, 2 * in_.count).slice();
    });
  }
  /** Bodies up to the first that is refused have moved then; JuxtaError.index says which that is. */
  move(ids: Column, boxes: Column): void {
    withInputs(this.engine, (inputs) => {
      const named = useIds(inputs, ids);
      const to = useBoxes(inputs, boxes, this.dimensions);
      if (named.count !== to.count) refuse(`There are ${named.count} Ids and ${to.count} boxes. Give one box for each.`);
      this.#all(named.count, this.engine.x.layer_move!(this.at, named.at, to.at, to.count));
    });
  }
  remove(ids: Column): void {
    withInputs(this.engine, (inputs) => {
      const named = useIds(inputs, ids);
      this.#all(named.count, this.engine.x.layer_remove!(this.at, named.at, named.count));
    });
  }
  setFilters(ids: Column, filters: Column): void {
    withInputs(this.engine, (inputs) => {
      const named = useIds(inputs, ids);
      const to = useFilters(inputs, filters, named.count);
      this.#all(named.count, this.engine.x.layer_set_filters!(this.at, named.at, to, named.count));
    });
  }
  /** The Ids of bodies, two numbers each. */
  ids(bodies: Column): Uint32Array {
    const { engine } = this;
    return withInputs(engine, (inputs) => {
      const { at, length } = inputs.use(bodies, ["uint32"], "bodies");
      const out = inputs.take(8 * length);
      engine.x.layer_ids!(this.at, at, length, out);
      return engine.view("uint32", out, 2 * length).slice();
    });
  }
  alive(id: Numbers): boolean {
    return this.engine.x.layer_alive!(this.at, id[0]!, id[1]!) !== 0;
  }

  // ---- Pairs

  /** All overlapping pairs, a0, b0, a1, b1, ...: of this layer, or of a body of this and one of `other`. */
  findPairs(options: PairOptions & { other?: Layer } = {}): Uint32Array {
    return this.findPairsView(options).slice();
  }
  /** Without a copy: a view of memory that the next question of any layer writes to. */
  findPairsView(options: PairOptions & { other?: Layer } = {}): Uint32Array {
    const { engine } = this;
    const { other } = options;
    if (other && (other.engine !== engine || other.dimensions !== this.dimensions || other === this)) {
      refuse("The other layer is this one, of other dimensions, or of another instance.");
    }
    return withInputs(engine, (inputs) => {
      const only = useOnly(inputs, options.only, this);
      const onlyOther = useOnly(inputs, options.onlyOther, other);
      return this.#grow(2, (out, size) =>
        engine.x.layer_find_pairs!(this.at, other?.at ?? 0, out, size, options.sorted ? 1 : 0, only, onlyOther),
      );
    });
  }

  // ---- What a box touches, in the layer's order

  /** The bodies that overlap the box, touching ones included. */
  search(box: Numbers, options?: QueryOptions): Uint32Array {
    return this.engine.copyOut(this.#search(box, options));
  }
  /** Without a copy: a view of memory that the next question of any layer writes to. */
  searchView(box: Numbers, options?: QueryOptions): Uint32Array {
    return this.engine.viewOut(this.#search(box, options));
  }
  #search(box: Numbers, options?: QueryOptions): number {
    const { engine } = this;
    const [a, b, c, d, e, f] = this.#box(box);
    if (!options) { // no function, which costs as much as a small answer
      const out = engine.out(4096);
      const size = engine.outBytes >>> 2;
      const found = engine.x.layer_find_all!(this.at, a, b, c, d, e, f, out, size) >>> 0;
      return found <= size ? found : engine.x.layer_find_all!(this.at, a, b, c, d, e, f, engine.out(4 * found), found) >>> 0;
    }
    return withInputs(engine, (inputs) => {
      writeOptions(inputs, options);
      return this.#ask(1, (out, size) => engine.x.layer_find_all_of!(this.at, a, b, c, d, e, f, out, size) >>> 0);
    });
  }
  /** Into an array from alloc("uint32", n): how many there are, of which it has the first n. For hot loops.
   *  The box is lx, ly, hx, hy, or in space lx, ly, lz, hx, hy, hz. */
  searchInto(out: WasmArray<"uint32">, ...box: [number, number, number, number, number?, number?]): number;
  searchInto(out: WasmArray<"uint32">, a: number, b: number, c: number, d: number, e?: number, f?: number): number {
    if ((f !== undefined ? 3 : e === undefined ? 2 : 0) !== this.dimensions) refuse(`searchInto() needs ${2 * this.dimensions} numbers of the box.`);
    return this.engine.x.layer_find_all!(this.at, a, b, c, d, e ?? 0, f ?? 0, out.pointerIn(this.engine), out.length) >>> 0;
  }
  /** At most `most` bodies, those that come first in the layer's order. */
  searchFirst(box: Numbers, most: number, options: QueryOptions = {}): Uint32Array {
    const { engine } = this;
    const [a, b, c, d, e, f] = this.#box(box);
    const size = Math.min(most, this.size);
    return withInputs(engine, (inputs) => {
      writeOptions(inputs, options);
      const out = inputs.take(4 * size);
      const found = engine.x.layer_find_first_of!(this.at, a, b, c, d, e, f, out, size);
      return engine.view("uint32", out, found).slice();
    });
  }
  /** A body that overlaps the box, or noBody. */
  searchAny(box: Numbers): number {
    const [a, b, c, d, e, f] = this.#box(box);
    return this.engine.x.layer_find_any!(this.at, a, b, c, d, e, f) >>> 0;
  }
  count(box: Numbers): number {
    const [a, b, c, d, e, f] = this.#box(box);
    return this.engine.x.layer_count!(this.at, a, b, c, d, e, f) >>> 0;
  }

  // ---- Many questions at once: faster than one by one

  /** Pairs (number of the box, body): box0, body0, box1, body1, ... */
  searchMany(boxes: Column, options: BatchOptions = {}): Uint32Array {
    const { engine } = this;
    return withInputs(engine, (inputs) => {
      const { at, count } = useBoxes(inputs, boxes, this.dimensions);
      writeOptions(inputs, options, count);
      return this.#grow(2, (out, size) => engine.x.layer_find_all_many!(this.at, at, count, out, size)).slice();
    });
  }
  /** For each box a body, or noBody. */
  searchAnyMany(boxes: Column, options: QueryOptions = {}): Uint32Array {
    return this.#forEachBox(boxes, options, (at, count, out) => this.engine.x.layer_find_any_many!(this.at, at, count, out));
  }
  countMany(boxes: Column, options: QueryOptions = {}): Uint32Array {
    return this.#forEachBox(boxes, options, (at, count, out) => this.engine.x.layer_count_many!(this.at, at, count, out));
  }

  /**
   * The body that each ray enters first; of several at the same t the lowest number. A ray is its origin, its
   * direction, and the most t (Infinity): 7 numbers, or 5 in two dimensions.
   */
  raycast(rays: Column, options: QueryOptions = {}): RayHits {
    return this.#raycast(rays, options, 1);
  }
  /** Some body that each ray touches: for lines of sight. */
  raycastAny(rays: Column, options: QueryOptions = {}): RayHits {
    return this.#raycast(rays, options, 0);
  }
  /** All bodies that one ray touches, by t. */
  raycastAll(ray: Column, options: QueryOptions = {}): RayHits {
    const { engine } = this;
    return withInputs(engine, (inputs) => {
      const { at, count } = useGroups(inputs, ray, 2 * this.dimensions + 1, "ray");
      if (count !== 1) refuse(`There are ${count} rays. Give one.`);
      writeOptions(inputs, options);
      const hits = this.#grow(2, (out, size) => engine.x.layer_raycast_all!(this.at, at, out, size) >>> 0);
      return split(engine, hits.byteOffset, hits.length / 2);
    });
  }
  /** The body nearest to each point, within maxDistance. */
  nearest(points: Column, maxDistance = Infinity, options: QueryOptions = {}): NearestBodies {
    const { engine } = this;
    return withInputs(engine, (inputs) => {
      const { at, count } = useGroups(inputs, points, this.dimensions, "points");
      writeOptions(inputs, options, count);
      const out = inputs.take(8 * count);
      engine.some(engine.x.layer_nearest!(this.at, at, count, maxDistance, out));
      const { bodies, t } = split(engine, out, count);
      return { bodies, distance2: t };
    });
  }
  /** All bodies that no plane has wholly on its outer side. A plane is a normal, inwards, and an offset. */
  inFrustum(planes: Column, options: QueryOptions = {}): Uint32Array {
    const { engine } = this;
    return withInputs(engine, (inputs) => {
      const { at, count } = useGroups(inputs, planes, this.dimensions + 1, "planes");
      writeOptions(inputs, options);
      return this.#grow(1, (out, size) => engine.x.layer_in_frustum!(this.at, at, count, out, size) >>> 0).slice();
    });
  }

  // ---- State

  /** Living bodies. */
  get size(): number {
    return this.engine.x.layer_size!(this.at) >>> 0;
  }
  /** One more than the highest body number since the last build. */
  get capacity(): number {
    return this.engine.x.layer_capacity!(this.at) >>> 0;
  }
  /** The box of a living body. */
  box(body: number): Float32Array {
    this.engine.some(this.engine.x.layer_box!(this.at, body));
    return this.engine.view("float32", this.engine.scratch, 2 * this.dimensions).slice();
  }
  stats(): LayerStats {
    this.engine.x.layer_stats!(this.at);
    const n = this.engine.view("float64", this.engine.scratch, 7);
    const [bodies, blocks, levels, memoryBytes, sorts, looseness, strays] = [...n] as [number, number, number, number, number, number, number];
    return { bodies, blocks, levels, memoryBytes, sorts, looseness, strays };
  }
  /** The layer as a file, which every language opens. */
  save(): Uint8Array {
    return this.engine.save((path, size) => this.engine.x.layer_save!(this.at, path, size));
  }

  /** As #ask(), whose answers it returns: a view. */
  #grow(words: number, ask: (out: number, size: number) => number): Uint32Array {
    return this.engine.viewOut(words * this.#ask(words, ask));
  }
  /**
   * Asks with the memory that there is, and again when it was too little: how many answers of `words` of 32 bits are at
   * engine.out().
   */
  #ask(words: number, ask: (out: number, size: number) => number): number {
    const { engine } = this;
    const bytes = 4 * words;
    let out = engine.out(4096);
    let size = Math.floor(engine.outBytes / bytes);
    let found = ask(out, size);
    if (found > size) {
      out = engine.out(found * bytes);
      size = found;
      found = ask(out, size);
    }
    if (found < 0) engine.fail();
    return found;
  }

  #all(count: number, done: number): void {
    if (done >>> 0 === count) return;
    try {
      this.engine.fail();
    } catch (error) {
      Object.assign(error as object, { index: done >>> 0 });
      throw error;
    }
  }

  #box(box: Numbers): [number, number, number, number, number, number] {
    if (box.length !== 2 * this.dimensions) refuse(`A box has ${box.length} numbers. Give ${2 * this.dimensions}.`);
    return [box[0]!, box[1]!, box[2]!, box[3]!, box[4] ?? 0, box[5] ?? 0];
  }

  #forEachBox(boxes: Column, options: QueryOptions, ask: (at: number, count: number, out: number) => number): Uint32Array {
    const { engine } = this;
    return withInputs(engine, (inputs) => {
      const { at, count } = useBoxes(inputs, boxes, this.dimensions);
      writeOptions(inputs, options, count);
      const out = inputs.take(4 * count);
      engine.some(ask(at, count, out));
      return engine.view("uint32", out, count).slice();
    });
  }

  #raycast(rays: Column, options: QueryOptions, closest: number): RayHits {
    const { engine } = this;
    return withInputs(engine, (inputs) => {
      const { at, count } = useGroups(inputs, rays, 2 * this.dimensions + 1, "rays");
      writeOptions(inputs, options, count);
      const out = inputs.take(8 * count);
      engine.some(engine.x.layer_raycast!(this.at, at, count, out, closest));
      return split(engine, out, count);
    });
  }
}
