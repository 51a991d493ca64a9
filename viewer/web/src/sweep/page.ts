// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The page of a sweep: a panel for each combination of the parameters that differ. The first parameter goes
// along the columns, the second along the rows; of further ones one value is chosen.
import { Connection } from "../connection";
import { Latest } from "../latest";
import type { Info, Run, SweepInfo } from "../protocol";
import { remember, remembered } from "../ui/address";
import { el, isTyping } from "../ui/dom";
import { amount, count } from "../ui/format";
import { makeHelp, toggleHelp } from "../ui/help";
import { makeLayout, type Layout } from "../ui/layout";
import { complain, say, showConnection } from "../ui/notices";
import { onTheme, toggleTheme } from "../ui/theme";
import { type Cell, makeCells, rangeOf, type Range } from "./cells";
import { Controls } from "./controls";
import { Panel, type PanelView } from "./panel";

class SweepPage {
  readonly connection = new Connection();
  readonly stats = { report: "", runs: 0, panels: 0, draws: 0, hover: null as string | null };
  private readonly layout: Layout;
  private readonly board = el("div", { class: "board" });
  private readonly tip = el("div", { class: "tip", role: "status", "aria-live": "off", hidden: true });
  private readonly controls: Controls;
  private readonly asking = new Latest();
  private readonly help = makeHelp("Keys and gestures", [
    ["point", "the values at a step, in all panels"],
    ["A", "common axes, or axes of its own for each panel"],
    ["T", "dark or light"],
    ["P", "show or hide the panel"],
    ["?", "this list"],
  ]);
  private readonly seen = new IntersectionObserver((entries) => this.noticed(entries));
  private cells = new Map<string, Cell>();
  private runs: Run[] = [];
  private range: Range = { lo: 0, hi: 1 };
  private panels: Panel[] = [];
  private hover: number | null = null;
  private redraw = 0;

  constructor(private readonly info: SweepInfo) {
    this.layout = makeLayout({
      title: info.title,
      canvasLabel: "",
      content: this.board,
      help: () => toggleHelp(this.help),
      resized: () => this.draw(),
    });
    document.getElementById("app")!.classList.add("sweep");
    const runs = `${count(info.runs)} runs · ${count(info.steps)} steps`;
    this.layout.line.textContent = info.vary.length ? `${runs} · ${info.vary.map((v) => v.name).join(" × ")}` : runs;
    this.controls = new Controls(this.layout.panel, info, remembered("report"), {
      report: () => this.ask(),
      axes: () => this.draw(),
      chosen: () => this.build(),
    });
    this.layout.stage.append(this.tip);
    this.board.addEventListener("pointermove", (event) => this.point(event));
    this.board.addEventListener("pointerdown", (event) => this.point(event));
    // A finger leaves at once: what it pointed at stays until the next tap.
    this.board.addEventListener("pointerleave", (event) => event.pointerType !== "touch" && this.leave());
    window.addEventListener("keydown", (event) => this.key(event));
    onTheme(() => this.draw());
  }

  async begin(): Promise<void> {
    this.connection.onState = (state) => {
      showConnection(state);
      if (state === "open") void this.opened();
    };
    await this.connection.open();
  }

  /** The server may show something else than before it was lost. */
  private async opened(): Promise<void> {
    try {
      const info = await this.connection.ask<Info>("info");
      if (JSON.stringify(info) !== JSON.stringify(this.info)) {
        location.reload();
        return;
      }
      this.ask();
    } catch (why) {
      complain(why);
    }
  }

  private ask(): void {
    this.asking.run(async () => {
      const report = this.controls.report;
      if (!report) return;
      try {
        this.runs = (await this.connection.ask<{ runs: Run[] }>("curves", { report })).runs;
      } catch (why) {
        complain(why);
        return;
      }
      remember("report", report);
      this.stats.report = report;
      this.stats.runs = this.runs.length;
      this.cells = makeCells(this.info, this.runs);
      this.range = rangeOf(this.runs);
      this.build();
      this.controls.showTable(this.info, [...this.cells.values()]);
      say(`Curves of ${report}`);
    });
  }

