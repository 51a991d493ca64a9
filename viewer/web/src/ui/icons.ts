// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The signs on buttons, as lines in a square of 16. Fonts differ in which signs they have.

const kSvg = "http://www.w3.org/2000/svg";

/** Paths that are drawn as lines, and `fill` for those that are filled. */
const kIcons = {
  play: { fill: "M4 2.5 13.5 8 4 13.5z" },
  pause: { fill: "M3.5 2.5h3v11h-3zM9.5 2.5h3v11h-3z" },
  step: { fill: "M3 2.5 10.5 8 3 13.5zM11 2.5h2v11h-2z" },
  home: { line: "M2 8.2 8 2.8l6 5.4M4 7v6.2h8V7" },
  rectangle: { line: "M2.5 4h11v8h-11z", dashes: true },
  lasso: { line: "M8 11C4.4 11 2 9.3 2 7s2.6-4 6-4 6 1.7 6 4-2.4 4-6 4c-1.6 0-2.6.6-2.6 1.5S6.6 14 8 13.7" },
  plus: { line: "M8 2.5v11M2.5 8h11" },
  minus: { line: "M2.5 8h11" },
  theme: { line: "M8 2a6 6 0 1 0 0 12A6 6 0 1 0 8 2z", fill: "M8 2a6 6 0 0 1 0 12z" },
  help: { line: "M5.3 5.6C5.3 3.9 6.5 3 8 3s2.7 1 2.7 2.4C10.7 7.5 8 7.4 8 9.5M8 12v1" },
  panel: { line: "M2.5 4h11M2.5 8h11M2.5 12h11" },
  close: { line: "M4 4l8 8M12 4l-8 8" },
} satisfies Record<string, { line?: string; fill?: string; dashes?: boolean }>;

export type IconName = keyof typeof kIcons;

export function icon(name: IconName): SVGSVGElement {
  const { line, fill, dashes }: { line?: string; fill?: string; dashes?: boolean } = kIcons[name];
  const svg = document.createElementNS(kSvg, "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const add = (d: string, kind: string) => {
    const path = document.createElementNS(kSvg, "path");
    path.setAttribute("d", d);
    path.setAttribute("class", kind);
    svg.append(path);
  };
  if (line) add(line, dashes ? "stroke dashes" : "stroke");
  if (fill) add(fill, "fill");
  return svg;
}
