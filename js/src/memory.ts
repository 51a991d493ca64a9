// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// One instance of a module: its memory, arrays in it, and how other arrays get there.
import { JuxtaError, codeOf, refuse } from "./errors.js";
import { Wasi } from "./wasi.js";

export type TypedArray =
  | Int8Array
  | Uint8Array
  | Uint8ClampedArray
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | Float32Array
  | Float64Array
  | BigInt64Array
  | BigUint64Array;

interface Kinds {
  int8: Int8Array;
  uint8: Uint8Array;
  int16: Int16Array;
  uint16: Uint16Array;
  int32: Int32Array;
  uint32: Uint32Array;
  float32: Float32Array;
  float64: Float64Array;
  int64: BigInt64Array;
  uint64: BigUint64Array;
}
/** The types of numbers that arrays hold. */
export type Kind = keyof Kinds;

type Maker<A> = { new (buffer: ArrayBufferLike, at: number, length: number): A; BYTES_PER_ELEMENT: number };
const makers: { [K in Kind]: Maker<Kinds[K]> } = {
  int8: Int8Array,
  uint8: Uint8Array,
  int16: Int16Array,
  uint16: Uint16Array,
  int32: Int32Array,
  uint32: Uint32Array,
  float32: Float32Array,
  float64: Float64Array,
  int64: BigInt64Array,
  uint64: BigUint64Array,
};

function kindOf(array: TypedArray): Kind | undefined {
  for (const kind in makers) if (array instanceof makers[kind as Kind]) return kind as Kind;
  return undefined;
}

type Call = (...numbers: number[]) => number;
export type Exports = Readonly<Record<string, Call>>;

/** An array in the memory of a module, which its functions use where it is. */
export class WasmArray<K extends Kind = Kind> {
  #pointer: number;

  /** Made by `alloc()`. */
  constructor(
    readonly engine: Engine,
    readonly kind: K,
    readonly length: number,
    pointer: number,
  ) {
    this.#pointer = pointer;
  }

