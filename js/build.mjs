// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Builds the package: node build.mjs FOLDER_OF_WASM [OUT_FOLDER]
//
// FOLDER_OF_WASM is build/wasm/npm of a WebAssembly build. OUT_FOLDER (dist) gets one script, one .d.ts and one .wasm per
// module, and the parts that they share.
import { build } from "esbuild";
import { execFileSync } from "node:child_process";
import { copyFile, mkdir, readFile, readdir, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync } from "node:zlib";

const here = dirname(fileURLToPath(import.meta.url));
export const modules = ["ranked", "labels", "layer", "shape", "agents", "transform"];

// Compressed by Brotli, as every browser asks for: a module's script and .wasm together.
const mostBytes = { ranked: 80_000 };
const mostOfRankedAndLayer = 250_000;

export async function bundle(out) {
  await build({
    absWorkingDir: here,
    entryPoints: ["index", ...modules].map((name) => `src/${name}.ts`),
    outdir: out,
    bundle: true,
    splitting: true,
    chunkNames: "shared-[hash]",
    format: "esm",
    target: "es2022",
    minify: true,
    legalComments: "none",
    logLevel: "warning",
    banner: { js: "// juxta: MIT." },
  });
}

/** Compressed sizes of a module's files, with those parts of the scripts that it imports. */
export async function sizes(out) {
  const result = {};
  for (const name of modules) {
    const scripts = [`${name}.js`];
    for (const script of scripts) {
      const text = await readFile(join(out, script), "utf8");
      for (const [, part] of text.matchAll(/"\.\/(shared-[A-Z0-9]+\.js)"/g)) if (!scripts.includes(part)) scripts.push(part);
    }
    let total = 0;
    for (const file of [...scripts, `${name}.wasm`]) total += brotliCompressSync(await readFile(join(out, file))).length;
    result[name] = total;
  }
  return result;
}

async function main() {
  const [wasm, folder] = process.argv.slice(2);
  if (!wasm) throw new Error("Usage: node build.mjs FOLDER_OF_WASM [OUT_FOLDER]");
  const out = resolve(folder ?? join(here, "dist"));
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  await copyFile(join(here, "../LICENSE"), join(here, "LICENSE"));
  await bundle(out);
  const tsc = join(here, "node_modules", "typescript", "bin", "tsc");
  execFileSync(process.execPath, [tsc, "-p", join(here, "tsconfig.json"), "--outDir", out], { stdio: "inherit" });
  const built = await readdir(wasm);
  for (const name of modules) {
    if (!built.includes(`${name}.wasm`)) throw new Error(`There is no ${join(wasm, name)}.wasm. Build the target js_modules.`);
    await copyFile(join(wasm, `${name}.wasm`), join(out, `${name}.wasm`));
  }
  const all = await sizes(out);
  for (const [name, bytes] of Object.entries(all)) {
    console.log(`${name.padEnd(10)} ${bytes} bytes compressed`);
    if (bytes > (mostBytes[name] ?? Infinity)) throw new Error(`juxta/${name} has ${bytes} bytes. Allowed are ${mostBytes[name]}.`);
  }
  if (all.ranked + all.layer > mostOfRankedAndLayer) {
    throw new Error(`ranked and layer have ${all.ranked + all.layer} bytes. Allowed are ${mostOfRankedAndLayer}.`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  main().catch((error) => {
    console.error(error.message);
    process.exit(1);
  });
}
