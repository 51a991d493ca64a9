// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The page of a world: it moves, stops, steps, picks, selects, changes parameters, and comes back.
import { join } from "node:path";
import { openPage, Server } from "./test_server.mjs";

const stats = (page) => page.evaluate(() => ({ ...window.juxta.stats }));

async function testRunning(checks, server, page) {
  await server.ask("play");
  const before = await stats(page),
    picture = await page.screenshot();
  await checks.until(async () => (await stats(page)).frames >= before.frames + 2, "frames arrive");
  const after = await stats(page);
  checks.check(after.step > before.step, "steps go on");
  checks.check(!picture.equals(await page.screenshot()), "the picture changes");

  await page.keyboard.press(" ");
  await checks.until(async () => !(await server.ask("status")).playing, "space pauses the engine");
  const paused = await server.ask("status");
  await new Promise((resolve) => setTimeout(resolve, 400));
  checks.same((await server.ask("status")).step, paused.step, "no step while it is paused");
  await checks.until(async () => (await stats(page)).step === paused.step, "the page shows the last step");
  await page.keyboard.press(".");
  await checks.until(async () => (await stats(page)).step === paused.step + 1, "the page shows one step more");
  checks.same((await server.ask("status")).step, paused.step + 1, "one step, and no more, at the engine");
}

/** A thing that is in sight, far from panels. */
async function somethingInSight(server, page, info) {
  const lo = info.lo.map((v) => v - 1e4),
    hi = info.hi.map((v) => v + 1e4);
  const { rows } = await server.ask("select", { lo, hi, limit: 1000 });
  const pixels = await page.evaluate(
    (places) => places.map((at) => window.juxta.project(...at)),
    rows.map((row) => row.at),
  );
  const clear = await page.evaluate(
    (all) => all.map((p) => p && document.elementFromPoint(p[0], p[1])?.tagName === "CANVAS"),
    pixels,
  );
  const found = rows.map((row, i) => ({ row, pixel: pixels[i], clear: clear[i] })).filter(({ clear: c }) => c);
  const middle = (p) => Math.hypot(p[0] - 340, p[1] - 300);
  return found.sort((a, b) => middle(a.pixel) - middle(b.pixel))[0];
}

async function testPicking(checks, server, page, info) {
  const thing = await somethingInSight(server, page, info);
  checks.check(thing !== undefined, "something is in sight");
  if (!thing) return;
  await page.mouse.click(...thing.pixel);
  await checks.until(async () => (await stats(page)).lastPick, "a click asks the engine");
  const { question, answer } = (await stats(page)).lastPick;
  checks.check(answer.found !== null, "a click on a thing finds one");
  checks.same(answer.found?.id, (await server.ask("pick", question)).found?.id, "the page picks what the engine picks");
  if (!answer.found) return;
  const { group, id } = answer.found;
  await checks.until(
    () =>
      page
        .locator(".inspector h2")
        .innerText()
        .then((text) => text === `${info.groups[group].name} ${id}`),
    "the panel names it",
  );
  const entity = await server.ask("entity", { group, thing: id });
  await checks.until(
    () =>
      page
        .locator(".near button")
        .count()
        .then((n) => n === entity.near.length + (entity.touches?.length ?? 0)),
    "the panel has its nearest, and what touches it",
  );
  checks.check(await page.locator(".ring").isVisible(), "a ring marks it");
  await page.keyboard.press("f");
  await checks.until(async () => {
    const box = await page.locator(".ring").boundingBox(),
      stage = await page.locator(".stage").boundingBox();
    return (
      Math.hypot(
        box.x + box.width / 2 - stage.x - stage.width / 2,
        box.y + box.height / 2 - stage.y - stage.height / 2,
      ) < 4
    );
  }, "the camera follows it");
  await checks.until(
    () => page.evaluate((text) => location.hash.includes(text), `selected=${group}:${id}`),
    "the address names it",
  );
  await page.keyboard.press("Escape");
  await page.keyboard.press("0");
}

