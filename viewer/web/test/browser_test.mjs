// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// node browser_test.mjs PATH_TO_JUXTA FOLDER [CASE]: uses the pages in Chromium as people do, and compares what they
// show with what the engine answers. Pictures go into FOLDER. With JUXTA_VIEW_URL it looks at a server that runs
// already, the mock server for example; nothing is killed then.
import { existsSync, mkdirSync } from "node:fs";
import { testMap } from "./test_map.mjs";
import { testOverlays } from "./test_overlays.mjs";
import { testRecording } from "./test_recording.mjs";
import { Checks, openBrowser } from "./test_server.mjs";
import { testSweep } from "./test_sweep.mjs";
import { testWorld } from "./test_world.mjs";

const [juxta, folder, only] = process.argv.slice(2);
if (!juxta || !folder) {
  console.error("usage: node browser_test.mjs PATH_TO_JUXTA FOLDER [CASE]");
  process.exit(2);
}
const browserPath = process.env.CHROMIUM ?? "/usr/bin/chromium";
if (!existsSync(browserPath)) {
  console.log(`skipped: there is no ${browserPath}. scripts/install_packages browser installs it`);
  process.exit(77);
}
mkdirSync(folder, { recursive: true });

const cases = {
  world: (checks, browser) => testWorld(checks, browser, juxta, ["sector", "skirmish"], folder, "world"),
  flock: (checks, browser) => testWorld(checks, browser, juxta, ["flock", "--agents", "2000"], folder, "flock"),
  recording: (checks, browser) => testRecording(checks, browser, juxta, folder),
  overlays: (checks, browser) => testOverlays(checks, browser, juxta, folder),
  map: (checks, browser) => testMap(checks, browser, juxta, folder),
  sweep: (checks, browser) => testSweep(checks, browser, juxta, folder),
};
if (only && !cases[only]) {
  console.error(`there is no case '${only}': ${Object.keys(cases).join(", ")}`);
  process.exit(2);
}

const checks = new Checks();
const browser = await openBrowser();
for (const name of only ? [only] : Object.keys(cases)) {
  console.log(`-- ${name}`);
  try {
    await cases[name](checks, browser);
  } catch (why) {
    checks.check(false, `${name}: ${why.stack}`);
  }
}
await browser.close();
console.log(checks.failed.length ? `\n${checks.failed.length} failed:\n${checks.failed.join("\n")}` : "\nall passed");
process.exit(checks.failed.length ? 1 : 0);
