// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The one thing that is selected: a panel about it, a ring around it, and the camera that follows it.
import { AskError, type Connection } from "../connection";
import type { Entity, Row, Triple, WorldInfo } from "../protocol";
import { remember } from "../ui/address";
import { button, el } from "../ui/dom";
import { amount } from "../ui/format";
import { icon } from "../ui/icons";
import { say } from "../ui/notices";
import type { WorldCamera } from "./camera";
import { columnsOf } from "./columns";

const kAskMs = 100,
  kMostAhead = 0.25,
  kLeastRing = 22,
  kMostRing = 260;

/** Nested definition lists of whatever an object holds. */
function definitions(of: unknown): Node | string {
  if (of === null || typeof of !== "object") {
    return typeof of === "number" ? amount(of) : String(of);
  }
  const list = el("dl", { class: "facts nested" });
  for (const [name, value] of Object.entries(of)) {
    const deep = value !== null && typeof value === "object";
    list.append(
      el("dt", { class: deep ? "deep" : "" }, Array.isArray(of) ? `${Number(name) + 1}` : name),
      el("dd", { class: deep ? "deep" : "" }, definitions(value)),
    );
  }
  return list;
}

export class Inspector {
  row: Row | null = null;
  following = false;
  private lives = false;
  private busy = false;
  private past: { at: Triple; when: number }[] = [];
  private nearKey = "";
  private moreKey = "";
  private readonly card: HTMLElement;
  private readonly title = el("h2");
  private readonly facts = el("dl", { class: "facts" });
  private readonly more = el("div");
  private readonly near = el("div", { class: "near" });
  private readonly ring = el("div", { class: "ring", hidden: true, "aria-hidden": "true" });
  private readonly followButton: HTMLButtonElement;

  constructor(
    stage: HTMLElement,
    private readonly connection: Connection,
    private readonly info: WorldInfo,
    private readonly camera: WorldCamera,
    private readonly redraw: () => void,
  ) {
    this.followButton = button("Follow", "Keep the camera on it (F)", () => this.toggleFollow(), "small");
    this.followButton.setAttribute("aria-pressed", "false");
    const close = button(icon("close"), "Close (Esc)", () => this.select(null), "plain");
    this.card = el(
      "section",
      { class: "card inspector", "aria-label": "Selected thing", hidden: true },
      el("header", {}, this.title, this.followButton, close),
      this.facts,
      this.more,
      this.near,
    );
    stage.append(this.card, this.ring);
    setInterval(() => void this.ask(), kAskMs);
  }

  /** Selects a thing, or nothing. */
  select(row: Row | null): void {
    const other = row?.id !== this.row?.id || row?.group !== this.row?.group;
    this.row = row;
    this.lives = row !== null;
    this.card.hidden = this.ring.hidden = row === null;
    remember("selected", row && `${row.group}:${row.id}`);
    if (other) {
      this.past = [];
      this.nearKey = this.moreKey = "";
      this.more.replaceChildren();
      this.near.replaceChildren();
      this.setFollow(false);
    }
    if (row) {
      const name = this.info.groups[row.group]?.name ?? "thing";
      this.title.textContent = `${name} ${row.id}`;
      this.show(row);
      say(`Selected ${name} ${row.id}`);
      void this.ask();
    }
    this.redraw();
  }

  private askEntity({ group, id }: Pick<Row, "group" | "id">): Promise<Entity> {
    return this.connection.ask<Entity>("entity", { group, thing: id });
  }

  /** A thing by what an address remembers of it: "group:id". */
  selectByName(text: string): void {
    const [group, ...id] = text.split(":");
    this.askEntity({ group: Number(group), id: id.join(":") }).then(
      (row) => this.select(row),
      () => remember("selected", null),
    );
  }

  toggleFollow(): void {
    if (this.row) this.setFollow(!this.following);
  }

  private setFollow(on: boolean): void {
    this.following = on;
    this.followButton.setAttribute("aria-pressed", String(on));
    this.camera.controls.zoomToCursor = !on;
    if (on && this.row) {
      this.camera.lookAt(this.at()!, this.camera.closeness() < 4 ? 4 / this.camera.closeness() : 1);
    }
  }

