// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What the engine's module asks of the system: the time, and a place for its last words.

const kBadFile = 8,
  kNoCall = 52;

export class Wasi {
  memory: WebAssembly.Memory | null = null;
  /** What was written to the error output: why it ended, if it did. */
  said = "";

  /** An import for each that the module has; those that nobody needs say that they are not there. */
  imports(module: WebAssembly.Module): WebAssembly.ModuleImports {
    const calls: WebAssembly.ModuleImports = {};
    for (const { module: from, name } of WebAssembly.Module.imports(module)) {
      if (from === "wasi_snapshot_preview1") calls[name] = () => kNoCall;
    }
    return Object.assign(calls, {
      clock_time_get: (clock: number, _precision: bigint, at: number) => this.time(clock, at),
      environ_get: () => 0,
      environ_sizes_get: (count: number, bytes: number) => {
        this.view.setUint32(count, 0, true);
        this.view.setUint32(bytes, 0, true);
        return 0;
      },
      fd_close: () => kBadFile,
      fd_seek: () => kBadFile,
      fd_write: (file: number, parts: number, howMany: number, written: number) =>
        this.write(file, parts, howMany, written),
      proc_exit: (code: number) => {
        throw new Error(`the engine ended with ${code}`);
      },
    });
  }

  private get view(): DataView {
    return new DataView(this.memory!.buffer);
  }

  /** Browsers round their clocks: to 0.1 ms or more on a page that is not isolated. */
  private time(clock: number, at: number): number {
    const ms = clock === 0 ? performance.timeOrigin + performance.now() : performance.now();
    this.view.setBigUint64(at, BigInt(Math.round(ms * 1e6)), true);
    return 0;
  }

  private write(file: number, parts: number, howMany: number, written: number): number {
    let all = 0;
    for (let i = 0; i < howMany; ++i) {
      const from = this.view.getUint32(parts + 8 * i, true),
        bytes = this.view.getUint32(parts + 8 * i + 4, true);
      if (file === 2) this.said += new TextDecoder().decode(new Uint8Array(this.memory!.buffer, from, bytes));
      all += bytes;
    }
    this.view.setUint32(written, all, true);
    return 0;
  }
}
