// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The list of overlays, and the questions for those that are on.
import { type Connection, ConnectionLost } from "../connection";
import type { Overlay, OverlayInfo, WorldInfo } from "../protocol";
import { el, section } from "../ui/dom";
import { count, micros } from "../ui/format";
import { complain } from "../ui/notices";
import { theme } from "../ui/theme";
import { OverlayField, OverlayLines, type OverlayObject } from "./overlay_object";
import { amountGradient } from "./palette";
import type { WorldScene } from "./scene";

const kAskMs = 100,
  kAskLocalMs = 15,
  kMost = 5000;
/** None of them is a colour of things. */
const kColours = {
  dark: ["#b6f04a", "#ff5fd2", "#3ee6e6", "#ffe08a", "#d9c7ff", "#ffffff"],
  light: ["#4b8a00", "#c4008a", "#007f8f", "#8a5a00", "#5b3fc4", "#222222"],
};

/** A camera that rests still moves by rounding errors. */
function isSameView(a: number[], b: number[]): boolean {
  return a.every((v, i) => Math.abs(v - b[i]!) <= 1e-6 * Math.max(Math.abs(v), 1e-3));
}

interface Layer {
  info: OverlayInfo;
  on: boolean;
  object: OverlayObject | null;
  swatch: HTMLElement;
  numbers: HTMLElement;
  /** What the last question was about, and when it was asked. */
  askedFor: { step: number; matrix: number[] } | null;
  askedAt: number;
  busy: boolean;
  timer: number;
}

export class Overlays {
  readonly stats: Record<string, { answers: number; step: number; found: number; shown: number }> = {};
  private readonly layers: Layer[];
  private step = -1;

  constructor(
    panel: HTMLElement,
    private readonly connection: Connection,
    private readonly info: WorldInfo,
    private readonly scene: WorldScene,
  ) {
    this.layers = info.overlays.map((overlay) => ({
      info: overlay,
      on: false,
      object: null,
      swatch: el("i", { class: "swatch" }),
      numbers: el("span", { class: "value" }),
      askedFor: null,
      askedAt: -Infinity,
      busy: false,
      timer: 0,
    }));
    if (this.layers.length) {
      const lines = this.layers.map((layer, i) => this.line(layer, `overlay-${i}`));
      panel.append(section("Overlays", true, ...lines));
    }
    for (const layer of this.layers) {
      if (layer.info.on) this.turn(layer, true);
    }
  }

  private line(layer: Layer, id: string): HTMLElement {
    const { name, what } = layer.info;
    const box = el("input", { type: "checkbox", checked: layer.info.on, "aria-describedby": id });
    box.addEventListener("change", () => this.turn(layer, box.checked));
    return el(
      "div",
      { class: "layer" },
      el("div", { class: "row" }, el("label", { class: "check strong" }, box, layer.swatch, name), layer.numbers),
      el("p", { class: "what", id }, what),
    );
  }

  private turn(layer: Layer, on: boolean): void {
    layer.on = on;
    layer.askedFor = null;
    if (on) {
      layer.object ??= this.add(layer);
      this.ask(layer);
      return;
    }
    layer.numbers.textContent = "";
    if (layer.object) layer.object.object.visible = false;
    this.scene.invalidate();
  }

  private add(layer: Layer): OverlayObject {
    const { kind } = layer.info;
    const made =
      kind === "field"
        ? new OverlayField(this.info.dimensions === 2)
        : new OverlayLines(kind, this.scene.shared.viewProjection);
    made.paint(this.colour(layer));
    made.object.visible = false;
    this.scene.add(made.object);
    return made;
  }

  private colour(layer: Layer): string {
    const colours = kColours[theme()];
    return colours[this.layers.indexOf(layer) % colours.length]!;
  }

  /** Another theme. */
  paint(): void {
    for (const layer of this.layers) {
      const field = layer.info.kind === "field";
      layer.swatch.style.background = field ? amountGradient(theme()) : this.colour(layer);
      layer.object?.paint(this.colour(layer));
    }
    this.scene.invalidate();
  }

  /** A frame came, or the view changed, or both. */
  touch(step = this.step): void {
    this.step = step;
    for (const layer of this.layers) this.ask(layer);
  }

  /**
   * At most ten times a second over a network, and one at a time: what changed meanwhile is asked for
   * afterwards.
   */
  private ask(layer: Layer): void {
    if (!layer.on || layer.busy || layer.timer || this.connection.state !== "open") return;
    const matrix = Array.from(this.scene.camera.matrix.elements);
    const last = layer.askedFor;
    // All of a field is told, whatever the view.
    if (last?.step === this.step && (layer.info.kind === "field" || isSameView(last.matrix, matrix))) return;
    const wait = layer.askedAt + (this.connection.isLocal ? kAskLocalMs : kAskMs) - performance.now();
    if (wait > 0) {
      layer.timer = window.setTimeout(() => {
        layer.timer = 0;
        this.ask(layer);
      }, wait);
      return;
    }
    layer.askedFor = { step: this.step, matrix };
    layer.askedAt = performance.now();
    layer.busy = true;
    this.connection
      .ask<Overlay>("overlay", { name: layer.info.name, matrix, most: kMost })
      .then((answer) => this.show(layer, answer))
      .catch((why: unknown) => this.failed(layer, why))
      .finally(() => {
        layer.busy = false;
        this.ask(layer);
      });
  }

  private show(layer: Layer, answer: Overlay): void {
    const found = answer.found ?? answer.values.length,
      shown = answer.shown ?? found;
    const before = this.stats[layer.info.name];
    this.stats[layer.info.name] = { answers: (before?.answers ?? 0) + 1, step: answer.step, found, shown };
    if (!layer.on || !layer.object) return;
    layer.object.show(answer);
    const howMany = shown < found ? `${count(shown)} of ${count(found)}` : count(found);
    layer.numbers.textContent = layer.info.kind === "field" ? micros(answer.us) : `${howMany} · ${micros(answer.us)}`;
    this.scene.invalidate();
  }

  /** What cannot be answered is not asked again until the next step or view. */
  private failed(layer: Layer, why: unknown): void {
    if (why instanceof ConnectionLost) layer.askedFor = null;
    else layer.numbers.textContent = "no answer";
    complain(why);
  }
}
