// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// How a module gets from its file into an instance: in browsers by fetch, in Node from the disk.
import { refuse } from "./errors.js";
import { Engine, type InitOptions, type Kind, type WasmArray } from "./memory.js";

/** A compiled module, its bytes, or where they are. */
export type Source = WebAssembly.Module | BufferSource | Response | URL | string;

export interface Entry {
  init(source?: Source | Promise<Source>, options?: InitOptions): Promise<Engine>;
  alloc<K extends Kind>(kind: K, length: number): WasmArray<K>;
  engine(): Engine;
}

interface NodeFiles {
  readFile(path: URL): Promise<Uint8Array>;
}
interface NodeProcess {
  versions?: { node?: string };
  getBuiltinModule?(name: string): { promises: NodeFiles } | undefined;
}

async function readInNode(url: URL): Promise<BufferSource> {
  const process = (globalThis as { process?: NodeProcess }).process;
  // A bundler for browsers must not follow the import, and since Node 20.16 there is none.
  const name = ["node:fs", "promises"].join("/"); // not a constant that esbuild would put into the import
  const files =
    process?.getBuiltinModule?.("node:fs")?.promises ??
    ((await import(/* @vite-ignore */ /* webpackIgnore: true */ name)) as NodeFiles);
  return (await files.readFile(url)) as Uint8Array<ArrayBuffer>;
}

async function compile(source: Source): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) return source;
  if (typeof source === "string" || source instanceof URL) {
    const url = new URL(source, globalThis.location?.href);
    if (url.protocol === "file:") return WebAssembly.compile(await readInNode(url));
    return compile(await fetch(url));
  }
  if (typeof Response !== "undefined" && source instanceof Response) {
    if (!source.ok) refuse(`${source.url}: the server answered ${source.status}. Give init() the address of the .wasm file.`);
    // Streaming needs the right type of content, which not every server sends.
    if (source.headers.get("content-type")?.startsWith("application/wasm")) {
      return WebAssembly.compileStreaming(source);
    }
    return WebAssembly.compile(await source.arrayBuffer());
  }
  return WebAssembly.compile(source as BufferSource);
}

/** One per module. `place` says where its file is, beside the script. */
export function makeEntry(name: string, place: () => URL): Entry {
  let module: Promise<WebAssembly.Module> | undefined;
  let starting: Promise<Engine> | undefined;
  let current: Engine | undefined;
  return {
    async init(source, options) {
      if (starting && !current?.dead && source === undefined && options === undefined) return starting;
      if (source !== undefined) module = Promise.resolve(source).then(compile);
      module ??= compile(place());
      const compiled = module;
      starting = compiled.then((each) => Engine.start(each, options ?? {}));
      try {
        current = await starting;
      } catch (error) {
        module = starting = undefined; // so that the next call tries again
        throw error;
      }
      return current;
    },
    alloc: (kind, length) => requireEngine().alloc(kind, length),
    engine: requireEngine,
  };

  function requireEngine(): Engine {
    if (!current) refuse(`juxta/${name} is not loaded yet. Call await init() first.`);
    return current;
  }
}
