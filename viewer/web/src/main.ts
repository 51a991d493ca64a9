// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Asks what the server shows, then loads the page for it. Only a world needs three.js.
import { AskError, askHttp } from "./connection";
import type { Info } from "./protocol";
import "./ui/theme";

interface Page {
  start(info: Info): Promise<unknown>;
}

async function load(info: Info): Promise<Page> {
  // The build keeps these paths as they are.
  const pages = { world: "./world.js", map: "./map.js", sweep: "./sweep.js" };
  const path = pages[info.kind];
  if (!path) throw new Error(`This page cannot show a ${String(info.kind)}. Load the page again.`);
  return import(path) as Promise<Page>;
}

async function begin(): Promise<void> {
  for (let delay = 500; ; delay = Math.min(2 * delay, 4000)) {
    try {
      const info = await askHttp<Info>("info");
      await (await load(info)).start(info);
      return;
    } catch (error) {
      say(error instanceof Error ? error.message : String(error));
      if (!(error instanceof TypeError)) {
        // A TypeError says that no server was there. All else does not mend itself.
        if (!(error instanceof AskError)) console.error(error);
        return;
      }
    }
    await new Promise((resolve) => setTimeout(resolve, delay));
  }
}

function say(text: string): void {
  const line = document.querySelector(".loading");
  if (line) line.textContent = text;
}

void begin();
