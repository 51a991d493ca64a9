// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What the page's address remembers, behind its #.
import { throttle } from "./dom";

const parts = new URLSearchParams(location.hash.slice(1));

// Browsers refuse more than about 100 changes in 30 seconds.
const write = throttle(400, () =>
  history.replaceState(null, "", `#${parts.toString().replaceAll("%2C", ",").replaceAll("%3A", ":")}`),
);

export function remember(name: string, value: string | null): void {
  if (value === null) {
    parts.delete(name);
  } else {
    parts.set(name, value);
  }
  write();
}

export function remembered(name: string): string | null {
  return parts.get(name);
}

/** The numbers of a part, if it holds exactly so many. */
export function rememberedNumbers(name: string, howMany: number): number[] | null {
  const numbers = (parts.get(name) ?? "").split(",").map(Number);
  return numbers.length === howMany && numbers.every(Number.isFinite) && parts.has(name) ? numbers : null;
}

export function asText(numbers: number[]): string {
  return numbers.map((n) => String(Number(n.toPrecision(6)))).join(",");
}
