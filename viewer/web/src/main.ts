// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Asks what the server shows, then loads the page for it. A map needs no three.js, so it loads none.
import { AskError, askHttp } from "./connection";
import type { Info } from "./protocol";
import "./ui/theme";

interface Page {
  start(info: Info): Promise<void>;
}

async function load(info: Info): Promise<Page> {
  // The build keeps these two paths as they are.
  const world = "./world.js";
  const map = "./map.js";
  return (info.kind === "world" ? import(world) : import(map)) as Promise<Page>;
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
