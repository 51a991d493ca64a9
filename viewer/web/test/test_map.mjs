// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The page of a map, compared with a loop over the points.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeCities } from "./mock_map.mjs";
import { openPage, Server } from "./test_server.mjs";

const kCities = 20_000;
const lastTop = (page) => page.evaluate(() => window.juxta.stats.lastTop);
const byImportance = (a, b) => b.rank - a.rank || a.i - b.i;

async function drag(page, from, to, key) {
  if (key) await page.keyboard.down(key);
  await page.mouse.move(...from);
  await page.mouse.down();
  await page.mouse.move((from[0] + to[0]) / 2, (from[1] + to[1]) / 2, { steps: 5 });
  await page.mouse.move(...to, { steps: 5 });
  await page.mouse.up();
  if (key) await page.keyboard.up(key);
}

async function testRectangle(checks, page, cities, from, to) {
  await drag(page, from, to, "Shift");
  await checks.until(async () => (await lastTop(page))?.done, "a rectangle asks the engine");
  const { rect, answer } = await lastTop(page);
  const inside = cities
    .filter(({ x, y }) => x >= rect[0] && x <= rect[2] && y >= rect[1] && y <= rect[3])
    .sort(byImportance);
  checks.check(inside.length > 0, "the rectangle holds points");
  checks.same(answer.count, inside.length, `exactly ${inside.length} points are inside`);
  checks.same(
    answer.points.map(({ i, name }) => [i, name]),
    inside.slice(0, 20).map(({ i, name }) => [i, name]),
    "the best 20 are those of a loop over all",
  );
  const shown = await page.locator(".numbered .name").allInnerTexts();
  checks.same(
    shown,
    inside.slice(0, 20).map((city) => city.name),
    "the list shows them",
  );
  await page.keyboard.press("Escape");
  await page.evaluate(() => (window.juxta.stats.lastTop = null));
}

async function testSearch(checks, server, page, cities) {
  const name = [...cities].sort(byImportance)[3].name;
  await page.locator("input[type=search]").fill(name.toUpperCase().slice(0, 5));
  const found = await server.ask("search", { text: name.toUpperCase().slice(0, 5), k: 20 });
  await checks.until(
    async () =>
      JSON.stringify(await page.locator(".search .name").allInnerTexts()) ===
      JSON.stringify(found.points.map((p) => p.name)),
    "the search shows what the engine finds",
  );
  checks.check(
    found.points.some((p) => p.name === name),
    "the search finds the city",
  );
  await page.locator(".search .item").first().click();
  const best = found.points[0];
  await checks.until(async () => {
    const [x, y] = await page.evaluate(([px, py]) => window.juxta.project(px, py), [best.x, best.y]);
    const stage = await page.locator(".stage").boundingBox();
    return Math.hypot(x - stage.x - stage.width / 2, y - stage.y - stage.height / 2) < 2;
  }, "a click on what was found flies there");
  await page.locator("input[type=search]").fill("");
  await page.locator(".canvas").focus();
  await page.keyboard.press("0");
  await page.waitForTimeout(900);
}

/** Labels stay while the map is panned. Another zoom lays them out anew. */
async function testLabelsStay(checks, page, cities) {
  const lastView = () => page.evaluate(() => window.juxta.stats.lastView);
  await page.locator(".canvas").focus();
  for (let i = 0; i < 3; ++i) await page.keyboard.press("+");
  await page.waitForTimeout(400);
  const before = (await lastView()).answer.labels.map(({ i }) => i);
  await drag(page, [420, 300], [330, 260]);
  await page.waitForTimeout(400);
  const { rect, keep, answer } = await lastView();
  checks.check(keep.length > 0, "a drag asks to keep the labels that are shown");
  const shown = new Set(answer.labels.map(({ i }) => i));
  const gone = before.filter((i) => {
    const { x, y } = cities.find((city) => city.i === i);
    return x > rect[0] && x < rect[2] && y > rect[1] && y < rect[3] && !shown.has(i);
  });
  checks.same(gone, [], `of ${before.length} labels, those in view stay`);
  await page.keyboard.press("+");
  await checks.until(async () => (await lastView()).keep.length === 0, "another zoom keeps none");
  await page.keyboard.press("0");
  await page.waitForTimeout(900);
}

export async function testMap(checks, browser, juxta, folder) {
  const cities = makeCities(process.env.JUXTA_VIEW_URL ? 50_000 : kCities);
  const file = join(folder, "cities.csv");
  writeFileSync(file, `x,y,population,name\n${cities.map((c) => `${c.x},${c.y},${c.rank},${c.name}`).join("\n")}\n`);
  const server = new Server(juxta, ["points", file]);
  await server.start();
  try {
    const { page, complaints } = await openPage(browser, server.url);
    const info = await server.ask("info");
    checks.same(
      [info.kind, info.points, info.names, info.descending],
      ["map", cities.length, true, true],
      "it is a map of all cities",
    );
    await page.waitForTimeout(300);
    await page.screenshot({ path: join(folder, "map_dark.png") });
    await testRectangle(checks, page, cities, [150, 180], [520, 420]);
    await testRectangle(checks, page, cities, [400, 250], [330, 330]);
    await testSearch(checks, server, page, cities);
    await testLabelsStay(checks, page, cities);
    const before = await page.evaluate(() => location.hash);
    await drag(page, [300, 300], [380, 340]);
    await checks.until(
      () => page.evaluate((old) => location.hash !== old, before),
      "a drag moves the map, and the address remembers it",
    );
    const view = await page.evaluate(() => window.juxta.stats.lastView);
    const [x0, y0, x1, y1] = view.rect;
    checks.same(
      view.answer.count,
      cities.filter(({ x, y }) => x >= x0 && x <= x1 && y >= y0 && y <= y1).length,
      "the count in view is exact",
    );
    await page.keyboard.press("t");
    await drag(page, [150, 180], [520, 420], "Shift");
    await page.waitForTimeout(400);
    await page.screenshot({ path: join(folder, "map_light.png") });
    await page.setViewportSize({ width: 400, height: 780 });
    await page.waitForTimeout(500);
    await page.screenshot({ path: join(folder, "map_phone.png") });
    if (server.own) {
      await server.stop("SIGKILL");
      await checks.until(() => page.locator(".lost").isVisible(), "the page says that the connection is lost");
      const views = await page.evaluate(() => window.juxta.stats.views);
      await server.start();
      await checks.until(async () => !(await page.locator(".lost").isVisible()), "it finds the server again");
      await checks.until(
        () => page.evaluate((old) => window.juxta.stats.views > old, views),
        "it draws what is there now",
      );
    }
    checks.same(complaints, [], "the console has no errors");
    await page.close();
  } finally {
    await server.stop("SIGKILL");
  }
}
