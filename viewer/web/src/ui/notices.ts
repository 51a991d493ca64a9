// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What the page has to say: toasts, the line about the connection, and text for screen readers.
import type { ConnectionState } from "../connection";
import { ConnectionLost } from "../connection";
import { button, el } from "./dom";
import { icon } from "./icons";

const toasts = el("div", { class: "toasts", role: "status", "aria-live": "polite" });
const spoken = el("div", { class: "spoken", role: "status", "aria-live": "polite" });
const lostLine = el("div", { class: "lost", role: "alert", hidden: true });
const kToastMs = 7000,
  kMostToasts = 4;

export function installNotices(): void {
  document.body.append(lostLine, toasts, spoken);
}

export function toast(text: string): void {
  for (const old of toasts.children) {
    if ((old as HTMLElement).dataset.text === text) {
      old.remove();
    }
  }
  const item = el("div", { class: "toast" }, el("span", {}, text));
  item.append(button(icon("close"), "Dismiss", () => item.remove(), "plain"));
  item.dataset.text = text;
  toasts.append(item);
  while (toasts.children.length > kMostToasts) {
    toasts.firstElementChild!.remove();
  }
  setTimeout(() => item.remove(), kToastMs);
}

/** For `catch`: says what went wrong, unless the line about the connection says it already. */
export function complain(why: unknown): void {
  if (!(why instanceof ConnectionLost)) {
    toast(why instanceof Error ? why.message : String(why));
  }
}

/** For screen readers alone. */
export function say(text: string): void {
  spoken.textContent = text;
}

export function showConnection(state: ConnectionState): void {
  lostLine.hidden = state !== "lost";
  lostLine.textContent = state === "lost" ? "Connection lost, trying again …" : "";
  document.documentElement.dataset.connection = state;
}
