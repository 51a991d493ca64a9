// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
/** The most important points in a rectangle or region, and counts. */
import { refuse } from "./errors.js";
import { makeEntry, type Source } from "./init.js";
import { Owned, withInputs, type Column, type Engine, type InitOptions, type Inputs, type Kind, type WasmArray } from "./memory.js";
import { numberOf, rankKinds, writeColumns } from "./ranked_columns.js";
import {
  isRect,
  writeCursor,
  writeFilter,
  writeRegion,
  type Cursor,
  type Filter,
  type Rect,
  type Where,
} from "./ranked_question.js";

export { JuxtaError, type ErrorCode } from "./errors.js";
export type { Source } from "./init.js";
export type { Column, Engine, InitOptions, Kind, TypedArray, WasmArray } from "./memory.js";
export type { Cursor, Filter, Range, Rect, Region, Where } from "./ranked_question.js";

const entry = makeEntry("ranked", () => new URL("./ranked.wasm", import.meta.url));

/**
 * Loads the module. Call it once and wait for it before anything else. Without a source it reads ranked.wasm beside
 * this script. A call with a source or options starts another instance, which new objects then belong to.
 */
export function init(source?: Source | Promise<Source>, options?: InitOptions): Promise<Engine> {
  return entry.init(source, options);
}
/** An array in the module's memory, which is used there without a copy. Its contents are undefined. */
export function alloc<K extends Kind>(kind: K, length: number): WasmArray<K> {
  return entry.alloc(kind, length);
}

export interface RankedPointsOptions {
  /** One mask of up to 64 bits for each point. BigUint64Array, or numbers. */
  categories?: Column;
  /** Keep the ranks, which topAfter() needs. */
  keepRanks?: boolean;
  /** One or two columns of numbers, which Filter.ranges asks for. NaN: the point has none. */
  values?: readonly [Column, Column?];
  /**
   * False: x and y are arrays from alloc() that stay as they are for as long as the points live, and are not copied.
   * Default: true.
   */
  copy?: boolean;
}

export interface NearestOptions {
  /** Only the points that are among so many most important ones of all. */
  mostImportant?: number;
  maxDistance?: number;
  filter?: Filter;
}

export interface NearestPoints {
  indices: Uint32Array;
  distances: Float64Array;
}

export interface TopMany {
  /** Answer i is indices[i * k] up to indices[i * k + counts[i] - 1]. */
  indices: Uint32Array;
  counts: Uint32Array;
}

/** js/wasm/ranked.cpp: PlainPoints. */
function writePoints(inputs: Inputs, x: Column, y: Column, rank: Column, options: RankedPointsOptions): void {
  const { engine } = inputs;
  if (options.copy === false) {
    for (const column of [x, y]) {
      const inside = ArrayBuffer.isView(column) ? column.buffer === engine.memory.buffer : !Array.isArray(column);
      if (!inside) refuse("copy is false, and x or y is not in the module's memory. Use arrays from alloc().");
    }
  }
  const { length, words } = writeColumns(inputs, x, y, rank);
  const categories = options.categories && inputs.use(options.categories, ["uint64"], "categories");
  if (categories && categories.length !== length) refuse(`There are ${length} points and ${categories.length} categories.`);
  const values = (options.values ?? []).map((column) => column && inputs.use(column, rankKinds, "values"));
  if (values.length > 2) refuse(`There are ${values.length} columns of values. At most two are allowed.`);
  for (const value of values) {
    if (value && value.length !== length) refuse(`There are ${length} points and ${value.length} values.`);
  }
  const flags = (options.copy === false ? 1 : 0) | (options.keepRanks ? 2 : 0);
  const [first, second] = values;
  words.push(categories?.at ?? 0, flags, first?.at ?? 0, second?.at ?? 0);
  words.push(numberOf[first?.kind ?? "float64"], numberOf[second?.kind ?? "float64"]);
  engine.refresh();
  engine.u32.set(words, engine.scratch >>> 2);
}

/**
 * Answers "the k most important points in this rectangle" and "how many are there". Points keep their index in the
 * input. Lower ranks are more important; equal ranks go by input order.
 */
export class RankedPoints extends Owned {
  private constructor(engine: Engine, pointer: number) {
    super(engine, pointer, "ranked_free");
  }

