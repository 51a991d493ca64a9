// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What the server sends, as docs/formats/view.md describes it.

export type Triple = [number, number, number];
export type Pair = [number, number];
/** x0, y0, x1, y1. */
export type Rect = [number, number, number, number];
export type Mark = "dot" | "dart" | "ship" | "streak" | "ball" | "rock" | "turret";

export interface GroupInfo {
  name: string;
  mark: Mark;
  size: number;
  columns: string[];
  colour: string | null;
  classes: string[];
  heading: boolean;
  /** Each has triangles of its own: `shapes` tells them. */
  shapes: boolean;
}

export interface OverlayInfo {
  name: string;
  kind: "boxes" | "lines" | "field";
  what: string;
  /** It is shown at first. */
  on?: boolean;
}

export interface Parameter {
  name: string;
  value: number;
  lo: number;
  hi: number;
  whole: boolean;
  what: string;
  live: boolean;
}

export interface WorldInfo {
  kind: "world";
  title: string;
  version: string;
  dimensions: 2 | 3;
  lo: Triple;
  hi: Triple;
  groups: GroupInfo[];
  parameters: Parameter[];
  stages: string[];
  reports: string[];
  overlays: OverlayInfo[];
  /** The steps that a recording can seek. */
  recording: { first: number; last: number } | null;
}

export interface MapInfo {
  kind: "map";
  title: string;
  version: string;
  points: number;
  bounds: Rect;
  names: boolean;
  rank: string;
  descending: boolean;
}

export interface SweepInfo {
  kind: "sweep";
  title: string;
  version: string;
  vary: { name: string; values: number[] }[];
  reports: string[];
  runs: number;
  steps: number;
}

export type Info = WorldInfo | MapInfo | SweepInfo;

export interface Status {
  step: number;
  playing: boolean;
  steps_per_second: number;
  speed: number;
  stage_ms: number[];
  report: (number | null)[];
  frames: number;
  clients: number;
  ended: string | null;
}

export interface Row {
  group: number;
  id: string;
  at: Triple;
  values: Record<string, number | string | null>;
}
export interface Entity extends Row {
  near: Row[];
  touches: Row[];
  more: Record<string, unknown>;
}
export interface Selection {
  found: number;
  rows: Row[];
  us: number;
}
export interface History {
  steps: number[];
  reports: Record<string, (number | null)[]>;
}

export interface Overlay {
  step: number;
  kind: OverlayInfo["kind"];
  found?: number;
  shown?: number;
  values: number[];
  us: number;
  /** Of a field. */
  columns?: number;
  rows?: number;
  lo?: Triple;
  hi?: Triple;
}
export interface Shapes {
  found: number;
  shown: number;
  within: number | null;
  positions: number[];
  triangles: number[];
}

/** One run of a sweep. `at` has a value for each parameter that varies. */
export interface Run {
  seed: number;
  at: number[];
  steps: number[];
  values: (number | null)[];
}

export interface MapPoint {
  i: number;
  x: number;
  y: number;
  rank: number;
  name: string;
}
export interface MapView {
  labels: MapPoint[];
  points: { x: number[]; y: number[]; rank: number[] };
  count: number;
  heat?: number[];
  us: { top: number; count: number; heat?: number };
}
export interface MapTop {
  points: MapPoint[];
  count: number;
  us: number;
}

/** One group of a frame. The arrays are views onto the bytes that arrived. */
export interface FrameGroup {
  index: number;
  things: number;
  sent: number;
  inView: number;
  origin: Triple;
  step: number;
  stepZ: number;
  valueLo: number;
  valueHi: number;
  longest: number;
  x: Uint16Array<ArrayBuffer>;
  y: Uint16Array<ArrayBuffer>;
  z: Uint16Array<ArrayBuffer> | null;
  colour: Uint8Array<ArrayBuffer> | null;
  heading: Int8Array<ArrayBuffer> | null;
  size: Uint8Array<ArrayBuffer> | null;
}
export interface Frame {
  number: number;
  step: number;
  dropped: number;
  groups: FrameGroup[];
}

const kFrameHeader = 24;
const kGroupHeader = 64;
const kFlagZ = 1;
const kFlagColour = 2;
const kFlagHeading = 4;
const kFlagSize = 8;

/**
 * Reads a frame without copying it. Throws an Error when the bytes are not a frame: the server and the page
 * are of different versions then.
 */
export function decodeFrame(buffer: ArrayBuffer): Frame {
  const data = new DataView(buffer);
  if (buffer.byteLength < kFrameHeader || data.getUint32(0, true) !== 0x3146584a) {
    throw new Error("The server sent a frame that this page cannot read. Load the page again.");
  }
  const count = data.getUint32(16, true);
  if (buffer.byteLength < kFrameHeader + count * kGroupHeader) throw new Error("The server sent half a frame.");
  const groups: FrameGroup[] = [];
  for (let i = 0; i < count; ++i) groups.push(decodeGroup(buffer, data, kFrameHeader + i * kGroupHeader));
  return {
    number: data.getUint32(4, true),
    step: Number(data.getBigInt64(8, true)),
    dropped: data.getUint32(20, true),
    groups,
  };
}

function decodeGroup(buffer: ArrayBuffer, data: DataView, at: number): FrameGroup {
  const word = (offset: number) => data.getUint32(at + offset, true);
  const real = (offset: number) => data.getFloat32(at + offset, true);
  const sent = word(8);
  const flags = word(12);
  let next = word(44);
  // Each array begins at a multiple of 4.
  const take = (bytes: number) => {
    const begin = next;
    next += (bytes + 3) & ~3;
    return begin;
  };
  return {
    index: word(0),
    things: word(4),
    sent,
    inView: word(48),
    origin: [real(16), real(20), real(24)],
    step: real(28),
    stepZ: real(32),
    valueLo: real(36),
    valueHi: real(40),
    longest: real(52),
    x: new Uint16Array(buffer, take(2 * sent), sent),
    y: new Uint16Array(buffer, take(2 * sent), sent),
    z: flags & kFlagZ ? new Uint16Array(buffer, take(2 * sent), sent) : null,
    colour: flags & kFlagColour ? new Uint8Array(buffer, take(sent), sent) : null,
    heading: flags & kFlagHeading ? new Int8Array(buffer, take(4 * sent), 4 * sent) : null,
    size: flags & kFlagSize ? new Uint8Array(buffer, take(sent), sent) : null,
  };
}
