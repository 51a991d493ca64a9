// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The runs of a sweep by their parameters: a cell for each combination, and the mean over its seeds.
import type { Run, SweepInfo } from "../protocol";

/** The mean over seeds at a step, and the least and the largest value. */
export interface MeanPoint {
  step: number;
  mean: number;
  lo: number;
  hi: number;
  runs: number;
}

export interface Cell {
  /** Which value of each parameter. */
  at: number[];
  runs: Run[];
  means: MeanPoint[];
}

export interface Range {
  lo: number;
  hi: number;
}

const kMostMeans = 1000;

function nearestIndex(values: number[], wanted: number): number {
  let best = 0;
  values.forEach((value, i) => {
    if (Math.abs(value - wanted) < Math.abs(values[best]! - wanted)) best = i;
  });
  return best;
}

/** Cells by the indices of their values, joined by commas. */
export function makeCells(info: SweepInfo, runs: Run[]): Map<string, Cell> {
  const cells = new Map<string, Cell>();
  for (const run of runs) {
    const at = info.vary.map(({ values }, i) => nearestIndex(values, run.at[i]!));
    const key = at.join();
    const cell = cells.get(key) ?? { at, runs: [], means: [] };
    cell.runs.push(run);
    cells.set(key, cell);
  }
  for (const cell of cells.values()) cell.means = meansOf(cell.runs);
  return cells;
}

/** A run's value at a step: between two rows in proportion, null outside of them or beside a gap. */
export function valueAt(run: Run, step: number): number | null {
  const { steps, values } = run;
  let lo = 0,
    hi = steps.length - 1;
  if (hi < 0 || step < steps[0]! || step > steps[hi]!) return null;
  while (hi - lo > 1) {
    const middle = (lo + hi) >> 1;
    if (steps[middle]! <= step) lo = middle;
    else hi = middle;
  }
  const a = values[lo] ?? null,
    b = values[hi] ?? null;
  if (step === steps[hi]!) return b;
  if (step === steps[lo]!) return a;
  if (a === null || b === null) return null;
  return a + ((b - a) * (step - steps[lo]!)) / (steps[hi]! - steps[lo]!);
}

/** Runs may end early, and long ones come thinned: each step counts those runs that have a value there. */
function meansOf(runs: Run[]): MeanPoint[] {
  let steps = [...new Set(runs.flatMap((run) => run.steps))].sort((a, b) => a - b);
  const every = Math.ceil(steps.length / kMostMeans);
  steps = steps.filter((_, i) => i % every === 0 || i === steps.length - 1);
  return steps.flatMap((step) => {
    const values = runs.map((run) => valueAt(run, step)).filter((v) => v !== null);
    if (!values.length) return [];
    const mean = values.reduce((a, b) => a + b, 0) / values.length;
    return [{ step, mean, lo: Math.min(...values), hi: Math.max(...values), runs: values.length }];
  });
}

/** The mean at the last step that has one at or before this. */
export function meanAt(cell: Cell, step: number): MeanPoint | null {
  let found: MeanPoint | null = null;
  for (const point of cell.means) {
    if (point.step > step && found) break;
    found = point;
  }
  return found;
}

/** The least and largest value of some runs, with 0 if it is near. */
export function rangeOf(runs: Iterable<Run>): Range {
  let lo = Infinity,
    hi = -Infinity;
  for (const { values } of runs) {
    for (const v of values) {
      if (v === null) continue;
      lo = Math.min(lo, v);
      hi = Math.max(hi, v);
    }
  }
  if (lo > hi) return { lo: 0, hi: 1 };
  if (lo > 0 && lo < 0.3 * hi) lo = 0;
  const half = Math.abs(lo) / 10 || 0.5;
  return hi > lo ? { lo, hi } : { lo: lo - half, hi: hi + half };
}
