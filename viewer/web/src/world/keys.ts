// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The keys of the page of a world.
import { isTyping } from "../ui/dom";
import type { HelpRow } from "../ui/help";

export const helpOfFlat: HelpRow[] = [
  ["drag", "move"],
  ["wheel + −", "zoom"],
  ["← → ↑ ↓", "move"],
];
export const helpOfDeep: HelpRow[] = [
  ["drag", "turn"],
  ["right-drag", "move"],
  ["wheel + −", "zoom"],
  ["← → ↑ ↓", "turn"],
  ["Shift+←", "move"],
];
export const helpOfRecording: HelpRow[] = [
  ["← → Home End", "on the slider: the step before or after, the first, the last"],
];
export const helpOfBoth: HelpRow[] = [
  ["space", "play or pause"],
  [".", "one step"],
  ["< >", "slower, faster"],
  ["click", "select a thing"],
  ["F", "follow it"],
  ["Shift+drag", "select a rectangle"],
  ["Alt+drag", "select with a lasso"],
  ["R L", "the same by touch"],
  ["Esc", "close, select nothing"],
  ["0", "show all"],
  ["G", "grid"],
  ["T", "dark or light"],
  ["P", "show or hide the panel"],
  ["?", "this list"],
];

/** Calls the action of a key. `busy`: a dialog is open, which keeps all keys but "?". */
export function listen(actions: Record<string, (event: KeyboardEvent) => void>, busy: () => boolean): void {
  window.addEventListener("keydown", (event) => {
    if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target as HTMLElement;
    // A focused button takes space itself, a slider the arrows, Home and End.
    if (event.key === " " && target.closest("button, summary, input")) return;
    if (/^(Arrow|Home|End|Page)/.test(event.key) && target instanceof HTMLInputElement) return;
    const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (action && (!busy() || event.key === "?")) {
      event.preventDefault();
      action(event);
    }
  });
}
