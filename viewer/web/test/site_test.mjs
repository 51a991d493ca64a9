// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// node site_test.mjs SITE_FOLDER OUT_FOLDER [CASE [PATH_TO_JUXTA]]: uses the page that needs no server in Chromium, and
// compares its answers with loops over all points, boxes and triangles, and with the juxta command where there is one.
// Pictures go into OUT_FOLDER. Times are those of this machine, with three.js drawing in software.
import { existsSync, mkdirSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { join } from "node:path";
import { serveFolder } from "./site_server.mjs";
import { testBoxes, testFlock, testMap, testRays } from "./site_scenes.mjs";
import { Checks, openBrowser } from "./test_server.mjs";

// The bar is one of a machine that has time: where more runs already than there are cores, only what is far beyond it
// fails, and the line says so.
const kMostBytes = 600_000,
  kMostMs = 2000,
  kMostMsWhenBusy = 8000,
  kLoads = 5;
const isBusy = loadavg()[0] > availableParallelism();
const [site, out, only = "all", juxta] = process.argv.slice(2);
if (!site || !out) {
  console.error("usage: node site_test.mjs SITE_FOLDER OUT_FOLDER [CASE [PATH_TO_JUXTA]]");
  process.exit(2);
}
const browserPath = process.env.CHROMIUM ?? "/usr/bin/chromium";
if (!existsSync(browserPath)) {
  console.log(`skipped: there is no ${browserPath}. scripts/install_packages browser installs it`);
  process.exit(77);
}
if (!["all", "map", "flock", "boxes", "rays", "oddities"].includes(only)) {
  console.error(`there is no case '${only}': all, map, flock, boxes, rays and oddities`);
  process.exit(2);
}
mkdirSync(out, { recursive: true });

/** Notes when the first picture with something in it has been handed to the screen. */
function noteFirstPicture() {
  new MutationObserver((_, observer) => {
    if (document.documentElement?.dataset.ready !== "1") return;
    observer.disconnect();
    requestAnimationFrame(() => requestAnimationFrame(() => (window.firstPicture = performance.now())));
  }).observe(document, { attributes: true, subtree: true, attributeFilter: ["data-ready"] });
}

/** A page with nothing in its cache, and all that went wrong on it. */
async function open(browser, url, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1000, height: 640 }, colorScheme: "dark", ...options });
  const page = await context.newPage(),
    complaints = [];
  page.on("pageerror", (error) => complaints.push(error.stack));
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("requestfailed", (request) => complaints.push(`${request.url()}: ${request.failure()?.errorText}`));
  page.on("response", (answer) => answer.status() >= 400 && complaints.push(`${answer.url()}: ${answer.status()}`));
  page.on("request", (request) => {
    if (!request.url().startsWith(new URL(".", url).href)) complaints.push(`asks elsewhere: ${request.url()}`);
  });
  await page.addInitScript(noteFirstPicture);
  await page.goto(url);
  await page.waitForFunction(() => window.firstPicture !== undefined, null, { timeout: 30_000 });
  return { context, page, complaints };
}

/** How long from the address to the first picture, again and again with an empty cache. */
async function testTime(checks, browser, url, name) {
  const times = [];
  for (let i = 0; i < kLoads; ++i) {
    const { context, page } = await open(browser, url);
    times.push(await page.evaluate(() => Math.round(window.firstPicture)));
    await context.close();
  }
  times.sort((a, b) => a - b);
  const median = times[(kLoads - 1) / 2];
  const most = isBusy ? kMostMsWhenBusy : kMostMs;
  checks.check(
    median <= most,
    `${name}: first picture after ${median} ms (median of ${times.join(", ")}), at most ${most} on a machine that ` +
      `${isBusy ? "others use" : "is free"}`,
  );
}

async function testScene(checks, browser, server, name, test) {
  const url = `${server.url}?scene=${name}`;
  await testTime(checks, browser, url, name);
  server.log.length = 0;
  const { context, page, complaints } = await open(browser, url);
  try {
    await test(checks, page, { out, juxta });
    const bytes = server.log.reduce((sum, each) => sum + each.bytes, 0);
    checks.check(bytes <= kMostBytes, `${name}: ${bytes} bytes came over the wire`);
    checks.same(complaints, [], `${name}: nothing failed`);
    await page.screenshot({ path: join(out, `site_${name}.png`) });
    const tab = await page.locator(".scenes [aria-current]").innerText();
    checks.same(tab.toLowerCase(), name, `${name}: its tab is marked`);
  } finally {
    await context.close();
  }
}

/** Hosts that do not know WebAssembly, phones, and addresses that ask for what is not there. */
async function testOddities(checks, browser) {
  const server = await serveFolder(site, { wasmType: "application/octet-stream", below: "/some/where/" });
  const phone = { viewport: { width: 400, height: 780 } };
  const { context, page, complaints } = await open(browser, `${server.url}?scene=nothing`, phone);
  checks.same(await page.locator(".scenes [aria-current]").innerText(), "Map", "an unknown scene is the map");
  await page.screenshot({ path: join(out, "site_phone.png") });
  await page.locator(".scenes a", { hasText: "Boxes" }).click();
  await page.waitForFunction(() => window.firstPicture !== undefined && window.juxta.kind === "world");
  checks.same(new URL(page.url()).search, "?scene=boxes", "a tab leads to another scene");
  checks.same(complaints, [], "a host that does not know WebAssembly, and a path below it, will do");
  await context.close();
  server.close();
}

const checks = new Checks();
const server = await serveFolder(site);
const browser = await openBrowser();
checks.check(server.bytes <= kMostBytes, `all files have ${server.bytes} bytes, compressed by gzip`);
const scene = (name, test) => () => testScene(checks, browser, server, name, test);
const cases = {
  map: scene("map", testMap),
  flock: scene("flock", testFlock),
  boxes: scene("boxes", testBoxes),
  rays: scene("rays", testRays),
  oddities: () => testOddities(checks, browser),
};
for (const name of only === "all" ? Object.keys(cases) : [only]) {
  console.log(`-- ${name}`);
  await Promise.resolve()
    .then(cases[name])
    .catch((why) => checks.check(false, `${name}: ${why.stack}`));
}
await browser.close();
server.close();
console.log(checks.failed.length ? `\n${checks.failed.length} failed:\n${checks.failed.join("\n")}` : "\nall passed");
process.exit(checks.failed.length ? 1 : 0);
