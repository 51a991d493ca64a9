// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The page of a world: puts its parts together.
import { Connection } from "../connection";
import { Latest } from "../latest";
import type { Entity, History, Info, Row, Selection, Status, Triple, WorldInfo } from "../protocol";
import { asText, remember, remembered, rememberedNumbers } from "../ui/address";
import { button, throttle } from "../ui/dom";
import { makeHelp, toggleHelp } from "../ui/help";
import { icon, type IconName } from "../ui/icons";
import { makeLayout, type Layout } from "../ui/layout";
import { complain, showConnection, toast } from "../ui/notices";
import { onTheme, toggleTheme } from "../ui/theme";
import { AreaTool, type AreaMode } from "./area";
import { Facts } from "./facts";
import { Inspector } from "./inspector";
import { helpOfBoth, helpOfDeep, helpOfFlat, helpOfRecording, listen } from "./keys";
import { Legend } from "./legend";
import { Parameters } from "./parameters";
import { Overlays } from "./overlays";
import { Plots } from "./plots";
import { WorldScene } from "./scene";
import { SelectedTable } from "./selected";
import { ShapesOfThings } from "./shapes";
import { Transport } from "./transport";

const kPickPixels = 8,
  kWatchMs = 50,
  kHistoryMs = 400,
  kRows = 200,
  kTurn = 0.09,
  kMove = 0.06;

class WorldPage {
  readonly connection = new Connection();
  readonly stats = { frames: 0, draws: 0, step: -1, sent: 0, lastPick: null as unknown, lastSelect: null as unknown };
  readonly scene: WorldScene;
  readonly layout: Layout;
  private readonly help: HTMLDialogElement;
  private readonly transport: Transport;
  private readonly legend: Legend;
  private readonly parameters: Parameters;
  private readonly plots: Plots;
  private readonly facts: Facts;
  private readonly inspector: Inspector;
  private readonly table: SelectedTable;
  private readonly area: AreaTool;
  readonly overlays: Overlays;
  readonly shapes: ShapesOfThings;
  private lastStep = -1;
  private drawnStep = -1;
  private readonly loading = new Latest();
  /** Somebody went back in a recording or restarted: what was reported is not what it was. */
  private readonly loadHistory = throttle(kHistoryMs, () =>
    this.loading.run(async () => {
      if (!this.info.reports.length) return;
      await this.connection.ask<History>("history", { from: 0 }).then((past) => this.plots.load(past), complain);
    }),
  );
  private readonly sendWatch = throttle(kWatchMs, () => this.watch());
  private modeButtons: Partial<Record<AreaMode, HTMLButtonElement>> = {};
  /** Read before anything moves, since whatever moves is remembered. */
  private readonly there: { camera: number[] | null; selected: string | null };
  private started = false;

  constructor(private info: WorldInfo) {
    info.overlays ??= [];
    info.recording ??= null;
    const flat = info.dimensions === 2;
    this.there = { camera: rememberedNumbers("camera", flat ? 3 : 6), selected: remembered("selected") };
    this.help = makeHelp("Keys and gestures", [
      ...(flat ? helpOfFlat : helpOfDeep),
      ...(info.recording ? helpOfRecording : []),
      ...helpOfBoth,
    ]);
    this.layout = makeLayout({
      title: info.title,
      canvasLabel: `${info.title}, drawn. Space plays and pauses, arrow keys move the view, ? lists all keys.`,
      help: () => toggleHelp(this.help),
      resized: () => this.resized(),
    });
    const { stage, panel, canvas, line } = this.layout;
    this.scene = new WorldScene(canvas, info, () => this.moved());
    this.transport = new Transport(stage, this.connection, info.recording);
    this.legend = new Legend(
      panel,
      info.groups,
      () => this.recolour(),
      (group, on) => {
        this.scene.groups[group]!.setWanted(on);
        this.scene.invalidate();
      },
    );
    this.overlays = new Overlays(panel, this.connection, info, this.scene);
    this.shapes = new ShapesOfThings(this.connection, info, this.scene);
    this.plots = new Plots(panel, info);
    this.parameters = new Parameters(panel, this.connection, info, (fresh) => this.restarted(fresh));
    if (info.recording && !info.parameters.length) this.parameters.hide();
    this.facts = new Facts(panel, line, this.connection, () => this.watch());
    this.inspector = new Inspector(stage, this.connection, info, this.scene.camera, () => this.scene.invalidate());
    this.table = new SelectedTable(stage, info, (row) => this.inspector.select(row));
    this.area = new AreaTool(stage, canvas, {
      click: (at) => void this.pick(at),
      select: (polygon) => void this.select(polygon),
      modeChanged: (mode) => this.showMode(mode),
    });
    this.addTools();
    this.addKeys();
    this.connect();
    onTheme(() => {
      this.legend.paint();
      this.overlays.paint();
      this.shapes.paint();
      this.scene.paint(this.legend.kinds());
      this.plots.drawSoon(true);
    });
  }

