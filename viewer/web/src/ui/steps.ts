// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT

/** Steps of 1, 2 or 5 that divide a length into about `parts`. */
export function niceStep(length: number, parts: number): number {
  const raw = length / parts,
    power = 10 ** Math.floor(Math.log10(raw));
  return power * ([1, 2, 5, 10].find((f) => f * power >= raw) ?? 10);
}
