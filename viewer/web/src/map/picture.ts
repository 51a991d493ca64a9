// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Draws the map: a grid, how dense the points are, dots, labels, the rectangle.
import type { MapPoint, MapView, Rect } from "../protocol";
import { cssColour, fitCanvas } from "../ui/dom";
import { amount } from "../ui/format";
import type { MapCamera } from "./camera";

export interface MapScene {
  view: MapView | null;
  /** What `view` was asked for. */
  viewRect: Rect | null;
  heatSize: [number, number];
  showHeat: boolean;
  /** The largest rank is the most important. */
  descending: boolean;
  rectangle: Rect | null;
  /** A place to point out. */
  marked: { x: number; y: number } | null;
}

interface Colours {
  back: string;
  grid: string;
  faint: string;
  dot: string;
  dotEdge: string;
  text: string;
  accent: string;
  accentFill: string;
}

const kBold = 12; // So many labels are bold.
const kFont = "system-ui, -apple-system, 'Segoe UI', sans-serif";

export class MapPicture {
  private colours!: Colours;
  private heat = document.createElement("canvas");
  private heatOf: MapView | null = null;
  private heatLight = false;

  constructor(
    private canvas: HTMLCanvasElement,
    private camera: MapCamera,
  ) {
    this.recolour();
  }

  recolour(): void {
    this.colours = {
      back: cssColour("--map-back"),
      grid: cssColour("--map-grid"),
      faint: cssColour("--faint"),
      dot: cssColour("--map-dot"),
      dotEdge: cssColour("--map-back"),
      text: cssColour("--text"),
      accent: cssColour("--accent2"),
      accentFill: cssColour("--accent2-fill"),
    };
    this.heatLight = document.documentElement.dataset.theme === "light";
    this.heatOf = null;
  }

  draw(scene: MapScene): void {
    const context = fitCanvas(this.canvas);
    const { width, height } = this.camera;
    context.fillStyle = this.colours.back;
    context.fillRect(0, 0, width, height);
    this.drawGrid(context);
    if (scene.view && scene.viewRect) {
      if (scene.showHeat && scene.view.heat) this.drawHeat(context, scene.view, scene.viewRect, scene.heatSize);
      this.drawDots(context, scene.view);
      this.drawLabels(context, scene.view.labels, scene.descending);
    }
    if (scene.rectangle) this.drawRectangle(context, scene.rectangle);
    if (scene.marked) this.drawMark(context, scene.marked);
  }

