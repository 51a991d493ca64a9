// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Runs a WASI program in Node or in a browser, with files in memory: runWasi(bytes, args, print) -> exit code. It offers
// what the golden tests use: the clock, random numbers, output, and one folder, /tmp.
// (Node's own WASI ends Node 20 with a segmentation fault at exit, after programs that saved files.)

const BADF = 8, NOENT = 44, EXIST = 20, OK = 0;
const ROOT = 3;  // the descriptor of /tmp

class Exit extends Error {
  constructor(code) {
    super(`exit ${code}`);
    this.code = code;
  }
}

class File {
  bytes = new Uint8Array(0);
  size = 0;
  write(at, part) {
    const end = at + part.length;
    if (end > this.bytes.length) {
      const larger = new Uint8Array(Math.max(end, 2 * this.bytes.length));
      larger.set(this.bytes);
      this.bytes = larger;
    }
    this.bytes.set(part, at);
    this.size = Math.max(this.size, end);
  }
}

export async function runWasi(program, args, print) {
  const files = new Map(), open = new Map();
  let memory, nextFile = ROOT + 1;
  const view = () => new DataView(memory.buffer);
  const bytes = (at, size) => new Uint8Array(memory.buffer, at, size);
  const text = (at, size) => new TextDecoder().decode(bytes(at, size));
  const lists = (entries) => {
    const parts = entries.map((entry) => new TextEncoder().encode(entry + "\0"));
    return {
      sizes(count, size) {
        view().setUint32(count, parts.length, true);
        view().setUint32(size, parts.reduce((sum, part) => sum + part.length, 0), true);
        return OK;
      },
      get(pointers, at) {
        parts.forEach((part, i) => {
          view().setUint32(pointers + 4 * i, at, true);
          bytes(at, part.length).set(part);
          at += part.length;
        });
        return OK;
      },
    };
  };
  const spans = (vectors, count) => Array.from({ length: count }, (_, i) =>
    bytes(view().getUint32(vectors + 8 * i, true), view().getUint32(vectors + 8 * i + 4, true)));
  const stat = (at, type, size) => {
    bytes(at, 64).fill(0);
    view().setUint8(at + 16, type);
    view().setBigUint64(at + 32, BigInt(size), true);
    return OK;
  };
  const given = lists(args), environment = lists([]);

  const wasi_snapshot_preview1 = {
    args_sizes_get: given.sizes, args_get: given.get,
    environ_sizes_get: environment.sizes, environ_get: environment.get,
    clock_time_get(_clock, _precision, at) {
      view().setBigUint64(at, BigInt(Math.round(performance.now() * 1e6)), true);
      return OK;
    },
    clock_res_get(_clock, at) {
      view().setBigUint64(at, 1000n, true);
      return OK;
    },
    random_get(at, size) {
      crypto.getRandomValues(bytes(at, size));
      return OK;
    },
    proc_exit(code) {
      throw new Exit(code);
    },
    fd_write(fd, vectors, count, written) {
      let size = 0;
      for (const part of spans(vectors, count)) {
        if (fd <= 2) print(new TextDecoder().decode(part));
        else {
          const file = open.get(fd);
          if (!file) return BADF;
          file.of.write(file.at, part);
          file.at += part.length;
        }
        size += part.length;
      }
      view().setUint32(written, size, true);
      return OK;
    },
    fd_read(fd, vectors, count, read) {
      const file = open.get(fd);
      if (!file) return BADF;
      let size = 0;
      for (const part of spans(vectors, count)) {
        const some = file.of.bytes.subarray(file.at, Math.min(file.at + part.length, file.of.size));
        part.set(some);
        file.at += some.length;
        size += some.length;
      }
      view().setUint32(read, size, true);
      return OK;
    },
    fd_seek(fd, offset, whence, at) {
      const file = open.get(fd);
      if (!file) return fd <= 2 ? 70 : BADF;  // 70: a pipe
      file.at = Number(offset) + [0, file.at, file.of.size][whence];
      view().setBigUint64(at, BigInt(file.at), true);
      return OK;
    },
    fd_close: (fd) => (open.delete(fd) || fd <= 2 ? OK : BADF),
    fd_fdstat_get(fd, at) {
      if (fd > ROOT && !open.has(fd)) return BADF;
      bytes(at, 24).fill(0);
      view().setUint8(at, fd <= 2 ? 2 : fd === ROOT ? 3 : 4);
      view().setBigUint64(at + 8, ~0n & 0xffffffffffffffffn, true);
      view().setBigUint64(at + 16, ~0n & 0xffffffffffffffffn, true);
      return OK;
    },
    fd_fdstat_set_flags: () => OK,
    fd_filestat_get(fd, at) {
      const file = open.get(fd);
      return file ? stat(at, 4, file.of.size) : BADF;
    },
    fd_filestat_set_size(fd, size) {
      const file = open.get(fd);
      if (!file) return BADF;
      file.of.size = Number(size);
      return OK;
    },
    fd_prestat_get(fd, at) {
      if (fd !== ROOT) return BADF;
      view().setUint32(at, 0, true);
      view().setUint32(at + 4, 4, true);
      return OK;
    },
    fd_prestat_dir_name(_fd, at) {
      bytes(at, 4).set(new TextEncoder().encode("/tmp"));
      return OK;
    },
    path_open(_dir, _flags, path, size, options, _rights, _inherited, _descriptor, at) {
      const name = text(path, size);
      const [create, , exclusive, truncate] = [1, 2, 4, 8].map((bit) => (options & bit) !== 0);
      if (files.has(name) ? create && exclusive : !create) return files.has(name) ? EXIST : NOENT;
      if (!files.has(name)) files.set(name, new File());
      if (truncate) files.get(name).size = 0;
      open.set(nextFile, { of: files.get(name), at: 0 });
      view().setUint32(at, nextFile++, true);
      return OK;
    },
    path_filestat_get(_dir, _flags, path, size, at) {
      const file = files.get(text(path, size));
      return file ? stat(at, 4, file.size) : NOENT;
    },
    path_rename(_from, oldPath, oldSize, _to, newPath, newSize) {
      const name = text(oldPath, oldSize);
      if (!files.has(name)) return NOENT;
      files.set(text(newPath, newSize), files.get(name));
      files.delete(name);
      return OK;
    },
    path_unlink_file: (_dir, path, size) => (files.delete(text(path, size)) ? OK : NOENT),
  };
  // What a program links and does not call here.
  const module = await WebAssembly.compile(program);
  for (const { name } of WebAssembly.Module.imports(module)) wasi_snapshot_preview1[name] ??= () => 52;
  const instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1 });
  memory = instance.exports.memory;
  try {
    instance.exports._start();
    return 0;
  } catch (error) {
    if (error instanceof Exit) return error.code;
    throw error;
  }
}
