// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The page of a map: asks for what is in view, and draws it.
import { Connection } from "../connection";
import { Latest } from "../latest";
import type { Info, MapInfo, MapPoint, MapTop, MapView, Rect } from "../protocol";
import { asText, remember, rememberedNumbers } from "../ui/address";
import { button, isTyping } from "../ui/dom";
import { count, micros } from "../ui/format";
import { makeHelp, toggleHelp } from "../ui/help";
import { icon } from "../ui/icons";
import { makeLayout, type Layout } from "../ui/layout";
import { complain, say, showConnection } from "../ui/notices";
import { onTheme, toggleTheme } from "../ui/theme";
import { MapCamera } from "./camera";
import { MapGestures } from "./gestures";
import { MapPicture, type MapScene } from "./picture";
import { Results } from "./results";

const kLabels = 200,
  kDots = 4000,
  kTop = 20,
  kHeatPixels = 14,
  kPanPixels = 90;

class MapPage {
  readonly connection = new Connection();
  readonly camera: MapCamera;
  readonly stats = { views: 0, tops: 0, frames: 0, lastView: null as unknown, lastTop: null as unknown };
  private layout: Layout;
  private picture: MapPicture;
  private results: Results;
  private gestures: MapGestures;
  private help = makeHelp("Keys and gestures", [
    ["drag", "move the map"],
    ["wheel + −", "zoom"],
    ["← → ↑ ↓", "move"],
    ["0", "show all"],
    ["Shift+drag", "the most important points of a rectangle"],
    ["R", "rectangle mode, for touch"],
    ["/", "search"],
    ["H", "show how dense the points are"],
    ["Esc", "remove the rectangle"],
    ["T", "dark or light"],
    ["P", "show or hide the panel"],
    ["?", "this list"],
  ]);
  private scene: MapScene = {
    view: null,
    viewRect: null,
    heatSize: [1, 1],
    showHeat: true,
    descending: true,
    rectangle: null,
    marked: null,
  };
  private asks = { view: new Latest(), top: new Latest(), search: new Latest() };
  private rectangleButton: HTMLButtonElement;
  private redraw = 0;
  /** The scale for which the labels were laid out. */
  private labelScale = 0;
  private stopped = false;
  private readonly onKey = (event: KeyboardEvent) => this.key(event);
  /** Read before anything moves, since whatever moves is remembered. */
  private readonly there = rememberedNumbers("at", 3);

  constructor(private info: MapInfo) {
    this.scene.descending = info.descending;
    this.camera = new MapCamera(info.bounds, () => this.moved());
    this.layout = makeLayout({
      title: info.title,
      canvasLabel: `Map of ${count(info.points)} points. Arrow keys move it, plus and minus zoom.`,
      help: () => toggleHelp(this.help),
      resized: () => this.resized(),
    });
    this.picture = new MapPicture(this.layout.canvas, this.camera);
    this.results = new Results(
      this.layout.panel,
      info,
      {
        goTo: (point) => this.goTo(point),
        point: (point) => this.mark(point),
        search: (text) => this.search(text),
        clear: () => this.clearRectangle(),
        heat: (shown) => this.setHeat(shown),
      },
      this.scene.showHeat,
    );
    this.gestures = new MapGestures(this.layout.canvas, this.camera, {
      drag: (from, to, done) => this.dragRectangle(from, to, done),
      click: () => this.mark(null),
    });
    this.rectangleButton = button(icon("rectangle"), "Rectangle mode (R)", () => this.toggleRectangleMode(), "tool");
    this.rectangleButton.setAttribute("aria-pressed", "false");
    this.layout.tools.prepend(
      button(icon("plus"), "Zoom in (+)", () => this.zoom(1.6), "tool"),
      button(icon("minus"), "Zoom out (−)", () => this.zoom(1 / 1.6), "tool"),
      button(icon("home"), "Show all (0)", () => this.camera.home(), "tool"),
      this.rectangleButton,
    );
    window.addEventListener("keydown", this.onKey);
    onTheme(() => {
      if (this.stopped) return;
      this.picture.recolour();
      this.draw();
    });
  }