  /** @internal */
  get pointer(): number {
    if (this.#pointer === 0) refuse("This array was freed. Allocate another one.");
    return this.#pointer;
  }
  /** @internal Of a module that is about to write there. */
  pointerIn(engine: Engine): number {
    if (engine !== this.engine) refuse("The array is in the memory of another module. Allocate it in this one.");
    return this.pointer;
  }

  /**
   * The numbers. When the memory grows (any function that builds something may grow it) older views become empty:
   * read this property again, it costs some nanoseconds.
   */
  get view(): Kinds[K] {
    return this.engine.view(this.kind, this.pointer, this.length);
  }

  free(): void {
    if (this.#pointer !== 0 && !this.engine.dead) this.engine.x.juxta_release!(this.#pointer);
    this.#pointer = 0;
  }
}

/** Numbers, wherever they are: those outside of the module's memory are copied into it once. */
export type Column<K extends Kind = Kind> = WasmArray<K> | TypedArray | readonly number[];

export interface InitOptions {
  /** The most memory that the module may take, up to 4 GiB, which is the default. */
  maximumBytes?: number;
}

const pageBytes = 65536;
const firstPages = 32; // As js/CMakeLists.txt says.
const mostPages = 65536;

export class Engine {
  x!: Exports;
  /** Set after an error from which there is no way back. */
  dead: JuxtaError | undefined;
  readonly memory: WebAssembly.Memory;
  readonly files = new Wasi();
  /** Views of all of the memory. Call refresh() before. */
  u32!: Uint32Array;
  f32!: Float32Array;
  f64!: Float64Array;
  u64!: BigUint64Array;
  scratch = 0;
  #buffer: ArrayBufferLike | undefined;
  #out = 0;
  #outBytes = 0;

  private constructor(options: InitOptions) {
    const maximum = Math.floor((options.maximumBytes ?? mostPages * pageBytes) / pageBytes);
    if (!(maximum >= firstPages && maximum <= mostPages)) {
      refuse(`maximumBytes is ${options.maximumBytes}. Allowed are ${firstPages * pageBytes} to 4294967296.`);
    }
    this.memory = new WebAssembly.Memory({ initial: firstPages, maximum });
    this.files.memory = this.memory;
  }

  static async start(module: WebAssembly.Module, options: InitOptions): Promise<Engine> {
    const engine = new Engine(options);
    const instance = await WebAssembly.instantiate(module, {
      env: { memory: engine.memory },
      wasi_snapshot_preview1: engine.files.imports(module),
      juxta: {
        out_of_memory: () => engine.die("outOfMemory", "Out of memory. Call init() again, or give it fewer elements."),
        abort: (at: number, size: number) => engine.die("outOfMemory", `The module ended: ${engine.text(at, size)}`),
      },
    });
    engine.x = instance.exports as Exports;
    engine.x._initialize?.();
    engine.scratch = engine.x.juxta_scratch!() >>> 0;
    engine.refresh();
    return engine;
  }

  /** The instance is in an unknown state from here on, so every later call throws the same error. */
  die(code: "outOfMemory", message: string): never {
    const error = new JuxtaError(code, message);
    this.dead = error;
    this.x = new Proxy({} as Exports, {
      get: () => {
        throw new JuxtaError(code, `${message} (This instance has ended.)`);
      },
    });
    throw error;
  }

  /** Bytes of the module's memory, which never shrinks. */
  get memoryBytes(): number {
    return this.memory.buffer.byteLength;
  }

  refresh(): void {
    const buffer = this.memory.buffer;
    if (buffer === this.#buffer) return;
    this.#buffer = buffer;
    this.u32 = new Uint32Array(buffer);
    this.f32 = new Float32Array(buffer);
    this.f64 = new Float64Array(buffer);
    this.u64 = new BigUint64Array(buffer);
  }

  view<K extends Kind>(kind: K, pointer: number, length: number): Kinds[K] {
    return new makers[kind](this.memory.buffer, pointer, length) as Kinds[K];
  }
  text(pointer: number, size: number): string {
    return new TextDecoder().decode(new Uint8Array(this.memory.buffer, pointer >>> 0, size >>> 0));
  }

  /** The error that the last call left. */
  fail(): never {
    const x = this.x;
    const index = x.juxta_error_index!();
    const byte = x.juxta_error_byte!();
    throw new JuxtaError(
      codeOf(x.juxta_error_code!()),
      this.text(x.juxta_error_text!(), x.juxta_error_size!()),
      index < 0 ? undefined : index,
      byte < 0 ? undefined : byte,
    );
  }
  /** What a call returned, unless that is 0. */
  some(value: number): number {
    if (value === 0) this.fail();
    return value >>> 0;
  }

  take(bytes: number): number {
    const pointer = bytes < 2 ** 32 - 256 ? this.x.juxta_alloc!(bytes) >>> 0 : 0;
    if (pointer === 0) {
      throw new JuxtaError("outOfMemory", `No memory for an array of ${bytes} bytes. Free something, or use less.`);
    }
    this.refresh();
    return pointer;
  }

  alloc<K extends Kind>(kind: K, length: number): WasmArray<K> {
    if (!(Number.isSafeInteger(length) && length >= 0)) refuse(`An array has ${length} elements. Give a count.`);
    return new WasmArray(this, kind, length, this.take(length * makers[kind].BYTES_PER_ELEMENT));
  }

  /** Memory for answers, which the next call uses again. */
  out(bytes: number): number {
    if (bytes > this.#outBytes) {
      const size = Math.max(4096, bytes, 2 * this.#outBytes);
      if (this.#out !== 0) this.x.juxta_release!(this.#out);
      this.#out = this.#outBytes = 0;
      this.#out = this.take(size);
      this.#outBytes = size;
    }
    return this.#out;
  }
  get outBytes(): number {
    return this.#outBytes;
  }
  /** The first numbers of 32 bits at out(), where they are. */
  viewOut(length: number): Uint32Array {
    this.refresh();
    const from = this.#out >>> 2;
    return this.u32.subarray(from, from + length);
  }
  /** The same as an array of its own. Engines keep up to 64 bytes in the object itself, and fill those fast. */
  copyOut(length: number): Uint32Array {
    this.refresh();
    const { u32 } = this;
    const from = this.#out >>> 2;
    if (length > 16) return u32.slice(from, from + length);
    const copy = new Uint32Array(length);
    for (let i = 0; i < length; ++i) copy[i] = u32[from + i]!;
    return copy;
  }

  /** Writes an index, runs `load` with its name, and drops the file. */
  open(bytes: Uint8Array | ArrayBuffer, load: (path: number, size: number) => number): number {
    this.files.put(fileName, bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes));
    try {
      return this.some(this.#withPath(load));
    } finally {
      this.files.take(fileName);
    }
  }
  save(save: (path: number, size: number) => number): Uint8Array {
    try {
      this.some(this.#withPath(save));
      return this.files.take(fileName);
    } finally {
      this.files.take(fileName);
    }
  }
  #withPath(use: (path: number, size: number) => number): number {
    const path = `/${fileName}`;
    const at = this.scratch + 768;
    new Uint8Array(this.memory.buffer, at, path.length).set(new TextEncoder().encode(path));
    return use(at, path.length);
  }
}
const fileName = "index";

/** The arrays of one call: those that had to be copied are freed at its end. */
export class Inputs {
  readonly #temporary: number[] = [];
  constructor(readonly engine: Engine) {}

  /** The address, count and type of `column`, in the module's memory and of one of the types `allowed`. */
  use<K extends Kind>(column: Column, allowed: readonly K[], name: string): { at: number; length: number; kind: K } {
    if (column instanceof WasmArray) {
      if (column.engine !== this.engine) refuse(`${name} is in the memory of another module. Allocate it in this one.`);
      const kind = allowed.find((each) => each === column.kind);
      if (!kind) refuse(`${name} has numbers of type ${column.kind}. Allowed are ${allowed.join(", ")}.`);
      return { at: column.pointer, length: column.length, kind };
    }
    if (!ArrayBuffer.isView(column)) {
      if (!Array.isArray(column)) refuse(`${name} is no array of numbers.`);
      return this.#copy(column, allowed[allowed.length - 1]!);
    }
    const own = kindOf(column);
    const kind = allowed.find((each) => each === own);
    if (column.buffer === this.engine.memory.buffer && kind) return { at: column.byteOffset, length: column.length, kind };
    if (column.buffer.byteLength === 0 && column.byteLength === 0 && isDetached(column)) {
      refuse(`${name} is a view of memory that has grown since. Read the property \`view\` of its array again.`);
    }
    if (!kind && (own === "int64" || own === "uint64")) {
      const sameSize = allowed.find((each) => each === "int64" || each === "uint64");
      if (!sameSize) refuse(`${name} has numbers of type ${own}. Allowed are ${allowed.join(", ")}.`);
      return this.#copy(column, sameSize);
    }
    return this.#copy(column, kind ?? allowed[allowed.length - 1]!);
  }

  #copy<K extends Kind>(column: TypedArray | readonly number[], kind: K): { at: number; length: number; kind: K } {
    const length = column.length;
    const at = this.engine.take(length * makers[kind].BYTES_PER_ELEMENT);
    this.#temporary.push(at);
    const big = kind === "int64" || kind === "uint64";
    const from = big && typeof column[0] === "number" ? Array.from(column as ArrayLike<number>, BigInt) : column;
    (this.engine.view(kind, at, length) as { set(from: unknown): void }).set(from);
    return { at, length, kind };
  }

  /** Memory for as long as the call. */
  take(bytes: number): number {
    const at = this.engine.take(bytes);
    this.#temporary.push(at);
    return at;
  }

  free(): void {
    if (this.engine.dead) return;
    for (const at of this.#temporary) this.engine.x.juxta_release!(at);
    this.#temporary.length = 0;
  }
}

function isDetached(array: TypedArray): boolean {
  try {
    new Uint8Array(array.buffer as ArrayBuffer);
    return false;
  } catch {
    return true;
  }
}

export function withInputs<T>(engine: Engine, use: (inputs: Inputs) => T): T {
  const inputs = new Inputs(engine);
  try {
    return use(inputs);
  } finally {
    inputs.free();
  }
}

interface Held {
  engine: Engine;
  pointer: number;
  release: string;
}
const registry = new FinalizationRegistry<Held>(({ engine, pointer, release }) => {
  if (!engine.dead) engine.x[release]!(pointer);
});

/** What owns memory of a module. Call free(), or leave it to the garbage collector, which may take its time. */
export abstract class Owned {
  #pointer: number;
  readonly #release: string;
  /** @internal */
  readonly engine: Engine;

  protected constructor(engine: Engine, pointer: number, release: string) {
    this.engine = engine;
    this.#pointer = pointer;
    this.#release = release;
    registry.register(this, { engine, pointer, release }, this);
  }

  /** @internal */
  get at(): number {
    if (this.#pointer === 0) refuse("This object was freed. Make another one.");
    return this.#pointer;
  }

  /** Gives the memory back now. The object is of no more use. */
  free(): void {
    if (this.#pointer === 0) return;
    registry.unregister(this);
    if (!this.engine.dead) this.engine.x[this.#release]!(this.#pointer);
    this.#pointer = 0;
  }
}
