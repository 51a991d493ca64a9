// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Colours of things. Blue and orange come first: people who confuse red and green tell them apart.
import type { Theme } from "../ui/theme";

type Rgb = [number, number, number];

const kClasses: Record<Theme, string[]> = {
  dark: ["#4da3ff", "#ff6a48", "#2fc9a4", "#f5cf52", "#c08cff", "#a5e1ff", "#ff9fce", "#aab6c6"],
  light: ["#1668d6", "#d8431c", "#007f69", "#a87900", "#7a42c6", "#3a93c4", "#c23b7d", "#5a6676"],
};
// Viridis, whose lightness grows evenly.
const kAmounts = [
  "#440154",
  "#482878",
  "#3e4989",
  "#31688e",
  "#26828e",
  "#1f9e89",
  "#35b779",
  "#6ece58",
  "#b5de2b",
  "#fde725",
];
/** Explosions: white-hot when young, dull red at the end. */
const kFire: Record<Theme, string[]> = {
  dark: ["#ffdf9a", "#ffa03c", "#ff6a1e", "#c2330f", "#5c1a0c"],
  light: ["#ffb52e", "#ff8a1f", "#f0611a", "#cc3d12", "#8f2a10"],
};
/** By their age: white-hot at first, dark at the end. */
const kAges = ["#fffaf0", "#ffe2a0", "#ffa544", "#f0661c", "#b02c0e", "#42110a"];
/** What of viridis stands out from the background. */
const kAmountsPart: Record<Theme, [number, number]> = { dark: [0.16, 1], light: [0, 0.86] };

/** `fire` is one colour, `burning` an amount, `ageing` an age: what is old fades. */
export type PaletteKind = "classes" | "amounts" | "plain" | "fire" | "burning" | "ageing";

export function classColour(index: number, theme: Theme): string {
  const colours = kClasses[theme];
  return colours[index % colours.length]!;
}

export function parse(hex: string): Rgb {
  const bits = Number.parseInt(hex.slice(1), 16);
  return [bits >> 16, (bits >> 8) & 255, bits & 255];
}

function between(stops: string[], at: number): Rgb {
  const place = Math.min(Math.max(at, 0), 1) * (stops.length - 1);
  const below = Math.min(Math.floor(place), stops.length - 2);
  const a = parse(stops[below]!),
    b = parse(stops[below + 1]!),
    part = place - below;
  return [0, 1, 2].map((i) => a[i]! + (b[i]! - a[i]!) * part) as Rgb;
}

function amountColour(at: number, theme: Theme): Rgb {
  const [lo, hi] = kAmountsPart[theme];
  return between(kAmounts, lo + (hi - lo) * at);
}

/** 256 colours, RGBA. `plain` is the colour of things that are not coloured by a column. */
export function paletteBytes(kind: PaletteKind, theme: Theme, plain: string): Uint8Array {
  const of: Record<PaletteKind, (i: number) => Rgb> = {
    classes: (i) => parse(classColour(i, theme)),
    amounts: (i) => amountColour(i / 255, theme),
    burning: (i) => between(kFire[theme], i / 255),
    ageing: (i) => between(kAges, i / 255),
    fire: () => parse(kFire.dark[2]!),
    plain: () => parse(plain),
  };
  const bytes = new Uint8Array(256 * 4);
  for (let i = 0; i < 256; ++i) bytes.set([...of[kind](i).map(Math.round), 255], 4 * i);
  return bytes;
}

/** A gradient for legends. */
export function amountGradient(theme: Theme, kind: PaletteKind = "amounts"): string {
  const stops = kind === "ageing" ? kAges : kind === "burning" ? kFire[theme] : null;
  const colours = Array.from({ length: 9 }, (_, i) => {
    const rgb = stops ? between(stops, i / 8) : amountColour(i / 8, theme);
    return `rgb(${rgb.map(Math.round).join(" ")})`;
  });
  return `linear-gradient(to right, ${colours.join(", ")})`;
}