  /**
   * Builds the index: about a second for a million points. `x` and `y` are Float32Array or Float64Array, ranks of any
   * type of number. Throws JuxtaError where a number is NaN or a coordinate infinite, with its index.
   */
  static build(x: Column, y: Column, rank: Column, options: RankedPointsOptions = {}): RankedPoints {
    const engine = entry.engine();
    return withInputs(engine, (inputs) => {
      writePoints(inputs, x, y, rank, options);
      return new RankedPoints(engine, engine.some(engine.x.ranked_build!()));
    });
  }

  /** Opens what save() wrote, here or in C++, C or Python: the same files. All of it is checked. */
  static open(bytes: Uint8Array | ArrayBuffer): RankedPoints {
    const engine = entry.engine();
    return new RankedPoints(engine, engine.open(bytes, (path, size) => engine.x.ranked_load!(path, size)));
  }

  /** Builds again in the same memory. After an error the object is as it was. */
  rebuild(x: Column, y: Column, rank: Column, options: RankedPointsOptions = {}): void {
    withInputs(this.engine, (inputs) => {
      writePoints(inputs, x, y, rank, options);
      this.engine.some(this.engine.x.ranked_rebuild!(this.at));
    });
  }

  /** The indices of the min(k, size) points of lowest rank, in ascending rank. */
  top(where: Where, k: number, filter?: Filter): Uint32Array {
    return this.engine.copyOut(this.#top(where, this.#most(k), filter));
  }

  /** As top(), without a copy: a view of memory that the next question of any object of this module writes to. */
  topView(where: Where, k: number, filter?: Filter): Uint32Array {
    return this.engine.viewOut(this.#top(where, this.#most(k), filter));
  }

  /** As top() into an array from alloc("uint32", k), k being its length: how many were written. For hot loops. */
  topInto(out: WasmArray<"uint32">, lx: number, ly: number, hx: number, hy: number): number {
    return this.engine.x.ranked_top!(this.at, lx, ly, hx, hy, out.length, out.pointerIn(this.engine));
  }

  /** Many rectangles at once, faster than one by one. `rects`: lx, ly, hx, hy of each. */
  topMany(rects: Column, k: number, filter?: Filter): TopMany {
    const { engine } = this;
    const most = this.#most(k);
    return withInputs(engine, (inputs) => {
      const { at, count } = useRects(inputs, rects);
      const out = inputs.take(4 * count * most);
      const counts = inputs.take(4 * count);
      writeFilter(engine, filter);
      engine.some(engine.x.ranked_top_many!(this.at, at, count, most, out, counts, filter ? 1 : 0));
      const indices = engine.view("uint32", out, count * most);
      if (most === k) return { indices: indices.slice(), counts: engine.view("uint32", counts, count).slice() };
      const spread = new Uint32Array(count * k);
      for (let i = 0; i < count; ++i) spread.set(indices.subarray(i * most, (i + 1) * most), i * k);
      return { indices: spread, counts: engine.view("uint32", counts, count).slice() };
    });
  }

  /** The next k points behind a cursor. The points must have been built with keepRanks. */
  topAfter(after: Cursor, where: Where, k: number, filter?: Filter): Uint32Array {
    const { engine } = this;
    const most = this.#most(k);
    const out = engine.out(4 * most);
    return withInputs(engine, (inputs) => {
      writeRegion(engine, where, inputs);
      writeFilter(engine, filter);
      writeCursor(engine, after);
      const written = engine.x.ranked_top_after!(this.at, most, out);
      if (written < 0) engine.fail();
      return engine.view("uint32", out, written).slice();
    });
  }

  /** How many points are inside, exactly. */
  count(where: Where, filter?: Filter): number {
    const { engine } = this;
    if (isRect(where) && !filter) return engine.x.ranked_count!(this.at, where[0]!, where[1]!, where[2]!, where[3]!) >>> 0;
    return withInputs(engine, (inputs) => {
      writeRegion(engine, where, inputs);
      writeFilter(engine, filter);
      return engine.x.ranked_count_of!(this.at) >>> 0;
    });
  }

  countMany(rects: Column, filter?: Filter): Uint32Array {
    const { engine } = this;
    return withInputs(engine, (inputs) => {
      const { at, count } = useRects(inputs, rects);
      const counts = inputs.take(4 * count);
      writeFilter(engine, filter);
      engine.some(engine.x.ranked_count_many!(this.at, at, count, counts));
      return engine.view("uint32", counts, count).slice();
    });
  }

  /** The k points nearest to (x, y), in ascending distance; equal distances go by rank. */
  nearest(x: number, y: number, k: number, options: NearestOptions = {}): NearestPoints {
    const { engine } = this;
    const most = this.#most(k);
    return withInputs(engine, (inputs) => {
      const distances = inputs.take(8 * most);
      const out = inputs.take(4 * most);
      writeFilter(engine, options.filter);
      const { mostImportant = Infinity, maxDistance = Infinity } = options;
      const found = engine.x.ranked_nearest!(this.at, x, y, most, out, distances, mostImportant, maxDistance);
      return {
        indices: engine.view("uint32", out, found).slice(),
        distances: engine.view("float64", distances, found).slice(),
      };
    });
  }

  /** Points in each cell of a grid over `rect`, row by row from the lowest y: a heat map. */
  countCells(rect: Rect, columns: number, rows: number): Uint32Array {
    const { engine } = this;
    for (const side of [columns, rows]) {
      if (!(Number.isInteger(side) && side >= 1 && side <= 65535)) refuse(`A grid has ${side} cells. Allowed are 1 to 65535.`);
    }
    return withInputs(engine, (inputs) => {
      const out = inputs.take(4 * columns * rows);
      const found = engine.x.ranked_count_cells!(this.at, rect[0]!, rect[1]!, rect[2]!, rect[3]!, columns, rows, out);
      if (found < 0) engine.fail();
      return engine.view("uint32", out, columns * rows).slice();
    });
  }

  /** Points. */
  get size(): number {
    return this.engine.x.ranked_size!(this.at) >>> 0;
  }
  /** Bytes that this object holds. */
  get memoryBytes(): number {
    return this.engine.x.ranked_memory_bytes!(this.at) >>> 0;
  }
  /** The smallest rectangle around all points. */
  get bounds(): [number, number, number, number] {
    this.engine.x.ranked_bounds!(this.at);
    const [lx, ly, hx, hy] = this.engine.view("float64", this.engine.scratch, 4);
    return [lx!, ly!, hx!, hy!];
  }
  /** The categories that some point has. */
  get categories(): bigint {
    this.engine.x.ranked_categories!(this.at);
    return this.engine.view("uint64", this.engine.scratch, 1)[0]!;
  }
  /** A copy of the bytes that save() was given, of points that were opened. */
  get attachment(): Uint8Array {
    const { x } = this.engine;
    return this.engine.view("uint8", x.ranked_attachment!(this.at) >>> 0, x.ranked_attachment_size!(this.at) >>> 0).slice();
  }

  /** The index as a file, which every language opens. `attachment`: bytes of yours that go along. */
  save(attachment: Uint8Array = new Uint8Array(0)): Uint8Array {
    const { engine } = this;
    return withInputs(engine, (inputs) => {
      const bytes = inputs.use(attachment, ["uint8"], "attachment");
      return engine.save((path, size) => engine.x.ranked_save!(this.at, path, size, bytes.at, bytes.length));
    });
  }

  /** How many it wrote to engine.out(). */
  #top(where: Where, most: number, filter: Filter | undefined): number {
    const { engine } = this;
    const out = engine.out(4 * most);
    if (isRect(where) && !filter) {
      return engine.x.ranked_top!(this.at, where[0]!, where[1]!, where[2]!, where[3]!, most, out);
    }
    return withInputs(engine, (inputs) => {
      writeRegion(engine, where, inputs);
      writeFilter(engine, filter);
      return engine.x.ranked_top_of!(this.at, most, out);
    });
  }

  #most(k: number): number {
    if (!(k >= 0)) refuse(`k is ${k}. Give a count from 0 on.`);
    return Math.min(Math.floor(k), this.size);
  }
}

function useRects(inputs: Inputs, rects: Column): { at: number; count: number } {
  const { at, length } = inputs.use(rects, ["float64"], "rects");
  if (length % 4 !== 0) refuse(`rects has ${length} numbers. Give lx, ly, hx, hy of each rectangle.`);
  return { at, count: length / 4 };
}
