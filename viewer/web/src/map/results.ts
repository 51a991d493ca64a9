// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The panel beside the map: a search, the best points of the rectangle, and how long the engine took.
import type { MapInfo, MapPoint, MapTop, MapView } from "../protocol";
import { button, el, section } from "../ui/dom";
import { amount, count, micros } from "../ui/format";
import { say } from "../ui/notices";

export interface ResultsActions {
  goTo(point: MapPoint): void;
  point(point: MapPoint | null): void;
  search(text: string): void;
  clear(): void;
  heat(shown: boolean): void;
}

export class Results {
  readonly search: HTMLInputElement;
  private found = el("ol", { class: "list", "aria-label": "Found points" });
  private summary = el("p", { class: "summary" });
  private best = el("ol", { class: "list numbered", "aria-label": "Best points in the rectangle" });
  private timing = el("dl", { class: "facts" });
  private rectangle: HTMLElement;

  constructor(
    panel: HTMLElement,
    private info: MapInfo,
    private actions: ResultsActions,
    heatShown: boolean,
  ) {
    this.search = el("input", {
      type: "search",
      placeholder: "Search names",
      "aria-label": "Search names",
      autocomplete: "off",
      spellcheck: "false",
      oninput: () => this.typed(),
    });
    this.search.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.found.querySelector("button")?.click();
      if (event.key === "Escape") this.clearSearch();
    });
    const clear = button("Clear", "Remove the rectangle (Esc)", () => actions.clear(), "small");
    this.rectangle = section("Rectangle", true, this.summary, this.best, clear);
    this.rectangle.classList.add("empty");
    const heat = el("input", { type: "checkbox", checked: heatShown });
    heat.addEventListener("change", () => actions.heat(heat.checked));
    panel.append(
      ...(info.names ? [el("div", { class: "search" }, this.search, this.found)] : []),
      this.rectangle,
      section("View", true, this.timing, el("label", { class: "check" }, heat, " Show how dense the points are")),
    );
    this.showBest(null, 0);
  }

  private typed(): void {
    const text = this.search.value.trim();
    if (text) {
      this.actions.search(text);
    } else {
      this.found.replaceChildren();
    }
  }

  private clearSearch(): void {
    this.search.value = "";
    this.found.replaceChildren();
    this.search.blur();
  }

  showFound(points: MapPoint[]): void {
    if (!this.search.value.trim()) return;
    this.found.replaceChildren(...points.map((point) => this.item(point)));
    if (!points.length) this.found.append(el("li", { class: "none" }, "No name has this text."));
    say(`${points.length} points found`);
  }

  /** The answer for the rectangle, or null: there is no rectangle. */
  showBest(top: MapTop | null, roundTripMs: number): void {
    this.rectangle.classList.toggle("empty", !top);
    if (!top) {
      this.summary.textContent = "Drag with Shift, or press R and drag: the most important points inside appear here.";
      this.best.replaceChildren();
      return;
    }
    this.summary.replaceChildren(
      el("b", {}, count(top.count)),
      ` points inside. The best ${top.points.length} took the engine `,
      el("b", {}, micros(top.us)),
      ` and the round trip ${roundTripMs.toFixed(1)} ms.`,
    );
    this.best.replaceChildren(...top.points.map((point) => this.item(point)));
  }

  private item(point: MapPoint): HTMLLIElement {
    const line = el(
      "button",
      {
        type: "button",
        class: "item",
        title: `${amount(point.x)}, ${amount(point.y)}: go there`,
        onclick: () => this.actions.goTo(point),
        onpointerenter: () => this.actions.point(point),
        onpointerleave: () => this.actions.point(null),
        onfocus: () => this.actions.point(point),
        onblur: () => this.actions.point(null),
      },
      el("span", { class: "name" }, point.name || `point ${point.i}`),
      el("span", { class: "value" }, amount(point.rank)),
    );
    return el("li", {}, line);
  }

  showView(view: MapView, roundTripMs: number): void {
    const rows: [string, string][] = [
      ["In view", `${count(view.count)} of ${count(this.info.points)}`],
      ["Drawn", `${count(view.points.x.length)} dots, ${count(view.labels.length)} labels`],
      ["Dots and labels", micros(view.us.top)],
      ["Exact count", micros(view.us.count)],
    ];
    if (view.us.heat !== undefined && view.heat) rows.push(["Density", micros(view.us.heat)]);
    rows.push(["Round trip", `${roundTripMs.toFixed(1)} ms`]);
    this.timing.replaceChildren(...rows.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]));
  }
}
