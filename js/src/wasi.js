// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The few calls of WASI preview 1 that Juxta's programs make: a clock, random numbers, text for the console, and files,
// which are arrays in memory below "/". For the modules here, for the viewer's engine and for the golden tests, which
// run in Node as it is: hence JavaScript, with types in comments.

const ok = 0;
const badFile = 8;
const exists = 20;
const invalid = 28;
const missing = 44;
const unknownCall = 52;
const noSeeking = 70;

const root = 3; // The only folder that is open from the start.
const firstFile = 4;

class Bytes {
  /** @param {Uint8Array} data */
  constructor(data) {
    this.data = data;
    this.size = data.length;
  }

  /** @param {number} size Zeros fill what is new. */
  resize(size) {
    if (size > this.data.length) {
      const grown = new Uint8Array(Math.max(size, 2 * this.size));
      grown.set(this.data.subarray(0, this.size));
      this.data = grown;
    } else if (size > this.size) {
      this.data.fill(0, this.size, size);
    }
    this.size = size;
  }

  /** @param {number} at @param {Uint8Array} bytes */
  write(at, bytes) {
    if (at + bytes.length > this.size) this.resize(at + bytes.length);
    this.data.set(bytes, at);
  }
}

/** What `proc_exit` throws. */
export class WasiExit extends Error {
  /** @param {number} code */
  constructor(code) {
    super(`juxta: the module ended with code ${code}`);
    this.code = code;
  }
}

/** The system of one instance. Files live as long as somebody needs them: nothing here is kept. */
export class Wasi {
  /** Set it before the instance runs. */
  memory = /** @type {WebAssembly.Memory} */ (/** @type {unknown} */ (undefined));
  /** @type {Map<string, Bytes>} */
  #files = new Map();
  /** @type {Map<number, { of: Bytes, at: number }>} */
  #open = new Map();
  #next = firstFile;
  #write;

  /** @param {(text: string, descriptor: number) => void} write Gets the output, in parts of any length. */
  constructor(write = lines()) {
    this.#write = write;
  }

  /** The file is this array, and not a copy of it. @param {string} name @param {Uint8Array} bytes */
  put(name, bytes) {
    this.#files.set(name, new Bytes(bytes));
  }

  /** The file goes, and what was in it is returned. @param {string} name @returns {Uint8Array} */
  take(name) {
    const file = this.#files.get(name);
    this.#files.delete(name);
    return file ? file.data.subarray(0, file.size) : new Uint8Array(0);
  }

