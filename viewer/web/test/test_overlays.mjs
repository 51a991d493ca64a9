// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Overlays and shapes of a battle: the page shows what the engine tells, for the step and the view that it shows.
import { join } from "node:path";
import { project } from "./mock_frame.mjs";
import { openPage, Server } from "./test_server.mjs";

const kSteps = 240; // So that ships fly and shoot.
const kNames = ["ship boxes", "near pairs", "bullet paths", "targets", "radar cells", "density"];
const told = (page, name) => page.evaluate((of) => window.juxta.overlays[of] ?? null, name);
const matrixOf = (page) => page.evaluate(() => window.juxta.matrix());

function lineOf(page, name) {
  const box = page.getByRole("checkbox", { name, exact: true });
  return { box, line: page.locator(".layer").filter({ has: box }) };
}

/** Something of it is large enough to be seen. */
function isVisible(matrix, { kind, values }) {
  if (kind === "field") return values.some((v) => v > 0);
  for (let i = 0; i < values.length; i += 6) {
    const a = project(matrix, values.slice(i, i + 3)),
      b = project(matrix, values.slice(i + 3, i + 6));
    const inside = a[2] > 0 && b[2] > 0 && [...a.slice(0, 2), ...b.slice(0, 2)].every((v) => Math.abs(v) < 0.8);
    if (inside && Math.hypot(a[0] - b[0], a[1] - b[1]) > 0.01) return true;
  }
  return false;
}

/** Turns it on, and compares what the page has with what the engine answers. */
async function testOne(checks, server, page, folder, { name, kind, what }) {
  const { box, line } = lineOf(page, name),
    canvas = page.locator(".canvas");
  const before = await canvas.screenshot();
  await box.check();
  const { step } = await server.ask("status");
  await checks.until(async () => (await told(page, name))?.step === step, `${name}: the page asks for this step`);
  const matrix = await matrixOf(page);
  const own = await server.ask("overlay", { name, matrix, most: 5000 });
  const { found, shown } = await told(page, name);
  checks.same(own.kind, kind, `${name}: it is what info says`);
  if (kind !== "field") {
    checks.same([found, shown], [own.found, own.shown], `${name}: ${found} found, as the engine says`);
    checks.same(own.values.length, 6 * own.shown, `${name}: six numbers each`);
  } else {
    checks.same(own.values.length, own.columns * own.rows, `${name}: a number for each cell`);
  }
  checks.check((await line.innerText()).includes(what), `${name}: the list says what it is`);
  checks.check(
    /\d (µs|ms|s)\b/.test(await line.locator(".value").innerText()),
    `${name}: the list says how long it took`,
  );
  if (isVisible(matrix, own)) {
    await checks.until(async () => !before.equals(await canvas.screenshot()), `${name}: the picture changes`);
  }
  await page.screenshot({ path: join(folder, `overlay_${name.replaceAll(" ", "_")}.png`) });
  await box.uncheck();
  await checks.until(async () => (await line.locator(".value").innerText()) === "", `${name}: it can be turned off`);
}

/** It follows steps and views, and rests when nothing changes. */
async function testFollowing(checks, server, page, name) {
  const { box } = lineOf(page, name);
  await box.check();
  const { step } = await server.ask("step", { steps: 1 });
  await checks.until(async () => (await told(page, name)).step === step, `${name} follows a step`);
  await page.waitForTimeout(700);
  const resting = (await told(page, name)).answers;
  await page.waitForTimeout(700);
  checks.same((await told(page, name)).answers, resting, "while nothing changes, nothing is asked");
  await page.locator(".canvas").focus();
  await page.keyboard.press("+");
  await checks.until(async () => (await told(page, name)).answers > resting, `${name} follows the view`);
  await page.waitForTimeout(700);
  const own = await server.ask("overlay", { name, matrix: await matrixOf(page), most: 5000 });
  checks.same((await told(page, name)).found, own.found, "it counts what this view has");
  await server.ask("play");
  const from = (await told(page, name)).answers,
    began = Date.now();
  await page.waitForTimeout(1500);
  const rate = (1000 * ((await told(page, name)).answers - from)) / (Date.now() - began);
  checks.check(rate > 0 && rate < 11, `while it plays, ${rate.toFixed(1)} questions a second`);
  await server.ask("pause");
  await box.uncheck();
  await page.keyboard.press("0");
}

async function testShapes(checks, server, page, info) {
  const group = info.groups.findIndex(({ shapes }) => shapes);
  if (group < 0) return;
  await checks.until(() => page.evaluate(() => window.juxta.shapes.answers > 0), "the page asks for shapes");
  const own = await server.ask("shapes", { group, from: info.lo, triangles: 50_000 });
  checks.check(own.shown > 0 && own.triangles.length > 0, `${own.shown} of ${own.found} have triangles of their own`);
  checks.check(
    own.triangles.every((corner) => 3 * corner + 2 < own.positions.length),
    "triangles name corners that are there",
  );
  const answers = await page.evaluate(() => window.juxta.shapes.answers);
  await page.locator(".canvas").focus();
  for (let i = 0; i < 6; ++i) await page.keyboard.press("+");
  await checks.until(
    () => page.evaluate((old) => window.juxta.shapes.answers > old, answers),
    "a camera that has moved asks again",
  );
  const shown = await page.evaluate(() => window.juxta.shapes);
  checks.check(shown.shown > 0 && shown.triangles > 0, `the page draws ${shown.triangles} triangles`);
}

export async function testOverlays(checks, browser, juxta, folder) {
  const server = new Server(juxta, ["sector", "skirmish"]);
  await server.start();
  try {
    await server.ask("step", { steps: kSteps });
    const { page, complaints } = await openPage(browser, server.url);
    const info = await server.ask("info");
    const names = info.overlays.map(({ name }) => name);
    checks.same(
      kNames.filter((name) => !names.includes(name)),
      [],
      "the battle has its overlays",
    );
    checks.same(await page.locator(".layer input").count(), names.length, "the list has all of them");
    await page.evaluate(() => document.querySelectorAll("details").forEach((d) => (d.open = true)));
    await page.waitForTimeout(1500); // Until nothing moves.
    for (const overlay of info.overlays) await testOne(checks, server, page, folder, overlay);
    await testFollowing(checks, server, page, names.includes("ship boxes") ? "ship boxes" : names[0]);
    await testShapes(checks, server, page, info);
    await page.screenshot({ path: join(folder, "overlays_shapes.png") });
    await page.keyboard.press("t");
    for (const name of ["ship boxes", "targets"]) await lineOf(page, name).box.check();
    await page.waitForTimeout(800);
    await page.screenshot({ path: join(folder, "overlays_light.png") });
    checks.same(complaints, [], "the console has no errors");
    await page.close();
  } finally {
    await server.stop("SIGKILL");
  }
}
