// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// One panel of a sweep: thin curves of the runs, a thick one of their mean.
import type { Run } from "../protocol";
import { cssColour, el, fitCanvas } from "../ui/dom";
import { amount, count, short } from "../ui/format";
import { niceStep } from "../ui/steps";
import { type Cell, meanAt, type Range } from "./cells";

const kLeft = 44,
  kRight = 10,
  kTop = 10,
  kBottom = 20;

export interface PanelView {
  range: Range;
  lastStep: number;
  /** The step below the pointer. */
  hover: number | null;
}

export class Panel {
  readonly canvas = el("canvas", { class: "plot", "aria-hidden": "true" });
  visible = false;

  constructor(
    readonly cell: Cell | null,
    /** What its parameters are, for people. */
    readonly name: string,
  ) {}

  private x(step: number, view: PanelView): number {
    return kLeft + (step / (view.lastStep || 1)) * (this.canvas.clientWidth - kLeft - kRight);
  }

  private y(value: number, { range: { lo, hi } }: PanelView): number {
    const height = this.canvas.clientHeight - kTop - kBottom;
    return kTop + height * (1 - (value - lo) / (hi - lo));
  }

  /** The step at a pixel. */
  stepAt(px: number, view: PanelView): number {
    const part = (px - kLeft) / Math.max(this.canvas.clientWidth - kLeft - kRight, 1);
    return Math.min(Math.max(part, 0), 1) * view.lastStep;
  }

  draw(view: PanelView): void {
    if (!this.canvas.clientWidth || !this.canvas.clientHeight) return;
    const context = fitCanvas(this.canvas),
      { clientWidth: width, clientHeight: height } = this.canvas;
    context.clearRect(0, 0, width, height);
    this.drawAxes(context, view);
    if (!this.cell) {
      context.textAlign = "center";
      context.fillText("no run", (kLeft + width - kRight) / 2, height / 2);
      return;
    }
    context.lineJoin = "round";
    context.strokeStyle = cssColour("--accent");
    context.lineWidth = 1;
    context.globalAlpha = Math.max(0.12, Math.min(0.5, 1 / Math.sqrt(this.cell.runs.length)));
    for (const run of this.cell.runs) this.line(context, run, view);
    context.globalAlpha = 1;
    context.lineWidth = 2.5;
    const { means } = this.cell;
    this.line(context, { steps: means.map((m) => m.step), values: means.map((m) => m.mean) }, view);
    if (view.hover !== null) this.drawHover(context, view, view.hover);
  }

  private line(
    context: CanvasRenderingContext2D,
    { steps, values }: Pick<Run, "steps" | "values">,
    view: PanelView,
  ): void {
    context.beginPath();
    let pen = false;
    steps.forEach((step, i) => {
      const v = values[i] ?? null;
      if (v !== null && pen) context.lineTo(this.x(step, view), this.y(v, view));
      else if (v !== null) context.moveTo(this.x(step, view), this.y(v, view));
      pen = v !== null;
    });
    context.stroke();
    // A single row has no line.
    if (steps.length === 1 && values[0] !== null) {
      context.beginPath();
      context.arc(this.x(steps[0]!, view), this.y(values[0]!, view), context.lineWidth + 0.5, 0, 7);
      context.fillStyle = context.strokeStyle;
      context.fill();
    }
  }

  private drawAxes(context: CanvasRenderingContext2D, view: PanelView): void {
    const { clientWidth: width, clientHeight: height } = this.canvas,
      { lo, hi } = view.range;
    context.font = "11px system-ui, sans-serif";
    context.lineWidth = 1;
    context.strokeStyle = cssColour("--edge");
    context.fillStyle = cssColour("--faint");
    context.textAlign = "right";
    context.textBaseline = "middle";
    context.beginPath();
    const step = niceStep(hi - lo, Math.max(1, Math.min(5, (height - kTop - kBottom) / 34)));
    for (let i = Math.ceil(lo / step - 1e-9); i * step <= hi + 1e-9 * step; ++i) {
      const y = Math.round(this.y(i * step, view)) + 0.5;
      context.moveTo(kLeft, y);
      context.lineTo(width - kRight, y);
      context.fillText(short(Number((i * step).toPrecision(6))), kLeft - 6, y);
    }
    context.stroke();
    context.textBaseline = "alphabetic";
    const wide = niceStep(view.lastStep || 1, Math.max(2, Math.min(5, (width - kLeft) / 70)));
    for (let at = 0; at <= view.lastStep; at += wide) {
      const x = this.x(at, view);
      context.textAlign = at === 0 ? "left" : x > width - 30 ? "right" : "center";
      context.fillText(short(at), x > width - 30 ? width - kRight : x, height - 5);
    }
  }

  private drawHover(context: CanvasRenderingContext2D, view: PanelView, hover: number): void {
    const point = this.cell && meanAt(this.cell, hover);
    if (!point) return;
    const x = this.x(point.step, view),
      y = this.y(point.mean, view);
    context.fillStyle = cssColour("--faint");
    context.fillRect(x - 0.5, kTop, 1, this.canvas.clientHeight - kTop - kBottom);
    context.fillStyle = cssColour("--accent2");
    context.beginPath();
    context.arc(x, y, 3.5, 0, 7);
    context.fill();
    const left = x > this.canvas.clientWidth - 64 && x > kLeft + 44;
    context.textAlign = left ? "right" : "left";
    context.font = "600 12px system-ui, sans-serif";
    context.lineWidth = 3;
    context.strokeStyle = cssColour("--panel");
    const above = y < kTop + 16 ? y + 16 : y - 7,
      text = amount(Number(point.mean.toPrecision(4)));
    context.strokeText(text, x + (left ? -7 : 7), above);
    context.fillText(text, x + (left ? -7 : 7), above);
  }

  /** What stands below the pointer. */
  tell(hover: number): string {
    const point = this.cell && meanAt(this.cell, hover);
    if (!point) return "no run";
    const number = (v: number) => amount(Number(v.toPrecision(4)));
    const where = `${this.name ? `${this.name}\n` : ""}step ${count(point.step)}: `;
    if (point.runs === 1) return where + number(point.mean);
    const runs = `${count(point.runs)} runs, ${number(point.lo)} to ${number(point.hi)}`;
    return `${where}mean ${number(point.mean)}\n${runs}`;
  }
}
