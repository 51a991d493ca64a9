// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Play, pause, step and speed, at the bottom of the stage. A recording has a slider above them.
import type { Connection } from "../connection";
import type { Status, WorldInfo } from "../protocol";
import { button, el } from "../ui/dom";
import { count } from "../ui/format";
import { icon } from "../ui/icons";
import { complain, say, toast } from "../ui/notices";
import { SeekBar } from "./seek";

const kSpeeds = [1, 5, 15, 30, 60, 120, 240, 600];

export class Transport {
  status: Status | null = null;
  onStatus: (status: Status) => void = () => {};
  private readonly play: HTMLButtonElement;
  private readonly speed: HTMLSelectElement;
  private readonly seek: SeekBar | null;
  private readonly step = el("output", { class: "step", "aria-label": "Step" }, "–");
  private readonly rate = el("span", { class: "rate" });
  private readonly ended = el("p", { class: "ended", role: "status", hidden: true });

  constructor(
    stage: HTMLElement,
    private readonly connection: Connection,
    private readonly recording: WorldInfo["recording"],
  ) {
    this.play = button(icon("play"), "Play (space)", () => this.toggle(), "primary round");
    const one = button(icon("step"), "One step (.)", () => this.one(), "round");
    this.speed = el("select", { "aria-label": "Speed: steps a second at most", title: "Steps a second, at most" });
    this.speed.addEventListener("change", () => this.ask("speed", { steps_per_second: Number(this.speed.value) }));
    this.fillSpeeds(60);
    this.seek = recording && new SeekBar(recording, connection, (status) => this.show(status));
    const counter = el("span", { class: "counter" }, this.step, this.rate);
    stage.append(
      el(
        "div",
        { class: recording ? "transport wide" : "transport", role: "group", "aria-label": "Run" },
        this.ended,
        this.seek?.slider,
        el("div", { class: "buttons" }, this.play, one, this.speed, counter),
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
    const before = this.status;
    if (before && before.playing !== status.playing)
      say(status.playing ? "Playing" : `Paused at step ${count(status.step)}`);
    if (status.ended && status.ended !== before?.ended) toast(status.ended);
    this.status = status;
    if (before?.playing !== status.playing) {
      this.play.replaceChildren(icon(status.playing ? "pause" : "play"));
      const what = status.playing ? "Pause (space)" : "Play (space)";
      this.play.title = what;
      this.play.setAttribute("aria-label", what);
    }
    const last = this.recording ? ` of ${count(this.recording.last)}` : "";
    this.step.textContent = `step ${count(status.step)}${last}`;
    this.rate.textContent = status.playing ? `${count(status.steps_per_second)} steps/s` : "paused";
    this.ended.hidden = !status.ended;
    this.ended.textContent = status.ended ? `It ended: ${status.ended}` : "";
    if (document.activeElement !== this.speed) this.fillSpeeds(status.speed);
    this.seek?.show(status.step);
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
