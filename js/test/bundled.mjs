// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What the tests with bundlers share: the package as npm would install it, a server of files, and a page that answers.
import { cpSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

/** Puts the built package where `import "juxta/ranked"` finds it from a program in `folder`. */
export function installPackage(folder) {
  const to = join(folder, "node_modules", "juxta");
  mkdirSync(to, { recursive: true });
  for (const name of ["dist", "package.json"]) {
    cpSync(fileURLToPath(new URL(`../${name}`, import.meta.url)), join(to, name), { recursive: true });
  }
}

/** Ends this program with 77 (skipped) unless `file` is there. */
export function needFile(file, how) {
  if (existsSync(file)) return;
  console.log(`skipped: there is no ${file}. ${how}`);
  process.exit(77);
}

const types = { ".js": "text/javascript", ".wasm": "application/wasm", ".html": "text/html" };

export async function serveFiles(folder) {
  const server = createServer((request, response) => {
    const file = join(folder, request.url === "/" ? "index.html" : request.url);
    if (!existsSync(file)) return response.writeHead(404).end();
    return response.writeHead(200, { "content-type": types[extname(file)] ?? "text/plain" }).end(readFileSync(file));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, address: `http://127.0.0.1:${server.address().port}/` };
}

/** What a page puts into `globalThis.answer`, as text. */
export async function answerOfPage(address) {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
  try {
    const tab = await browser.newPage();
    tab.on("pageerror", (error) => console.error(error));
    await tab.goto(address);
    await tab.waitForFunction("globalThis.answer !== undefined", undefined, { timeout: 60_000 });
    return String(await tab.evaluate("String(globalThis.answer)"));
  } finally {
    await browser.close();
  }
}

export function expectAnswer(answer, from) {
  if (answer !== "2,1") throw new Error(`${from} answered ${answer}, and not 2,1.`);
  console.log(`${from} answered as it should`);
}

/** The program that all of them bundle: the two best of three points. */
export const program = `import { init, RankedPoints } from "juxta/ranked";
export async function ask() {
  await init();
  const points = RankedPoints.build([1, 2, 3], [1, 2, 3], [3, 2, 1]);
  const answer = Array.from(points.top([0, 0, 9, 9], 2)).join();
  points.free();
  return answer;
}
`;
