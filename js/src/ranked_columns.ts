// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Columns of coordinates and ranks, as js/wasm/ranked_columns.h reads them.
import { refuse } from "./errors.js";
import type { Column, Inputs } from "./memory.js";

const coordinateKinds = ["float32", "float64"] as const;
export const rankKinds = ["int32", "int64", "float32", "float64"] as const;
/** The order of js/wasm/ranked_columns.h: Number. */
export const numberOf = { int32: 0, int64: 1, float32: 2, float64: 3 };

export function writeColumns(inputs: Inputs, x: Column, y: Column, rank: Column): { length: number; words: number[] } {
  const xs = inputs.use(x, coordinateKinds, "x");
  const ys = inputs.use(y, [xs.kind], "y");
  const ranks = inputs.use(rank, rankKinds, "rank");
  if (xs.length !== ys.length || xs.length !== ranks.length) {
    refuse(`There are ${xs.length} x, ${ys.length} y and ${ranks.length} ranks. Give one of each for a point.`);
  }
  return { length: xs.length, words: [xs.at, ys.at, xs.length, numberOf[xs.kind], ranks.at, numberOf[ranks.kind]] };
}
