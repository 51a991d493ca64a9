// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Builds the pages: node build.mjs OUT_FOLDER
//
// OUT_FOLDER gets the files as a browser reads them, and assets.cpp, which holds the same files compressed.
// The server serves those from its own memory.
import { build } from "esbuild";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const here = dirname(fileURLToPath(import.meta.url));
const mostBytes = 400_000; // Compressed, all files together.

const files = [
  { path: "/", file: "index.html", type: "text/html; charset=utf-8" },
  { path: "/style.css", file: "style.css", type: "text/css; charset=utf-8" },
  { path: "/main.js", file: "main.js", type: "text/javascript; charset=utf-8" },
  { path: "/world.js", file: "world.js", type: "text/javascript; charset=utf-8" },
  { path: "/map.js", file: "map.js", type: "text/javascript; charset=utf-8" },
  { path: "/sweep.js", file: "sweep.js", type: "text/javascript; charset=utf-8" },
  { path: "/icon.svg", file: "icon.svg", type: "image/svg+xml" },
];

async function bundle(out) {
  const common = {
    absWorkingDir: here,
    bundle: true,
    minify: true,
    target: "es2022",
    legalComments: "none",
    logLevel: "warning",
  };
  await build({
    ...common,
    format: "esm",
    entryPoints: {
      main: "src/main.ts",
      world: "src/world/page.ts",
      map: "src/map/page.ts",
      sweep: "src/sweep/page.ts",
    },
    outdir: out,
    external: ["./world.js", "./map.js", "./sweep.js"],
    // Notices of the code that is bundled must stay with it.
    banner: { js: "// juxta: MIT. three.js: MIT, (c) 2010-2025 three.js authors." },
  });
  await build({ ...common, entryPoints: ["src/style/style.css"], outfile: join(out, "style.css") });
  for (const name of ["index.html", "icon.svg"]) {
    await writeFile(join(out, name), await readFile(join(here, "static", name)));
  }
}

/** Compresses so that the same text has the same bytes on every machine. */
function compress(bytes) {
  const zipped = gzipSync(bytes, { level: 9 });
  zipped.fill(0, 4, 8); // The time.
  zipped[9] = 255; // The operating system: unknown.
  return zipped;
}

function rows(bytes) {
  const text = [];
  for (let begin = 0; begin < bytes.length; begin += 64) text.push(bytes.subarray(begin, begin + 64).join(","));
  return text.join(",\n");
}

function source(assets) {
  const arrays = assets.map(({ zipped }, i) => `constexpr unsigned char k${i}[] = {\n${rows(zipped)}};\n`);
  const list = assets.map(({ path, type }, i) => `      {"${path}", "${type}", k${i}},\n`);
  return [
    "// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT\n",
    "// Made by viewer/web/build.mjs.\n",
    '#include "view/assets.h"\n\n',
    "namespace juxta::view_detail {\nnamespace {\n",
    ...arrays,
    "}  // namespace\n\n",
    "std::span<const Asset> assets() noexcept {\n  static constexpr Asset kAll[] = {\n",
    ...list,
    "  };\n  return kAll;\n}\n\n}  // namespace juxta::view_detail\n",
  ].join("");
}

async function main() {
  const out = process.argv[2];
  if (!out) throw new Error("Usage: node build.mjs OUT_FOLDER");
  await mkdir(out, { recursive: true });
  await rm(join(out, "assets.cpp"), { force: true });
  await bundle(resolve(out));
  const assets = [];
  for (const each of files) assets.push({ ...each, zipped: compress(await readFile(join(out, each.file))) });
  const total = assets.reduce((sum, { zipped }) => sum + zipped.length, 0);
  for (const { file, zipped } of assets) console.log(`${file.padEnd(12)} ${zipped.length} bytes compressed`);
  console.log(`${"all".padEnd(12)} ${total} bytes compressed`);
  if (total > mostBytes) throw new Error(`The pages have ${total} bytes compressed. At most ${mostBytes} are allowed.`);
  await writeFile(join(out, "assets.cpp"), source(assets));
}

main().catch((error) => {
  console.error(error.message);
  process.exit(1);
});
