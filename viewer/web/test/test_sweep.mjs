// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The page of a sweep, compared with a loop over its runs.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { kReports, kVary, makeRuns, sweepCsv } from "./mock_sweep.mjs";
import { openPage, Server } from "./test_server.mjs";

const stats = (page) => page.evaluate(() => ({ ...window.juxta.stats }));
const near = (text, value) => Math.abs(Number(text.replaceAll(",", "")) - value) <= 2e-3 * Math.abs(value) + 1e-9;

/** What a report is at a step in each run of a combination. */
function valuesAt(report, at, step) {
  return makeRuns()
    .filter((run) => run.at.every((v, i) => v === at[i]))
    .map((run) => run[report][run.steps.indexOf(step)]);
}
const meanOf = (values) => values.reduce((a, b) => a + b, 0) / values.length;

async function testTable(checks, page, info, report) {
  await checks.until(async () => (await stats(page)).report === report, `the page shows ${report}`);
  const rows = await page
    .locator(".numbers tbody tr")
    .evaluateAll((all) => all.map((row) => [...row.cells].map((cell) => cell.textContent)));
  const combinations = kVary[0].values.flatMap((a) => kVary[1].values.map((b) => [a, b]));
  checks.same(rows.length, combinations.length, "the table has a row for each combination");
  const wrong = combinations.filter((at, i) => {
    const values = valuesAt(report, at, info.steps);
    const expected = [...at, values.length, meanOf(values), Math.min(...values), Math.max(...values)];
    return !expected.every((v, k) => near(rows[i]?.[k] ?? "", v));
  });
  checks.same(wrong, [], `the last values of ${report} are those of a loop over the runs`);
}

async function testHover(checks, page, report) {
  const box = await page.locator(".cell").nth(4).boundingBox();
  await page.mouse.move(box.x + 0.55 * box.width, box.y + box.height / 2);
  await checks.until(async () => (await stats(page)).hover !== null, "the panel in the middle tells a value");
  const { hover } = await stats(page);
  const at = [kVary[0].values[1], kVary[1].values[1]];
  checks.check(
    hover.startsWith(`${kVary[0].name} = ${at[0]}, ${kVary[1].name} = ${at[1]}`),
    "it is the panel of its values",
  );
  const found = /step ([\d,]+): mean (\S+)\n(\d+) runs, (\S+) to (\S+)/.exec(hover);
  const values = valuesAt(report, at, Number(found?.[1].replaceAll(",", "")));
  const expected = [meanOf(values), values.length, Math.min(...values), Math.max(...values)];
  checks.check(found && expected.every((v, i) => near(found[i + 2], v)), `it is the mean of the runs: ${hover}`);
  await page.mouse.move(5, 5);
}

export async function testSweep(checks, browser, juxta, folder) {
  const file = join(folder, "sweep.csv");
  writeFileSync(file, sweepCsv());
  const server = new Server(juxta, ["sweep", file]);
  await server.start();
  try {
    const { page, complaints } = await openPage(browser, server.url);
    const info = await server.ask("info");
    const runs = makeRuns();
    checks.same(
      [info.kind, info.vary, info.reports, info.runs, info.steps],
      ["sweep", kVary, kReports, runs.length, runs[0].steps.at(-1)],
      "it is the sweep of the file",
    );
    await checks.until(async () => (await stats(page)).panels === 9, "there are three by three panels");
    checks.same((await stats(page)).runs, runs.length, "they have all runs");
    await testTable(checks, page, info, kReports[0]);
    await testHover(checks, page, kReports[0]);
    await page.screenshot({ path: join(folder, "sweep_dark.png") });
    await page.getByLabel("Report").selectOption(kReports[1]);
    await testTable(checks, page, info, kReports[1]);
    await page.waitForTimeout(200);
    const common = await page.locator(".board").screenshot();
    await page.getByLabel("Each panel has an axis of its own").check();
    await checks.until(
      async () => !common.equals(await page.locator(".board").screenshot()),
      "axes of their own change the picture",
    );
    await page.keyboard.press("t");
    await page.waitForTimeout(200);
    await page.screenshot({ path: join(folder, "sweep_light.png") });
    await page.setViewportSize({ width: 390, height: 844 });
    await page.waitForTimeout(400);
    await page.screenshot({ path: join(folder, "sweep_phone.png") });
    if (server.own) {
      await server.stop("SIGKILL");
      await checks.until(() => page.locator(".lost").isVisible(), "the page says that the connection is lost");
      await server.start();
      await checks.until(async () => !(await page.locator(".lost").isVisible()), "it finds the server again");
    }
    checks.same(complaints, [], "the console has no errors");
    await page.close();
  } finally {
    await server.stop("SIGKILL");
  }
}
