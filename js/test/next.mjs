// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// node next.mjs [FOLDER]: what Next bundles loads the package and asks it, in a page and on the server. FOLDER has
// node_modules with next, which is not installed with the package (npm install --prefix FOLDER next react react-dom).
// 77: there is none.
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { answerOfPage, expectAnswer, installPackage, needFile, program } from "./bundled.mjs";

const folder = resolve(process.argv[2] ?? fileURLToPath(new URL("..", import.meta.url)));
const next = join(folder, "node_modules", "next", "dist", "bin", "next");
needFile(next, `npm install --prefix ${folder} next react react-dom`);

const files = {
  "package.json": `{ "name": "asks-juxta", "private": true, "type": "module" }`,
  "next.config.mjs": `export default { turbopack: { root: ${JSON.stringify(folder)} } };`,
  "app/layout.jsx": `export default function Layout({ children }) {
  return <html lang="en"><body>{children}</body></html>;
}`,
  "app/page.jsx": `"use client";
import { useEffect } from "react";
import { ask } from "./ask.js";
export default function Page() {
  useEffect(() => { ask().then((answer) => (globalThis.answer = answer)); }, []);
  return <p>juxta</p>;
}`,
  "app/top/route.js": `import { ask } from "../ask.js";
export const dynamic = "force-dynamic";
export async function GET() { return new Response(await ask()); }
`,
  "app/ask.js": program,
};
const environment = { ...process.env, NEXT_TELEMETRY_DISABLED: "1", NODE_ENV: "production" };

/** Next's server with its address, once it listens. */
async function start(place) {
  const server = spawn(process.execPath, [next, "start", "-H", "127.0.0.1", "-p", "0"], { cwd: place, env: environment });
  const address = await new Promise((found, failed) => {
    let said = "";
    const listen = (part) => {
      said += part;
      const match = /http:\/\/127\.0\.0\.1:\d+/.exec(said);
      if (match && said.includes("Ready")) found(match[0]);
    };
    server.stdout.on("data", listen);
    server.stderr.on("data", listen);
    server.on("exit", () => failed(new Error(`next start ended:\n${said}`)));
  });
  return { server, address };
}

const place = mkdtempSync(join(folder, "juxta-next-")); // below node_modules' folder, where Next looks for React
try {
  installPackage(place);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(place, name)), { recursive: true });
    writeFileSync(join(place, name), text);
  }
  execFileSync(process.execPath, [next, "build"], { cwd: place, env: environment, stdio: ["ignore", "ignore", "inherit"] });
  const { server, address } = await start(place);
  try {
    expectAnswer(await answerOfPage(address), "Next's page");
    const response = await fetch(`${address}/top`);
    expectAnswer(await response.text(), "Next's server");
  } finally {
    server.removeAllListeners("exit");
    server.kill();
  }
} finally {
  rmSync(place, { recursive: true });
}
