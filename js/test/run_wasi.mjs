// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Runs a WASI program in Node: node run_wasi.mjs PROGRAM.wasm [ARGUMENTS...].
import { readFile } from "node:fs/promises";
import { runWasi } from "./wasi_host.mjs";

const [program, ...rest] = process.argv.slice(2);
process.exitCode = await runWasi(await readFile(program), [program, ...rest], (text) => process.stdout.write(text));
