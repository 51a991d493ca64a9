// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Builds the page that needs no server: node build_site.mjs MODULE.wasm OUT_FOLDER
//
// OUT_FOLDER gets files for any web server, in place of those of an earlier build. Names hold a hash of what is in them,
// so that a browser never has an old worker beside a new page; index.html alone has always the same name.
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const here = dirname(fileURLToPath(import.meta.url));
const mostBytes = 600_000; // Compressed by gzip, all files together.

const common = {
  absWorkingDir: here,
  bundle: true,
  minify: true,
  target: "es2022",
  legalComments: "none",
  logLevel: "warning",
  metafile: true,
  entryNames: "[name]-[hash]",
  chunkNames: "[name]-[hash]",
};
// Notices of the code that is bundled must stay with it.
const banner = { js: "// juxta: MIT. three.js: MIT, (c) 2010-2025 three.js authors." };

/** The file that an entry became. */
function output({ metafile }, entry) {
  const [name] = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === entry);
  return basename(name);
}

async function bundle(module, out) {
  const bytes = await readFile(module);
  const wasm = `juxta-${createHash("sha256").update(bytes).digest("hex").slice(0, 8).toUpperCase()}.wasm`;
  await writeFile(join(out, wasm), bytes);
  const worker = output(
    await build({ ...common, entryPoints: ["src/local/worker.ts"], format: "iife", outdir: out }),
    "src/local/worker.ts",
  );
  const main = output(
    await build({
      ...common,
      banner,
      entryPoints: ["src/local/main.ts"],
      format: "esm",
      splitting: true, // Only worlds need three.js.
      outdir: out,
      define: { kWorkerFile: JSON.stringify(worker), kModuleFile: JSON.stringify(wasm) },
    }),
    "src/local/main.ts",
  );
  const css = "src/style/site.css";
  const style = output(await build({ ...common, entryPoints: [css], outdir: out }), css);
  const html = (await readFile(join(here, "static/site.html"), "utf8"))
    .replace("{style}", style)
    .replace("{module}", wasm)
    .replace("{main}", main);
  await writeFile(join(out, "index.html"), html);
  await writeFile(join(out, "icon.svg"), await readFile(join(here, "static/icon.svg")));
}

async function main() {
  const [module, out] = process.argv.slice(2).map((path) => resolve(path));
  if (!out) throw new Error("Usage: node build_site.mjs MODULE.wasm OUT_FOLDER");
  await mkdir(out, { recursive: true });
  for (const old of await readdir(out)) {
    if (/^[a-z]+-[A-Z0-9]{8}[.](js|css|wasm)$/.test(old)) await rm(join(out, old));
  }
  await bundle(module, out);
  let total = 0;
  for (const file of (await readdir(out)).sort()) {
    const bytes = await readFile(join(out, file));
    const zipped = gzipSync(bytes, { level: 9 }).length;
    total += zipped;
    console.log(`${file.padEnd(22)} ${bytes.length} bytes, ${zipped} compressed`);
  }
  console.log(`${"all".padEnd(22)} ${total} bytes compressed`);
  if (total > mostBytes) throw new Error(`The page has ${total} bytes compressed. At most ${mostBytes} are allowed.`);
}

main().catch((error) => {
  console.error(error.message);
  process.exit(1);
});