  private async ask(): Promise<void> {
    const row = this.row;
    if (!row || !this.lives || this.busy || this.connection.state !== "open" || document.hidden) return;
    this.busy = true;
    try {
      const entity = await this.askEntity(row);
      if (this.row === row || (this.row?.id === row.id && this.row.group === row.group)) {
        this.row = entity;
        this.show(entity);
        this.showMore(entity);
      }
    } catch (why) {
      if (why instanceof AskError && this.row === row) this.died();
    } finally {
      this.busy = false;
    }
  }

  private died(): void {
    this.lives = false;
    this.setFollow(false);
    this.ring.hidden = true;
    this.near.replaceChildren(el("p", { class: "summary" }, "It lives no more."));
    say("The selected thing lives no more.");
  }

  private show(row: Row): void {
    const moved = this.past.at(-1);
    if (!moved || moved.at.some((v, i) => v !== row.at[i])) {
      this.past = [...this.past.slice(-1), { at: row.at, when: performance.now() }];
      this.redraw();
    }
    const at = row.at
      .slice(0, this.info.dimensions)
      .map((v) => amount(Number(v.toPrecision(4))))
      .join(", ");
    const values: [string, string][] = [
      ["at", at],
      ...columnsOf(this.info.groups[row.group], row.values).map((name): [string, string] => [
        name,
        this.valueText(row.group, name, row.values[name] ?? null),
      ]),
    ];
    const cells = this.facts.querySelectorAll("dd");
    if (cells.length === values.length) {
      values.forEach(([, value], i) => (cells[i]!.textContent = value));
    } else {
      this.facts.replaceChildren(...values.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]));
    }
  }

  private valueText(group: number, column: string, value: number | string | null): string {
    const of = this.info.groups[group];
    if (typeof value === "number" && of?.colour === column && of.classes[value]) return of.classes[value];
    return typeof value === "string" ? value : amount(value);
  }

  /** What rarely changes is replaced only when it does, so that buttons keep the focus. */
  private showMore(entity: Entity): void {
    const more = JSON.stringify(entity.more ?? {});
    if (more !== this.moreKey) {
      this.moreKey = more;
      this.more.replaceChildren(more === "{}" ? "" : definitions(entity.more));
    }
    const near = [entity.touches, entity.near].map((rows) => (rows ?? []).map((row) => row.id).join()).join(";");
    if (near !== this.nearKey && !this.near.contains(document.activeElement) && !this.near.matches(":hover")) {
      this.nearKey = near;
      this.near.replaceChildren(...this.links("Touches", entity.touches), ...this.links("Nearest", entity.near));
    }
  }

  /** A heading and a button for each thing; nothing when there are none. */
  private links(heading: string, rows: Row[] | undefined): HTMLElement[] {
    if (!rows?.length) return [];
    return [
      el("h3", {}, heading),
      ...rows.map((row) => button(row.id, `Select ${row.id}`, () => this.select(row), "small")),
    ];
  }

  /** Where it is by now: between two answers it flies on as before. */
  at(): Triple | null {
    const now = this.past.at(-1),
      before = this.past.at(-2);
    if (!now) return null;
    if (!before || now.when - before.when > 400) return now.at;
    const ahead =
      Math.min((performance.now() - now.when) / 1000, kMostAhead) / Math.max((now.when - before.when) / 1000, 0.01);
    return now.at.map((v, i) => v + (v - before.at[i]!) * Math.min(ahead, 1.2)) as Triple;
  }

  /** Called when a picture was drawn: puts the ring around the thing. */
  place(): void {
    const at = this.row && this.lives ? this.at() : null;
    if (!at) return;
    const pixel = this.camera.project(at);
    this.ring.hidden = !pixel;
    if (!pixel) return;
    const size = Math.min(
      Math.max((this.info.groups[this.row!.group]?.size ?? 0) * pixel[2] * 1.5, kLeastRing),
      kMostRing,
    );
    this.ring.style.width = this.ring.style.height = `${size}px`;
    this.ring.style.transform = `translate(${pixel[0] - size / 2}px, ${pixel[1] - size / 2}px)`;
  }

  /** Called before a picture is drawn. */
  follow(): void {
    const at = this.following && this.lives ? this.at() : null;
    if (at) this.camera.lookAt(at, 1);
  }
}
