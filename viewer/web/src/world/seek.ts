// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The slider of a recording. One question is under way at a time, and the latest place wins.
import type { Connection } from "../connection";
import { Latest } from "../latest";
import type { Status } from "../protocol";
import { el } from "../ui/dom";
import { count } from "../ui/format";
import { complain } from "../ui/notices";

const kPageParts = 20; // Page Up and Page Down move by this part of the recording.

export class SeekBar {
  readonly slider: HTMLInputElement;
  private readonly latest = new Latest();
  /** The slider belongs to the hand that holds it. */
  private held = false;
  private underWay = 0;
  private step: number;

  constructor(
    private readonly range: { first: number; last: number },
    private readonly connection: Connection,
    private readonly answered: (status: Status) => void,
  ) {
    this.step = range.first;
    this.slider = el("input", {
      type: "range",
      class: "seek",
      min: range.first,
      max: range.last,
      step: 1,
      value: range.first,
      role: "slider",
      "aria-label": "Step of the recording",
      title: "Step of the recording",
    });
    this.slider.addEventListener("input", () => this.seek(Number(this.slider.value)));
    this.slider.addEventListener("pointerdown", () => (this.held = true));
    for (const end of ["pointerup", "pointercancel", "lostpointercapture", "blur"] as const) {
      this.slider.addEventListener(end, () => (this.held = false));
    }
    this.slider.addEventListener("keydown", (event) => this.key(event));
    this.place(range.first);
  }

  /** The recording is at this step now. */
  show(step: number): void {
    this.step = step;
    if (!this.held && this.underWay === 0) this.place(step);
  }

  private place(step: number): void {
    this.slider.value = String(step);
    this.slider.setAttribute("aria-valuetext", `step ${count(step)} of ${count(this.range.last)}`);
  }

  /** Not every step may be recorded: arrows go to the state before and the state after. */
  private key(event: KeyboardEvent): void {
    const { first, last } = this.range,
      page = Math.max(1, Math.round((last - first) / kPageParts));
    const actions: Record<string, () => void> = {
      ArrowLeft: () => this.seek(this.step - 1),
      ArrowDown: () => this.seek(this.step - 1),
      ArrowRight: () => this.next(),
      ArrowUp: () => this.next(),
      PageDown: () => this.seek(this.step - page),
      PageUp: () => this.seek(this.step + page),
      Home: () => this.seek(first),
      End: () => this.seek(last),
    };
    const action = actions[event.key];
    if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    action();
  }

  private next(): void {
    if (this.step < this.range.last) this.ask("step", { steps: 1 });
  }

  private seek(wanted: number): void {
    const step = Math.min(Math.max(wanted, this.range.first), this.range.last);
    this.place(step);
    this.ask("seek", { step });
  }

  private ask(question: string, fields: Record<string, number>): void {
    this.latest.run(async () => {
      this.underWay += 1;
      let status: Status | null = null;
      try {
        status = await this.connection.ask<Status>(question, fields);
      } catch (why) {
        complain(why);
      }
      this.underWay -= 1;
      if (status) this.answered(status);
      else this.show(this.step);
    });
  }
}
