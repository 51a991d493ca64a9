// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What a rectangle or a lasso has found: how many, how fast, and a table of the first of them.
import type { Row, Selection, WorldInfo } from "../protocol";
import { button, el } from "../ui/dom";
import { amount, count, micros } from "../ui/format";
import { icon } from "../ui/icons";
import { complain, say } from "../ui/notices";
import { columnsOf } from "./columns";

const kRowsShown = 50;

/** The clipboard's interface is there on secure pages alone, so there is another way. */
async function copy(text: string): Promise<void> {
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(text);
    return;
  }
  const area = el("textarea", { class: "spoken" }, text);
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

export class SelectedTable {
  private readonly card: HTMLElement;
  private readonly summary = el("p", { class: "summary" });
  private readonly table = el("div", { class: "table" });
  private selection: Selection | null = null;

  constructor(
    stage: HTMLElement,
    private readonly info: WorldInfo,
    private readonly inspect: (row: Row) => void,
  ) {
    const copyButton = button(
      "Copy as JSON",
      "Copy the rows as JSON",
      () => {
        copy(JSON.stringify(this.selection)).then(() => say("Copied"), complain);
        copyButton.textContent = "Copied";
        setTimeout(() => (copyButton.textContent = "Copy as JSON"), 1500);
      },
      "small",
    );
    this.card = el(
      "section",
      { class: "card selected", "aria-label": "Selection", hidden: true },
      el(
        "header",
        {},
        el("h2", {}, "Selection"),
        copyButton,
        button(icon("close"), "Close (Esc)", () => this.close(), "plain"),
      ),
      this.summary,
      this.table,
    );
    stage.append(this.card);
  }

  get open(): boolean {
    return !this.card.hidden;
  }

  close(): void {
    this.card.hidden = true;
  }

  show(selection: Selection): void {
    this.selection = selection;
    this.card.hidden = false;
    const shown = Math.min(selection.rows.length, kRowsShown);
    this.summary.replaceChildren(
      el("b", {}, count(selection.found)),
      " things inside, found in ",
      el("b", {}, micros(selection.us)),
      shown < selection.found ? `. The first ${shown}:` : ".",
    );
    this.table.replaceChildren(...this.tables(selection.rows.slice(0, kRowsShown)));
    say(`${selection.found} things inside`);
  }

  /** One table for each group, since groups have columns of their own. */
  private tables(rows: Row[]): HTMLElement[] {
    return this.info.groups.flatMap((group, g) => {
      const own = rows.filter((row) => row.group === g);
      if (!own.length) return [];
      const columns = columnsOf(group, own[0]!.values);
      const head = el(
        "tr",
        {},
        el("th", { scope: "col" }, group.name),
        ...columns.map((c) => el("th", { scope: "col" }, c)),
      );
      const body = own.map((row) =>
        el(
          "tr",
          {},
          el(
            "td",
            {},
            button(row.id, `Select ${row.id}`, () => this.inspect(row), "small"),
          ),
          ...columns.map((c) => {
            const value = row.values[c];
            const kind = c === group.colour && typeof value === "number" ? group.classes[value] : undefined;
            return el("td", {}, kind ?? (typeof value === "string" ? value : amount(value)));
          }),
        ),
      );
      return [el("table", {}, el("thead", {}, head), el("tbody", {}, ...body))];
    });
  }
}
