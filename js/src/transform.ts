// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
/** Trees of nodes: where each one is in the world, and which of them moved. */
import { refuse } from "./errors.js";
import { makeEntry, type Source } from "./init.js";
import { Owned, withInputs, type Column, type Engine, type InitOptions, type Inputs, type Kind, type WasmArray } from "./memory.js";

export { JuxtaError, type ErrorCode } from "./errors.js";
export type { Source } from "./init.js";
export type { Column, Engine, InitOptions, Kind, TypedArray, WasmArray } from "./memory.js";

const entry = makeEntry("transform", () => new URL("./transform.wasm", import.meta.url));

/** Loads the module: see init() of juxta/ranked. */
export function init(source?: Source | Promise<Source>, options?: InitOptions): Promise<Engine> {
  return entry.init(source, options);
}
/** An array in the module's memory, which is used there without a copy. Its contents are undefined. */
export function alloc<K extends Kind>(kind: K, length: number): WasmArray<K> {
  return entry.alloc(kind, length);
}

export interface HierarchyOptions {
  /** Eight trees of one shape are kept side by side. Default: true. */
  sideBySide?: boolean;
}

/** Nodes are named by Ids of two numbers, slot and generation: ids[2 i] and ids[2 i + 1]. */
export type Ids = Column;
export type Id = ArrayLike<number>;
/** "No parent". */
export const noNode: readonly [number, number] = [0xffffffff, 0];

/**
 * Trees of nodes. A local transform is 8 numbers: the rotation x, y, z, w, the position, and the scale, above 0.
 * Numbers are single precision.
 */
export class Hierarchy extends Owned {
  private constructor(engine: Engine, pointer: number) {
    super(engine, pointer, "hierarchy_free");
  }

  /** An empty one. */
  static create(options: HierarchyOptions = {}): Hierarchy {
    const engine = entry.engine();
    return new Hierarchy(engine, engine.some(engine.x.hierarchy_new!(options.sideBySide === false ? 0 : 1)));
  }
  /** Opens what save() wrote, here or in C++ or Python. */
  static open(bytes: Uint8Array | ArrayBuffer): Hierarchy {
    const engine = entry.engine();
    return new Hierarchy(engine, engine.open(bytes, (path, size) => engine.x.hierarchy_load!(path, size)));
  }

  // ---- Nodes come and go

  /** Whole trees: node i is locals[8 i] ..., its parent is the node parents[i] before it, or -1. Returns their Ids. */
  insertTree(locals: Column, parents: Column): Uint32Array {
    const { engine } = this;
    return withInputs(engine, (inputs) => {
      const nodes = useGroups(inputs, locals, ["float32"], 8, "locals");
      const up = inputs.use(parents, ["int32"], "parents");
      if (up.length !== nodes.count) refuse(`There are ${nodes.count} nodes and ${up.length} parents. Give one for each.`);
      const out = inputs.take(8 * nodes.count);
      engine.some(engine.x.hierarchy_insert_tree!(this.at, nodes.at, up.at, nodes.count, out));
      return engine.view("uint32", out, 2 * nodes.count).slice();
    });
  }
  /** One node. */
  insert(local: ArrayLike<number>, parent: Id = noNode): Uint32Array {
    const { engine } = this;
    if (local.length !== 8) refuse(`A local transform has ${local.length} numbers. Give 8.`);
    engine.view("float32", engine.scratch, 8).set(local);
    engine.some(engine.x.hierarchy_insert!(this.at, parent[0]!, parent[1]!));
    return engine.view("uint32", engine.scratch, 2).slice();
  }
  /** Nodes go; their children with them, or, with "toAncestor", to the next node above. */
  remove(ids: Ids, children: "destroy" | "toAncestor" = "destroy"): void {
    withInputs(this.engine, (inputs) => {
      const { at, count } = useIds(inputs, ids);
      this.engine.some(this.engine.x.hierarchy_remove!(this.at, at, count, children === "toAncestor" ? 1 : 0));
    });
  }
  /** Nodes get other parents (noNode: none) and keep their places in the world, or their local transforms. */
  reparent(ids: Ids, parents: Ids, keep: "world" | "local" = "world"): void {
    withInputs(this.engine, (inputs) => {
      const { at, count } = useIds(inputs, ids);
      const up = useIds(inputs, parents);
      if (up.count !== count) refuse(`There are ${count} nodes and ${up.count} parents. Give one for each.`);
      this.engine.some(this.engine.x.hierarchy_reparent!(this.at, at, up.at, count, keep === "local" ? 1 : 0));
    });
  }
  /** noNode's numbers for a root. */
  parent(id: Id): Uint32Array {
    this.engine.some(this.engine.x.hierarchy_parent!(this.at, id[0]!, id[1]!));
    return this.engine.view("uint32", this.engine.scratch, 2).slice();
  }
  alive(id: Id): boolean {
    return this.engine.x.hierarchy_alive!(this.at, id[0]!, id[1]!) !== 0;
  }

