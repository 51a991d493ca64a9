// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The WebSocket to the server: questions and answers, events, frames. It connects again when it was lost.
// On the page without a server, a worker of the page takes the place of both (local/server.ts).
import type { Status } from "./protocol";

export type Message = Record<string, unknown>;
export type ConnectionState = "connecting" | "open" | "lost";

/** What a connection needs of a WebSocket. */
export interface Link {
  onopen: (() => void) | null;
  onmessage: ((event: { data: ArrayBuffer | string }) => void) | null;
  onclose: (() => void) | null;
  send(text: string): void;
  close(): void;
}

let openLink: (() => Link) | null = null;

/** From now on connections are made by this, not over the network. */
export function connectBy(open: () => Link): void {
  openLink = open;
}

function openSocket(): Link {
  const url = new URL(`ws${tokenQuery()}`, location.href);
  url.hash = "";
  url.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  const socket = new WebSocket(url);
  socket.binaryType = "arraybuffer";
  return socket as Link;
}

interface Waiting {
  resolve(answer: unknown): void;
  reject(error: Error): void;
}

/** An error that the server answered with, in its words. */
export class AskError extends Error {}
/** The question has no answer, since the connection was lost. */
export class ConnectionLost extends Error {}

const kFirstDelay = 250; // Milliseconds.
const kLongestDelay = 4000;
/** A server that does not even answer the handshake by then is asked anew. */
const kHandshakeMs = 6000;

/** The part of an address that carries the token of this page, or "". */
export function tokenQuery(): string {
  const token = new URLSearchParams(location.search).get("token");
  return token === null ? "" : `?token=${encodeURIComponent(token)}`;
}

/** Asks over HTTP: before there is a WebSocket, and what cannot be asked there. */
export async function askHttp<T>(name: string, body: Message = {}): Promise<T> {
  const response = await fetch(`api/${name}${tokenQuery()}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as { error?: string };
  if (!response.ok) throw new AskError(answer.error ?? `The server answered with status ${response.status}.`);
  return answer as T;
}

export class Connection {
  onStatus: (status: Status) => void = () => {};
  onFrame: (bytes: ArrayBuffer) => void = () => {};
  onState: (state: ConnectionState) => void = () => {};
  /** After it was lost and is back. */
  onBack: () => void = () => {};

  state: ConnectionState = "connecting";
  asked = 0;
  answered = 0;
  lost = 0;
  lastAnswer: unknown = null;

  /** The engine is in this browser: it can be asked as often as there are pictures. */
  readonly isLocal = openLink !== null;

  private socket: Link | null = null;
  private readonly waiting = new Map<number, Waiting>();
  private nextId = 1;
  private delay = kFirstDelay;
  private watched: Message | null = null;
  private wasOpen = false;
  private over = false;

  /** Resolves as soon as the server can be asked. */
  open(): Promise<void> {
    return new Promise((resolve) => this.connect(resolve));
  }

  /** The answer to a question. Rejects with AskError or ConnectionLost. */
  ask<T>(name: string, fields: Message = {}): Promise<T> {
    if (this.state !== "open") return Promise.reject(new ConnectionLost("The connection to the server is lost."));
    const id = this.nextId++;
    this.asked += 1;
    this.send({ ...fields, id, ask: name });
    return new Promise<T>((resolve, reject) => {
      this.waiting.set(id, { resolve: resolve as (answer: unknown) => void, reject });
    });
  }

  /** Says which frames are wanted from now on. The same is said again after a reconnect. */
  watch(fields: Message): void {
    this.watched = fields;
    if (this.state === "open") this.send({ watch: fields });
  }

  /** Says that a frame has arrived, so that the next one may be sent. */
  got(frame: number): void {
    if (this.state === "open") this.send({ got: frame });
  }

  /** Ends it for good: who waits for an answer gets ConnectionLost. */
  close(): void {
    this.over = true;
    this.state = "lost";
    this.socket?.close();
    this.giveUp();
  }

  private send(message: Message): void {
    this.socket?.send(JSON.stringify(message));
  }

  private connect(opened?: () => void): void {
    const socket = openLink ? openLink() : openSocket();
    this.socket = socket;
    const tooSlow = setTimeout(() => socket.close(), kHandshakeMs);
    socket.onopen = () => {
      clearTimeout(tooSlow);
      const back = this.wasOpen;
      this.wasOpen = true;
      this.delay = kFirstDelay;
      this.change("open");
      if (this.watched) this.send({ watch: this.watched });
      opened?.();
      opened = undefined;
      if (back) this.onBack();
    };
    socket.onmessage = ({ data }) => {
      if (typeof data === "string") this.read(JSON.parse(data) as Message);
      else this.onFrame(data);
    };
    socket.onclose = () => {
      clearTimeout(tooSlow);
      if (this.over) return;
      this.closed();
      setTimeout(() => this.connect(opened), this.delay);
      this.delay = Math.min(2 * this.delay, kLongestDelay);
    };
  }

  private closed(): void {
    this.socket = null;
    if (this.state === "open") this.lost += 1;
    this.change("lost");
    this.giveUp();
  }

  private giveUp(): void {
    const waiting = [...this.waiting.values()];
    this.waiting.clear();
    for (const each of waiting) each.reject(new ConnectionLost("The connection to the server was lost."));
  }

  private read(message: Message): void {
    if (message.event === "status") {
      this.onStatus(message as unknown as Status);
      return;
    }
    const waiting = this.waiting.get(message.id as number);
    if (!waiting) return;
    this.waiting.delete(message.id as number);
    this.answered += 1;
    if ("error" in message) {
      waiting.reject(new AskError(String(message.error)));
      return;
    }
    this.lastAnswer = message.answer;
    waiting.resolve(message.answer);
  }

  private change(state: ConnectionState): void {
    if (state === this.state) return;
    this.state = state;
    this.onState(state);
  }
}