  /** The grid of panels, for the values that are chosen. */
  private build(): void {
    const [across, down] = this.info.vary;
    const columns = across?.values ?? [null],
      rows = down?.values ?? [null];
    this.seen.disconnect();
    this.panels = [];
    this.board.replaceChildren();
    this.board.style.gridTemplateColumns = `${down ? "auto " : ""}repeat(${columns.length}, minmax(var(--least), 1fr))`;
    // A single row of many panels would be too high.
    const high = across && !down ? "420px" : "1fr";
    this.board.style.gridTemplateRows = `${across ? "auto " : ""}repeat(${rows.length}, minmax(120px, ${high}))`;
    if (across && down) this.board.append(el("span"));
    if (across)
      this.board.append(...across.values.map((v) => el("span", { class: "column" }, `${across.name} = ${amount(v)}`)));
    rows.forEach((row, y) => {
      if (down) this.board.append(el("span", { class: "side" }, el("span", {}, `${down.name} = ${amount(row)}`)));
      columns.forEach((_, x) => {
        const at = [...(across ? [x] : []), ...(down ? [y] : []), ...this.controls.chosen];
        const panel = new Panel(this.cells.get(at.join()) ?? null, this.nameOf(at));
        this.panels.push(panel);
        this.board.append(el("figure", { class: "cell" }, panel.canvas));
        this.seen.observe(panel.canvas);
      });
    });
    this.stats.panels = this.panels.length;
    this.draw();
  }

  private nameOf(at: number[]): string {
    return this.info.vary.map(({ name, values }, i) => `${name} = ${amount(values[at[i]!])}`).join(", ");
  }

  private viewOf(panel: Panel): PanelView {
    const range = this.controls.ownAxes && panel.cell ? rangeOf(panel.cell.runs) : this.range;
    return { range, lastStep: this.info.steps, hover: this.hover };
  }

  /** Panels that are not in sight are not drawn. */
  private noticed(entries: IntersectionObserverEntry[]): void {
    for (const entry of entries) {
      const panel = this.panels.find(({ canvas }) => canvas === entry.target);
      if (panel) panel.visible = entry.isIntersecting;
    }
    this.draw();
  }

  private draw(): void {
    this.redraw ||= requestAnimationFrame(() => {
      this.redraw = 0;
      for (const panel of this.panels) {
        if (panel.visible) panel.draw(this.viewOf(panel));
      }
      this.stats.draws += 1;
      if (this.panels.some(({ visible }) => visible)) document.documentElement.dataset.ready = "1";
    });
  }

  private point(event: PointerEvent): void {
    const panel = this.panels.find(({ canvas }) => canvas === event.target);
    if (!panel) {
      this.leave();
      return;
    }
    this.hover = panel.stepAt(event.offsetX, this.viewOf(panel));
    this.stats.hover = this.tip.textContent = panel.tell(this.hover);
    this.tip.hidden = false;
    const stage = this.layout.stage.getBoundingClientRect(),
      { offsetWidth: width, offsetHeight: height } = this.tip;
    const x = event.clientX - stage.left,
      y = event.clientY - stage.top;
    const left = x + 16 + width > stage.width ? x - width - 16 : x + 16,
      top = y + 16 + height > stage.height ? y - height - 16 : y + 16;
    this.tip.style.transform = `translate(${Math.max(left, 4)}px, ${Math.max(top, 4)}px)`;
    this.draw();
  }

  private leave(): void {
    if (this.hover === null) return;
    this.hover = null;
    this.tip.hidden = true;
    this.draw();
  }

  private key(event: KeyboardEvent): void {
    if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey || (this.help.open && event.key !== "?"))
      return;
    const actions: Record<string, () => void> = {
      a: () => this.controls.toggleAxes(),
      t: toggleTheme,
      p: () => this.layout.togglePanel(),
      "?": () => toggleHelp(this.help),
    };
    const action = actions[event.key.toLowerCase()];
    if (action) {
      event.preventDefault();
      action();
    }
  }
}

export async function start(info: Info): Promise<void> {
  const page = new SweepPage(info as SweepInfo);
  Object.assign(window, { juxta: { kind: "sweep", connection: page.connection, stats: page.stats } });
  await page.begin();
}