async function testSelecting(checks, server, page) {
  await page.keyboard.down("Shift");
  await page.mouse.move(330, 200);
  await page.mouse.down();
  await page.mouse.move(420, 300, { steps: 4 });
  await page.mouse.move(560, 420, { steps: 4 });
  await page.mouse.up();
  await page.keyboard.up("Shift");
  await checks.until(async () => (await stats(page)).lastSelect, "a rectangle asks the engine");
  const { question, answer } = (await stats(page)).lastSelect;
  const own = await server.ask("select", question);
  checks.same(answer.found, own.found, "the page selects what the engine selects");
  checks.check(answer.found > 0, "the rectangle holds something");
  checks.same(
    answer.rows.map((row) => row.id),
    own.rows.map((row) => row.id),
    "the same rows",
  );
  await checks.until(
    () =>
      page
        .locator(".selected")
        .innerText()
        .then((text) => text.includes("things inside")),
    "a table appears",
  );
  await page.keyboard.press("Escape");
}

async function testParameters(checks, server, page, info) {
  const live = info.parameters.find((p) => p.live && p.hi > p.lo);
  if (live) {
    const line = page.locator(".parameter").filter({ has: page.locator(`[aria-label="${live.name}"]`) });
    await page.evaluate(() => document.querySelectorAll("details").forEach((d) => (d.open = true)));
    const slider = line.locator("input[type=range]");
    const part = await slider.evaluate((s) => {
      const [lo, hi, now] = [s.min, s.max, s.value].map(Number);
      const at = (part) => Math.round(lo + part * (hi - lo));
      return at(0.7) === Math.round(now) ? at(0.9) : at(0.7);
    });
    await slider.fill(String(part));
    const now = async () => (await server.ask("info")).parameters.find((p) => p.name === live.name).value;
    await checks.until(async () => (await now()) !== live.value, `the slider of ${live.name} changes it at the engine`);
    await line.locator("input[type=number]").fill(String(live.value));
    await line.locator("input[type=number]").press("Enter");
    await checks.until(async () => (await now()) === live.value, `the number of ${live.name} changes it back`);
  }
  await page.locator(".transport select").selectOption("120");
  await checks.until(async () => (await server.ask("status")).speed === 120, "the speed reaches the engine");
}

async function testRestart(checks, server, page) {
  const { step } = await server.ask("step", { steps: 30 });
  await page.locator(".seed input").fill("7");
  await page.getByRole("button", { name: "Begin again" }).click();
  await checks.until(async () => (await server.ask("status")).step < step, "a restart begins again");
  await checks.until(async () => (await stats(page)).step < step, "the page shows it");
}

async function testComingBack(checks, server, page) {
  await server.stop("SIGKILL");
  await checks.until(() => page.locator(".lost").isVisible(), "the page says that the connection is lost");
  await server.start();
  await checks.until(
    async () => (await page.locator(".lost").count()) === 1 && !(await page.locator(".lost").isVisible()),
    "it finds the server again",
  );
  await page.waitForFunction(() => document.documentElement.dataset.ready === "1");
  const before = await stats(page);
  await checks.until(async () => (await stats(page)).frames > before.frames, "frames arrive again");
}

export async function testWorld(checks, browser, juxta, args, folder, name) {
  const server = new Server(juxta, args);
  await server.start();
  try {
    const { page, complaints } = await openPage(browser, server.url);
    const info = await server.ask("info");
    checks.same(info.kind, "world", "it is a world");
    await testRunning(checks, server, page);
    await page.screenshot({ path: join(folder, `${name}_dark.png`) });
    await testPicking(checks, server, page, info);
    await testSelecting(checks, server, page);
    await testParameters(checks, server, page, info);
    await testRestart(checks, server, page);
    await page.locator(".canvas").focus();
    await page.keyboard.press("t");
    await checks.until(
      () => page.evaluate(() => document.documentElement.dataset.theme === "light"),
      "T changes the theme",
    );
    await page.waitForTimeout(300);
    await page.screenshot({ path: join(folder, `${name}_light.png`) });
    await page.setViewportSize({ width: 400, height: 780 });
    await page.waitForTimeout(600);
    await page.screenshot({ path: join(folder, `${name}_phone.png`) });
    await server.ask("play");
    if (server.own) await testComingBack(checks, server, page);
    checks.same(complaints, [], "the console has no errors");
    await page.close();
  } finally {
    await server.stop("SIGKILL");
  }
}
