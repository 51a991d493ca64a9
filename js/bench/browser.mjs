// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// node browser.mjs [CASES ...] [--quick] [--seeds=COUNT]: the same in Chromium.
import { build } from "esbuild";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { chromium } from "../node_modules/playwright-core/index.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const script = (await build({ absWorkingDir: here, entryPoints: ["cases.mjs"], bundle: true, format: "esm", write: false })).outputFiles[0].text;
const server = createServer((request, response) => {
  const path = new URL(request.url, "http://localhost").pathname;
  // Isolated pages have clocks of 5 us, others of 100.
  const headers = { "cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp" };
  const send = (body, type) => response.writeHead(200, { ...headers, "content-type": type }).end(body);
  if (path === "/") return send("<!doctype html><title>bench</title><link rel=icon href=data:,>", "text/html");
  if (path === "/cases.js") return send(script, "text/javascript");
  if (!path.startsWith("/dist/")) return response.writeHead(404).end();
  return send(readFileSync(`${here}..${path}`), path.endsWith(".wasm") ? "application/wasm" : "text/javascript");
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking"] });
const tab = await browser.newPage();
tab.on("console", (message) => console.log(message.text()));
tab.setDefaultTimeout(1_800_000);
await tab.goto(`http://127.0.0.1:${server.address().port}/`);
const words = process.argv.slice(2);
console.log(`Chromium ${browser.version()}`);
await tab.evaluate(async (words) => {
  const { measure } = await import("/cases.js");
  const lib = { ranked: await import("/dist/ranked.js"), layer: await import("/dist/layer.js") };
  await measure(lib, words, (line) => console.log(line));
}, words);
await browser.close();
server.close();
