// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// node bundlers.mjs [FOLDER]: a page that Vite bundles loads the package and asks it. FOLDER has node_modules with vite, which
// is not installed with the package (npm install --prefix FOLDER vite@7). 77: there is none.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const vite = join(process.argv[2] ?? fileURLToPath(new URL("..", import.meta.url)), "node_modules", "vite", "dist", "node", "index.js");
if (!existsSync(vite)) {
  console.log(`skipped: there is no ${vite}`);
  process.exit(77);
}
const { build } = await import(pathToFileURL(vite).href);
const place = mkdtempSync(join(tmpdir(), "juxta-vite-"));
const types = { ".js": "text/javascript", ".wasm": "application/wasm", ".html": "text/html" };
try {
  const package_ = join(place, "node_modules", "juxta");
  mkdirSync(package_, { recursive: true });
  for (const name of ["dist", "package.json"]) cpSync(fileURLToPath(new URL(`../${name}`, import.meta.url)), join(package_, name), { recursive: true });
  writeFileSync(join(place, "index.html"), `<!doctype html><title>v</title><script type="module" src="/main.js"></script>`);
  writeFileSync(join(place, "main.js"), `import { init, RankedPoints } from "juxta/ranked";
    await init();
    globalThis.answer = Array.from(RankedPoints.build([1, 2, 3], [1, 2, 3], [3, 2, 1]).top([0, 0, 9, 9], 2));`);
  await build({ root: place, logLevel: "warn", build: { target: "es2022" } });
  const server = createServer((request, response) => {
    const file = join(place, "dist", request.url === "/" ? "index.html" : request.url);
    if (!existsSync(file)) return response.writeHead(404).end();
    return response.writeHead(200, { "content-type": types[extname(file)] ?? "text/plain" }).end(readFileSync(file));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
  const tab = await browser.newPage();
  tab.on("pageerror", (error) => console.error(error));
  await tab.goto(`http://127.0.0.1:${server.address().port}/`);
  await tab.waitForFunction("globalThis.answer !== undefined", undefined, { timeout: 20_000 });
  const answer = await tab.evaluate("globalThis.answer.join()");
  await browser.close();
  server.close();
  if (answer !== "2,1") throw new Error(`The page answered ${answer}.`);
  console.log("Vite: the page answered as it should");
} finally {
  rmSync(place, { recursive: true });
}
