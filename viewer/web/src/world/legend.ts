// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The groups: how many things, what they are coloured by, what the colours mean, and whether they are shown.
import type { Frame, GroupInfo } from "../protocol";
import { el, section } from "../ui/dom";
import { amount, count } from "../ui/format";
import { theme } from "../ui/theme";
import { amountGradient, classColour, type PaletteKind } from "./palette";

interface Line {
  column: string | null;
  numbers: HTMLElement;
  key: HTMLElement;
  ends: [HTMLElement, HTMLElement] | null;
}

export class Legend {
  private readonly lines: Line[];
  private last: Frame | null = null;

  constructor(
    panel: HTMLElement,
    private groups: GroupInfo[],
    private changed: () => void,
    private shown: (group: number, on: boolean) => void,
  ) {
    this.lines = [];
    const parts = groups.map((group, i) => this.group(group, i));
    panel.append(section("Things", true, ...parts));
    this.paint();
  }

  /** The columns to colour by, as `watch` wants them. */
  columns(): (string | null)[] {
    return this.lines.map((line) => line.column);
  }

  kinds(): PaletteKind[] {
    return this.groups.map((group, i) => kindOf(group, this.lines[i]!.column));
  }

  private group(group: GroupInfo, i: number): HTMLElement {
    const line: Line = {
      column: group.colour,
      numbers: el("span", { class: "value" }),
      key: el("div", { class: "key" }),
      ends: null,
    };
    this.lines.push(line);
    const visible = el("input", { type: "checkbox", checked: true });
    visible.addEventListener("change", () => this.shown(i, visible.checked));
    const choice = el(
      "select",
      { "aria-label": `Colour ${group.name} by` },
      el("option", { value: "" }, "one colour"),
      ...group.columns.map((column) => el("option", { value: column }, column)),
    );
    choice.value = group.colour ?? "";
    choice.addEventListener("change", () => {
      line.column = choice.value || null;
      this.paint();
      this.changed();
    });
    return el(
      "div",
      { class: "group" },
      el("div", { class: "row" }, el("label", { class: "check strong" }, visible, ` ${group.name}`), line.numbers),
      group.columns.length > 0 && el("label", { class: "row by" }, "colour by", choice),
      line.key,
    );
  }

  /** Draws the keys again: another column, another theme. */
  paint(): void {
    this.lines.forEach((line, i) => {
      const group = this.groups[i]!;
      line.ends = null;
      if (line.column === null) {
        line.key.replaceChildren();
      } else if (isClasses(group, line.column)) {
        line.key.replaceChildren(
          ...group.classes.map((name, c) => {
            const swatch = el("i", { class: "swatch" });
            swatch.style.background = classColour(c, theme());
            return el("span", { class: "class" }, swatch, name);
          }),
        );
      } else {
        const bar = el("div", { class: "gradient" });
        bar.style.background = amountGradient(theme(), kindOf(group, line.column));
        line.ends = [el("span", {}, ""), el("span", {}, "")];
        line.key.replaceChildren(bar, el("div", { class: "row ends" }, ...line.ends));
      }
    });
    if (this.last) this.show(this.last);
  }

  show(frame: Frame): void {
    this.last = frame;
    for (const part of frame.groups) {
      const line = this.lines[part.index];
      if (!line) continue;
      line.numbers.textContent =
        part.inView === part.things ? count(part.things) : `${count(part.inView)} of ${count(part.things)}`;
      if (line.ends && part.colour) {
        line.ends[0].textContent = amount(Number(part.valueLo.toPrecision(4)));
        line.ends[1].textContent = amount(Number(part.valueHi.toPrecision(4)));
      }
    }
  }
}

function isClasses(group: GroupInfo, column: string): boolean {
  return group.classes.length > 0 && column === group.colour;
}

function kindOf(group: GroupInfo, column: string | null): PaletteKind {
  const ball = group.mark === "ball";
  if (column === null) return ball ? "fire" : "plain";
  if (isClasses(group, column)) return "classes";
  return !ball ? "amounts" : column === "age" ? "ageing" : "burning";
}