  async begin(): Promise<void> {
    this.resized();
    const there = this.there;
    const [x0, y0, x1, y1] = this.info.bounds;
    this.camera.set(
      there?.[0] ?? (x0 + x1) / 2,
      there?.[1] ?? (y0 + y1) / 2,
      there ? there[2] * this.camera.homeScale() : this.camera.homeScale(),
    );
    this.connection.onState = (state) => {
      showConnection(state);
      if (state === "open") void this.reopened();
    };
    await this.connection.open();
  }

  /** Another page takes its place. */
  stop(): void {
    this.stopped = true;
    window.removeEventListener("keydown", this.onKey);
    this.connection.close();
  }

  /** The server may show something else than before it was lost. */
  private async reopened(): Promise<void> {
    try {
      const info = await this.connection.ask<Info>("info");
      if (info.kind !== "map" || info.title !== this.info.title || info.points !== this.info.points) {
        location.reload();
        return;
      }
      this.askView();
    } catch (why) {
      complain(why);
    }
  }

  private resized(): void {
    if (this.stopped) return;
    const { clientWidth, clientHeight } = this.layout?.stage ?? { clientWidth: 1, clientHeight: 1 };
    if (this.layout && (clientWidth !== this.camera.width || clientHeight !== this.camera.height)) {
      this.camera.width = Math.max(clientWidth, 1);
      this.camera.height = Math.max(clientHeight, 1);
      this.moved();
    }
  }

  private moved(): void {
    // How far it is zoomed in is remembered relative to the home view, so that it fits other screens.
    remember("at", asText([this.camera.x, this.camera.y, this.camera.scale / this.camera.homeScale()]));
    this.draw();
    this.askView();
  }

  private askView(): void {
    if (this.connection.state !== "open") return;
    this.asks.view.run(async () => {
      const { width, height, scale } = this.camera,
        rect = this.camera.rect(),
        keep = this.labelsToKeep();
      const heat: [number, number] = [
        Math.max(1, Math.ceil(width / kHeatPixels)),
        Math.max(1, Math.ceil(height / kHeatPixels)),
      ];
      const began = performance.now();
      try {
        const view = await this.connection.ask<MapView>("view", {
          rect,
          width: Math.round(width),
          height: Math.round(height),
          k: kLabels,
          points: kDots,
          keep,
          ...(this.scene.showHeat ? { heat } : {}),
        });
        Object.assign(this.scene, { view, viewRect: rect, heatSize: heat });
        this.labelScale = scale;
        this.stats.views += 1;
        this.stats.lastView = { rect, keep, answer: view };
        this.results.showView(view, performance.now() - began);
        const time = micros(view.us.top + view.us.count);
        this.layout.line.textContent = `${count(view.count)} of ${count(this.info.points)} points in view · ${time} a query`;
        this.draw();
      } catch (why) {
        complain(why);
      }
    });
  }

  /** Labels stay while the map is only panned. Another zoom has room for others. */
  private labelsToKeep(): number[] {
    const labels = this.scene.view?.labels ?? [];
    return this.camera.scale === this.labelScale ? labels.map(({ i }) => i) : [];
  }

  private dragRectangle(from: [number, number], to: [number, number], done: boolean): void {
    const [ax, ay] = this.camera.toWorld(...from),
      [bx, by] = this.camera.toWorld(...to);
    const rect: Rect = [Math.min(ax, bx), Math.min(ay, by), Math.max(ax, bx), Math.max(ay, by)];
    this.scene.rectangle = rect;
    this.draw();
    this.asks.top.run(() => this.askTop(rect, done));
    if (done && this.gestures.rectangleMode) this.toggleRectangleMode();
  }