  async begin(): Promise<void> {
    this.started = true;
    this.resized();
    this.scene.camera.home();
    if (this.there.camera) this.scene.camera.restore(this.there.camera);
    this.scene.camera.update(); // The first frames are for this view.
    setInterval(() => this.facts.show(this.transport.status, this.stats.draws, this.scene.skipped), 250);
    await this.connection.open();
  }

  private addTools(): void {
    const mode = (name: AreaMode, sign: IconName, title: string) => {
      const made = button(icon(sign), title, () => this.area.setMode(name), "tool");
      made.setAttribute("aria-pressed", "false");
      this.modeButtons[name] = made;
      return made;
    };
    this.layout.tools.prepend(
      button(icon("home"), "Show all (0)", () => this.home(), "tool"),
      mode("rectangle", "rectangle", "Select a rectangle (R, or Shift and drag)"),
      mode("lasso", "lasso", "Select with a lasso (L, or Alt and drag)"),
    );
  }

  private addKeys(): void {
    const { camera, backdrop } = this.scene;
    const arrow = (x: number, y: number) => (event: KeyboardEvent) =>
      event.shiftKey || camera.flat ? camera.pan(x * kMove, y * kMove) : camera.turn(x * kTurn, y * kTurn);
    listen(
      {
        " ": () => this.transport.toggle(),
        ".": () => this.transport.one(),
        "<": () => this.transport.faster(-1),
        ">": () => this.transport.faster(1),
        ArrowLeft: arrow(-1, 0),
        ArrowRight: arrow(1, 0),
        ArrowUp: arrow(0, 1),
        ArrowDown: arrow(0, -1),
        "+": () => camera.zoom(1.2),
        "=": () => camera.zoom(1.2),
        "-": () => camera.zoom(1 / 1.2),
        "0": () => this.home(),
        Home: () => this.home(),
        f: () => this.inspector.toggleFollow(),
        r: () => this.area.setMode("rectangle"),
        l: () => this.area.setMode("lasso"),
        g: () => {
          backdrop.toggleGrid();
          this.scene.invalidate();
        },
        t: toggleTheme,
        p: () => this.layout.togglePanel(),
        "?": () => toggleHelp(this.help),
        Escape: () => this.escape(),
      },
      () => this.help.open,
    );
  }

  private connect(): void {
    this.connection.onState = (state) => {
      showConnection(state);
      if (state === "open") void this.opened();
    };
    this.connection.onStatus = (status) => this.transport.show(status);
    this.connection.onFrame = (bytes) => {
      this.facts.frames += 1;
      this.facts.bytes += bytes.byteLength;
      this.scene.receive(bytes);
    };
    this.transport.onStatus = (status) => this.showStatus(status);
    this.scene.onFrame = (frame) => {
      this.connection.got(frame.number);
      this.facts.add(frame);
      this.legend.show(frame);
      Object.assign(this.stats, {
        frames: this.stats.frames + 1,
        step: frame.step,
        sent: frame.groups.reduce((n, g) => n + g.sent, 0),
      });
      this.inspector.follow();
      this.shapes.see(frame);
      this.drawnStep = frame.step;
      // The first picture with things in it.
      document.documentElement.dataset.ready = "1";
    };
    this.scene.onDrawn = () => {
      this.stats.draws += 1;
      this.overlays?.touch(this.drawnStep);
      this.shapes?.look();
      this.inspector?.place();
    };
  }

  private showStatus(status: Status): void {
    this.plots.add(status);
    if (status.step < this.lastStep) {
      this.loadHistory();
      this.shapes.forget();
    }
    this.lastStep = status.step;
  }

