// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Filters, regions and cursors, which are plain data, and how they are written for the module. js/wasm/ranked_columns.h
// has the same layouts.
import { refuse } from "./errors.js";
import type { Column, Engine, Inputs } from "./memory.js";

/** lx, ly, hx, hy: closed, so that a point on an edge is inside. */
export type Rect = readonly [number, number, number, number] | Float64Array | Float32Array;

/** A part of the plane that is no rectangle. Distances are those of the plane, not of the globe. */
export type Region =
  /** x, y, radius */
  | { readonly circle: readonly [number, number, number] }
  /** x, y, inner and outer radius */
  | { readonly ring: readonly [number, number, number, number] }
  /** A rectangle that goes over the edge of the map where lx > hx. */
  | { readonly across: Rect }
  /** Corners; with `ringEnds`, how many corners there are up to the end of each ring (holes, parts). */
  | { readonly polygon: { readonly x: Column; readonly y: Column; readonly ringEnds?: Column } };

export type Where = Rect | Region;

/** Numbers from the first to the second, both included; null: open. A bigint is compared as an integer. */
export type Range = readonly [number | bigint | null, number | bigint | null];

/** Which points count. Categories are bits of a mask; masks with bits above 2^53 are bigints. */
export interface Filter {
  /** At least one of these. */
  any?: number | bigint;
  /** All of these. */
  all?: number | bigint;
  /** None of these. */
  none?: number | bigint;
  /** For each column of `values` the numbers that pass. */
  ranges?: readonly [(Range | null)?, (Range | null)?];
}

/** The rank and the index of the last point of a page. */
export interface Cursor {
  readonly rank: number | bigint;
  readonly index: number;
}

export function isRect(where: Where): where is Rect {
  return (where as { length?: number }).length === 4;
}

const regionAt = 128;
const cursorAt = 256;

function writeBits(engine: Engine, at: number, bits: number | bigint | undefined, name: string): void {
  if (bits === undefined) { // without a bigint, which is an object
    engine.u32[at >>> 2] = engine.u32[(at >>> 2) + 1] = 0;
    return;
  }
  if (typeof bits === "number" && !(Number.isSafeInteger(bits) && bits >= 0)) {
    refuse(`${name} is ${bits}. A mask is an integer from 0 to 2^53, or a bigint.`);
  }
  engine.u64[at >>> 3] = BigInt(bits);
}

/** js/wasm/ranked_columns.h: PlainValue. */
function writeValue(engine: Engine, at: number, value: number | bigint): void {
  const integer = typeof value === "bigint";
  engine.u32[at >>> 2] = integer ? 1 : 0;
  if (integer) engine.u64[(at + 8) >>> 3] = BigInt.asUintN(64, value);
  else engine.f64[(at + 8) >>> 3] = value;
}

export function writeFilter(engine: Engine, filter: Filter | undefined): void {
  engine.refresh();
  const at = engine.scratch;
  writeBits(engine, at, filter?.any, "any");
  writeBits(engine, at + 8, filter?.all, "all");
  writeBits(engine, at + 16, filter?.none, "none");
  for (let i = 0; i < 2; ++i) {
    const range = filter?.ranges?.[i];
    writeValue(engine, at + 24 + 16 * i, range?.[0] ?? -Infinity);
    writeValue(engine, at + 56 + 16 * i, range?.[1] ?? Infinity);
  }
}

function writeNumbers(engine: Engine, kind: number, numbers: ArrayLike<number>): void {
  engine.refresh();
  const at = engine.scratch + regionAt;
  engine.u32[at >>> 2] = kind;
  for (let i = 0; i < 4; ++i) engine.f64[((at + 24) >>> 3) + i] = numbers[i]!;
}

/** `inputs` hold a polygon's corners until the call is over. */
export function writeRegion(engine: Engine, where: Where, inputs: Inputs): void {
  if (isRect(where)) return writeNumbers(engine, 0, where);
  if ("across" in where) return writeNumbers(engine, 1, where.across);
  if ("circle" in where) return writeNumbers(engine, 2, [where.circle[0], where.circle[1], 0, where.circle[2]]);
  if ("ring" in where) return writeNumbers(engine, 2, where.ring);
  if (!("polygon" in where)) refuse("A region is [lx, ly, hx, hy], or has circle, ring, across or polygon.");
  const x = inputs.use(where.polygon.x, ["float64"], "polygon.x");
  const y = inputs.use(where.polygon.y, ["float64"], "polygon.y");
  const ends = where.polygon.ringEnds && inputs.use(where.polygon.ringEnds, ["uint32"], "polygon.ringEnds");
  if (x.length !== y.length) refuse(`The polygon has ${x.length} x and ${y.length} y. Give one of each for a corner.`);
  writeNumbers(engine, 3, [0, 0, 0, 0]);
  const at = (engine.scratch + regionAt) >>> 2;
  engine.u32.set([x.at, y.at, x.length, ends?.at ?? 0, ends?.length ?? 0], at + 1);
}

export function writeCursor(engine: Engine, cursor: Cursor): void {
  engine.refresh();
  const whole = typeof cursor.rank === "number" && Number.isSafeInteger(cursor.rank);
  writeValue(engine, engine.scratch + cursorAt, whole ? BigInt(cursor.rank) : cursor.rank);
  engine.u32[(engine.scratch + cursorAt + 16) >>> 2] = cursor.index;
}
