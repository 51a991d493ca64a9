// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The page without a server: starts the engine in a worker, and the same pages as those of juxta view.
import { connectBy } from "../connection";
import type { Info } from "../protocol";
import { remember } from "../ui/address";
import { button, el, section } from "../ui/dom";
import { complain, installNotices, toast } from "../ui/notices";
import "../ui/theme";
import { kScenes, sceneOf, type Scene } from "./scenes";
import { LocalServer } from "./server";

/** Files of this build (build_site.mjs). */
declare const kWorkerFile: string, kModuleFile: string;

const kMostMegabytes = 256;
const scene = sceneOf(location.search);
const server = new LocalServer(new URL(kWorkerFile, import.meta.url));
let stop: unknown = null;

/** Compiled while it arrives, where the host says that it is WebAssembly. */
async function compile(): Promise<WebAssembly.Module> {
  const response = await fetch(new URL(kModuleFile, import.meta.url));
  if (!response.ok) throw new Error(`${kModuleFile} did not arrive: status ${response.status}.`);
  const isWasm = response.headers.get("Content-Type")?.startsWith("application/wasm");
  return isWasm ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

function page(kind: string): Promise<{ start(info: Info): Promise<unknown> }> {
  return kind === "map" ? import("../map/page") : import("../world/page");
}

/** Where one goes from here. */
function addTabs(): void {
  const tabs = kScenes.map(({ name, tab }) =>
    el("a", { href: `?scene=${name}`, "aria-current": name === scene.name ? "page" : undefined }, tab),
  );
  document.body.classList.add("local");
  document.body.prepend(el("nav", { class: "scenes", "aria-label": "Scenes" }, el("b", {}, "Juxta"), ...tabs));
}

function addAbout({ name, about }: Scene, file: string | null): void {
  const text = file ? `The points of ${file}, which you opened. They stay in your browser.` : about;
  const parts: HTMLElement[] = [
    el("p", { class: "summary" }, text),
    el(
      "p",
      { class: "summary" },
      "No server is behind this page: all of it runs in your browser, on one thread. Its clock ticks each 0.1 ms or " +
        "so: what takes less reads as 0.",
    ),
  ];
  if (name === "map") parts.push(fileButton());
  const what = section("What this is", true, ...parts);
  what.classList.add("about");
  document.querySelector(".panel")!.prepend(what);
}

function fileButton(): HTMLElement {
  const input = el("input", { type: "file", accept: ".csv,.tsv,.txt,text/csv", hidden: true, "aria-label": "Points" });
  input.addEventListener("change", () => {
    if (input.files?.[0]) void open(input.files[0]);
  });
  return el(
    "p",
    { class: "summary" },
    button("Open a CSV …", "Points of your own: columns x, y, and if you like rank (or population) and name", () =>
      input.click(),
    ),
    " or drop one on the page",
    input,
  );
}

async function open(file: File): Promise<void> {
  if (file.size > kMostMegabytes * 2 ** 20) {
    toast(
      `${file.name} is too large: a file has at most ${kMostMegabytes} MB here. juxta view points takes larger ones.`,
    );
    return;
  }
  try {
    await server.open(file.name, await file.arrayBuffer());
    if (typeof stop === "function") stop();
    remember("at", null);
    await show(file.name);
  } catch (why) {
    complain(why);
  }
}

function acceptDrops(): void {
  window.addEventListener("dragover", (event) => event.preventDefault());
  window.addEventListener("drop", (event) => {
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    if (file && scene.name === "map") void open(file);
    else if (file) toast("Drop files with points on the map.");
  });
}

async function show(file: string | null): Promise<void> {
  const info = await server.info();
  const { start } = await page(info.kind);
  stop = await start(info);
  addAbout(scene, file);
}

async function begin(): Promise<void> {
  installNotices();
  addTabs();
  acceptDrops();
  connectBy(() => server.connect());
  server.onEnded = (why) => toast(`The engine has ended: ${why}. Load the page again.`);
  void page(scene.name === "map" ? "map" : "world"); // Both arrive at the same time.
  await server.begin(await compile(), scene.name);
  await show(null);
}

begin().catch((why: unknown) => {
  const line = document.querySelector(".loading");
  if (line) line.textContent = why instanceof Error ? why.message : String(why);
  console.error(why);
});
