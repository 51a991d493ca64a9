// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The plainest web server: files of one folder, compressed by gzip as most hosts do it.
import { readFileSync, readdirSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const kTypes = { html: "text/html; charset=utf-8", js: "text/javascript", css: "text/css", svg: "image/svg+xml" };

/** Serves a folder on a free port, from memory, below a path that begins and ends with /. `log` gets {path, status, bytes} of each answer. */
export async function serveFolder(folder, { wasmType = "application/wasm", below = "/", port = 0, log = [] } = {}) {
  const files = new Map();
  for (const name of readdirSync(folder)) {
    const zipped = gzipSync(readFileSync(join(folder, name)), { level: 9 });
    const ending = name.split(".").at(-1);
    files.set(`${below}${name}`, { zipped, type: ending === "wasm" ? wasmType : (kTypes[ending] ?? "text/plain") });
  }
  files.set(below, files.get(`${below}index.html`));
  const server = createServer((request, response) => {
    const path = new URL(request.url, "http://any").pathname;
    const file = request.method === "GET" ? files.get(path) : undefined;
    log.push({ path, status: file ? 200 : 404, bytes: file?.zipped.length ?? 0 });
    if (!file) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, {
      "Content-Type": file.type,
      "Content-Encoding": "gzip",
      "Content-Length": file.zipped.length,
    });
    response.end(file.zipped);
  });
  await new Promise((resolve) => server.listen(port, "127.0.0.1", resolve));
  const bytes = [...files].filter(([path]) => path !== below).reduce((sum, [, { zipped }]) => sum + zipped.length, 0);
  return { url: `http://127.0.0.1:${server.address().port}${below}`, bytes, log, close: () => server.close() };
}

// node site_server.mjs FOLDER [PORT]: to look at it.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { url } = await serveFolder(process.argv[2], { port: Number(process.argv[3] ?? 8000) });
  console.log(url);
}
