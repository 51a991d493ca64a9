// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Play, pause, step and speed, at the bottom of the stage.
import type { Connection } from "../connection";
import type { Status } from "../protocol";
import { button, el } from "../ui/dom";
import { count } from "../ui/format";
import { complain, say, toast } from "../ui/notices";

const kSpeeds = [1, 5, 15, 30, 60, 120, 240, 600];

export class Transport {
  status: Status | null = null;
  onStatus: (status: Status) => void = () => {};
  private play: HTMLButtonElement;
  private speed: HTMLSelectElement;
  private step = el("output", { class: "step", "aria-label": "Step" }, "–");
  private rate = el("span", { class: "rate" });
  private ended = el("p", { class: "ended", role: "status", hidden: true });

  constructor(
    stage: HTMLElement,
    private connection: Connection,
  ) {
    this.play = button("▶", "Play (space)", () => this.toggle(), "primary round");
    const one = button("▸|", "One step (.)", () => this.one(), "round");
    this.speed = el("select", { "aria-label": "Speed: steps a second at most", title: "Steps a second, at most" });
    this.speed.addEventListener("change", () => this.ask("speed", { steps_per_second: Number(this.speed.value) }));
    this.fillSpeeds(60);
    stage.append(
      el(
        "div",
        { class: "transport", role: "group", "aria-label": "Run" },
        this.ended,
        el(
          "div",
          { class: "buttons" },
          this.play,
          one,
          this.speed,
          el("span", { class: "counter" }, this.step, this.rate),
        ),
      ),
    );
  }

  toggle(): void {
    this.ask(this.status?.playing ? "pause" : "play");
  }

  one(): void {
    this.ask("step", { steps: 1 });
  }

  faster(direction: 1 | -1): void {
    const next = this.speed.options[this.speed.selectedIndex + direction];
    if (next) this.ask("speed", { steps_per_second: Number(next.value) });
  }

  /** A status arrived, as an answer or by itself. */
  show(status: Status): void {
    if (this.status && this.status.playing !== status.playing)
      say(status.playing ? "Playing" : `Paused at step ${status.step}`);
    if (status.ended && status.ended !== this.status?.ended) toast(status.ended);
    this.status = status;
    this.play.textContent = status.playing ? "❚❚" : "▶";
    const what = status.playing ? "Pause (space)" : "Play (space)";
    this.play.title = what;
    this.play.setAttribute("aria-label", what);
    this.play.setAttribute("aria-pressed", "false");
    this.step.textContent = `step ${count(status.step)}`;
    this.rate.textContent = status.playing ? `${count(status.steps_per_second)} steps/s` : "paused";
    this.ended.hidden = !status.ended;
    this.ended.textContent = status.ended ? `It ended: ${status.ended}` : "";
    if (document.activeElement !== this.speed) this.fillSpeeds(status.speed);
    this.onStatus(status);
  }

  private fillSpeeds(now: number): void {
    if (this.speed.options.length && Number(this.speed.value) === now) return;
    const all = [...new Set([...kSpeeds, ...(now > 0 ? [now] : [])])].sort((a, b) => a - b);
    this.speed.replaceChildren(
      ...all.map((s) => el("option", { value: s }, `${s} steps/s`)),
      el("option", { value: 0 }, "as fast as it can"),
    );
    this.speed.value = String(now);
  }

  private ask(question: string, fields: Record<string, unknown> = {}): void {
    this.connection.ask<Status>(question, fields).then((status) => this.show(status), complain);
  }
}
