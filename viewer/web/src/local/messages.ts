// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Between the page and its worker. Texts and frames are those of docs/formats/view.md.

export type ToWorker =
  | string
  | { begin: WebAssembly.Module; scene: string }
  | { open: string; bytes: ArrayBuffer }
  | { hidden: boolean };

export type FromWorker =
  | string
  | ArrayBuffer
  /** A scene or a file is shown, or why it is not. */
  | { shown: string | null }
  /** The engine has ended. */
  | { ended: string };
