// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What the browser test needs: a `juxta view` that can be killed and started again, a browser, and checks.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { chromium } from "playwright-core";

/** `juxta view` with some arguments, on a port that stays the same when it is started again. */
export class Server {
  constructor(juxta, args) {
    Object.assign(this, { juxta, args, url: process.env.JUXTA_VIEW_URL ?? null, child: null });
  }

  /** False: somebody else has started it, and it cannot be killed. */
  get own() {
    return !process.env.JUXTA_VIEW_URL;
  }

  async start() {
    if (!this.own) return;
    const port = this.url ? new URL(this.url).port : "0";
    this.child = spawn(this.juxta, ["view", ...this.args, "--port", port, "--no-browser"], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const lines = createInterface({ input: this.child.stdout });
    const printed = new Promise((resolve, reject) => {
      lines.on("line", (line) => {
        const found = /http:\/\/127\.0\.0\.1:\d+\/\S*/.exec(line);
        if (found) resolve(found[0]);
      });
      this.child.once("error", reject);
      this.child.once("exit", (code) => reject(new Error(`juxta ended with ${code} before it printed its address`)));
      setTimeout(() => reject(new Error("juxta printed no address within 60 s")), 60_000).unref();
    });
    this.url = await printed;
    this.child.once("exit", (code, signal) => {
      if (!this.stopping) console.log(`juxta ended by itself: ${signal ?? code}`);
    });
  }

  async stop(signal = "SIGTERM") {
    if (!this.child || this.child.exitCode !== null || this.child.signalCode !== null) return;
    this.stopping = true;
    const gone = once(this.child, "exit");
    this.child.kill(signal);
    await gone;
    this.stopping = false;
  }

  /** One question over HTTP. */
  async ask(name, fields = {}) {
    const response = await fetch(new URL(`api/${name}`, this.url), {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(fields),
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(`${name}: ${answer.error}`);
    return answer;
  }
}

/** Counts what fails, and goes on. */
export class Checks {
  failed = [];

  check(holds, what) {
    console.log(`${holds ? "ok    " : "FAILED"} ${what}`);
    if (!holds) this.failed.push(what);
  }

  same(actual, expected, what) {
    const a = JSON.stringify(actual),
      b = JSON.stringify(expected);
    this.check(a === b, a === b ? what : `${what}: ${a?.slice(0, 300)} instead of ${b?.slice(0, 300)}`);
  }

  /** Waits until `holds()` is true. */
  async until(holds, what, ms = 20_000) {
    const end = Date.now() + ms;
    let last = false;
    do {
      last = await Promise.resolve()
        .then(holds)
        .catch(() => false);
      if (last) break;
      await new Promise((resolve) => setTimeout(resolve, 60));
    } while (Date.now() < end);
    this.check(Boolean(last), what);
  }
}

export async function openBrowser() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      "--use-gl=angle",
      "--use-angle=swiftshader",
      "--enable-unsafe-swiftshader",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

/** A page, and what its console complained of. A lost connection is one of the cases, so that does not count. */
export async function openPage(browser, url, options = {}) {
  const page = await browser.newPage({ viewport: { width: 1000, height: 640 }, colorScheme: "dark", ...options });
  const complaints = [];
  page.on("pageerror", (error) => complaints.push(`${error.message} ${error.stack}`));
  page.on("console", (message) => {
    const text = message.text();
    const lost = /WebSocket connection|ERR_CONNECTION|ERR_EMPTY_RESPONSE|Failed to load resource/.test(text);
    // The software that draws without a graphics card says that it is slow.
    if (message.type() === "error" && !lost) complaints.push(text);
  });
  await page.goto(url);
  await page.waitForFunction(() => document.documentElement.dataset.ready === "1", null, { timeout: 60_000 });
  return { page, complaints };
}
