// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Curves of what a world reports, and the time that the parts of a step take.
import type { History, Status, WorldInfo } from "../protocol";
import { cssColour, el, fitCanvas, section } from "../ui/dom";
import { amount } from "../ui/format";
import { theme } from "../ui/theme";
import { classColour } from "./palette";

const kMostRows = 2000,
  kStageRows = 160,
  kStageMean = 20;

/** What was reported, step by step. When there is too much of it, every second row goes. */
class Past {
  steps: number[] = [];
  rows: (number | null)[][] = [];

  /** In a recording, rows may come in any order. Elsewhere an earlier step says that the run began anew. */
  constructor(private readonly anyOrder: boolean) {}

  add(step: number, row: (number | null)[]): void {
    const last = this.steps.at(-1);
    if (last !== undefined && step < last && !this.anyOrder) this.clear();
    const before = this.indexAt(step);
    if (this.steps[before] === step) return;
    this.steps.splice(before + 1, 0, step);
    this.rows.splice(before + 1, 0, row);
    if (this.steps.length > kMostRows) {
      this.steps = this.steps.filter((_, i) => i % 2 === 0);
      this.rows = this.rows.filter((_, i) => i % 2 === 0);
    }
  }

  /** The last row at or before a step, or -1. */
  indexAt(step: number): number {
    let lo = 0,
      hi = this.steps.length;
    while (lo < hi) {
      const middle = (lo + hi) >> 1;
      if (this.steps[middle]! <= step) lo = middle + 1;
      else hi = middle;
    }
    return lo - 1;
  }

  clear(): void {
    this.steps = [];
    this.rows = [];
  }
}

interface Curve {
  canvas: HTMLCanvasElement;
  value: HTMLElement;
}

export class Plots {
  private readonly record: Past;
  /** The step that is shown. In a recording there may be reports of later ones. */
  private now = 0;
  private readonly stageRows: number[][] = [];
  private readonly curves: Curve[];
  private readonly stageCanvas = el("canvas", {
    class: "plot tall",
    role: "img",
    "aria-label": "Milliseconds of each part of the last steps",
  });
  private readonly stageValues: HTMLElement[];
  private readonly total = el("b", {}, "–");
  private readonly swatches: HTMLElement[];
  private drawn = 0;

  constructor(
    panel: HTMLElement,
    private info: WorldInfo,
  ) {
    this.record = new Past(info.recording !== null);
    this.curves = info.reports.map((name) => ({
      canvas: el("canvas", { class: "plot", role: "img", "aria-label": `Curve of ${name}` }),
      value: el("span", { class: "value" }, "–"),
    }));
    if (info.reports.length) {
      panel.append(
        section(
          "Reports",
          true,
          ...this.curves.map(({ canvas, value }, i) =>
            el("div", { class: "curve" }, el("div", { class: "row" }, el("span", {}, info.reports[i]!), value), canvas),
          ),
        ),
      );
    }
    this.stageValues = info.stages.map(() => el("dd", {}, "–"));
    this.swatches = info.stages.map(() => el("i", { class: "swatch" }));
    if (info.stages.length) {
      const list = el(
        "dl",
        { class: "facts" },
        ...info.stages.flatMap((name, i) => [el("dt", {}, this.swatches[i]!, name), this.stageValues[i]!]),
      );
      panel.append(
        section("Time of a step", true, this.stageCanvas, el("p", { class: "summary" }, this.total, " a step"), list),
      );
    }
  }

  /** The reports from before this page was opened. */
  load(history: History): void {
    this.record.clear();
    history.steps.forEach((step, i) =>
      this.record.add(
        step,
        this.info.reports.map((name) => history.reports[name]?.[i] ?? null),
      ),
    );
    this.drawSoon(true);
  }

  clear(): void {
    this.record.clear();
    this.stageRows.length = 0;
  }

  add(status: Status): void {
    this.now = status.step;
    if (status.report.length) this.record.add(status.step, status.report);
    if (status.stage_ms.length && status.playing) {
      this.stageRows.push(status.stage_ms.map((ms) => ms ?? 0));
      if (this.stageRows.length > kStageRows) this.stageRows.shift();
    }
    this.drawSoon(!status.playing);
  }

  /** At most five times a second. */
  drawSoon(now = false): void {
    if (!now && performance.now() - this.drawn < 200) return;
    this.drawn = performance.now();
    this.curves.forEach((curve, i) => this.drawCurve(curve, i));
    this.drawStages();
  }

