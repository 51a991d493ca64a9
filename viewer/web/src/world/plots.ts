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

  add(step: number, row: (number | null)[]): void {
    const last = this.steps.at(-1);
    if (last !== undefined && step === last) return;
    if (last !== undefined && step < last) this.clear();
    this.steps.push(step);
    this.rows.push(row);
    if (this.steps.length > kMostRows) {
      this.steps = this.steps.filter((_, i) => i % 2 === 0);
      this.rows = this.rows.filter((_, i) => i % 2 === 0);
    }
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
  private readonly record = new Past();
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
    value.textContent = amount(rows.at(-1)?.[column]);
    if (!canvas.clientWidth || steps.length < 2) return;
    const context = fitCanvas(canvas),
      width = canvas.clientWidth,
      height = canvas.clientHeight;
    context.clearRect(0, 0, width, height);
    let lo = Infinity,
      hi = -Infinity;
    for (const row of rows) {
      const v = row[column];
      if (v === null || v === undefined) continue;
      lo = Math.min(lo, v);
      hi = Math.max(hi, v);
    }
    if (lo > hi) return;
    const first = steps[0]!,
      span = steps.at(-1)! - first || 1,
      high = hi - lo || 1;
    const x = (i: number) => 1 + ((steps[i]! - first) / span) * (width - 5),
      y = (v: number) => height - 4 - ((v - lo) / high) * (height - 8);
    context.strokeStyle = cssColour("--accent");
    context.lineWidth = 1.5;
    context.lineJoin = "round";
    context.beginPath();
    let pen = false,
      end: [number, number] = [0, 0];
    rows.forEach((row, i) => {
      const v = row[column];
      if (v === null || v === undefined) {
        pen = false;
        return;
      }
      end = [x(i), y(v)];
      if (pen) context.lineTo(...end);
      else context.moveTo(...end);
      pen = true;
    });
    context.stroke();
    context.fillStyle = cssColour("--accent");
    context.beginPath();
    context.arc(...end, 2.5, 0, 7);
    context.fill();
    context.fillStyle = cssColour("--faint");
    context.font = "10px system-ui, sans-serif";
    context.fillText(amount(Number(hi.toPrecision(4))), 2, 10);
    if (hi > lo) context.fillText(amount(Number(lo.toPrecision(4))), 2, height - 3);
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
