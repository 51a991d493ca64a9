// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A slider and a number for each parameter, and the restart.
import type { Connection } from "../connection";
import type { Parameter, WorldInfo } from "../protocol";
import { button, el, section, throttle } from "../ui/dom";
import { amount } from "../ui/format";
import { complain, say } from "../ui/notices";

const kSlots = 1000,
  kLogFrom = 200,
  kSkewBelow = 0.05,
  kFoldFrom = 12,
  kFewValues = 100;

interface Scale {
  /** The slider's range and step. */
  slots: { min: number; max: number; step: number | "any" };
  valueAt(slot: number): number;
  slotOf(value: number): number;
}

/**
 * From a slider's place to a value, and back. A few whole numbers have a place each. Wide ranges are
 * logarithmic. Where the range begins at 0, a power puts today's value into the middle.
 */
export function makeScale({ lo, hi, whole, value }: Parameter): Scale {
  if (whole && hi - lo <= kFewValues) {
    return { slots: { min: lo, max: hi, step: 1 }, valueAt: Math.round, slotOf: (v) => v };
  }
  const slots: Scale["slots"] = { min: 0, max: kSlots, step: "any" };
  const tidy = (v: number) => {
    const rounded = whole ? Math.round(v) : Number(v.toPrecision(4));
    return Math.min(Math.max(rounded, lo), hi);
  };
  const part = (v: number) => (hi > lo ? Math.min(Math.max((v - lo) / (hi - lo), 0), 1) : 0);
  if (lo > 0 && hi / lo >= kLogFrom) {
    const wide = Math.log(hi / lo);
    return {
      slots,
      valueAt: (slot) => tidy(lo * Math.exp((wide * slot) / kSlots)),
      slotOf: (v) => (kSlots * Math.log(Math.max(v, lo) / lo)) / wide,
    };
  }
  const now = part(value),
    skewed = lo >= 0 && now > 0 && now < kSkewBelow;
  const power = skewed ? Math.log(now) / Math.log(0.5) : lo >= 0 && now === 0 && hi - lo > 1000 ? 4 : 1;
  return {
    slots,
    valueAt: (slot) => tidy(lo + (hi - lo) * (slot / kSlots) ** power),
    slotOf: (v) => kSlots * part(v) ** (1 / power),
  };
}

export class Parameters {
  /** Values that wait for a restart. */
  private waiting = new Map<string, number>();
  private readonly seed = el("input", {
    type: "number",
    min: 0,
    step: 1,
    placeholder: "the same",
    "aria-label": "Seed",
  });
  private readonly list = el("div", { class: "parameters" });
  private readonly section: HTMLDetailsElement;
  private readonly note = el("p", { class: "summary" });

  constructor(
    panel: HTMLElement,
    private connection: Connection,
    info: WorldInfo,
    private restarted: (info: WorldInfo) => void,
  ) {
    const restart = button("Restart", "Begin again with this seed and these parameters", () => this.restart());
    this.section = section(
      info.parameters.length ? "Parameters" : "Restart",
      true,
      this.list,
      this.note,
      el("div", { class: "row" }, el("label", { class: "seed" }, "Seed ", this.seed), restart),
    );
    panel.append(this.section);
    this.fill(info);
  }

  /** There is nothing to set, and nothing to restart. */
  hide(): void {
    this.section.hidden = true;
  }

  fill(info: WorldInfo): void {
    this.waiting.clear();
    this.list.replaceChildren(...this.families(info.parameters));
    this.tell();
  }

  /** Many parameters fold into families: "guns.range" belongs to "guns". Those that act at once come first. */
  private families(parameters: Parameter[]): HTMLElement[] {
    const live = parameters.filter((p) => p.live),
      others = parameters.filter((p) => !p.live);
    const ordered = [...live, ...others];
    if (ordered.length < kFoldFrom) return ordered.map((p) => this.line(p));
    const families = new Map<string, Parameter[]>();
    for (const parameter of ordered) {
      const dot = parameter.name.indexOf("."),
        family = dot > 0 ? parameter.name.slice(0, dot) : "others";
      families.set(family, [...(families.get(family) ?? []), parameter]);
    }
    return [...families].map(([name, members], i) => {
      const summary = el("summary", {}, name, el("small", {}, ` ${members.length}`));
      return el("details", { class: "family", open: i === 0 }, summary, ...members.map((p) => this.line(p)));
    });
  }

  private line(parameter: Parameter): HTMLElement {
    const { name, lo, hi, whole, what, live } = parameter;
    const scale = makeScale(parameter),
      bounded = Number.isFinite(lo) && Number.isFinite(hi);
    const number = el("input", {
      type: "number",
      min: lo,
      max: hi,
      step: whole ? 1 : "any",
      "aria-label": name,
      id: `p-${name}`,
    });
    const slider = el("input", { type: "range", ...scale.slots, "aria-label": `${name}, slider` });
    const show = (value: number) => {
      number.value = String(Number(value.toPrecision(6))); // 0.35, also when it came as a float
      slider.value = String(scale.slotOf(value));
      slider.setAttribute("aria-valuetext", amount(value));
    };
    let wanted = parameter.value;
    const send = throttle(60, () => {
      this.connection.ask<Parameter>("set", { name, value: wanted }).then(
        (now) => {
          if (document.activeElement !== slider) show(now.value);
        },
        (why) => {
          show(parameter.value);
          complain(why);
        },
      );
    });
    const change = (value: number) => {
      wanted = value;
      show(value);
      if (live) {
        send();
      } else {
        this.waiting.set(name, value);
        this.tell();
      }
    };
    slider.addEventListener("input", () => change(scale.valueAt(Number(slider.value))));
    number.addEventListener("change", () => number.value !== "" && change(Number(number.value)));
    show(parameter.value);
    return el(
      "div",
      { class: "parameter", title: what },
      el("label", { for: `p-${name}` }, name, !live && el("small", {}, " at restart")),
      number,
      bounded && slider,
      el("p", { class: "what" }, what),
    );
  }

  private tell(): void {
    this.note.textContent = this.waiting.size ? `${[...this.waiting.keys()].join(", ")}: at the next restart.` : "";
  }

  private restart(): void {
    const fields: Record<string, unknown> = {};
    if (this.seed.value !== "") fields.seed = Number(this.seed.value);
    if (this.waiting.size) fields.parameters = Object.fromEntries(this.waiting);
    this.connection.ask<WorldInfo>("restart", fields).then((info) => {
      this.restarted(info);
      say("Restarted");
    }, complain);
  }
}
