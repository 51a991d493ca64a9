// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The few calls of WASI preview 1 that the modules make: a clock, random numbers, text for the console, and files,
// which are arrays in memory below "/".

const ok = 0;
const badFile = 8;
const exists = 20;
const invalid = 28;
const missing = 44;
const unknownCall = 52;

const root = 3; // The only folder that is open from the start.
const firstFile = 4;

interface OpenFile {
  name: string;
  at: number;
}

class Bytes {
  data: Uint8Array = new Uint8Array(0);
  size = 0;

  write(at: number, bytes: Uint8Array): void {
    const end = at + bytes.length;
    if (end > this.data.length) {
      const grown = new Uint8Array(Math.max(end, this.size === 0 ? 0 : 2 * this.data.length));
      grown.set(this.data.subarray(0, this.size));
      this.data = grown;
    }
    this.data.set(bytes, at);
    this.size = Math.max(this.size, end);
  }
}

/** Files of one instance. They live as long as somebody needs them: nothing here is kept. */
export class Wasi {
  memory!: WebAssembly.Memory;
  readonly #files = new Map<string, Bytes>();
  readonly #open = new Map<number, OpenFile>();
  #next = firstFile;
  #line = "";

  /** The file is this array, and not a copy of it. */
  put(name: string, bytes: Uint8Array): void {
    const file = new Bytes();
    file.data = bytes;
    file.size = bytes.length;
    this.#files.set(name, file);
  }

  /** The file goes, and what was in it is returned. */
  take(name: string): Uint8Array {
    const file = this.#files.get(name);
    this.#files.delete(name);
    return file ? file.data.subarray(0, file.size) : new Uint8Array(0);
  }

  /** For WebAssembly.instantiate: what is not needed answers that there is no such call. */
  imports(module: WebAssembly.Module): WebAssembly.ModuleImports {
    const calls: WebAssembly.ModuleImports = this.#calls();
    const result: WebAssembly.ModuleImports = {};
    for (const { module: from, name } of WebAssembly.Module.imports(module)) {
      if (from === "wasi_snapshot_preview1") result[name] = calls[name] ?? (() => unknownCall);
    }
    return result;
  }