  /** The server is there, for the first time or again. */
  private async opened(): Promise<void> {
    this.watch();
    try {
      const info = await this.connection.ask<Info>("info");
      if (!this.isSame(info)) {
        location.reload();
        return;
      }
      this.parameters.fill(info as WorldInfo);
      this.transport.show(await this.connection.ask<Status>("status"));
      this.loadHistory();
      this.shapes.forget();
      if (this.there.selected) this.inspector.selectByName(this.there.selected);
      this.there.selected = null;
    } catch (why) {
      complain(why);
    }
  }

  private isSame(info: Info): boolean {
    const shape = (of: WorldInfo) =>
      JSON.stringify([
        of.title,
        of.dimensions,
        of.lo,
        of.hi,
        of.groups,
        of.stages,
        of.reports,
        of.parameters.map(({ name }) => name),
        of.overlays ?? [],
        of.recording ?? null,
      ]);
    return info.kind === "world" && shape(info) === shape(this.info);
  }

  private restarted(info: WorldInfo): void {
    if (!this.isSame(info)) {
      location.reload();
      return;
    }
    this.info = info;
    this.parameters.fill(info);
    this.plots.clear();
    this.shapes.forget();
    this.inspector.select(null);
  }

  private watch(): void {
    this.connection.watch({
      matrix: Array.from(this.scene.camera.matrix.elements),
      colour: this.legend.columns(),
      rate: this.facts.wantedRate,
      most: 1_000_000,
    });
  }

  private recolour(): void {
    this.scene.paint(this.legend.kinds());
    this.watch();
  }

  private moved(): void {
    if (!this.started) return;
    remember("camera", asText(this.scene.camera.numbers()));
    // The matrix is that of the next picture.
    requestAnimationFrame(() => this.sendWatch());
  }

  private resized(): void {
    const { clientWidth, clientHeight } = this.layout.stage;
    if (this.started && clientWidth && clientHeight) {
      this.scene.resize(clientWidth, clientHeight);
      this.sendWatch();
    }
  }

  private home(): void {
    this.scene.camera.home();
    this.moved();
    this.scene.invalidate();
  }

  private async pick([x, y]: [number, number]): Promise<void> {
    const { clientWidth, clientHeight } = this.layout.stage,
      { camera } = this.scene;
    const question = {
      matrix: Array.from(camera.matrix.elements),
      at: camera.toClip(x, y),
      within: [(2 * kPickPixels) / clientWidth, (2 * kPickPixels) / clientHeight],
    };
    try {
      const answer = await this.connection.ask<{ found: Row | null }>("pick", question);
      this.stats.lastPick = { question, answer };
      this.inspector.select(answer.found);
    } catch (why) {
      complain(why);
    }
  }

  private async select(corners: [number, number][]): Promise<void> {
    const { camera } = this.scene;
    const polygon = corners.map(([x, y]) => camera.toClip(x, y).map((v) => Number(v.toFixed(5))));
    const question = { matrix: Array.from(camera.matrix.elements), polygon, limit: kRows };
    try {
      const answer = await this.connection.ask<Selection>("select", question);
      this.stats.lastSelect = { question, answer };
      this.table.show(answer);
    } catch (why) {
      complain(why);
    }
  }

  private escape(): void {
    if (this.area.mode !== "none") {
      this.area.setMode(this.area.mode);
    } else if (this.table.open) {
      this.table.close();
    } else {
      this.inspector.select(null);
    }
  }

  private showMode(mode: AreaMode): void {
    for (const [name, made] of Object.entries(this.modeButtons)) {
      made.setAttribute("aria-pressed", String(name === mode));
    }
  }

  /** For tests: the entity that is selected. */
  get selected(): Row | Entity | null {
    return this.inspector.row;
  }
}

export async function start(info: Info): Promise<void> {
  let page: WorldPage;
  try {
    page = new WorldPage(info as WorldInfo);
  } catch (why) {
    toast(
      "This page draws with WebGL 2, which this browser does not give. Turn on hardware acceleration or try another browser.",
    );
    throw why;
  }
  Object.assign(window, {
    juxta: {
      kind: "world",
      connection: page.connection,
      stats: page.stats,
      overlays: page.overlays.stats,
      shapes: page.shapes.stats,
      get selected() {
        return page.selected;
      },
      matrix: () => Array.from(page.scene.camera.matrix.elements),
      /** Where on the page a place is. */
      project: (x: number, y: number, z: number) => {
        const box = page.layout.stage.getBoundingClientRect(),
          pixel = page.scene.camera.project([x, y, z] as Triple);
        return pixel && [box.left + pixel[0], box.top + pixel[1]];
      },
    },
  });
  await page.begin();
}
