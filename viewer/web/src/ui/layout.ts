// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The frame of all pages: a stage with a canvas, a title and tools on it, and a panel beside it. On a phone
// the panel is a sheet at the bottom.
import { button, el, phone } from "./dom";
import { icon } from "./icons";
import { installNotices } from "./notices";
import { toggleTheme } from "./theme";

export interface Layout {
  stage: HTMLElement;
  canvas: HTMLCanvasElement;
  tools: HTMLElement;
  panel: HTMLElement;
  /** A line below the title. */
  line: HTMLElement;
  togglePanel(): void;
}

export interface LayoutOptions {
  title: string;
  canvasLabel: string;
  /** Stands on the stage in place of the canvas. */
  content?: HTMLElement;
  help: () => void;
  /** The panel was shown or hidden: the canvas has another size. */
  resized: () => void;
}

export function makeLayout(options: LayoutOptions): Layout {
  const canvas = el("canvas", { class: "canvas", tabindex: 0, role: "application", "aria-label": options.canvasLabel });
  const line = el("p", { class: "line" });
  const tools = el("div", { class: "tools", role: "toolbar", "aria-label": "Tools" });
  const heading = el("header", { class: "heading" }, el("h1", {}, options.title), line);
  const stage = el("main", { class: "stage" }, options.content ?? canvas, heading, tools);
  const panel = el("aside", { class: "panel", "aria-label": "Panel" });
  const app = document.getElementById("app")!;
  app.replaceChildren(stage, panel);
  app.className = "app";

  const show = (visible: boolean) => {
    app.classList.toggle("panel-hidden", !visible);
    panelButton.setAttribute("aria-expanded", String(visible));
    options.resized();
  };
  const togglePanel = () => show(app.classList.contains("panel-hidden"));
  const panelButton = button(icon("panel"), "Show or hide the panel (P)", togglePanel, "tool");
  tools.append(
    button(icon("theme"), "Dark or light (T)", toggleTheme, "tool"),
    button(icon("help"), "Keys and gestures (?)", options.help, "tool"),
    panelButton,
  );
  app.classList.toggle("panel-hidden", phone.matches);
  panelButton.setAttribute("aria-expanded", String(!phone.matches));
  installNotices();
  new ResizeObserver(options.resized).observe(stage);
  return { stage, canvas, tools, panel, line, togglePanel };
}
