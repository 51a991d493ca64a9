// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The page of a recording: the slider goes to any step, and the picture and the charts follow.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { openPage, Server } from "./test_server.mjs";

const kTicks = 60,
  kEvery = 10;
const pageStep = (page) => page.evaluate(() => window.juxta.stats.step);

/** The folder of a short battle, recorded. */
function record(juxta, folder) {
  const out = join(folder, "recorded");
  const args = ["sector", "skirmish", "--ticks", kTicks, "--record", kEvery, "--out", out, "--headless"];
  const { status, stderr } = spawnSync(juxta, args.map(String), { encoding: "utf8" });
  if (status !== 0) throw new Error(`juxta ${args.join(" ")} ended with ${status}: ${stderr}`);
  return join(out, "recording");
}

/** The page has the engine's step, in its picture and in its text. */
async function testShown(checks, server, page, last, what) {
  await checks.until(async () => {
    const { step } = await server.ask("status");
    const text = (await page.locator(".transport .step").innerText()).replaceAll(",", "");
    return (await pageStep(page)) === step && text === `step ${step} of ${last}`;
  }, what);
}

async function testSlider(checks, server, page, { first, last }) {
  const slider = page.getByRole("slider", { name: "Step of the recording" });
  checks.same(
    await slider.evaluate(({ min, max }) => [Number(min), Number(max)]),
    [first, last],
    "the slider goes from the first step to the last",
  );
  const stage = page.locator(".canvas"),
    before = await stage.screenshot();
  const middle = Math.round((first + last) / 2);
  await slider.fill(String(middle));
  await checks.until(async () => {
    const { step } = await server.ask("status");
    return step > first && step <= middle;
  }, "the slider seeks at the engine");
  await testShown(checks, server, page, last, "the picture's step changes to it");
  await page.waitForTimeout(200);
  checks.check(!before.equals(await stage.screenshot()), "the picture changes");

  const press = async (key, holds, what) => {
    await slider.press(key);
    await checks.until(async () => holds(await pageStep(page)), what);
  };
  await press("End", (step) => step === last, "End goes to the last step");
  await press("ArrowLeft", (step) => step < last, "an arrow goes to the state before");
  const there = await pageStep(page);
  await press("ArrowRight", (step) => step > there, "an arrow goes to the state after");
  await press("Home", (step) => step === first, "Home goes to the first step");
  await testShown(checks, server, page, last, "the engine is there too");
}

async function testManySeeks(checks, page, { first, last }) {
  const asked = await page.evaluate(
    ([from, to]) => {
      const slider = document.querySelector(".seek"),
        before = window.juxta.connection.asked;
      for (let i = 0; i <= 100; ++i) {
        slider.value = String(from + ((to - from) * i) / 100);
        slider.dispatchEvent(new Event("input"));
      }
      return before;
    },
    [first, last],
  );
  await checks.until(async () => (await pageStep(page)) === last, "of many places the last one wins");
  const now = await page.evaluate(() => window.juxta.connection.asked);
  checks.check(now - asked < 20, `a hundred moves of the slider ask ${now - asked} questions`);
}

async function testCharts(checks, server, page, { first, last }) {
  const { reports } = await server.ask("info");
  if (!reports.length) return;
  const slider = page.getByRole("slider", { name: "Step of the recording" });
  for (const step of [last, Math.round((first + 2 * last) / 3), Math.round((2 * first + last) / 3)]) {
    await slider.fill(String(step));
    await testShown(checks, server, page, last, `the slider goes to step ${step}`);
    await checks.until(async () => {
      const value = (await server.ask("status")).report[0];
      const text = (await page.locator(".curve .value").first().innerText()).replaceAll(",", "");
      return value === null ? text === "–" : Math.abs(Number(text) - value) <= 2e-3 * Math.abs(value) + 1e-9;
    }, "the chart tells the value of this step");
  }
  await checks.until(
    () =>
      page
        .locator(".curve canvas")
        .first()
        .evaluate((canvas) => {
          const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
          const columns = new Set();
          for (let i = 3; i < data.length; i += 4) if (data[i]) columns.add(((i - 3) / 4) % canvas.width);
          return columns.size > canvas.width / 2;
        }),
    "the chart still has a curve after going back",
  );
}

async function testPlaying(checks, server, page, { last }) {
  await page.getByRole("slider", { name: "Step of the recording" }).press("End");
  await testShown(checks, server, page, last, "it is at the end");
  await page.locator(".transport select").selectOption("5");
  await checks.until(async () => (await server.ask("status")).speed === 5, "the speed reaches the engine");
  await page.locator(".canvas").focus();
  await page.keyboard.press(" ");
  await checks.until(async () => (await server.ask("status")).step < last, "at the end, play begins anew");
  await server.ask("speed", { steps_per_second: 600 });
  await checks.until(
    async () => {
      const { step, playing } = await server.ask("status");
      return step === last && !playing;
    },
    "it pauses at the end",
    60_000,
  );
  await testShown(checks, server, page, last, "the page shows the end");
  checks.same((await server.ask("status")).ended, null, "a recording has not ended");
}

export async function testRecording(checks, browser, juxta, folder) {
  const mock = Boolean(process.env.JUXTA_VIEW_URL);
  const server = new Server(juxta, mock ? [] : ["recording", record(juxta, folder)]);
  await server.start();
  try {
    const { page, complaints } = await openPage(browser, server.url);
    const info = await server.ask("info");
    checks.check(info.kind === "world" && info.recording !== null, "it is a recording");
    await server.ask("pause");
    await server.ask("seek", { step: info.recording.first });
    await testSlider(checks, server, page, info.recording);
    await testManySeeks(checks, page, info.recording);
    await testCharts(checks, server, page, info.recording);
    if (!info.parameters.length) {
      checks.check(!(await page.locator(".seed").isVisible()), "without parameters there is no restart");
    }
    await page.screenshot({ path: join(folder, "recording_dark.png") });
    await testPlaying(checks, server, page, info.recording);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.waitForTimeout(500);
    await page.screenshot({ path: join(folder, "recording_phone.png") });
    checks.same(complaints, [], "the console has no errors");
    await page.close();
  } finally {
    await server.stop("SIGKILL");
  }
}
