// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The server of a page that has none: the engine, in a worker of the browser (viewer/wasm/page.cpp).
import type { FromWorker, ToWorker } from "./messages";
import { Wasi } from "@juxta/wasi";

interface Engine extends WebAssembly.Exports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  page_input(bytes: number): number;
  page_show(bytes: number): number;
  page_open(name: number, bytes: number): number;
  page_hear(bytes: number): number;
  page_turn(): number;
}

const scope = self as unknown as {
  postMessage(message: FromWorker, transfer?: ArrayBuffer[]): void;
  onmessage: ((event: { data: ToWorker }) => void) | null;
};
/** What the engine wrote to the error output: why it ended, if it did. */
let said = "";
const wasi = new Wasi((text, descriptor) => {
  if (descriptor === 2) said += text;
});
const utf8 = new TextEncoder();
/** Without the 4 ms that browsers add to each timer. */
const soon = new MessageChannel();
let engine: Engine | null = null;
let why = "";
let timer = 0;
let hidden = false,
  isSoon = false;

function textAt(from: number, bytes: number): string {
  return new TextDecoder().decode(new Uint8Array(engine!.memory.buffer, from, bytes));
}

async function begin(module: WebAssembly.Module): Promise<void> {
  const page = {
    text: (from: number, bytes: number) => scope.postMessage(textAt(from, bytes)),
    frame: (from: number, bytes: number) => {
      const frame = engine!.memory.buffer.slice(from, from + bytes);
      scope.postMessage(frame as ArrayBuffer, [frame as ArrayBuffer]);
    },
    error: (from: number, bytes: number) => (why = textAt(from, bytes)),
  };
  const instance = await WebAssembly.instantiate(module, { page, wasi_snapshot_preview1: wasi.imports(module) });
  engine = instance.exports as Engine;
  wasi.memory = engine.memory;
  engine._initialize();
}

/** Puts bytes where the engine expects them. */
function hand(...parts: Uint8Array[]): void {
  let at = engine!.page_input(parts.reduce((sum, part) => sum + part.length, 0));
  for (const part of parts) {
    new Uint8Array(engine!.memory.buffer).set(part, at);
    at += part.length;
  }
}

function show(done: number): void {
  scope.postMessage({ shown: done ? null : why });
  turn();
}

function turn(): void {
  clearTimeout(timer);
  if (!engine) return;
  if (hidden) return; // Nobody sees it.
  const wait = engine.page_turn();
  if (wait >= 1) {
    timer = setTimeout(guarded(turn), wait);
  } else if (!isSoon) {
    isSoon = true;
    soon.port2.postMessage(null);
  }
}

async function hear(message: ToWorker): Promise<void> {
  if (typeof message === "string") {
    if (!engine) return;
    const text = utf8.encode(message);
    hand(text);
    if (!engine.page_hear(text.length)) console.error(why);
    if (!hidden) turn();
  } else if ("begin" in message) {
    await begin(message.begin);
    const scene = utf8.encode(message.scene);
    hand(scene);
    show(engine!.page_show(scene.length));
  } else if ("open" in message) {
    if (!engine) return;
    const name = utf8.encode(message.open),
      text = new Uint8Array(message.bytes);
    hand(name, text);
    show(engine.page_open(name.length, text.length));
  } else {
    hidden = message.hidden; // What was asked meanwhile is answered afterwards.
    if (!hidden) turn();
  }
}

/** Whatever goes wrong in the engine ends it: there are no exceptions in there. */
function ended(error: unknown): void {
  const text = said.trim() || (error instanceof Error ? error.message : String(error));
  engine = null;
  scope.postMessage({ ended: text });
}

function guarded(act: () => void): () => void {
  return () => {
    try {
      act();
    } catch (error) {
      ended(error);
    }
  };
}

soon.port1.onmessage = guarded(() => {
  isSoon = false;
  turn();
});
scope.onmessage = ({ data }) => {
  hear(data).catch(ended);
};