  /**
   * For WebAssembly.instantiate: what is not needed answers that there is no such call.
   * @param {WebAssembly.Module} module @returns {WebAssembly.ModuleImports}
   */
  imports(module) {
    /** @type {WebAssembly.ModuleImports} */
    const calls = { ...this.#system(), ...this.#descriptors(), ...this.#paths() };
    /** @type {WebAssembly.ModuleImports} */
    const result = {};
    for (const { module: from, name } of WebAssembly.Module.imports(module)) {
      if (from === "wasi_snapshot_preview1") result[name] = calls[name] ?? (() => unknownCall);
    }
    return result;
  }

  #view() {
    return new DataView(this.memory.buffer);
  }
  /** @param {number} pointer @param {number} size */
  #bytes(pointer, size) {
    return new Uint8Array(this.memory.buffer, pointer >>> 0, size >>> 0);
  }
  /** @param {number} pointer @param {number} size */
  #text(pointer, size) {
    return new TextDecoder().decode(this.#bytes(pointer, size));
  }

  /** The parts of the memory that an array of (address, size) names. @param {number} list @param {number} count */
  *#parts(list, count) {
    const view = this.#view();
    for (let i = 0; i < count; ++i) {
      const at = (list >>> 0) + 8 * i;
      yield this.#bytes(view.getUint32(at, true), view.getUint32(at + 4, true));
    }
  }

  /** @param {number} to @param {number} kind 3: a folder, 4: a file @param {number} size */
  #stat(to, kind, size) {
    this.#bytes(to, 64).fill(0);
    const view = this.#view();
    view.setUint8((to >>> 0) + 16, kind);
    view.setBigUint64((to >>> 0) + 24, 1n, true);
    view.setBigUint64((to >>> 0) + 32, BigInt(size), true);
    return ok;
  }

  #system() {
    return {
      environ_sizes_get: (/** @type {number} */ count, /** @type {number} */ size) => {
        this.#view().setUint32(count >>> 0, 0, true);
        this.#view().setUint32(size >>> 0, 0, true);
        return ok;
      },
      environ_get: () => ok,
      clock_time_get: (/** @type {number} */ clock, /** @type {bigint} */ _precision, /** @type {number} */ to) => {
        // Browsers round their clocks: to 0.1 ms or more on a page that is not isolated.
        const milliseconds = (clock === 0 ? performance.timeOrigin : 0) + performance.now();
        this.#view().setBigUint64(to >>> 0, BigInt(Math.round(milliseconds * 1e6)), true);
        return ok;
      },
      random_get: (/** @type {number} */ to, /** @type {number} */ size) => {
        const bytes = this.#bytes(to, size);
        for (let at = 0; at < bytes.length; at += 65536) crypto.getRandomValues(bytes.subarray(at, at + 65536));
        return ok;
      },
      proc_exit: (/** @type {number} */ code) => {
        throw new WasiExit(code);
      },
    };
  }

  #descriptors() {
    return {
      fd_prestat_get: (/** @type {number} */ fd, /** @type {number} */ to) => {
        if (fd !== root) return badFile;
        this.#view().setUint32(to >>> 0, 0, true);
        this.#view().setUint32((to >>> 0) + 4, 1, true);
        return ok;
      },
      fd_prestat_dir_name: (/** @type {number} */ fd, /** @type {number} */ to) => {
        if (fd !== root) return badFile;
        this.#bytes(to, 1)[0] = 47; // "/"
        return ok;
      },
      fd_fdstat_get: (/** @type {number} */ fd, /** @type {number} */ to) => {
        if (fd >= firstFile && !this.#open.has(fd)) return badFile;
        this.#bytes(to, 24).fill(0);
        this.#view().setUint8(to >>> 0, fd === root ? 3 : fd < root ? 2 : 4);
        this.#bytes((to >>> 0) + 8, 16).fill(255); // every right
        return ok;
      },
      fd_fdstat_set_flags: () => ok,
      fd_close: (/** @type {number} */ fd) => (this.#open.delete(fd) || fd < root ? ok : badFile),
      fd_filestat_get: (/** @type {number} */ fd, /** @type {number} */ to) => {
        if (fd === root) return this.#stat(to, 3, 0);
        const file = this.#open.get(fd)?.of;
        return file ? this.#stat(to, 4, file.size) : badFile;
      },
      fd_filestat_set_size: (/** @type {number} */ fd, /** @type {bigint} */ size) => {
        this.#open.get(fd)?.of.resize(Number(size));
        return this.#open.has(fd) ? ok : badFile;
      },
      fd_read: (/** @type {number} */ fd, /** @type {number} */ list, /** @type {number} */ count, /** @type {number} */ done) => {
        const open = this.#open.get(fd);
        if (!open) return badFile;
        const begin = open.at;
        for (const part of this.#parts(list, count)) {
          const bytes = open.of.data.subarray(open.at, Math.min(open.at + part.length, open.of.size));
          part.set(bytes);
          open.at += bytes.length;
        }
        this.#view().setUint32(done >>> 0, open.at - begin, true);
        return ok;
      },
      fd_write: (/** @type {number} */ fd, /** @type {number} */ list, /** @type {number} */ count, /** @type {number} */ done) => {
        const open = this.#open.get(fd);
        if (fd >= root && !open) return badFile;
        let written = 0;
        for (const part of this.#parts(list, count)) {
          if (open) {
            open.of.write(open.at, part);
            open.at += part.length;
          } else {
            this.#write(new TextDecoder().decode(part), fd);
          }
          written += part.length;
        }
        this.#view().setUint32(done >>> 0, written, true);
        return ok;
      },
      fd_seek: (/** @type {number} */ fd, /** @type {bigint} */ offset, /** @type {number} */ from, /** @type {number} */ to) => {
        const open = this.#open.get(fd);
        if (!open) return fd < root ? noSeeking : badFile;
        const at = Number(offset) + (from === 0 ? 0 : from === 1 ? open.at : open.of.size);
        if (at < 0) return invalid;
        open.at = at;
        this.#view().setBigUint64(to >>> 0, BigInt(at), true);
        return ok;
      },
    };
  }

  #paths() {
    return {
      /** @type {(fd: number, flags: number, path: number, size: number, to: number) => number} */
      path_filestat_get: (_fd, _flags, path, size, to) => {
        const name = this.#text(path, size);
        if (name === "." || name === "") return this.#stat(to, 3, 0);
        const file = this.#files.get(name);
        return file ? this.#stat(to, 4, file.size) : missing;
      },
      /**
       * @type {(fd: number, lookup: number, path: number, size: number, flags: number, rights: bigint, more: bigint,
       *     how: number, to: number) => number}
       */
      path_open: (_fd, _lookup, path, size, flags, _rights, _more, _how, to) => {
        const name = this.#text(path, size);
        const create = (flags & 1) !== 0;
        let file = this.#files.get(name);
        if (file && create && (flags & 4) !== 0) return exists;
        if (!file && !create) return missing;
        if (!file || (flags & 8) !== 0) this.#files.set(name, (file = new Bytes(new Uint8Array(0))));
        this.#open.set(this.#next, { of: file, at: 0 });
        this.#view().setUint32(to >>> 0, this.#next++, true);
        return ok;
      },
      /** @type {(fd: number, path: number, size: number, to: number, toPath: number, toSize: number) => number} */
      path_rename: (_fd, path, size, _to, toPath, toSize) => {
        const name = this.#text(path, size);
        const file = this.#files.get(name);
        if (!file) return missing;
        this.#files.delete(name);
        this.#files.set(this.#text(toPath, toSize), file);
        return ok;
      },
      /** @type {(fd: number, path: number, size: number) => number} */
      path_unlink_file: (_fd, path, size) => (this.#files.delete(this.#text(path, size)) ? ok : missing),
    };
  }
}

/**
 * Writes whole lines to the console. What has no end of line yet is a line of its own once the module has returned and the
 * program goes on, because nothing says that a module has written its last.
 */
function lines() {
  let rest = "";
  let waits = false;
  const writeRest = () => {
    waits = false;
    if (rest !== "") console.error(rest);
    rest = "";
  };
  return (/** @type {string} */ text) => {
    const parts = (rest + text).split("\n");
    rest = parts.pop() ?? "";
    for (const line of parts) console.error(line);
    if (rest === "" || waits) return;
    waits = true;
    queueMicrotask(writeRest);
  };
}
