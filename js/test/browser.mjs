// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// node browser.mjs: the cases of all_test.mjs in Chromium, in a page and in a worker. 77: there is no browser.
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
if (!existsSync(executablePath)) {
  console.log(`skipped: there is no ${executablePath}. scripts/install_packages browser installs it`);
  process.exit(77);
}
const root = fileURLToPath(new URL("..", import.meta.url));
const types = { ".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm", ".html": "text/html" };

const page = `<!doctype html><meta charset="utf-8"><title>juxta</title><link rel="icon" href="data:,"><script type="module" src="/test/run_in_page.mjs"></script>`;
// node:assert for a page: what the cases need of it.
const server = createServer((request, response) => {
  const path = new URL(request.url, "http://localhost").pathname;
  // Both headers let the page have a SharedArrayBuffer.
  const headers = { "cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp" };
  const send = (body, type) => response.writeHead(200, { ...headers, "content-type": type }).end(body);
  if (path === "/") return send(page, "text/html");
  if (path === "/test/place.mjs") return send('export const dist = new URL("../dist", import.meta.url).href;', "text/javascript");
  const file = join(root, path);
  if (!file.startsWith(root) || !existsSync(file)) return response.writeHead(404).end();
  return send(readFileSync(file), types[extname(file)] ?? "application/octet-stream");
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"] });
let failed = 1;
try {
  const tab = await browser.newPage();
  tab.on("pageerror", (error) => console.error(error));
  tab.on("console", (message) => console.log(message.text()));
  await tab.goto(`http://127.0.0.1:${server.address().port}/`);
  await tab.waitForFunction("globalThis.done !== undefined", undefined, { timeout: 300_000 });
  const { passed, failures } = await tab.evaluate("globalThis.done");
  console.log(`${passed} passed, ${failures.length} failed in Chromium ${browser.version()}`);
  for (const each of failures) console.log(each);
  failed = failures.length > 0 || passed === 0 ? 1 : 0;
} finally {
  await browser.close();
  server.close();
}
process.exit(failed);
