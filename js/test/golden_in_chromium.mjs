// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Runs WASI programs of tests in Chromium: node golden_in_chromium.mjs PROGRAM.wasm ... Prints what they print, and
// ends with 1 if one of them fails. A page runs them and reports to a server here, so nothing drives the browser.
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";

const programs = process.argv.slice(2);
if (programs.length === 0) {
  console.error("golden_in_chromium: name a program");
  process.exit(2);
}
const scripts = { "/test/wasi_host.mjs": "wasi_host.mjs", "/src/wasi.js": "../src/wasi.js" };
const page = `<!doctype html><script type="module">
  import { runWasi } from "/test/wasi_host.mjs";
  for (let i = 0; i < ${programs.length}; ++i) {
    let text = "", code = -1;
    try {
      const program = await (await fetch("/program/" + i)).arrayBuffer();
      code = await runWasi(program, ["test", "--gtest_brief=1"], (part) => text += part);
    } catch (error) {
      text += error;
    }
    await fetch("/report/" + i, { method: "POST", body: JSON.stringify({ code, text }) });
  }
</script>`;

async function answer(request, response) {
  const [, what, number] = request.url.split("/");
  const send = (type, body) => response.writeHead(200, { "content-type": type }).end(body);
  if (what === "") return send("text/html", page);
  const script = scripts[request.url];
  if (script) return send("text/javascript", await readFile(path.join(import.meta.dirname, script)));
  if (what === "program") return send("application/wasm", await readFile(programs[Number(number)]));
  if (what !== "report") return response.writeHead(404).end();
  let body = "";
  for await (const part of request) body += part;
  send("text/plain", "");
  const { code, text } = JSON.parse(body);
  console.log(`${path.basename(programs[Number(number)])} in Chromium:\n${text}`);
  failed ||= code !== 0;
  if (++reports === programs.length) end(failed ? 1 : 0);
}

let reports = 0, failed = false;
const server = createServer((request, response) => answer(request, response).catch((error) => end(1, error)));
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const profile = await mkdtemp(path.join(tmpdir(), "juxta_chromium_"));
const browser = spawn("chromium", ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
  `--user-data-dir=${profile}`, `http://127.0.0.1:${server.address().port}/`], { stdio: "ignore" });
browser.on("error", (error) => end(1, `cannot start chromium: ${error.message}`));
const deadline = setTimeout(() => end(1, "no report within two minutes"), 120_000);

async function end(code, why) {
  if (why) console.error(`golden_in_chromium: ${why}`);
  clearTimeout(deadline);
  const gone = new Promise((resolve) => (browser.exitCode === null && browser.pid ? browser.once("exit", resolve) : resolve()));
  browser.kill("SIGKILL");
  await gone;
  await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  process.exit(code);
}