  // ---- Places. A change takes effect in world() at once, and in matrices with the next propagate()

  setLocals(ids: Ids, locals: Column): void {
    this.#set(ids, locals, 8, "locals", "hierarchy_set_local");
  }
  setPositions(ids: Ids, positions: Column): void {
    this.#set(ids, positions, 3, "positions", "hierarchy_set_position");
  }
  setRotations(ids: Ids, rotations: Column): void {
    this.#set(ids, rotations, 4, "rotations", "hierarchy_set_rotation");
  }
  /** 8 numbers of each. */
  locals(ids: Ids): Float32Array {
    return this.#get(ids, 8, "hierarchy_local");
  }
  /**
   * 12 numbers of each: rotation x, y, z, w; position; the user's context (bits of an int32); stretch x, y, z; scale.
   */
  worlds(ids: Ids): Float32Array {
    return this.#get(ids, 12, "hierarchy_world");
  }

  /** Brings all world transforms up to date: how many were computed. */
  propagate(): number {
    const computed = this.engine.x.hierarchy_propagate!(this.at);
    if (computed < 0) this.engine.fail();
    return computed;
  }
  /** How often propagate() had something to do. */
  get version(): number {
    return this.engine.x.hierarchy_version!(this.at);
  }
  /** Writes the matrices of nodes that changed after `version`, 12 numbers row by row, to slot * 12: how many. */
  changedMatrices(version: number, out: WasmArray<"float32">): number {
    if (out.length < 12 * this.slotCount) refuse(`out has ${out.length} numbers. ${12 * this.slotCount} are needed.`);
    const { engine } = this;
    const done = engine.x.hierarchy_changed_matrices!(this.at, version, out.pointerIn(engine), Math.floor(out.length / 12));
    if (done < 0) engine.fail();
    return done;
  }
  /** The Ids of nodes that changed after `version`. */
  changedSince(version: number): Uint32Array {
    const { engine } = this;
    const size = this.size;
    const out = engine.out(8 * size);
    const found = engine.x.hierarchy_changed!(this.at, version, out, size) >>> 0;
    return engine.view("uint32", out, 2 * found).slice();
  }

  /** Living nodes. */
  get size(): number {
    return this.engine.x.hierarchy_size!(this.at) >>> 0;
  }
  /** Every slot is below it. */
  get slotCount(): number {
    return this.engine.x.hierarchy_slots!(this.at) >>> 0;
  }
  save(): Uint8Array {
    return this.engine.save((path, size) => this.engine.x.hierarchy_save!(this.at, path, size));
  }

  #set(ids: Ids, values: Column, size: number, name: string, call: string): void {
    withInputs(this.engine, (inputs) => {
      const { at, count } = useIds(inputs, ids);
      const to = useGroups(inputs, values, ["float32"], size, name);
      if (to.count !== count) refuse(`There are ${count} nodes and ${to.count} ${name}. Give one for each.`);
      this.engine.some(this.engine.x[call]!(this.at, at, to.at, count));
    });
  }
  #get(ids: Ids, size: number, call: string): Float32Array {
    const { engine } = this;
    return withInputs(engine, (inputs) => {
      const { at, count } = useIds(inputs, ids);
      const out = inputs.take(4 * size * count);
      engine.some(engine.x[call]!(this.at, at, out, count));
      return engine.view("float32", out, size * count).slice();
    });
  }
}

function useGroups<K extends Kind>(
  inputs: Inputs, column: Column, kinds: readonly K[], size: number, name: string,
): { at: number; count: number } {
  const { at, length } = inputs.use(column, kinds, name);
  if (length % size !== 0) refuse(`${name} has ${length} numbers, which is no multiple of ${size}.`);
  return { at, count: length / size };
}
function useIds(inputs: Inputs, ids: Ids): { at: number; count: number } {
  return useGroups(inputs, ids, ["uint32"], 2, "ids");
}
