// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Where the map is looked at from. y is up, and x and y have the same scale.
import type { Rect } from "../protocol";
import { reducedMotion } from "../ui/dom";

const kFlightMs = 700;
const kMargin = 110;

export class MapCamera {
  x = 0;
  y = 0;
  /** Pixels of a unit. */
  scale = 1;
  width = 1;
  height = 1;
  private flight = 0;

  constructor(
    private bounds: Rect,
    private changed: () => void,
  ) {}

  /** Shows all of the bounds. */
  home(): void {
    const [x0, y0, x1, y1] = this.bounds;
    this.flyTo((x0 + x1) / 2, (y0 + y1) / 2, this.homeScale());
  }

  homeScale(): number {
    const [x0, y0, x1, y1] = this.bounds;
    const wide = x1 - x0 || y1 - y0 || 1,
      high = y1 - y0 || wide;
    // The tools lie on the right, and names reach beyond their points.
    const free = Math.max(this.width - kMargin, this.width / 2);
    return Math.min(free / wide, (0.92 * this.height) / high);
  }

  rect(): Rect {
    const w = this.width / 2 / this.scale,
      h = this.height / 2 / this.scale;
    return [this.x - w, this.y - h, this.x + w, this.y + h];
  }

  toPage(x: number, y: number): [number, number] {
    return [this.width / 2 + (x - this.x) * this.scale, this.height / 2 - (y - this.y) * this.scale];
  }

  toWorld(px: number, py: number): [number, number] {
    return [this.x + (px - this.width / 2) / this.scale, this.y - (py - this.height / 2) / this.scale];
  }

  panBy(dx: number, dy: number): void {
    this.stop();
    this.set(this.x - dx / this.scale, this.y + dy / this.scale, this.scale);
  }

  /** The place below the given pixel stays there. */
  zoomAt(px: number, py: number, factor: number): void {
    this.stop();
    const [x, y] = this.toWorld(px, py);
    const scale = this.limited(this.scale * factor);
    this.set(x - (px - this.width / 2) / scale, y + (py - this.height / 2) / scale, scale);
  }

  /** Without an animation. */
  set(x: number, y: number, scale: number): void {
    const [x0, y0, x1, y1] = this.bounds;
    this.x = Math.min(Math.max(x, x0), x1);
    this.y = Math.min(Math.max(y, y0), y1);
    this.scale = this.limited(scale);
    this.changed();
  }

  /** Moves there. A long way goes up and comes down again, so that one sees where it leads. */
  flyTo(x: number, y: number, scale: number): void {
    this.stop();
    if (reducedMotion.matches) {
      this.set(x, y, scale);
      return;
    }
    const from = { x: this.x, y: this.y, z: Math.log(this.scale) },
      to = Math.log(this.limited(scale));
    const far =
      (Math.hypot(x - from.x, y - from.y) * Math.exp(Math.min(from.z, to))) / Math.max(this.width, this.height);
    const climb = Math.max(0, Math.log(Math.max(far, 1e-9))) * 0.9;
    const began = performance.now();
    const move = (now: number) => {
      const part = Math.min(Math.max((now - began) / kFlightMs, 0), 1),
        eased = part * part * (3 - 2 * part);
      const z = from.z + (to - from.z) * eased - climb * Math.sin(Math.PI * eased);
      this.set(from.x + (x - from.x) * eased, from.y + (y - from.y) * eased, Math.exp(z));
      this.flight = part < 1 ? requestAnimationFrame(move) : 0;
    };
    this.flight = requestAnimationFrame(move);
  }

  private stop(): void {
    cancelAnimationFrame(this.flight);
    this.flight = 0;
  }

  private limited(scale: number): number {
    const home = this.homeScale();
    return Math.min(Math.max(scale, home / 4), home * 1e7);
  }
}