  private drawGrid(context: CanvasRenderingContext2D): void {
    const { width, height, scale } = this.camera,
      [x0, y0, x1, y1] = this.camera.rect();
    const rough = 130 / scale,
      power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough) ?? rough;
    context.strokeStyle = this.colours.grid;
    context.fillStyle = this.colours.faint;
    context.font = `11px ${kFont}`;
    context.textBaseline = "alphabetic";
    context.lineWidth = 1;
    context.beginPath();
    context.textAlign = "left";
    for (let i = Math.ceil(x0 / step); i * step <= x1; ++i) {
      const px = Math.round(this.camera.toPage(i * step, 0)[0]) + 0.5;
      context.moveTo(px, 0);
      context.lineTo(px, height);
      context.fillText(amount(Number((i * step).toPrecision(12))), px + 4, height - 6);
    }
    for (let i = Math.ceil(y0 / step); i * step <= y1; ++i) {
      const py = Math.round(this.camera.toPage(0, i * step)[1]) + 0.5;
      context.moveTo(0, py);
      context.lineTo(width, py);
      if (py > 96 && py < height - 24) context.fillText(amount(Number((i * step).toPrecision(12))), 6, py - 4);
    }
    context.stroke();
  }

  /** One pixel a cell, smoothed by the browser when it is enlarged. */
  private drawHeat(
    context: CanvasRenderingContext2D,
    view: MapView,
    rect: Rect,
    [columns, rows]: [number, number],
  ): void {
    if (this.heatOf !== view) {
      this.heatOf = view;
      this.heat.width = columns;
      this.heat.height = rows;
      const small = this.heat.getContext("2d")!,
        image = small.createImageData(columns, rows);
      const most = Math.log1p(view.heat!.reduce((a, b) => Math.max(a, b), 1));
      const [r, g, b, strength] = this.heatLight ? [30, 100, 200, 105] : [64, 140, 255, 120];
      for (let row = 0; row < rows; ++row) {
        for (let column = 0; column < columns; ++column) {
          const count = view.heat![(rows - 1 - row) * columns + column] ?? 0;
          image.data.set([r, g, b, (strength * Math.log1p(count)) / most], 4 * (row * columns + column));
        }
      }
      small.putImageData(image, 0, 0);
    }
    const [left, top] = this.camera.toPage(rect[0], rect[3]),
      [right, bottom] = this.camera.toPage(rect[2], rect[1]);
    context.imageSmoothingEnabled = true;
    context.imageSmoothingQuality = "high";
    context.drawImage(this.heat, left, top, right - left, bottom - top);
  }

  private drawDots(context: CanvasRenderingContext2D, view: MapView): void {
    const { x, y } = view.points,
      { width, height } = this.camera;
    context.fillStyle = this.colours.dot;
    // The least important first, so that the most important lie on top.
    for (let i = x.length - 1; i >= 0; --i) {
      const [px, py] = this.camera.toPage(x[i], y[i]);
      if (px < -8 || py < -8 || px > width + 8 || py > height + 8) continue;
      const radius = 1.15 + 4.2 / Math.sqrt(1 + i / 8);
      context.globalAlpha = 0.5 + 0.5 / Math.sqrt(1 + i / 200);
      context.beginPath();
      context.arc(px, py, radius, 0, 2 * Math.PI);
      context.fill();
      if (radius > 2.5) {
        context.strokeStyle = this.colours.dotEdge;
        context.stroke();
      }
    }
    context.globalAlpha = 1;
  }

  /** To the right of their dots, in letters of 12 pixels: so the engine laid them out (src/view/map_labels.cpp). */
  private drawLabels(context: CanvasRenderingContext2D, labels: MapPoint[], descending: boolean): void {
    // Labels that stay while the map is panned come first, whatever their rank.
    const sorted = [...labels].sort((a, b) => (descending ? b.rank - a.rank : a.rank - b.rank));
    context.textAlign = "left";
    context.textBaseline = "middle";
    context.lineJoin = "round";
    context.strokeStyle = this.colours.back;
    context.fillStyle = this.colours.text;
    context.lineWidth = 3.5;
    for (let i = sorted.length - 1; i >= 0; --i) {
      const label = sorted[i];
      if (!label.name) continue;
      const [px, py] = this.camera.toPage(label.x, label.y);
      context.font = `${i < kBold ? "600 " : ""}12px ${kFont}`;
      context.strokeText(label.name, px + 8, py);
      context.fillText(label.name, px + 8, py);
    }
  }

  private drawRectangle(context: CanvasRenderingContext2D, rect: Rect): void {
    const [left, top] = this.camera.toPage(rect[0], rect[3]),
      [right, bottom] = this.camera.toPage(rect[2], rect[1]);
    context.fillStyle = this.colours.accentFill;
    context.fillRect(left, top, right - left, bottom - top);
    context.strokeStyle = this.colours.accent;
    context.lineWidth = 1.5;
    context.strokeRect(left, top, right - left, bottom - top);
  }

  private drawMark(context: CanvasRenderingContext2D, { x, y }: { x: number; y: number }): void {
    const [px, py] = this.camera.toPage(x, y);
    context.strokeStyle = this.colours.accent;
    context.lineWidth = 2.5;
    context.beginPath();
    context.arc(px, py, 11, 0, 2 * Math.PI);
    context.stroke();
  }
}
