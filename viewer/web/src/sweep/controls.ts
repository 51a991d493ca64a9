// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The panel of a sweep: which report, which axes, which values of further parameters, and a table.
import type { SweepInfo } from "../protocol";
import { el, section } from "../ui/dom";
import { amount, count } from "../ui/format";
import type { Cell } from "./cells";

export interface ControlsActions {
  report(): void;
  axes(): void;
  chosen(): void;
}

export class Controls {
  private readonly choice: HTMLSelectElement;
  private readonly own = el("input", { type: "checkbox" });
  /** Of the third parameter, and those behind it. */
  private readonly further: HTMLSelectElement[];
  private readonly table = el("div", { class: "table" });

  constructor(
    panel: HTMLElement,
    info: SweepInfo,
    report: string | null,
    private readonly actions: ControlsActions,
  ) {
    const options = info.reports.map((name) => el("option", { value: name }, name));
    this.choice = el("select", { "aria-label": "Report" }, ...options);
    if (report !== null && info.reports.includes(report)) this.choice.value = report;
    this.choice.addEventListener("change", () => actions.report());
    this.own.addEventListener("change", () => actions.axes());
    this.further = info.vary.slice(2).map(({ name, values }) => {
      const select = el(
        "select",
        { "aria-label": name },
        ...values.map((v, i) => el("option", { value: i }, amount(v))),
      );
      select.addEventListener("change", () => actions.chosen());
      return select;
    });
    panel.append(
      section(
        "Curves",
        true,
        el("label", { class: "row choice" }, "Report", this.choice),
        ...this.further.map((select, i) => el("label", { class: "row choice" }, info.vary[i + 2]!.name, select)),
        el("label", { class: "check" }, this.own, "Each panel has an axis of its own"),
        el("p", { class: "what" }, "Thin: one run. Thick: the mean over seeds."),
      ),
      section("Last values", true, this.table),
    );
  }

  get report(): string {
    return this.choice.value;
  }

  get ownAxes(): boolean {
    return this.own.checked;
  }

  get chosen(): number[] {
    return this.further.map((select) => Number(select.value));
  }

  toggleAxes(): void {
    this.own.checked = !this.own.checked;
    this.actions.axes();
  }

  /** The same in numbers, for all combinations. */
  showTable(info: SweepInfo, cells: Cell[]): void {
    const head = [...info.vary.map(({ name }) => name), "runs", "mean", "least", "most"];
    const sorted = [...cells].sort((a, b) => {
      const differs = a.at.findIndex((v, i) => v !== b.at[i]);
      return differs < 0 ? 0 : a.at[differs]! - b.at[differs]!;
    });
    const rows = sorted.map(({ at, runs, means }) => {
      const last = means.at(-1);
      const numbers = [last?.mean, last?.lo, last?.hi].map((v) =>
        amount(v === undefined ? v : Number(v.toPrecision(4))),
      );
      const where = at.map((v, i) => el("th", { scope: "row" }, amount(info.vary[i]!.values[v])));
      return el("tr", {}, ...where, ...[count(runs.length), ...numbers].map((text) => el("td", {}, text)));
    });
    this.table.replaceChildren(
      el(
        "table",
        { class: "numbers" },
        el("caption", {}, `${this.report}, where the runs end`),
        el("thead", {}, el("tr", {}, ...head.map((name) => el("th", { scope: "col" }, name)))),
        el("tbody", {}, ...rows),
      ),
    );
  }
}
