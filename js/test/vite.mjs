// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// node vite.mjs [FOLDER]: what Vite bundles loads the package and asks it, in a page and in a worker. FOLDER has
// node_modules with vite, which is not installed with the package (npm install --prefix FOLDER vite@7). 77: there is none.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { answerOfPage, expectAnswer, installPackage, needFile, program, serveFiles } from "./bundled.mjs";

const folder = process.argv[2] ?? fileURLToPath(new URL("..", import.meta.url));
const vite = join(folder, "node_modules", "vite", "dist", "node", "index.js");
needFile(vite, `npm install --prefix ${folder} vite@7`);
const { build } = await import(pathToFileURL(vite).href);

const page = `import { ask } from "./ask.js";
ask().then((answer) => (globalThis.answer = answer));
`;
const pageWithWorker = `const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
worker.onmessage = (message) => (globalThis.answer = message.data);
`;
const worker = `import { ask } from "./ask.js";
ask().then((answer) => postMessage(answer));
`;

for (const [from, main] of [["Vite's page", page], ["Vite's worker", pageWithWorker]]) {
  const place = mkdtempSync(join(tmpdir(), "juxta-vite-"));
  try {
    installPackage(place);
    const files = { "index.html": `<!doctype html><title>v</title><script type="module" src="/main.js"></script>` };
    Object.assign(files, { "ask.js": program, "main.js": main, "worker.js": worker });
    for (const [name, text] of Object.entries(files)) writeFileSync(join(place, name), text);
    await build({ root: place, logLevel: "warn", build: { target: "es2022" }, worker: { format: "es" } });
    const { server, address } = await serveFiles(join(place, "dist"));
    const answer = await answerOfPage(address);
    server.close();
    expectAnswer(answer, from);
  } finally {
    rmSync(place, { recursive: true });
  }
}
