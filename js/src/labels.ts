// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
/** The labels of a map view, of which none overlap. */
import { refuse } from "./errors.js";
import { makeEntry, type Source } from "./init.js";
import { Owned, withInputs, type Column, type Engine, type InitOptions, type Kind, type WasmArray } from "./memory.js";
import { writeColumns } from "./ranked_columns.js";
import type { Rect } from "./ranked_question.js";

export { JuxtaError, type ErrorCode } from "./errors.js";
export type { Source } from "./init.js";
export type { Column, Engine, InitOptions, Kind, TypedArray, WasmArray } from "./memory.js";
export type { Rect } from "./ranked_question.js";

const entry = makeEntry("labels", () => new URL("./labels.wasm", import.meta.url));

/** Loads the module: see init() of juxta/ranked. */
export function init(source?: Source | Promise<Source>, options?: InitOptions): Promise<Engine> {
  return entry.init(source, options);
}
/** An array in the module's memory, which is used there without a copy. Its contents are undefined. */
export function alloc<K extends Kind>(kind: K, length: number): WasmArray<K> {
  return entry.alloc(kind, length);
}

export interface RankedLabelsOptions {
  /** The size of each label in pixels, from 1/64 to 4096. A number: of all. Default: 80 and 20. */
  width?: number | Column;
  height?: number | Column;
  /** Units of the coordinates for each pixel at zoom 0. Default: 1. */
  unitsPerPixel?: number;
  /** Default: 0. */
  firstZoom?: number;
  /** At most 30. Default: 20. */
  lastZoom?: number;
}

/** The labels of a map view, of which none overlap: those of lower rank come first. */
export class RankedLabels extends Owned {
  private constructor(engine: Engine, pointer: number) {
    super(engine, pointer, "labels_free");
  }

  static build(x: Column, y: Column, rank: Column, options: RankedLabelsOptions = {}): RankedLabels {
    const engine = entry.engine();
    return withInputs(engine, (inputs) => {
      const { length, words } = writeColumns(inputs, x, y, rank);
      const sizes = [options.width ?? 80, options.height ?? 20].map((size) => {
        if (typeof size === "number") return { at: 0, all: size };
        const column = inputs.use(size, ["float32"], "sizes");
        if (column.length !== length) refuse(`There are ${length} points and ${column.length} sizes of labels.`);
        return { at: column.at, all: 1 };
      });
      engine.refresh();
      engine.u32.set([...words, sizes[0]!.at, sizes[1]!.at], engine.scratch >>> 2);
      engine.f64.set([sizes[0]!.all, sizes[1]!.all, options.unitsPerPixel ?? 1], (engine.scratch + 32) >>> 3);
      engine.u32.set([options.firstZoom ?? 0, options.lastZoom ?? 20], (engine.scratch + 56) >>> 2);
      return new RankedLabels(engine, engine.some(engine.x.labels_build!()));
    });
  }

  /** The indices of the labels in `view` at `zoom`, in ascending rank. `most`: at most so many. */
  top(view: Rect, zoom: number, most = Infinity): Uint32Array {
    const { engine } = this;
    const ask = (size: number): number => {
      const out = engine.out(4 * size);
      return engine.x.labels_top!(this.at, view[0]!, view[1]!, view[2]!, view[3]!, zoom, out, size) >>> 0;
    };
    let size = Math.min(most, Math.max(1024, engine.outBytes / 4));
    let found = ask(size);
    if (found > size && size < most) {
      size = Math.min(most, found);
      found = ask(size);
    }
    return engine.view("uint32", engine.out(0), Math.min(found, size)).slice();
  }

  /** For each point the first zoom that shows it; 255: none. */
  appearsAtZoom(): Uint8Array {
    const { x } = this.engine;
    return this.engine.view("uint8", x.labels_zooms!(this.at) >>> 0, this.size).slice();
  }
  /** Points. */
  get size(): number {
    return this.engine.x.labels_size!(this.at) >>> 0;
  }
  /** Points that the last zoom shows. */
  get shown(): number {
    return this.engine.x.labels_shown!(this.at) >>> 0;
  }
  get memoryBytes(): number {
    return this.engine.x.labels_memory_bytes!(this.at) >>> 0;
  }
}
