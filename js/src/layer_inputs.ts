// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Boxes, Ids, filters and options of juxta/layer, as js/wasm/layer.cpp reads them.
import { refuse } from "./errors.js";
import type { Column, Engine, Inputs } from "./memory.js";

/** What a question leaves out. */
export interface QueryOptions {
  /** Bodies that do not meet this category and mask. Default: none. */
  category?: number;
  mask?: number;
  /** These bodies. Of many questions: one for each, noBody for none. */
  ignore?: Column;
}
export interface BatchOptions extends QueryOptions {
  /** Ascending pairs (question, body). */
  sorted?: boolean;
}

export interface RayHits {
  /** noBody where a ray hits nothing. */
  bodies: Uint32Array;
  /** In lengths of the ray's direction. */
  t: Float32Array;
}
/** From pairs of a body and a float. */
export function split(engine: Engine, at: number, count: number): RayHits {
  const pairs = engine.view("uint32", at, 2 * count);
  const floats = engine.view("float32", at, 2 * count);
  const bodies = new Uint32Array(count);
  const t = new Float32Array(count);
  for (let i = 0; i < count; ++i) {
    bodies[i] = pairs[2 * i]!;
    t[i] = floats[2 * i + 1]!;
  }
  return { bodies, t };
}

export function useGroups(inputs: Inputs, column: Column, size: number, name: string): { at: number; count: number } {
  const { at, length } = inputs.use(column, ["float32"], name);
  if (length % size !== 0) refuse(`${name} has ${length} numbers, which is no multiple of ${size}.`);
  return { at, count: length / size };
}
export function useFilters(inputs: Inputs, filters: Column | undefined, count: number): number {
  if (!filters) return 0;
  const { at, length } = inputs.use(filters, ["uint32"], "filters");
  if (length !== 2 * count) refuse(`filters has ${length} numbers. Give a category and a mask for each of ${count}.`);
  return at;
}
export function useBoxes(inputs: Inputs, boxes: Column, dimensions: 2 | 3, filters?: Column): { at: number; count: number; filters: number } {
  const { at, count } = useGroups(inputs, boxes, 2 * dimensions, "boxes");
  return { at, count, filters: useFilters(inputs, filters, count) };
}
export function useIds(inputs: Inputs, ids: Column): { at: number; count: number } {
  const { at, length } = inputs.use(ids, ["uint32"], "ids");
  if (length % 2 !== 0) refuse(`ids has ${length} numbers. An Id has two.`);
  return { at, count: length / 2 };
}
export function useOnly(inputs: Inputs, only: Column | undefined, layer: { capacity: number } | undefined): number {
  if (!only || !layer) return 0;
  const { at, length } = inputs.use(only, ["uint8"], "only");
  if (length !== layer.capacity) refuse(`only has ${length} bytes. Give one for each of ${layer.capacity} bodies.`);
  return at;
}
/** js/wasm/layer.cpp: PlainOptions. `count`: of many questions. */
export function writeOptions(inputs: Inputs, options: BatchOptions, count?: number): void {
  const { engine } = inputs;
  const ignore = options.ignore && inputs.use(options.ignore, ["uint32"], "ignore");
  if (ignore && count !== undefined && ignore.length !== count) {
    refuse(`ignore has ${ignore.length} bodies. Give one for each of ${count} questions.`);
  }
  engine.refresh();
  const words = [options.category ?? 0xffffffff, options.mask ?? 0xffffffff, ignore?.at ?? 0, ignore?.length ?? 0];
  engine.u32.set([...words, options.sorted ? 1 : 0], engine.scratch >>> 2);
}