  #view(): DataView {
    return new DataView(this.memory.buffer);
  }
  #bytes(pointer: number, size: number): Uint8Array {
    return new Uint8Array(this.memory.buffer, pointer >>> 0, size >>> 0);
  }
  #text(pointer: number, size: number): string {
    return new TextDecoder().decode(this.#bytes(pointer, size));
  }

  /** The parts of the memory that an array of (address, size) names. */
  *#parts(list: number, count: number): Generator<Uint8Array> {
    const view = this.#view();
    for (let i = 0; i < count; ++i) {
      const at = (list >>> 0) + 8 * i;
      yield this.#bytes(view.getUint32(at, true), view.getUint32(at + 4, true));
    }
  }

  #print(bytes: Uint8Array): void {
    const lines = (this.#line + new TextDecoder().decode(bytes)).split("\n");
    this.#line = lines.pop() ?? "";
    for (const line of lines) console.error(line);
  }

  #writeStat(to: number, kind: number, size: number): number {
    this.#bytes(to, 64).fill(0);
    const view = this.#view();
    view.setUint8((to >>> 0) + 16, kind); // 3: a folder, 4: a file
    view.setBigUint64((to >>> 0) + 24, 1n, true);
    view.setBigUint64((to >>> 0) + 32, BigInt(size), true);
    return ok;
  }

  #calls() {
    return {
      environ_sizes_get: (count: number, size: number) => {
        this.#view().setUint32(count >>> 0, 0, true);
        this.#view().setUint32(size >>> 0, 0, true);
        return ok;
      },
      environ_get: () => ok,
      clock_time_get: (kind: number, _precision: bigint, to: number) => {
        const milliseconds = kind === 0 ? Date.now() : performance.now();
        this.#view().setBigUint64(to >>> 0, BigInt(Math.round(milliseconds * 1e6)), true);
        return ok;
      },
      random_get: (to: number, size: number) => {
        const bytes = this.#bytes(to, size);
        for (let at = 0; at < bytes.length; at += 65536) crypto.getRandomValues(bytes.subarray(at, at + 65536));
        return ok;
      },
      proc_exit: (code: number) => {
        throw new Error(`juxta: the module ended with code ${code}`);
      },
      ...this.#descriptors(),
      ...this.#paths(),
    };
  }

  #descriptors() {
    return {
      fd_prestat_get: (fd: number, to: number) => {
        if (fd !== root) return badFile;
        this.#view().setUint32(to >>> 0, 0, true);
        this.#view().setUint32((to >>> 0) + 4, 1, true);
        return ok;
      },
      fd_prestat_dir_name: (fd: number, to: number) => {
        if (fd !== root) return badFile;
        this.#bytes(to, 1)[0] = 47; // "/"
        return ok;
      },
      fd_fdstat_get: (fd: number, to: number) => {
        if (fd >= firstFile && !this.#open.has(fd)) return badFile;
        this.#bytes(to, 24).fill(0);
        this.#view().setUint8(to >>> 0, fd === root ? 3 : fd < root ? 2 : 4);
        this.#bytes((to >>> 0) + 8, 16).fill(255); // every right
        return ok;
      },
      fd_close: (fd: number) => (this.#open.delete(fd) ? ok : badFile),
      fd_filestat_get: (fd: number, to: number) => {
        if (fd === root) return this.#writeStat(to, 3, 0);
        const open = this.#open.get(fd);
        return open ? this.#writeStat(to, 4, this.#files.get(open.name)?.size ?? 0) : badFile;
      },
      fd_read: (fd: number, list: number, count: number, done: number) => {
        const open = this.#open.get(fd);
        const file = open && this.#files.get(open.name);
        if (!open || !file) return badFile;
        const begin = open.at;
        for (const part of this.#parts(list, count)) {
          const bytes = file.data.subarray(open.at, Math.min(open.at + part.length, file.size));
          part.set(bytes);
          open.at += bytes.length;
        }
        this.#view().setUint32(done >>> 0, open.at - begin, true);
        return ok;
      },
      fd_write: (fd: number, list: number, count: number, done: number) => {
        const open = this.#open.get(fd);
        const file = open && this.#files.get(open.name);
        if (fd >= root && (!open || !file)) return badFile;
        let written = 0;
        for (const part of this.#parts(list, count)) {
          if (open && file) {
            file.write(open.at, part);
            open.at += part.length;
          } else {
            this.#print(part);
          }
          written += part.length;
        }
        this.#view().setUint32(done >>> 0, written, true);
        return ok;
      },
      fd_seek: (fd: number, offset: bigint, from: number, to: number) => {
        const open = this.#open.get(fd);
        if (!open) return badFile;
        const size = this.#files.get(open.name)?.size ?? 0;
        const at = Number(offset) + (from === 0 ? 0 : from === 1 ? open.at : size);
        if (at < 0) return invalid;
        open.at = at;
        this.#view().setBigUint64(to >>> 0, BigInt(at), true);
        return ok;
      },
      fd_filestat_set_size: (fd: number, size: bigint) => {
        const open = this.#open.get(fd);
        const file = open && this.#files.get(open.name);
        if (!file) return badFile;
        file.size = Math.min(file.size, Number(size));
        return ok;
      },
    };
  }

  #paths() {
    return {
      path_filestat_get: (_fd: number, _flags: number, path: number, size: number, to: number) => {
        const name = this.#text(path, size);
        if (name === "." || name === "") return this.#writeStat(to, 3, 0);
        const file = this.#files.get(name);
        return file ? this.#writeStat(to, 4, file.size) : missing;
      },
      path_open: (
        _fd: number, _lookup: number, path: number, size: number, flags: number, _rights: bigint, _more: bigint,
        _how: number, to: number,
      ) => {
        const name = this.#text(path, size);
        const create = (flags & 1) !== 0;
        const file = this.#files.get(name);
        if (file && create && (flags & 4) !== 0) return exists;
        if (!file && !create) return missing;
        if (!file || (flags & 8) !== 0) this.#files.set(name, new Bytes());
        this.#open.set(this.#next, { name, at: 0 });
        this.#view().setUint32(to >>> 0, this.#next++, true);
        return ok;
      },
      path_rename: (_fd: number, path: number, size: number, _to: number, toPath: number, toSize: number) => {
        const name = this.#text(path, size);
        const file = this.#files.get(name);
        if (!file) return missing;
        this.#files.delete(name);
        this.#files.set(this.#text(toPath, toSize), file);
        return ok;
      },
      path_unlink_file: (_fd: number, path: number, size: number) =>
        this.#files.delete(this.#text(path, size)) ? ok : missing,
    };
  }
}