  private drawCurve({ canvas, value }: Curve, column: number): void {
    const { steps, rows } = this.record;
    const at = (i: number) => rows[i]?.[column] ?? null;
    const now = this.record.indexAt(this.now);
    value.textContent = amount(at(now));
    if (!canvas.clientWidth || steps.length < 2) return;
    const context = fitCanvas(canvas),
      width = canvas.clientWidth,
      height = canvas.clientHeight;
    context.clearRect(0, 0, width, height);
    let lo = Infinity,
      hi = -Infinity;
    for (let i = 0; i < steps.length; ++i) {
      const v = at(i);
      if (v === null) continue;
      lo = Math.min(lo, v);
      hi = Math.max(hi, v);
    }
    if (lo > hi) return;
    const first = steps[0]!,
      span = steps.at(-1)! - first || 1,
      high = hi - lo || 1;
    const x = (step: number) => 1 + ((step - first) / span) * (width - 5),
      y = (v: number) => height - 4 - ((v - lo) / high) * (height - 8);
    context.beginPath();
    let pen = false;
    steps.forEach((step, i) => {
      const v = at(i);
      if (v !== null && pen) context.lineTo(x(step), y(v));
      else if (v !== null) context.moveTo(x(step), y(v));
      pen = v !== null;
    });
    context.strokeStyle = context.fillStyle = cssColour("--accent");
    context.lineWidth = 1.5;
    context.lineJoin = "round";
    context.stroke();
    this.drawNow(context, x(steps[Math.max(now, 0)]!), at(now) === null ? null : y(at(now)!), height);
    context.font = "10px system-ui, sans-serif";
    context.lineWidth = 3;
    context.strokeStyle = cssColour("--raised");
    const end = (v: number, y: number) => {
      const text = amount(Number(v.toPrecision(4)));
      context.strokeText(text, 3, y);
      context.fillText(text, 3, y);
    };
    end(hi, 10);
    if (hi > lo) end(lo, height - 3);
  }

  /** A dot at the step that is shown, and a line when the curve goes on behind it. */
  private drawNow(context: CanvasRenderingContext2D, x: number, y: number | null, height: number): void {
    if (y !== null) {
      context.beginPath();
      context.arc(x, y, 2.5, 0, 7);
      context.fill();
    }
    context.fillStyle = cssColour("--faint");
    if (this.now < (this.record.steps.at(-1) ?? 0)) context.fillRect(x - 0.5, 0, 1, height);
  }

  private drawStages(): void {
    const rows = this.stageRows,
      canvas = this.stageCanvas;
    const recent = rows.slice(-kStageMean);
    const mean = (i: number) => recent.reduce((sum, row) => sum + row[i]!, 0) / Math.max(recent.length, 1);
    if (!rows.length) return;
    this.stageValues.forEach((cell, i) => (cell.textContent = `${mean(i).toFixed(mean(i) < 10 ? 2 : 1)} ms`));
    const total = this.info.stages.reduce((sum, _, i) => sum + mean(i), 0);
    this.total.textContent = `${total.toFixed(total < 10 ? 2 : 1)} ms`;
    this.swatches.forEach((swatch, i) => (swatch.style.background = classColour(i, theme())));
    if (!canvas.clientWidth) return;
    const context = fitCanvas(canvas),
      width = canvas.clientWidth,
      height = canvas.clientHeight;
    context.clearRect(0, 0, width, height);
    const sums = rows.map((row) => row.reduce((a, b) => a + b, 0));
    // One slow step must not flatten all others.
    const top = [...sums].sort((a, b) => a - b)[Math.floor(0.97 * (sums.length - 1))]! * 1.15 || 1;
    const below = new Array<number>(rows.length).fill(0),
      x = (i: number) => width - ((rows.length - 1 - i) * width) / (kStageRows - 1);
    const y = (v: number) => height - (Math.min(v, top) / top) * height;
    for (let stage = 0; stage < this.info.stages.length; ++stage) {
      context.beginPath();
      below.forEach((v, i) => context.lineTo(x(i), y(v)));
      for (let i = rows.length - 1; i >= 0; --i) {
        below[i]! += rows[i]![stage] ?? 0;
        context.lineTo(x(i), y(below[i]!));
      }
      context.fillStyle = classColour(stage, theme());
      context.globalAlpha = 0.85;
      context.fill();
    }
    context.globalAlpha = 1;
  }
}
