// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// How fast it goes: the line below the title, the section "Page", and the hash of the state.
import type { Connection } from "../connection";
import type { Frame, Status } from "../protocol";
import { button, el, section } from "../ui/dom";
import { amount, count, short } from "../ui/format";
import { complain } from "../ui/notices";

/** Counts over the last second. */
class Rate {
  private last = 0;
  private when = performance.now();
  perSecond = 0;

  measure(counter: number): void {
    const now = performance.now(),
      wide = (now - this.when) / 1000;
    if (wide > 0.2) {
      const fresh = (counter - this.last) / wide;
      this.perSecond += (fresh - this.perSecond) * Math.min(1, wide / 0.8);
      this.last = counter;
      this.when = now;
    }
  }
}

export class Facts {
  frames = 0;
  bytes = 0;
  dropped = 0;
  private frame: Frame | null = null;
  private readonly frameRate = new Rate();
  private readonly drawRate = new Rate();
  private readonly byteRate = new Rate();
  private readonly list = el("dl", { class: "facts" });
  private readonly rate = el("select", { "aria-label": "Frames a second, at most" });

  constructor(
    panel: HTMLElement,
    private readonly line: HTMLElement,
    private readonly connection: Connection,
    changed: () => void,
  ) {
    this.rate.append(...[60, 30, 15, 5, 1].map((n) => el("option", { value: n }, `${n} frames/s`)));
    this.rate.addEventListener("change", changed);
    const hash = el("output", { class: "hash" });
    const ask = button(
      "State hash",
      "A number that the whole state goes into",
      () => {
        this.connection
          .ask<{ step: number; hash: string }>("hash")
          .then((answer) => (hash.textContent = `${answer.hash} at step ${count(answer.step)}`), complain);
      },
      "small",
    );
    panel.append(
      section(
        "Frames and state",
        true,
        this.list,
        el("label", { class: "row by" }, "at most", this.rate),
        el("p", {}, ask, " ", hash),
      ),
    );
  }

  get wantedRate(): number {
    return Number(this.rate.value);
  }

  add(frame: Frame): void {
    this.frame = frame;
    this.dropped += frame.dropped;
  }

  show(status: Status | null, draws: number, skipped: number): void {
    this.frameRate.measure(this.frames);
    this.byteRate.measure(this.bytes);
    this.drawRate.measure(draws);
    const groups = this.frame?.groups ?? [];
    const sum = (of: (group: (typeof groups)[number]) => number) =>
      groups.reduce((total, group) => total + of(group), 0);
    const all = sum((g) => g.things),
      seen = sum((g) => g.inView),
      sent = sum((g) => g.sent);
    const steps = status?.playing ? `${count(status.steps_per_second)} steps/s` : "paused";
    const drawn = status?.playing ? ` · ${count(this.drawRate.perSecond)} fps` : "";
    this.line.textContent = `${count(seen)} of ${count(all)} in view · ${steps}${drawn}`;
    const rows: [string, string][] = [
      ["Steps", status?.playing ? `${amount(Number(status.steps_per_second.toPrecision(3)))} /s` : "paused"],
      ["Frames received", `${count(this.frameRate.perSecond)} /s, ${short(Math.round(this.byteRate.perSecond))}B/s`],
      ["Frames drawn", `${count(this.drawRate.perSecond)} /s`],
      ["Things in view", `${count(seen)} of ${count(all)}`],
      ["Drawn", count(sent)],
      ["Steps not sent", count(this.dropped)],
      ["Frames not drawn", count(skipped)],
    ];
    const cells = this.list.querySelectorAll("dd");
    if (cells.length === rows.length) {
      rows.forEach(([, value], i) => (cells[i]!.textContent = value));
    } else {
      this.list.replaceChildren(...rows.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]));
    }
  }
}
