// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The worker that takes the server's place, as the page sees it.
import type { Link } from "../connection";
import type { Info } from "../protocol";
import type { FromWorker, ToWorker } from "./messages";

const kInfoId = 0; // Connections count from 1.

interface Waiting<T> {
  resolve(value: T): void;
  reject(error: Error): void;
}

export class LocalServer {
  onEnded: (why: string) => void = () => {};
  private readonly worker: Worker;
  private link: LocalLink | null = null;
  private showing: Waiting<void> | null = null;
  private asking: Waiting<Info> | null = null;

  constructor(url: URL) {
    this.worker = new Worker(url);
    this.worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.hear(data);
    this.worker.onerror = () => this.end("the worker did not start");
    const tell = () => this.send({ hidden: document.hidden });
    document.addEventListener("visibilitychange", tell);
    if (document.hidden) tell();
  }

  /** What a connection is made of. There is one at a time. */
  connect(): Link {
    this.link = new LocalLink((text) => this.send(text));
    return this.link;
  }

  /** Rejects with the engine's words when there is no such scene. */
  begin(module: WebAssembly.Module, scene: string): Promise<void> {
    return this.show({ begin: module, scene }, []);
  }

  /** Shows the points of a text. Rejects with the engine's words; then what was shown goes on. */
  open(name: string, bytes: ArrayBuffer): Promise<void> {
    return this.show({ open: name, bytes }, [bytes]);
  }

  info(): Promise<Info> {
    return new Promise((resolve, reject) => {
      this.asking = { resolve, reject };
      this.send(JSON.stringify({ id: kInfoId, ask: "info" }));
    });
  }

  private show(message: ToWorker, transfer: ArrayBuffer[]): Promise<void> {
    return new Promise((resolve, reject) => {
      this.showing = { resolve, reject };
      this.send(message, transfer);
    });
  }

  private send(message: ToWorker, transfer: ArrayBuffer[] = []): void {
    this.worker.postMessage(message, transfer);
  }

  private hear(data: FromWorker): void {
    if (data instanceof ArrayBuffer) {
      this.link?.onmessage?.({ data });
    } else if (typeof data === "string") {
      this.hearText(data);
    } else if ("shown" in data) {
      const { shown } = data;
      if (shown === null) this.showing?.resolve();
      else this.showing?.reject(new Error(shown));
      this.showing = null;
    } else {
      this.end(data.ended);
    }
  }

  private hearText(data: string): void {
    if (this.asking) {
      const message = JSON.parse(data) as { id?: number; answer?: Info };
      if (message.id === kInfoId) {
        this.asking.resolve(message.answer!);
        this.asking = null;
        return;
      }
    }
    this.link?.onmessage?.({ data });
  }

  private end(why: string): void {
    this.onEnded(why);
    this.showing?.reject(new Error(why));
    this.asking?.reject(new Error(why));
    this.showing = this.asking = null;
  }
}

/** Behaves as a WebSocket that opens at once. */
class LocalLink implements Link {
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: ArrayBuffer | string }) => void) | null = null;
  onclose: (() => void) | null = null;

  constructor(private readonly say: (text: string) => void) {
    queueMicrotask(() => this.onopen?.());
  }

  send(text: string): void {
    this.say(text);
  }

  close(): void {
    this.onmessage = null;
    queueMicrotask(() => this.onclose?.());
  }
}