  private async askTop(rect: Rect, done: boolean): Promise<void> {
    const began = performance.now();
    try {
      const answer = await this.connection.ask<MapTop>("top", { rect, k: kTop });
      if (!this.scene.rectangle) return;
      this.results.showBest(answer, performance.now() - began);
      this.stats.tops += 1;
      this.stats.lastTop = { rect, answer, done };
      if (done) {
        const best = answer.points[0];
        say(
          `${count(answer.count)} points in the rectangle.${best?.name ? ` The most important is ${best.name}.` : ""}`,
        );
      }
    } catch (why) {
      complain(why);
    }
  }

  private clearRectangle(): void {
    this.scene.rectangle = null;
    this.asks.top.clear();
    this.results.showBest(null, 0);
    this.draw();
  }

  private toggleRectangleMode(): void {
    const on = (this.gestures.rectangleMode = !this.gestures.rectangleMode);
    this.rectangleButton.setAttribute("aria-pressed", String(on));
    this.layout.canvas.classList.toggle("crosshair", on);
  }

  private search(text: string): void {
    this.asks.search.run(async () => {
      try {
        this.results.showFound((await this.connection.ask<{ points: MapPoint[] }>("search", { text, k: kTop })).points);
      } catch (why) {
        complain(why);
      }
    });
  }

  private goTo(point: MapPoint): void {
    this.scene.marked = point;
    this.camera.flyTo(point.x, point.y, Math.max(this.camera.scale, this.camera.homeScale() * 16));
    say(`${point.name || "The point"} is in the middle of the map.`);
  }

  private mark(point: MapPoint | null): void {
    this.scene.marked = point;
    this.draw();
  }

  private setHeat(shown: boolean): void {
    this.scene.showHeat = shown;
    this.askView();
    this.draw();
  }

  private zoom(factor: number): void {
    this.camera.zoomAt(this.camera.width / 2, this.camera.height / 2, factor);
  }

  private key(event: KeyboardEvent): void {
    if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey || (this.help.open && event.key !== "?"))
      return;
    const actions: Record<string, () => void> = {
      ArrowLeft: () => this.camera.panBy(kPanPixels, 0),
      ArrowRight: () => this.camera.panBy(-kPanPixels, 0),
      ArrowUp: () => this.camera.panBy(0, kPanPixels),
      ArrowDown: () => this.camera.panBy(0, -kPanPixels),
      "+": () => this.zoom(1.4),
      "=": () => this.zoom(1.4),
      "-": () => this.zoom(1 / 1.4),
      "0": () => this.camera.home(),
      Home: () => this.camera.home(),
      r: () => this.toggleRectangleMode(),
      t: toggleTheme,
      p: () => this.layout.togglePanel(),
      h: () => this.layout.panel.querySelector<HTMLInputElement>("input[type=checkbox]")!.click(),
      "/": () => this.results.search.focus(),
      "?": () => toggleHelp(this.help),
      Escape: () => this.clearRectangle(),
    };
    const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (action) {
      event.preventDefault();
      action();
    }
  }

  private draw(): void {
    this.redraw ||= requestAnimationFrame(() => {
      this.redraw = 0;
      this.picture.draw(this.scene);
      this.stats.frames += 1;
      if (this.scene.view) document.documentElement.dataset.ready = "1";
    });
  }
}

/** Returns what ends it. */
export async function start(info: Info): Promise<() => void> {
  const page = new MapPage(info as MapInfo);
  Object.assign(window, {
    juxta: {
      kind: "map",
      connection: page.connection,
      stats: page.stats,
      /** Where on the page a place is. */
      project: (x: number, y: number) => {
        const box = document.querySelector(".canvas")!.getBoundingClientRect(),
          [px, py] = page.camera.toPage(x, y);
        return [box.left + px, box.top + py];
      },
    },
  });
  await page.begin();
  return () => page.stop();
}
