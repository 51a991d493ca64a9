// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Clicks, rectangles and lassos on the stage. It sees the pointer before the camera does, and keeps what is its own.

export type AreaMode = "none" | "rectangle" | "lasso";
type Pixel = [number, number];

export interface AreaListener {
  click(at: Pixel): void;
  /** A polygon in pixels. */
  select(polygon: Pixel[]): void;
  modeChanged(mode: AreaMode): void;
}

const kClickPixels = 5,
  kClickMs = 600,
  kLassoStep = 4,
  kMostCorners = 400;
const kSvg = "http://www.w3.org/2000/svg";

export class AreaTool {
  mode: AreaMode = "none";
  private from: { at: Pixel; when: number; id: number; alone: boolean } | null = null;
  private shape: AreaMode = "none";
  private corners: Pixel[] = [];
  private pressed = new Set<number>();
  private readonly path = document.createElementNS(kSvg, "path");
  private readonly overlay: SVGSVGElement;

  constructor(
    private readonly stage: HTMLElement,
    private readonly canvas: HTMLCanvasElement,
    private readonly listener: AreaListener,
  ) {
    this.overlay = document.createElementNS(kSvg, "svg");
    this.overlay.classList.add("overlay");
    this.overlay.setAttribute("aria-hidden", "true");
    this.overlay.append(this.path);
    canvas.after(this.overlay);
    const on = (
      name: "pointerdown" | "pointermove" | "pointerup" | "pointercancel",
      act: (event: PointerEvent) => void,
    ) => stage.addEventListener(name, act, { capture: true });
    on("pointerdown", (event) => this.down(event));
    on("pointermove", (event) => this.move(event));
    on("pointerup", (event) => this.up(event, true));
    on("pointercancel", (event) => this.up(event, false));
  }

  setMode(mode: AreaMode): void {
    this.mode = mode === this.mode ? "none" : mode;
    this.canvas.classList.toggle("crosshair", this.mode !== "none");
    this.listener.modeChanged(this.mode);
  }

  private place(event: PointerEvent): Pixel {
    const box = this.stage.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  private down(event: PointerEvent): void {
    if (event.target !== this.canvas) return;
    this.canvas.focus({ preventScroll: true });
    this.pressed.add(event.pointerId);
    if (event.button !== 0) return;
    const at = this.place(event);
    this.from = { at, when: performance.now(), id: event.pointerId, alone: this.pressed.size === 1 };
    this.shape = event.altKey ? "lasso" : event.shiftKey ? "rectangle" : this.mode;
    if (this.shape !== "none") {
      event.stopPropagation();
      this.canvas.setPointerCapture(event.pointerId);
      this.corners = [at];
    }
  }

  private move(event: PointerEvent): void {
    if (!this.from || this.shape === "none" || event.pointerId !== this.from.id) return;
    event.stopPropagation();
    const at = this.place(event),
      [x, y] = this.from.at;
    if (this.shape === "rectangle") {
      this.corners = [[x, y], [at[0], y], at, [x, at[1]]];
    } else if (Math.hypot(at[0] - this.corners.at(-1)![0], at[1] - this.corners.at(-1)![1]) >= kLassoStep) {
      this.corners.push(at);
      if (this.corners.length > kMostCorners) this.corners = this.corners.filter((_, i) => i % 2 === 0);
    }
    this.path.setAttribute("d", `M${this.corners.map((c) => c.join(" ")).join("L")}Z`);
  }

  private up(event: PointerEvent, meant: boolean): void {
    this.pressed.delete(event.pointerId);
    const from = this.from;
    if (!from || event.pointerId !== from.id) return;
    const at = this.place(event),
      far = Math.hypot(at[0] - from.at[0], at[1] - from.at[1]);
    this.from = null;
    this.path.removeAttribute("d");
    if (this.shape !== "none") event.stopPropagation();
    if (meant && from.alone && far < kClickPixels && performance.now() - from.when < kClickMs) {
      this.listener.click(from.at);
    } else if (meant && this.shape !== "none" && this.corners.length > 2) {
      this.listener.select(this.corners);
      if (this.mode !== "none") this.setMode("none");
    }
    this.shape = "none";
  }
}
