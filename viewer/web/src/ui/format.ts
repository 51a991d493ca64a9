// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Numbers as people read them.

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

/** 12,345 */
export function count(value: number): string {
  return whole.format(value);
}

/** About four digits: 1,234, 12.3, 0.00123, 1.2e-9. */
export function amount(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) {
    return "–";
  }
  const size = Math.abs(value);
  if (size === 0) {
    return "0";
  }
  if (Number.isInteger(value) && size < 1e15) {
    return whole.format(value);
  }
  if (size >= 1e4 && size < 1e15) {
    return whole.format(value);
  }
  return size < 1e-4 || size >= 1e15 ? value.toExponential(2) : String(Number(value.toPrecision(4)));
}

/** 3.2 µs, 1.4 ms, 2 s. */
export function micros(us: number): string {
  if (us < 1000) {
    return `${amount(Number(us.toPrecision(3)))} µs`;
  }
  return us < 1e6 ? `${amount(Number((us / 1e3).toPrecision(3)))} ms` : `${amount(us / 1e6)} s`;
}

/** 950, 12.3k, 4.5M */
export function short(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e9) {
    return `${Number((value / 1e9).toPrecision(3))}G`;
  }
  if (size >= 1e6) {
    return `${Number((value / 1e6).toPrecision(3))}M`;
  }
  return size >= 1e4 ? `${Number((value / 1e3).toPrecision(3))}k` : amount(value);
}
