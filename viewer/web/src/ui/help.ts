// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The list of keys and gestures.
import { button, el } from "./dom";
import { icon } from "./icons";

export type HelpRow = [keys: string, what: string];

/** A dialog that `?` opens. */
export function makeHelp(title: string, rows: HelpRow[]): HTMLDialogElement {
  const list = el("dl", { class: "keys" });
  for (const [keys, what] of rows) {
    const term = el("dt");
    for (const [index, key] of keys.split(" ").entries()) {
      term.append(index ? " " : "", el("kbd", {}, key));
    }
    list.append(term, el("dd", {}, what));
  }
  const dialog = el("dialog", { class: "help", "aria-label": title });
  dialog.append(
    el(
      "header",
      {},
      el("h2", {}, title),
      button(icon("close"), "Close", () => dialog.close(), "plain"),
    ),
    list,
  );
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) {
      dialog.close();
    }
  });
  document.body.append(dialog);
  return dialog;
}

export function toggleHelp(dialog: HTMLDialogElement): void {
  if (dialog.open) {
    dialog.close();
  } else {
    dialog.showModal();
  }
}
