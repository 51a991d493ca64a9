// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Mouse, touch and pen on the map: pan, pinch, wheel, and rectangles with Shift or in rectangle mode.
import type { MapCamera } from "./camera";

export interface RectangleListener {
  /** Corners in pixels. `done`: the button was released. */
  drag(from: [number, number], to: [number, number], done: boolean): void;
  /** A press without a drag. */
  click(at: [number, number]): void;
}

const kClickPixels = 4;

export class MapGestures {
  /** The next drags are rectangles. */
  rectangleMode = false;
  private pointers = new Map<number, [number, number]>();
  private rectangleFrom: [number, number] | null = null;
  private began: [number, number] | null = null;
  private moved = false;

  constructor(
    private canvas: HTMLCanvasElement,
    private camera: MapCamera,
    private listener: RectangleListener,
  ) {
    canvas.addEventListener("pointerdown", (event) => this.down(event));
    canvas.addEventListener("pointermove", (event) => this.move(event));
    canvas.addEventListener("pointerup", (event) => this.up(event));
    canvas.addEventListener("pointercancel", (event) => this.up(event));
    canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    canvas.addEventListener("dblclick", (event) => camera.zoomAt(...this.place(event), 2));
  }

  private place(event: MouseEvent): [number, number] {
    const box = this.canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  private down(event: PointerEvent): void {
    if (event.button !== 0) return;
    const at = this.place(event);
    this.canvas.setPointerCapture(event.pointerId);
    this.canvas.focus({ preventScroll: true });
    this.pointers.set(event.pointerId, at);
    this.moved = this.pointers.size > 1;
    this.began = at;
    this.rectangleFrom = this.pointers.size === 1 && (event.shiftKey || this.rectangleMode) ? at : null;
  }

  private move(event: PointerEvent): void {
    const old = this.pointers.get(event.pointerId);
    if (!old || !this.began) return;
    const at = this.place(event);
    if (!this.moved && Math.hypot(at[0] - this.began[0], at[1] - this.began[1]) < kClickPixels) return;
    this.moved = true;
    if (this.rectangleFrom) {
      this.listener.drag(this.rectangleFrom, at, false);
    } else if (this.pointers.size === 1) {
      this.camera.panBy(at[0] - old[0], at[1] - old[1]);
    } else {
      const other = [...this.pointers].find(([id]) => id !== event.pointerId)![1];
      this.pinch(old, at, other);
    }
    this.pointers.set(event.pointerId, at);
  }

  private pinch(old: [number, number], at: [number, number], other: [number, number]): void {
    const before = Math.hypot(old[0] - other[0], old[1] - other[1]);
    const after = Math.hypot(at[0] - other[0], at[1] - other[1]);
    this.camera.panBy((at[0] - old[0]) / 2, (at[1] - old[1]) / 2);
    this.camera.zoomAt((at[0] + other[0]) / 2, (at[1] + other[1]) / 2, after / Math.max(before, 1));
  }

  private up(event: PointerEvent): void {
    if (!this.pointers.delete(event.pointerId)) return;
    const at = this.place(event);
    if (this.rectangleFrom && this.moved) {
      this.listener.drag(this.rectangleFrom, at, true);
    } else if (!this.moved && event.type === "pointerup") {
      this.listener.click(at);
    }
    this.rectangleFrom = null;
  }

  private wheel(event: WheelEvent): void {
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 24 : event.deltaMode === 2 ? 400 : 1;
    const change = Math.min(Math.max(event.deltaY * lines, -240), 240);
    this.camera.zoomAt(...this.place(event), Math.exp(-change * (event.ctrlKey ? 0.01 : 0.0022)));
  }
}
