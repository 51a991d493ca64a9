// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Colours of things. Blue and orange come first: people who confuse red and green tell them apart.
import type { Theme } from "../ui/theme";

type Rgb = [number, number, number];

const kClasses: Record<Theme, string[]> = {
  dark: ["#4da3ff", "#ff6a48", "#f5cf52", "#2fc9a4", "#c08cff", "#a5e1ff", "#ff9fce", "#aab6c6"],
  light: ["#1668d6", "#d8431c", "#a87900", "#007f69", "#7a42c6", "#3a93c4", "#c23b7d", "#5a6676"],
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
/** What of viridis stands out from the background. */
const kAmountsPart: Record<Theme, [number, number]> = { dark: [0.16, 1], light: [0, 0.86] };

/** `fire` is one colour, `burning` an amount. */
export type PaletteKind = "classes" | "amounts" | "plain" | "fire" | "burning";

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
  const bytes = new Uint8Array(256 * 4);
  for (let i = 0; i < 256; ++i) {
    const colour =
      kind === "classes"
        ? parse(classColour(i, theme))
        : kind === "amounts"
          ? amountColour(i / 255, theme)
          : kind === "burning"
            ? between(kFire[theme], i / 255)
            : kind === "fire"
              ? parse(kFire.dark[2]!)
              : parse(plain);
    bytes.set([...colour.map(Math.round), 255], 4 * i);
  }
  return bytes;
}

/** A gradient for legends. */
export function amountGradient(theme: Theme, burning = false): string {
  const colour = (at: number) => (burning ? between(kFire[theme], at) : amountColour(at, theme));
  const stops = Array.from(
    { length: 9 },
    (_, i) =>
      `rgb(${colour(i / 8)
        .map(Math.round)
        .join(" ")})`,
  );
  return `linear-gradient(to right, ${stops.join(", ")})`;
}
