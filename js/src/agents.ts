// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
/** A flock of boids. */
import { refuse } from "./errors.js";
import { makeEntry, type Source } from "./init.js";
import { Owned, withInputs, type Column, type Engine, type InitOptions, type Inputs, type Kind, type WasmArray } from "./memory.js";

export { JuxtaError, type ErrorCode } from "./errors.js";
export type { Source } from "./init.js";
export type { Column, Engine, InitOptions, Kind, TypedArray, WasmArray } from "./memory.js";

const entry = makeEntry("agents", () => new URL("./agents.wasm", import.meta.url));

/** Loads the module: see init() of juxta/ranked. */
export function init(source?: Source | Promise<Source>, options?: InitOptions): Promise<Engine> {
  return entry.init(source, options);
}
/** An array in the module's memory, which is used there without a copy. Its contents are undefined. */
export function alloc<K extends Kind>(kind: K, length: number): WasmArray<K> {
  return entry.alloc(kind, length);
}

/** The boids' rules: lengths in units of the world, speeds in units a second. */
export interface FlockRules {
  timeStep: number;
  seeRadius2: number;
  avoidRadius2: number;
  minSpeed: number;
  maxSpeed: number;
  wallDistance: number;
  wall: number;
  avoid: number;
  align: number;
  cohere: number;
}
/** The order of juxta::FlockRules. */
const ruleNames: readonly (keyof FlockRules)[] = [
  "timeStep", "seeRadius2", "avoidRadius2", "minSpeed", "maxSpeed", "wallDistance", "wall", "avoid", "align", "cohere",
];

export interface FlockOptions {
  /** Default: 2. */
  dimensions?: 2 | 3;
  /** The world is [-halfSize, halfSize] on every axis. Default: 10.5. */
  halfSize?: number;
  /** No walls: the world is periodic. Default: false. */
  periodic?: boolean;
  /** Those that are left out are the published ones. */
  rules?: Partial<FlockRules>;
}

/** Boids that see each other, and nothing else. Each step is the same to the bit on every machine. */
export class Flock extends Owned {
  readonly dimensions: 2 | 3;
  #rules: FlockRules;

  private constructor(engine: Engine, pointer: number, dimensions: 2 | 3, rules: FlockRules) {
    super(engine, pointer, "flock_free");
    this.dimensions = dimensions;
    this.#rules = rules;
  }

  static build(options: FlockOptions = {}): Flock {
    const engine = entry.engine();
    const { dimensions = 2, periodic = false } = options;
    engine.x.flock_defaults!();
    const numbers = engine.view("float32", engine.scratch, 11);
    const published = Object.fromEntries(ruleNames.map((name, i) => [name, numbers[i]!])) as unknown as FlockRules;
    const rules = { ...published, ...options.rules };
    numbers.set(ruleNames.map((name) => rules[name]));
    if (options.halfSize !== undefined) numbers[10] = options.halfSize;
    return new Flock(engine, engine.some(engine.x.flock_build!(dimensions, periodic ? 1 : 0)), dimensions, rules);
  }

  /** Replaces all boids by `count` at random, drawn from `seed` (an integer from 0 to 2^53). */
  scatter(count: number, seed = 0): void {
    if (!(Number.isSafeInteger(seed) && seed >= 0)) refuse(`The seed is ${seed}. Allowed are integers from 0 to 2^53.`);
    if (!(Number.isInteger(count) && count >= 0 && count < 2 ** 32)) refuse(`A flock has ${count} boids. Give a count.`);
    this.engine.some(this.engine.x.flock_scatter!(this.at, count, seed));
  }
  /** Replaces all boids; x, y, z of each, also in two dimensions. */
  rebuild(positions: Column, velocities: Column): void {
    withInputs(this.engine, (inputs) => {
      const places = useGroups(inputs, positions, 3, "positions");
      const speeds = useGroups(inputs, velocities, 3, "velocities");
      if (places.count !== speeds.count) refuse(`There are ${places.count} positions and ${speeds.count} velocities.`);
      this.engine.some(this.engine.x.flock_rebuild!(this.at, places.at, speeds.at, places.count));
    });
  }
  get rules(): FlockRules {
    return { ...this.#rules };
  }
  setRules(rules: Partial<FlockRules>): void {
    const all = { ...this.#rules, ...rules };
    this.engine.view("float32", this.engine.scratch, 10).set(ruleNames.map((name) => all[name]));
    this.engine.some(this.engine.x.flock_set_rules!(this.at));
    this.#rules = all;
  }

  step(steps = 1): void {
    this.engine.some(this.engine.x.flock_step!(this.at, steps));
  }

  get size(): number {
    return this.engine.x.flock_size!(this.at) >>> 0;
  }
  get steps(): number {
    return this.engine.x.flock_steps!(this.at);
  }
  /** Views of the boids' own memory, in an order that every step changes; valid until the next call. */
  position(axis: number): Float32Array {
    this.#check(axis);
    return this.engine.view("float32", this.engine.x.flock_position!(this.at, axis) >>> 0, this.size);
  }
  velocity(axis: number): Float32Array {
    this.#check(axis);
    return this.engine.view("float32", this.engine.x.flock_velocity!(this.at, axis) >>> 0, this.size);
  }
  /** The number that each boid had in scatter() or rebuild(), in the same order. */
  numbers(): Uint32Array {
    return this.engine.view("uint32", this.engine.x.flock_numbers!(this.at) >>> 0, this.size);
  }
  get memoryBytes(): number {
    return this.engine.x.flock_memory_bytes!(this.at) >>> 0;
  }

  #check(axis: number): void {
    if (!(axis === 0 || axis === 1 || (axis === 2 && this.dimensions === 3))) {
      refuse(`The axis is ${axis}, and the flock has ${this.dimensions} dimensions.`);
    }
  }
}

function useGroups(inputs: Inputs, column: Column, size: number, name: string): { at: number; count: number } {
  const { at, length } = inputs.use(column, ["float32"], name);
  if (length % size !== 0) refuse(`${name} has ${length} numbers, which is no multiple of ${size}.`);
  return { at, count: length / size };
}
